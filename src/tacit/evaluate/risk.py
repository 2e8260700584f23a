"""What an adversary makes of released texts: how often it finds whom they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from tacit.attack import Adversary, reidentified
from tacit.evaluate.cases import Case
from tacit.evaluate.masking import Masking

__all__ = ["RANKS", "Risk", "risk"]

RANKS = (1, 5, 10)


@dataclass(frozen=True, slots=True)
class Risk:
    """Of the texts whose person the adversary knows: the shares found at rank 1, 5 and 10, and the mean of ranks.

    ``chance`` is the mean rank of a guess that has read nothing.
    """

    adversary: str
    texts: int
    candidates: int
    found: tuple[float, ...]
    mean_rank: float
    mean_posterior: float

    @property
    def chance(self) -> float:
        return (self.candidates + 1) / 2


def risk(cases: Sequence[Case], masking: Masking, adversary: Adversary) -> Risk | None:
    """The risk that is left by a masking: the first name that a case protects is the truth. None if none is known."""
    attacks = [(adversary(masking.released(case)), case.protect[0]) for case in cases if case.protect]
    known = [(a, truth) for a, truth in attacks if a.rank(truth) is not None]
    if not known:
        return None
    return Risk(
        adversary.name,
        len(known),
        len(known[0][0].guesses),
        tuple(reidentified(known, RANKS).values()),
        fmean(a.rank(truth) or 0.0 for a, truth in known),
        fmean(a.posterior(truth) or 0.0 for a, truth in known),
    )
