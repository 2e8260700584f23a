"""Unions of sets, by the compiled loop and by numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.storage import postings
from taciturn.knowledge.storage.sets import united
from tests.loops import in_both_ways, loops, needs_compiler

some = st.sets(st.integers(0, 199_999), max_size=30) | st.builds(
    lambda first, step, size: set(range(first, min(first + step * size, 200_000), step)),
    st.integers(0, 150_000),
    st.integers(1, 20),
    st.integers(0, 30_000),
)


@in_both_ways
@given(parts=st.lists(some, min_size=1, max_size=4), larger=st.integers(0, 70_000))
def test_a_union_is_that_of_sets(compiled: bool, parts: list[set[int]], larger: int) -> None:
    numbers = np.array([n for part in parts for n in sorted(part)], dtype=np.uint32)
    ends = np.cumsum([len(part) for part in parts])
    ranges = np.stack([ends - [len(part) for part in parts], ends], axis=1)
    with loops(postings, compiled):
        found = united(numbers, ranges, 200_000 + larger)
    assert list(found) == sorted(set().union(*parts))


@needs_compiler
@pytest.mark.parametrize("ranges", [[[0, 4]], [[-1, 2]], [[2, 1]], [[0, 3]]])
def test_what_does_not_fit_is_refused(ranges: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        united(np.array([1, 5, 9], np.uint32), np.array(ranges), 9)
