"""Many documents: folders and tables, in worker processes, resumable after any interruption.

:func:`find_sources` says what there is to release, :func:`run` releases it. Spark has a module of its own
(:mod:`taciturn.spark`).
"""

from taciturn.batch.run import BatchError, Outcome, run
from taciturn.batch.sources import Source, find_sources
from taciturn.batch.tables import Columns
from taciturn.batch.work import Job

__all__ = ["BatchError", "Columns", "Job", "Outcome", "Source", "find_sources", "run"]
