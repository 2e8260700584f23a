"""The papers' tables and figures, made again with the papers' algorithms and ours."""

__all__ = ["NEEDS_DATA"]

NEEDS_DATA = frozenset({"c-sanitized", "s1-s2"})
"""The experiments on texts that Taciturn may not pass on: they take a folder of data."""
