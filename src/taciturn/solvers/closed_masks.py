"""The largest set of columns that at least k rows share: branch and bound over closed sets.

The rows are strings of one length, a column is a position, and a cell says whether the string agrees with a word
there. A set of columns is *closed* if no other column is shared by all the rows that share it. The best set is
closed, for a column that all its rows share could be added at no loss. The problem is NP-hard (a maximum biclique);
what makes it easy on real lists is the bound: no set shared by k rows is larger than the k-th largest row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ClosedSet", "largest_shared"]

Matrix = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """Columns, how many rows share them, and the most columns that any set could still have (their number if proven).

    No columns and no rows mean that no column is shared by k rows, if ``bound`` is 0, or that none was found.
    """

    columns: tuple[int, ...]
    rows: int
    bound: int


def _weight(columns: tuple[int, ...], width: int) -> int:
    """Orders sets of equal size: the smaller, the further left lie the columns that are *not* in the set."""
    return sum(1 << (width - 1 - c) for c in columns)


def largest_shared(agree: Matrix, k: int, limit: int = 100_000) -> ClosedSet:
    """The largest set of one or more columns of a 0/1 matrix that k rows or more share, in all of its columns.

    Ties: the set that more rows share, then the one whose complement lies further left. The search stops after
    ``limit`` nodes, a number and not a time, so that every machine gives the same answer. A node costs O(rows times
    columns) of what the bound has left over, most often a few dozen rows.

    >>> largest_shared(np.array([[1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 1, 1], [1, 1, 0, 0]], dtype=np.uint8), 3)
    ClosedSet(columns=(0, 1), rows=3, bound=2)
    """
    width = agree.shape[1]
    best: tuple[int, ...] = ()
    best_rows = best_weight = 0
    # A node: the rows left, the columns that may still join (numbers and matrix), the columns that all rows share.
    stack: list[tuple[Matrix, NDArray[np.int64], tuple[int, ...]]] = []
    node: tuple[Matrix, NDArray[np.int64], tuple[int, ...]] | None = (agree, np.arange(width), ())
    visited = 0
    open_bound = 0
    while node is not None:
        matrix, columns, shared = node
        node = None
        visited += 1
        if visited > limit:
            open_bound = max(_bound(m, len(s), k) for m, _, s in [(matrix, columns, shared), *stack])
            break
        while True:
            rows = matrix.shape[0]
            if rows < k:
                break
            counts = matrix.sum(axis=0, dtype=np.int32)
            everywhere = counts == rows
            if everywhere.any():
                shared = (*shared, *columns[everywhere].tolist())
            if shared and len(shared) >= len(best):
                weight = _weight(shared, width)
                if (len(shared), rows, -weight) > (len(best), best_rows, -best_weight):
                    best, best_rows, best_weight = shared, rows, weight
            usable = (counts >= k) & ~everywhere
            if not usable.all():
                matrix, columns, counts = matrix[:, usable], columns[usable], counts[usable]
            if not columns.size:
                break
            sizes = matrix.sum(axis=1, dtype=np.int32)
            need = len(best) - len(shared)
            # A row that agrees in fewer columns than the best set has cannot share a set as good as the best.
            strong = sizes >= max(need, 1)
            if strong.all():
                if need <= 0 or _promising(sizes, columns, shared, k, (len(best), best_rows, best_weight), width):
                    pick = int(counts.argmax())
                    others = np.arange(columns.size) != pick
                    stack.append((matrix[:, others], columns[others], shared))
                    node = (matrix[matrix[:, pick] == 1][:, others], columns[others], (*shared, int(columns[pick])))
                break
            matrix = matrix[strong]
        if node is None and stack:
            node = stack.pop()
    return ClosedSet(tuple(sorted(best)), best_rows, max(open_bound, len(best)))


def _bound(matrix: Matrix, shared: int, k: int) -> int:
    """No set below a node has more columns than this."""
    if matrix.shape[0] < k:
        return 0
    sizes = matrix.sum(axis=1, dtype=np.int32)
    return shared + int(np.partition(sizes, -k)[-k])


def _promising(
    sizes: NDArray[np.int32],
    columns: NDArray[np.int64],
    shared: tuple[int, ...],
    k: int,
    best: tuple[int, int, int],
    width: int,
) -> bool:
    """Can a set below this node beat the best one: by size, by its rows, or by lying better?"""
    best_size, best_rows, best_weight = best
    bound = len(shared) + int(np.partition(sizes, -k)[-k])
    if bound != best_size:
        return bound > best_size
    if sizes.size != best_rows:
        return sizes.size > best_rows
    lightest = columns[columns.size - (best_size - len(shared)) :].tolist()
    return _weight((*shared, *lightest), width) < best_weight
