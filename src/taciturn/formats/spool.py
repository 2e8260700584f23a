"""Pieces of a release that wait to be put together: in memory, or in a file where they are too many for it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Spool", "pieces_at"]

_LENGTH = 8  # bytes before a piece in the file


class Spool:
    """Pieces of bytes, kept in their order. With a ``folder`` they are in a file there that only its owner may read.

    >>> spool = Spool()
    >>> spool.add(b"a")
    >>> spool.add(b"bc")
    >>> list(spool), spool.size
    ([b'a', b'bc'], 3)
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.size = 0
        self.path = folder / f"{secrets.token_hex(8)}.taciturn" if folder is not None else None
        self._kept: list[bytes] = []
        self._file = None
        if self.path is not None:
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            self._file = os.fdopen(handle, "wb")

    def add(self, piece: bytes) -> None:
        """Keep a piece."""
        self.size += len(piece)
        if self._file is None:
            self._kept.append(piece)
        else:
            self._file.write(len(piece).to_bytes(_LENGTH, "little") + piece)

    def __iter__(self) -> Iterator[bytes]:
        if self.path is None or self._file is None:
            return iter(self._kept)
        self._file.flush()
        return pieces_at(self.path)

    def remove(self) -> None:
        """Forget all pieces."""
        self._kept = []
        if self.path is not None and self._file is not None:
            self._file.close()
            self.path.unlink(missing_ok=True)


def pieces_at(path: Path) -> Iterator[bytes]:
    """The pieces in the file of a spool, which may have been written by another process."""
    with path.open("rb") as file:
        while head := file.read(_LENGTH):
            yield file.read(int.from_bytes(head, "little"))
