"""File formats that others bring: how to know a file, read it, write it, and search what was written.

A format is registered under its name, by an entry point of the group ``taciturn.formats`` or with
``taciturn.registry.formats.register``. It is asked for files whose ending is none of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from taciturn.formats.base import Content, Context
from taciturn.registry import formats

__all__ = ["Format", "plugin_format"]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    ``suffixes``: the endings of its files, with the dot. ``recognizes``: whether bytes are of this format, for files
    without an ending. ``read`` gives the passages and the function that writes them with their changes. ``texts`` is
    the leak check's own reader: (place, text) for everything that a reader finds in released bytes; it shares no code
    with ``read``. The bytes themselves are searched as well. ``errors`` are what a parser raises for damaged files.

    >>> Format(suffixes=(".ini",), read=lambda data, name, context: None, texts=lambda data, name: []).suffixes
    ('.ini',)
    """

    suffixes: tuple[str, ...]
    read: Callable[[bytes, str, Context], Content]
    texts: Callable[[bytes, str], Iterable[tuple[str, str]]]
    recognizes: Callable[[bytes], bool] = lambda data: False
    errors: tuple[type[Exception], ...] = ()


def plugin_format(data: bytes, suffix: str) -> str | None:
    """The name of the plug-in's format that a file is in: by its ending if it has one, else by its content."""
    for name in formats.names():
        found: Format = formats[name]
        if suffix in found.suffixes if suffix else found.recognizes(data):
            return name
    return None
