"""Uniform t-PAT exactly: the least cost of Equation 1 over the choices with a product >= t.

With H = log2(product), L = log2(t) and m words the cost is a/m^2 (H - L)^2 + (1-a)/m sum (H_i - L/m)^2. It depends on
the product and on Q = sum H_i^2 alone, so for each product only the least Q matters: states {product: least Q}, word by
word. What keeps the states few is a bound. For any price w of a bit,

    cost = floor + sum_i r_i(v_i) + e(H),   r_i >= 0 and e >= 0,

where r_i(v) is how much worse v is for word i than its best volume at that price, and e(H) how much worse H is than
the best total entropy at that price (Lagrangian duality; the best price makes the floor highest). A choice that costs
no more than floor + gap has all its partial sums of r within the gap, so states beyond it are dropped. It starts
small and doubles until a choice appears: then it is optimal. It stays small because many words can trade fractions of
a bit.

The alternatives: the paper's pruned search (ends at about 50 words) and an integer program (no exact logarithms).
Products are integers and decide feasibility; Q is kept as an integer in units of 2^-40 bit^2, so that sums do not
depend on their order and equal choices are equal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heapify, heapreplace

import numpy as np
from numpy.typing import NDArray

from taciturn.solvers.plausibility.exact import least_product
from taciturn.solvers.plausibility.problem import Chains, Choice, Clock, chosen, cost, distinct_volumes

__all__ = ["uniform"]

_UNIT = float(1 << 40)
_TIE = 1e-12
_MOST_STATES = 1 << 21
_FIRST_WORDS = 16

Volumes = list[tuple[int, ...]]
Floats = NDArray[np.float64]
States = dict[int, tuple[int, float]]


def uniform(chains: Chains, t: int, alpha: float, time_limit: float | None = None) -> Choice:
    """The choice with the least cost (Equation 1) among those with a product >= t; :class:`Infeasible` if none.

    Ties, costs that agree to 1e-12: the least product, then the smallest indices in dictionary order. With alpha = 1
    only the product counts, so this is :func:`least_product`. After ``time_limit`` seconds, or where memory would not
    hold the states, the best choice found is returned with ``optimal=False`` and a ``bound`` that no cost goes below.

    >>> uniform([[1, 4, 32], [1, 2], [1, 2], [1, 2]], 32, alpha=0.5).volumes
    (4, 2, 2, 2)
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha weighs the whole against the single words, between 0 and 1, not {alpha!r}")
    volumes = distinct_volumes(chains, t)
    if not volumes:
        return chosen(chains, (), t, alpha, True)
    if alpha == 1:
        return _by_product(chains, t, time_limit)
    clock = Clock(time_limit)
    problem = _Problem(volumes, t, alpha)
    best = problem.feasible()
    upper = cost(best, t, alpha)
    room = upper - problem.floor
    proven, gap = problem.floor, min(max(problem.first_gap(), room / 4096), room)
    while True:
        try:
            found = problem.within(gap + problem.slack, clock)
        except _OutOfReachError:
            return chosen(chains, best, t, alpha, False, max(0.0, proven - problem.slack))
        proven = problem.floor + gap
        if found is not None:
            best, upper = found, cost(found, t, alpha)
        if upper <= proven + problem.slack / 2:
            return chosen(chains, best, t, alpha, True)
        gap = min(gap * 2, upper - problem.floor)


def _by_product(chains: Chains, t: int, time_limit: float | None) -> Choice:
    found = least_product(chains, t, time_limit)
    above = math.log2(found.bound) - math.log2(t)
    bound = found.cost if found.optimal else (above / len(chains)) ** 2
    return chosen(chains, found.volumes, t, 1.0, found.optimal, bound)


class _OutOfReachError(Exception):
    """Time is out, or the states are too many to hold."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A volume that a word may take: its entropy squared in units, and how much worse than the word's best it is."""

    volume: int
    square: int
    worse: float


