"""Joint counts with one entity, computed within the entity's own contexts.

An entity has hundreds or thousands of contexts where the corpus has half a million. A joint count needs only the part
of every other concept's contexts that lies among them. These parts are short arrays; for groups they are bit sets in
Python integers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.sets import Part, StoredSets, distinct, spread

__all__ = ["Neighbours"]

Ints = NDArray[np.int64]
_TOGETHER = 1 << 21  # bits or words that are in hand at a time


class Neighbours:
    """The contexts of an entity, and what is known of the concepts in them.

    ``joint`` is in how many of the contexts each concept occurs, -1 for one that was not asked for yet.
    """

    def __init__(self, contexts: Ints, total: int, concepts: int, sets: int) -> None:
        self._contexts = contexts
        self._part = Part(contexts, total, sets)
        self._rank = np.zeros(total, dtype=np.int32)
        self._rank[contexts] = np.arange(len(contexts))
        self.joint = np.full(concepts, -1, dtype=np.int32)
        self._ranks = np.zeros(0, dtype=np.int32)
        self._at = np.zeros(concepts, dtype=np.int32)
        self._bits: dict[int, int] = {}

    def add(self, concepts: Ints, pieces: Ints, counts: Ints, stored: StoredSets) -> None:
        """Look through the contexts for more concepts, each the union of so many pieces."""
        every = distinct(pieces)
        sizes, contexts = stored.within(every, self._part)
        chosen = np.searchsorted(every, pieces)
        owner = np.repeat(np.repeat(np.arange(len(concepts)), counts), sizes[chosen])
        ranks = self._rank[contexts][spread((np.cumsum(sizes) - sizes)[chosen], sizes[chosen])]
        # A context may hold several pieces of one concept: it counts once.
        both = distinct(owner * len(self._contexts) + ranks)
        joint = np.bincount(both // len(self._contexts), minlength=len(concepts))
        self.joint[concepts] = joint
        self._at[concepts] = len(self._ranks) + np.cumsum(joint) - joint
        self._ranks = np.concatenate([self._ranks, (both % len(self._contexts)).astype(np.int32)])

    def count(self, concepts: Sequence[int]) -> int:
        """In how many of the contexts concepts that were added occur together, one of them at least."""
        if len(concepts) == 1:
            return int(self.joint[concepts[0]])
        together = self.bits(concepts[0])
        for concept in concepts[1:]:
            together &= self.bits(concept)
        return together.bit_count()

    def count_pairs(self, first: Ints, second: Ints) -> Ints:
        """:meth:`count` of many pairs of concepts that were added, by bits of all of them side by side."""
        every = distinct(np.concatenate([first, second]))
        rows = self._rows(every)
        left, right = np.searchsorted(every, first), np.searchsorted(every, second)
        counts = np.empty(len(first), dtype=np.int64)
        step = max(1, _TOGETHER // rows.shape[1])
        for at in range(0, len(first), step):
            here = slice(at, at + step)
            counts[here] = np.bitwise_count(rows[left[here]] & rows[right[here]]).sum(axis=1, dtype=np.int64)
        return counts

    def _rows(self, concepts: Ints) -> NDArray[np.uint64]:
        """Which of the contexts hold each of some concepts, as a row of bits."""
        words = -(-len(self._contexts) // 64)
        rows = np.empty((len(concepts), words), dtype=np.uint64)
        step = max(1, _TOGETHER // len(self._contexts))
        for at in range(0, len(concepts), step):
            here = concepts[at : at + step]
            sizes = self.joint[here].astype(np.int64)
            held = np.zeros((len(here), words * 64), dtype=np.bool_)
            ranks = self._ranks[spread(self._at[here].astype(np.int64), sizes)]
            held[np.repeat(np.arange(len(here)), sizes), ranks] = True
            rows[at : at + step] = np.packbits(held, axis=1).view(np.uint64)
        return rows

    def bits(self, concept: int) -> int:
        """Which of the contexts hold a concept that was added, as bits."""
        if concept not in self._bits:
            held = np.zeros(len(self._contexts), dtype=np.uint8)
            at = self._at[concept]
            held[self._ranks[at : at + self.joint[concept]]] = 1
            self._bits[concept] = int.from_bytes(np.packbits(held, bitorder="little").tobytes(), "little")
        return self._bits[concept]
