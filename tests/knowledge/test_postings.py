"""Codes of sets: what goes in comes out, at every density."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.knowledge.postings import PADDING, Codes, code_sizes, encode


def coded(arrays: list[np.ndarray], total: int) -> Codes:
    sizes = np.array([len(a) for a in arrays], dtype=np.int64)
    code = encode(np.concatenate(arrays), sizes, total)
    assert len(code) == code_sizes(sizes, total).sum()
    return Codes(np.append(code, np.zeros(PADDING, dtype=np.uint8)), sizes, total)


def decoded(codes: Codes, sets: list[int]) -> list[list[int]]:
    numbers, ends = codes.decode(np.array(sets, dtype=np.int64))
    return [part.tolist() for part in np.split(numbers, ends[:-1])]


@given(st.integers(1, 3000), st.lists(st.sets(st.integers(0, 2999)), min_size=1, max_size=6))
def test_sets_survive_coding(total: int, sets: list[set[int]]) -> None:
    arrays = [np.array(sorted(n % total for n in s), dtype=np.uint32) for s in sets]
    arrays = [np.unique(a) for a in arrays]
    asked = [*range(len(arrays)), 0, len(arrays) - 1]
    assert decoded(coded(arrays, total), asked) == [arrays[i].tolist() for i in asked]


def test_every_density_of_a_large_universe() -> None:
    total = 100_003
    rng = np.random.default_rng(7)
    sizes = np.array([0, 1, 2, 3, 100, 25_000, 25_001, 50_000, total - 1, total], dtype=np.int64)
    arrays = [np.sort(rng.choice(total, n, replace=False)).astype(np.uint32) for n in sizes]
    assert decoded(coded(arrays, total), [*range(len(arrays))][::-1]) == [a.tolist() for a in arrays[::-1]]


def test_numbers_at_some_places_only() -> None:
    total = 100_003
    rng = np.random.default_rng(8)
    arrays = [np.sort(rng.choice(total, n, replace=False)) for n in (3, 50, 60, 700, 70_000, 3000, 40)]
    for sweep in coded(arrays, total).sweeps(np.arange(len(arrays))):
        every = np.concatenate([arrays[i] for i in sweep.which])
        at = np.flatnonzero(rng.random(len(every)) < 0.3)
        assert np.array_equal(sweep.numbers(at), every[at])
        assert np.array_equal(sweep.owners(at), np.repeat(np.arange(len(sweep.which)), sweep.sizes)[at])


def test_codes_that_do_not_fit_their_sizes_are_refused() -> None:
    codes = coded([np.arange(0, 1000, 7)], 1000)
    with pytest.raises(ValueError, match="shorter"):
        Codes(codes.data[:-1], codes.sizes, 1000)
    damaged = codes.data.copy()
    damaged[-PADDING - 3] ^= 255
    with pytest.raises(ValueError, match="do not fit"):
        Codes(damaged, codes.sizes, 1000).decode(np.array([0]))


def test_space_is_near_the_entropy() -> None:
    total = 1 << 20
    sizes = np.array([4, 64, 1024, 16384], dtype=np.int64)
    bits = code_sizes(sizes, total) * 8
    assert np.all(bits <= sizes * (2 + np.log2(total / sizes)) + 16)
