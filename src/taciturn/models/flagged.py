"""What a person must decide about: a text that bears a classification or privilege mark is not released by a program.

To take the mark away and release what it stands on would be the worst of both: so this model changes nothing, and its
guarantee fails as long as such a mark stands in the text and the policy does not allow it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from taciturn.document import Span
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.models.base import Guarantee, Violation
from taciturn.models.matching import Matcher
from taciturn.plan import Plan

__all__ = ["Flagged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """Nothing that a person must decide about stands in the release.

    ``lists``: what is flagged, by the name of the rule. A person who has decided allows the mark in the policy, or
    hides the passage in a review.

    >>> from taciturn.document import Document
    >>> from taciturn.knowledge import ContextCounts
    >>> from taciturn.language import analyze
    >>> model = Flagged(lists={"marks": Matcher(pattern=[r"\\bSECRET\\b"])})
    >>> model.check(analyze(Document.of("SECRET: the plan")), Knowledge(ContextCounts([]))).holds
    False
    """

    lists: Mapping[str, Matcher] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lists", MappingProxyType(dict(self.lists)))
        if not any(len(m) for m in self.lists.values()):
            raise ValueError("nothing is flagged: give patterns, such as lists={'marks': Matcher(pattern=['SECRET'])}")

    @property
    def name(self) -> str:
        return "flagged"

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """No edits: what is flagged is for a person."""
        return Plan(analysis.document)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Search the text for what is flagged; a violation for each place."""
        text = analysis.document.text
        found = sorted((span, rule) for rule, matcher in self.lists.items() for span in matcher.spans(text))
        violations = tuple(
            Violation((span,), f"{text[slice(*span)]!r} is for a person to decide about: {rule}", {"rule": rule})
            for span, rule in found
        )
        return Guarantee(
            self.name,
            "no mark that a person must decide about stands in the text",
            not violations,
            -float(len(violations)) if violations else 1.0,
            {"patterns": sum(map(len, self.lists.values()))},
            {"flags": len(violations)},
            (),
            violations,
            ("flags",),
        )
