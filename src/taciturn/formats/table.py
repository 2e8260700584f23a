"""CSV and its relatives: a cell is a passage; separators, quotes and line ends outside edits stay as they were.

The first row names the columns. A title is no text about anybody and is never renamed, unless it holds a name that was
removed, or what is protected. What is no title (:func:`is_title`) is read like any other cell: a table may have no
titles, and a quote that is left open in the first row takes in the rows below it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import PurePath

from taciturn.formats.base import Content, Context, FormatError, Options, Passage, Rewrite, RowSource, Slot, fill
from taciturn.formats.leak.table import row_texts
from taciturn.formats.stored import Stored
from taciturn.formats.sweep import Sweeper
from taciturn.formats.template import Hole, splice
from taciturn.formats.text import decode, decoded

__all__ = ["clean_titles", "is_title", "no_column", "read", "rows", "separator"]

_TELLING = 4  # letters of a title that are like another's by more than chance
_SAMPLE = 65_536  # characters by which a table is judged
_ADDRESS = r"[^\s@]+@[^\s@]+\.[^\s@]+"
_NUMBER = r"(?=.*\d)[\d\s.,:/+()%$\u20ac\u00a3-]+"  # or a date, a time, a telephone number
_SENTENCE = r"\S+(?:\s+\S+){3,}[.!?]"
_VALUE = re.compile(f"{_ADDRESS}|{_NUMBER}|{_SENTENCE}")
_QUOTED = re.compile(r'[^"]*|"(?:[^"]|"")*"')  # a cell whose quotes are in place
_YEAR = re.compile(r"(?:1[89]|20)\d\d")


def is_title(text: str) -> bool:
    """Whether a cell of the first row can be the title of a column. A number, a date, an address and a sentence cannot.

    >>> [is_title(text) for text in ("note", "2019", "Blood pressure (mm Hg)")]
    [True, True, True]
    >>> [is_title(text) for text in ("1985-03-12", "He was seen today.", "ann@example.org")]
    [False, False, False]
    """
    text = text.strip()
    return bool(_YEAR.fullmatch(text)) or not _VALUE.fullmatch(text)


def _field(sep: str) -> re.Pattern[str]:
    s = re.escape(sep)
    # A field and what ends it. An open quote runs to the end of the file, as Python's reader has it.
    return re.compile(rf'("[^"]*(?:""[^"]*)*(?:"[^{s}\r\n]*|\Z)|[^{s}\r\n]*)({s}|\r\n|\r|\n|\Z)')


def _records(source: str, sep: str) -> Iterator[list[tuple[int, int]]]:
    """Where the cells of each record stand in a text."""
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
        width, share = _common(_widths(source[:_SAMPLE], sep))
        score = (share, width) if width > 1 else (0.0, 0)
        if score > best:
            best, chosen = score, sep
    return chosen


def _text(raw: str) -> str:
    if not raw.startswith('"'):
        return raw
    closed = re.match(r'"((?:[^"]|"")*)("?)(.*)', raw, re.S)
    assert closed is not None
    return closed.group(1).replace('""', '"') + closed.group(3)


@dataclass(frozen=True, slots=True)
class _Cells:
    """Where the cells of a record stand, what is read of them and what is only swept."""

    holes: list[Hole]
    passages: list[Passage]
    swept: dict[int, str]


_Record = list[tuple[int, int]]
"""Where the cells of a row stand."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The separator of a table, its titles and the numbers of the columns that are read (None: all)."""

    sep: str
    titles: list[str]
    wanted: set[int] | None

    def cells(self, source: str, record: _Record, first: int = 0, row: int | None = None) -> _Cells:
        """The cells of a record; their places name its ``row``, by which models know what stands together."""
        cells = _Cells([], [], {})
        for column, (start, end) in enumerate(record):
            if start == end:
                continue
            raw = source[start:end]
            hole, text = first + len(cells.holes), _text(raw)
            cells.holes.append(Hole(start, end, partial(_encode, sep=self.sep, quoted=raw.startswith('"'))))
            if self.wanted is not None and column not in self.wanted:
                cells.swept[hole] = text
            elif text.strip():
                title = self.titles[column] if column < len(self.titles) else ""
                place = title or f"column {column + 1}"
                cells.passages.append(Passage(place if row is None else f"{place}: row {row}", (Slot(text, hole),)))
        return cells

    def first(self, source: str, record: _Record) -> _Cells:
        """The cells of the first record. Titles are only swept. All is read if there are no titles. So is a cell of
        several lines: it may have taken in the rows below."""
        cells = [source[start:end] for start, end in record]
        read = {column for column, raw in enumerate(cells) if not self.titles or len(raw.strip('" ').splitlines()) > 1}
        return replace(self, titles=[], wanted=read).cells(source, record, row=1)


