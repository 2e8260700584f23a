"""Extract by every way there is, and match."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tacit.formats.base import FormatError, Leak
from tacit.formats.registry import detect
from tacit.formats.sweep import Matcher, Removed, is_specific

__all__ = ["BREAK", "Found", "raw", "search", "texts"]


_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
BREAK = "\n" * 6
"""What extractors put between texts that a reader sees apart: wider than any gap a match may bridge."""


class Found(NamedTuple):
    """A text that an extractor found. In ``structure`` (raw bytes, keys, style sheets) a word of a removed string or a
    short number is no leak: such places hold those in every file."""

    where: str
    way: str
    text: str
    structure: bool = False


_EXTRACTORS = {
    "html": "markup",
    "mail": "mail",
    "docx": "archive",
    "odt": "archive",
    "pdf": "pdf",
    "parquet": "parquet",
    "csv": "table",
    "json": "leaves",
    "jsonl": "leaves",
}


def texts(data: bytes, name: str, depth: int = 0) -> Iterator[Found]:
    """Everything that any way of reading finds in a file."""
    if depth > 8:
        raise FormatError(f"{name!r} holds files in files too deep to be checked")
    form = detect(data, name)
    if form in _EXTRACTORS:
        module = importlib.import_module(f"tacit.formats.leak.{_EXTRACTORS[form]}")
        yield from module.texts(data, name, depth)
    else:
        text = data.decode("utf-8", errors="replace")
        if form == "markdown":
            # A backslash before a mark is not read; with it "Antonio \\* Banderas" would be another spelling.
            text = _ESCAPE.sub(r"\1", text)
        yield Found("text", "decoded", text)


def raw(data: bytes, where: str = "bytes") -> Iterator[Found]:
    """The bytes as they are, read as UTF-8 and as UTF-16 of both kinds."""
    yield Found(where, "raw", data.decode("utf-8", errors="replace"), structure=True)
    if b"\0" in data:
        yield Found(where, "raw UTF-16", data.decode("utf-16-le", errors="replace"), structure=True)
        yield Found(where, "raw UTF-16", data.decode("utf-16-be", errors="replace"), structure=True)
        yield Found(where, "raw UTF-16", data[1:].decode("utf-16-le", errors="replace"), structure=True)
        yield Found(where, "raw UTF-16", data[1:].decode("utf-16-be", errors="replace"), structure=True)


def search(released: bytes, gone: Sequence[Removed], name: str = "") -> list[Leak]:
    """Every (string, place) found once, in the order found."""
    return match(texts(released, name), gone) if gone and released else []


def match(found: Iterable[Found], gone: Sequence[Removed]) -> list[Leak]:
    whole = [r for r in gone if not r.part and is_specific(r.text)]
    everywhere, specific = Matcher.of(gone), Matcher.of(whole)
    leaks: dict[tuple[str, str], Leak] = {}
    for item in found:
        matcher = specific if item.structure else everywhere
        for number in sorted(matcher.present(item.text)):
            leaks.setdefault((matcher.strings[number], item.where), Leak(matcher.strings[number], item.where, item.way))
    return list(leaks.values())
