"""Parquet: every string of every column (or of those chosen) is a passage; the schema stays, its metadata goes.

Strings are found in lists, structs and maps too. Binary values that are UTF-8 are read as text, others become null.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from taciturn.formats.base import Content, Context, FormatError, LimitError, Passage, Rewrite, RowSource, Slot, fill
from taciturn.formats.leak.json import texts as json_texts
from taciturn.formats.stored import Stored
from taciturn.formats.sweep import Sweeper
from taciturn.formats.table import clean_titles, no_column

__all__ = ["ERRORS", "read", "rows"]

ERRORS: tuple[type[Exception], ...] = (pa.ArrowException, OSError, UnicodeDecodeError)
"""What the libraries below raise on damaged files."""

_BATCH = 1024


def _open(stored: Stored, name: str, context: Context) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(io.BytesIO(stored.data) if isinstance(stored.data, bytes) else stored.data)
        size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise FormatError(f"{name!r} is a damaged Parquet file ({type(error).__name__}); write it anew") from None
    if size > context.options.limits.expanded:
        raise LimitError(f"{name!r} expands to {size:,} bytes, more than Limits.expanded; split it")
    context.budget.spend(size, name)
    for title in context.options.named:
        if title not in file.schema_arrow.names:
            raise no_column(name, title, file.schema_arrow.names)
    for title, what in context.options.declared:
        kind = file.schema_arrow.field(title).type
        if not _holds_text(kind):
            raise FormatError(
                f"the column {title!r} is declared {what!r} and holds {kind}; write it as text, or drop it"
            )
    return file


def read(data: bytes, name: str, context: Context) -> Content:
    """The strings of a table as one document, column by column."""
    file = _open(Stored(data), name, context)
    try:
        table = file.read()
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        raise FormatError(f"{name!r} is a damaged Parquet file ({type(error).__name__}); write it anew") from None
    chosen = context.options.chosen
    passages: list[Passage] = []
    dropped = {"schema metadata": None} if table.schema.metadata else {}
    columns: dict[int, tuple[list[Any], int]] = {}
    holders = 0
    for number, field in enumerate(table.schema):
        if not _holds_text(field.type):
            continue
        values = table.column(number).to_pylist()
        columns[number] = (values, holders)
        for row, value in enumerate(values):
            for text in _leaves(value):
                if text is None:
                    dropped[f"binary values of {field.name}"] = None
                elif text.strip() and (chosen is None or field.name in chosen):
                    passages.append(Passage(f"{field.name}: row {row + 1}", (Slot(text, holders),)))
                holders += 1
    write = partial(_write, table, columns, tuple(passages), chosen)
    return Content("parquet", tuple(passages), write, tuple(dropped))


def rows(stored: Stored, name: str, context: Context) -> RowSource:
    """The rows of a table, one at a time: each is the list of its strings, which is written as JSON."""
    file = _open(stored, name, context)
    fields = [(i, f) for i, f in enumerate(file.schema_arrow) if _holds_text(f.type)]
    chosen = context.options.chosen

    def each() -> Iterator[tuple[int, Content | bytes]]:
        number = 0
        for batch in file.iter_batches(batch_size=_BATCH):
            stored.taken = stored.size * number // max(file.metadata.num_rows, 1)
            columns = [(f.name, batch.column(i).to_pylist()) for i, f in fields]
            for row in range(batch.num_rows):
                number += 1
                leaves = [(title, text) for title, values in columns for text in _leaves(values[row])]
                read = [
                    Passage(f"{title}: row {number}", (Slot(text, holder),))
                    for holder, (title, text) in enumerate(leaves)
                    if text is not None and text.strip() and (chosen is None or title in chosen)
                ]
                write = partial(_write_row, leaves, tuple(read), chosen)
                yield number, Content("parquet", tuple(read), write, extract=partial(json_texts, name=name))

    def assemble(sweeper: Sweeper, written: Iterable[bytes]) -> Iterator[bytes]:
        titles = clean_titles(file.schema_arrow.names, sweeper)
        kinds = [pa.binary() if pa.types.is_fixed_size_binary(k := _plain(f.type)) else k for f in file.schema_arrow]
        schema = pa.schema([pa.field(title, kind) for title, kind in zip(titles, kinds, strict=True)])
        texts = iter(written)
        sink = io.BytesIO()
        with pq.ParquetWriter(sink, schema, compression="zstd", store_schema=False) as writer:
            for batch in file.iter_batches(batch_size=_BATCH):
                new = [iter(json.loads(next(texts))) for _ in range(batch.num_rows)]
                arrays = {
                    i: pa.array(list(map(_rebuild, batch.column(i).to_pylist(), new)), kinds[i]) for i, _ in fields
                }
                kept = [arrays[i] if i in arrays else batch.column(i).cast(kind) for i, kind in enumerate(kinds)]
                writer.write_batch(pa.RecordBatch.from_arrays(kept, schema=schema))
        yield sink.getvalue()

    metadata = ("schema metadata",) if file.schema_arrow.metadata else ()
    return RowSource(tuple(file.schema_arrow.names), each, assemble, metadata)


def _write_row(
    leaves: list[tuple[str, str | None]],
    passages: tuple[Passage, ...],
    chosen: tuple[str, ...] | None,
    rewrite: Rewrite,
) -> bytes:
    filled = fill(passages, rewrite.changes)
    made = [
        text
        if text is None
        else filled.get(holder, text)
        if chosen is None or title in chosen
        else rewrite.sweeper.clean(text)
        for holder, (title, text) in enumerate(leaves)
    ]
    return json.dumps(made).encode("ascii")


def _holds_text(kind: Any) -> bool:
    types = pa.types
    if types.is_dictionary(kind):
        return _holds_text(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return _holds_text(kind.value_type)
    if types.is_map(kind):
        return _holds_text(kind.key_type) or _holds_text(kind.item_type)
    if types.is_struct(kind):
        return any(_holds_text(kind.field(i).type) for i in range(kind.num_fields))
    texts = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary, types.is_large_binary)
    return any(check(kind) for check in texts) or types.is_fixed_size_binary(kind)


def _leaves(value: Any) -> Iterator[str | None]:
    """The strings of a value in order; None for bytes that are no text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        try:
            yield value.decode("utf-8")
        except UnicodeDecodeError:
            yield None
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)


