"""Many documents: folders and tables, in worker processes, resumable after any interruption.

:func:`find_sources` says what there is to release, :func:`run` releases it. Spark has a module of its own
(:mod:`tacit.spark`).
"""

from tacit.batch.run import BatchError, Outcome, run
from tacit.batch.sources import Source, find_sources
from tacit.batch.tables import Columns
from tacit.batch.work import Job

__all__ = ["BatchError", "Columns", "Job", "Outcome", "Source", "find_sources", "run"]
