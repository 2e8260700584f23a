"""Counts over sets of positions: in how many strings of a list a word's characters recur, for every set at once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["agreement", "popcounts", "superset_counts"]


@lru_cache(maxsize=32)
def popcounts(bits: int) -> NDArray[np.uint8]:
    """The number of ones in each number of so many bits."""
    counts = np.zeros(1, dtype=np.uint8)
    for _ in range(bits):
        counts = np.concatenate((counts, counts + np.uint8(1)))
    return counts


def superset_counts(lists: list[NDArray[np.int32]], rows: int) -> NDArray[np.int32]:
    """For each set of positions (the first one is the highest bit) how many rows are in the lists of all of them.

    Element 0, the empty set, means nothing.
    """
    bits = len(lists)
    agreed: NDArray[Any] = np.zeros(rows, dtype=np.uint16 if bits <= 16 else np.uint32)
    met_rows = np.concatenate(lists) if lists else np.empty(0, dtype=np.int32)
    weights = (1 << np.arange(bits - 1, -1, -1)).astype(agreed.dtype)
    np.add.at(agreed, met_rows, np.repeat(weights, [found.size for found in lists]))
    if 3 * met_rows.size > rows:
        histogram = np.bincount(agreed, minlength=1 << bits)
    else:
        # A row that agrees in n positions is met n times: dividing is cheaper than finding the distinct rows.
        histogram = np.bincount(agreed.take(met_rows), minlength=1 << bits)
        met = np.flatnonzero(histogram)
        histogram[met] //= popcounts(bits)[met]
    # Sum over supersets: the lowest bits by one product with a 0/1 matrix, for numpy is slow in short steps, then a
    # bit at a time.
    low = min(bits, 5)
    counts = (histogram.reshape(-1, 1 << low).astype(np.float64) @ _supersets(low)).astype(np.int32).reshape(-1)
    for bit in range(low, bits):
        halves = counts.reshape(-1, 2, 1 << bit)
        halves[:, 0] += halves[:, 1]
    return counts


@lru_cache(maxsize=8)
def _supersets(bits: int) -> NDArray[np.float64]:
    """A matrix with 1 in row a and column b where the set a holds the set b."""
    numbers = np.arange(1 << bits)
    holds: NDArray[np.bool_] = (numbers[:, None] & numbers) == numbers
    return holds.astype(np.float64)


def agreement(lists: list[NDArray[np.int32]], rows: int) -> NDArray[np.uint8]:
    """A 0/1 matrix: a row for each string that shares a position with the word, a column for each position."""
    shares = np.zeros(rows, dtype=bool)
    for found in lists:
        shares[found] = True
    line = np.cumsum(shares) - 1
    matrix = np.zeros((int(shares.sum()), len(lists)), dtype=np.uint8)
    for column, found in enumerate(lists):
        matrix[line[found], column] = 1
    return matrix
