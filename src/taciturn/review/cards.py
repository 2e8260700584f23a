"""The card of a term: why it is hidden or kept, the figures, the ladder to pick from, the legal basis."""

from __future__ import annotations

from dataclasses import dataclass

from taciturn.generalize.ladder import ladder
from taciturn.knowledge import Knowledge
from taciturn.language import key
from taciturn.models import CSanitized
from taciturn.models.base import Violation
from taciturn.models.excepting import Basis, Excepting
from taciturn.reading import Reading, phrases
from taciturn.report.explain import Explanation, explain_term
from taciturn.review.choices import Choice
from taciturn.review.dials import inner
from taciturn.review.session import Session, State

__all__ = ["Card", "Rung", "bases", "card", "next_rung"]


@dataclass(frozen=True, slots=True)
class Rung:
    """A phrase to pick. ``safe``: by its figures alone; None where no model can say without a check."""

    label: str
    source: str
    bits: float | None
    share: float | None
    safe: bool | None
    chosen: bool


@dataclass(frozen=True, slots=True)
class Card:
    """Everything about one choice."""

    choice: Choice
    mentions: int
    explained: Explanation | None
    verdict: str
    rungs: tuple[Rung, ...]
    violations: tuple[Violation, ...]
    basis: Basis
    why: tuple[str, ...]


def card(session: Session, state: State, choice: Choice) -> Card:
    """The card of a choice, with the figures of the model that protects entities from inference, if there is one."""
    knowledge = session.knowledge
    model = _inference(state)
    explained = explain_term(choice.text, model, knowledge) if model else None
    now = choice.edit.replacement if choice.edit else ""
    if explained:
        rungs = tuple(
            Rung(s.label, s.source, s.ic, s.share, s.safe, _stands(s.label, choice, now)) for s in explained.steps
        )
    else:
        rungs = tuple(
            Rung(label, source, None, None, None, _stands(label, choice, now))
            for label, source in _ladder(choice, knowledge)
        )
    figures = choice.edit.figures if choice.edit else {}
    basis = Basis(str(figures.get("basis", "")), str(figures.get("code", "")))
    verdict = explained.verdict if explained and model else ""
    told = explained.told if explained else ()
    if not told and choice.edit and choice.edit.reason:
        told = (choice.edit.reason,)
    count = len(state.standing.mentions(choice))
    return Card(choice, count, explained, verdict, rungs, _touched(state, choice), basis, told)


def next_rung(found: Card) -> str | None:
    """The next more general rung that is not known to be unsafe; None when the ladder ends: redact then."""
    labels = [r.label for r in found.rungs]
    if found.choice.label in labels:
        at = labels.index(found.choice.label) + 1
    else:
        at = next((i + 1 for i, r in enumerate(found.rungs) if r.chosen), 0)
    return next((r.label for r in found.rungs[at:] if r.safe is not False), None)


def bases(session: Session) -> tuple[Basis, ...]:
    """The legal bases that the policy knows, for a reviewer to name one."""
    found: dict[Basis, None] = {}
    for model in session.models:
        if isinstance(model, Excepting):
            found.update(dict.fromkeys([*model.bases.values(), model.other]))
    return tuple(b for b in found if b != Basis())


def _inference(state: State) -> CSanitized | None:
    return next((m for m in map(inner, state.proposal.models) if isinstance(m, CSanitized)), None)


def _ladder(choice: Choice, knowledge: Knowledge) -> list[tuple[str, str]]:
    name = key(choice.text)
    if not name:
        return []
    kind = choice.edit.kind if choice.edit else "other"
    reading = Reading(choice.text, (name, *phrases(choice.text, name)), kind, 0, "term", (0,))
    return [(r.label, r.source) for r in ladder(reading, knowledge.resolve(name), knowledge)]


def _stands(label: str, choice: Choice, replacement: str) -> bool:
    """Is this rung what the release shows? Articles, number and capitals may differ."""
    if choice.label:
        return choice.label == label
    return bool(replacement) and key(label) == key(replacement)


def _touched(state: State, choice: Choice) -> tuple[Violation, ...]:
    """Where the guarantee fails at this choice's place in the release."""
    if not state.verdict.violations:
        return ()
    start = state.applied.to_released(choice.core[0])
    end = max(state.applied.to_released(choice.core[1] - 1) + 1, start + 1)
    if choice.edit:
        end = max(end, start + len(choice.edit.replacement))
    return tuple(v for v in state.verdict.violations if any(s < end and start < e for s, e in v.spans))
