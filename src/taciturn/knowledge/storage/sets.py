"""The sets of a pack: which contexts hold a key, read from codes on pages that are checked when first read.

A set may be coded by ranks within a larger one (see building/writing.py), so sets are read level by level, those that
others are coded within first.
"""

from __future__ import annotations

from array import array
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from taciturn.knowledge.storage import postings
from taciturn.knowledge.storage.pack import Pages
from taciturn.knowledge.storage.postings import Codes

__all__ = ["Part", "StoredSets", "distinct", "spread", "united"]

Ints = NDArray[np.int64]
Whole = TypeVar("Whole", bound=np.integer[Any])


class Part:
    """A set of contexts of which one asks what it shares with stored sets, and what is known of that.

    ``held`` marks the contexts, ``read`` the sets that were asked for. What a set shares stands in one place, from
    ``firsts`` on: of each number its rank within the set, and the context.
    """

    def __init__(self, contexts: Ints, total: int, sets: int) -> None:
        self.held = np.zeros(total, dtype=np.bool_)
        self.held[contexts] = True
        self.read = np.zeros(sets, dtype=np.bool_)
        self._firsts, self._sizes = np.zeros((2, sets), dtype=np.int32)
        self._ranks, self._contexts = np.zeros((2, 0), dtype=np.int32)
        self._coarse: dict[int, NDArray[np.bool_]] = {}

    def add(self, sets: Ints, owners: Ints, ranks: Ints, contexts: NDArray[np.integer[Any]]) -> None:
        """What some sets share, set after set: the place of the set in ``sets``, the rank in it, the context."""
        sizes = np.bincount(owners, minlength=len(sets))
        self._firsts[sets] = len(self._ranks) + np.cumsum(sizes) - sizes
        self._sizes[sets] = sizes
        self._ranks = np.concatenate([self._ranks, ranks.astype(np.int32)])
        self._contexts = np.concatenate([self._contexts, contexts.astype(np.int32)])
        self.read[sets] = True

    def shared(self, sets: Ints) -> tuple[Ints, NDArray[np.int32], NDArray[np.int32]]:
        """How much of each of some sets lies in the part; then, set after set, ranks and contexts."""
        sizes = self._sizes[sets].astype(np.int64)
        at = spread(self._firsts[sets].astype(np.int64), sizes)
        return sizes, self._ranks[at], self._contexts[at]

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
            own = level[self._bases[level] < 0]
            start, end = end, end + int(self.sizes[own].sum())
            _, ends = self._codes.decode(own, numbers[start:end])
            at[own] = start + ends - self.sizes[own]
            if len(own) < len(level):
                ranked = level[self._bases[level] >= 0]
                ranks, ends = self._codes.decode(ranked)
                start, end = end, end + len(ranks)
                at[ranked] = start + ends - self.sizes[ranked]
                numbers[start:end] = numbers[np.repeat(at[self._bases[ranked]], self.sizes[ranked]) + ranks]
        return numbers, at[sets]

    def within(self, sets: Ints, part: Part) -> tuple[Ints, NDArray[np.int32]]:
        """What of each of some sets lies in a part: how much of each, and the contexts, set by set, each sorted.

        What was found before is kept with the part.
        """
        for level in self._levels(sets, part.read):
            own = level[self._bases[level] < 0]
            part.add(own, *self._codes.meet(own, part.held, part.coarse))
            if len(own) < len(level):
                self._add_ranked(level[self._bases[level] >= 0], part)
        sizes, _, contexts = part.shared(sets)
        return sizes, contexts

    def _add_ranked(self, sets: Ints, part: Part) -> None:
        """The same for sets that are coded by ranks in sets of which it is known."""
        bases = distinct(self._bases[sets])
        offsets = np.cumsum(self.sizes[bases]) - self.sizes[bases]
        shared, ranks, contexts = part.shared(bases)
        # For each number of a base, where it stands among what the base shares.
        places = np.full(int(self.sizes[bases].sum()), -1, dtype=np.int32)
        places[np.repeat(offsets, shared) + ranks] = np.arange(len(ranks))
        numbers, ends = self._codes.decode(sets)
        sizes = self.sizes[sets]
        places = places[numbers + np.repeat(offsets[np.searchsorted(bases, self._bases[sets])], sizes)]
        at = np.flatnonzero(places >= 0)
        owners = np.searchsorted(ends, at, side="right")
        part.add(sets, owners, at - (ends - sizes)[owners], contexts[places[at]])


def united(numbers: NDArray[np.uint32], ranges: Ints, total: int) -> BitMap:
    """The numbers in some ranges, first and end, each range sorted, all numbers below ``total``; as a bitmap.

    >>> united(np.array([1, 5, 2, 5], np.uint32), np.array([[0, 2], [2, 4]]), 9)
    BitMap([1, 2, 5])
    """
    if postings.compiled is not None:
        return BitMap.deserialize(postings.compiled.unite(numbers, np.ascontiguousarray(ranges), total))
    parts = [numbers[first:end] for first, end in ranges.tolist()]
    together = parts[0] if len(parts) == 1 else np.concatenate(parts)
    if len(parts) > 1 and len(together) * 8 < total:
        together.sort()
    elif len(parts) > 1:
        held = np.zeros(total, dtype=np.bool_)
        held[together] = True
        together = np.flatnonzero(held).astype(np.uint32)
    whole = array("I")
    whole.frombytes(together.data.cast("B"))
    return BitMap(whole)


def distinct(numbers: NDArray[Whole]) -> NDArray[Whole]:
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
