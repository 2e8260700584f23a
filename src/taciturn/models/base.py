"""What every model can be asked, and what it answers.

A model is a frozen value with its parameters. ``plan`` says what to change in a document, ``check`` whether the
guarantee holds for a released one. The check starts from a fresh analysis of the released text and shares nothing with
the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from tacit.document import Span
from tacit.knowledge import Knowledge
from tacit.language import Analysis
from tacit.plan import Figure, Plan

__all__ = ["Bindable", "Guarantee", "Model", "Violation"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A place of the released text where a guarantee fails: private, it quotes the text."""

    spans: tuple[Span, ...]
    message: str
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One model's answer about a released text.

    ``parameters`` and ``figures`` are public: they name no term of the text, and protected entities only as numbers
    ("entity 1"). ``protected`` holds their names for those who ask for them. ``margin`` is how far the text is from
    failing, in the model's own unit, negative when it fails.
    """

    model: str
    statement: str
    holds: bool
    margin: float
    parameters: Mapping[str, Figure] = field(default_factory=dict, hash=False)
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)
    protected: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()


class Model(Protocol):
    """A privacy model with its parameters."""

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
