"""What is still open before a release, as a list that links to each place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from taciturn.document import Span
from taciturn.review.cards import bases
from taciturn.review.session import Session, State

__all__ = ["Item", "checklist"]

_SHORTEST = 4  # letters of a removed word that is looked for elsewhere: shorter ones stand everywhere


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the list. ``at``: where to look first; ``done``: nothing is open; ``stops``: it blocks a release."""

    name: str
    sentence: str
    done: bool
    at: Span | None = None
    stops: bool = False


def checklist(session: Session, state: State) -> tuple[Item, ...]:
    """Everything that a careful officer looks at before a document leaves the house."""
    return (
        _guarantee(state),
        _undecided(state),
        *_codes(session, state),
        _standing(state),
        _unread(session),
    )


def _guarantee(state: State) -> Item:
    found = state.verdict.violations
    if state.verdict.holds:
        return Item("guarantee", "The guarantee holds.", True)
    spans = [s for v in found for s in v.spans]
    at = (state.applied.to_original(spans[0][0]), state.applied.to_original(spans[0][0]) + 1) if spans else None
    return Item("guarantee", f"The guarantee fails in {_many(len(found), 'place')}.", False, at, True)


def _undecided(state: State) -> Item:
    tasks = [c for c in state.standing.choices if c.status != "open"]
    left = [c for c in tasks if not c.decided]
    if not left:
        done = f"All {len(tasks)} proposals are decided." if tasks else "Nothing needs a decision."
        return Item("undecided", done, True)
    return Item("undecided", f"{len(left)} of {_many(len(tasks), 'proposal')} undecided.", False, left[0].core)


def _codes(session: Session, state: State) -> tuple[Item, ...]:
    """The exemption codes, where the policy has any."""
    if not any(b.code for b in bases(session)):
        return ()
    without = [c for c in state.standing.choices if c.edit and not c.edit.figures.get("code")]
    if not without:
        return (Item("codes", "Every edit has an exemption code.", True),)
    return (Item("codes", f"{_many(len(without), 'edit')} without an exemption code.", False, without[0].core),)


def _standing(state: State) -> Item:
    """Words that were removed in one place and stand in another."""
    gone = {
        e.original.strip() for e in state.applied.plan.edits if not e.local and len(e.original.strip()) >= _SHORTEST
    }
    found = None
    if gone:
        words = "|".join(re.escape(w) for w in sorted(gone, key=len, reverse=True))
        found = re.search(rf"(?<!\w)(?:{words})(?!\w)", state.applied.document.text)
    if found is None:
        return Item("standing", "No removed words stand elsewhere in the release.", True)
    at = state.applied.to_original(found.start())
    return Item("standing", "Words that were removed in one place still stand in another.", False, (at, at + 1))


def _unread(session: Session) -> Item:
    left = (*session.file.unread, *session.file.noticed)
    if not left:
        return Item("unread", "Everything in the file was read.", True)
    return Item("unread", f"Not read, look at it yourself: {'; '.join(left[:4])}.", False)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
