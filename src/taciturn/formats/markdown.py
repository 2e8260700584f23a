"""Markdown: markers are cut out of the source, so "**Anto**nio" reads as one name and keeps its stars.

A passage is a block: a heading, a paragraph, a list item, a table row's cell, a code block, a line of front matter.
What is in no passage (addresses of links, tags, the words after a code fence) is swept; comments are dropped.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import partial

from taciturn.formats.base import Content, Context, Passage, Rewrite, Slot, fill, passage
from taciturn.formats.sweep import Sweeper
from taciturn.formats.template import Hole, pieces
from taciturn.formats.text import decode

__all__ = ["read"]

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_PREFIX = re.compile(
    r"(?:[ \t]*(?:>|[-+*][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+|\[\^[^\]\n]+\]:[ \t]*|:[ \t]+))*[ \t]*"
    r"(?:#{1,6}[ \t]+)?"
)
_NEW_BLOCK = re.compile(r"[ \t]*(?:>[ \t]*)*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\[\^|:[ \t])")
_RULE = re.compile(r"[ \t>]*(?:(?:[-*_][ \t]*){3,}|=+|-+)[ \t]*")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_REFERENCE = re.compile(r" {0,3}\[[^\]^\n][^\]\n]*\]:")
_MARKER = re.compile(
    r"""(?P<escape>\\[!-/:-@\[-`{-~])
      | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
      | (?P<cut>`+|\*+|~~|(?<!\w)_+|_+(?!\w)|!\[|\[
          | \]\([ \t]*(?:<[^<>\n]*>|(?:[^()\s<]|\([^()\s]*\))*)(?:[ \t\n]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*\)
          | \]\[[^\]\n]*\] | \]
          | </?[A-Za-z][^<>\n]*> )
      | (?P<line>[ \t]*\\?\r?\n)""",
    re.X,
)

_MARKS_END, _MARKS_START = re.compile(r"(?:\*+|_+|~~|`+)\Z"), re.compile(r"\*+|_+|~~|`+")


def read(data: bytes, name: str, context: Context) -> Content:
    """The blocks of a Markdown file."""
    source, mark = decode(data, name)
    holes: list[Hole] = []
    passages: list[Passage] = []
    for place, shown in _blocks(source):
        slots = []
        for start, end, text in shown:
            slots.append(Slot(text, len(holes)))
            following = source[end : end + 1]
            if place == "code" or source[start - 1 : start] == "`" == following:
                holes.append(Hole(start, end, str))  # in code an escape would show
            else:
                holes.append(Hole(start, end, partial(_encode, following=following, table=place == "table")))
        made = passage(place, slots)
        if made:
            passages.append(made)
        else:
            del holes[len(holes) - len(slots) :]
    dropped = ("comments",) if _COMMENT.search(source) else ()
    return Content("markdown", tuple(passages), partial(_write, source, mark, holes, tuple(passages)), dropped)


Piece = tuple[int, int, str]


def _blocks(source: str) -> Iterator[tuple[str, list[Piece]]]:
    comments = [m.span() for m in _COMMENT.finditer(source)]
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]*\n|[^\n]+\Z", source)]
    tables = _tables(source, lines)
    number = 0
    if lines and source[slice(*lines[0])].rstrip() == "---":
        closing = next((i for i in range(1, len(lines)) if source[slice(*lines[i])].rstrip() in ("---", "...")), 0)
        for start, end in lines[1:closing]:
            value = re.match(r"[ \t]*(?:-[ \t]+|[\w.-]+:[ \t]*)*", source[start:end])
            assert value is not None
            yield "front matter", [(start + value.end(), end, source[start + value.end() : end])]
        number = closing + 1 if closing else 0
    block: list[Piece] = []
    place, ended = "text", 0
    while number < len(lines):
        start, end = lines[number]
        line = source[start:end]
        bare = line.rstrip("\r\n")
        fence = _FENCE.match(line)
        if fence:
            yield place, block
            block, place = [], "text"
            number += 1
            first = number
            while number < len(lines) and not re.match(
                rf" {{0,3}}{fence.group(1)[0]}{{{len(fence.group(1))},}}\s*\Z", source[slice(*lines[number])]
            ):
                number += 1
            if number > first:
                a, b = lines[first][0], lines[number - 1][1]
                yield "code", [(a, b, source[a:b])]
            number += 1
            continue
        table = number in tables
        alone = not bare.strip() or _RULE.fullmatch(bare) or _REFERENCE.match(line) or table
        if alone or (block and _NEW_BLOCK.match(line)):
            yield place, block
            block, place = [], "text"
        if table:
            if not _TABLE_RULE.fullmatch(bare):
                for cell in re.finditer(r"(?:\\.|[^|\\])+", bare):
                    yield "table", list(_inline(source, start + cell.start(), start + cell.end(), comments))
        elif _REFERENCE.match(line):
            title = re.search(r"""["'(]([^"'()\n]+)["')][ \t]*\r?\n?\Z""", line)
            if title:
                yield "link title", [(start + title.start(1), start + title.end(1), title.group(1))]
        elif not alone:
            prefix = _PREFIX.match(line)
            assert prefix is not None
            if block:
                # The line end and the marks of a quotation after it read as one space, but where a word is broken.
                block.append((ended, start + prefix.end(), "\n" if source[ended - 1] in "-\u2010" else " "))
            else:
                place = "heading" if "#" in prefix.group() else "text"
            ended = start + len(bare)
            block.extend(_inline(source, start + prefix.end(), ended, comments))
        number += 1
    yield place, block


def _tables(source: str, lines: list[tuple[int, int]]) -> set[int]:
    """The lines of tables: runs of lines with a bar, a row of dashes among them, from the row above it on."""
    found: set[int] = set()
    run: list[int] = []
    for number in range(len(lines) + 1):
        if number < len(lines) and "|" in source[slice(*lines[number])]:
            run.append(number)
            continue
        rules = [n for n in run if _TABLE_RULE.fullmatch(source[slice(*lines[n])].rstrip("\r\n"))]
        if rules:
            found.update(n for n in run if n >= rules[0] - 1)
        run = []
    return found


def _inline(source: str, start: int, end: int, comments: list[tuple[int, int]]) -> Iterator[Piece]:
    """The visible pieces of a stretch of source: comments and markers cut, escapes and entities undone."""
    number = max(bisect_right(comments, (start, start)) - 1, 0)
    at = start
    while number < len(comments) and comments[number][0] < end:
        a, b = comments[number]
        yield from _visible(source, at, max(a, at))
        at = max(at, b)
        number += 1
    yield from _visible(source, at, max(end, at))


def _visible(source: str, start: int, end: int) -> Iterator[Piece]:
    at = start
    for found in _MARKER.finditer(source, start, end):
        if at < found.start():
            yield at, found.start(), source[at : found.start()]
        at = found.end()
        if found["escape"]:
            yield found.start(), at, found.group()[1:]
        elif found["entity"]:
            yield found.start(), at, html.unescape(found.group())
        elif found["line"]:
            yield found.start(), at, " "
    if at < end:
        yield at, end, source[at:end]


def _encode(text: str, *, following: str, table: bool) -> str:
    made = re.sub(r"([*`<\\])", r"\\\1", text)
    if table:
        made = made.replace("|", "\\|")
    # "[REDACTED]" shows as it is, unless what follows makes it a link.
    made = re.sub(r"\](?=[(\[:])", r"\\]", made)
    return made[:-1] + "\\]" if following in ("(", "[", ":") and made.endswith("]") else made


def _write(source: str, mark: bytes, holes: list[Hole], passages: tuple[Passage, ...], rewrite: Rewrite) -> bytes:
    filled = fill(passages, rewrite.changes)
    made = pieces(source, holes, filled, partial(_clean, rewrite.sweeper))
    for hole, text in filled.items():
        if not text:
            # Emphasis around nothing would show its marks.
            before, after = _MARKS_END.search(made[2 * hole]), _MARKS_START.match(made[2 * hole + 2])
            if before and after and before.group() == after.group():
                made[2 * hole] = made[2 * hole][: before.start()]
                made[2 * hole + 2] = made[2 * hole + 2][after.end() :]
    return mark + _COMMENT.sub("", "".join(made)).encode("utf-8")


def _clean(sweeper: Sweeper, outside: str) -> str:
    """Source between passages, swept; an address gets no spaces."""
    if not sweeper.hits(outside):
        return outside
    addresses = re.sub(
        r"(\]\([ \t]*<?|\]:[ \t]*<?|<)([^\s<>)]+)", lambda m: m[1] + sweeper.clean(m[2], mark="redacted"), outside
    )
    return sweeper.clean(addresses)
