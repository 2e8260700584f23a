"""What every model can be asked, and what it answers.

A model is a frozen value with its parameters. ``plan`` says what to change in a document, ``check`` whether the
guarantee holds for a released one. The check starts from a fresh analysis of the released text. It takes nothing from
the plan, but uses the same analysis and the same knowledge: CONTRIBUTING lists what each model's plan and check share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Protocol, runtime_checkable

from taciturn.document import Span
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.plan import Figure, Plan

__all__ = ["Bindable", "Guarantee", "Model", "Violation", "as_terms"]


def as_terms(value: str | Sequence[str]) -> tuple[str, ...]:
    """The terms that a parameter names. A string is one term: read as a sequence it would be its letters.

    >>> as_terms("May Rose"), as_terms(["HIV", "AIDS"])
    (('May Rose',), ('HIV', 'AIDS'))
    """
    return (value,) if isinstance(value, str) else tuple(value)


@dataclass(frozen=True, slots=True)
class Violation:
    """A place of the released text where a guarantee fails: private, it quotes the text."""

    spans: tuple[Span, ...]
    message: str
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One model's answer about a released text.

    ``statement`` and ``parameters`` are published: they are the same whatever is protected. Of the ``figures`` those
    that ``public`` names are published: what the released text gives by itself. All others are private, as is
    ``margin``, how far the text is from failing, in the model's own unit, negative when it fails: who computes them for
    one entity after another finds the protected one. ``protected`` holds the names for those who ask for them.
    """

    model: str
    statement: str
    holds: bool
    margin: float
    parameters: Mapping[str, Figure] = field(default_factory=dict, hash=False)
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)
    protected: tuple[str, ...] = field(default=(), repr=False)
    violations: tuple[Violation, ...] = field(default=(), repr=False)
    public: tuple[str, ...] = field(default=(), repr=False)

    def told(self) -> dict[str, Any]:
        """Margin and figures as plain data: for the report, never for the public.

        >>> Guarantee("k-safe", "it fits others", True, 2.0, figures={"fits": 5}).told()
        {'model': 'k-safe', 'holds': True, 'margin': 2.0, 'figures': {'fits': 5}}
        """
        margin = round(self.margin, 9) if isfinite(self.margin) else None
        return {"model": self.model, "holds": self.holds, "margin": margin, "figures": dict(self.figures)}

    @property
    def published(self) -> dict[str, Figure]:
        """The figures that may be published.

        >>> Guarantee("k-safe", "it fits others", True, 2.0, figures={"k": 3, "fits": 5}, public=("k",)).published
        {'k': 3}
        """
        return {name: self.figures[name] for name in self.public if name in self.figures}


class Model(Protocol):
    """A privacy model with its parameters.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> from taciturn.models import Denied
    >>> model, knowledge = Denied(protect=["HIV"]), Knowledge.default()
    >>> plan = model.plan(analyze(Document.of("HIV is here.")), knowledge)
    >>> [(edit.original, edit.replacement) for edit in plan.edits]
    [('HIV', '[REDACTED]')]
    >>> model.check(analyze(Document.of("[REDACTED] is here.")), knowledge).holds
    True
    """

    @property
    def name(self) -> str:
        """The name by which the command line and policies know it."""

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits after which the guarantee holds, as few and as small as the model finds."""

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Does the guarantee hold for this released text? ``replaced`` are the spans known to be replacements."""


@runtime_checkable
class Bindable(Protocol):
    """A model that takes a parameter from the original: what it hides there is what its check must look for."""

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Model:
        """The model for this one document."""
