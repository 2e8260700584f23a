"""An entity base seen through a document's terms, and its minimal unsafe sets.

Entities that look alike on the terms collapse into one class with a number, of which no more than K + 1 matter. A set
of terms is *unsafe* when some protected class holds it and no more than K entities do; the sets that are unsafe while
every part of them is safe are the minimal infrequent sets of a base of transactions. They are met depth-first over the
sets that are *free*: of which no term follows from the others. A term that follows from the rest adds nothing to what
they disclose, so no minimal unsafe set lies beyond a set that is not free, and long contexts that many share cost
nothing.

Supports are bits of one integer, a bit an entity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from time import thread_time

from taciturn.solvers.bitsets import bits

__all__ = ["View", "minimal_unsafe_sets"]


@dataclass(frozen=True, slots=True)
class View:
    """What is left of a base on n terms: ``holders[t]`` has a bit for each entity (K + 1 at most of a class) that holds
    term t, ``guarded`` for those of classes with a protected entity, ``masks`` are those classes' sets of terms."""

    k: int
    holders: tuple[int, ...]
    guarded: int
    masks: tuple[int, ...]

    @classmethod
    def of(cls, found: Iterable[tuple[int, bool]], n: int, k: int) -> View:
        """The view of entities given as (mask of the terms held, protected)."""
        number: dict[int, int] = {}
        protected: set[int] = set()
        for mask, guarded in found:
            if mask:
                number[mask] = number.get(mask, 0) + 1
                if guarded:
                    protected.add(mask)
        reach = 0
        for mask in protected:
            reach |= mask
        holders = [0] * n
        shown: dict[int, int] = {}
        for mask, count in number.items():
            # What no protected entity holds cannot set entities apart, so entities may collapse further without it.
            shown[mask & reach] = min(k + 1, shown.get(mask & reach, 0) + count)
        at = guarded_bits = 0
        for mask in sorted(shown):
            if mask:
                block = ((1 << shown[mask]) - 1) << at
                at += shown[mask]
                if mask in protected:
                    guarded_bits |= block
                for t in bits(mask):
                    holders[t] |= block
        return cls(k, tuple(holders), guarded_bits, tuple(sorted(protected)))

    def unsafe(self, mask: int) -> bool:
        """Does a set of terms that some protected entity holds fit no more than K entities?"""
        if not mask:
            return False
        held = -1
        for t in bits(mask):
            held &= self.holders[t]
        return held.bit_count() <= self.k

    def shrunk(self, mask: int, order: Sequence[int]) -> int:
        """A minimal unsafe part of an unsafe set: terms go in the order given, as long as the rest stays unsafe."""
        for t in order:
            if mask >> t & 1 and self.unsafe(mask & ~(1 << t)):
                mask &= ~(1 << t)
        return mask


def minimal_unsafe_sets(view: View, most: int, nodes: int, deadline: float = inf) -> tuple[list[int], bool]:
    """The minimal unsafe sets as masks, and whether these are all: no more than ``most``, looking at ``nodes`` sets,
    before a deadline (of :func:`time.thread_time`).
    """
    holders, guarded, k = view.holders, view.guarded, view.k
    found: list[int] = []
    everyone = 0
    for held in holders:
        everyone |= held
    order = sorted((t for t in range(len(holders)) if holders[t] & guarded), key=lambda t: (holders[t].bit_count(), t))
    # A frame: the set, who holds it, for each of its terms who holds the set but for that term, and what may join.
    stack: list[tuple[int, int, list[int], Collection[int]]] = [(0, everyone, [], order)]
    while stack:
        nodes -= 1
        if nodes < 0 or len(found) > most or (not nodes % 256 and thread_time() > deadline):
            return found, False
        mask, held, critical, tail = stack.pop()
        frequent: list[tuple[int, int]] = []
        for t in tail:
            both = held & holders[t]
            if not both & guarded:
                continue
            count = both.bit_count()
            if count > k:
                if both != held:
                    frequent.append((t, both))
                continue
            for others in critical:
                if (others & holders[t]).bit_count() + count <= k:
                    break
            else:
                found.append(mask | 1 << t)
        following = [t for t, _ in frequent]
        for i, (t, both) in enumerate(frequent):
            if i + 1 == len(following):
                break
            narrowed = [others & holders[t] for others in critical]
            if all(narrowed):
                narrowed.append(held & ~holders[t])
                stack.append((mask | 1 << t, both, narrowed, following[i + 1 :]))
    return found, True
