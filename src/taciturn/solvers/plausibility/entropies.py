"""Uniform t-PAT over entropies: words whose base values are not equally likely, or not equally sensitive.

Under Equations 2 to 4 a step of a word's chain has H = -sum p log2 p bits instead of log2 of a volume, and the entropy
of a text is the sum over its independent words. Equation 1 is the same, but that a word's expected entropy may be
another share of log2 t than 1/m: the shares say how sensitive the words are (Section V).

Sums of entropies are kept on a grid of 1/1024 bit, or a coarser one for very long texts. On the grid they are whole
numbers, and for each only the least local cost matters: one array over the sums, word by word, m * steps * sums in all.
Whether a choice has log2 t bits is decided by its entropies themselves. So what is chosen always has them, and is the
best but for choices whose sums fall on one point of the grid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taciturn.solvers.plausibility.problem import Infeasible

__all__ = ["entropy_cost", "least_entropy_cost"]

_FINEST = 1 << 10
_MOST_CELLS = 1 << 26
_TINY = 1e-9

Entropies = Sequence[Sequence[float]]


def entropy_cost(entropies: Sequence[float], bits: float, alpha: float, shares: Sequence[float]) -> float:
    """Equation 1 for the entropies of single words; ``bits`` is log2 t, ``shares`` sum to 1.

    >>> round(entropy_cost([5.0, 0.0, 0.0, 0.0], 5.0, 0.5, [0.25] * 4), 2)
    2.34
    """
    m = len(entropies)
    spread = math.fsum((h - bits * share) ** 2 for h, share in zip(entropies, shares, strict=True))
    return alpha / m**2 * (math.fsum(entropies) - bits) ** 2 + (1 - alpha) / m * spread if m else 0.0


def least_entropy_cost(chains: Entropies, bits: float, alpha: float, shares: Sequence[float]) -> tuple[int, ...]:
    """The step of each chain with the least :func:`entropy_cost` among the choices of at least ``bits`` bits.

    A chain starts with 0, the word itself. Ties: the least sum, then the most specific steps of the last words. Raises
    :class:`Infeasible` where all words at their highest entropies have too few bits.

    >>> least_entropy_cost([[0.0, 2.0, 5.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]], 5.0, 0.5, [0.25] * 4)
    (1, 1, 1, 1)
    >>> least_entropy_cost([[0.0, 1.0, 3.0], [0.0, 1.0, 3.0]], 4.0, 0.5, [0.9, 0.1])
    (2, 1)
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha weighs the whole against the single words, between 0 and 1, not {alpha!r}")
    highest = math.fsum(max(chain) for chain in chains)
    if highest < bits - _TINY:
        raise Infeasible(math.ceil(2**bits - _TINY), math.floor(2**highest))
    reach = min(highest, bits + _reach(chains, bits, alpha, shares))
    grid = _FINEST
    while grid > 1 and len(chains) * (reach + 1) * grid > _MOST_CELLS:
        grid //= 2
    units = [[math.floor(h * grid + _TINY) for h in chain] for chain in chains]
    top = math.ceil(reach * grid) + 1
    least: NDArray[np.float64] = np.full(top + 1, np.inf)
    least[0] = 0.0
    taken: list[NDArray[np.uint8]] = []
    for chain, sizes, share in zip(chains, units, shares, strict=True):
        after = np.full(top + 1, np.inf)
        step = np.zeros(top + 1, dtype=np.uint8)
        for number, (h, size) in enumerate(zip(chain, sizes, strict=True)):
            if size > top:
                continue
            found = least[: top + 1 - size] + (h - bits * share) ** 2
            better = found < after[size:] - 1e-12
            after[size:][better] = found[better]
            step[size:][better] = number
        least = after
        taken.append(step)
    m, sums = len(chains), np.arange(top + 1)
    with np.errstate(invalid="ignore"):
        total = alpha / max(m, 1) ** 2 * (sums / grid - bits) ** 2 + (1 - alpha) / max(m, 1) * least
    # Rounding takes less than a unit from each word, so smaller sums have too few bits for certain.
    right = np.flatnonzero(np.isfinite(least) & (sums >= math.ceil(bits * grid) - m - 1))
    for at in right[np.argsort(np.round(total[right], 12), kind="stable")].tolist():
        chosen = _steps_to(at, units, taken)
        if math.fsum(chain[i] for chain, i in zip(chains, chosen, strict=True)) >= bits - _TINY:
            return chosen
    return tuple(chain.index(max(chain)) for chain in chains)


def _steps_to(at: int, units: Sequence[Sequence[int]], taken: Sequence[NDArray[np.uint8]]) -> tuple[int, ...]:
    """The steps that led to a sum, from the last word back to the first."""
    chosen: list[int] = []
    for sizes, step in zip(reversed(units), reversed(taken), strict=True):
        chosen.append(int(step[at]))
        at -= sizes[chosen[-1]]
    return tuple(reversed(chosen))


def _reach(chains: Entropies, bits: float, alpha: float, shares: Sequence[float]) -> float:
    """How far above ``bits`` the best sum may lie, by the cost of a choice that can be made at once.

    No term of a sum of squares exceeds the whole: (H - L)^2 <= m^2 C / alpha, and by Cauchy and Schwarz
    (H - L)^2 <= m^2 C / (1 - alpha).
    """
    entropies = [min((abs(h - bits * s), h) for h in chain)[1] for chain, s in zip(chains, shares, strict=True)]
    for word in sorted(range(len(chains)), key=lambda i: entropies[i] - max(chains[i])):
        if math.fsum(entropies) >= bits:
            break
        entropies[word] = max(chains[word])
    price = entropy_cost(entropies, bits, alpha, shares)
    return len(chains) * math.sqrt(price / max(alpha, 1 - alpha)) + 1.0
