"""How often rivals and keys occur together: every rival's contexts turned round, so that a key is asked once for all.

A key in n contexts costs n look-ups, whatever the number of rivals. Counts that do not list their contexts are asked
for the table of keys and rivals instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.counts.base import Counts
from taciturn.language.keys import Key

__all__ = ["JointCounts"]

Ints = NDArray[np.int64]


class JointCounts:
    """The contexts of rivals, by the keys under which counts know them (None for a rival that they do not know).

    ``field`` bounds what counts as a context of a key: who reads a clinical note knows that it is one.

    >>> from taciturn.knowledge import ContextCounts
    >>> joint = JointCounts(["rome", "paris"], None, ContextCounts([{"rome", "pope"}, {"paris", "tower"}, {"tower"}]))
    >>> [(alone, rivals.tolist(), n.tolist()) for alone, rivals, n in joint.with_keys(["tower", "pope", "sea"])]
    [(2, [1], [1]), (1, [0], [1]), (0, [], [])]
    """

    def __init__(self, rivals: Sequence[Key | None], field: Key | None, counts: Counts) -> None:
        self._rivals = tuple(rivals)
        self._field = field
        self._counts = counts

    @cached_property
    def total(self) -> int:
        """The number of contexts of the field."""
        return self._counts.count(self._field) if self._field is not None else self._counts.total

    @cached_property
    def alone(self) -> Ints:
        """In how many contexts of the field each rival occurs."""
        within = (self._field,) if self._field is not None else ()
        known = [i for i, k in enumerate(self._rivals) if k is not None]
        found = np.zeros(len(self._rivals), dtype=np.int64)
        groups = [(*within, k) for k in self._rivals if k is not None]
        found[known] = self._counts.count_many(groups) if groups else 0
        return found

    @cached_property
    def _contexts(self) -> tuple[Ints, NDArray[np.int32]] | None:
        """Where the rivals of each context begin, and the rivals, context by context; None if nothing lists them."""
        listed: list[Ints] = []
        for k, n in zip(self._rivals, self.alone.tolist(), strict=True):
            found = self._counts.listed(k) if k is not None and n else _NONE
            if found is None:
                return None
            listed.append(found)
        every = np.concatenate(listed) if listed else _NONE
        owners = np.repeat(np.arange(len(listed), dtype=np.int32), [len(one) for one in listed])
        order = np.argsort(every, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(every, minlength=self._counts.total))])
        return starts, owners[order]

    @cached_property
    def _within(self) -> NDArray[np.bool_]:
        """Which contexts are of the field."""
        inside = np.full(self._counts.total, self._field is None)
        if self._field is not None and (listed := self._counts.listed(self._field)) is not None:
            inside[listed] = True
        return inside

    def with_keys(self, keys: Sequence[Key]) -> Iterator[tuple[int, Ints, Ints]]:
        """For each key: its contexts in the field, the rivals that it occurs with, and how often with each."""
        if self._contexts is None:
            yield from self._by_table(keys)
            return
        starts, owners = self._contexts
        for k in keys:
            at = self._counts.listed(k)
            if at is None or not (alone := int(self._within[at].sum())):
                yield 0, _NONE, _NONE
                continue
            begin, sizes = starts[at], starts[at + 1] - starts[at]
            ends = np.cumsum(sizes)
            places = np.arange(ends[-1]) + np.repeat(begin - (ends - sizes), sizes)
            often = np.bincount(owners[places], minlength=len(self._rivals))
            met = np.flatnonzero((often > 0) & (self.alone > 0))
            yield alone, met, often[met]

    def _by_table(self, keys: Sequence[Key]) -> Iterator[tuple[int, Ints, Ints]]:
        known = [i for i, k in enumerate(self._rivals) if k is not None and self.alone[i]]
        table = self._counts.table([k for i in known if (k := self._rivals[i]) is not None], keys)
        within = (self._field,) if self._field is not None else ()
        of_keys = self._counts.count_many([(*within, k) for k in keys]) if keys else _NONE
        for at, alone in enumerate(of_keys.tolist()):
            met = np.flatnonzero(table[1:, at])
            yield alone, np.array(known, dtype=np.int64)[met], table[1:, at][met]


_NONE: Ints = np.zeros(0, dtype=np.int64)
