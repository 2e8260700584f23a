"""Local search for coverings: good choices fast, to be proven or beaten by an exact search.

A choice of elements meets every row. A move adds one element and drops all that it makes needless, at once the dearest
first; moves that save cost are taken, moves that cost the same wander, and a short memory keeps them from running back.
Which elements can stand in for a chosen one shows after a few of the rows that it alone meets.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import thread_time

from taciturn.solvers.bitsets import bits, columns

__all__ = ["greedy_cover", "improved_cover"]


def greedy_cover(rows: Sequence[int], cost: Sequence[float]) -> int:
    """A good choice in one pass: the element that meets most rows for its cost, then drop what is not needed.

    >>> bin(greedy_cover([0b011, 0b110, 0b100], [1, 1, 1]))
    '0b110'
    """
    left = list(rows)
    chosen: list[int] = []
    count: dict[int, int] = {}
    for row in left:
        for e in bits(row):
            count[e] = count.get(e, 0) + 1
    while left:
        best = max(count, key=lambda e: (count[e] / cost[e], -e))
        chosen.append(best)
        following = []
        for row in left:
            if row >> best & 1:
                for e in bits(row):
                    count[e] -= 1
            else:
                following.append(row)
        left = following
    mask = sum(1 << e for e in chosen)
    for e in sorted(chosen, key=lambda e: (-cost[e], e)):
        without = mask & ~(1 << e)
        if all(row & without for row in rows):
            mask = without
    return mask


def improved_cover(rows: Sequence[int], cost: Sequence[float], start: int, rounds: int, deadline: float = inf) -> int:
    """The best choice met on a walk of some rounds from a given one; the same walk every time, unless cut short.

    >>> improved_cover([0b011, 0b101, 0b110 << 1, 0b011 << 3], [1] * 5, 0b01110, 20).bit_count()
    2
    """
    holds = columns(rows)
    every = (1 << len(rows)) - 1
    outside = sum(1 << e for e in holds)
    random = Random(0)
    chosen = start
    best, least = start, sum(cost[e] for e in bits(start))
    paid = least
    barred: dict[int, int] = {}
    for turn in range(rounds):
        if thread_time() > deadline:
            break
        once = twice = 0
        for e in bits(chosen):
            twice |= once & holds[e]
            once |= holds[e]
        # What a chosen element alone meets, another one must meet in its place: the elements common to those rows.
        loose: dict[int, list[int]] = {}
        for o in bits(chosen):
            alone, common = holds[o] & ~twice, outside
            while alone and common:
                low = alone & -alone
                common &= rows[low.bit_length() - 1]
                alone ^= low
            for e in bits(common & ~chosen):
                loose.setdefault(e, []).append(o)
        moves: list[tuple[float, int, list[int]]] = []
        for e, freed in loose.items():
            if barred.get(e, 0) <= turn:
                drop = _droppable(chosen | 1 << e, freed, holds, every, cost)
                moves.append((cost[e] - sum(cost[o] for o in drop), e, drop))
        if not moves:
            free = [e for e in holds if not chosen >> e & 1]
            if not free:
                break
            barred.clear()
            e = random.choice(free)
            moves = [(cost[e], e, [])]
        gain = min(m[0] for m in moves)
        change, e, drop = random.choice([m for m in moves if m[0] == gain])
        chosen |= 1 << e
        paid += change
        for o in drop:
            chosen &= ~(1 << o)
            barred[o] = turn + 3 + random.randrange(5)
        if paid < least - 1e-9:
            best, least = chosen, paid
    return best


def _droppable(chosen: int, loose: list[int], holds: dict[int, int], every: int, cost: Sequence[float]) -> list[int]:
    """Those of the loose elements that can go together, the dearest first."""
    if len(loose) == 1:
        return loose
    drop = []
    for o in sorted(loose, key=lambda o: (-cost[o], o)):
        met = 0
        for e in bits(chosen & ~(1 << o)):
            met |= holds[e]
        if met == every:
            chosen &= ~(1 << o)
            drop.append(o)
    return drop
