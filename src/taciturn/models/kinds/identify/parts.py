"""What belongs to an address or a date that was found: a flat, a house's name, the other dates of a list; pagers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Term
from taciturn.language import key
from taciturn.language.lexicon import LEXICON, any_word
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.pieces import Pieces

__all__ = ["add_parts", "with_units"]

_DATE, _PHONE = map(CLASSES.index, ("DATE", "PHONE"))
_UNIT = re.compile(rf"[.,]{{0,2}}[ \t]?(?:#|(?i:{LEXICON.any_of('places.unit')})\b\.?)[ \t]?(\d\w{{0,4}}|[A-Z])(?!\w)")
_ROAD = re.compile(rf"(?<![\w.])(?:[A-Z][\w'’-]+ ){{1,3}}{LEXICON.any_of('places.road')}(?![\w'’-])")
_NAMED = frozenset({"person", "place", "organization", "address", "other"})
_HOUSE = re.compile(r"(?<!\w)The (?:[A-Z][\w'’-]+ ){0,2}[A-Z][\w'’-]+, ?$")
_TITLE = re.compile(rf"(?<!\w){any_word(LEXICON.words('names.title'))}\.? $")
_JOINED = re.compile(r"(?:,| and| or| to|, and| &| ?[-–])[ ]?")
_SHORT_DATE = re.compile(r"(?<![\w./-])(\d{1,2}([/.-])\d{1,2})(?![\w/-]|\.\d)")
_SHORT_PHONE = re.compile(
    rf"(?i:(?<!\w){LEXICON.any_of('contacts.short-number')})[ \t]?[:#]?[ \t]?(\d{{3,5}})(?![\w/.-]\d)"
)


def add_parts(pieces: Pieces, found: NDArray[np.int64]) -> None:
    """Add to the classes of the pieces those of what belongs to a list of dates, and of pagers."""
    _list_dates(pieces, found)
    for match in _SHORT_PHONE.finditer(pieces.text):
        _set(pieces, found, *match.span(1), _PHONE)


def with_units(terms: Sequence[Term], text: str) -> list[Term]:
    """The terms, each address with its flat, the name of its house, and a title that its street has.

    >>> street = Term(3, 12, "80 Oak St", "80 oak st", "address")
    >>> with_units([street], "at 80 Oak St., Apt. 4B today")[0].text
    '80 Oak St., Apt. 4B'
    """
    found: list[Term] = []
    for term in _with_roads(terms, text):
        start, end = term.start, term.end
        if term.kind == "address":
            unit = _UNIT.match(text, end)
            before = text[max(0, start - 60) : start]
            house = _HOUSE.search(before) or _TITLE.search(before)
            start, end = start - len(house.group()) if house else start, unit.end(1) if unit else end
        while found and found[-1].end > start and found[-1].start >= start:
            found.pop()  # what was found of it alone
        if found and found[-1].end > start:
            if term.start < found[-1].end:
                continue
            start = term.start
        written = text[start:end]
        found.append(
            term
            if (start, end) == (term.start, term.end)
            else replace(term, start=start, end=end, text=written, key=key(written))
        )
    return found


def _with_roads(terms: Sequence[Term], text: str) -> list[Term]:
    """The terms, with roads that are named in full and without a house: "at Grant Avenue and Fifth Street"."""
    roads = []
    for match in _ROAD.finditer(text):
        inside = [t for t in terms if t.start < match.end() and match.start() < t.end]
        if all(t.kind in _NAMED and match.start() <= t.start and t.end <= match.end() for t in inside):
            roads.append(Term(*match.span(), match.group(), key(match.group()), "address"))
    left = [t for t in terms if not any(r.start < t.end and t.start < r.end for r in roads)]
    return sorted([*left, *roads], key=lambda t: t.start)


def _list_dates(pieces: Pieces, found: NDArray[np.int64]) -> None:
    """Short dates that a comma or an "and" joins to one that was found are dates as well: "on 1/17 and 2/6"."""
    matches = list(_SHORT_DATE.finditer(pieces.text))
    for order in (matches, matches[::-1]):
        for one, other in pairwise(order):
            first, second = sorted((one, other), key=lambda m: m.start())
            same = one[2] == other[2] and _JOINED.fullmatch(pieces.text, first.end(), second.start())
            if same and found[_at(pieces, one.start())] == _DATE:
                _set(pieces, found, *other.span(), _DATE)


def _at(pieces: Pieces, offset: int) -> int:
    return int(np.searchsorted(pieces.tokens.starts, offset, side="right")) - 1


def _set(pieces: Pieces, found: NDArray[np.int64], start: int, end: int, label: int) -> None:
    found[_at(pieces, start) : _at(pieces, end - 1) + 1] = label
