"""Dates, times of day, durations and ages, in the forms people write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tacit.language.identifiers.base import Found, Late, any_word
from tacit.language.identifiers.words import (
    DAY,
    DECADES,
    FRACTION,
    HOLIDAYS,
    MONTH,
    MONTH_ANY_CASE,
    NUMBER,
    NUMBER_WORD,
    ORDINALS,
    RANGE_SIGN,
    TIME_UNIT,
    WEEKDAYS,
    YEAR,
)

__all__ = ["at_age", "at_digit", "at_name", "at_number_word", "at_span"]

_END = r"(?![\w])(?![.,:/-]?\d)"
_DAYS = rf"{DAY}(?:(?:\s?[-–/]\s?|\s(?:and|to|or)\s|,\s)(?:and\s|on\s)?{DAY}){{0,6}}"
_CLOCK = r"(?:[01]?\d|2[0-4])"
_HALF_DAY = r"\s?(?:[ap]\.m\.?|[AP]\.M\.?|[ap]m|[AP]M)(?!\w)"

_DIGIT_DATES = [
    rf"{_DAYS}(?:\s(?:day\s)?of)?[\s-]{MONTH}(?:[\s,-]{{1,2}}(?:{YEAR}|['’]\d\d)|-\d\d)?(?!\w)(?![.:-]\d)",
    rf"{DAY}\s?{MONTH_ANY_CASE}\.?[\s,-]{{0,2}}{YEAR}{_END}",
    rf"{YEAR}(?P<iso>[-/.])(?:1[0-2]|0?[1-9])(?P=iso)(?:3[01]|[12]\d|0?[1-9])"
    rf"(?:[T ]{_CLOCK}:[0-5]\d(?::[0-5]\d(?:\.\d{{1,6}})?)?(?:Z|[+-]\d\d:?\d\d)?)?{_END}",
    rf"(?:3[01]|[12]\d|0?[1-9])(?P<sign>[-/.])(?:3[01]|[12]\d|0?[1-9])(?P=sign)(?:{YEAR}|\d\d(?!\d)){_END}",
    rf"(?:1[0-2]|0?[1-9])/(?:19|20)\d\d{_END}",
    r"(?:1[0-9]|20)\d0['’]?s(?!\w)",
    r"\d{1,2}(?:st|nd|rd|th)(?:(?:,\s|\s(?:to|and|or)\s(?:the\s)?(?:late\s|early\s)?|[-–])\d{1,2}(?:st|nd|rd|th)){0,3}"
    r"[\s-]centur(?:y|ies)(?!\w)",
    rf"{DAY}\s(?:day\s)?(?:of\s)?(?:this|last|next|that)\smonth(?!\w)",
]
_DATE = Late("|".join(f"(?:{p})" for p in _DIGIT_DATES))
_AFTER_FOUR = Late(r"[-/.]\d|['’]?s|\s?h")  # what a date or time that begins with four digits goes on with
_YEARS = Late(r"(?:1[4-9]|20)\d\d(?:(?:\s?[-–/]\s?)(?:(?:1[4-9]|20)\d\d|\d\d)(?!\d))?(?!\d)(?![\w%])(?![.,/:-]\d)")
_BEFORE_YEAR = Late(
    r"(?i:(?:\b(?:in|since|during|until|till|before|after|by|from|of|and|or|to|year|years|around|circa|early|late|mid|"
    r"between|through|dated|end|born|the|that|c\.|ca\.)"
    r"|mid-)\s?|[(\[,;–-]\s?|^\s{0,3})$|\b[A-Z]{2,5}\s$"
)
_AFTER_YEAR = Late(
    r"\s?(?:" + any_word("people persons men women patients cases children mg ml kg km m USD EUR GBP".split())
    + r"|dollars|euros|units|%|metres|meters|miles|feet|words|pages|copies|votes|members|students)(?!\w)"
)  # fmt: skip
_TIME = Late(
    rf"{_CLOCK}:[0-5]\d(?::[0-5]\d)?(?:{_HALF_DAY}|\s?(?:hrs|hours|h|GMT|UTC)(?!\w))?{_END}"
    rf"|{_CLOCK}\.[0-5]\d{_HALF_DAY}|(?:1[0-2]|0?[1-9]){_HALF_DAY}|(?:1[0-2]|0?[1-9])\so['’]clock(?!\w|\sposition|-position)|12\snoon(?!\w)"
    r"|(?:[01]\d|2[0-4])[0-5]\d\s?(?:hrs|hours|h)(?!\w)"
)
_CLOCK_DOT = Late(rf"{_CLOCK}\.[0-5]\d{_END}")
_BEFORE_CLOCK = Late(r"(?i:\b(?:at|until|from|about|around|by)\s)$")
_AND_MORE = rf"(?:,?\s(?:and\s)?(?:{NUMBER}|{NUMBER_WORD})\s{TIME_UNIT}){{0,2}}"
_DURATION = Late(
    rf"(?:{NUMBER}(?:{RANGE_SIGN}{NUMBER})?|{NUMBER_WORD}(?:\s(?:to|or)\s{NUMBER_WORD})?){FRACTION}[\s-]?{TIME_UNIT}"
    rf"{_AND_MORE}(?:['’]s?(?!\w))?"
)
_AGE = Late(
    rf"(?:{NUMBER}|{NUMBER_WORD})(?:(?:{RANGE_SIGN}|\s?(?:and|or)\s)(?:{NUMBER}|{NUMBER_WORD}))?"
    r"(?:\s?[-\s]?(?:years?|yrs?|months?|mos?|weeks?|wks?|days?)[-\s](?:olds?|of\sage)(?!\w)"
    r"|\s?-?(?:y/o|y\.o\.?|yo|y\.?/?o\.?)(?:\s?[MF](?!\w)|(?!\w)))"
)
_AGED = Late(
    rf"(?i:aged?|ages)(?:\s(?:of|about|approximately|around|over|under|from|between)){{0,2}}\s?:?\s?"
    rf"(?P<n>(?:\d{{1,3}}|{NUMBER_WORD})(?:(?:{RANGE_SIGN}|,\s)(?:\d{{1,3}}|{NUMBER_WORD})){{0,3}})"
    r"(?:\s(?:years|months|weeks|days)(?!\w))?(?![\w])(?![.,/]\d)"
)
# Fractions and grades ("strength 4/5") look like days; only what a day alone follows tells them apart.
_DAY_ALONE = Late(
    r"(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\w%])(?![.,:/-]?\d)"
    r"(?!\s(?:of|strength|power|stars|muscle|motor|throughout|bilaterally)(?!\w))"
)
_BEFORE_DAY = Late(r"(?i:\b(?:on|since|until|till|dated|through|thru|before|after)\s)$")
# "92F" is also a temperature; a note that opens a case goes on like this.
_AGE_AND_SEX = Late(
    r"\d{1,3}\s?[MF](?=\s(?:with|w/|who|c/o|s/p|h/o|p/w|hx|here|presents?|presenting|presented|admitted|complain|brought|came"
    r"|seen|found)(?!\w))"
)
_TURNED = Late(
    rf"(?i:turn(?:ed|s|ing))\s(?P<n>\d{{2,3}}|{NUMBER_WORD})"
    r"(?=[.,;)!?]|\s(?:in|on|last|this|today|yesterday|and|when|before|after|just)(?!\w)|\s*$)"
)
_LIFE_DECADE = Late(r"(?:[1-9]0['’]?s|" + any_word(DECADES) + r")(?!\w)")
_BEFORE_LIFE = Late(r"(?i:\b(?:his|her|their|my|your)\s(?:(?:early|late|mid|middle)[\s-])?)$")
_BEFORE_DECADE = Late(r"(?i:\b(?:the|early|late|mid)[\s-])$|['’]$")
_NAMED_DATE = Late(
    rf"(?:{any_word(WEEKDAYS)}(?:,?\s(?:the\s)?(?:{DAY}(?:\sof)?\s{MONTH}(?:,?\s{YEAR})?|{MONTH}\s{DAY}(?:,?\s{YEAR})?))?"
    rf"|{MONTH}\s{DAY}(?:[-–]{DAY})?(?:,?\s{YEAR})?|{MONTH}(?:,|\sof)?\s(?:{YEAR}|['’]\d\d)|{MONTH}-(?:{YEAR}|\d\d)"
    rf"|(?i:(?:(?:spring|summer|autumn)\sand\s)?(?:spring|summer|autumn|fall|winter))(?:\s(?:of|in))?\s(?:{YEAR})"
    rf"|(?:{any_word(HOLIDAYS)})(?:\s(?:Day|Eve))?(?:\s(?:of\s)?{YEAR})?){_END}"
)
_MONTH_ALONE = Late(rf"(?:{MONTH})(?!\w)")
_BEFORE_MONTH = Late(
    r"(?i:\b(?:in|since|until|till|during|last|next|late|early|mid|by|between|from|of|every|each|this)[\s-])$"
)
_CENTURY = Late(rf"(?i:{any_word(ORDINALS)})[\s-](?i:centur(?:y|ies))(?!\w)")


def _before(text: str, at: int) -> str:
    return text[max(0, at - 24) : at]


def at_digit(text: str, at: int, end: int, stop: int) -> Iterable[Found]:
    """Dates and times of day: they begin with a day, month or hour of one or two digits, or with a year of four."""
    return _four(text, at, end, stop) if stop - at == 4 else _few(text, at, end) if stop - at < 3 else ()


def _four(text: str, at: int, end: int, stop: int) -> Iterator[Found]:
    if _AFTER_FOUR.match(text, stop, end):
        yield from _dates_and_times(text, at, end)
    m = _YEARS.match(text, at, end)
    if m and not _AFTER_YEAR.match(text, m.end(), end) and (m.end() > stop or _BEFORE_YEAR.search(_before(text, at))):
        yield at, m.end(), "date"


def _few(text: str, at: int, end: int) -> Iterator[Found]:
    yield from _dates_and_times(text, at, end)
    if m := _LIFE_DECADE.match(text, at, end):
        yield from _decade(text, at, m.end())


def _dates_and_times(text: str, at: int, end: int) -> Iterator[Found]:
    if (m := _DATE.match(text, at, end)) or (
        (m := _DAY_ALONE.match(text, at, end)) and _BEFORE_DAY.search(_before(text, at))
    ):
        yield at, m.end(), "date"
    if (m := _TIME.match(text, at, end)) or (
        (m := _CLOCK_DOT.match(text, at, end)) and _BEFORE_CLOCK.search(_before(text, at))
    ):
        yield at, m.end(), "time"


def at_span(text: str, at: int, end: int) -> Iterator[Found]:
    """Durations and ages, whose number is in digits or words."""
    if m := _DURATION.match(text, at, end):
        yield at, m.end(), "duration"
    if m := _AGE.match(text, at, end):
        yield at, m.end(), "age"
    if m := _AGE_AND_SEX.match(text, at, end):
        yield at, m.end(), "age"


def at_number_word(text: str, at: int, end: int) -> Iterator[Found]:
    """Durations and ages whose number is in words; and centuries."""
    yield from at_span(text, at, end)
    if m := _CENTURY.match(text, at, end):
        yield at, m.end(), "date"


def at_age(text: str, at: int, end: int) -> Iterator[Found]:
    """The number after "aged", "at the age of", "turned"."""
    if m := _AGED.match(text, at, end) or _TURNED.match(text, at, end):
        yield m.start("n"), m.end(), "age"


def at_name(text: str, at: int, end: int) -> Iterator[Found]:
    """Months, weekdays, seasons, holidays and decades."""
    if (m := _NAMED_DATE.match(text, at, end)) or (
        (m := _MONTH_ALONE.match(text, at, end)) and _BEFORE_MONTH.search(_before(text, at))
    ):
        yield at, m.end(), "date"
    elif m := _LIFE_DECADE.match(text, at, end):
        yield from _decade(text, at, m.end())


def _decade(text: str, at: int, end: int) -> Iterator[Found]:
    before = _before(text, at)
    if _BEFORE_LIFE.search(before):
        yield at, end, "age"
    elif _BEFORE_DECADE.search(before):
        yield at, end, "date"
