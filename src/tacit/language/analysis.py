"""What the language layer finds in a document: the value that models are given."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.document import Document, Span, Term, verify_span

__all__ = ["Analysis"]


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
