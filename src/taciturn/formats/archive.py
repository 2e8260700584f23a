"""Archives of files: zip and tar, the latter also compressed, read one member at a time and within limits.

Nothing is unpacked to disc: members are read in the order of the archive, once, into memory one by one. Unpacking into
a folder first was rejected, for a run that is killed would leave the originals there. A member that cannot be used has
a ``fault``; so has the archive itself, as the last entry, where it is damaged or breaks a limit.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self, cast

from taciturn.formats.base import Budget, FormatError, LimitError, Limits
from taciturn.formats.package import read_member

__all__ = ["Entry", "archive_kind", "entries", "inner_name"]

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
_HEADER = 512
_LONGEST_PART, _LONGEST_NAME = 240, 1000  # bytes of a name; file systems take 255 and some 4,000 with the folder


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of an archive under the name it will have, or why there is none."""

    name: str
    data: bytes = field(default=b"", repr=False)
    fault: str = ""


def archive_kind(source: Path | bytes) -> str:
    """``zip`` or ``tar`` if a file is an archive of files, else nothing: a Word document is a zip, but one file.

    >>> archive_kind(b"PK\\x05\\x06" + bytes(18)), archive_kind(b"A text.")
    ('zip', '')
    """
    try:
        with _open(source) as packed:
            start = packed.read(_HEADER)
            if start.startswith(_ZIP):
                with zipfile.ZipFile(packed) as archive:
                    names = set(archive.namelist())
                return "" if "[Content_Types].xml" in names or "mimetype" in names else "zip"
            if start.startswith(_COMPRESSED):
                packed.seek(0)
                start = _expanded(packed).read(_HEADER)
            return "tar" if _is_header(start) else ""
    except (OSError, EOFError, ValueError, NotImplementedError, zlib.error, lzma.LZMAError, zipfile.BadZipFile):
        return ""  # unreadable or damaged: whoever reads it as a document says so


def entries(source: Path | bytes, name: str, limits: Limits) -> Iterator[Entry]:
    """The files of an archive, those of archives inside it included, in order.

    Hidden files and folders are left out. Names that lead out of the archive, links, devices and what stands there
    twice are faults. Members, expansion, ratio, size and depth are bounded by ``limits``; the first limit that is
    broken ends the archive.
    """
    yield from _entries(source, name, limits, Budget(limits.expanded), 1)


def _entries(source: Path | bytes, name: str, limits: Limits, budget: Budget, depth: int) -> Iterator[Entry]:
    read = _zip if archive_kind(source) == "zip" else _tar
    seen = _Names()
    try:
        for number, found in enumerate(read(source, name, limits, budget), 1):
            if number > limits.members:
                raise LimitError(f"{name!r} has more than {limits.members:,} members (Limits.members)")
            inside, fault = inner_name(found.name)
            if not fault and any(part.startswith(".") for part in inside.split("/")):
                continue
            whole = f"{name}/{inside}"
            fault = fault or found.fault or seen.fault(inside)
            if fault:
                yield Entry(whole, fault=fault)
            elif not archive_kind(found.data):
                yield Entry(whole, found.data)
            elif depth == limits.depth:
                yield Entry(whole, fault=f"it lies more than {limits.depth} archives deep; take it out")
            else:
                yield from _entries(found.data, whole, limits, budget, depth + 1)
    except LimitError as error:
        yield Entry(name, fault=f"{error}; or unpack it and name the folder. From there on nothing of it is released")
    except MemoryError:
        raise
    except Exception as error:
        # Whatever a reader trips over is damage. Its message may quote the archive.
        yield Entry(
            name, fault=f"the archive is damaged ({type(error).__name__}); from there on nothing of it is released"
        )


def _zip(source: Path | bytes, name: str, limits: Limits, budget: Budget) -> Iterator[Entry]:
    with _open(source) as packed, zipfile.ZipFile(packed) as archive:
        if len(archive.infolist()) > limits.members:
            raise LimitError(f"{name!r} has more than {limits.members:,} members (Limits.members)")
        for info in archive.infolist():
            if info.is_dir():
                continue
            if (info.external_attr >> 16) & 0o170000 == 0o120000:
                yield Entry(info.filename, fault="it is a link, which is not followed")
                continue
            try:
                yield Entry(info.filename, read_member(archive, info, name, limits, budget))
            except LimitError:
                raise
            except FormatError as error:
                yield Entry(info.filename, fault=str(error))


