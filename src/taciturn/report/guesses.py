"""What a reader would guess: the candidates for what a text hides, before and after, and what speaks for each.

The reader adds up what the text says of each candidate, as :mod:`taciturn.models.indistinct` does. A candidate that is
said openly is known and no guess; the others share the chances by 2 to the power of their bits. Bits of things that go
together are added as if they did not, so the order is better founded than the shares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span
from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.language import Analysis
from taciturn.models.base import Model
from taciturn.models.indistinct import Indistinct
from taciturn.models.indistinct.contest import Contest
from taciturn.models.indistinct.speaking import Spoken, spoken
from taciturn.models.names import inner_model, protected
from taciturn.plan import Applied

__all__ = ["Guess", "Picture", "chances", "contests_of", "guess", "picture", "pictures"]

Floats = NDArray[np.float64]

_SHOWN = 5  # expressions that a guess quotes


@dataclass(frozen=True, slots=True)
class Guess:
    """A candidate: the bits that the text gives for it, its share of the guesses, whether the text says it openly, and
    the expressions that speak most for it."""

    name: str
    bits: float
    share: float
    said: bool
    speaks: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What a reader makes of an original and of its release, for one protected entity.

    ``before`` and ``after`` are the likeliest guesses, the protected entity always among them; ``rank_before`` and
    ``rank_after`` its places. ``speaks`` lists what still speaks for it in the release, the most telling first.
    ``edits`` says for each edit, in order, how many of its bits that edit took away.
    """

    entity: str
    candidates: int
    before: tuple[Guess, ...]
    after: tuple[Guess, ...]
    rank_before: int
    rank_after: int
    speaks: tuple[tuple[str, float], ...]
    edits: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data: private, it names what is protected."""
        return asdict(self)


def chances(bits: Floats) -> Floats:
    """Shares from bits: 2^bits, made to sum to 1.

    >>> chances(np.array([1.0, 0.0, 0.0])).tolist()
    [0.5, 0.25, 0.25]
    """
    if not len(bits):
        return bits
    each = np.exp2(bits - bits.max())
    shares: Floats = each / each.sum()
    return shares


def guess(analysis: Analysis, contest: Contest, knowledge: Knowledge, shown: int = _SHOWN) -> tuple[Guess, ...]:
    """The candidates of a contest, those that the text says openly first, then the likeliest.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> [contest] = Indistinct(protect="gout", among=["asthma", "gout", "syphilis"]).contests(Knowledge.default())
    >>> [g.name for g in guess(analyze(Document.of("He takes allopurinol.")), contest, Knowledge.default())][:1]
    ['gout']
    """
    return _listed(spoken(analysis, [contest], knowledge), 0, contest, shown)


def _listed(said: Spoken, number: int, contest: Contest, shown: int) -> tuple[Guess, ...]:
    bits = said.bits[number]
    total = np.round(bits.sum(axis=0), 6)
    openly = np.concatenate([[_is_said(said, contest)], ~said.unsaid[number]])
    shares = np.where(openly, 1.0, 0.0)
    shares[~openly] = chances(total[~openly])
    order = sorted(range(len(total)), key=lambda i: (not openly[i], -total[i], contest.candidates[i]))
    return tuple(
        Guess(
            contest.candidates[i],
            float(total[i]),
            float(shares[i]),
            bool(openly[i]),
            _speaking(said, bits[:, i])[:shown] if rank < 100 else (),
        )
        for rank, i in enumerate(order)
    )


def _is_said(said: Spoken, contest: Contest) -> bool:
    return any(contest.gives_away(thing.keys) for thing in said.things)


def _speaking(said: Spoken, bits: Floats) -> tuple[tuple[str, float], ...]:
    """The things that speak for a candidate, each by its first expression, the most telling first."""
    order = np.argsort(-bits, kind="stable").tolist()
    return tuple((said.things[i].readings[0].text, round(float(bits[i]), 2)) for i in order if bits[i] > 0)


def rank_of(guesses: Sequence[Guess], name: str) -> int:
    """The place of a candidate: 1 if the text says it openly, else among those that it does not say; ties count as
    better, for a guess is one of them."""
    own = next(g for g in guesses if g.name == name)
    return 1 if own.said else 1 + sum(g.bits > own.bits for g in guesses if not g.said)


def picture(
    original: Analysis, released: Analysis, applied: Applied, contest: Contest, knowledge: Knowledge, top: int = 8
) -> Picture:
    """What a reader makes of an original and its release.

    >>> import taciturn
    >>> model = taciturn.Indistinct(protect="gout")
    >>> report = taciturn.sanitize("He takes allopurinol for his gout.", model).report
    >>> [contest] = model.contests(report.knowledge)
    >>> found = picture(report.original, report.released, report.applied, contest, report.knowledge)
    >>> found.rank_before, found.rank_after > 5
    (1, True)
    """
    first, last = spoken(original, [contest], knowledge), spoken(released, [contest], knowledge)
    before, after = (_listed(said, 0, contest, _SHOWN) for said in (first, last))
    taken = [
        round(_at(first, (e.start, e.end)) - _at(last, span), 2)
        for e, span in zip(applied.plan.edits, applied.spans, strict=True)
    ]
    return Picture(
        contest.entity,
        len(contest.candidates),
        _top(before, contest.entity, top),
        _top(after, contest.entity, top),
        rank_of(before, contest.entity),
        rank_of(after, contest.entity),
        _speaking(last, last.bits[0][:, 0]),
        tuple(taken),
    )


def _top(guesses: Sequence[Guess], entity: str, top: int) -> tuple[Guess, ...]:
    """The likeliest guesses that are not said openly, and the protected entity wherever it stands."""
    shown = [g for g in guesses if not g.said or g.name == entity]
    return (*shown[:top], *(g for g in shown[top:] if g.name == entity))


def _at(said: Spoken, span: Span) -> float:
    """The bits for the protected entity that stand in a span: each thing's, divided among its places."""
    bits = 0.0
    for thing, of in zip(said.things, said.bits[0][:, 0].tolist(), strict=True):
        places = {(s, s + len(r.text)) for r in thing.readings for s in r.starts}
        bits += of * sum(a < span[1] and span[0] < b for a, b in places) / max(len(places), 1)
    return bits


def contests_of(models: Sequence[Model], knowledge: Knowledge) -> tuple[Contest, ...]:
    """A contest for each concept that some models protect by name; none for what has no kind, such as a person."""
    found: dict[str, Contest] = {}
    for model in models:
        inner = inner_model(model)
        asked = [inner] if isinstance(inner, Indistinct) else []
        if not asked:
            asked = [Indistinct(protect=one.name) for one in protected(model) if one.kinds and not one.person]
        for one in asked:
            try:
                found |= {c.entity: c for c in one.contests(knowledge) if c.entity not in found}
            except UnknownTermError:
                continue
    return tuple(found.values())


def pictures(
    original: Analysis, released: Analysis, applied: Applied, models: Sequence[Model], knowledge: Knowledge
) -> tuple[Picture, ...]:
    """A picture for each concept that some models protect, so many as people look at.

    >>> import taciturn
    >>> report = taciturn.sanitize("He takes allopurinol.", taciturn.CSanitized(protect="gout")).report
    >>> found = pictures(report.original, report.released, report.applied, report.models, report.knowledge)
    >>> [one.entity for one in found]
    ['gout']
    """
    asked = contests_of(models, knowledge)[:_PICTURES]
    return tuple(picture(original, released, applied, contest, knowledge) for contest in asked)


_PICTURES = 5
