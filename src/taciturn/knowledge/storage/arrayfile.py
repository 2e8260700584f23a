"""One file of named arrays, opened by memory map: what every binary part of a pack is made of.

The file is a magic word, a header (JSON, with its own checksum) and the arrays, each aligned to 64 bytes with a CRC-32
of its own. Opening reads the header only; an array is checked the first time it is asked for, so a damaged file gives
an error and never a wrong figure, and an untouched array costs nothing.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Mapping
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.errors import KnowledgeError

__all__ = ["ArrayFile", "DamagedFileError", "is_array_file", "write_arrays"]

_MAGIC = b"TACITARR"
_VERSION = 1
_START = len(_MAGIC) + 12  # the magic word, then version, header length and header checksum, four bytes each
_ALIGN = 64


class DamagedFileError(KnowledgeError, ValueError):
    """A file that is not what it says it is: cut short, changed, foreign, or of another version."""


def write_arrays(path: Path, kind: str, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write arrays to a file, whole or not at all, and return the digest of what they say.

    The same arrays and ``meta`` give the same bytes. ``kind`` says what the file is ("taxonomy").
    """
    plain = {name: np.ascontiguousarray(_little_endian(array)) for name, array in sorted(arrays.items())}
    entries: dict[str, Any] = {}
    digest = sha256(json.dumps([kind, dict(meta)], sort_keys=True, ensure_ascii=False).encode())
    offset = 0
    for name, array in plain.items():
        data = array.tobytes()
        digest.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(data)
        entries[name] = [array.dtype.str, list(array.shape), offset, zlib.crc32(data)]
        offset += -(-len(data) // _ALIGN) * _ALIGN
    head = {"kind": kind, "meta": dict(meta), "digest": digest.hexdigest(), "arrays": entries, "size": offset}
    header = json.dumps(head, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    header += b" " * (-(_START + len(header)) % _ALIGN)
    words = np.array([_VERSION, len(header), zlib.crc32(header)], dtype="<u4").tobytes()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(temporary, "wb") as file:
            file.write(_MAGIC + words + header)
            for array in plain.values():
                data = array.tobytes()
                file.write(data + b"\0" * (-len(data) % _ALIGN))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return str(head["digest"])


def _little_endian(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def is_array_file(path: Path) -> bool:
    """Does a file begin as :func:`write_arrays` begins one?"""
    with open(path, "rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


class ArrayFile:
    """Named arrays in a memory-mapped file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_arrays(Path(folder, "a.bin"), "example", {"note": 1}, {"x": np.arange(3)})
    ...     ArrayFile(Path(folder, "a.bin"), "example")["x"].tolist()
    [0, 1, 2]
    """

    def __init__(self, path: Path, kind: str) -> None:
        self.path = path
        with open(path, "rb") as file:
            start = file.read(_START)
            if start[: len(_MAGIC)] != _MAGIC or len(start) < _START:
                raise DamagedFileError(
                    f"{path} is not a knowledge file of Taciturn; name a file that Taciturn has built"
                )
            version, length, checksum = (int(n) for n in np.frombuffer(start[len(_MAGIC) :], dtype="<u4"))
            if version != _VERSION:
                raise DamagedFileError(
                    f"{path} has format version {version}, this Taciturn reads version {_VERSION}; "
                    "build it again with the Taciturn that is to read it"
                )
            header = file.read(length)
            if zlib.crc32(header) != checksum:
                raise self._damaged("its header")
            head = json.loads(header)
            if head["kind"] != kind:
                raise DamagedFileError(f"{path} holds a {head['kind']}, not a {kind}")
            if os.fstat(file.fileno()).st_size != _START + length + head["size"]:
                raise self._damaged("its length")
            self.meta: dict[str, Any] = head["meta"]
            self.digest: str = head["digest"]
            self._entries: dict[str, Any] = head["arrays"]
            self._base = _START + length
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._checked: dict[str, NDArray[Any]] = {}

    def _damaged(self, part: str) -> DamagedFileError:
        return DamagedFileError(f"{self.path} is damaged ({part} is not as written); build or copy it again")

    def __getitem__(self, name: str) -> NDArray[Any]:
        """An array, read-only, checked at the first time of asking."""
        if name not in self._checked:
            if name not in self._entries:
                raise DamagedFileError(f"{self.path} holds no {name!r}; build it again with this Taciturn")
            dtype, shape, offset, checksum = self._entries[name]
            size = prod(shape) * np.dtype(dtype).itemsize
            at = self._base + offset
            if zlib.crc32(memoryview(self._map)[at : at + size]) != checksum:
                raise self._damaged(repr(name))
            flat = np.frombuffer(self._map, dtype=dtype, count=prod(shape), offset=at)
            self._checked[name] = flat.reshape(shape)
        return self._checked[name]

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def verify(self) -> None:
        """Read everything; raise :class:`DamagedFileError` at the first part that is not as written."""
        for name in sorted(self._entries):
            self[name]
