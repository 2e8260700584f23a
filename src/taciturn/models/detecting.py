"""A model together with another entity recognizer, whose spans become terms of the analysis.

The recognizer runs on the original for the plan and on the released text for the check. What it still finds there
counts against the guarantee. This works for every model, since a model only sees an analysis with more terms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from taciturn.document import Document, Span, Term
from taciturn.generalize.writing import MARK
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, key
from taciturn.models.base import Bindable, Guarantee, Model
from taciturn.models.matching import cut_terms
from taciturn.plan import Plan
from taciturn.recognizers import all_kinds

__all__ = ["Detecting", "Detector"]

Detector = Callable[[str], Iterable[tuple[int, int, str]]]
"""Given a text: start, end and kind of what is found in it. Kinds are Taciturn's: "person", "email", "code" ..."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detecting:
    """A ``model`` that is given the spans of ``detect`` as terms. They replace Taciturn's own terms that they overlap.

    >>> import re
    >>> from taciturn import Kinds, sanitize
    >>> from taciturn.knowledge import ContextCounts, Knowledge
    >>> badges = lambda text: ((m.start(), m.end(), "code") for m in re.finditer("B-[a-z]+", text))
    >>> model = Detecting(model=Kinds(hide=["code"]), detect=badges)
    >>> sanitize("Badge B-blue opens the door.", model, Knowledge(ContextCounts([{"door"}]))).text
    'Badge [code] opens the door.'
    """

    model: Model
    detect: Detector

    @property
    def name(self) -> str:
        return self.model.name

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Detecting:
        """The model for one document."""
        if isinstance(self.model, Bindable):
            return replace(self, model=self.model.bind(self._seen(analysis), knowledge))
        return self

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The model's edits."""
        return self.model.plan(self._seen(analysis), knowledge)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """The model's guarantee for the released text, in which the detector has looked again."""
        seen = self._seen(analysis)
        guarantee = self.model.check(seen, knowledge, replaced)
        statement = f"{guarantee.statement}; terms of another detector included"
        return replace(guarantee, statement=statement)

    def _seen(self, analysis: Analysis) -> Analysis:
        """The analysis with the detector's spans as terms, cut so that each lies in one sentence and in no mark."""
        text = analysis.document.text
        found = _apart(_inside(_found(self.detect, analysis.document), analysis.sentences, text))
        if not found:
            return analysis
        terms = [Term(a, b, text[a:b], key(text[a:b]), kind) for a, b, kind in found]
        outside = list(cut_terms(terms, [m.span() for m in MARK.finditer(text)]))
        own = cut_terms(analysis.terms, [(t.start, t.end) for t in outside])
        return replace(analysis, terms=tuple(sorted([*own, *outside], key=lambda t: t.start)))


def _found(detect: Detector, document: Document) -> Iterator[tuple[int, int, str]]:
    """What the detector finds, segment by segment, for a reader sees them apart."""
    for segment in document.segments:
        length = segment.end - segment.start
        for start, end, kind in detect(document.text[segment.start : segment.end]):
            if not 0 <= start < end <= length:
                raise ValueError(f"a detector gave the span {start}-{end} in a text of {length} characters")
            if kind not in all_kinds():
                raise ValueError(f"a detector gave the kind {kind!r}; choose from {', '.join(all_kinds())}")
            yield segment.start + start, segment.start + end, kind


def _inside(
    found: Iterable[tuple[int, int, str]], sentences: Sequence[Span], text: str
) -> Iterator[tuple[int, int, str]]:
    """The spans, cut where sentences end, without white space around them."""
    ends = [end for _, end in sentences]
    for start, end, kind in found:
        at = bisect_right(ends, start)
        while at < len(sentences) and sentences[at][0] < end:
            first, last = max(start, sentences[at][0]), min(end, sentences[at][1])
            piece = text[first:last]
            if words := piece.strip():
                first += len(piece) - len(piece.lstrip())
                yield first, first + len(words), kind
            at += 1


def _apart(found: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The spans in order without overlap: of two that overlap the earlier, longer one stays, the other loses a part."""
    kept: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(found, key=lambda f: (f[0], -f[1], f[2])):
        first = max(start, kept[-1][1]) if kept else start
        if first < end:
            kept.append((first, end, kind))
    return kept
