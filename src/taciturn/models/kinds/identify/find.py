"""The identifying terms of a document: what recognizers and tagger found, corrected and completed by the network.

Identifiers that a recognizer knows by their form stay: a checksum or an @ needs no second opinion. Names are what the
network says, since it alone looks at titles, labels, lists of names and the rest of the document; what the tagger calls
a place, an organization or a time stays unless the network is sure that it is none.
"""

from __future__ import annotations

import re
import unicodedata
import weakref
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Term
from taciturn.knowledge import Knowledge
from taciturn.knowledge.taxonomies.flags import PLACES
from taciturn.language import Analysis, key
from taciturn.language.lexicon import LEXICON
from taciturn.language.tagger import load_weights
from taciturn.language.words import normal
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.decide import EPONYM_HEADS, decided, is_form_of_address
from taciturn.models.kinds.identify.figures import read
from taciturn.models.kinds.identify.network import shares
from taciturn.models.kinds.identify.parts import with_units
from taciturn.models.kinds.identify.pieces import Pieces

__all__ = ["KIND_OF", "Identified", "forget", "identify"]

Floats = NDArray[np.float32]

KIND_OF = {
    "PERSON": "person",
    "DATE": "date",
    "ID": "record-number",
    "PHONE": "phone",
    "STREET": "address",
    "CITY": "place",
    "ZIP": "postal-code",
    "AGE_OVER_89": "age",
    "USERNAME": "handle",
    "VEHICLE": "vehicle-id",
    "ORGANIZATION": "organization",
    "URL": "url",
    "EMAIL": "email",
    "IP": "ip-address",
}
"""The kind of term that each class is; what has none is learned only to tell it from the others."""

_CLASS_OF = {kind: name for name, kind in KIND_OF.items()}
_DOUBTED = {"organization": 0.7, "place": 0.9, "time": 0.5}
"""What the tagger names is dropped where the network gives this share to no identifier; persons are the network's."""
_SWEPT = 0.9
"""A name known from elsewhere is not hidden where the network gives this share to no identifier."""
_PERSON, _CITY = map(CLASSES.index, ("PERSON", "CITY"))
_SURE = 0.97
_HEAD = re.compile(r"(?:['’]s?)?[\s-]([^\W\d_]+)")
_OLDEST = 125
_YEARS = (1850, 2100)
_STATE_DEPTH = 3  # place, continent, country, state
_NUMBERED = frozenset({"ID", "PHONE", "ZIP", "VEHICLE"})
_HALF = 128  # of 255: the share of capitals above which a word is a name
_SIGNED = frozenset({"URL", "EMAIL", "IP"})  # there are signs between their parts
_ROADS = frozenset(word.lower().rstrip(".") for word in LEXICON.words("places.street", "places.unit"))
_CALENDAR = ("times.month", "times.month-short", "times.season", "times.weekday", "times.unit")
_COUNTING = ("numbers.ordinal", "numbers.digit", "numbers.teen", "numbers.ten")
_OF_TIME = LEXICON.word_set(*_CALENDAR, *_COUNTING) | {
    part for holiday in LEXICON.words("times.holiday") for part in holiday.split()
}
_TIMES = frozenset(word.lower() for word in _OF_TIME)
_STATES = frozenset(LEXICON.table("places.state"))
_SOFT = frozenset({"other", "place", "organization", "time"})
_PLAIN = frozenset({"duration", "money", "percentage", "quantity"})


@dataclass(frozen=True, slots=True)
class Identified:
    """The terms of a document with those that identify, and how sure it is of each piece that it identifies nothing."""

    terms: tuple[Term, ...]
    pieces: Pieces
    nothing: Floats

    def is_plain(self, start: int, end: int, limit: float = _SWEPT) -> bool:
        """Whether the network is sure that this identifies nothing, or the word after it says so ("palsy")."""
        after = _HEAD.match(self.pieces.text, end)
        if after and (after[1].lower() in EPONYM_HEADS or after[1].lower().removesuffix("s") in EPONYM_HEADS):
            return True
        return _mean(self.pieces, self.nothing, start, end) > limit


_last: tuple[weakref.ref[Analysis], Knowledge, Identified] | None = None