class _Problem:
    """One instance with its best price and the floor that the price proves."""

    def __init__(self, volumes: Volumes, t: int, alpha: float) -> None:
        self.volumes, self.t, self.alpha = volumes, t, alpha
        m, self.bits = len(volumes), math.log2(t)
        self.whole, self.single = alpha / m**2, (1 - alpha) / m
        longest = max(map(len, volumes))
        # Short chains are padded with their first volume, which changes no minimum.
        self.entropies: Floats = np.array([[math.log2(v) for v in w] + [0.0] * (longest - len(w)) for w in volumes])
        self.local: Floats = self.single * (self.entropies - self.bits / m) ** 2
        self.price = self._best_price()
        priced = self.local - self.price * self.entropies
        least = priced.min(axis=1)
        self.worse: Floats = priced - least[:, None]
        self.floor = math.fsum(least) + self._least_total(self.price)
        self.slack = 1e-13 * (math.fsum(abs(least)) + abs(self._least_total(self.price))) + 4 * _TIE
        self.squares = [[round(math.log2(v) ** 2 * _UNIT) for v in w] for w in volumes]

    def _best_total(self, price: float) -> float:
        """The total entropy H >= L at which whole (H - L)^2 + price H is least."""
        return self.bits if price >= 0 else self.bits - price / (2 * self.whole)

    def _least_total(self, price: float) -> float:
        total = self._best_total(price)
        return self.whole * (total - self.bits) ** 2 + price * total

    def _best_price(self) -> float:
        """The price with the highest floor: it is concave in the price, so halve on the sign of its slope.

        Any price gives a valid floor, so the last digits do not matter.
        """

        def slope(price: float) -> float:
            at = (self.local - price * self.entropies).argmin(axis=1)
            return self._best_total(price) - float(self.entropies[np.arange(len(at)), at].sum())

        low, high = 0.0, 1.0 / len(self.volumes)
        if slope(0.0) < 0:
            if not self.whole:
                return 0.0
            low, high = -high, 0.0
            while slope(low) < 0 and low > -1e6:
                low *= 2
        else:
            while slope(high) > 0 and high < 1e6:
                high *= 2
        for _ in range(44):
            middle = (low + high) / 2
            low, high = (middle, high) if slope(middle) > 0 else (low, middle)
        return (low + high) / 2

    def feasible(self) -> list[int]:
        """A choice with a product >= t: each word's best at the price, then the cheapest steps up."""
        at = [int(i) for i in self.worse.argmin(axis=1)]
        product = math.prod(w[i] for w, i in zip(self.volumes, at, strict=True))

        def step(i: int) -> tuple[float, int]:
            if at[i] + 1 >= len(self.volumes[i]):
                return math.inf, i
            dearer = self.worse[i, at[i] + 1] - self.worse[i, at[i]]
            return float(dearer / (self.entropies[i, at[i] + 1] - self.entropies[i, at[i]] or math.ulp(1.0))), i

        steps = [step(i) for i in range(len(at))]
        heapify(steps)
        while product < self.t:
            i = steps[0][1]
            at[i] += 1
            product = product // self.volumes[i][at[i] - 1] * self.volumes[i][at[i]]
            heapreplace(steps, step(i))
        return [w[i] for w, i in zip(self.volumes, at, strict=True)]

    def first_gap(self) -> float:
        """A gap within which a few words have a choice at all: with fewer there is hardly anything to find."""
        if self.worse.shape[1] < 2:
            return 0.0
        own = np.arange(self.worse.shape[1]) < np.array([len(w) for w in self.volumes])[:, None]
        second = np.sort(np.where(own, self.worse, np.inf), axis=1)[:, 1]
        return max(float(np.sort(second)[min(_FIRST_WORDS, len(second)) - 1]), self.slack)

    def within(self, gap: float, clock: Clock) -> list[int] | None:
        """The best choice of those that cost at most floor + gap, None if there is none."""
        options: list[list[_Option]] = [[] for _ in self.volumes]
        for i, j in np.argwhere(self.worse <= gap).tolist():
            if j < len(self.volumes[i]):
                options[i].append(_Option(self.volumes[i][j], self.squares[i][j], float(self.worse[i, j])))
        least = [min(o.volume for o in word) for word in options]
        most = [max(o.volume for o in word) for word in options]
        bottom, top = self._range_of_products(gap, math.prod(most))
        # From the last word to the first, so that the choice can be read off from the first to the last.
        layers: list[States] = [{1: (0, 0.0)}]
        states = 0
        below, above = math.prod(least), math.prod(most)
        for i in reversed(range(len(options))):
            below, above = below // least[i], above // most[i]
            layers.append(_extended(layers[-1], options[i], gap, -(-bottom // above), top // below))
            if not layers[-1]:
                return None
            states += len(layers[-1])
            if states > _MOST_STATES or clock.out():
                raise _OutOfReachError
        layers.reverse()
        prices = {product: self._cost(product, square) for product, (square, _) in layers[0].items()}
        limit = min(prices.values()) + _TIE
        product = min(p for p, price in prices.items() if price <= limit)
        square, found = layers[0][product][0], []
        for word, rest in zip(options, layers[1:], strict=True):
            volume, used = min(
                (o.volume, o.square)
                for o in word
                if product % o.volume == 0 and rest.get(product // o.volume, (-1,))[0] == square - o.square
            )
            found.append(volume)
            product, square = product // volume, square - used
        return found

    def _range_of_products(self, gap: float, largest: int) -> tuple[int, int]:
        """The products that are no worse than the gap for their total alone, rounded outward; never below t."""
        if self.price >= 0:
            root = self.price + math.sqrt(self.price**2 + 4 * self.whole * gap)
            low, high = 0.0, 2 * gap / root if root else math.inf
        else:
            middle, reach = -self.price / (2 * self.whole), math.sqrt(gap / self.whole)
            low, high = max(0.0, middle - reach), middle + reach
        if high >= math.log2(largest) - self.bits:
            top = largest
        else:
            top = _times_power(self.t, high * (1 + 1e-9) + 1e-9) + 1
        return max(self.t, _times_power(self.t, low * (1 - 1e-9) - 1e-9)) if low > 1e-6 else self.t, top

    def _cost(self, product: int, square: int) -> float:
        """Equation 1 from the product and the sum of squared entropies."""
        total, m = math.log2(product), len(self.volumes)
        spread = square / _UNIT - 2 * self.bits / m * total + self.bits**2 / m
        return self.whole * (total - self.bits) ** 2 + self.single * spread


def _extended(states: States, options: list[_Option], gap: float, low: int, high: int) -> States:
    """The states after one more word: products within the range, the least sum of squares for each."""
    if len(options) == 1 and options[0].volume == 1:
        return {p: state for p, state in states.items() if low <= p <= high}
    extended: States = {}
    for option in options:
        volume, more, room = option.volume, option.square, gap - option.worse
        for product, (square, worse) in states.items():
            if worse <= room and low <= (grown := product * volume) <= high:
                known = extended.get(grown)
                if known is None or square + more < known[0]:
                    extended[grown] = (square + more, worse + option.worse)
    return extended


def _times_power(t: int, bits: float) -> int:
    """t * 2^bits, rounded down, for integers of any size."""
    whole = math.floor(bits)
    return (t * int(2.0 ** (bits - whole) * (1 << 40)) << whole) >> 40
