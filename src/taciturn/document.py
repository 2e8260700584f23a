"""The text to release, where in the file it came from, and the terms in it.

A :class:`Document` is one string cut into :class:`Segment` s; a :class:`Term` is a span of that string with the
key under which knowledge knows it. Offsets count code points of ``Document.text``, everywhere in Taciturn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NewType

__all__ = ["Document", "Key", "Segment", "Span", "Term", "verify_span"]

Span = tuple[int, int]
Key = NewType("Key", str)
"""The form under which knowledge knows a term: what :func:`taciturn.language.key` makes of a text, and nothing else."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a document that a reader sees as one text: a paragraph, a header, a cell, a property.

    ``place`` says where in the file it stands, in words a person understands ("header", "comment 3"). ``kind`` is the
    kind of term that all of it is, where somebody has declared one: a cell in a column of names.
    No edit and no term crosses a segment's end.

    >>> Segment(0, 9, "header").place
    'header'
    """

    start: int
    end: int
    place: str = "text"
    kind: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a segment runs forward from 0 or later, not from {self.start} to {self.end}")


@dataclass(frozen=True, slots=True, init=False)
class Term:
    """A span of a document that a model can judge.

    ``key`` is the form under which knowledge knows it (see :func:`taciturn.language.key`), ``kind`` says what it is:
    ``person``, ``organization``, ``place``, ``time``, ``quantity``, ``code`` or ``other``, or the name of an
    identifier such as ``email``. ``mention`` numbers the thing it speaks of within the document: two terms with
    the same number name the same person, organization or expansion; 0 means it stands alone.

    >>> Term(7, 14, "viruses", "virus").key
    'virus'
    """

    start: int
    end: int
    text: str
    key: Key
    kind: str = "other"
    mention: int = 0

    # Written out because texts have one for every four words: the generated one takes twice the time.
    def __init__(self, start: int, end: int, text: str, key: Key, kind: str = "other", mention: int = 0) -> None:
        if end - start != len(text) or start < 0 or not text:
            raise ValueError(f"the term {text!r} does not fit the span from {start} to {end}")
        _set_start(self, start)
        _set_end(self, end)
        _set_text(self, text)
        _set_key(self, key)
        _set_kind(self, kind)
        _set_mention(self, mention)


_set_start, _set_end, _set_text, _set_key, _set_kind, _set_mention = (
    getattr(Term, name).__set__ for name in ("start", "end", "text", "key", "kind", "mention")
)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A text and its segments, in order and without overlap. Its ``repr`` does not print the text.

    >>> Document.of("Dear Sir,").segments
    (Segment(start=0, end=9, place='text'),)
    >>> Document.join([("title", "HIV"), ("body", "A virus.")]).text
    'HIV\\n\\nA virus.'
    >>> Document.of("Dear Sir,")
    Document(9 characters, 1 segment)
    """

    text: str
    segments: tuple[Segment, ...]

    def __post_init__(self) -> None:
        at = 0
        for segment in self.segments:
            if segment.start < at or segment.end > len(self.text):
                raise ValueError(
                    f"segment {segment.start}-{segment.end} ({segment.place}) overlaps the one before it "
                    f"or ends after the text's {len(self.text)} characters"
                )
            at = segment.end

    def __repr__(self) -> str:
        count = len(self.segments)
        return f"Document({len(self.text)} characters, {count} segment{'s' * (count != 1)})"

    @classmethod
    def of(cls, text: str, place: str = "text") -> Document:
        """A document of one segment.

        >>> Document.of("Dear Sir,", "letter").segments
        (Segment(start=0, end=9, place='letter'),)
        """
        return cls(text, (Segment(0, len(text), place),))

    @classmethod
    def join(cls, parts: Iterable[tuple[str, str]], between: str = "\n\n") -> Document:
        """A document of one segment for each (place, text).

        >>> Document.join([("name", "Ann"), ("town", "Ipswich")], between=" ").segments[1]
        Segment(start=4, end=11, place='town')
        """
        texts: list[str] = []
        segments: list[Segment] = []
        at = 0
        for place, text in parts:
            if segments:
                texts.append(between)
                at += len(between)
            segments.append(Segment(at, at + len(text), place))
            texts.append(text)
            at += len(text)
        return cls("".join(texts), tuple(segments))


def verify_span(text: str, start: int, end: int, expected: str) -> None:
    """Raise ``ValueError`` unless ``text[start:end]`` is ``expected``: the invariant of terms and edits."""
    if not 0 <= start < end <= len(text):
        raise ValueError(f"the span {start}-{end} lies outside a text of {len(text)} characters")
    if text[start:end] != expected:
        raise ValueError(f"the span {start}-{end} holds {text[start:end]!r}, not {expected!r}")
