"""CSV and its relatives: a cell is a passage; separators, quotes and line ends outside edits stay as they were."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import PurePath

from tacit.formats.base import Content, Context, FormatError, Passage, Rewrite, Slot, fill
from tacit.formats.splice import Hole, splice
from tacit.formats.text import decode

__all__ = ["no_column", "read", "separator"]

_TELLING = 4  # letters of a title that are like another's by more than chance


def _field(sep: str) -> re.Pattern[str]:
    s = re.escape(sep)
    # A field and what ends it. An open quote runs to the end of the file, as Python's reader has it.
    return re.compile(rf'("[^"]*(?:""[^"]*)*(?:"[^{s}\r\n]*|\Z)|[^{s}\r\n]*)({s}|\r\n|\r|\n|\Z)')


def _records(source: str, sep: str) -> Iterator[list[tuple[int, int]]]:
    record: list[tuple[int, int]] = []
    at, pattern = 0, _field(sep)
    while at < len(source) or record:
        found = pattern.match(source, at)
        assert found is not None  # the pattern matches anything, the empty string included
        record.append(found.span(1))
        at = found.end()
        if found.group(2) != sep:
            yield record
            record = []


def separator(source: str, name: str = "") -> str:
    """The character between cells: the one that cuts the first records into the same number of cells, most of all.

    >>> separator('name;note\\n"Ann, B";"a;b"\\n')
    ';'
    """
    if PurePath(name).suffix.lower() in (".tsv", ".tab"):
        return "\t"
    best, chosen = (0.0, 0), ","
    for sep in ",;\t|":
        widths: list[int] = []
        for record in _records(source[:65536], sep):
            if len(record) > 1 or record[0][0] != record[0][1]:
                widths.append(len(record))
            if len(widths) == 50:
                break
        common = max(set(widths), key=lambda w: (widths.count(w), w), default=1)
        score = (widths.count(common) / len(widths), common) if common > 1 else (0.0, 0)
        if score > best:
            best, chosen = score, sep
    return chosen


def _text(raw: str) -> str:
    if not raw.startswith('"'):
        return raw
    closed = re.match(r'"((?:[^"]|"")*)("?)(.*)', raw, re.S)
    assert closed is not None
    return closed.group(1).replace('""', '"') + closed.group(3)


def read(data: bytes, name: str, context: Context) -> Content:
    """The cells of a table; the first row names the columns."""
    source, mark = decode(data, name)
    sep = separator(source, name)
    holes: list[Hole] = []
    passages: list[Passage] = []
    swept: dict[int, str] = {}
    titles: list[str] = []
    wanted: set[int] | None = None
    for number, record in enumerate(_records(source, sep)):
        if number == 0:
            titles = [_text(source[a:b]).strip() for a, b in record]
            wanted = _columns(context.options.columns, titles, name)
        for column, (start, end) in enumerate(record):
            if start == end:
                continue
            raw = source[start:end]
            hole, text = len(holes), _text(raw)
            holes.append(Hole(start, end, partial(_encode, sep=sep, quoted=raw.startswith('"'))))
            if number and wanted is not None and column not in wanted:
                swept[hole] = text
            elif text.strip():
                title = titles[column] if column < len(titles) and titles[column] else f"column {column + 1}"
                place = f"{title}: row {number + 1}" if number else "header"
                passages.append(Passage(place, (Slot(text, hole),)))
    return Content("csv", tuple(passages), partial(_write, source, mark, holes, tuple(passages), swept))


def _columns(chosen: tuple[str, ...] | None, titles: list[str], name: str) -> set[int] | None:
    if chosen is None:
        return None
    for title in chosen:
        if title not in titles:
            raise no_column(name, title, titles)
    return {i for i, title in enumerate(titles) if title in chosen}


def no_column(name: str, title: str, titles: Iterable[str]) -> FormatError:
    """What to say of a title that is missing. Only titles like it are quoted: the first line of a table without a
    header is a line about somebody.

    >>> print(no_column("a.csv", "nmae", ["id", "Name"]))
    'a.csv' has no column 'nmae'; is it 'Name'?
    """
    known = {one.casefold(): one for one in titles if len(one) >= _TELLING}
    near = get_close_matches(title.casefold(), known, n=1, cutoff=0.75) if len(title) >= _TELLING else []
    if near:
        return FormatError(f"{name!r} has no column {title!r}; is it {known[near[0]]!r}?")
    return FormatError(
        f"{name!r} has no column {title!r}, nor one of a name like it; a CSV must name its columns in the first line"
    )


def _encode(text: str, *, sep: str, quoted: bool) -> str:
    if quoted or any(c in text for c in (sep, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _write(
    source: str,
    mark: bytes,
    holes: list[Hole],
    passages: tuple[Passage, ...],
    swept: dict[int, str],
    rewrite: Rewrite,
) -> bytes:
    filled = fill(passages, rewrite.changes)
    filled |= {hole: rewrite.sweeper.clean(text) for hole, text in swept.items() if rewrite.sweeper.hits(text)}
    return mark + splice(source, holes, filled).encode("utf-8")
