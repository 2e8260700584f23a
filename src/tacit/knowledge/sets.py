"""The sets of a pack: which contexts hold a key, read from codes on pages that are checked when first read.

A set may be coded by ranks within a larger one (see building/writing.py), so sets are read level by level, those that
others are coded within first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tacit.knowledge.pack import Pages
from tacit.knowledge.postings import Codes

__all__ = ["Part", "StoredSets", "distinct", "spread"]

Ints = NDArray[np.int64]


class Part:
    """A set of contexts of which one asks what it shares with stored sets, and what is known of that.

    ``held`` marks the contexts. ``read`` marks the sets that were asked for; ``shared`` has a column for each of their
    numbers that is held, sorted by set and context: the set, the rank within the set, the context.
    """

    def __init__(self, contexts: Ints, total: int, sets: int) -> None:
        self.held = np.zeros(total, dtype=np.bool_)
        self.held[contexts] = True
        self.read = np.zeros(sets, dtype=np.bool_)
        self.shared = np.zeros((3, 0), dtype=np.int64)
        self._coarse: dict[int, NDArray[np.bool_]] = {}

    def coarse(self, width: int) -> NDArray[np.bool_]:
        """For each run of ``2**width`` contexts: is one of them held?"""
        if width not in self._coarse:
            padded = np.zeros(-(-len(self.held) >> width) << width, dtype=np.bool_)
            padded[: len(self.held)] = self.held
            self._coarse[width] = np.logical_or.reduce(padded.reshape(-1, 1 << width), axis=1)
        return self._coarse[width]


class StoredSets:
    """Sets by number. ``bases``: the set within which each one is coded, -1 for one that is coded by itself."""

    def __init__(self, pages: Pages, sizes: Ints, bases: Ints, total: int) -> None:
        self.sizes = sizes
        self._bases = bases
        self._pages = pages
        self._codes = Codes(pages.data, sizes, np.where(bases < 0, total, sizes[bases]))

    def _levels(self, sets: Ints, read: NDArray[np.bool_]) -> list[Ints]:
        """The sets and those that they are coded within, the latter first; each once, sorted, but for those read."""
        levels = [sets]
        while len(under := self._bases[levels[-1]]) and len(under := under[(under >= 0)]):
            levels.append(under)
        ordered = []
        seen = read.copy()
        for level in reversed(levels):
            if len(new := distinct(level[~seen[level]])):
                ordered.append(new)
                seen[new] = True
        if ordered:
            every = np.concatenate(ordered)
            self._pages.check(self._codes.starts(every), self._codes.ends[every])
        return ordered

    def decode(self, sets: Ints) -> tuple[NDArray[np.uint32], Ints]:
        """The contexts of sets, each sorted, in one array; and where each set's begin in it."""
        levels = self._levels(sets, np.zeros(len(self.sizes), dtype=np.bool_))
        numbers = np.empty(sum(int(self.sizes[level].sum()) for level in levels), dtype=np.uint32)
        at = np.zeros(len(self.sizes), dtype=np.int64)
        end = 0
        for level in levels:
            own = self._bases[level] < 0
            for alone, some in ((True, level[own]), (False, level[~own])):
                for sweep in self._codes.sweeps(some):
                    found, here = sweep.numbers(), some[sweep.which]
                    at[here] = end + sweep.ends - sweep.sizes
                    start, end = end, end + len(found)
                    numbers[start:end] = (
                        found if alone else numbers[found + np.repeat(at[self._bases[here]], sweep.sizes)]
                    )
        return numbers, at[sets]

    def within(self, sets: Ints, part: Part) -> tuple[Ints, Ints]:
        """What of each of some distinct, sorted sets lies in a part: how much of each, and the contexts, set by set.

        Most numbers of a set are seen to lie outside a small part by their high bits alone. What was found before is
        kept with the part.
        """
        for level in self._levels(sets, part.read):
            found = [part.shared]
            own = level[self._bases[level] < 0]
            for sweep in self._codes.sweeps(own):
                near = np.flatnonzero(part.coarse(sweep.width)[sweep.high])
                contexts = sweep.numbers(near)
                held = part.held[contexts]
                near = near[held]
                owner = sweep.owners(near)
                rank = near - (sweep.ends - sweep.sizes)[owner]
                found.append(np.stack([own[sweep.which[owner]], rank, contexts[held]]))
            if len(own) < len(level):
                found.append(self._ranked(level[self._bases[level] >= 0], part.shared))
            together = np.concatenate(found, axis=1)
            part.shared = together[:, np.argsort(together[0] * len(part.held) + together[2])]
            part.read[level] = True
        first, last = (np.searchsorted(part.shared[0], sets, side=side) for side in ("left", "right"))
        return last - first, part.shared[2, spread(first, last - first)]

    def _ranked(self, sets: Ints, known: Ints) -> Ints:
        """The same for sets that are coded by ranks in sets of which it is known."""
        bases = distinct(self._bases[sets])
        number = np.searchsorted(bases, self._bases[sets])
        offset = np.cumsum(self.sizes[bases]) - self.sizes[bases]
        here = np.flatnonzero(np.isin(known[0], bases))
        place = offset[np.searchsorted(bases, known[0, here])] + known[1, here]
        order = np.argsort(place)
        held = np.zeros(int(self.sizes[bases].sum()), dtype=np.bool_)
        held[place] = True
        ranks, ends = self._codes.decode(sets)
        sizes = self.sizes[sets]
        ranks += np.repeat(offset[number], sizes)
        at = np.flatnonzero(held[ranks])
        contexts = known[2, here[order[np.searchsorted(place, ranks[at], sorter=order)]]]
        owner = np.searchsorted(ends, at, side="right")
        return np.stack([sets[owner], at - (ends - sizes)[owner], contexts])


def distinct(numbers: Ints) -> Ints:
    """The numbers sorted, each once. ``np.unique`` hashes, which takes ten times as long where most differ.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(numbers)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def spread(starts: Ints, sizes: Ints) -> Ints:
    """The places of runs: ``starts[i]`` and the following, ``sizes[i]`` of them, run after run.

    >>> spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(sizes)
    places: Ints = np.repeat(starts - (ends - sizes), sizes)
    places += np.arange(len(places))
    return places
