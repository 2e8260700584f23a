"""What the language layer finds in a document, and the way from text to terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.document import Document, Span, Term, verify_span
from tacit.language.keys import key
from tacit.language.kinds import name_kinds
from tacit.language.sentences import break_after, first_tokens, line_edges
from tacit.language.tagger import tag
from tacit.language.tokens import Ints, tokenize

__all__ = ["Analysis", "analyze"]

_BLOCK = 1 << 18
"""Characters that are tagged at a time: the arrays stay small however long the document is."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A document with its sentences, paragraphs and terms, each in order of their start.

    Terms do not overlap, and each lies inside one sentence; sentences lie inside paragraphs, paragraphs inside
    segments.
    """

    document: Document
    paragraphs: tuple[Span, ...]
    sentences: tuple[Span, ...]
    terms: tuple[Term, ...]

    def verify(self) -> None:
        """Raise ``ValueError`` where a term's text is not the document's text there, or terms overlap."""
        at = 0
        for term in self.terms:
            verify_span(self.document.text, term.start, term.end, term.text)
            if term.start < at:
                raise ValueError(f"the term {term.text!r} at {term.start} overlaps the one before it")
            at = term.end


def analyze(document: Document) -> Analysis:
    """The paragraphs, sentences and terms of a document, in time linear in its length.

    >>> found = analyze(Document.of("The patient suffers from AIDS because of a blood transfusion."))
    >>> [term.text for term in found.terms]
    ['patient', 'AIDS', 'blood transfusion']
    """
    text = document.text
    paragraphs: list[Span] = []
    sentences: list[Span] = []
    terms: list[Term] = []
    for spans in _blocks(document):
        tokens = tokenize(text, spans)
        if not len(tokens):
            continue
        lines, gaps = line_edges(text, spans)
        new_paragraph = first_tokens(tokens, gaps)
        ended = break_after(tokens, first_tokens(tokens, lines), new_paragraph)
        phrases = tag(tokens, ended)
        starts, ends = tokens.starts, tokens.ends
        paragraphs += _runs(starts, ends, np.append(new_paragraph[1:], True))
        sentences += _runs(starts, ends, ended)
        names = name_kinds(phrases.kinds)
        for start, end, kind in zip(starts[phrases.firsts].tolist(), ends[phrases.lasts].tolist(), names, strict=True):
            words = text[start:end]
            terms.append(Term(start, end, words, key(words), kind))
    return Analysis(document, tuple(paragraphs), tuple(sentences), tuple(terms))


def _runs(starts: Ints, ends: Ints, last: NDArray[np.bool_]) -> list[Span]:
    """Spans from the token after one marked ``last`` to the next one marked."""
    lasts = np.flatnonzero(last)
    firsts = np.concatenate(([0], lasts[:-1] + 1))
    return list(zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True))


def _blocks(document: Document) -> Iterator[list[Span]]:
    """The segments in groups of about :data:`_BLOCK` characters; a longer segment is cut, where a line or word ends."""
    text = document.text
    group: list[Span] = []
    size = 0
    for segment in document.segments:
        start = segment.start
        while segment.end - start > _BLOCK:
            if group:
                yield group
                group, size = [], 0
            cut = _cut(text, start, start + _BLOCK)
            yield [(start, cut)]
            start = cut
        if size + segment.end - start > _BLOCK:
            yield group
            group, size = [], 0
        group.append((start, segment.end))
        size += segment.end - start
    if group:
        yield group


def _cut(text: str, start: int, limit: int) -> int:
    """The best place to cut a long text between the middle of a block and its limit."""
    middle = (start + limit) // 2
    for mark in ("\n\n", "\n", ". ", " "):
        at = text.rfind(mark, middle, limit)
        if at >= 0:
            return at + len(mark)
    return limit
