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
from taciturn.language.people import GIVEN, SMALL, SURNAME, clinical_table, name_table
from taciturn.models.kinds.identify.belonging import SHORT, add_belonging, foreign_words
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.figures import read
from taciturn.models.kinds.identify.network import shares
from taciturn.models.kinds.identify.pieces import Pieces

__all__ = ["KIND_OF", "Identified", "identify"]

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
_FAVOUR = {"PERSON": 6.0, "DATE": 5.0, "ID": 6.0, "PHONE": 6.0, "STREET": 7.0, "CITY": 6.0, "ZIP": 10.0,
           "AGE_OVER_89": 7.0, "USERNAME": 7.0, "VEHICLE": 7.0}  # fmt: skip
"""How many times likelier than nothing a class is taken for: a name that is left costs more than a word too many."""

_DOUBTED = {"organization": 0.7, "place": 0.9, "time": 0.5}
"""What the tagger names is dropped where the network gives this share to no identifier; persons are the network's."""
_SWEPT = 0.9
"""A name known from elsewhere is not hidden where the network gives this share to no identifier."""
_PERSON = CLASSES.index("PERSON")
_SURE = 0.97
_CASED = 0.8  # of the names in a document have a capital, so that a word without one is hardly a name
_SMALL = 0.25
_MEDICAL = 0.5
_FOREIGN = 200.0
_TITLES = frozenset(word.lower() for word in LEXICON.words("names.title-male", "names.title-female", "names.title"))
_HEADS = LEXICON.word_set("names.eponym-head")
_COMMON = LEXICON.word_set("names.kin", "names.role") - {"will", "sr", "fr", "br"}
_HEAD = re.compile(r"(?:['’]s?)?[\s-]([^\W\d_]+)")
_CREDENTIALS = LEXICON.word_set("names.credential")
_OLDEST = 125
_DATE = CLASSES.index("DATE")
_MONTHS, _DAYS = 12, 31
_JOINS = ("/", ".", "-")
_LEAST = 1e-6
_STATE_DEPTH = 3  # place, continent, country, state
_NUMBERED = frozenset({"ID", "PHONE", "ZIP", "VEHICLE"})
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
        if after and (after[1].lower() in _HEADS or after[1].lower().removesuffix("s") in _HEADS):
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
    kept = [t for t in analysis.terms if _stays(t, reading.pieces, nothing)]
    result = Identified(tuple(_completed(kept, _spans(reading.pieces, found), analysis)), reading.pieces, nothing)
    _last = (weakref.ref(analysis), knowledge, result)
    return result


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
    if term.kind == "person":
        return False
    limit = _DOUBTED.get(term.kind)
    return limit is None or _is_firm(term) or _mean(pieces, nothing, term.start, term.end) <= limit


def _favours(pieces: Pieces, words: list[str], found: Floats) -> Floats:
    """By how much each class is favoured at each piece.

    Not at all in a text that a release has marked: there the first reading was the one that had to miss nothing.
    Persons are not favoured where a word is hardly a name: in small letters among names with capitals, or one to four
    letters in capitals or small letters, which are an abbreviation as a rule.
    """
    favours = np.ones((len(words), len(CLASSES)), np.float32)
    if pieces.marks.any():
        return favours
    favours[:] = [_FAVOUR.get(name, 1.0) for name in CLASSES]
    names = name_table().figures(words)
    sure = (found[:, _PERSON] > 0.5) & np.array([word.isalpha() for word in words], np.bool_)
    capitals = np.array([word[:1].isupper() for word in words], np.bool_)
    is_cased = (sure & capitals).sum() > _CASED * max(int(sure.sum()), 1)
    short = np.array([len(word) < SHORT and (word.isupper() or word.islower()) for word in words], np.bool_)
    known = names[:, [GIVEN, SURNAME]].any(axis=1)
    favours[short & ~(known & ~capitals), _PERSON] = 1.0
    # Words of medicine are no persons, unless a title says so or the network is sure.
    medical = clinical_table().figures(words)
    titled = np.array([_is_titled(words, at) for at in range(len(words))], np.bool_)
    more = medical[:, 1:].max(axis=1) > names[:, [GIVEN, SURNAME]].max(axis=1)
    favours[more & ~known & ~titled, _PERSON] = _MEDICAL
    favours[short & capitals & (medical[:, 2] > 0.1) & ~titled, _PERSON] = _MEDICAL / 5
    foreign = foreign_words(words)
    if is_cased:
        favours[~capitals & ~foreign, _PERSON] = _SMALL
        favours[~capitals & (names[:, SMALL] > 0), _PERSON] = _SMALL / 5
    favours[foreign, _PERSON] = _FOREIGN  # what a Latin text writes in another script is a name as a rule
    return favours


def _is_titled(words: list[str], at: int) -> bool:
    return at > 0 and words[at - 1 - (words[at - 1] == "." and at > 1)].lower() in _TITLES


def _no_persons(words: list[str], best: NDArray[np.int64]) -> None:
    """Take back what the words around show to be no person: credentials, kin and roles, eponyms before their head."""
    at = 0
    while at < len(words):
        if best[at] != _PERSON:
            at += 1
            continue
        stop = at
        while stop < len(words) and best[stop] == _PERSON:
            stop += 1
        after = stop
        while after < len(words) and words[after] in ("'", "’", "s", "-"):
            after += 1
        head = words[after].lower() if after < len(words) else ""
        titled = _is_titled(words, at)
        names = [word for word in words[at:stop] if word[0].isalnum()]
        is_eponym = not titled and (head in _HEADS or head.removesuffix("s") in _HEADS)
        is_common = all(name.lower() in _COMMON for name in names) and (words[after - 1] if after else "") != "."
        if is_eponym or (is_common and not titled) or (at > 1 and _is_credential(_with_letters(words, at, stop))):
            best[at:stop] = 0
        else:
            _cut_credentials(words, best, at, stop)
        at = stop


