"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from tacit.formats.base import FormatError

__all__ = ["write_whole"]


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
    target = Path(path)
    if source is not None and _same(target, Path(source)):
        raise FormatError(f"{str(path)!r} is the input; name another output, or ask for it to be overwritten")
    target = Path(os.path.realpath(target))
    # A character takes up to four bytes, and a name has 255.
    temporary = target.with_name(f".{target.name[:50]}.{secrets.token_hex(8)}.tacit")
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
        os.replace(temporary, target)
        _sync_folder(target.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise FormatError(f"{str(path)!r} was not written: {_why(error)}") from error
        raise


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