def identify(analysis: Analysis, knowledge: Knowledge) -> Identified:
    """The terms of an analysis, corrected and completed.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> found = identify(analyze(Document.of("Ms. Hernandez reports pain after Tylenol.")), Knowledge.default())
    >>> [(term.text, term.kind) for term in found.terms if term.kind == "person"]
    [('Hernandez', 'person')]
    """
    global _last
    if _last is not None and _last[0]() is analysis and _last[1] is knowledge:
        return _last[2]  # planning and checking ask for the same document several times
    reading = read(analysis, knowledge)
    found = shares(reading)
    nothing = found[:, 0] + found[:, CLASSES.index("NATIONALITY_OR_ETHNICITY")]
    for term in analysis.terms:
        if term.kind == "place" and _is_wide(term, knowledge):
            # A state or a country may bear a person's name as well; then the network must be sure.
            here = [i for i in _inside(reading.pieces, term.start, term.end) if found[i, _PERSON] < _SURE]
            found[here, 1:], found[here, 0] = 0, 1
        elif term.kind == "place" and _is_known(term, knowledge):
            here = [i for i in _inside(reading.pieces, term.start, term.end) if found[i, _PERSON] < _SURE]
            found[here, _CITY] += found[here, _PERSON]
            found[here, _PERSON] = 0
    kept = [t for t in analysis.terms if _stays(t, reading.pieces, nothing)]
    result = Identified(tuple(_completed(kept, _spans(reading.pieces, found), analysis)), reading.pieces, nothing)
    _last = (weakref.ref(analysis), knowledge, result)
    return result


def forget() -> None:
    """Forget the last document: needed where the weights are changed, as training does."""
    global _last
    _last = None


def _is_known(term: Term, knowledge: Knowledge) -> bool:
    """Whether the taxonomy of places has a place."""
    return any(PLACES in t.flags and t.senses(term.key) for t in knowledge.taxonomies)


def _is_wide(term: Term, knowledge: Knowledge) -> bool:
    """Whether a place is a state, a country or larger."""
    places = next((t for t in knowledge.taxonomies if PLACES in t.flags), None)
    senses = places.senses(term.key) if places else ()
    return bool(places and senses and places.depth(senses[0]) <= _STATE_DEPTH)


def _inside(pieces: Pieces, start: int, end: int) -> range:
    tokens = pieces.tokens
    return range(
        int(np.searchsorted(tokens.ends, start, side="right")), int(np.searchsorted(tokens.starts, end, side="left"))
    )


def _mean(pieces: Pieces, figures: Floats, start: int, end: int) -> float:
    tokens = pieces.tokens
    here = [i for i in _inside(pieces, start, end) if tokens.types[tokens.ids[i]][0].isalnum()]
    return float(np.mean(figures[here])) if here else 1.0


def _stays(term: Term, pieces: Pieces, nothing: Floats) -> bool:
    """Whether what the language layer found stays as it is."""
    if term.kind == "person" or (term.kind in _DOUBTED and is_form_of_address(term.text)):
        return False
    limit = _DOUBTED.get(term.kind)
    return limit is None or _is_firm(term) or _mean(pieces, nothing, term.start, term.end) <= limit


def _is_firm(term: Term) -> bool:
    """Whether a recognizer found a term by its form; the tagger calls a term a time, too, but one without digits."""
    return term.kind not in _SOFT or (term.kind == "time" and any(map(str.isdigit, term.text)))


