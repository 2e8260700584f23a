"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from taciturn.formats.base import FormatError

__all__ = ["Output", "write_together", "write_whole"]


def write_whole(
    path: str | os.PathLike[str], data: bytes | Iterable[bytes], *, source: str | os.PathLike[str] | None = None
) -> None:
    """Put ``data``, given whole or in pieces, at ``path`` so that a reader sees the old file or the whole new
    one, never a part.

    The data goes to a temporary file in the same folder that only its owner may read, is forced to disc, renamed over
    ``path``, and the folder is forced to disc as well. Whatever interrupts it, Ctrl-C included, the temporary file is
    removed. Give the input's path as ``source`` and it is refused as the output; to overwrite it, leave ``source``
    out. A file that ``path`` replaces hands its permissions on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "a.txt", b"He has a disease.")
    ...     (Path(folder) / "a.txt").read_bytes()
    b'He has a disease.'
    """
    write_together([Output(path, data, source)])


class Output(NamedTuple):
    """A file to write: where, what, and the input that it must not replace (see :func:`write_whole`)."""

    path: str | os.PathLike[str]
    data: bytes | Iterable[bytes]
    source: str | os.PathLike[str] | None = None


def write_together(outputs: Sequence[Output]) -> None:
    """Put several files at their places, all of them or none.

    All data is on the disc under temporary names before the first file is renamed. If a rename fails, those before it
    are taken back: what stood at their places stands there again. The last file is renamed last, so name the one that
    must not be there without the others last: a power cut in between leaves the others at most.
    """
    staged: list[_Staged] = []
    try:
        for output in outputs:
            staged.append(_stage(output))
        for number, one in enumerate(staged, 1):
            one.put(last=number == len(staged))
    except BaseException:
        for one in reversed(staged):
            one.undo()
        raise
    for one in staged:
        one.forget()


@dataclass(slots=True)
class _Staged:
    """A file that is on the disc under a temporary name. ``old`` is another name of what it will replace."""

    path: str
    target: Path
    temporary: Path
    old: Path | None = None
    placed: bool = False

    def put(self, *, last: bool) -> None:
        try:
            if not last and self.target.exists():
                self.old = _temporary(self.target)
                _keep(self.target, self.old)
            os.replace(self.temporary, self.target)
        except OSError as error:
            raise FormatError(f"{self.path!r} was not written: {_why(error)}") from error
        self.placed = True
        _sync_folder(self.target.parent)

    def undo(self) -> None:
        with contextlib.suppress(OSError):
            if self.placed and self.old is not None:
                os.replace(self.old, self.target)
            elif self.placed:
                self.target.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.temporary.unlink(missing_ok=True)
        self.forget()

    def forget(self) -> None:
        with contextlib.suppress(OSError):
            if self.old is not None:
                self.old.unlink(missing_ok=True)


def _temporary(target: Path) -> Path:
    # A character takes up to four bytes, and a name has 255.
    return target.with_name(f".{target.name[:50]}.{secrets.token_hex(8)}.taciturn")


def _keep(target: Path, old: Path) -> None:
    """A second name for a file; a copy where the disc knows no second names."""
    try:
        os.link(target, old)
    except OSError:
        shutil.copy2(target, old)


def _stage(output: Output) -> _Staged:
    path, data, source = output
    target = Path(path)
    if source is not None and _same(target, Path(source)):
        raise FormatError(f"{str(path)!r} is the input; name another output, or ask for it to be overwritten")
    target = Path(os.path.realpath(target))
    temporary = _temporary(target)
    try:
        mode = target.stat().st_mode & 0o777
    except OSError:
        mode = 0o600
    try:
        # O_EXCL: nobody can have put a link there for us to follow.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            for piece in (data,) if isinstance(data, bytes) else data:
                view = memoryview(piece)
                while view:
                    view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        if mode != 0o600:
            os.chmod(temporary, mode)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise FormatError(f"{str(path)!r} was not written: {_why(error)}") from error
        raise
    return _Staged(str(path), target, temporary)


def _why(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "the disc is full; free some space or name another folder"
    if error.errno == errno.ENOENT:
        return "its folder does not exist; make it first"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "its folder is not yours to write to; name another one"
    if error.errno in (errno.EISDIR, errno.ENOTDIR):
        return "a folder stands where the file should go, or a file where its folder should be; name another path"
    return f"{error.strerror or error}; name another path"


def _same(one: Path, other: Path) -> bool:
    with contextlib.suppress(OSError):
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def _sync_folder(folder: Path) -> None:
    # Not every system lets a folder be opened or synced; the rename has happened, so that is no failure.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
