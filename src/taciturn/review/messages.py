"""What a step did to the guarantee, in a sentence for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from taciturn.models.base import Violation
from taciturn.review.decisions import Dial, Step
from taciturn.review.session import Session, State

__all__ = ["Effect", "effect", "greeting", "infers", "shown"]

_DOING = {
    "accept": "accepting",
    "keep": "keeping",
    "redact": "redacting",
    "replace": "showing",
    "mark": "marking",
}


@dataclass(frozen=True, slots=True)
class Effect:
    """``tone``: "broke" the guarantee, "healed" it, or left it as it was ("same", or "fails" if it failed before)."""

    tone: str
    sentence: str


def effect(session: Session, before: State, after: State, step: Step, *, undone: bool = False) -> Effect:
    """What a step, or taking it back, did to the guarantee and to what the text says."""
    doing = _doing(step, undone)
    kept, now = session.utility(before), session.utility(after)
    change = now - kept
    if abs(change) < 0.0005:
        cost = f"{now:.1%} of the information stays, as before"
    else:
        cost = f"{now:.1%} of the information stays ({change:+.1%})"
    new = _new(before.verdict.violations, after.verdict.violations)
    if new:
        more = f", and {len(new) - 1} more" if len(new) > 1 else ""
        return Effect("broke", f"{doing} {infers(new[0])}{more}; {cost}")
    if not after.verdict.holds:
        left = len(after.verdict.violations)
        return Effect("fails", f"{doing} leaves {left} place{'s' * (left != 1)} where the guarantee fails; {cost}")
    if not before.verdict.holds:
        return Effect("healed", f"{doing}: the guarantee holds again; {cost}")
    return Effect("same", f"{doing}: the guarantee holds; {cost}")


def greeting(state: State, tasks: int, decided: int) -> str:
    """What a page says before anything is done on it."""
    if not state.verdict.holds:
        if decided or state.proposal.certificate.holds:
            found = len(state.verdict.violations)
            return f"As decided so far the guarantee fails in {found} place{'s' * (found != 1)}. Press n to go there."
        return "The models found no release for which the guarantee holds. Redact what is flagged, or turn the dial."
    if not tasks:
        return "Nothing needs a decision: the models propose no change. Search, or read and mark what they missed."
    if decided == tasks:
        return "Everything is decided. Release when you are ready."
    return f"What is proposed stands in colour: {tasks - decided} of {tasks} to decide. Press j to begin."


def infers(violation: Violation) -> str:
    """What a violation lets a reader do, as the second half of a sentence.

    >>> infers(Violation(((0, 6),), "'kaposi' reveals ...", {"entity": "HIV", "pmi": 6.9, "limit": 4.9}))
    'lets a reader infer HIV: it tells 1.4 times what is allowed'
    """
    figures = violation.figures
    if {"entity", "pmi", "limit"} <= figures.keys():
        together = violation.message.split(" reveal", 1)[0]
        by = f" from {together} together" if len(violation.spans) > 1 and " and " in together else ""
        pmi, limit = float(figures["pmi"]), float(figures["limit"])
        much = f"it tells {pmi / limit:.1f} times what is allowed" if pmi > 1.05 * limit else "it tells too much"
        return f"lets a reader infer {figures['entity']}{by}: {much}"
    return f"breaks the guarantee: {violation.message}"


def _new(before: Sequence[Violation], after: Sequence[Violation]) -> list[Violation]:
    """The violations that were not there before, each as often as it is new."""
    known = Counter(v.message for v in before)
    found = []
    for violation in after:
        if known[violation.message]:
            known[violation.message] -= 1
        else:
            found.append(violation)
    return found


def _doing(step: Step, undone: bool) -> str:
    back = "taking back: " if undone else ""
    if isinstance(step, Dial):
        return f"{back}{step.parameter} at {step.value:g}"
    what = f"{step.text!r}" + (f" as {step.label!r}" if step.action == "replace" else "")
    return f"{back}{_DOING[step.action]} {what}" + (" everywhere" if step.everywhere else "")


def shown(step: Step) -> str:
    """A step in words, for the record."""
    return _doing(step, False)
