"""Tables whose rows are documents: read row by row, written with the released texts in their places."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tacit.batch.sources import Source
from tacit.formats import FormatError

__all__ = ["Columns", "Row", "read_rows", "write_rows"]

_LARGEST_CELL = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Columns:
    """What a table's columns are for. ``text`` is released; ``drop`` is left out; the others are swept of what was
    removed from the text of their row. ``id`` is quoted in the manifest."""

    text: tuple[str, ...] = ()
    id: str | None = None
    drop: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        return (*self.text, *((self.id,) if self.id else ()), *self.drop)


@dataclass(frozen=True, slots=True)
class Row:
    """A row by its number, from 1, and its cells; ``fault`` says why it cannot be read."""

    number: int
    cells: Mapping[str, Any] = field(default_factory=dict, hash=False)
    fault: str = ""


def read_rows(source: Source, columns: Columns) -> Iterator[Row]:
    """The rows of a table. A row that cannot be read has a ``fault``; a table that cannot be raises ``FormatError``."""
    readers = {"csv": _csv, "jsonl": _jsonl, "parquet": _parquet}
    return readers[source.table](source, columns)


def _demand(source: Source, columns: Columns, titles: Iterable[str]) -> None:
    known = list(titles)
    for name in columns.named:
        if name not in known:
            raise FormatError(f"{source.name!r} has no column {name!r}; it has {', '.join(map(repr, known[:20]))}")
    if len(set(known)) < len(known):
        raise FormatError(f"{source.name!r} has two columns of one name; rename one of them")


def _open(source: Source) -> io.TextIOWrapper:
    return io.TextIOWrapper(source.open(), encoding="utf-8-sig", newline="")


def _separator(source: Source) -> str:
    from tacit.formats.table import separator

    with _open(source) as file:
        return separator(file.read(65536), source.name)


def _csv(source: Source, columns: Columns) -> Iterator[Row]:
    try:
        separator = _separator(source)
        csv.field_size_limit(_LARGEST_CELL)
        with _open(source) as file:
            rows = csv.reader(file, delimiter=separator)
            titles = [title.strip() for title in next(rows, [])]
            _demand(source, columns, titles)
            for number, cells in enumerate((r for r in rows if r), 1):
                if len(cells) == len(titles):
                    yield Row(number, dict(zip(titles, cells, strict=True)))
                else:
                    yield Row(number, fault=f"the row has {len(cells)} cells, the header {len(titles)}")
    except UnicodeDecodeError as error:
        raise FormatError(f"{source.name!r} is not UTF-8 text; save it as CSV UTF-8") from error


def _jsonl(source: Source, columns: Columns) -> Iterator[Row]:
    # Bytes, for only "\n" ends a line; one bad line is one failed document.
    with source.open() as file:
        for number, line in enumerate((part for part in file if part.strip()), 1):
            try:
                cells = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                yield Row(number, fault="the line is not valid JSON in UTF-8")
                continue
            if not isinstance(cells, dict):
                yield Row(number, fault="the line is not a JSON object")
            elif missing := [name for name in columns.text if name not in cells]:
                yield Row(number, fault=f"the line has no {missing[0]!r}")
            else:
                yield Row(number, cells)


def _parquet(source: Source, columns: Columns) -> Iterator[Row]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise FormatError(f"{source.name!r} is Parquet, which needs pyarrow: pip install 'tacit[batch]'") from error
    try:
        with source.open() as file, pq.ParquetFile(file) as table:
            _demand(source, columns, table.schema_arrow.names)
            number = 0
            for batch in table.iter_batches(batch_size=256):
                for cells in batch.to_pylist():
                    number += 1
                    yield Row(number, cells)
    except pa.ArrowInvalid as error:
        raise FormatError(f"{source.name!r} is not a Parquet file that can be read; check the file") from error


def write_rows(source: Source, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """The bytes of a table of released rows, piece by piece, in the format of its source."""
    if source.table == "jsonl":
        for row in rows:
            yield (json.dumps(row, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
    elif source.table == "csv":
        yield from _csv_pieces(source, columns, rows)
    else:
        yield _parquet_bytes(source, columns, rows)


def _csv_pieces(source: Source, columns: Columns, rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    separator = _separator(source)
    with _open(source) as file:
        titles = [title.strip() for title in next(csv.reader(file, delimiter=separator), [])]
    kept = [title for title in titles if title not in columns.drop]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    writer.writerow(kept)
    for row in rows:
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()
        writer.writerow([row[title] for title in kept])
    yield buffer.getvalue().encode()


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
