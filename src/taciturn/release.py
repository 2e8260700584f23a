"""The way of a document: read what it says, plan, apply, and check the result anew. One direction, no way back.

:func:`sanitize` gives a :class:`Release` whose certificate was derived from the released text by code that did not plan
it, or raises :class:`NotReleasedError`. :func:`check` answers for any text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from textwrap import shorten
from typing import Any, TypeAlias

from taciturn.certificate import Certificate
from taciturn.document import Document, Span, Term
from taciturn.errors import InputError, NotReleasedError
from taciturn.gc_pause import uncollected
from taciturn.knowledge import Knowledge
from taciturn.knowledge.understood import Understood
from taciturn.language import Analysis, KnownSentences, analyze
from taciturn.models.base import Bindable, Model
from taciturn.models.floor import floor_edits, named_in, with_floor
from taciturn.models.kinds import Kinds
from taciturn.models.matching import union
from taciturn.models.names import inner_model, understood_by
from taciturn.opening import Opening, make_opening
from taciturn.plan import Applied, Edit, Plan, apply, compose, planning, share_changed
from taciturn.policy import Policy
from taciturn.reading import information, share_kept
from taciturn.recognizers import find_identifiers

__all__ = [
    "ModelsLike",
    "Proposal",
    "Release",
    "Report",
    "certify",
    "check",
    "propose",
    "sanitize",
    "several_models",
    "terms",
    "watch",
]

ModelsLike: TypeAlias = Model | Sequence[Model] | Policy | str
"""What can be asked of a text: a model, several, a policy, or the name of a preset (or the path of a policy file)."""

_ADDRESS = re.compile(r"(?:[a-z]{2,10}:|www\.)\S+|\S+@\S+", re.I)
_ROUNDS = 8  # each round hides what the one before brought to light; in practice one or two suffice


@dataclass(frozen=True, repr=False)
class Report:
    """Everything behind a release: every edit with its evidence. Private: it quotes the original.

    ``original`` and ``released`` are what the language layer found in the two texts, ``knowledge`` and ``models`` what
    judged them.

    >>> import taciturn
    >>> report = taciturn.sanitize("He has AIDS.", taciturn.CSanitized(protect=["HIV"])).report
    >>> report, report.to_json()["edits"][0]["original"]
    (Report(1 edit), 'AIDS')
    """

    applied: Applied
    certificate: Certificate
    original: Analysis
    released: Analysis
    knowledge: Knowledge
    models: tuple[Model, ...]

    @cached_property
    def understood(self) -> tuple[Understood, ...]:
        """What was understood by the protected terms.

        >>> from taciturn import CSanitized
        >>> sanitize("He has a dog.", CSanitized(protect=["tb"])).report.understood[0].labels
        ('tuberculosis',)
        """
        return understood_by(self.models, self.knowledge)

    @cached_property
    def utility(self) -> float:
        """The share of the original's information that the release keeps (the papers' utility preservation).

        >>> from taciturn import CSanitized
        >>> 0 < sanitize("He has AIDS.", CSanitized(protect=["HIV"])).report.utility < 1
        True
        """
        return share_kept(information(self.original, self.knowledge), information(self.released, self.knowledge))

    @cached_property
    def words_changed(self) -> float:
        """The share of the original's words that edits touch.

        >>> sanitize("The dog barks.", "hipaa-safe-harbor").report.words_changed
        0.0
        """
        return share_changed(self.applied.plan)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was changed, in the order of the text.

        >>> from taciturn import CSanitized
        >>> [e.original for e in sanitize("He has AIDS.", CSanitized(protect=["HIV"])).report.edits]
        ['AIDS']
        """
        return self.applied.plan.edits

    def __repr__(self) -> str:
        return f"Report({_number(len(self.edits), 'edit')})"

    def to_json(self) -> dict[str, Any]:
        """The report as plain data.

        >>> from taciturn import CSanitized
        >>> sorted(sanitize("He has AIDS.", CSanitized(protect=["HIV"])).report.to_json()["edits"][0])[:4]
        ['end', 'figures', 'kind', 'model']
        """
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
            "taciturn": "report/1",
            "private": "This report quotes the original text. Do not publish it.",
            "utility": round(self.utility, 6),
            "words_changed": round(self.words_changed, 6),
            "understood": [one.to_json() for one in self.understood],
            "edits": rows,
            "certificate": self.certificate.to_json(name_protected=True),
            "figures": self.certificate.private(),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Release:
    """A text that says less, with the certificate that it does and the private report of what was changed.

    >>> import taciturn
    >>> release = taciturn.sanitize("He has AIDS.", taciturn.CSanitized(protect=["HIV"]))
    >>> release
    Release('He has an infection.', 1 edit, holds=True)
    >>> release.certificate.holds
    True
    """

    applied: Applied
    certificate: Certificate
    report: Report
    models: tuple[Model, ...] = ()

    def opening(self, key: bytes | None = None) -> Opening:
        """What a certificate of this release commits to: private. The salt comes from a private key, or from chance.

        >>> from taciturn import CSanitized
        >>> sanitize("He has AIDS.", CSanitized(protect=["HIV"])).opening(bytes(32)).replaced
        ((7, 19),)
        """
        return make_opening(self.models, self.applied.spans, key)

    @property
    def document(self) -> Document:
        """The released text with its segments, which a file is written from.

        >>> from taciturn import CSanitized
        >>> sanitize("He has AIDS.", CSanitized(protect=["HIV"])).document
        Document(20 characters, 1 segment)
        """
        return self.applied.document

    @property
    def text(self) -> str:
        """The released text.

        >>> from taciturn import CSanitized
        >>> sanitize("He has AIDS.", CSanitized(protect=["HIV"])).text
        'He has an infection.'
        """
        return self.applied.document.text

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What was changed, in the order of the text. Private: edits quote the original.

        >>> from taciturn import CSanitized
        >>> [(edit.original, edit.replacement) for edit in sanitize("He has AIDS.", CSanitized(protect=["HIV"])).edits]
        [('AIDS', 'an infection')]
        """
        return self.applied.plan.edits

    def __repr__(self) -> str:
        shown = shorten(self.text, 200, placeholder=" ...")
        return f"Release({shown!r}, {_number(len(self.edits), 'edit')}, holds={self.certificate.holds})"

    def _repr_html_(self) -> str:
        from taciturn.report.html import release_html

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


def sanitize(text: str | Document, models: ModelsLike, knowledge: Knowledge | None = None) -> Release:
    """The text with as little changed as the models ask for, so that all their guarantees hold.

    Models are applied in order and then checked together on the final text, which is read anew. What one model's
    replacement brings to light for another is planned for again; if that does not end, nothing is released.
    ``models`` is a model, several, a policy, or the name of a preset. Without ``knowledge``, the embedded pack is used.

    >>> import taciturn
    >>> taciturn.sanitize("The patient has AIDS.", taciturn.CSanitized(protect=["HIV"])).text
    'The patient has an infection.'
    >>> taciturn.sanitize("Call 617-555-0123 on Monday.", "hipaa-safe-harbor").text
    'Call [CODE 1] on Monday.'
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    found = propose(text, models, knowledge)
    if found.certificate.holds:
        report = Report(found.applied, found.certificate, found.original, found.released, knowledge, found.models)
        return Release(found.applied, found.certificate, report, found.models)
    failed = ", ".join(sorted({g.model for g in found.certificate.guarantees if not g.holds}))
    if failed == "flagged":
        raise NotReleasedError(
            "the text bears marks of classification or privilege, about which a person must decide, so nothing is "
            "released; review it, or allow the marks that are void under [allow] in the policy",
            found.certificate,
        )
    raise NotReleasedError(
        f"the guarantee of {failed} does not hold for any text that was tried, so nothing is released; "
        "ask for less (a smaller alpha, t, K or k), or protect a more general entity",
        found.certificate,
    )


