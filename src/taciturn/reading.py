"""How the information-theoretic models read a text: which keys of the knowledge a reader meets in it, and where.

A *reading* is a distinct expression of the text with the keys that it shows a reader: its own, and those of the known
phrases inside it ("HIV test" also says "HIV"). A name that is known as a whole is read as a whole: "San Antonio" does
not say "Antonio". Two terms joined by "of" or a possessive, and a term with the word before it, are read as one phrase
as well ("Kaposi's sarcoma", "sexually transmitted infection"), for that is how the extractor cuts them. Words
outside terms are read too ("she is gay"), for the extractor of noun phrases passes over them. Function words and
redaction marks say nothing.

Everything here works on distinct expressions, not on occurrences: a long document has few of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import inf, log2
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Term
from taciturn.generalize.writing import MARK, outside_marks
from taciturn.knowledge import Knowledge
from taciturn.knowledge.counts.base import information as bits_of
from taciturn.knowledge.forms import forms
from taciturn.language import Analysis, Key, key
from taciturn.language.couples import MEANING, couples
from taciturn.language.keys import tails
from taciturn.language.lexicon import LEXICON

__all__ = [
    "NAMES",
    "ROUNDING",
    "Figures",
    "Reading",
    "expressions",
    "figures_of",
    "information",
    "is_empty",
    "locate",
    "phrases",
    "read",
    "readings",
    "share_kept",
    "telling",
]

NAMES = frozenset({"person", "organization", "place"})
ROUNDING = 1e-9  # bits; a figure this close to a limit counts as reaching it, so that rounding never un-hides a term
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HYPHENATED = re.compile(r"\b[A-Z]+(?:-[A-Z]+)+\b")
_LAST_WORD = re.compile(r"\b([^\W\d_]{3,})[ -]$")
_JOINT = re.compile(r"['’]s? | of (?:the |an? )?")
_FUNCTION = LEXICON.word_set("function.unsaid")
_ACRONYM = 6  # letters of the longest acronym that is looked for behind small letters
_SHORT = re.compile(rf"\b[A-Za-z][a-z0-9]{{1,{_ACRONYM - 1}}}\b")
_NO_ROOM = 3  # characters between terms that leave none for a word of three letters and what follows it
_NEXT_TO_ALL = 0.8  # of an entity's information; counts alone are never sure of all of it
_LONGEST = 5  # words of a phrase inside a term; longer ones are hardly ever known
_LONG, _MANY = 60, 30  # characters of an expression, and phrases inside it, up to which these are kept
_KEPT = 1 << 15  # expressions that are kept, for texts repeat theirs and a release most of its original's: some 25 MB
_kept: dict[tuple[str, Key], tuple[Key, ...]] = {}
_kept_short: dict[str, tuple[str, ...]] = {}


class Reading(NamedTuple):
    """A distinct expression with its own key first in ``keys``, and the places where it starts.

    ``role``: a "term"; a "phrase" of two terms; or a "word" outside all terms.
    """

    text: str
    keys: tuple[Key, ...]
    kind: str
    mention: int
    role: Literal["term", "phrase", "word"]
    starts: tuple[int, ...]

    @property
    def is_term(self) -> bool:
        return self.role == "term"

    @property
    def terms(self) -> tuple[Term, ...]:
        """The occurrences, as terms."""
        name, length = self.keys[0], len(self.text)
        return tuple(Term(s, s + length, self.text, name, self.kind, self.mention) for s in self.starts)


@dataclass(frozen=True, slots=True)
class Figures:
    """What knowledge says of distinct keys: counts, information content, and mutual information by entity."""

    keys: list[Key]
    index: dict[Key, int]
    count: NDArray[np.int64]
    ic: NDArray[np.float64]
    pmi: NDArray[np.float64]
    full: NDArray[np.float64]  # the information content of each entity
    bits: list[float]  # ``ic`` once more: a list answers for one key sooner than an array

    def known(self, k: Key) -> bool:
        at = self.index.get(k)
        return at is not None and self.bits[at] != inf

    def of(self, k: Key) -> float:
        return self.bits[self.index[k]]


def read(
    analysis: Analysis, knowledge: Knowledge, entities: Sequence[Key] = (), *, located: bool = True
) -> list[Reading]:
    """:func:`readings` with what the counts alone do not show, as further keys; :func:`expressions` if not located.

    An expression that the counts have never seen says what it is: who reads "darunavir" learns "protease inhibitor",
    however rare the name. Another form of a protected entity's name says the entity: "Catholic" says "Catholicism".
    An acronym in small letters says what it says in capitals: the British "Aids", the "hiv" of hurried notes.
    """
    found = readings(analysis) if located else expressions(analysis)
    found += _spoken(analysis, knowledge, entities)
    distinct = list(dict.fromkeys(chain.from_iterable([r.keys for r in found if r.role != "phrase"])))
    unseen, beyond = knowledge.beyond_counts(distinct)
    found = _in_capitals(found, knowledge, entities, unseen)
    for entity, form in forms(entities, knowledge.counts).items():
        # A form is one word, so a phrase of two terms says it only where one of them does.
        found = [r._replace(keys=(*r.keys, entity)) if r.role != "phrase" and form.search(r.text) else r for r in found]
    found += _couples(analysis)
    if not beyond:
        return found
    unaffected = beyond.keys().isdisjoint
    return [r if unaffected(r.keys) else r._replace(keys=_with_beyond(r.keys, beyond)) for r in found]


def _spoken(analysis: Analysis, knowledge: Knowledge, entities: Sequence[Key]) -> list[Reading]:
    """Expressions known to speak of an entity that no term has as they are known: "induction of labor", "hCG"."""
    if (vocabulary := knowledge.witnesses.vocabulary(entities)) is None:
        return []
    text, spans = analysis.document.text, [(t.start, t.end) for t in analysis.terms]
    starts = [s for s, _ in spans]
    marks = [m.span() for m in MARK.finditer(text)]
    places: dict[tuple[str, Key], list[int]] = {}
    for match in vocabulary.find(analysis.document):
        at = bisect_right(starts, match.start) - 1
        is_read = (at >= 0 and match.end <= spans[at][1]) or _WORD.fullmatch(text, match.start, match.end)
        if is_read and key(text[match.start : match.end]) in match.keys:
            continue  # a phrase of a term or a word outside terms, which is read as it is
        if not any(s < match.end and match.start < e for s, e in marks):
            places.setdefault((text[match.start : match.end], match.keys[0]), []).append(match.start)
    return [Reading(t, (k,), "other", 0, "phrase", tuple(at)) for (t, k), at in places.items()]


def _couples(analysis: Analysis) -> list[Reading]:
    """Nouns that say by grammar what no word of theirs does: the "husband" of "his husband"."""
    text = analysis.document.text
    places: dict[str, list[int]] = {}
    for start, end in couples(text):
        places.setdefault(text[start:end], []).append(start)
    return [Reading(t, (key(t), MEANING), "other", 0, "phrase", tuple(at)) for t, at in places.items()]


def _with_beyond(keys: tuple[Key, ...], beyond: Mapping[Key, tuple[Key, ...]]) -> tuple[Key, ...]:
    return tuple(dict.fromkeys([*keys, *(a for k in keys for a in beyond.get(k, ()))]))


def _in_capitals(
    found: list[Reading], knowledge: Knowledge, entities: Sequence[Key], unseen: Iterable[Key]
) -> list[Reading]:
    """Readings with the keys that they would have if they wrote their acronyms in capitals.

    A short word that is unknown in small letters is one if its capitals are known; an ordinary word with a capital only
    if the acronym all but names an entity. "Aids" at the start of a sentence loses by that; "Hearing Aids",
    known as it is, does not.
    """
    small = [k for k in unseen if 1 < len(k) <= _ACRONYM and k.isalnum() and k.islower()]
    shorts = [_short_words(r.text) for r in found]
    words = [w for w in dict.fromkeys(chain.from_iterable(shorts)) if w[0] <= "Z" and w[1:].isalpha()]
    figures = figures_of([Key(w.upper()) for w in (*small, *words)], knowledge, entities)
    capitals = {w: k for w in words if figures.known(k := Key(w.upper())) and _discloses(k, figures)}
    capitals |= {w: k for s in small for w in (s, s.capitalize()) if figures.known(k := Key(s.upper()))}
    if not capitals:
        return found
    unaffected = capitals.keys().isdisjoint
    texts = {
        i: _SHORT.sub(lambda m: capitals.get(m[0], m[0]), found[i].text)
        for i, here in enumerate(shorts)
        if not unaffected(here)
    }
    own = knowledge.counts.table([], [found[i].keys[0] for i in texts])[0].tolist()
    changed = list(found)
    for (i, text), n in zip(texts.items(), own, strict=True):
        r = found[i]
        if text != r.text and not (n and " " in r.keys[0]) and (name := key(text)):
            changed[i] = r._replace(keys=(name, *(phrases(text, name) if r.role != "phrase" else ())))
    return changed


def _short_words(text: str) -> tuple[str, ...]:
    """The words of a text that may be acronyms."""
    if (found := _kept_short.get(text)) is None:
        found = tuple(_SHORT.findall(text))
        if len(text) <= _LONG:
            if len(_kept_short) > _KEPT:
                _kept_short.clear()
            _kept_short[text] = found
    return found


def readings(analysis: Analysis) -> list[Reading]:
    """What a reader may learn from in a text, in order of first appearance.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> [r.keys for r in readings(analyze(Document.of("An HIV test."))) if r.is_term]
    [('HIV test', 'HIV', 'test')]
    """
    return locate(expressions(analysis), analysis)


def expressions(analysis: Analysis) -> list[Reading]:
    """The same in another order, and words without their places: :func:`locate` finds those of the few that matter."""
    text = analysis.document.text
    marks = [m.span() for m in MARK.finditer(text)]
    terms = outside_marks(analysis.terms, text)
    places: dict[tuple[str, Key, str, int], list[int]] = {}
    for t in terms:
        expression = (t.text, t.key, t.kind, t.mention)
        if (starts := places.get(expression)) is not None:
            starts.append(t.start)
        else:
            places[expression] = [t.start]
    found = [
        Reading(expression, (name, *phrases(expression, name)), kind, mention, "term", tuple(starts))
        for (expression, name, kind, mention), starts in places.items()
    ]
    for phrase, starts in _joined(text, terms).items():
        found.append(Reading(phrase, (key(phrase),), "other", 0, "phrase", tuple(starts)))
    for word in dict.fromkeys(_WORD.findall(_outside(text, terms, marks))):
        if word not in _FUNCTION and word.lower() not in _FUNCTION and (name := key(word)):
            found.append(Reading(word, (name, *phrases(word, name)), "other", 0, "word", ()))
    return found


def locate(found: Sequence[Reading], analysis: Analysis) -> list[Reading]:
    """Readings in order of first appearance, words with their places."""
    places: dict[str, list[int]] = {r.text: [] for r in found if r.role == "word"}
    if places:
        text = analysis.document.text
        marks = [m.span() for m in MARK.finditer(text)]
        for match in _WORD.finditer(_outside(text, outside_marks(analysis.terms, text), marks)):
            if (starts := places.get(match.group())) is not None:
                starts.append(match.start())
    placed = [r._replace(starts=tuple(places[r.text])) if r.role == "word" else r for r in found]
    placed.sort(key=lambda r: r.starts[0])
    return placed


def _joined(text: str, terms: Sequence[Term]) -> dict[str, list[int]]:
    """Phrases that the extractor cuts, with their places.

    Two neighbouring terms with "of" or a possessive between them ("Kaposi's sarcoma"), and a term with the word before
    it ("sexually transmitted infection").
    """
    found: dict[str, list[int]] = {}
    spans = [(t.start, t.end) for t in terms]
    for (first, end), (start, last) in pairwise(spans):
        if 2 <= start - end <= 8 and _JOINT.fullmatch(text, end, start):
            found.setdefault(text[first:last], []).append(first)
    at = 0
    for start, end in spans:
        # Most terms follow another, or a function word; to see that takes less than the search.
        if start - at > _NO_ROOM and (
            (space := text.rfind(" ", at, start - 1)) < 0 or text[space + 1 : start - 1] not in _FUNCTION
        ):
            before = _LAST_WORD.search(text, max(at, start - 24), start)
            if before and before.group(1).lower() not in _FUNCTION:
                found.setdefault(text[before.start() : end], []).append(before.start())
        at = end
    return found


def _outside(text: str, terms: Sequence[Term], marks: Sequence[tuple[int, int]]) -> str:
    """The text with spaces in the place of terms and marks: what is left are words outside them, where they stood."""
    covered = [(t.start, t.end) for t in terms]
    if marks:
        covered = sorted([*covered, *marks])
    pieces: list[str] = []
    at = 0
    for start, end in covered:
        if end > at:
            pieces += (text[at:start], " " * (end - max(at, start)))
            at = end
    pieces.append(text[at:])
    return "".join(pieces)


def phrases(expression: str, name: Key) -> tuple[Key, ...]:
    """The keys of the phrases inside an expression other than its own key ``name``; "Y-BOCS" is "YBOCS" as well.

    >>> phrases("HIV-positive patients", "HIV positive patient")
    ('HIV positive', 'positive patient', 'HIV', 'positive', 'patient')
    """
    if expression.isalnum():
        return ()
    if (found := _kept.get((expression, name))) is None:
        found = _phrases(expression, name)
        if len(expression) <= _LONG and len(found) <= _MANY:
            if len(_kept) > _KEPT:
                _kept.clear()
            _kept[expression, name] = found
    return found


def _phrases(expression: str, name: Key) -> tuple[Key, ...]:
    parts = [m.span() for m in _PART.finditer(expression)]
    if len(parts) < 2:
        return ()
    found: dict[Key, None] = dict.fromkeys(key(m[0].replace("-", "")) for m in _HYPHENATED.finditer(expression))
    for length in range(min(len(parts) - 1, _LONGEST), 0, -1):
        for first in range(len(parts) - length + 1):
            inner = key(expression[parts[first][0] : parts[first + length - 1][1]])
            if inner and inner != name and inner not in _FUNCTION:
                found[inner] = None
    return tuple(found)


def figures_of(keys: Iterable[Key], knowledge: Knowledge, entities: Sequence[Key] = ()) -> Figures:
    """The figures of distinct keys, asked in one go; ``pmi`` has a row an entity.

    What the counts say of a key and an entity is raised to what names and relations say of them.
    """
    index = {k: i for i, k in enumerate(dict.fromkeys(keys))}
    distinct = list(index)
    total = knowledge.counts.total
    count, pmi = knowledge.witnesses.told(entities, distinct)
    ic = bits_of(count, total)
    if entities:
        # An expression that only professionals know is a rare one.
        ic = np.where(np.isinf(ic) & np.isfinite(pmi).any(axis=0), log2(2 * total), ic)
    full = np.array([knowledge.witnesses.information(e) for e in entities])
    return Figures(distinct, index, count, ic, pmi, full, ic.tolist())


def is_empty(k: Key) -> bool:
    """Is a key a function word? It says nothing by itself, so it is no member of a group.

    >>> is_empty("other"), is_empty("patient")
    (True, False)
    """
    return k.lower() in _FUNCTION


def whole(keys: Sequence[Key], figures: Figures) -> Key | None:
    """The key that stands for an expression as a whole: its own, or the longest known phrase at its end, or None."""
    if figures.known(keys[0]):
        return keys[0]
    return next((tail for tail in tails(keys[0])[1:] if figures.known(tail)), None)


def telling(reading: Reading, figures: Figures) -> tuple[Key, ...]:
    """The keys that a reading shows: all known ones; of a name known as a whole, the whole.

    What gives an entity away completely is seen even inside a name: "New York Times" says "New York".
    """
    shown = [k for k in reading.keys if figures.known(k)]
    if reading.kind in NAMES and shown and shown[0] == reading.keys[0]:
        return (shown[0], *(k for k in shown[1:] if _discloses(k, figures)))
    return tuple(shown)


def _discloses(k: Key, figures: Figures) -> bool:
    """Does a key say next to all that there is to know of some entity?"""
    return bool((figures.pmi[:, figures.index[k]] >= _NEXT_TO_ALL * figures.full).any())


def information(analysis: Analysis, knowledge: Knowledge) -> float:
    """The information of a text in bits: the sum of IC over its terms.

    A term that the corpus never shows counts as one that it shows in half a context: to lose it is a loss, too.
    """
    terms = [r for r in readings(analysis) if r.is_term]
    figures = figures_of((k for r in terms for k in r.keys), knowledge)
    rare = log2(2 * max(knowledge.counts.total, 1))
    return sum((figures.of(name) if (name := whole(r.keys, figures)) else rare) * len(r.starts) for r in terms)


def share_kept(before: float, after: float) -> float:
    """The share of information that a release keeps, from 0 to 1: what is written instead adds nothing.

    >>> share_kept(20.0, 15.0), share_kept(20.0, 25.0), share_kept(0.0, 0.0)
    (0.75, 1.0, 1.0)
    """
    return min(after / before, 1.0) if before else 1.0
