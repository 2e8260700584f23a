"""What an adversary makes of released texts: how often it finds whom they speak of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from taciturn.lab.attack import Adversary, reidentified
from taciturn.lab.evaluate.case import Case
from taciturn.lab.evaluate.masking import Masking

__all__ = ["RANKS", "Risk", "risk"]

RANKS = (1, 5, 10)


@dataclass(frozen=True, slots=True)
class Risk:
    """Of the texts whose person the adversary knows: the shares found at rank 1, 5 and 10, and the mean of ranks.

    ``candidates`` is their number, or its mean where it differs by text; ``chance`` is the mean rank of a guess that
    has read nothing.
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


def risk(cases: Sequence[Case], masking: Masking, adversary_for: Callable[[str], Adversary]) -> Risk | None:
    """The risk that is left by a masking: the first name that a case protects is the truth. None if none is known.

    ``adversary_for`` says who guesses where a name is the truth, for it may decide who else is a candidate: what the
    truth is a kind of does not compete with it.
    """
    adversaries = {truth: adversary_for(truth) for truth in dict.fromkeys(c.protect[0] for c in cases if c.protect)}
    called = {truth: adversary.called(truth) for truth, adversary in adversaries.items()}
    known = [
        (adversaries[case.protect[0]](masking.released(case)), name)
        for case in cases
        if case.protect and (name := called[case.protect[0]]) is not None
    ]
    if not known:
        return None
    return Risk(
        next(iter(adversaries.values())).name,
        len(known),
        round(fmean(len(a.guesses) for a, _ in known)),
        tuple(reidentified(known, RANKS).values()),
        fmean(a.rank(truth) or 0.0 for a, truth in known),
        fmean(a.posterior(truth) or 0.0 for a, truth in known),
    )
