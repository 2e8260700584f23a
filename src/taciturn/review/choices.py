"""How a document stands: what the models propose, and what the reviewer decided over it, span by span.

A pure function from a proposal and decisions to edits. A *choice* is the verdict on one core span, the words that the
choice is about; its edit may reach further, for articles follow what they stand before. Cores never overlap: a decision
takes the place of every choice that its span touches, and what a proposal hid stays inside what replaces it unless the
reviewer keeps it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Literal

from taciturn.document import Span, Term
from taciturn.generalize.categories import called
from taciturn.generalize.writing import Marks, MarkStyle, in_compound, is_mark, write_mark, write_phrase
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key, key
from taciturn.plan import Edit, resolve
from taciturn.release import Proposal
from taciturn.review.decisions import Decision

__all__ = ["REVIEWER", "Choice", "Sheet", "Standing", "Status", "whole_words"]

Status = Literal["proposed", "accepted", "kept", "redacted", "replaced", "marked", "open"]
REVIEWER = "reviewer"
_STATUS: dict[str, Status] = {"redact": "redacted", "replace": "replaced", "mark": "marked"}
_ARTICLE = re.compile(r"(?:an?|the)[ \t]+(?=\S)", re.IGNORECASE)
_MOST_PLACES = 5000  # mentions that one decision may reach


@dataclass(frozen=True, slots=True)
class Choice:
    """What becomes of the words at ``core``: ``edit`` replaces them, or nothing does. ``at``: when a person decided."""

    core: Span
    text: str
    subject: str
    status: Status
    edit: Edit | None = None
    label: str = ""
    at: str = ""

    @property
    def id(self) -> str:
        return f"{self.core[0]}-{self.core[1]}"

    @property
    def decided(self) -> bool:
        """Did a person look at it?"""
        return self.status not in ("proposed", "open")


@dataclass(frozen=True, slots=True)
class Standing:
    """The choices of a document in order, one for each term and each edit, and the edits they come to."""

    choices: tuple[Choice, ...]
    edits: tuple[Edit, ...]

    def at(self, span: Span) -> Choice | None:
        """The choice whose core holds, or touches, a span."""
        touching = _touching([c.core for c in self.choices], span)
        return self.choices[touching.start] if touching else None

    def mentions(self, choice: Choice) -> list[Choice]:
        """The choices that speak of the same thing."""
        return [c for c in self.choices if c.subject == choice.subject]


class Sheet:
    """A proposal laid out: a choice for each edit and each other term. Laid out once, decided on many times."""

    def __init__(self, proposal: Proposal, mark: MarkStyle, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.analysis: Analysis = proposal.original
        self.text = self.analysis.document.text
        self.style = (mark, proposal.applied.document.text)
        self.marks = Marks(*self.style)
        self.sentence_starts = [s for s, _ in self.analysis.sentences]
        self.terms = self.analysis.terms
        self.term_spans = [(t.start, t.end) for t in self.terms]
        rows = [self._proposed(edit) for edit in proposal.applied.plan.edits]
        taken = [c.core for c in rows]
        rows += [self._open(t) for t in self.terms if not _touching(taken, (t.start, t.end))]
        self.choices = sorted(rows, key=lambda c: c.core)
        self.cores = [c.core for c in self.choices]
        self.proposed: Sequence[Choice] = self.choices

    def stand(self, decisions: Iterable[Decision]) -> Standing:
        """What the decisions make of the proposal; later decisions take the place of earlier ones."""
        sheet = copy(self)
        sheet.choices, sheet.cores = self.choices.copy(), self.cores.copy()
        sheet.proposed = self.choices
        sheet.marks = Marks(*self.style)
        for decision in decisions:
            sheet._take(decision)
        edits = resolve([c.edit for c in sheet.choices if c.edit], self.analysis.document)
        return Standing(tuple(sheet.choices), edits)

    def _proposed(self, edit: Edit) -> Choice:
        article = _ARTICLE.match(edit.original)
        core = (edit.start + article.end(), edit.end) if article else edit.span
        return replace(self._new(core, "proposed"), edit=edit)

    def _open(self, term: Term) -> Choice:
        return Choice((term.start, term.end), term.text, _subject(term), "open")

    def _terms(self, span: Span) -> Sequence[Term]:
        touching = _touching(self.term_spans, span)
        return self.terms[touching.start : touching.stop]

    def _take(self, decision: Decision) -> None:
        start, end = decision.span
        if self.text[start:end] != decision.text:
            raise ValueError(f"the decision speaks of {decision.text!r}, but {self.text[start:end]!r} stands there")
        for span in self._targets(decision):
            self._decide(span, decision)

    def _targets(self, decision: Decision) -> list[Span]:
        """The spans that a decision reaches: its own, or every mention of what stands there."""
        if not decision.everywhere:
            return [decision.span]
        touching = _touching(self.cores, decision.span)
        subject = self.choices[touching.start].subject if touching else None
        spans = {c.core for c in self.choices if c.subject == subject}
        # The same words are the same mention, even where no term was seen.
        words = re.compile(rf"(?<!\w){re.escape(decision.text)}(?!\w)", re.IGNORECASE)
        for match in words.finditer(self.text):
            if len(spans) >= _MOST_PLACES:
                break
            touched = [self.choices[i] for i in _touching(self.cores, match.span())]
            hides = decision.action in ("redact", "replace", "mark")
            if not touched or (hides and not any(c.edit for c in touched)):
                spans.add(match.span())
        return sorted(spans | {decision.span})

    def _decide(self, span: Span, decision: Decision) -> None:
        touching = _touching(self.cores, span)
        old = self.choices[touching.start : touching.stop]
        if decision.action == "accept" and old:
            news = [new for c in old for new in self._accepted(c, decision)]
        elif decision.action in ("accept", "keep"):
            news = [replace(c, status="kept", edit=None, label="") for c in old] or [self._new(span, "kept")]
        else:
            # What hid something is never narrowed by accident: the new edit covers all that the old ones did.
            # Nor is half a word: the rest of it would tell what is gone.
            hidden = [whole_words(span, self.text), *(c.core for c in old if c.edit)]
            core = (min(s for s, _ in hidden), max(e for _, e in hidden))
            news = [*(c for c in old if not _overlap(c.core, core)), self._edited(core, decision)]
            news.sort(key=lambda c: c.core)
        news = [replace(c, at=decision.at) if c not in old else c for c in news]
        self.choices[touching.start : touching.stop] = news
        self.cores[touching.start : touching.stop] = [c.core for c in news]

    def _accepted(self, choice: Choice, decision: Decision) -> Sequence[Choice]:
        """A choice as accepted: what the reviewer had kept is again as proposed, what a person hid stays hidden."""
        if choice.status in ("redacted", "replaced", "marked"):
            return [_with_basis(choice, decision)]
        touching = _touching([c.core for c in self.proposed], choice.core)
        news = [
            c for c in self.proposed[touching.start : touching.stop] if choice.core[0] <= c.core[0] < choice.core[1]
        ]
        return [_with_basis(replace(c, status="accepted"), decision) for c in news or [choice]]

    def _new(self, core: Span, status: Status) -> Choice:
        terms, text = self._terms(core), self.text[core[0] : core[1]]
        return Choice(core, text, _subject(terms[-1]) if terms else key(text) or text, status)

    def _edited(self, core: Span, decision: Decision) -> Choice:
        choice = self._new(core, _STATUS[decision.action])
        term = Term(*core, choice.text, key(choice.text) or Key(choice.text), "other")
        inside = self._terms(core)
        if inside:
            term = replace(term, kind=inside[-1].kind, mention=inside[-1].mention)
        sentence = self._sentence(core[0])
        if decision.action == "replace" and not in_compound(term, self.text) and not is_mark(decision.label):
            is_name = decision.label[:1].isupper()
            written = write_phrase(decision.label, term, self.text, sentence, is_name=is_name)
            reason = f"the reviewer chose {decision.label!r}"
        else:
            category = called(term.key, self.knowledge)
            thing = "" if category.concept is None else str(category.concept)
            written = write_mark(self.marks.mark(term, category.mark, thing), term, self.text)
            reason = "the reviewer marked it" if decision.action == "mark" else "the reviewer redacted it"
        figures = _named_basis(decision)
        original = self.text[written.start : written.end]
        edit = Edit(written.start, written.end, original, written.text, reason, REVIEWER, term.kind, figures)
        return replace(choice, edit=edit, label=decision.label)

    def _sentence(self, at: int) -> Span:
        i = bisect_right(self.sentence_starts, at) - 1
        return self.analysis.sentences[i] if i >= 0 else (0, len(self.text))


def _named_basis(decision: Decision) -> dict[str, str]:
    return {k: v for k, v in (("basis", decision.basis), ("code", decision.code)) if v}


def _with_basis(choice: Choice, decision: Decision) -> Choice:
    """The choice with the exemption that the decision names, if it names one."""
    named = _named_basis(decision)
    if not named or choice.edit is None:
        return choice
    return replace(choice, edit=replace(choice.edit, figures={**choice.edit.figures, **named}))


def _subject(term: Term) -> str:
    """What a term speaks of within its document: its chain of mentions, or else its key."""
    return f"#{term.mention}" if term.mention else term.key


def whole_words(span: Span, text: str) -> Span:
    """The span grown to whole words."""
    start, end = span
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end


def _overlap(a: Span, b: Span) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _touching(spans: Sequence[Span], span: Span) -> range:
    """The numbers of the spans, in order and without overlap, that overlap ``span``."""
    first = bisect_right(spans, span[0], key=lambda s: s[1])
    return range(first, max(first, bisect_left(spans, span[1], key=lambda s: s[0])))