class _Strict(tarfile.TarInfo):
    """A header of an archive; one that is no header is damage, which the library takes for the end."""

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile)
        except _END:
            raise
        except _NO_HEADER as error:
            raise FormatError("the archive is cut off, or a header in it is damaged") from error


# Named here, for the method's parameter has the name of the module, as in the library.
_END, _NO_HEADER = tarfile.EOFHeaderError, tarfile.HeaderError  # type: ignore[attr-defined]


def _tar(source: Path | bytes, name: str, limits: Limits, budget: Budget) -> Iterator[Entry]:
    with _open(source) as packed:
        is_packed = packed.read(8).startswith(_COMPRESSED)
        packed.seek(0)
        stream = _Guarded(_expanded(packed), packed, name, limits, budget) if is_packed else packed
        # "r|": strictly forward, so that a compressed archive is expanded once.
        with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|", tarinfo=_Strict) as archive:
            for info in archive:
                if info.isdir():
                    continue
                if not info.isreg() or info.issparse():
                    yield Entry(info.name, fault="it is a link, a device or a sparse file, which is not followed")
                elif info.size > limits.size:
                    yield Entry(info.name, fault=f"it has {info.size:,} bytes, the limit is {limits.size:,}")
                else:
                    file = archive.extractfile(info)
                    data = file.read() if file else b""
                    if len(data) != info.size:
                        raise FormatError("the archive is cut off")
                    yield Entry(info.name, data)


class _Guarded:
    """A stream that is expanded as it is read, and stops where it grows beyond the limits."""

    def __init__(self, expanded: IO[bytes], packed: IO[bytes], name: str, limits: Limits, budget: Budget) -> None:
        self._expanded, self._packed = expanded, packed
        self._name, self._limits, self._budget = name, limits, budget
        self._given = 0

    def read(self, size: int) -> bytes:
        data = self._expanded.read(size)
        self._given += len(data)
        if self._given > max(self._limits.ratio * self._packed.tell(), 2**20):
            raise LimitError(f"{self._name!r} expands more than {self._limits.ratio}-fold (Limits.ratio)")
        self._budget.spend(len(data), self._name)
        return data


def _open(source: Path | bytes) -> IO[bytes]:
    return io.BytesIO(source) if isinstance(source, bytes) else open(source, "rb")


def _expanded(packed: IO[bytes]) -> IO[bytes]:
    """What a compressed file holds, as a stream."""
    start = packed.read(8)
    packed.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=packed)  # type: ignore[return-value]
    return bz2.BZ2File(packed) if start.startswith(b"BZh") else lzma.LZMAFile(packed)


def _is_header(block: bytes) -> bool:
    """Is this the first block of a tar archive? Its checksum says so."""
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def inner_name(given: str) -> tuple[str, str]:
    """The name of a member inside the archive, and what is wrong with it."""
    shown = given.encode("utf-8", "backslashreplace").decode()
    parts = [part for part in given.replace("\\", "/").split("/") if part not in ("", ".")]
    if given.startswith(("/", "\\")) or ".." in parts or not parts or ":" in parts[0]:
        return shown, "its name leads out of the archive; rename it"
    name = "/".join(parts)
    if shown != given or not name.isprintable():
        return shown, "its name has characters that are none; rename it"
    if len(name.encode()) > _LONGEST_NAME or any(len(part.encode()) > _LONGEST_PART for part in parts):
        return shown, "its name is too long; rename it"
    return name, ""


class _Names:
    """The names given so far: no file twice, and no file where another has a folder."""

    def __init__(self) -> None:
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def fault(self, name: str) -> str:
        """What is wrong with one more name, if anything; else it is taken."""
        parts = name.split("/")
        above = {"/".join(parts[:i]) for i in range(1, len(parts))}
        if name in self._files or name in self._folders or above & self._files:
            return "the archive holds a file of this name, or one where its folder should be, already; rename it"
        self._files.add(name)
        self._folders |= above
        return ""
