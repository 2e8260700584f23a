"""The bytes of a file, in memory or on the disc, taken in pieces: a large table is never in memory as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from taciturn.errors import FormatError

__all__ = ["PIECE", "Stored"]

PIECE = 1 << 16
"""Bytes of a piece."""


class Stored:
    """Bytes, or the file at a path. ``taken`` is how many bytes the last reading has taken so far.

    >>> stored = Stored(b"id,note\\n1,Well.\\n")
    >>> stored.size, stored.head(2), b"".join(stored.pieces())
    (16, b'id', b'id,note\\n1,Well.\\n')
    """

    def __init__(self, data: bytes | Path) -> None:
        self.data = data
        self.taken = 0
        self._state = None if isinstance(data, bytes) else _state(data)
        self.size = len(data) if isinstance(data, bytes) else self._state[0] if self._state else 0

    def head(self, size: int) -> bytes:
        """The first bytes."""
        if isinstance(self.data, bytes):
            return self.data[:size]
        with self.data.open("rb") as file:
            return file.read(size)

    def pieces(self) -> Iterator[bytes]:
        """All bytes, a piece at a time. A file that changes between two readings is refused."""
        self.taken = 0
        if isinstance(self.data, bytes):
            for at in range(0, len(self.data), PIECE):
                self.taken = at
                yield self.data[at : at + PIECE]
            return
        with self.data.open("rb") as file:
            while piece := file.read(PIECE):
                self.taken += len(piece)
                yield piece
        if _state(self.data) != self._state:
            raise FormatError(f"{str(self.data)!r} was written to while it was read; try again when it is at rest")

    def whole(self) -> bytes:
        """All bytes at once."""
        return b"".join(self.pieces())


def _state(path: Path) -> tuple[int, int]:
    """By which a change of a file is noticed: its size and its time."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise FormatError(f"{str(path)!r} cannot be read: {error.strerror}; check the path") from error
    return found.st_size, found.st_mtime_ns
