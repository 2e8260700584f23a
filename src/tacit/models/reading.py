"""How the information-theoretic models read a text: which keys of the knowledge a reader meets in it, and where.

A *reading* is a place of the text with the keys that it shows a reader: the whole term, and the known phrases inside it
("HIV test" also says "HIV"). A name that is known as a whole is read as a whole: "San Antonio" does not say "Antonio".
Words outside terms are read too ("she is gay"), for the extractor of noun phrases passes over them.
Redaction marks say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.document import Term
from tacit.knowledge import Counts
from tacit.language import Analysis, key
from tacit.replacement import MARK

__all__ = ["ROUNDING", "Figures", "Reading", "figures_of", "information", "phrases", "readings", "telling", "whole"]

_NAMES = frozenset({"person", "organization", "place"})
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
ROUNDING = 1e-9  # bits; a figure this close to a limit counts as reaching it, so that rounding never un-hides a term
_LONGEST = 5  # words of a phrase inside a term; longer ones are hardly ever known


@dataclass(frozen=True, slots=True)
class Reading:
    """A term, or a word outside all terms, with its own key first and the keys of the phrases inside it after."""

    term: Term
    keys: tuple[str, ...]
    is_term: bool = True


@dataclass(frozen=True, slots=True)
class Figures:
    """What knowledge says of distinct keys: counts, information content, and mutual information by entity."""

    index: dict[str, int]
    count: NDArray[np.int64]
    ic: NDArray[np.float64]
    pmi: NDArray[np.float64]
    full: NDArray[np.float64]  # the information content of each entity

    def known(self, k: str) -> bool:
        return bool(self.count[self.index[k]])

    def of(self, k: str) -> float:
        return float(self.ic[self.index[k]])


def readings(analysis: Analysis) -> list[Reading]:
    """Every place of a text that a reader may learn from, in order.

    >>> from tacit.document import Document
    >>> from tacit.language import analyze
    >>> [r.keys for r in readings(analyze(Document.of("An HIV test.")))]
    [('HIV test', 'HIV', 'test')]
    """
    text = analysis.document.text
    inside: dict[tuple[str, str], tuple[str, ...]] = {}
    words: dict[str, str] = {}
    found: list[Reading] = []

    def read(term: Term, is_term: bool = True) -> None:
        seen = inside.get((term.text, term.key))
        if seen is None:
            seen = inside[(term.text, term.key)] = (term.key, *phrases(term))
        found.append(Reading(term, seen, is_term))

    def read_gap(start: int, end: int) -> None:
        for match in _WORD.finditer(text, start, end):
            word = match.group()
            name = words.get(word)
            if name is None:
                name = words[word] = key(word)
            if name:
                read(Term(match.start(), match.end(), word, name), is_term=False)

    at = 0
    marks = [m.span() for m in MARK.finditer(text)]
    for start, end, term in _merge(marks, analysis.terms):
        if start > at:
            read_gap(at, start)
        if term is not None and start >= at:
            read(term)
        at = max(at, end)
    read_gap(at, len(text))
    return found


def _merge(marks: Sequence[tuple[int, int]], terms: Iterable[Term]) -> list[tuple[int, int, Term | None]]:
    """Marks and terms in order; a term that touches a mark is left to its words."""
    if not marks:
        return [(t.start, t.end, t) for t in terms]
    places: list[tuple[int, int, Term | None]] = [(s, e, None) for s, e in marks]
    i = 0
    for term in terms:
        while i < len(marks) and marks[i][1] <= term.start:
            i += 1
        if i == len(marks) or term.end <= marks[i][0]:
            places.append((term.start, term.end, term))
    return sorted(places, key=lambda p: (p[0], p[1]))


def phrases(term: Term) -> tuple[str, ...]:
    """The keys of the phrases inside a term, longest first."""
    parts = [m.span() for m in _PART.finditer(term.text)]
    if len(parts) < 2:
        return ()
    found: dict[str, None] = {}
    for length in range(min(len(parts) - 1, _LONGEST), 0, -1):
        for first in range(len(parts) - length + 1):
            name = key(term.text[parts[first][0] : parts[first + length - 1][1]])
            if name and name != term.key:
                found[name] = None
    return tuple(found)


def figures_of(keys: Iterable[str], counts: Counts, entities: Sequence[str] = ()) -> Figures:
    """The figures of distinct keys, asked in one go; ``pmi`` has a row an entity."""
    distinct = list(dict.fromkeys(keys))
    groups = [(k,) for k in distinct]
    n = counts.count_many(groups)
    with np.errstate(divide="ignore"):
        ic = np.log2(counts.total / n.astype(np.float64))
    pmi = counts.pmi_many(entities, groups) if entities else np.empty((0, len(groups)))
    full = counts.ic_many([(e,) for e in entities]) if entities else np.empty(0)
    return Figures({k: i for i, k in enumerate(distinct)}, n, ic, pmi, full)


def whole(reading: Reading, figures: Figures) -> str | None:
    """The key that stands for a term as a whole: its own, or the longest known phrase at its end; None if unknown."""
    if figures.known(reading.keys[0]):
        return reading.keys[0]
    words = reading.keys[0].split()
    for first in range(1, len(words)):
        tail = " ".join(words[first:])
        if tail in figures.index and figures.known(tail):
            return tail
    return None


def telling(reading: Reading, figures: Figures) -> tuple[str, ...]:
    """The keys that a reading shows: all known ones; of a name known as a whole, the whole.

    What gives an entity away completely is seen even inside a name: "New York Times" says "New York".
    """
    shown = [k for k in reading.keys if figures.known(k)]
    if reading.term.kind in _NAMES and shown and shown[0] == reading.keys[0]:
        return (shown[0], *(k for k in shown[1:] if _discloses(k, figures)))
    return tuple(shown)


def _discloses(k: str, figures: Figures) -> bool:
    """Does a key never occur without some entity?"""
    return bool((figures.pmi[:, figures.index[k]] >= figures.full - ROUNDING).any())


def information(analysis: Analysis, counts: Counts) -> float:
    """The information of a text: the sum of IC over its terms, unknown ones counting nothing (the papers' utility)."""
    terms = [Reading(t, (t.key, *phrases(t))) for t in analysis.terms if MARK.search(t.text) is None]
    figures = figures_of((k for r in terms for k in r.keys), counts)
    return sum(figures.of(name) for r in terms if (name := whole(r, figures)))
