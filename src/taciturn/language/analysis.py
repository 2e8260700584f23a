"""What the language layer finds in a document, and the way from text to terms."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document, Span, Term, verify_span
from taciturn.language.chunks import chunk
from taciturn.language.keys import key, keys_of
from taciturn.language.kinds import name_kinds
from taciturn.language.mentions import Row, link_rows
from taciturn.language.sentences import break_after, first_tokens, line_edges
from taciturn.language.tagger import KnownSentences, Phrases, tag
from taciturn.language.tokens import Ints, Tokens, tokenize, tokens_of
from taciturn.recognizers.find import Trigger, identify, triggers

__all__ = ["Analysis", "analyze", "noun_phrases"]

_BLOCK = 1 << 18
"""Characters that are tagged at a time: the arrays stay small however long the document is."""

_LONGEST = 16
"""Tokens in a phrase, at most: capitals without end (a table, a banner) are cut into pieces of this size."""

_Found = tuple[int, int, str]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Analysis:
    """A document with its sentences, paragraphs and terms, each in order of their start.

    Terms do not overlap, and each lies inside one sentence; sentences lie inside paragraphs, paragraphs inside
    segments.
    """

    document: Document
    paragraphs: tuple[Span, ...]
    sentences: tuple[Span, ...]
    terms: tuple[Term, ...] = field(repr=False)

    def verify(self) -> None:
        """Raise ``ValueError`` where a term's text is not the document's text there, or terms overlap."""
        at = 0
        for term in self.terms:
            verify_span(self.document.text, term.start, term.end, term.text)
            if term.start < at:
                raise ValueError(f"the term {term.text!r} at {term.start} overlaps the one before it")
            at = term.end


def analyze(document: Document, known: KnownSentences | None = None) -> Analysis:
    """The paragraphs, sentences and terms of a document, in time linear in its length.

    Whoever analyzes versions of one document gives the same ``known`` each time: sentences that did not change are
    then not tagged again. What is found is the same.

    >>> found = analyze(Document.of("The patient suffers from AIDS because of a blood transfusion."))
    >>> [term.text for term in found.terms]
    ['patient', 'AIDS', 'blood transfusion']
    """
    text = document.text
    paragraphs: list[Span] = []
    sentences: list[Span] = []
    rows: list[Row] = []
    blocks = list(_blocks(document))
    for spans in blocks:
        chunks = chunk(text, spans)
        tokens = tokens_of(chunks)
        if not len(tokens):
            continue
        starts, ends = tokens.starts, tokens.ends
        lines, gaps = line_edges(text, spans)
        new_paragraph = first_tokens(tokens, gaps)
        identifiers = _identifiers(text, spans, triggers(chunks), starts[new_paragraph].tolist())
        owner = _owners(starts, ends, identifiers)
        ended = break_after(tokens, first_tokens(tokens, lines), new_paragraph)
        # An identifier lies in one sentence: what looks like an end inside it is none.
        ended[:-1] &= (owner[:-1] < 0) | (owner[:-1] != owner[1:])
        phrases = tag(tokens, ended, known=known)
        paragraphs += _runs(starts, ends, np.append(new_paragraph[1:], True))
        sentences += _runs(starts, ends, ended)
        rows += _rows(text, identifiers, *_phrase_spans(tokens, phrases, owner))
    if blocks != [[(0, len(text))]]:
        chunks = chunk(text)  # names are looked for in all of the text at once
    rows, mentions = _within(*link_rows(rows, text, chunks), paragraphs)
    terms = tuple([Term(*row, mention) for row, mention in zip(rows, mentions, strict=True)])
    return Analysis(document, tuple(paragraphs), _around(sentences, rows), terms)


def _rows(text: str, identifiers: list[_Found], starts: Ints, ends: Ints, kinds: list[str]) -> list[Row]:
    """Identifiers and phrases in order, with texts and keys."""
    starts = np.concatenate((starts, np.array([found[0] for found in identifiers], np.int64)))
    ends = np.concatenate((ends, np.array([found[1] for found in identifiers], np.int64)))
    kinds = kinds + [found[2] for found in identifiers]
    order = np.argsort(starts)
    begins, finishes = starts[order].tolist(), ends[order].tolist()
    words = [text[begin:finish] for begin, finish in zip(begins, finishes, strict=True)]
    return list(zip(begins, finishes, words, keys_of(words), [kinds[at] for at in order.tolist()], strict=True))


def _spans(rows: list[Row]) -> tuple[Ints, Ints]:
    """The starts and the ends of rows."""
    return np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], np.int64)


def _within(rows: list[Row], mentions: list[int], paragraphs: list[Span]) -> tuple[list[Row], list[int]]:
    """The rows, cut where linking made one that runs over a paragraph's end or into what lies between segments."""
    if not rows:
        return rows, mentions
    bounds = np.array(paragraphs, np.int64)
    starts, ends = _spans(rows)
    at = np.maximum(np.searchsorted(bounds[:, 0], starts, side="right") - 1, 0)
    inside = (starts >= bounds[at, 0]) & (ends <= bounds[at, 1])
    if inside.all():
        return rows, mentions
    cut = [
        (piece, mention)
        for row, mention, fits, first in zip(rows, mentions, inside.tolist(), at.tolist(), strict=True)
        for piece in ([row] if fits else _pieces(row, paragraphs, first))
    ]
    return [row for row, _ in cut], [mention for _, mention in cut]


