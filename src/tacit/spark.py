"""Many documents on Spark: a column of texts released where the rows are.

The work is one function over Arrow record batches, :func:`sanitize_batches`; Spark is one engine that calls it, and any
other that has Arrow batches can. The pack is opened once a Python worker and mapped, so that the workers of a machine
share one copy. A row that cannot be released is a row with a null text and a reason, never a failed job.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tacit.batch.tables import Columns
from tacit.batch.work import figures, knowledge_of, reason, release_row
from tacit.models import Model
from tacit.policy import Policy

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["sanitize_batches", "sanitize_frame"]

CERTIFICATE = "certificate"


def certificate_type() -> pa.DataType:
    """The type of the column that says what is guaranteed of a row's text, or why it was not released."""
    import pyarrow as pa

    guarantee = pa.struct(
        [
            ("model", pa.string()),
            ("holds", pa.bool_()),
            ("margin", pa.float64()),
            ("figures", pa.map_(pa.string(), pa.string())),
        ]
    )
    return pa.struct(
        [
            ("released", pa.bool_()),
            ("reason", pa.string()),
            ("text_sha256", pa.string()),
            ("knowledge_sha256", pa.string()),
            ("guarantees", pa.list_(guarantee)),
        ]
    )


def sanitize_batches(
    batches: Iterable[pa.RecordBatch],
    column: str,
    models: Model | Sequence[Model] | Policy,
    pack: str | None = None,
) -> Iterator[pa.RecordBatch]:
    """Record batches with the texts of a column released and a column ``certificate`` added.

    Other columns stay, swept of what was removed from the text of their row; a swept cell that is no text becomes
    null. Of a row that cannot be released the texts of *all* columns become null, for nobody has looked at them.
    """
    import pyarrow as pa

    if isinstance(models, Policy):
        models = models.build()
    several = tuple(models) if isinstance(models, Sequence) else (models,)
    knowledge = knowledge_of(pack)
    columns = Columns((column,))
    for batch in batches:
        texts: dict[str, list[Any]] = {}
        rows = batch.to_pylist()
        certificates: list[dict[str, Any]] = []
        for place, cells in enumerate(rows):
            try:
                changed, certificate = release_row(cells, columns, several, knowledge)
                said: dict[str, Any] = {
                    "released": True,
                    "text_sha256": certificate.text_digest,
                    "knowledge_sha256": certificate.knowledge_digest,
                    "guarantees": [
                        {**g, "figures": [(k, str(v)) for k, v in g["figures"].items()]} for g in figures(certificate)
                    ],
                }
            except Exception as error:
                changed = {name: None for name, value in cells.items() if isinstance(value, str)}
                said = {"released": False, "reason": reason(error)}
            for name, value in changed.items():
                if value != cells[name]:
                    texts.setdefault(name, [row[name] for row in rows])[place] = value
            certificates.append(said)
        arrays = [
            pa.array(texts[name], type=batch.schema.field(name).type) if name in texts else batch.column(i)
            for i, name in enumerate(batch.schema.names)
        ]
        yield pa.RecordBatch.from_arrays(
            [*arrays, pa.array(certificates, type=certificate_type())], names=[*batch.schema.names, CERTIFICATE]
        )


def sanitize_frame(
    frame: DataFrame, column: str, models: Model | Sequence[Model] | Policy, *, pack: str | None = None
) -> DataFrame:
    """The frame with the texts of a column released, and a struct column ``certificate``.

    Like all of Spark's transformations it runs when a result is asked for.
    ``pack`` is a path that every worker can read; without it the embedded pack is used. Rows that could not be released
    have ``certificate.released`` false and no text::

        released = sanitize_frame(spark.read.parquet("notes"), "note", tacit.CSanitized(protect=["HIV"]))
        released.where("not certificate.released").select("certificate.reason").show()
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StringType, StructField, StructType

    if column not in frame.columns:
        raise ValueError(f"the frame has no column {column!r}; it has {', '.join(map(repr, frame.columns[:20]))}")
    if not isinstance(frame.schema[column].dataType, StringType):
        raise ValueError(f"the column {column!r} holds {frame.schema[column].dataType.simpleString()}, not text")
    if CERTIFICATE in frame.columns:
        raise ValueError(f"the frame has a column {CERTIFICATE!r} already; rename it")
    fields = [StructField(f.name, f.dataType, True) for f in frame.schema.fields]
    schema = StructType([*fields, StructField(CERTIFICATE, from_arrow_type(certificate_type()), False)])

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return sanitize_batches(batches, column, models, pack)

    return frame.mapInArrow(work, schema)
