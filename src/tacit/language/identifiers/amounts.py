"""Money, percentages and quantities with units."""

from __future__ import annotations

from collections.abc import Iterator

from tacit.language.identifiers.base import Found, Late, any_word
from tacit.language.identifiers.words import CURRENCIES, MEASURE, NUMBER, NUMBER_WORD, RANGE_SIGN

__all__ = ["at_currency", "at_number"]

_SCALE = r"(?:\s?(?:hundred|thousand|million|billion|trillion|mn|bn|[kKmM])(?!\w))?"
_AMOUNT = rf"{NUMBER}{_SCALE}(?:{RANGE_SIGN}{NUMBER}{_SCALE})?"
_UNIT_OF_MONEY = (
    r"(?:euros?|dollars?|pounds?\ssterling|pounds?(?=\s\(GBP)|cents?|pence|francs?|marks?|liras?|lire|zlotys?|kronor|kroner|krona|kronas|"
    r"krone|roubles?|rubles?|yen|yuan|rupees?|pesos?|reais|rand|shekels?|schillings?|shillings?|drachmas?|forints?|"
    r"koruny|korunas?|crowns?|leva?|lei|hryvnias?|dinars?|dirhams?|guilders?|pesetas?|escudos?|Mark)"
)
_IN_BRACKETS = r"(?:\s\((?:[A-Z]{3}|euros)\))?"
_BEFORE = Late(
    rf"(?:(?:US|AU|CA|NZ|HK|[ACS])?[$€£¥₹₽₺₪₩]|(?:{any_word(CURRENCIES)})(?!\w))\s?{_AMOUNT}(?![\w%]){_IN_BRACKETS}"
)
_AFTER = Late(
    rf"(?:{_AMOUNT}|{NUMBER_WORD}{_SCALE})\s?(?:(?:(?:[A-Z][a-zA-Z]{{1,14}}\s){{0,2}}(?i:{_UNIT_OF_MONEY})"
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
