"""What every solver of t-plausibility takes and gives: chains, a choice, and the cost of Equation 1."""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Chains", "Choice", "Clock", "Infeasible", "chosen", "cost", "distinct_volumes"]

Chains = Sequence[Sequence[int]]


class Infeasible(ValueError):  # noqa: N818 - it names a fact, as StopIteration does
    """No choice reaches t: even the most general one has ``largest`` base texts only."""

    def __init__(self, t: int, largest: int) -> None:
        super().__init__(
            f"t = {t} cannot be reached: with every word at the top of its chain there are {largest} base texts; "
            f"ask for t = {largest} or less, or mark more words as sensitive"
        )
        self.t = t
        self.largest = largest


@dataclass(frozen=True, slots=True)
class Choice:
    """One volume of each chain.

    ``choice`` holds an index for each word, ``volumes`` the volumes there, ``product`` their product. ``cost`` is
    Equation 1, for :func:`~taciturn.solvers.plausibility.least_product` with alpha = 1. ``optimal`` says that no choice
    does better; ``bound`` is proven either way: no feasible choice has a smaller product (t-PAT) or cost (uniform).
    """

    choice: tuple[int, ...]
    volumes: tuple[int, ...]
    product: int
    cost: float
    optimal: bool
    bound: float | int


class Clock:
    """A time limit in seconds, or none; ``out`` is cheap enough for an inner loop that is not the innermost."""

    def __init__(self, limit: float | None) -> None:
        if limit is not None and not limit >= 0:
            raise ValueError(f"a time limit is 0 seconds or more, or None for no limit, not {limit!r}")
        self._end = None if limit is None else time.perf_counter() + limit

    def out(self) -> bool:
        return self._end is not None and time.perf_counter() >= self._end


def distinct_volumes(chains: Chains, t: int) -> list[tuple[int, ...]]:
    """The distinct volumes of each word, ascending; refuses what is not a chain, and a t that no choice reaches."""
    if t < 1:
        raise ValueError(f"t counts base texts, so it is 1 or more, not {t!r}")
    volumes = []
    for i, chain in enumerate(chains):
        if not chain or chain[0] != 1 or any(a > b for a, b in pairwise(chain)):
            raise ValueError(f"chain {i} starts with 1 and never decreases; it is {list(chain)!r}")
        volumes.append(tuple(dict.fromkeys(chain)))
    largest = math.prod(v[-1] for v in volumes)
    if largest < t:
        raise Infeasible(t, largest)
    return volumes


def cost(volumes: Sequence[int], t: int, alpha: float) -> float:
    """Equation 1 under uniform words, H = log2 of a volume: 0 is perfect, and only if every word has log2(t)/m bits.

    >>> round(cost((32, 1, 1, 1), t=32, alpha=0.5), 2), round(cost((4, 2, 2, 2), t=32, alpha=0.5), 3)
    (2.34, 0.094)
    """
    m, bits = len(volumes), math.log2(t)
    if not m:
        return 0.0
    entropies = [math.log2(v) for v in volumes]
    spread = math.fsum((h - bits / m) ** 2 for h in entropies)
    return alpha / m**2 * (math.log2(math.prod(volumes)) - bits) ** 2 + (1 - alpha) / m * spread


def chosen(
    chains: Chains, volumes: Sequence[int], t: int, alpha: float, optimal: bool, bound: float | int | None = None
) -> Choice:
    """The choice with these volumes, each at the most specific place of its chain; no ``bound``: the value reached."""
    product, price = math.prod(volumes), cost(volumes, t, alpha)
    return Choice(
        tuple(bisect_left(chain, v) for chain, v in zip(chains, volumes, strict=True)),
        tuple(volumes),
        product,
        price,
        optimal,
        price if bound is None else bound,
    )