def _rebuild(value: Any, texts: Iterator[str | None]) -> Any:
    if isinstance(value, str):
        return next(texts)
    if isinstance(value, bytes):
        text = next(texts)
        return None if text is None else text.encode("utf-8")
    if isinstance(value, dict):
        return {key: _rebuild(inner, texts) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rebuild(inner, texts) for inner in value]
    if isinstance(value, tuple):
        return tuple(_rebuild(inner, texts) for inner in value)
    return value


def _write(
    table: Any,
    columns: dict[int, tuple[list[Any], int]],
    passages: tuple[Passage, ...],
    chosen: tuple[str, ...] | None,
    rewrite: Rewrite,
) -> bytes:
    filled, sweeper = fill(passages, rewrite.changes), rewrite.sweeper
    arrays, fields = [], []
    titles = clean_titles(table.schema.names, sweeper)
    for number, old in enumerate(table.schema):
        title = titles[number]
        kind = _plain(old.type)
        if number not in columns:
            arrays.append(table.column(number).cast(kind))
        else:
            values, first = columns[number]
            swept = chosen is not None and old.name not in chosen
            texts = _new_texts(values, first, filled, rewrite if swept else None)
            new = [_rebuild(value, texts) for value in values]
            if pa.types.is_fixed_size_binary(kind):
                kind = pa.binary()
            arrays.append(pa.chunked_array([pa.array(new, kind)]))
        fields.append(pa.field(title, kind, nullable=True))
    released = pa.table(arrays, schema=pa.schema(fields))
    buffer = io.BytesIO()
    pq.write_table(released, buffer, compression="zstd", store_schema=False)
    return buffer.getvalue()


def _plain(kind: Any) -> Any:
    """A type without a dictionary, whose values would be kept whether used or not."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _new_texts(values: list[Any], first: int, filled: dict[int, str], sweep: Rewrite | None) -> Iterator[str | None]:
    holder = first
    for value in values:
        for text in _leaves(value):
            if text is not None and sweep is not None:
                yield sweep.sweeper.clean(text)
            else:
                yield text if text is None else filled.get(holder, text)
            holder += 1