def _table(sample: str, source: str, header: _Record, name: str, options: Options) -> _Table:
    """What is known of a table by its first characters and its first record."""
    sep = separator(sample, name)
    titles = [_text(source[a:b]).strip() for a, b in header]
    wanted = _columns(options, titles, name)
    # Who names a column says that there are titles.
    titled = bool(options.named) or _are_titles([source[a:b] for a, b in header], sample, sep)
    return _Table(sep, titles if titled else [], wanted)


def _are_titles(cells: list[str], sample: str, sep: str) -> bool:
    """Whether the first row holds titles: its quotes are in place, none is a value, and the rows below are as long."""
    if not all(_QUOTED.fullmatch(cell) and is_title(_text(cell)) for cell in cells):
        return False
    below = _widths(sample, sep)[1:]
    return bool(below) and len(cells) == _common(below)[0]


def _widths(sample: str, sep: str) -> list[int]:
    """The numbers of cells of the first records that are not empty."""
    filled = (record for record in _records(sample, sep) if len(record) > 1 or record[0][0] != record[0][1])
    return [len(record) for record in islice(filled, 50)]


def _common(widths: list[int]) -> tuple[int, float]:
    """The most common of some numbers, the largest of those that are as common, and its share."""
    common = max(set(widths), key=lambda w: (widths.count(w), w), default=1)
    return common, widths.count(common) / max(len(widths), 1)


def _new_titles(first: _Cells, sweeper: Sweeper) -> dict[int, str]:
    """The titles that change, by their holes."""
    new = clean_titles(list(first.swept.values()), sweeper)
    return {hole: title for (hole, old), title in zip(first.swept.items(), new, strict=True) if title != old}


def read(data: bytes, name: str, context: Context) -> Content:
    """The cells of a table as one document; the first row names the columns."""
    source, mark = decode(data, name)
    sample = source[:_SAMPLE]
    records = _records(source, separator(sample, name))
    header = next(records, [])
    table = _table(sample, source, header, name, context.options)
    first = table.first(source, header)
    all_cells = _Cells(list(first.holes), list(first.passages), {})
    for number, record in enumerate(records, 2):
        cells = table.cells(source, record, len(all_cells.holes), number)
        all_cells.holes.extend(cells.holes)
        all_cells.passages.extend(cells.passages)
        all_cells.swept.update(cells.swept)
    return Content("csv", tuple(all_cells.passages), partial(_write, mark, source, first, all_cells))


def _write(mark: bytes, source: str, first: _Cells, cells: _Cells, rewrite: Rewrite) -> bytes:
    filled = _filled(cells, rewrite) | _new_titles(first, rewrite.sweeper)
    return mark + splice(source, cells.holes, filled).encode("utf-8")


def _filled(cells: _Cells, rewrite: Rewrite) -> dict[int, str]:
    swept = {hole: rewrite.sweeper.clean(text) for hole, text in cells.swept.items() if rewrite.sweeper.hits(text)}
    return fill(cells.passages, rewrite.changes) | swept


