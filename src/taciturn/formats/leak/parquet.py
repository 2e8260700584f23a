"""Parquet read twice more: batch by batch as Arrow shows it, and its footer and pages as bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator

from taciturn.formats.leak.found import BREAK, Found

__all__ = ["texts"]


def texts(data: bytes, name: str) -> Iterator[Found]:
    """Values of all columns, names of columns, metadata and statistics; then the same written without compression."""
    import pyarrow.csv as csv
    import pyarrow.parquet as pq

    file = pq.ParquetFile(io.BytesIO(data))
    yield Found("schema", "arrow", BREAK.join(map(str, file.schema_arrow)), title=True)
    yield Found("metadata", "arrow", f"{file.schema_arrow.metadata or ''}{BREAK}{file.metadata.metadata or ''}")
    for i in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(i)
        for j in range(group.num_columns):
            figures = group.column(j).statistics
            if figures is not None and figures.has_min_max:
                yield Found("statistics", "arrow", f"{figures.min}{BREAK}{figures.max}")
    for batch in file.iter_batches(batch_size=4096):
        for column, title in zip(batch.columns, batch.schema.names, strict=True):
            values = (str(v) for v in column.to_pylist() if v is not None and not isinstance(v, int | float))
            yield Found(f"column {title}", "arrow", BREAK.join(values))
        for title in batch.schema.names:
            buffer = io.BytesIO()
            try:
                csv.write_csv(batch.select([title]), buffer)
            except Exception:  # nested columns have no CSV; they were read above
                continue
            lines = buffer.getvalue().decode("utf-8", "replace").split("\n")
            yield Found(f"column {title}", "csv", BREAK.join(lines[title.count("\n") + 1 :]))
