"""Many documents on Spark: texts released where the rows are, and packs counted from a corpus of any size.

What is done to a row or to a shard of articles is done by the functions that work without Spark, so the results are
the same, byte for byte. A row that cannot be released or counted is a row with a reason, never a failed job.
"""

from tacit.spark.building import Built, Corpus, build_pack
from tacit.spark.sanitizing import sanitize_frame
from tacit.spark.shipping import ship_pack

__all__ = ["Built", "Corpus", "build_pack", "sanitize_frame", "ship_pack"]
