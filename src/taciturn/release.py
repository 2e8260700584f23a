"""The way of a document: read what it says, plan, apply, and check the result anew. One direction, no way back.

:func:`sanitize` gives a :class:`Release` whose certificate was derived from the released text by code that did not plan
it, or raises :class:`NotReleasedError`. :func:`check` answers for any text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from tacit.collecting import uncollected
from tacit.document import Document, Span, Term
from tacit.knowledge import Knowledge
from tacit.language import Analysis, KnownSentences, analyze
from tacit.models.base import Bindable, Guarantee, Model, Violation
from tacit.models.reading import information
from tacit.plan import Applied, Edit, Plan, apply, compose
from tacit.policy import Policy

__all__ = [
    "Certificate",
    "NotReleasedError",
    "Proposal",
    "Release",
    "Report",
    "certify",
    "check",
    "propose",
    "sanitize",
    "several_models",
    "terms",
]

_ROUNDS = 8  # each round hides what the one before brought to light; in practice one or two suffice


class NotReleasedError(RuntimeError):
    """No text could be found for which every guarantee holds. Nothing is released; ``certificate`` says what failed."""

    def __init__(self, message: str, certificate: Certificate) -> None:
        super().__init__(message)
        self.certificate = certificate


@dataclass(frozen=True, slots=True)
class Certificate:
    """What is guaranteed of a released text. Safe to publish: it names no term of the original.

    ``text_digest`` ties it to the released text, ``knowledge_digest`` to the knowledge it holds against.
    """

    text_digest: str
    knowledge_digest: str
    guarantees: tuple[Guarantee, ...]

    @property
    def holds(self) -> bool:
        """Does every guarantee hold?"""
        return all(g.holds for g in self.guarantees)

    @property
    def margin(self) -> float:
        """How far the weakest guarantee is from failing, in its model's unit; negative when it fails."""
        return min((g.margin for g in self.guarantees), default=0.0)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Where guarantees fail. Private: they quote the text."""
        return tuple(v for g in self.guarantees for v in g.violations)

    def to_json(self, *, name_protected: bool = False) -> dict[str, Any]:
        """The certificate as plain data; protected entities are named only when asked."""
        rows: list[dict[str, Any]] = []
        for g in self.guarantees:
            row: dict[str, Any] = {
                "model": g.model,
                "statement": g.statement,
                "holds": g.holds,
                "margin": g.margin,
                "parameters": dict(g.parameters),
                "figures": dict(g.figures),
            }
            if name_protected:
                row["protected"] = list(g.protected)
            rows.append(row)
        return {
            "tacit": "certificate/1",
            "holds": self.holds,
            "text_sha256": self.text_digest,
            "knowledge_sha256": self.knowledge_digest,
            "limits": "Guaranteed against a reader who knows what this knowledge knows: a corpus, not the world.",
            "guarantees": rows,
        }


@dataclass(frozen=True)
class Report:
    """Everything behind a release: every edit with its evidence. Private: it quotes the original.

    ``original`` and ``released`` are what the language layer found in the two texts, ``knowledge`` what judged them.
    """

    applied: Applied
    certificate: Certificate
    original: Analysis
    released: Analysis
    knowledge: Knowledge

    @cached_property
    def utility(self) -> float:
        """The share of the original's information that the release keeps (the papers' utility preservation)."""
        before = information(self.original, self.knowledge.counts)
        return information(self.released, self.knowledge.counts) / before if before else 1.0

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.applied.plan.edits

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        rows = [
            {
                "start": e.start,
                "end": e.end,
                "original": e.original,
                "replacement": e.replacement,
                "kind": e.kind,
                "model": e.model,
                "reason": e.reason,
                "figures": dict(e.figures),
                "released_start": span[0],
                "released_end": span[1],
            }
            for e, span in zip(self.edits, self.applied.spans, strict=True)
        ]
        return {
            "tacit": "report/1",
            "private": "This report quotes the original text. Do not publish it.",
            "utility": round(self.utility, 6),
            "edits": rows,
            "certificate": self.certificate.to_json(name_protected=True),
        }


@dataclass(frozen=True, slots=True)
class Release:
    """A text that says less, with the certificate that it does and the private report of what was changed."""

    applied: Applied
    certificate: Certificate
    report: Report

    @property
    def document(self) -> Document:
        return self.applied.document

    @property
    def text(self) -> str:
        return self.applied.document.text

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.applied.plan.edits

    def _repr_html_(self) -> str:
        from tacit.report.html import release_html

        return release_html(self)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the models would change in a document, whether or not it is enough: where a review starts.

    ``models`` are bound to the document. The certificate speaks of ``applied.document``, which ``released`` is the
    analysis of.
    """

    models: tuple[Model, ...]
    applied: Applied
    certificate: Certificate
    original: Analysis
    released: Analysis


