"""Texts of our own making, and sessions over them."""

from __future__ import annotations

from taciturn import formats
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized, Model
from taciturn.policy import Policy
from taciturn.review.choices import Choice
from taciturn.review.decisions import Action, Decision, Step
from taciturn.review.session import Session

NOTE = (
    "Mr Tellman, 52, came with a dry cough and night sweats. He has had AIDS for years and takes zidovudine.\n\n"
    "A lesion of Kaposi's sarcoma was seen on his left leg. The AIDS clinic will see him. His dog is well.\n\n"
    "He walks to the market every day and eats bread. An AIDS nurse called on Monday."
)
MODEL = CSanitized(protect=["HIV"])


def session(
    text: str = NOTE, models: Model | Policy = MODEL, steps: tuple[Step, ...] = (), name: str = "note.txt"
) -> Session:
    return Session(formats.read(text.encode(), name), models, Knowledge.default(), steps)


def choice(of: Session, text: str) -> Choice:
    """The first choice about these words."""
    return next(c for c in of.state.standing.choices if text in c.text)


def decision(of: Session, action: Action, text: str, **more: object) -> Decision:
    """A decision on the first choice about these words."""
    return Decision.on(of.document, action, choice(of, text).core, **more)
