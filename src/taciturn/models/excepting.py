"""A model within a policy: it ignores the terms that the policy allows, and its edits carry the policy's legal basis.

Allowed spans are blanked in the text that the model gets, character by character, so that offsets stay the same. The
model then neither changes nor checks them. This works for every model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from taciturn.document import Document, Span
from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.language import Analysis
from taciturn.models.base import Bindable, Guarantee, Model
from taciturn.models.matching import Matcher, cut_terms, union
from taciturn.plan import Edit, Figure, Plan, resolve
from taciturn.recognizers import family

__all__ = ["Basis", "Excepting"]

_COVER = "·"  # neither a letter, nor a figure, nor white space, nor a mask


@dataclass(frozen=True, slots=True)
class Basis:
    """Why something may be withheld: the legal basis in words, and the code of the exemption."""

    basis: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excepting:
    """A ``model`` that ignores allowed terms.

    ``allow``: what is allowed. ``places``: places of a file that are left as they are ("header"). ``bases``: the basis
    of each rule ("kind email", "term HIV") or protected entity; ``other`` where none of them is known. ``policy``: the
    policy's name, for the certificate.
    """

    model: Model
    allow: Matcher = field(default_factory=Matcher)
    places: tuple[str, ...] = ()
    bases: Mapping[str, Basis] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    other: Basis = field(default_factory=Basis)
    policy: str = ""

    @property
    def name(self) -> str:
        return self.model.name

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Excepting:
        """The model for one document, and the bases of entities under the keys that the knowledge has for them."""
        model = self.model
        if isinstance(model, Bindable):
            model = model.bind(self._covered(analysis)[0], knowledge)
        return replace(self, model=model, bases=MappingProxyType({**_by_key(self.bases, knowledge), **self.bases}))

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The model's edits, outside what is allowed, with their basis."""
        document = analysis.document
        covered, _ = self._covered(analysis)
        edits = []
        for edit in self.model.plan(covered, knowledge).edits:
            original = document.text[edit.start : edit.end]
            edits.append(replace(edit, original=original, figures=self._figures(edit)))
        return Plan(document, resolve(edits, document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """The model's guarantee for everything but what is allowed, with the number of allowed mentions."""
        covered, allowed = self._covered(analysis)
        guarantee = self.model.check(covered, knowledge, replaced)
        figures: dict[str, Figure] = dict(guarantee.figures)
        statement = guarantee.statement
        if len(self.allow) or self.places:
            figures["mentions allowed"] = allowed
            statement += "; what the policy allows is left out of account"
        parameters: dict[str, Figure] = dict(guarantee.parameters)
        if self.policy:
            parameters["policy"] = self.policy
        if codes := ", ".join(dict.fromkeys(b.code for b in (*self.bases.values(), self.other) if b.code)):
            parameters["codes"] = codes
        public = (*guarantee.public, "mentions allowed") if "mentions allowed" in figures else guarantee.public
        return replace(guarantee, statement=statement, parameters=parameters, figures=figures, public=public)

    def _figures(self, edit: Edit) -> dict[str, Figure]:
        asked = (edit.figures.get("rule"), edit.figures.get("entity"), f"kind {edit.kind}", f"kind {family(edit.kind)}")
        names = [f"kind {family(str(a).removeprefix('kind '))}" for a in asked[:1] if str(a).startswith("kind ")]
        found = next((b for a in (asked[0], *names, *asked[1:]) if a and (b := self.bases.get(str(a)))), self.other)
        figures: dict[str, Figure] = dict(edit.figures)
        return figures | {name: value for name, value in (("basis", found.basis), ("code", found.code)) if value}

    def allowed(self, document: Document) -> list[Span]:
        """Where the policy's exceptions stand in a document."""
        spans = self.allow.spans(document.text) if len(self.allow) else []
        spans += [(s.start, s.end) for s in document.segments if s.end > s.start and _is_at(s.place, self.places)]
        return union(spans)

    def _covered(self, analysis: Analysis) -> tuple[Analysis, int]:
        """The text as the model may see it, and how many mentions are covered in it."""
        document = analysis.document
        spans = self.allowed(document)
        if not spans:
            return analysis, 0
        pieces: list[str] = []
        at = 0
        for start, end in spans:
            pieces += (document.text[at:start], _COVER * (end - start))
            at = end
        text = "".join((*pieces, document.text[at:]))
        covered = Document(text, document.segments)
        return replace(analysis, document=covered, terms=tuple(cut_terms(analysis.terms, spans))), len(spans)


def _is_at(place: str, places: tuple[str, ...]) -> bool:
    """Is a place one of the named ones, or a part of one? "header 2" is a "header"."""
    return any(place == p or place.startswith((f"{p} ", f"{p}:")) for p in places)


def _by_key(bases: Mapping[str, Basis], knowledge: Knowledge) -> dict[str, Basis]:
    found: dict[str, Basis] = {}
    for rule, basis in bases.items():
        if rule.startswith("term "):
            try:
                found[knowledge.find(rule.removeprefix("term "))] = basis
            except UnknownTermError:
                continue  # the model that needs its figures says so itself
    return found
