"""A column of texts released where the rows are.

The work is :func:`tacit.frames.sanitize_batches`; Spark is one engine that calls it. The pack is opened once a Python
worker and mapped, so that the workers of a machine share one copy. A row that cannot be released is a row with a null
text and a reason, never a failed job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tacit.frames import CERTIFICATE, certificate_type, sanitize_batches
from tacit.models import Model
from tacit.policy import Policy
from tacit.spark.shipping import located

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["sanitize_frame"]


def sanitize_frame(
    frame: DataFrame, column: str, models: Model | Sequence[Model] | Policy, *, pack: str | None = None
) -> DataFrame:
    """The frame with the texts of a column released, and a struct column ``certificate``.

    Like all of Spark's transformations it runs when a result is asked for.
    ``pack`` is a path that every worker can read, or what :func:`ship_pack` returned; without it the embedded pack is
    used. Rows that could not be released
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
        return sanitize_batches(batches, column, models, located(pack))

    return frame.mapInArrow(work, schema)
