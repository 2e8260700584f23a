"""From the shares of the classes to a decision for each piece.

A name that is left costs more than a word too many, so classes are favoured over nothing; which of them it is, the
network says by itself. What the words around show to be no person is taken back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taciturn.language.lexicon import LEXICON
from taciturn.language.people import GIVEN, SMALL, SURNAME, clinical_table, name_table
from taciturn.language.tagger import load_weights
from taciturn.language.words import normal
from taciturn.models.kinds.identify.belonging import SHORT, add_belonging, foreign_words, initials_of
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.evidence import add_evident, is_titled
from taciturn.models.kinds.identify.parts import add_parts
from taciturn.models.kinds.identify.pieces import Pieces

__all__ = ["EPONYM_HEADS", "decided", "is_form_of_address"]

Floats = NDArray[np.float32]

_FAVOUR = {"PERSON": 6.0, "DATE": 5.0, "ID": 6.0, "PHONE": 6.0, "STREET": 7.0, "CITY": 6.0, "ZIP": 10.0,
           "AGE_OVER_89": 7.0, "USERNAME": 7.0, "VEHICLE": 7.0}  # fmt: skip
"""How many times likelier than nothing a class is taken for: a name that is left costs more than a word too many."""

_PERSON = CLASSES.index("PERSON")
_CASED = 0.8  # of the names in a document have a capital, so that a word without one is hardly a name
_SMALL = 0.25
_MEDICAL = 0.5
_LABELLED = 2.0
_CELL = 3  # spaces that part the cells of a table
_FOREIGN = 200.0
_TITLES = frozenset(word.lower() for word in LEXICON.words("names.title-male", "names.title-female", "names.title"))
_COMMON = LEXICON.word_set("names.kin", "names.role") - {"will", "sr", "fr", "br"}
_CLOSED = frozenset(word for name, each in LEXICON.lists("closed").items() if name != "modal" for word in each)
_DIRECTIONS = frozenset(word.lower() for word in LEXICON.words("places.direction"))
_NO_NAMES = _COMMON | _CLOSED | _DIRECTIONS
_HALF = 128  # of 255: the share of capitals above which a word is a name
_CREDENTIALS = LEXICON.word_set("names.credential") - {"jr", "sr", "ii", "iii", "iv"}  # these belong to the name
_DATE, _AGE, _USER = map(CLASSES.index, ("DATE", "AGE_OVER_89", "USERNAME"))
_MONTHS, _DAYS = 12, 31
_AFTER_FRACTION, _BEFORE_DAY = LEXICON.word_set("times.after-fraction"), LEXICON.word_set("times.before-day")
_TIMES = frozenset(
    part.lower()
    for word in LEXICON.words("times.month", "times.month-short", "times.weekday", "times.season", "times.holiday")
    for part in word.split()
)
_JOINS = ("/", ".", "-")
_LEAST = 1e-6
EPONYM_HEADS = LEXICON.word_set("names.eponym-head")
"""What a name is no person before: "palsy", "test"."""


def decided(pieces: Pieces, words: list[str], found: Floats) -> NDArray[np.int64]:
    """The number of the class of each piece, 0 for what identifies nobody; ``found`` are the shares of the classes."""
    judged = _as_wholes(pieces, words, found)
    names = name_table().figures(words)[:, [GIVEN, SURNAME]].any(axis=1)
    dated = np.array([word.isalpha() and word.lower() not in _TIMES for word in words], np.bool_) & names
    judged[dated, _PERSON] += judged[dated, _DATE]  # "12 March 2019 Mary Okafor": no name is a part of a date
    judged[dated, _DATE] = 0
    favours = _favours(pieces, words, found)
    best = _chosen(judged, favours)
    if not pieces.marks.any():
        add_evident(pieces, words, best)
        favours[:, _PERSON] = _FAVOUR["PERSON"]
        best = add_belonging(pieces, words, best, _chosen(judged, favours) == _PERSON)
        add_parts(pieces, best)
    _no_persons(pieces, words, best)
    return best


def is_form_of_address(text: str) -> bool:
    """Whether a text is a title and nothing else.

    >>> is_form_of_address("Prof."), is_form_of_address("Prof. Ng")
    (True, False)
    """
    return text.lower().rstrip(".") in _TITLES


def _chosen(judged: Floats, favours: Floats) -> NDArray[np.int64]:
    """The likeliest class where some class, favoured, is likelier than none."""
    hidden = (judged * favours).argmax(axis=1) > 0
    likely = judged[:, 1:] * np.minimum(favours[:, 1:], 1)
    return np.where(hidden, 1 + likely.argmax(axis=1), 0)


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
    vocabulary = load_weights().rows
    favours[[word.isalpha() and normal(word) in vocabulary for word in words], _USER] = 1.0
    names = name_table().figures(words)
    sure = (found[:, _PERSON] > 0.5) & np.array([word.isalpha() for word in words], np.bool_)
    capitals = np.array([word[:1].isupper() for word in words], np.bool_)
    is_cased = (sure & capitals).sum() > _CASED * max(int(sure.sum()), 1)
    short = np.array([len(word) < SHORT and (word.isupper() or word.islower()) for word in words], np.bool_)
    known = names[:, [GIVEN, SURNAME]].any(axis=1)
    favours[short & ~(known & ~capitals), _PERSON] = 1.0
    # Words of medicine are no persons, unless a title says so or the network is sure.
    medical = clinical_table().figures(words)
    titled = np.array([is_titled(words, at) for at in range(len(words))], np.bool_)
    more = medical.max(axis=1) > names[:, [GIVEN, SURNAME]].max(axis=1)
    favours[more & ~titled, _PERSON] = _MEDICAL
    favours[short & capitals & (medical[:, 2] > 0.1) & ~titled, _PERSON] = _MEDICAL / 5
    closed = np.array([word.lower() in _CLOSED for word in words], np.bool_)
    favours[closed & ~titled, _PERSON] = _MEDICAL / 5
    foreign = foreign_words(words)
    if is_cased:
        favours[~capitals & ~foreign, _PERSON] = _SMALL
        favours[~capitals & (names[:, SMALL] > 0), _PERSON] = _SMALL / 5
    labelled = np.array([at > 0 and words[at - 1] == ":" for at in range(len(words))], np.bool_)
    favours[short & labelled & ~closed, _PERSON] = _LABELLED  # initials stand after a label: "Typed: rb"
    favours[foreign, _PERSON] = _FOREIGN  # what a Latin text writes in another script is a name as a rule
    return favours


def _no_persons(pieces: Pieces, words: list[str], best: NDArray[np.int64]) -> None:
    """Take back what the words around show to be no person: credentials, kin and roles, eponyms before their head."""
    initials = set(initials_of(words, best))
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
        titled = is_titled(words, at)
        names = [word for word in words[at:stop] if word[0].isalnum()]
        is_eponym = not titled and (head in EPONYM_HEADS or head.removesuffix("s") in EPONYM_HEADS)
        labelled = at > 0 and words[at - 1] == ":"
        is_common = not labelled and all(map(_is_word, names)) and (words[after - 1] if after else "") != "."
        is_credential = at > 1 and words[at - 1] != ":" and _is_credential(_with_letters(words, at, stop))
        if (
            is_eponym
            or (is_common and not titled)
            or is_credential
            or (_is_abbreviation(words, at, stop, _is_apart(pieces, at, stop)) and not initials & {_letters(names)})
        ):
            best[at:stop] = 0
        else:
            _cut_credentials(words, best, at, stop)
        at = stop


def _is_word(name: str) -> bool:
    """Whether a word is kin, a role, a direction, or a word of the language that is written small and is no name."""
    if name.lower() in _NO_NAMES and len(name) > 1:
        return True
    weights = load_weights()
    row = weights.rows.get(normal(name), 0)
    usual = row > 0 and weights.capitals[row] < _HALF and len(name) > 2
    return bool(usual and not name_table().figures([name])[0, [GIVEN, SURNAME]].any())


def _letters(names: list[str]) -> str:
    return "".join(names).casefold()


def _is_apart(pieces: Pieces, at: int, stop: int) -> bool:
    """Whether a run stands in a line or a cell of its own: line ends or wide gaps on both sides."""
    starts, ends, text = pieces.tokens.starts, pieces.tokens.ends, pieces.text
    before = text[int(ends[at - 1]) if at else 0 : int(starts[at])]
    after = text[int(ends[stop - 1]) : int(starts[stop]) if stop < len(starts) else len(text)]
    return all("\n" in gap or len(gap) > _CELL for gap in (before, after))


def _is_abbreviation(words: list[str], at: int, stop: int, apart: bool) -> bool:
    """Whether a run is letters or an abbreviation of medicine, and nothing announces a person: no title, no label, and
    it does not stand ``apart``, in a line or a cell of its own.

    >>> words = "Serum ACE , type C . Typed : rb".split()
    >>> [_is_abbreviation(words, at, at + 1, False) for at in (1, 4, 8)]
    [True, True, False]
    """
    beside = [words[at - 1] if at else ":", words[stop] if stop < len(words) else ":"]
    qualified = words[stop : stop + 1] == [","] and _is_credential(words[stop + 1 : stop + 2])
    if is_titled(words, at) or qualified or not {":", "/", "|"}.isdisjoint(beside) or apart:
        return False
    names = [word for word in words[at:stop] if word[0].isalnum()]
    if all(len(name) == 1 for name in names):  # "p.o.", "type C", a part of "F.O.B."
        goes_on = words[stop : stop + 1] == ["."] and len("".join(words[stop + 1 : stop + 2])) == 1
        return len(names) < 2 or not all(map(str.isupper, names)) or goes_on
    medical = clinical_table().figures(names)
    return all(
        n.isupper() and len(n) < SHORT and row[[0, 2]].max() > 0.1 for n, row in zip(names, medical, strict=True)
    )


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
                result[at:stop, _AGE] = 0
                if _is_fraction(words, at, stop) or not (
                    _can_be_date(words[at:stop]) or _is_continental(words, at, stop)
                ):
                    result[at:stop, _DATE] = 0
        at = stop
    return result


def _is_fraction(words: list[str], at: int, stop: int) -> bool:
    """Whether what follows two numbers shows that they are no day: "cut to 4/5 of", "power 4/5 throughout".

    >>> _is_fraction("grip 4 / 5 throughout".split(), 1, 4), _is_fraction("on 4 / 5 of".split(), 1, 4)
    (True, False)
    """
    follows = stop < len(words) and stop - at == 3 and words[stop].lower() in _AFTER_FRACTION
    return follows and (at == 0 or words[at - 1].lower() not in _BEFORE_DAY)


def _is_continental(words: list[str], at: int, stop: int) -> bool:
    """Whether a day and a month with points are followed by a third one within the sentence: "22.8. to 5.9.;".

    >>> _is_continental("22 . 8 . to".split(), 0, 3), _is_continental("7 . 1 . The".split(), 0, 3)
    (True, False)
    """
    if stop - at != 3 or words[at + 1] != "." or words[stop : stop + 1] != ["."] or stop + 1 >= len(words):
        return False
    goes_on = words[stop + 1].islower() or words[stop + 1] in ",;)-–"
    return goes_on and 0 < int(words[at]) <= _DAYS and 0 < int(words[at + 2]) <= _MONTHS


def _can_be_date(parts: list[str]) -> bool:
    """Whether numbers with signs between them can be the day and the month, the month and the year, or all three.

    >>> [_can_be_date(text.split()) for text in ("4 / 5", "08 / 07", "135 / 85", "3 . 45", "22 . 8 . 2023")]
    [True, True, False, False, True]
    >>> _can_be_date("4 . 0 - 11 . 0".split()), _can_be_date("3 / 8 - 3 / 11".split())
    (False, True)
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
    if "." in parts and len("".join(parts).split("-")[0].split(".")) == 2:  # from one decimal number to another
        return False
    return any(0 < number <= _MONTHS for number in numbers)