def _with_letters(words: list[str], at: int, stop: int) -> list[str]:
    """The words of a run with those that points join to it: of "M.D" the network may have taken the "D" alone."""
    while at > 1 and words[at - 1] == "." and len(words[at - 2]) < 3 and words[at - 2].isalpha():
        at -= 2
    while stop + 1 < len(words) and words[stop] == "." and len(words[stop + 1]) == 1 and words[stop + 1].isalpha():
        stop += 2
    return [word for word in words[at:stop] if word[0].isalnum()]


def _is_credential(words: list[str]) -> bool:
    return "".join(words).lower() in _CREDENTIALS


def _cut_credentials(words: list[str], best: NDArray[np.int64], at: int, stop: int) -> None:
    """Of "Anna Lee, M.D." the last comma and what follows it go, if that is a credential."""
    for comma in range(stop - 1, at, -1):
        if words[comma] == ",":
            if _is_credential([word for word in words[comma + 1 : stop] if word[0].isalnum()]):
                best[comma:stop] = 0
            return


def _as_wholes(pieces: Pieces, words: list[str], found: Floats) -> Floats:
    """The shares, the same in all pieces of a number that is written in several ("4/5", "3.2", "12-04-1999").

    A number is one thing: either all of "25/100" is a date, or nothing of it.
    """
    tokens = pieces.tokens
    result = found.copy()
    at = 0
    while at < len(words):
        stop = at + 1
        if words[at].isdigit():
            while stop + 1 < len(words) and words[stop] in _JOINS and words[stop + 1].isdigit():
                if tokens.ends[stop - 1] != tokens.starts[stop] or tokens.ends[stop] != tokens.starts[stop + 1]:
                    break
                stop += 2
            if stop > at + 1:
                mean = np.exp(np.log(found[at:stop:2] + _LEAST).mean(axis=0))
                result[at:stop] = mean / mean.sum()
                if not _can_be_date(words[at:stop]):
                    result[at:stop, _DATE] = 0
        at = stop
    return result


def _can_be_date(parts: list[str]) -> bool:
    """Whether numbers with signs between them can be the day and the month, the month and the year, or all three.

    >>> [_can_be_date(text.split()) for text in ("4 / 5", "08 / 07", "135 / 85", "3 . 45", "22 . 8 . 2023")]
    [True, True, False, False, True]
    """
    numbers = [int(part) for part in parts[::2]]
    lengths = [len(part) for part in parts[::2]]
    if len(numbers) == 2:
        one, other = numbers
        if parts[1] == ".":  # a decimal number
            return False
        day = 0 < min(one, other) <= _MONTHS and 0 < max(one, other) <= _DAYS and max(lengths) <= 2
        year = 0 < one <= _MONTHS and lengths[1] in (2, 4) and lengths[0] <= 2
        return day or year or (lengths[0] == 4 and 0 < other <= _MONTHS)
    return any(0 < number <= _MONTHS for number in numbers)


def _is_firm(term: Term) -> bool:
    """Whether a recognizer found a term by its form; the tagger calls a term a time, too, but one without digits."""
    return term.kind not in _SOFT or (term.kind == "time" and any(map(str.isdigit, term.text)))


def _spans(pieces: Pieces, found: Floats) -> list[tuple[int, int, str]]:
    """The runs of pieces of one class, without the punctuation at their ends."""
    tokens = pieces.tokens
    words = [tokens.types[i] for i in tokens.ids.tolist()]
    judged = _as_wholes(pieces, words, found)
    favours = _favours(pieces, words, found)
    best = (judged * favours).argmax(axis=1)
    if not pieces.marks.any():
        favours[:, _PERSON] = _FAVOUR["PERSON"]
        best = add_belonging(pieces, words, best, (judged * favours).argmax(axis=1) == _PERSON)
    _no_persons(words, best)
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
        if _fits(CLASSES[label], words[at : last + 1]):
            spans.append((int(tokens.starts[at]), int(tokens.ends[last]), KIND_OF[CLASSES[label]]))
        at = stop + 1
    return spans


def _fits(label: str, words: list[str]) -> bool:
    """Whether words can be of a class at all: a number has a digit, a date a digit or a word of time."""
    has_digit = any(map(str.isdigit, "".join(words)))
    if label in _NUMBERED:
        return has_digit
    if label == "DATE":
        return has_digit or any(w.lower() in _TIMES or (w[0].isupper() and len(w) > 3) for w in words)
    if label == "AGE_OVER_89":
        return any(w.lower() in _TIMES or (w.isdigit() and 0 < int(w) <= _OLDEST and w[0] != "0") for w in words)
    return label == "USERNAME" or any(w[0].isalpha() for w in words)


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
    return sorted([*around, *found], key=lambda t: (t.start, t.end))


def _is_joined(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")


def _covered(term: Term, taken: list[tuple[int, int]]) -> bool:
    """Whether a name of the tagger overlaps what the network found there."""
    if _is_firm(term):
        return False
    at = bisect_left(taken, (term.start, term.start))
    return any(s < term.end and term.start < e for s, e in taken[max(at - 1, 0) : at + 8])