def _spans(pieces: Pieces, found: Floats) -> list[tuple[int, int, str]]:
    """The runs of pieces of one class, without the punctuation at their ends."""
    tokens = pieces.tokens
    words = [tokens.types[i] for i in tokens.ids.tolist()]
    best = decided(pieces, words, found)
    is_word = [word[0].isalnum() for word in words]
    for at in range(1, len(words)):
        # "Houston, TX 77030": a state may stay, whatever becomes of the town and the ZIP code.
        if words[at] in _STATES and words[at - 1] == "," and CLASSES[best[at]] != "PERSON":
            best[at] = 0
        # "770**" is what a release shows of a ZIP code.
        if words[at] == "*" and words[at - 1].isdigit() and len(words[at - 1]) == 3:
            best[at - 1 : at + 1] = 0
    spans: list[tuple[int, int, str]] = []
    at = 0
    while at < len(best):
        label = int(best[at])
        if not label or not is_word[at] or pieces.marks[at] or CLASSES[label] not in KIND_OF:
            at += 1
            continue
        last = stop = at
        while stop + 1 < len(best) and not pieces.marks[stop + 1]:
            if best[stop + 1] != label or "\n\n" in pieces.text[tokens.ends[stop] : tokens.starts[stop + 1]]:
                break
            stop += 1
            if is_word[stop]:
                last = stop
        bare = last == at and CLASSES[label] == "DATE" and words[at].isdigit()
        if _fits(CLASSES[label], words[at : last + 1]) and not (bare and _is_number(words[at], words[at - 1])):
            spans.append((int(tokens.starts[at]), int(tokens.ends[last]), KIND_OF[CLASSES[label]]))
        at = stop + 1
    return spans


def _fits(label: str, words: list[str]) -> bool:
    """Whether words can be of a class at all: a number has a digit, a date a digit or a word of time."""
    has_digit = any(map(str.isdigit, "".join(words)))
    if label in _NUMBERED:
        return has_digit
    if label in _SIGNED:
        return len(words) > 1
    if label == "STREET" and not has_digit:
        return len(words) > 1 and any(w.lower().rstrip(".") in _ROADS for w in words)
    if label == "DATE":
        return has_digit or any(
            (w.lower() in _TIMES and _can_be_name(w)) or (w[0].isupper() and len(w) > 3) for w in words
        )
    if label == "AGE_OVER_89":
        return any(w.lower() in _TIMES or (w.isdigit() and 0 < int(w) <= _OLDEST and w[0] != "0") for w in words)
    return label == "USERNAME" or any(w[0].isalpha() for w in words)


def _is_number(word: str, before: str) -> bool:
    """Whether digits alone are an hour or the number of a list; "20230412" is a date, and so is "scan_0412"."""
    return len(word) not in (6, 8) and before != "_" and not _YEARS[0] < int(word) < _YEARS[1]


def _can_be_name(word: str) -> bool:
    """Whether a word has a capital, here or as a rule: "april" may be the month, "march" is what people do."""
    weights = load_weights()
    return word[0].isupper() or weights.capitals[weights.rows.get(normal(word), 0)] > _HALF


def _completed(kept: list[Term], spans: list[tuple[int, int, str]], analysis: Analysis) -> list[Term]:
    """The terms with the spans of the network: these give way to identifiers that a recognizer knows by their form."""
    text = analysis.document.text
    firm = [t for t in kept if _is_firm(t)]
    starts = [t.start for t in firm]
    mentions = {t.text: t.mention for t in analysis.terms if t.mention}
    found: list[Term] = []
    for start, end, kind in spans:
        pieces = [(start, end)]
        first = max(bisect_left(starts, start) - 1, 0)
        for term in firm[first:]:
            if term.start >= end:
                break
            if term.end <= start:
                continue
            if term.kind in _PLAIN and kind != "date":
                continue
            pieces = [
                part
                for a, b in pieces
                for part in ((a, min(b, term.start)), (max(a, term.end), b))
                if part[0] < part[1]
            ]
        for a, b in pieces:
            while a < b and not text[a].isalnum():
                a += 1
            while a < b and not text[b - 1].isalnum() and not _is_joined(text[b - 1]):
                b -= 1
            if a < b and _fits(_CLASS_OF[kind], re.findall(r"\w+", text[a:b])):
                written = text[a:b]
                found.append(Term(a, b, written, key(written), kind, mentions.get(written, 0)))
    taken = sorted((t.start, t.end) for t in found)
    around = [t for t in kept if not _covered(t, taken)]
    return with_units(sorted([*around, *found], key=lambda t: (t.start, t.end)), text)


def _is_joined(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")


def _covered(term: Term, taken: list[tuple[int, int]]) -> bool:
    """Whether a name of the tagger overlaps what the network found there."""
    if _is_firm(term):
        return False
    at = bisect_left(taken, (term.start, term.start))
    return any(s < term.end and term.start < e for s, e in taken[max(at - 1, 0) : at + 8])
