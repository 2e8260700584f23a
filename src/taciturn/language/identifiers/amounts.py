"""Money, percentages and quantities with units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from tacit.language.identifiers.base import Found, Late, any_word
from tacit.language.identifiers.times import at_span
from tacit.language.identifiers.words import COUNTS, CURRENCIES, MEASURE, MONEY, NUMBER, NUMBER_WORD, RANGE_SIGN, SCALE

__all__ = ["at_currency", "at_digit", "at_number"]

_AMOUNT = rf"{NUMBER}{SCALE}(?:{RANGE_SIGN}{NUMBER}{SCALE})?"
_UNIT_OF_MONEY = (
    rf"(?:pounds?\ssterling|pounds?(?=\s\(GBP)|(?:{'|'.join(unit for unit in MONEY if unit != 'pounds?')})(?!\w))"
)
_IN_BRACKETS = r"(?:\s\((?:[A-Z]{3}|euros)\))?"
_BEFORE = Late(
    rf"(?:(?:US|AU|CA|NZ|HK|[ACS])?[$€£¥₹₽₺₪₩]|(?:{any_word(CURRENCIES)})(?!\w))\s?{_AMOUNT}(?![\w%]){_IN_BRACKETS}"
)
_AFTER = Late(
    rf"(?:{_AMOUNT}|{NUMBER_WORD}{SCALE})\s?(?:(?:(?:[A-Z][a-zA-Z]{{1,14}}\s){{0,2}}(?i:{_UNIT_OF_MONEY})"
    rf"|{any_word(CURRENCIES)})(?!\w)|[€£]){_IN_BRACKETS}"
)
_PERCENTAGE = Late(
    rf"(?:{NUMBER}(?:{RANGE_SIGN}{NUMBER})?|{NUMBER_WORD})\s?(?:%|(?i:per\s?cent|percent|percentage\spoints?)(?!\w))"
)
_QUANTITY = Late(
    rf"(?:{NUMBER}(?:{RANGE_SIGN}{NUMBER}){{0,3}}[\s-]?(?:{MEASURE}|mm\sHg(?!\w))"
    rf"|{NUMBER_WORD}[\s-](?:{MEASURE}))"
)
_HEIGHT = Late(
    r"[3-7]\s?(?:['’′]|(?:feet|foot|ft\.?)(?:\sand)?)\s?(?:1[01]|\d)\s?"
    r"(?:[\"”″]|['’]{2}|(?:inches|inch|in)(?!\w)|(?<=[a-z] \d)(?!\w)|(?<=[a-z] \d\d)(?!\w))"
)


def at_digit(text: str, at: int, end: int, stop: int) -> Iterable[Found]:
    """Amounts, durations and ages that begin with a number in digits."""
    return chain(at_number(text, at, end), at_span(text, at, end)) if COUNTS.match(text, at, end) else ()


def at_number(text: str, at: int, end: int) -> Iterator[Found]:
    """Amounts that begin with a number, in digits or words."""
    if m := _AFTER.match(text, at, end):
        yield at, m.end(), "money"
    if m := _PERCENTAGE.match(text, at, end):
        yield at, m.end(), "percentage"
    if m := _QUANTITY.match(text, at, end):
        yield at, m.end(), "quantity"
    if m := _HEIGHT.match(text, at, end):
        yield at, m.end(), "quantity"


def at_currency(text: str, at: int, end: int) -> Iterator[Found]:
    """Amounts that begin with a currency: "EUR 3,000", "$5"."""
    if m := _BEFORE.match(text, at, end):
        yield at, m.end(), "money"
