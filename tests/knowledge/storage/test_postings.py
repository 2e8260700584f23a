"""Codes of sets: what goes in comes out, at every density."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.storage import postings
from taciturn.knowledge.storage.postings import PADDING, Codes, code_sizes, encode
from tests.loops import in_both_ways, loops, needs_compiler


def coded(arrays: list[np.ndarray], total: int) -> Codes:
    sizes = np.array([len(a) for a in arrays], dtype=np.int64)
    code = encode(np.concatenate(arrays), sizes, total)
    assert len(code) == code_sizes(sizes, total).sum()
    return Codes(np.append(code, np.zeros(PADDING, dtype=np.uint8)), sizes, total)


def decoded(codes: Codes, sets: list[int]) -> list[list[int]]:
    numbers, ends = codes.decode(np.array(sets, dtype=np.int64))
    return [part.tolist() for part in np.split(numbers, ends[:-1])]


some_sets = st.lists(st.sets(st.integers(0, 2999)), min_size=1, max_size=6)


def below(total: int, sets: list[set[int]]) -> list[np.ndarray]:
    return [np.unique(np.array([n % total for n in s], dtype=np.uint32)) for s in sets]


@in_both_ways
@given(total=st.integers(1, 3000), sets=some_sets)
def test_sets_survive_coding(compiled: bool, total: int, sets: list[set[int]]) -> None:
    arrays = below(total, sets)
    asked = [*range(len(arrays)), 0, len(arrays) - 1]
    with loops(postings, compiled):
        assert decoded(coded(arrays, total), asked) == [arrays[i].tolist() for i in asked]


@in_both_ways
@given(total=st.integers(1, 3000), sets=some_sets, part=st.sets(st.integers(0, 2999)))
def test_what_sets_share_with_a_part(compiled: bool, total: int, sets: list[set[int]], part: set[int]) -> None:
    arrays = below(total, sets)
    held = np.zeros(total, dtype=np.bool_)
    held[[n % total for n in part]] = True

    def coarse(width: int) -> np.ndarray:
        return np.array([held[at : at + (1 << width)].any() for at in range(0, total, 1 << width)])

    expected = [[i, rank, n] for i, a in enumerate(arrays) for rank, n in enumerate(a.tolist()) if held[n]]
    with loops(postings, compiled):
        assert coded(arrays, total).meet(np.arange(len(arrays)), held, coarse).T.tolist() == expected


@needs_compiler
@given(
    total=st.integers(1, 3000),
    sets=some_sets,
    flips=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(1, 255)), max_size=4),
    lies=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6), st.integers(-(1 << 62), 1 << 62)), max_size=2),
)
def test_damage_is_refused_or_stays_within_bounds(
    total: int, sets: list[set[int]], flips: list[tuple[int, int]], lies: list[tuple[int, int, int]]
) -> None:
    codes = coded(below(total, sets), total)
    data, rows = codes.data.copy(), codes._described(np.arange(len(sets)))
    for at, mask in flips:
        data[at % len(data)] ^= mask
    for row, column, value in lies:
        rows[row % len(rows), column] = value
    out = np.empty(int(codes.sizes.sum()), dtype=np.uint32)
    try:
        postings.compiled.decode(data, rows, out)
        held = np.ones(total, dtype=np.bool_)
        shared = np.frombuffer(postings.compiled.meet(data, rows, held), dtype=np.int64).reshape(-1, 3)
    except ValueError:
        return
    assert (out < rows[:, 6].max()).all()
    assert ((shared[:, 2] >= 0) & (shared[:, 2] < total)).all()


@in_both_ways
def test_every_density_of_a_large_universe(compiled: bool) -> None:
    total = 100_003
    rng = np.random.default_rng(7)
    sizes = np.array([0, 1, 2, 3, 100, 25_000, 25_001, 50_000, total - 1, total], dtype=np.int64)
    arrays = [np.sort(rng.choice(total, n, replace=False)).astype(np.uint32) for n in sizes]
    with loops(postings, compiled):
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


@in_both_ways
def test_codes_that_do_not_fit_their_sizes_are_refused(compiled: bool) -> None:
    codes = coded([np.arange(0, 1000, 7)], 1000)
    with pytest.raises(ValueError, match="shorter"):
        Codes(codes.data[:-1], codes.sizes, 1000)
    damaged = codes.data.copy()
    damaged[-PADDING - 3] ^= 255
    with loops(postings, compiled), pytest.raises(ValueError, match="do not fit"):
        Codes(damaged, codes.sizes, 1000).decode(np.array([0]))


def test_space_is_near_the_entropy() -> None:
    total = 1 << 20
    sizes = np.array([4, 64, 1024, 16384], dtype=np.int64)
    bits = code_sizes(sizes, total) * 8
    assert np.all(bits <= sizes * (2 + np.log2(total / sizes)) + 16)
