"""JSON and JSON lines: the leaves are read by their path; spaces, order and numbers outside edits stay as they were.

Strings and numbers are passages (an edited number becomes a string). A key is a passage if it is no identifier
("Antonio Banderas", but not "patient_name"); all other keys are swept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from tacit.formats.base import Content, Context, FormatError, LimitError, Passage, Rewrite, Slot, fill
from tacit.formats.registry import detect
from tacit.formats.splice import Hole, splice
from tacit.formats.text import decode

__all__ = ["read"]

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


def read(data: bytes, name: str, context: Context) -> Content:
    """The leaves of a JSON file, or of each line of a JSON lines file."""
    source, mark = decode(data, name)
    nesting = context.options.limits.nesting
    lines = detect(data, name) == "jsonl"
    holes: list[Hole] = []
    passages: list[Passage] = []
    keys: dict[int, tuple[int, str]] = {}
    encode = partial(_encode, ascii_only=source.isascii())
    at = 0
    for number, line in enumerate(re.split(r"(?<=\n)", source) if lines else [source], 1):
        if line.strip():
            _validate(line, name, number if lines else 0, nesting)
        for token in _tokens(source, at, at + len(line), nesting):
            place = (token.path or "value") if not lines else f"line {number}: {token.path or 'value'}"
            hole = len(holes)
            holes.append(Hole(token.start, token.end, encode))
            if token.key:
                keys[hole] = (at * 2**20 + token.container, token.text)
                if _IDENTIFIER.fullmatch(token.text):
                    continue
                place = f"key {place}"
            if token.text.strip():
                passages.append(Passage(place, (Slot(token.text, hole),)))
        at += len(line)
    form = "jsonl" if lines else "json"
    return Content(form, tuple(passages), partial(_write, source, mark, holes, tuple(passages), keys))


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


def _write(
    source: str,
    mark: bytes,
    holes: list[Hole],
    passages: tuple[Passage, ...],
    keys: dict[int, tuple[int, str]],
    rewrite: Rewrite,
) -> bytes:
    filled = fill(passages, rewrite.changes)
    for hole, (_, text) in keys.items():
        if hole not in filled and rewrite.sweeper.hits(text):
            filled[hole] = rewrite.sweeper.clean(text)
    _keep_distinct(filled, keys)
    return mark + splice(source, holes, filled).encode("utf-8")


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
