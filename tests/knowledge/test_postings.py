"""Codes of sets: what goes in comes out, at every density."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.knowledge.postings import code_sizes, decode, encode


def cut(code: np.ndarray, sizes: np.ndarray, total: int) -> list[np.ndarray]:
    ends = np.cumsum(code_sizes(sizes, total))
    assert ends[-1] == len(code)
    return [code[e - s : e] for e, s in zip(ends, code_sizes(sizes, total), strict=True)]


@given(st.integers(1, 3000), st.lists(st.sets(st.integers(0, 2999)), min_size=1, max_size=6))
def test_sets_survive_coding(total: int, sets: list[set[int]]) -> None:
    arrays = [np.array(sorted(n % total for n in s), dtype=np.uint32) for s in sets]
    arrays = [np.unique(a) for a in arrays]
    sizes = np.array([len(a) for a in arrays], dtype=np.int64)
    code = encode(np.concatenate(arrays), sizes, total)
    for given_set, found in zip(arrays, decode(cut(code, sizes, total), sizes, total), strict=True):
        assert found.tolist() == given_set.tolist()


def test_every_density_of_a_large_universe() -> None:
    total = 100_003
    rng = np.random.default_rng(7)
    sizes = np.array([0, 1, 2, 3, 100, 25_000, 25_001, 50_000, total - 1, total], dtype=np.int64)
    arrays = [np.sort(rng.choice(total, n, replace=False)).astype(np.uint32) for n in sizes]
    codes = cut(encode(np.concatenate(arrays), sizes, total), sizes, total)
    for given_set, found in zip(arrays, decode(codes, sizes, total), strict=True):
        assert np.array_equal(given_set, found)


def test_space_is_near_the_entropy() -> None:
    total = 1 << 20
    sizes = np.array([4, 64, 1024, 16384], dtype=np.int64)
    bits = code_sizes(sizes, total) * 8
    assert np.all(bits <= sizes * (2 + np.log2(total / sizes)) + 16)
