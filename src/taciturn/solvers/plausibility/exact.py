"""t-PAT exactly: the least product >= t of one volume from each chain.

The problem is subset product, NP-hard, but its instances are easy at one end or the other, so two searches take turns
with growing budgets, and whichever ends first has proven its answer:

- **Counting up.** Try N = t, t + 1, ...: N is a product of volumes only if it has no other prime factors than they
  (a sieve tells), and then a table of N's divisors, word by word, decides. With many words almost every such N is a
  product, and the answer lies close to t.
- **Meeting in the middle.** List the distinct products of two halves of the words, and find for each of the one the
  least partner of the other. With few words, or volumes that share factors, the lists are short. Words beyond what
  memory allows are enumerated depth-first around the two lists.

The alternatives measured: a dense table of all products below t (as fast for t below 10^5, hopeless beyond 10^8) and
the paper's pruned search (exponential in the words). Whatever search ends first, the same choice comes out: the least
product, and of the choices with that product the one whose tuple of indices comes first in dictionary order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from taciturn.solvers.plausibility.problem import Chains, Choice, Clock, chosen, distinct_volumes
from taciturn.solvers.plausibility.smooth import Smooth

__all__ = ["least_product"]

Volumes = list[tuple[int, ...]]
Products = NDArray[np.int64] | NDArray[np.object_]

_FIRST_COUNT, _LONGEST_COUNT, _STEPS_FOR_EACH = 1 << 8, 1 << 20, 8
_FIRST_LIST, _LONGEST_LIST = 1 << 9, 1 << 20
_MACHINE = 1 << 62


def least_product(chains: Chains, t: int, time_limit: float | None = None) -> Choice:
    """The choice with the least product >= t; raises :class:`Infeasible` where there is none.

    Ties: of the choices with that product the one with the smallest indices in dictionary order, so early words
    stay as they are as long as possible. After ``time_limit`` seconds the best product found is returned with
    ``optimal=False`` and ``bound``, below which no product lies.

    >>> least_product([[1, 3], [1, 5], [1, 7]], 16).product
    21
    """
    volumes = distinct_volumes(chains, t)
    search = _Search(volumes, t, _greedy(volumes, t))
    search.run(Clock(time_limit))
    proven = search.proven >= search.best
    return chosen(chains, _first_choice(volumes, search.best), t, 1.0, proven, min(search.proven, search.best))


def _greedy(volumes: Volumes, t: int) -> int:
    """A product >= t: cover what is left of t by the word's largest volume, or finish with its least that suffices."""
    left, product = t, 1
    for word in sorted(volumes, key=lambda v: v[-1], reverse=True):
        v = next((v for v in word if v >= left), word[-1])
        product *= v
        left = -(-left // v)
    return product


@dataclass
class _Search:
    """The state that the two searches share: the ``best`` product known, and ``proven``: none lies below it."""

    volumes: Volumes
    t: int
    best: int
    proven: int = field(init=False)

    def __post_init__(self) -> None:
        self.proven = self.t
        self.words = [tuple(v for v in word if v > 1) for word in self.volumes]
        self.owners: dict[int, list[int]] = {}
        for i, word in enumerate(self.words):
            for v in word:
                self.owners.setdefault(v, []).append(i)
        self.smooth = Smooth(self.owners)

    def run(self, clock: Clock) -> None:
        count, longest = _FIRST_COUNT, _FIRST_LIST
        while longest < _LONGEST_LIST:
            if self._count_up(count, clock) or self._meet(longest, clock) or clock.out():
                return
            count, longest = min(count * 8, _LONGEST_COUNT), longest * 4
        for _ in self._meet_around(clock):
            if self._count_up(_LONGEST_COUNT, clock) or clock.out():
                return
        if not clock.out():
            self.proven = self.best

    def _count_up(self, count: int, clock: Clock) -> bool:
        """Test some numbers from ``proven`` upward, fewer if they turn out hard; True if the best is now proven."""
        end = min(self.proven + count, self.best)
        steps = 0
        for n in self.smooth.between(self.proven, end):
            is_product, more = self._is_product(n)
            if is_product:
                self.best = self.proven = n
                return True
            self.proven = n + 1
            steps += more
            if steps > count * _STEPS_FOR_EACH or clock.out():
                return False
        self.proven = end
        return self.proven >= self.best

    def _is_product(self, n: int) -> tuple[bool, int]:
        """Is n a product of one volume a word? By the divisors of n that the words so far reach."""
        dividing: dict[int, list[int]] = {}
        for v, owners in self.owners.items():
            if n % v == 0:
                for i in owners:
                    dividing.setdefault(i, []).append(v)
        reached, steps = {1}, len(self.owners)
        for word in dividing.values():
            steps += len(reached) * len(word)
            reached |= {d * v for d in reached for v in word if n % (d * v) == 0}
            if n in reached:
                return True, steps
        return False, steps

    def _meet(self, longest: int, clock: Clock) -> bool:
        """Meet in the middle with lists no longer than given; False if they would be, or time runs out."""
        halves = self._halves(longest, clock)
        if halves.outer or clock.out():
            return False
        self._join(halves, 1)
        self.proven = self.best
        return True

    def _meet_around(self, clock: Clock) -> Iterator[None]:
        """Meet in the middle for each product of the words that the two lists have no room for."""
        halves = self._halves(_LONGEST_LIST, clock)
        tops = [word[-1] for word in halves.outer]
        inner = halves.largest
        beyond = [inner * math.prod(tops[i:]) for i in range(len(tops) + 1)]
        stack = [(0, 1)]
        while stack and self.proven < self.best:
            i, product = stack.pop()
            if product >= self.best or product * beyond[i] < self.t:
                continue
            if i == len(halves.outer):
                self._join(halves, product)
                yield
            else:
                stack += [(i + 1, product * v) for v in reversed((1, *halves.outer[i]))]

    def _halves(self, longest: int, clock: Clock) -> _Halves:
        """Two lists of the products below t over disjoint words, the next word always to the shorter list."""
        self.best = min([self.best, *(v for word in self.words for v in word if v >= self.t)])
        dtype: type = np.int64 if self.best < _MACHINE else object
        lists: list[Products] = [np.array([1], dtype=dtype), np.array([1], dtype=dtype)]
        largest = [1, 1]
        all_words = math.prod(word[-1] for word in self.volumes)
        words = sorted((tuple(v for v in word if v < self.t) for word in self.words), key=len)
        for at, word in enumerate(words):
            if not word:
                continue
            shorter = 0 if len(lists[0]) <= len(lists[1]) else 1
            if len(lists[shorter]) * (len(word) + 1) > longest or clock.out():
                return _Halves(lists[0], lists[1], math.prod(largest), [w for w in words[at:] if w])
            largest[shorter] *= word[-1]
            others = all_words // largest[shorter]
            products = self._times(lists[shorter], word)
            lists[shorter] = products[products.searchsorted(-(-self.t // others)) :] if others < self.t else products
        return _Halves(lists[0], lists[1], math.prod(largest), [])

    def _times(self, products: Products, word: tuple[int, ...]) -> Products:
        """The distinct products below t of a list and one more word; those from t up may be the best known."""
        parts = [products]
        for v in word:
            # Only products below the best are formed: larger ones are of no use, and would overflow.
            part = products[: products.searchsorted((self.best - 1) // v, side="right")] * v
            at = int(part.searchsorted(self.t))
            if at < len(part):
                self.best = int(part[at])
            parts.append(part[:at])
        joined: Products = np.unique(np.concatenate(parts))
        return joined

    def _join(self, halves: _Halves, outer: int) -> None:
        """The best product of ``outer`` with one number of each list."""
        need, below = -(-self.t // outer), (self.best - 1) // outer
        left, right = halves.left, halves.right
        if len(left) > len(right):
            left, right = right, left
        at = right.searchsorted(-(-need // left))
        inside = at < len(right)
        left, partners = left[inside], right[at[inside]]
        short = partners <= below // left
        if short.any():
            self.best = outer * int((left[short] * partners[short]).min())


@dataclass
class _Halves:
    """Two sorted lists of products, the ``largest`` product of their words, and the words of neither."""

    left: Products
    right: Products
    largest: int
    outer: list[tuple[int, ...]]


def _first_choice(volumes: Volumes, product: int) -> list[int]:
    """The volumes with this product whose indices come first in dictionary order.

    ``reached[d]`` is the last word i such that words i, i + 1, ... have a choice with product d: since every word may
    stay at 1, all earlier i have one as well. Then each word in turn takes its least volume that the rest can complete.
    """
    m = len(volumes)
    reached = {1: m}
    first = m
    while product not in reached:
        first -= 1
        dividing = [v for v in volumes[first] if v > 1 and product % v == 0]
        for d in list(reached):
            for v in dividing:
                if product % (d * v) == 0:
                    reached.setdefault(d * v, first)
    found, left = [1] * first, product
    for i in range(first, m):
        v = next(v for v in volumes[i] if left % v == 0 and reached.get(left // v, -1) > i)
        found.append(v)
        left //= v
    return found
