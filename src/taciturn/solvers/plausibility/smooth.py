"""The numbers of an interval that are products of powers of given numbers, by a sieve."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

__all__ = ["Smooth", "coprime_base"]

_SMALL = [p for p in range(2, 1024) if all(p % q for q in range(2, math.isqrt(p) + 1))]
_FEW = 512


class Smooth:
    """Finds the numbers that may be products of the given ones: those that divide a power of their product.

    A short interval is tested number by number with one modular power each; a long one by a sieve that adds up the
    logarithms of the factors of every number in it: what is not smooth misses a factor of 2 or more, a whole bit, so
    rounding cannot mislead it. A number whose factors are not told apart by the given ones may be found by the one
    way and not by the other; no product is ever missed.

    >>> Smooth([6, 10]).between(30, 61)
    [30, 32, 36, 40, 45, 48, 50, 54, 60]
    """

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = sorted(set(numbers) - {1})
        self._product = math.prod(self._numbers)
        self._base: list[int] | None = None

    def between(self, low: int, high: int) -> list[int]:
        """The numbers n with low <= n < high that may be products, ascending."""
        if high - low <= _FEW:
            return [n for n in range(low, high) if pow(self._product % n, n.bit_length(), n) == 0]
        if self._base is None:
            self._base = coprime_base(self._numbers)
        bits = np.zeros(high - low, dtype=np.float32)
        for b in self._base:
            weight, power = math.log2(b), b
            while power < high:
                start = -low % power
                if start < len(bits):
                    bits[start::power] += weight
                power *= b
        # One threshold serves the whole interval, unless it is so low that its numbers differ by half a bit.
        full = math.log2(low) if 5 * high < 7 * low else np.log2(np.arange(low, high))
        return [low + int(i) for i in np.flatnonzero(bits > full - 0.5)]


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Numbers without common factors whose powers make up each of the given ones, ascending.

    Small factors are primes. What is left of a large number is not factored, only parted from what it shares with
    others, so numbers of any size are fine.

    >>> coprime_base([12, 30, 1000003 * 1000033, 1000003])
    [2, 3, 5, 1000003, 1000033]
    """
    primes: set[int] = set()
    rests: set[int] = set()
    for n in numbers:
        for p in _SMALL:
            if p * p > n:
                break
            if n % p == 0:
                primes.add(p)
                while n % p == 0:
                    n //= p
        if 1 < n < _SMALL[-1] ** 2:
            primes.add(n)
        elif n > 1:
            rests.add(n)
    parted: list[int] = []
    for rest in sorted(rests):
        queue = [rest]
        while queue:
            n = queue.pop()
            for i, known in enumerate([*primes, *parted]):
                if (g := math.gcd(n, known)) > 1:
                    pieces = {g, n // g} - {1}
                    if g < known:
                        del parted[i - len(primes)]
                        pieces |= {known // g}
                    if pieces != {known}:
                        queue += sorted(pieces)
                    break
            else:
                parted.append(n)
    return sorted([*primes, *parted])
