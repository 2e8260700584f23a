"""Tables whose rows are documents: read row by row, written with the released texts in their places."""

from __future__ import annotations

import csv
import io
import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from taciturn.batch.sources import Source
from taciturn.formats import FormatError
from taciturn.formats.table import no_column, separator

__all__ = ["Columns", "Row", "json_line", "read_rows", "write_rows"]

_LARGEST_CELL = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Columns:
    """What a table's columns are for. ``text`` is released; ``drop`` is left out; the others are swept of what was
    removed from the text of their row. ``id`` is quoted in the manifest. ``declared`` are columns by title with what
    their cells are: they are released with the text of their row, each cell as one term of its kind."""

    text: tuple[str, ...] = ()
    id: str | None = None
    drop: tuple[str, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        titles = (title for title, _ in self.declared)
        return tuple(dict.fromkeys((*self.text, *((self.id,) if self.id else ()), *self.drop, *titles)))


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its number, from 1, and its cells; ``fault`` says why it cannot be read."""

    number: int
    cells: Mapping[str, Any] = field(default_factory=dict, hash=False)
    fault: str = ""


def read_rows(source: Source, columns: Columns, also: Sequence[str] = ()) -> Iterator[Row]:
    """The rows of a table. A row that cannot be read has a ``fault``; a table that cannot be raises ``FormatError``, as
    does one that lacks one of the columns, those of ``also`` included."""
    readers = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
    return readers[source.table](source, columns.text, (*columns.named, *also))


def _demand(source: Source, wanted: Sequence[str], titles: Iterable[str]) -> None:
    known = list(titles)
    for name in wanted:
        if name not in known:
            raise no_column(source.name, name, known)
    if len(set(known)) < len(known):
        raise FormatError(f"{source.name!r} has two columns of one name; rename one of them")


def _open(source: Source) -> io.TextIOWrapper:
    return io.TextIOWrapper(source.open(), encoding="utf-8-sig", newline="")


def _separator(source: Source) -> str:
    with _open(source) as file:
        return separator(file.read(65536), source.name)


def _csv(source: Source, text: Sequence[str], wanted: Sequence[str]) -> Iterator[Row]:
    try:
        records = _records(source, _separator(source))
        titles = [title.strip() for title in next(records, [])]
        _demand(source, wanted, titles)
        for number, cells in enumerate(records, 1):
            if len(cells) == len(titles):
                yield Row(number, dict(zip(titles, cells, strict=True)))
            else:
                yield Row(number, fault=f"the row has {len(cells)} cells, the header {len(titles)}")
    except UnicodeDecodeError as error:
        raise FormatError(f"{source.name!r} is not UTF-8 text; save it as CSV UTF-8") from error


def _records(source: Source, between: str) -> Iterator[list[str]]:
    """The lines of a CSV that are not empty, as cells; the first are the titles.

    A quote out of place refuses the whole table: where the cells after it end is a guess, and a wrong one hands a
    dropped column to the text, or the text to a column that is only swept.
    """
    csv.field_size_limit(_LARGEST_CELL)
    line = 0
    with _open(source) as file:
        rows = csv.reader(file, delimiter=between, strict=True)
        try:
            for cells in rows:
                line = rows.line_num
                if cells:
                    yield cells
        except csv.Error as error:
            raise FormatError(
                f"{source.name!r} has a quote out of place in the row after line {line}: close every quote, and write "
                "one inside a cell twice"
            ) from error


def _jsonl(source: Source, text: Sequence[str], wanted: Sequence[str]) -> Iterator[Row]:
    # Bytes, for only "\n" ends a line; one bad line is one failed document.
    titles: dict[str, None] = {}
    with source.open() as file:
        for number, line in enumerate((part for part in file if part.strip()), 1):
            try:
                cells = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                yield Row(number, fault="the line is not valid JSON in UTF-8")
                continue
            if not isinstance(cells, dict):
                yield Row(number, fault="the line is not a JSON object")
                continue
            titles |= dict.fromkeys(cells)
            if missing := [name for name in text if name not in cells]:
                yield Row(number, fault=f"the line has no {missing[0]!r}")
            else:
                yield Row(number, cells)
    # A line may do without a column; a column that no line has is a slip, and one to drop would be released.
    if titles:
        _demand(source, wanted, titles)


def _parquet(source: Source, text: Sequence[str], wanted: Sequence[str]) -> Iterator[Row]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise FormatError(f"{source.name!r} is Parquet, which needs pyarrow: pip install 'taciturn[batch]'") from error
    try:
        with source.open() as file, pq.ParquetFile(file) as table:
            _demand(source, wanted, table.schema_arrow.names)
            number = 0
            for batch in table.iter_batches(batch_size=256):
                for place in range(batch.num_rows):
                    number += 1
                    try:
                        [cells] = batch.slice(place, 1).to_pylist()
                    except (OverflowError, ValueError):
                        yield Row(number, fault="the row has a time that Python does not have, such as the year 10000")
                        continue
                    yield Row(number, cells)
    except (pa.ArrowException, OSError) as error:
        raise FormatError(f"{source.name!r} is not a Parquet file that can be read; check the file") from error


def json_line(value: Mapping[str, Any]) -> bytes:
    r"""A line of JSON lines. Half a surrogate pair, which is no character, stays the escape it came as.

    >>> json_line({"a": "\u00e9\ud800"})
    b'{"a": "\xc3\xa9\\ud800"}\n'
    """
    return (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def write_rows(source: Source, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """The bytes of a table of released rows, piece by piece, in the format of its source."""
    if source.table == "jsonl":
        for row in rows:
            yield json_line(row)
    elif source.table == "csv":
        yield from _csv_pieces(source, columns, rows)
    else:
        yield _parquet_bytes(source, columns, rows)


def _csv_pieces(source: Source, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    between = _separator(source)
    titles = [title.strip() for title in next(_records(source, between), [])]
    kept = [title for title in titles if title not in columns.drop]
    with source.open() as file:
        yield BOM_UTF8 if file.read(3) == BOM_UTF8 else b""  # by which Excel knows UTF-8
    yield _csv_line(kept, between)
    for row in rows:
        yield _csv_line([row[title] for title in kept], between)


def _csv_line(cells: Sequence[str], between: str) -> bytes:
    r"""A line of a CSV.

    >>> _csv_line(["a\rb", "c"], ",")
    b'"a\rb",c\n'
    """
    buffer = io.StringIO()
    # The writer quotes what ends a line for it, and readers take a lone "\r" for such an end as well.
    csv.writer(buffer, delimiter=between, lineterminator="\r\n").writerow(cells)
    return (buffer.getvalue().removesuffix("\r\n") + "\n").encode()


def _parquet_bytes(source: Source, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Metadata of the source may quote it (pandas keeps an index there), so only names and types are handed on.
    with source.open() as file:
        titles = pq.read_schema(file)
    schema = pa.schema([pa.field(f.name, f.type) for f in titles if f.name not in columns.drop])
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, schema) as writer:
        waiting: list[Mapping[str, Any]] = []
        for row in rows:
            waiting.append(row)
            if len(waiting) == 4096:
                writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
                waiting = []
        writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
    return sink.getvalue()
