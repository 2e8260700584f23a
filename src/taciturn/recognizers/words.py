"""Patterns for the words that dates, numbers and units are made of. All quantifiers are bounded."""

from __future__ import annotations

from collections.abc import Iterable

from taciturn.language.lexicon import LEXICON, any_word
from taciturn.recognizers.base import Late

MONTHS = LEXICON.words("times.month")
MONTHS_SHORT = LEXICON.words("times.month-short")
ONES = LEXICON.words("numbers.digit", "numbers.teen")
TENS = LEXICON.words("numbers.ten")
VAGUE = LEXICON.words("numbers.vague")


def _with_plurals(name: str) -> list[str]:
    """The words of a list, each in both numbers; they form their plural in -s."""
    return [form for word in LEXICON.words(name) for form in (word, word + "s")]


def cased(words: Iterable[str]) -> list[str]:
    """The words in small letters, with a capital, and in capitals.

    >>> cased(["no"])
    ['no', 'No', 'NO']
    """
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


MONTH = (
    r"(?:" + any_word([*MONTHS, *(m.upper() for m in MONTHS)]) + r"|"
    + any_word([*MONTHS_SHORT, *(m.upper() for m in MONTHS_SHORT)]) + r"\.?)(?![a-z])"
)  # fmt: skip
MONTH_ANY_CASE = (
    r"(?i:" + any_word([m.lower() for m in MONTHS]) + r"|" + any_word(m.lower() for m in MONTHS_SHORT) + r")"
)
ORDINAL_ENDING = LEXICON.any_of("numbers.ordinal-ending")
DAY = rf"(?:3[01]|[12]\d|0?[1-9])(?:{ORDINAL_ENDING})?(?!\d)"
YEAR = r"(?:1[0-9]|20)\d\d(?![\d%])"
NUMBER = r"(?>\d{1,3}(?:[,.'’ \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,6})?)"
NUMBER_WORD = (
    r"(?i:(?:" + any_word(TENS) + r"(?:[- ]" + LEXICON.any_of("numbers.digit") + r")?|" + any_word([*ONES, *VAGUE])
    + rf")(?:[- ]{LEXICON.any_of('numbers.multiple')}){{0,2}})"
)  # fmt: skip
RANGE_SIGN = rf"(?:\s?[-–—−/x×]\s?|\s{LEXICON.any_of('numbers.range')}\s)"
_OF_TIME = LEXICON.words("times.unit-kind")
_TIME_WORDS = [*_with_plurals("times.unit"), *LEXICON.words("times.century")]
TIME_UNIT = rf"(?:{any_word(_OF_TIME)}\s)?(?i:{any_word(_TIME_WORDS)})(?!\w)"
_UNITS = [*LEXICON.words("units.unit"), *_with_plurals("units.unit-counted")]
_SIZES = LEXICON.words("units.size")
MEASURE = (
    rf"(?:{any_word(_SIZES)}\s)?{any_word(_UNITS)}"
    rf"(?:(?:\s?/\s?|\s{LEXICON.any_of('units.per')}\s)(?i:{LEXICON.any_of('units.per-unit')})(?!\w)){{0,2}}(?!\w)"
)
MONEY = [*LEXICON.words("units.money"), *_with_plurals("units.money-counted")]
SCALE = rf"(?:\s?{LEXICON.any_of('numbers.scale')}(?!\w))?"
FRACTION = rf"(?:\s{LEXICON.any_of('times.and')}\s{LEXICON.any_of('numbers.fraction')}|½)?"

_COUNTED = [
    *_UNITS,
    *MONEY,
    *LEXICON.words("units.money-or-weight", "units.also-counted", "units.size"),
    *_TIME_WORDS,
    *_OF_TIME,
]
COUNTS = Late(
    rf"[3-7]\s?['’′f]|{NUMBER}{SCALE}"
    rf"(?:(?:{RANGE_SIGN}|\s?{LEXICON.any_of('times.either')}\s)(?:{NUMBER}|{NUMBER_WORD}){SCALE}){{0,3}}"
    rf"{FRACTION}[\s-]{{0,2}}(?:[%€£°A-Z]|(?i:{any_word(word.lower() for word in _COUNTED)})(?!\w))"
)
"""What every amount, duration and age that begins with a digit begins with: numbers, then the first word of a unit.

Most numbers are years and pages: one look tells that none of six patterns can match there.
"""
