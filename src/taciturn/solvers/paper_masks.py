"""The paper's own way to an anonymization dictionary (Maeda et al. 2016, section 3.2): the baseline.

Pairs of a character and a position have sets of strings (step 1-1 and 1-2); the set of a pattern that keeps n
characters is the intersection of two sets of patterns that keep n - 1 (step 1-3); when no pattern of a level reaches
the threshold, the process breaks (step 1-4). The time grows with the number of patterns times the size of their sets.
"""

from __future__ import annotations

from taciturn.solvers.mask_arrays import code_points
from taciturn.solvers.masks import MaskIndex

__all__ = ["pair_sets", "paper_dictionary"]

Positions = tuple[int, ...]


def pair_sets(index: MaskIndex, word: str) -> list[set[int]]:
    """For each position of a word the set of strings of its length that have its character there: T(l, c, i)."""
    return [set(rows.tolist()) for rows in index.postings(code_points(word))]


def paper_dictionary(sets: list[set[int]], threshold: int = 2) -> dict[Positions, int]:
    """The k of the patterns of a word, by the positions that they keep, level by level until the threshold breaks.

    Patterns of levels after the break are missing: all of them have a k below the threshold.

    >>> index = MaskIndex(["crew", "brew", "crow", "draw"])
    >>> paper_dictionary(pair_sets(index, "crew"))[(1, 3)]
    4
    """
    level: dict[Positions, set[int]] = {(i,): rows for i, rows in enumerate(sets)}
    found: dict[Positions, int] = {}
    while level and len(next(iter(level))) < len(sets):
        found.update((positions, len(rows)) for positions, rows in level.items())
        if max(map(len, level.values())) < threshold:
            break
        following: dict[Positions, set[int]] = {}
        for positions, rows in level.items():
            for last in range(positions[-1] + 1, len(sets)):
                # The other parent drops the second-last position, so the two together are the new pattern.
                other = level[(*positions[:-1], last)] if len(positions) > 1 else sets[last]
                following[(*positions, last)] = rows & other
        level = following
    return found
