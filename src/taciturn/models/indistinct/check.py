"""The check of Indistinct: the definition, applied to the released text read anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.models.base import Guarantee, Violation
from taciturn.models.indistinct.contest import Contest
from taciturn.models.indistinct.speaking import Spoken, spoken
from taciturn.plan import Figure
from taciturn.reading import ROUNDING

__all__ = ["recheck"]

_QUOTED = 5  # things that speak most for an entity that stands out


def recheck(
    analysis: Analysis, knowledge: Knowledge, contests: Sequence[Contest], k: int, slack: float, prior: str
) -> Guarantee:
    """Do at least k others fit the text as well as each protected entity, and does nothing name it?"""
    said = spoken(analysis, contests, knowledge)
    failed: list[Violation] = []
    margins: list[int] = []
    for number, contest in enumerate(contests):
        fit = _others(said, number, contest, slack, prior)
        margins.append(fit - k)
        if fit < k:
            failed.append(_stands_out(said, number, contest, fit, k))
        failed += _named(said, contest)
    least = min(margins, default=0)
    figures: dict[str, Figure] = {
        "candidates": min((len(c.candidates) for c in contests), default=0),
        "protected": len(contests),
        "things": len(said.things),
        "least others": least + k,
    }
    margin = float(min(least, -1 if failed else least))
    return Guarantee("", "", not failed, margin, figures=figures, violations=tuple(failed))


def _others(said: Spoken, number: int, contest: Contest, slack: float, prior: str) -> int:
    """How many others that the text does not name fit it as well as the protected entity, added up one by one."""
    bits = said.bits[number]
    total = [float(bits[:, column].sum()) for column in range(len(contest.candidates))]
    if prior == "counts":
        total = [bits + float(more) for bits, more in zip(total, contest.prior, strict=True)]
    least = total[0] - slack - ROUNDING
    return sum(more >= least and unsaid for more, unsaid in zip(total[1:], said.unsaid[number].tolist(), strict=True))


def _stands_out(said: Spoken, number: int, contest: Contest, fit: int, k: int) -> Violation:
    bits = said.bits[number]
    most = np.argsort(-bits[:, 0], kind="stable")[:_QUOTED].tolist()
    telling = [(said.things[i], float(bits[i, 0])) for i in most if bits[i, 0] > 0]
    spans = tuple(sorted((s, s + len(r.text)) for t, _ in telling for r in t.readings for s in r.starts))
    quoted = ", ".join(f"{t.readings[0].text!r} ({b:.1f} bits)" for t, b in telling) or "how often it is spoken of"
    message = f"{quoted} speak for {contest.entity!r}, which only {fit} others fit as well, fewer than {k}"
    return Violation(spans, message, {"others": fit, "k": k})


def _named(said: Spoken, contest: Contest) -> list[Violation]:
    """The things that say all there is to know of an entity."""
    found = []
    for thing in said.things:
        if contest.gives_away(thing.keys):
            spans = tuple(sorted((s, s + len(r.text)) for r in thing.readings for s in r.starts))
            found.append(Violation(spans, f"{thing.readings[0].text!r} gives {contest.entity!r} away", {}))
    return found
