"""Many documents on Spark: texts released where the rows are, and packs counted from a corpus of any size.

What is done to a row or to a shard of articles is done by the functions that work without Spark, so the results are
the same, byte for byte. A row that cannot be released or counted is a row with a reason, never a failed job.
"""

from taciturn.spark.building import Built, Corpus, build_pack
from taciturn.spark.sanitizing import sanitize_frame
from taciturn.spark.shipping import ship_pack

__all__ = ["Built", "Corpus", "build_pack", "sanitize_frame", "ship_pack"]