@uncollected()
def propose(text: str | Document, models: ModelsLike, knowledge: Knowledge | None = None) -> Proposal:
    """The edits that the models ask for, and what they come to; for people to decide on, the guarantee may fail.

    >>> from taciturn.models import CSanitized
    >>> found = propose("He has AIDS.", CSanitized(protect=["HIV"]))
    >>> [edit.replacement for edit in found.applied.plan.edits], found.certificate.holds
    (['an infection'], True)
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    document = Document.of(text) if isinstance(text, str) else text
    known = KnownSentences()
    original = analysis = analyze(document, known)
    bound = tuple(m.bind(original, knowledge) if isinstance(m, Bindable) else m for m in several_models(models))
    applied = apply(Plan(document))
    for _ in range(_ROUNDS):
        planned = False
        for model in bound:
            if edits := model.plan(analysis, knowledge).edits:
                applied = compose(applied, edits)
                analysis = analyze(applied.document, known)
                planned = True
        changed = planned
        for model in bound:
            # What a model may still plan for itself is not left over.
            if edits := floor_edits(model, applied, knowledge, left=not planned):
                applied = compose(applied, edits)
                analysis = analyze(applied.document, known)
                changed = True
        certificate = certify(analysis, bound, knowledge, applied=applied)
        if certificate.holds or not changed:
            break
    return Proposal(bound, applied, certificate, original, analysis)


@uncollected()
def check(text: str | Document, models: ModelsLike, knowledge: Knowledge | None = None) -> Certificate:
    """Do the models' guarantees hold for this text? It is read anew; nothing of how it was made is used.

    >>> import taciturn
    >>> taciturn.check("He has AIDS.", taciturn.CSanitized(protect=["HIV"])).holds
    False
    >>> taciturn.check("Call 617-555-0123.", "hipaa-safe-harbor").holds
    False
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    document = Document.of(text) if isinstance(text, str) else text
    return certify(analyze(document), several_models(models), knowledge)