def _pieces(row: Row, paragraphs: list[Span], at: int) -> Iterator[Row]:
    """The parts of a row that lie in a paragraph, the first one that may hold any being number ``at``."""
    start, end, text, _, kind = row
    while at < len(paragraphs) and paragraphs[at][0] < end:
        first, last = max(start, paragraphs[at][0]), min(end, paragraphs[at][1])
        if first < last:
            words = text[first - start : last - start]
            yield first, last, words, key(words), kind
        at += 1


def _around(sentences: list[Span], rows: list[Row]) -> tuple[Span, ...]:
    """The sentences, joined where a term runs over the end of one: "J. Smith" shows that the full stop was none."""
    if not rows:
        return tuple(sentences)
    bounds = np.array(sentences, np.int64)
    starts, ends = _spans(rows)
    at = np.searchsorted(ends, bounds[:, 0], side="right")  # the first term that ends after the sentence's start
    begins = np.append(starts, bounds[-1, 1])[at] >= bounds[:, 0]
    begins[0] = True
    firsts = np.flatnonzero(begins)
    lasts = np.append(firsts[1:], len(bounds)) - 1
    return tuple(zip(bounds[firsts, 0].tolist(), bounds[lasts, 1].tolist(), strict=True))


def noun_phrases(text: str) -> list[Span]:
    """The noun phrases of a text as the tagger finds them, before identifiers are set apart.

    >>> text = "His 15-year prison term ended."
    >>> [text[start:end] for start, end in noun_phrases(text)]
    ['year prison term']
    """
    found: list[Span] = []
    for spans in _blocks(Document.of(text)):
        tokens = tokenize(text, spans)
        lines, gaps = line_edges(text, spans)
        phrases = tag(tokens, break_after(tokens, first_tokens(tokens, lines), first_tokens(tokens, gaps)))
        firsts, lasts = tokens.starts[phrases.firsts].tolist(), tokens.ends[phrases.lasts].tolist()
        found += zip(firsts, lasts, strict=True)
    return found


def _identifiers(text: str, spans: list[Span], seen: list[Trigger], paragraphs: list[int]) -> list[_Found]:
    """The identifiers of a block; one that runs over a paragraph's end is an accident of layout and is cut there."""
    found: list[_Found] = []
    at = 0
    for start, end in spans:
        stop = bisect_left(seen, end, at, key=_place)
        for begin, finish, kind in identify(text, start, end, seen[at:stop]):
            for edge in paragraphs[bisect_right(paragraphs, begin) : bisect_left(paragraphs, finish)]:
                found.append((begin, begin + len(text[begin:edge].rstrip()), kind))
                begin = edge
            found.append((begin, finish, kind))
        at = stop
    return found


def _place(trigger: Trigger) -> int:
    return trigger[0]


def _owners(starts: Ints, ends: Ints, identifiers: list[_Found]) -> Ints:
    """The number of the identifier that each token overlaps, or -1."""
    if not identifiers:
        return np.full(len(starts), -1)
    begins = np.array([start for start, _, _ in identifiers], np.int64)
    finishes = np.array([end for _, end, _ in identifiers], np.int64)
    number = np.searchsorted(begins, ends - 1, side="right") - 1
    return np.where((number >= 0) & (finishes[number] > starts), number, -1)


def _phrase_spans(tokens: Tokens, phrases: Phrases, owner: Ints) -> tuple[Ints, Ints, list[str]]:
    """The phrases' starts, ends and kinds; where an identifier lies in a phrase, what is left of it around that."""
    pieces = (phrases.lasts - phrases.firsts) // _LONGEST + 1
    place = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    firsts = np.repeat(phrases.firsts, pieces) + _LONGEST * place
    lasts = np.minimum(np.repeat(phrases.lasts, pieces), firsts + _LONGEST - 1)
    names = name_kinds(tokens, Phrases(firsts, lasts, np.repeat(phrases.kinds, pieces, axis=0)))
    taken = np.concatenate(([0], np.cumsum(owner >= 0)))
    clear = taken[lasts + 1] == taken[firsts]
    kinds = list(compress(names, clear.tolist()))
    around: list[Span] = []
    for at in np.flatnonzero(~clear).tolist():
        run: list[int] = []
        for token in range(int(firsts[at]), int(lasts[at]) + 2):
            if token <= lasts[at] and owner[token] < 0:
                run.append(token)
                continue
            while run and not tokens.types[tokens.ids[run[0]]][0].isalnum():
                run.pop(0)
            while run and not tokens.types[tokens.ids[run[-1]]][-1].isalnum():
                run.pop()
            if run:
                around.append((run[0], run[-1]))
                kinds.append(names[at])
            run = []
    rest = np.array(around, np.int64).reshape(-1, 2)
    firsts, lasts = np.concatenate((firsts[clear], rest[:, 0])), np.concatenate((lasts[clear], rest[:, 1]))
    return tokens.starts[firsts], tokens.ends[lasts], kinds


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