def sanitize(
    text: str | Document, models: Model | Sequence[Model] | Policy, knowledge: Knowledge | None = None
) -> Release:
    """The text with as little changed as the models ask for, so that all their guarantees hold.

    Models are applied in order and then checked together on the final text, which is read anew. What one model's
    replacement brings to light for another is planned for again; if that does not end, nothing is released.
    Without ``knowledge``, the embedded pack is used.
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    found = propose(text, models, knowledge)
    if found.certificate.holds:
        report = Report(found.applied, found.certificate, found.original, found.released, knowledge)
        return Release(found.applied, found.certificate, report)
    failed = ", ".join(sorted({g.model for g in found.certificate.guarantees if not g.holds}))
    raise NotReleasedError(
        f"the guarantee of {failed} does not hold for any text that was tried, so nothing is released; "
        "ask for less (a smaller alpha, t, K or k), or protect a more general entity",
        found.certificate,
    )


@uncollected()
def propose(
    text: str | Document, models: Model | Sequence[Model] | Policy, knowledge: Knowledge | None = None
) -> Proposal:
    """The edits that the models ask for, and what they come to; for people to decide on, the guarantee may fail."""
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    document = Document.of(text) if isinstance(text, str) else text
    known = KnownSentences()
    original = analysis = analyze(document, known)
    bound = tuple(m.bind(original, knowledge) if isinstance(m, Bindable) else m for m in several_models(models))
    applied = apply(Plan(document))
    for _ in range(_ROUNDS):
        changed = False
        for model in bound:
            if edits := model.plan(analysis, knowledge).edits:
                applied = compose(applied, edits)
                analysis = analyze(applied.document, known)
                changed = True
        certificate = certify(analysis, bound, knowledge, applied.spans)
        if certificate.holds or not changed:
            break
    return Proposal(bound, applied, certificate, original, analysis)


@uncollected()
def check(
    text: str | Document, models: Model | Sequence[Model] | Policy, knowledge: Knowledge | None = None
) -> Certificate:
    """Do the models' guarantees hold for this text? It is read anew; nothing of how it was made is used."""
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    document = Document.of(text) if isinstance(text, str) else text
    return certify(analyze(document), several_models(models), knowledge)


def terms(text: str | Document) -> list[Term]:
    """What Tacit sees in a text: noun phrases, names and identifiers, in order.

    >>> [(t.text, t.key) for t in terms("Two viruses.")]
    [('viruses', 'virus')]
    """
    return list(analyze(Document.of(text) if isinstance(text, str) else text).terms)


def several_models(models: Model | Sequence[Model] | Policy) -> tuple[Model, ...]:
    """The models of a policy, or those that are given; raises ``ValueError`` if there are none."""
    if isinstance(models, Policy):
        return models.build()
    several = tuple(models) if isinstance(models, Sequence) else (models,)
    if not several:
        raise ValueError("no model is given; a release without a guarantee is not one")
    return several


def certify(
    analysis: Analysis, models: Sequence[Model], knowledge: Knowledge, replaced: tuple[Span, ...] = ()
) -> Certificate:
    """What the models' checks say of a text that was read; ``replaced`` are the spans known to be replacements."""
    guarantees = tuple(m.check(analysis, knowledge, replaced) for m in models)
    digest = sha256(analysis.document.text.encode("utf-8", "surrogatepass")).hexdigest()
    return Certificate(digest, knowledge.digest, guarantees)
