"""The result of an attack: candidates in order, and how often the true one is among the first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document

__all__ = ["Adversary", "Attack", "Guess", "ranked", "reidentified"]


@dataclass(frozen=True, slots=True)
class Guess:
    """A candidate with the bits that the text gives for it, its posterior, and the terms that speak most for it.

    ``said``: the text says it openly, so that nobody has to guess."""

    name: str
    bits: float
    posterior: float
    evidence: tuple[tuple[str, float], ...]
    said: bool = False


@dataclass(frozen=True, slots=True)
class Attack:
    """The candidates, the likeliest first; ``unknown`` are those of whom the adversary knows nothing."""

    guesses: tuple[Guess, ...]
    unknown: tuple[str, ...]
    terms: int

    def rank(self, name: str) -> float | None:
        """The place of a candidate, from 1; equal bits share the mean of their places. None if it is unknown.

        What the text says openly is found, and stands in nobody's way: who looks for what is hidden passes over it.
        """
        own = next((g for g in self.guesses if g.name == name), None)
        if own is None:
            return None
        if own.said:
            return 1.0
        unsaid = [g.bits for g in self.guesses if not g.said]
        return sum(bits > own.bits for bits in unsaid) + (1 + unsaid.count(own.bits)) / 2

    def posterior(self, name: str) -> float | None:
        """The probability of a candidate among all of them."""
        return next((g.posterior for g in self.guesses if g.name == name), None)


class Adversary(Protocol):
    """Whoever ranks candidates by a text. ``name`` says by which way."""

    @property
    def name(self) -> str: ...

    def called(self, name: str) -> str | None:
        """A candidate as the guesses call it; None if it is no candidate of whom something is known."""

    def __call__(self, text: str | Document) -> Attack: ...


def ranked(
    names: Sequence[str],
    sums: NDArray[np.float64],
    posteriors: NDArray[np.float64],
    evidence: Iterable[tuple[tuple[str, float], ...]],
    unknown: tuple[str, ...],
    terms: int,
) -> Attack:
    """Candidates in order of their sums, then of their names."""
    # Rounded, so that what differs only by the order of additions is equal.
    rows = zip(names, sums.tolist(), posteriors.tolist(), evidence, strict=True)
    guesses = [Guess(name, round(bits, 6), chance, terms) for name, bits, chance, terms in rows]
    return Attack(tuple(sorted(guesses, key=lambda g: (-g.bits, g.name))), unknown, terms)


def reidentified(attacks: Sequence[tuple[Attack, str]], ranks: Sequence[int] = (1, 5, 10)) -> dict[int, float]:
    """Of texts attacked, with the truth for each: the share for which the truth came at each rank or better."""
    if not attacks:
        raise ValueError("no attacks to count")
    places = [a.rank(truth) for a, truth in attacks]
    return {r: sum(p is not None and p <= r for p in places) / len(places) for r in ranks}