def terms(text: str | Document) -> list[Term]:
    """What Taciturn sees in a text: noun phrases, names and identifiers, in order.

    >>> [(t.text, t.key) for t in terms("Two viruses.")]
    [('viruses', 'virus')]
    """
    return list(analyze(Document.of(text) if isinstance(text, str) else text).terms)


def several_models(models: ModelsLike) -> tuple[Model, ...]:
    """The models of a policy or a preset, or those that are given; raises :class:`InputError` if there are none.

    >>> [model.name for model in several_models("hipaa-safe-harbor")]
    ['kinds', 'denied']
    """
    asked = Policy.load(models) if isinstance(models, str) else models
    if isinstance(asked, Policy):
        return asked.build()
    several = tuple(asked) if isinstance(asked, Sequence) else (asked,)
    if not several:
        raise InputError("no model is given; a release without a guarantee is not one")
    return several


def certify(
    analysis: Analysis,
    models: Sequence[Model],
    knowledge: Knowledge,
    replaced: tuple[Span, ...] = (),
    applied: Applied | None = None,
) -> Certificate:
    """What the models' checks and the second reader say of a text that was read.

    ``replaced`` are the spans known to be replacements. ``applied`` is the plan that made the text: what it hid in one
    place must not stand in another, and what the original mentions decides about ambiguous names.

    >>> from taciturn.models import CSanitized
    >>> certify(analyze(Document.of("He has AIDS.")), [CSanitized(protect=["HIV"])], Knowledge.default()).holds
    False
    """
    spans = applied.spans if applied is not None else replaced
    guarantees = tuple(
        with_floor(m.check(analysis, knowledge, spans), m, analysis.document, knowledge, applied) for m in models
    )
    digest = sha256(analysis.document.text.encode("utf-8", "surrogatepass")).hexdigest()
    return Certificate(digest, knowledge.digest, guarantees, planning(applied) if applied is not None else ())


def watch(released: Document, models: ModelsLike, knowledge: Knowledge | None = None) -> Callable[[str], list[Span]]:
    """What must not stand in any string of the file that a document is released as: a function from such a string to
    the spans in it that name what the models protect or deny.

    A file holds more than a document's text: keys, link targets, names of styles and parts. They belong to no sentence,
    so no model judges them; they are searched by the second reader. In an address also identifiers of hidden kinds are
    found. What the check of the document let stand (an ambiguous abbreviation, what a policy allows) may stand here.

    >>> from taciturn.models import CSanitized
    >>> watch(Document.of("A note."), CSanitized(protect=["HIV"]))("hiv_status")
    [(0, 3)]
    """
    knowledge = knowledge if knowledge is not None else Knowledge.default()
    several = several_models(models)
    left = {released.text[h.start : h.end].casefold() for m in several for h in named_in(released.text, m, knowledge)}
    hidden = [m for m in map(inner_model, several) if isinstance(m, Kinds)]

    def spans(text: str) -> list[Span]:
        found = [
            (h.start, h.end)
            for m in several
            for h in named_in(text, m, knowledge)
            if not h.ambiguous and text[h.start : h.end].casefold() not in left
        ]
        if hidden and _ADDRESS.fullmatch(text):
            found += [(i.start, i.end) for i in find_identifiers(text) for m in hidden if m.level(i.kind) == "hidden"]
        return union(found)

    return spans


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
