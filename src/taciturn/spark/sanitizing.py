"""A column of texts released where the rows are.

The work is :func:`taciturn.frames.sanitize_batches`; Spark is one engine that calls it. The pack is opened once a
Python
worker and mapped, so that the workers of a machine share one copy. A row that cannot be released is a row with a null
text and a reason, never a failed job.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from taciturn.frames import CERTIFICATE, certificate_type, demand_columns, sanitize_batches
from taciturn.release import ModelsLike, several_models
from taciturn.spark.shipping import located

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

__all__ = ["sanitize_frame"]


def sanitize_frame(frame: DataFrame, column: str, models: ModelsLike, *, pack: str | Path | None = None) -> DataFrame:
    """The frame with the texts of a column released, and a struct column ``certificate``.

    Like all of Spark's transformations it runs when a result is asked for.
    ``pack`` is a path that every worker can read, or what :func:`ship_pack` returned; without it the embedded pack is
    used. Rows that could not be released have ``certificate.released`` false, and nothing in columns of texts, bytes,
    lists or structures::

        released = sanitize_frame(spark.read.parquet("notes"), "note", taciturn.CSanitized(protect=["HIV"]))
        released.where("not certificate.released").select("certificate.reason").show()
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StringType, StructField, StructType

    demand_columns(column, frame.columns)
    if CERTIFICATE in map(str.lower, frame.columns):
        raise ValueError(f"the frame has a column {CERTIFICATE!r} already, in other letters; rename it")
    if not isinstance(frame.schema[column].dataType, StringType):
        raise ValueError(f"the column {column!r} holds {frame.schema[column].dataType.simpleString()}, not text")
    # Here, not where the rows are: a policy that cannot be built is no fault of a row.
    several = several_models(models)
    fields = [StructField(f.name, f.dataType, True) for f in frame.schema.fields]
    schema = StructType([*fields, StructField(CERTIFICATE, from_arrow_type(certificate_type()), False)])

    names = list(frame.columns)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        named = (pa.RecordBatch.from_arrays(batch.columns, names=names) for batch in batches)
        return sanitize_batches(named, column, several, located(pack))

    # Spark asks for its columns by name here, and would take a dot in one for a field.
    return frame.toDF(*(f"column{i}" for i in range(len(names)))).mapInArrow(work, schema)