def rows(stored: Stored, name: str, context: Context) -> RowSource:
    """The rows of a table, one at a time, each a document. No more than a row and a piece of the file is in memory."""
    mark = BOM_UTF8 if stored.head(3) == BOM_UTF8 else b""
    sample = next(decoded([stored.head(_SAMPLE)], name), "")
    sep = separator(sample, name)
    line, header = next(_lines(decoded(stored.pieces(), name), sep), ("", []))
    table = _table(sample, line, header, name, context.options)
    first = table.first(line, header)

    def each() -> Iterator[tuple[int, Content | bytes]]:
        for number, (line, record) in enumerate(_lines(decoded(stored.pieces(), name), sep), 1):
            cells = table.cells(line, record, row=number) if number > 1 else replace(first, swept={})
            if number > 1 or first.passages:
                titles = frozenset(range(len(table.titles))) if number == 1 else frozenset()
                extract = partial(row_texts, sep=sep, titles=titles)
                content = Content("csv", tuple(cells.passages), partial(_write_row, line, cells), extract=extract)
                yield number, content if cells.holes else line.encode("utf-8")

    def assemble(sweeper: Sweeper, written: Iterable[bytes]) -> Iterator[bytes]:
        rest = iter(written)
        top = next(rest).decode("utf-8") if first.passages else line
        cells = table.first(top, next(_records(top, sep), []))
        yield mark + splice(top, cells.holes, _new_titles(cells, sweeper)).encode("utf-8")
        yield from rest

    return RowSource(tuple(table.titles), each, assemble)


def _lines(texts: Iterable[str], sep: str) -> Iterator[tuple[str, _Record]]:
    r"""The records of a text that comes in pieces: the line or lines of each, and where its cells stand in them.

    >>> list(_lines(["a,b\r", "\n1,\"x\n", "y\"\n"], ","))
    [('a,b\r\n', [(0, 1), (2, 3)]), ('1,"x\ny"\n', [(0, 1), (2, 7)])]
    """
    pattern, source = _field(sep), iter(texts)
    held, at, ended = "", 0, False
    start, record = 0, _Record()
    while not ended or at < len(held) or record:
        found = pattern.match(held, at)
        assert found is not None  # the pattern matches anything, the empty string included
        if found.end() == len(held) and not ended:
            # What comes may belong to this cell or to its line end. As much as is held, or a long row takes too long.
            more = list(_as_much(source, len(held) - start))
            ended = not more
            held, at, start, record = held[start:] + "".join(more), 0, 0, []
            continue
        record.append((found.start(1) - start, found.end(1) - start))
        at = found.end()
        if found.group(2) != sep:
            yield held[start:at], record
            start, record = at, []


def _as_much(texts: Iterator[str], size: int) -> Iterator[str]:
    """Texts of some size together, at least one, while there are any."""
    taken = 0
    for text in texts:
        yield text
        taken += len(text)
        if text and taken >= size:
            return


def _write_row(line: str, cells: _Cells, rewrite: Rewrite) -> bytes:
    return splice(line, cells.holes, _filled(cells, rewrite)).encode("utf-8")


def clean_titles(titles: Sequence[str], sweeper: Sweeper) -> list[str]:
    """The titles of columns as they are, but for names that were removed and what is protected; no two become one.

    >>> import re
    >>> clean_titles(["id", "hiv", "hiv 1"], Sweeper([], lambda text: [m.span() for m in re.finditer("hiv", text)]))
    ['id', '[REDACTED]', '[REDACTED] 1']
    """
    taken = {title for title in titles if not sweeper.hits(title, title=True)}
    made = []
    for title in titles:
        new = cleaned = sweeper.clean(title, title=True)
        number = 1
        while cleaned != title and new in taken:
            number += 1
            new = f"{cleaned} {number}"
        taken.add(new)
        made.append(new)
    return made


def _columns(options: Options, titles: list[str], name: str) -> set[int] | None:
    for title in options.named:
        if title not in titles:
            raise no_column(name, title, titles)
    chosen = options.chosen
    return None if chosen is None else {i for i, title in enumerate(titles) if title in chosen}


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
