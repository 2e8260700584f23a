"""Street addresses and postal codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taciturn.language.lexicon import LEXICON, any_word
from taciturn.recognizers.base import Found, Late

__all__ = ["at_box", "at_capital_code", "at_digit", "at_street"]

_STATE = any_word([*LEXICON.table("places.state"), *LEXICON.words("places.territory")])
_UNIT = rf"(?:,?\s{LEXICON.any_of('places.unit')}\.?\s#?[A-Z0-9]{{1,5}}(?!\w))?"
_WORD_OF_STREET = r"[A-Z][a-zA-Z'’.-]{1,20}"
_STREET = Late(
    rf"\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,5}})?,?\s(?:{LEXICON.any_of('places.compass')}\.?\s)?"
    rf"(?:{_WORD_OF_STREET}|\d{{1,3}}{LEXICON.any_of('numbers.ordinal-ending')})"
    rf"\s(?:(?:{_WORD_OF_STREET}|{LEXICON.any_of('places.in-street')})\s){{0,3}}"
    rf"{LEXICON.any_of('places.street')}(?!\w)\.?"
    rf"(?:\s{LEXICON.any_of('places.corner', 'places.direction')})?(?!\w){_UNIT}"
)
_PARTICLES = rf"(?:{LEXICON.any_of('places.street-particle')}\s){{0,2}}"
_HOUSE_PART = LEXICON.any_of("places.house-part")
_HOUSE_FIRST = Late(
    rf"\d{{1,4}}(?:\s?{_HOUSE_PART})?,?\s{LEXICON.any_of('places.street-after-house')}\s{_PARTICLES}"
    r"[A-ZÀ-Ý][\w'’-]{1,24}(?:\s[A-ZÀ-Ý][\w'’-]{1,24}){0,2}"
)
_INITIALS = "".join(sorted({word[0] for word in LEXICON.words("places.street-after-house")}))
_AFTER_HOUSE = Late(
    rf"[A-Za-z]?(?:[-/]\d{{1,5}})?(?:\s?{_HOUSE_PART})?,?\s[A-Z\d{_INITIALS}]"
)  # what both begin with after digits
_STREET_FIRST = Late(
    rf"[A-Za-z]{{2,7}}\.?\s{_PARTICLES}(?:[A-ZÀ-Ý][\w'’.-]{{1,24}}\s?){{1,3}},?\s?\d{{1,4}}[a-zA-Z]?(?![\w/])"
)
_STREET_END = Late(rf"\b[A-ZÄÖÜ][a-zäöüß]{{2,24}}{LEXICON.any_of('places.street-ending')}\s$")
_STREET_TAILS = frozenset(ending[-1] + " " for ending in LEXICON.words("places.street-ending"))
_HOUSE = Late(r"\d{1,4}[a-zA-Z]?(?![\w/])")
_YEAR = Late(rf"\b{LEXICON.any_of('function.definite')} (?:19|20)\d\d\s?$")
_BOX = Late(r"(?i:P\.?\s?O\.?\sBox)\s\d{1,7}(?!\w)")
_ZIP = Late(r"\d{5}(?:-\d{4})?(?![\w-])")
_BEFORE_ZIP = Late(
    rf"(?:\b{_STATE}\.?,?\s{{1,2}}|\b(?i:{LEXICON.any_of('places.zip')})\s?:?\s?(?i:{LEXICON.any_of('places.is')}\s)?)$"
)
_UK = Late(r"(?:GIR\s?0AA|[A-PR-UWYZ][A-HK-Y]?\d[\dA-HJKPS-Y]?\s\d[ABD-HJLNP-UW-Z]{2})(?!\w)")
_CANADA = Late(r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][\s-]\d[ABCEGHJ-NPRSTV-Z]\d(?!\w)")


def at_digit(text: str, at: int, end: int, stop: int) -> Iterable[Found]:
    """House numbers and ZIP codes."""
    if stop - at > 5:
        return ()
    if stop - at == 5 or text[at - 2 : at] in _STREET_TAILS or _AFTER_HOUSE.match(text, stop, end):
        return _addresses(text, at, end)
    return ()


def _addresses(text: str, at: int, end: int) -> Iterator[Found]:
    if m := _HOUSE_FIRST.match(text, at, end):
        yield at, m.end(), "address"
    elif (m := _STREET.match(text, at, end)) and not _YEAR.search(text[max(0, at - 4) : at + 4]):
        yield at, m.end() - (text[m.end() - 1] == "."), "address"
    street = _STREET_END.search(text[max(0, at - 34) : at]) if text[at - 2 : at] in _STREET_TAILS else None
    if street and (house := _HOUSE.match(text, at, end)):
        yield at - len(street.group()), house.end(), "address"
    if (m := _ZIP.match(text, at, end)) and _BEFORE_ZIP.search(text[max(0, at - 20) : at]):
        yield at, m.end(), "postal-code"


def at_street(text: str, at: int, end: int) -> Iterator[Found]:
    """Addresses that name the street before the number, as most of Europe does."""
    if m := _STREET_FIRST.match(text, at, end):
        yield at, m.end(), "address"


def at_box(text: str, at: int, end: int) -> Iterator[Found]:
    """A post office box."""
    if m := _BOX.match(text, at, end):
        yield at, m.end(), "address"


def at_capital_code(text: str, at: int, end: int) -> Iterator[Found]:
    """British and Canadian codes."""
    if m := _UK.match(text, at, end) or _CANADA.match(text, at, end):
        yield at, m.end(), "postal-code"
