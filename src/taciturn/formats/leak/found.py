"""What the extractors of the leak check yield."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["BREAK", "Found", "Inside", "raw"]

BREAK = "\n" * 6
"""What extractors put between texts that a reader sees apart: wider than any gap a match may bridge."""


class Found(NamedTuple):
    """A text that an extractor found. In ``structure`` (raw bytes, sources) a word of a removed string or a short
    number is no leak: such places hold those in every file. A ``title`` (of a column, a key) may hold a word that was
    removed from a text, and no name."""

    where: str
    way: str
    text: str
    structure: bool = False
    title: bool = False


class Inside(NamedTuple):
    """A file that an extractor found inside a file. It is read by its own format; if that is none that can be read,
    ``unread`` is searched instead. What is found in it is said to be at ``where``."""

    where: str
    data: bytes
    name: str
    unread: tuple[Found, ...] = ()


def raw(data: bytes, where: str = "bytes") -> Iterator[Found]:
    """The bytes as they are, read as UTF-8 and as UTF-16 of both kinds."""
    yield Found(where, "raw", data.decode("utf-8", errors="replace"), structure=True)
    if b"\0" in data:
        yield Found(where, "raw UTF-16", data.decode("utf-16-le", errors="replace"), structure=True)
        yield Found(where, "raw UTF-16", data.decode("utf-16-be", errors="replace"), structure=True)
        yield Found(where, "raw UTF-16", data[1:].decode("utf-16-le", errors="replace"), structure=True)
        yield Found(where, "raw UTF-16", data[1:].decode("utf-16-be", errors="replace"), structure=True)
