"""Tests that run by the compiled inner loops and by numpy."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from taciturn.compiled import load_compiled

needs_compiler = pytest.mark.skipif(
    not all(
        map(
            load_compiled,
            ("taciturn.knowledge.storage._codes", "taciturn.knowledge.storage._strings", "taciturn.language._labels"),
        )
    ),
    reason="the inner loops were not compiled: python hatch_build.py makes them",
)
in_both_ways = pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs_compiler)])


@contextmanager
def loops(module: ModuleType, compiled: bool) -> Iterator[None]:
    """Let a module use its compiled loops, or numpy."""
    found = module.compiled
    module.compiled = found if compiled else None
    try:
        yield
    finally:
        module.compiled = found
