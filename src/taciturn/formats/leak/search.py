"""Extract all texts from a file, by every extractor, and search them for what was removed."""

from __future__ import annotations

import html
import importlib
import re
from collections.abc import Iterable, Iterator, Sequence

from taciturn.formats.base import FormatError, Leak, LimitError, Watch, unwatched
from taciturn.formats.detect import detect
from taciturn.formats.leak.found import BREAK, Found, Inside, raw
from taciturn.formats.sweep import Matcher, Removed, is_specific
from taciturn.registry import formats

__all__ = ["DeepError", "search", "texts"]

_DEEPEST = 8
"""Files in files, at most."""

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_EXTRACTORS = {
    "html": "markup",
    "mail": "mail",
    "docx": "archive",
    "pptx": "archive",
    "xlsx": "archive",
    "odt": "archive",
    "zip": "archive",
    "rtf": "rtf",
    "pdf": "pdf",
    "parquet": "parquet",
    "csv": "table",
    "json": "json",
    "jsonl": "json",
}


class DeepError(LimitError):
    """Files lie in files too deep to be searched."""


def texts(data: bytes, name: str, depth: int = 0) -> Iterator[Found]:
    """Everything that any way of reading finds in a file, and in the files inside it."""
    form = detect(data, name)
    if form in _EXTRACTORS:
        module = importlib.import_module(f"taciturn.formats.leak.{_EXTRACTORS[form]}")
        for item in module.texts(data, name):
            if isinstance(item, Inside):
                yield from _inside(item, depth + 1)
            else:
                yield item
    elif form in formats:
        yield from (Found(where, form, text) for where, text in formats[form].texts(data, name))
        yield from raw(data)
    else:
        text = data.decode("utf-8", errors="replace")
        if form == "markdown":
            # A backslash before a mark is not read; with it "Antonio \\* Banderas" would be another spelling.
            yield Found("text", "marks cut", _without_marks(text))
            text = _ESCAPE.sub(r"\1", text)
        yield Found("text", "decoded", text)
        if text.lstrip()[:8].upper().startswith("BEGIN:V"):
            # Folded lines of a calendar or an address card.
            flat = re.sub(r"\r?\n[ \t]", "", text)
            yield Found("text", "unfolded", re.sub(r"\\[nN]", BREAK, flat))


def _without_marks(markdown: str) -> str:
    """Markdown as a program shows it, near enough: no marks of quotations, emphasis and tags, no entities, and words
    whole that were broken at a line's end.

    >>> _without_marks("> **Kowal**-\\n> &#99;zyk")
    'Kowalczyk'
    """
    bare = re.sub(r"(?m)^[ \t]*(?:>[ \t]?)+", "", markdown)
    bare = re.sub(r"(?<=\w)[*_`~]+|(?<![\\*_`~])[*_`~]+(?=\w)|<!--.*?-->|</?[A-Za-z][^<>\n]*>", "", bare, flags=re.S)
    bare = re.sub(r"[-\u00ad\u2010]\r?\n[ \t]*", "", html.unescape(bare))
    return _ESCAPE.sub(r"\1", bare)


def _inside(file: Inside, depth: int) -> Iterator[Found]:
    if depth > _DEEPEST:
        raise DeepError(f"{file.name!r} lies in files in files too deep to be checked; take it out first")
    try:
        for found in texts(file.data, file.name, depth):
            yield found._replace(where=f"{file.where}: {found.where}")
    except DeepError:
        raise
    except FormatError:
        yield from file.unread


def search(released: bytes, gone: Sequence[Removed], name: str = "", watch: Watch = unwatched) -> list[Leak]:
    """Every (string, place) found once, in the order found."""
    return match(texts(released, name), gone, watch) if released and (gone or watch is not unwatched) else []


def match(found: Iterable[Found], gone: Sequence[Removed], watch: Watch = unwatched) -> list[Leak]:
    whole = [r for r in gone if not r.part and is_specific(r.text)]
    everywhere, specific, names = Matcher.of(gone), Matcher.of(whole), Matcher.of(r for r in gone if r.name)
    leaks: dict[tuple[str, str], Leak] = {}
    seen: set[str] = set()
    for item in found:
        matcher = specific if item.structure else names if item.title else everywhere
        for number in sorted(matcher.present(item.text)):
            leaks.setdefault((matcher.strings[number], item.where), Leak(matcher.strings[number], item.where, item.way))
        # Bytes and sources hold any three letters by chance; every text of them is found by itself as well.
        if not item.structure and item.text not in seen:
            seen.add(item.text)
            for start, end in watch(item.text):
                text = item.text[start:end]
                leaks.setdefault((text, item.where), Leak(text, item.where, f"second reader, {item.way}"))
    return list(leaks.values())
