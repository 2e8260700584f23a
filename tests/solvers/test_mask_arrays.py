"""The arrays of a list: every prefix can be found."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers.mask_arrays import HASH_START, build_arrays, code_points, extend_hash, prefix_bits
from taciturn.solvers.masks import MaskIndex


@settings(deadline=None)
@given(st.lists(st.text(max_size=6), max_size=30))
def test_every_prefix_has_its_bit(strings: list[str]) -> None:
    arrays = build_arrays(strings)
    for string in MaskIndex(strings):
        figure = np.full(1, HASH_START)
        for point in code_points(string):
            figure = extend_hash(figure, np.array([point]))
            at = int(prefix_bits(figure, arrays.prefixes.size)[0])
            assert arrays.prefixes[at >> 3] >> (at & 7) & 1
