"""Money, percentages and quantities with units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from taciturn.language.lexicon import LEXICON, any_word
from taciturn.recognizers.base import Found, Late
from taciturn.recognizers.times import at_span
from taciturn.recognizers.words import (
    COUNTS,
    MEASURE,
    MONEY,
    NUMBER,
    NUMBER_WORD,
    RANGE_SIGN,
    SCALE,
)

__all__ = ["at_currency", "at_digit", "at_number"]

_AMOUNT = rf"{NUMBER}{SCALE}(?:{RANGE_SIGN}{NUMBER}{SCALE})?"
_POUNDS = LEXICON.any_of("units.money-or-weight")
_UNIT_OF_MONEY = rf"(?:{_POUNDS}\s{LEXICON.any_of('units.sterling')}|{_POUNDS}(?=\s\(GBP)|(?:{any_word(MONEY)})(?!\w))"
_CURRENCY = LEXICON.any_of("units.currency")
_IN_BRACKETS = rf"(?:\s\((?:[A-Z]{{3}}|{LEXICON.any_of('units.in-brackets')})\))?"
_BEFORE = Late(
    rf"(?:(?:{LEXICON.any_of('units.before-sign')})?[$€£¥₹₽₺₪₩]|{_CURRENCY}(?!\w))\s?{_AMOUNT}(?![\w%]){_IN_BRACKETS}"
)
_AFTER = Late(
    rf"(?:{_AMOUNT}|{NUMBER_WORD}{SCALE})\s?(?:(?:(?:[A-Z][a-zA-Z]{{1,14}}\s){{0,2}}(?i:{_UNIT_OF_MONEY})"
    rf"|{_CURRENCY})(?!\w)|[€£]){_IN_BRACKETS}"
)
_PERCENTAGE = Late(
    rf"(?:{NUMBER}(?:{RANGE_SIGN}{NUMBER})?|{NUMBER_WORD})\s?(?:%|(?i:{LEXICON.any_of('units.percent')})(?!\w))"
)
_QUANTITY = Late(rf"(?:{NUMBER}(?:{RANGE_SIGN}{NUMBER}){{0,3}}[\s-]?(?:{MEASURE})|{NUMBER_WORD}[\s-](?:{MEASURE}))")
_HEIGHT = Late(
    rf"[3-7]\s?(?:['’′]|{LEXICON.any_of('units.feet')}(?:\s{LEXICON.any_of('units.feet-and')})?)\s?(?:1[01]|\d)\s?"
    rf"(?:[\"”″]|['’]{{2}}|{LEXICON.any_of('units.inches')}(?!\w)|(?<=[a-z] \d)(?!\w)|(?<=[a-z] \d\d)(?!\w))"
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
