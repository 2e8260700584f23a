"""JSON and JSON lines: the leaves are read by their path; spaces, order and numbers outside edits stay as they were.

Strings and numbers are passages (an edited number becomes a string). A key is a passage if it is no identifier
("Antonio Banderas", but not "patient_name"). All other keys are titles: they stay, unless they hold a name that was
removed, or what is protected.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import NamedTuple

from taciturn.formats.base import Content, Context, FormatError, LimitError, Passage, Rewrite, RowSource, Slot, fill
from taciturn.formats.detect import detect
from taciturn.formats.leak.json import texts
from taciturn.formats.stored import Stored
from taciturn.formats.sweep import Sweeper
from taciturn.formats.table import no_column
from taciturn.formats.template import Hole, splice
from taciturn.formats.text import decode, decoded

__all__ = ["read", "rows"]

# In valid JSON a string before a colon is a key, whatever stands around it.
_TOKEN = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|-?\d[\d.eE+-]*|[{}\[\],]|[a-zA-Z]+', re.S)
_IDENTIFIER = re.compile(r"[A-Za-z_$@][A-Za-z0-9_$@.:/-]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    path: str
    key: bool
    container: int


def _plain(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def _tokens(source: str, start: int, end: int, nesting: int) -> Iterator[_Token]:
    """Strings, numbers and keys with their paths. The source is valid JSON, so a stack of two kinds is enough."""
    stack: list[tuple[str, int | None, int]] = []  # path of the container, next index or None, number of the container
    path, containers = "", 0
    for match in _TOKEN.finditer(source, start, end):
        token = match.group()
        if token in "{[":
            stack.append((path, 0 if token == "[" else None, containers))
            containers += 1
            if len(stack) > nesting:
                raise LimitError(f"the JSON is nested more than {nesting} deep; flatten it, or raise Limits.nesting")
            if token == "[":
                path = f"{path}[0]"
        elif token in "}]":
            path = stack.pop()[0]
        elif token == ",":
            parent, index, number = stack[-1]
            if index is not None:
                stack[-1] = (parent, index + 1, number)
                path = f"{parent}[{index + 1}]"
        elif match[2]:
            text = _plain(json.loads(match[1]))
            parent, _, number = stack[-1]
            path = f"{parent}.{text}" if parent else text
            yield _Token(match.start(1), match.end(1), text, path, True, number)
        elif match[1]:
            yield _Token(match.start(), match.end(), _plain(json.loads(token)), path, False, -1)
        elif token[0] in "-0123456789":
            yield _Token(match.start(), match.end(), token, path, False, -1)


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The tokens of JSON: where they stand, which are read, which are only swept, and the keys by their objects."""

    holes: list[Hole] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    swept: dict[int, str] = field(default_factory=dict)
    keys: dict[int, tuple[int, str]] = field(default_factory=dict)

    def add(self, source: str, start: int, end: int, context: Context, before: str = "") -> None:
        """Take in the tokens of a stretch of source; ``before`` goes before their places."""
        encode = partial(_encode, ascii_only=source.isascii())
        chosen = context.options.chosen
        for token in _tokens(source, start, end, context.options.limits.nesting):
            place = f"{before}{token.path or 'value'}"
            hole = len(self.holes)
            self.holes.append(Hole(token.start, token.end, encode))
            if token.key:
                self.keys[hole] = (start * 2**20 + token.container, token.text)
                if _IDENTIFIER.fullmatch(token.text):
                    continue
                place = f"key {place}"
            elif chosen is not None and not any(_is_in(token.path, column) for column in chosen):
                self.swept[hole] = token.text
                continue
            if token.text.strip():
                self.passages.append(Passage(place, (Slot(token.text, hole),)))


def _is_in(path: str, column: str) -> bool:
    return path == column or path.startswith((f"{column}.", f"{column}["))


