"""Street addresses and postal codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tacit.language.identifiers.base import Found, Late, any_word

__all__ = ["STREET_WORDS", "at_box", "at_capital_code", "at_digit", "at_street"]

_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY DC PR"
).split()
_KIND_OF_STREET = any_word(
    "Street St Avenue Ave Road Rd Boulevard Blvd Lane Ln Drive Dr Court Ct Place Pl Square Sq Terrace Crescent Close "
    "Highway Hwy Parkway Pkwy Way Mews Gardens Grove Row Walk Circle Cir Alley Quay Broadway".split()
)
_UNIT = r"(?:,?\s(?:Apt|Apartment|Suite|Ste|Unit|Flat|Room|Floor)\.?\s#?[A-Z0-9]{1,5}(?!\w))?"
_STREET = Late(
    r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,5})?,?\s(?:(?:North|South|East|West|N|S|E|W|NE|NW|SE|SW)\.?\s)?"
    r"(?:[A-Z][a-zA-Z'’.-]{1,20}|\d{1,3}(?:st|nd|rd|th))\s(?:(?:[A-Z][a-zA-Z'’.-]{1,20}|of|the|de|la)\s){0,3}"
    rf"(?:{_KIND_OF_STREET})(?!\w)\.?(?:\s(?:NE|NW|SE|SW|North|South|East|West))?(?!\w){_UNIT}"
)
_HOUSE_FIRST = Late(
    r"\d{1,4}(?:\s?bis)?,?\s(?:rue|avenue|boulevard|place|quai|via|calle|rua)\s(?:(?:de|du|des|la|le|del|da|do)\s){0,2}"
    r"[A-ZÀ-Ý][\w'’-]{1,24}(?:\s[A-ZÀ-Ý][\w'’-]{1,24}){0,2}"
)
_AFTER_HOUSE = Late(r"[A-Za-z]?(?:[-/]\d{1,5})?(?:\s?bis)?,?\s[A-Z\drabpqvc]")  # what both begin with after digits
_STREET_FIRST = Late(
    r"[A-Za-z]{2,7}\.?\s(?:(?:de|du|des|la|le|del|da|do)\s){0,2}(?:[A-ZÀ-Ý][\w'’.-]{1,24}\s?){1,3},?\s?\d{1,4}[a-zA-Z]?(?![\w/])"
)
_STREET_END = Late(r"\b[A-ZÄÖÜ][a-zäöüß]{2,24}(?:straße|strasse|gasse|platz|allee|weg|straat|laan|gatan|vägen)\s$")
_STREET_TAILS = frozenset(["e ", "z ", "g ", "t ", "n "])
_HOUSE = Late(r"\d{1,4}[a-zA-Z]?(?![\w/])")
STREET_WORDS = "rue Rue Avenue Place via Via calle Calle Plaza Avenida Rua ul Ul ulica Ulica".split()
"""Words that begin a street's name."""
_YEAR = Late(r"\bthe (?:19|20)\d\d\s?$")
_BOX = Late(r"(?i:P\.?\s?O\.?\sBox)\s\d{1,7}(?!\w)")
_ZIP = Late(r"\d{5}(?:-\d{4})?(?![\w-])")
_BEFORE_ZIP = Late(
    rf"(?:\b(?:{any_word(_STATES)})\.?,?\s{{1,2}}|\b(?i:zip(?:\s?code)?|postal\scode|post\s?code)\s?:?\s?(?i:is\s|was\s)?)$"
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
