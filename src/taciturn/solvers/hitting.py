"""Minimum hitting set: the cheapest elements that meet every one of some sets.

Exact, in three steps. Reduction: supersets, dominated elements and sets of one element go, until nothing changes.
Components that share no element are then solved one by one. Each is searched by branch and bound with the dual bound of
the covering program, which ends at once on the small components that most documents give. What it does not finish
within its budget is improved by local search and proven by cores (:mod:`taciturn.solvers.cores`); the library for
that is loaded only then, since loading it costs more than all small instances together.

Invariant: sets are kept as an antichain of bit masks over elements in ascending order, so results depend on the numbers
alone, never on hashing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite
from time import thread_time

from taciturn.solvers.bitsets import antichain, bits
from taciturn.solvers.cores import cheapest_cover
from taciturn.solvers.swaps import greedy_cover, improved_cover

__all__ = ["Hitting", "minimum_hitting_set"]

WORK = 20_000
ROUNDS = 100
MANY = 10_000
DIGITS = 9
SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Hitting:
    """Elements that meet every set, what they cost, and the proven least cost.

    ``optimal`` says that ``cost`` is the least possible; if a time limit ended the search, ``bound`` is below it.
    """

    chosen: tuple[int, ...]
    cost: float
    optimal: bool
    bound: float


def minimum_hitting_set(
    sets: Sequence[Collection[int]], weights: Sequence[float] | None = None, time_limit: float | None = None
) -> Hitting:
    """The cheapest choice of elements that meets every set; each element costs 1, or ``weights[element]``.

    NP-hard; with a ``time_limit`` in seconds of processor time (so that a busy machine does not change the answer) the
    best choice found so far is given back with the bound reached; this is the one case in which two runs may differ. No
    sets need no element; an empty set cannot be met and raises ``ValueError``, and so does a weight that is not a
    positive number.

    >>> minimum_hitting_set([{1, 2}, {2, 3}, {3, 4}])
    Hitting(chosen=(2, 3), cost=2.0, optimal=True, bound=2.0)
    >>> minimum_hitting_set([{0, 1}, {1, 2}], weights=[1, 5, 2]).chosen
    (0, 2)
    """
    deadline = thread_time() + time_limit if time_limit is not None else inf
    elements = sorted({e for s in sets for e in s})
    cost = [_weight(weights, e) for e in elements]
    rank = {e: i for i, e in enumerate(elements)}
    rows = []
    for s in sets:
        if not s:
            raise ValueError("an empty set cannot be met by any element; leave it out")
        rows.append(sum(1 << rank[e] for e in set(s)))
    chosen, bound = cheapest_hitting(antichain(rows), cost, deadline)
    total = float(sum(cost[i] for i in bits(chosen)))
    return Hitting(tuple(elements[i] for i in bits(chosen)), total, total == bound, bound)


def cheapest_hitting(rows: list[int], cost: Sequence[float], deadline: float = inf) -> tuple[int, float]:
    """The same over bit masks that hold none another, for callers that have them: a choice and the least cost proven.

    The bound is the choice's very cost where it is proven to be the least. ``deadline`` is of :func:`time.thread_time`.

    >>> cheapest_hitting([0b011, 0b110], [1, 1, 1])
    (2, 1.0)
    """
    forced, rows = _reduce(rows, cost)
    chosen, bound = forced, float(sum(cost[i] for i in bits(forced)))
    for component in _components(rows):
        mask, least = _solve(component, cost, deadline)
        chosen |= mask
        bound += least
    total = float(sum(cost[i] for i in bits(chosen)))
    return chosen, total if total - bound <= SLACK * max(1.0, total) else bound


def _weight(weights: Sequence[float] | None, element: int) -> float:
    if weights is None:
        return 1.0
    if not 0 <= element < len(weights):
        raise ValueError(f"the element {element} has no weight; give one for each of 0 to {element}")
    weight = weights[element]
    if not (weight > 0 and isfinite(weight)):
        raise ValueError(f"the weight of element {element} is {weight!r}; weights are positive numbers")
    return float(weight)


def _reduce(rows: list[int], cost: Sequence[float]) -> tuple[int, list[int]]:
    """The elements that some best choice holds for certain, and the rows that are still to be met without them.

    Given an antichain, gives an antichain, the smallest rows first if anything changed.
    """
    forced = 0
    while True:
        units = 0
        for row in rows:
            if not row & (row - 1):
                units |= row
        forced |= units
        if units:  # In an antichain no other row holds the element of a single one.
            rows = [row for row in rows if row & (row - 1)]
        # Among very many rows hardly any element gives way to another, and finding out takes longer than it saves.
        dominated = _dominated(rows, cost) if len(rows) < MANY else 0
        if not dominated:
            return forced, rows
        rows = antichain([row & ~dominated for row in rows])


def _dominated(rows: Collection[int], cost: Sequence[float]) -> int:
    """The elements that can give way to one that costs no more and meets every row they meet.

    Ties fall by the number of rows and then by the order, a strict order: one of any circle stays.
    """
    common: dict[int, int] = {}
    count: dict[int, int] = {}
    for row in rows:
        for e in bits(row):
            common[e] = common.get(e, -1) & row
            count[e] = count.get(e, 0) + 1
    gone = 0
    for e, together in common.items():
        for other in bits(together ^ (1 << e)):
            if (cost[other], -count[other], other) < (cost[e], -count[e], e):
                gone |= 1 << e
                break
    return gone


def _components(rows: Sequence[int]) -> list[list[int]]:
    """Rows in groups that share no element, in order of their first row (union-find over the elements)."""
    above: dict[int, int] = {}

    def top(e: int) -> int:
        while above.setdefault(e, e) != e:
            above[e] = e = above[above[e]]
        return e

    for row in rows:
        first, *others = bits(row)
        for e in others:
            above[top(e)] = top(first)
    groups: dict[int, list[int]] = {}
    for row in rows:
        groups.setdefault(top(row.bit_length() - 1), []).append(row)
    return list(groups.values())


def _solve(rows: list[int], cost: Sequence[float], deadline: float) -> tuple[int, float]:
    """The best choice for one component, and the least cost proven."""
    search = _Search(cost, greedy_cover(rows, cost), deadline)
    whole = all(cost[e].is_integer() for row in rows for e in bits(row))
    if len(rows) < WORK // 10:
        search.visit(rows, 0, 0.0, whole)
        if not search.late:
            return search.best, search.least
    best = improved_cover(rows, cost, search.best, ROUNDS, deadline)
    paid = sum(cost[e] for e in bits(best))
    # The engine counts in whole numbers; other costs are taken to nine digits of the best choice's, and what costs
    # more than all of that is in no better choice.
    scale = 1.0 if whole else 10**DIGITS / paid
    best, least = cheapest_cover(rows, [max(1, round(min(c, paid) * scale)) for c in cost], best, deadline)
    paid = sum(cost[e] for e in bits(best))
    proven = least if whole else (least - best.bit_count()) / scale
    return best, max(min(proven, paid), dual_bound(rows, cost, whole))


def dual_bound(rows: Sequence[int], cost: Sequence[float], whole: bool) -> float:
    """A cost that no choice is below: each row in turn takes what is left of its cheapest element (dual ascent)."""
    left: dict[int, float] = {}
    bound = 0.0
    for row in rows:
        least = min(left.get(e, cost[e]) for e in bits(row))
        if least > 0:
            bound += least
            for e in bits(row):
                left[e] = left.get(e, cost[e]) - least
    return float(ceil(bound - SLACK)) if whole else bound


class _Search:
    """Branch and bound over one component: on the smallest row, the element in most rows first."""

    def __init__(self, cost: Sequence[float], best: int, deadline: float) -> None:
        self.cost = cost
        self.best = best
        self.least = sum(cost[e] for e in bits(best))
        self.deadline = deadline
        self.work = 0
        self.late = False

    def visit(self, rows: list[int], chosen: int, paid: float, whole: bool) -> None:
        self.work += len(rows) + 1
        self.late = self.late or self.work > WORK or thread_time() > self.deadline
        if self.late:
            return
        forced, rows = _reduce(antichain(rows), self.cost)
        chosen |= forced
        paid += sum(self.cost[e] for e in bits(forced))
        if not rows:
            if paid < self.least - SLACK:
                self.best, self.least = chosen, paid
            return
        if paid + dual_bound(rows, self.cost, whole) >= self.least - SLACK:
            return
        count: dict[int, int] = {}
        for row in rows:
            for e in bits(row):
                count[e] = count.get(e, 0) + 1
        barred = 0
        for e in sorted(bits(rows[0]), key=lambda e: (-count[e] / self.cost[e], e)):
            bit = 1 << e
            following = [row & ~barred for row in rows if not row & bit]
            if not all(following):
                return
            self.visit(following, chosen | bit, paid + self.cost[e], whole)
            barred |= bit