def read(data: bytes, name: str, context: Context) -> Content:
    """The leaves of a JSON file, or of each line of a JSON lines file."""
    source, mark = decode(data, name)
    is_lines = detect(data, name) == "jsonl"
    leaves = _Leaves()
    at = 0
    for number, line in enumerate(re.split(r"(?<=\n)", source) if is_lines else [source], 1):
        if line.strip():
            _validate(line, name, number if is_lines else 0, context.options.limits.nesting)
        leaves.add(source, at, at + len(line), context, f"line {number}: " if is_lines else "")
        at += len(line)
    form = "jsonl" if is_lines else "json"
    return Content(form, tuple(leaves.passages), partial(_write, source, mark, leaves))


def rows(stored: Stored, name: str, context: Context) -> RowSource:
    """The lines of a JSON lines file, one at a time, each a document. No more than a line and a piece is in memory."""
    known = context.options.named
    if known:
        first = islice(_lines(decoded(stored.pieces(), name)), 1000)
        titles = {t.text for line in first for t in _top_keys(line, context)}
        for title in known:
            if title not in titles:
                raise no_column(name, title, titles)

    def each() -> Iterator[tuple[int, Content | bytes]]:
        for number, line in enumerate(_lines(decoded(stored.pieces(), name)), 1):
            if not line.strip():
                yield number, line.encode("utf-8")
                continue
            _validate(line, name, number, context.options.limits.nesting)
            leaves = _Leaves()
            leaves.add(line, 0, len(line), context)
            write = partial(_write, line, b"", leaves)
            yield number, Content("jsonl", tuple(leaves.passages), write, extract=partial(texts, name=name))

    def assemble(sweeper: Sweeper, written: Iterable[bytes]) -> Iterator[bytes]:
        yield BOM_UTF8 if stored.head(3) == BOM_UTF8 else b""
        yield from written

    return RowSource((), each, assemble)


def _lines(pieces: Iterable[str]) -> Iterator[str]:
    """The lines of a text that comes in pieces, with their ends. Only a line feed ends one.

    >>> list(_lines(["a\\nb", "c\\rd\\n", "e"]))
    ['a\\n', 'bc\\rd\\n', 'e']
    """
    held: list[str] = []
    for piece in pieces:
        first, *others = piece.split("\n")
        held.append(first)
        for text in others:
            yield "".join((*held, "\n"))
            held = [text]
    if rest := "".join(held):
        yield rest


def _top_keys(line: str, context: Context) -> Iterator[_Token]:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return  # whoever reads the line says so
    yield from (t for t in _tokens(line, 0, len(line), context.options.limits.nesting) if t.key and t.path == t.text)


def _validate(line: str, name: str, number: int, nesting: int) -> None:
    where = f" in line {number}" if number else ""
    try:
        json.loads(line)
    except RecursionError:
        raise LimitError(f"{name!r} is nested more than {nesting} deep{where}; flatten it first") from None
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{name!r} is not valid JSON{where} (column {error.colno}: {error.msg}); mend it, or name it .txt"
        ) from None
    except ValueError as error:
        raise FormatError(
            f"{name!r} holds a number that cannot be read{where} ({error}); write it as a string"
        ) from None


def _encode(text: str, *, ascii_only: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii_only)


def _write(source: str, mark: bytes, leaves: _Leaves, rewrite: Rewrite) -> bytes:
    filled, sweeper = fill(leaves.passages, rewrite.changes), rewrite.sweeper
    filled |= {hole: sweeper.clean(text) for hole, text in leaves.swept.items() if sweeper.hits(text)}
    for hole, (_, text) in leaves.keys.items():
        if hole not in filled and sweeper.hits(text, title=True):
            filled[hole] = sweeper.clean(text, title=True)
    _keep_distinct(filled, leaves.keys)
    return mark + splice(source, leaves.holes, filled).encode("utf-8")


def _keep_distinct(filled: dict[int, str], keys: dict[int, tuple[int, str]]) -> None:
    """Two keys of one object that became the same get a number, so that no value is lost."""
    taken = {(where, text) for hole, (where, text) in keys.items() if hole not in filled}
    for hole, (where, _) in keys.items():
        if hole in filled:
            new, count = filled[hole], 1
            while (where, filled[hole]) in taken:
                count += 1
                filled[hole] = f"{new} {count}"
            taken.add((where, filled[hole]))
