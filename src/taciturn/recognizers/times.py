"""Dates, times of day, durations and ages, in the forms people write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taciturn.language.lexicon import LEXICON, any_word
from taciturn.recognizers.base import Found, Late
from taciturn.recognizers.words import (
    DAY,
    FRACTION,
    MONTH,
    MONTH_ANY_CASE,
    NUMBER,
    NUMBER_WORD,
    ORDINAL_ENDING,
    RANGE_SIGN,
    TIME_UNIT,
    YEAR,
)

__all__ = ["at_age", "at_digit", "at_name", "at_number_word", "at_span"]

_END = r"(?![\w])(?![.,:/-]?\d)"
_AND, _JOINING, _THE = LEXICON.any_of("times.and"), LEXICON.any_of("times.joining"), LEXICON.any_of("function.definite")
_DAYS = rf"{DAY}(?:(?:\s?[-–/]\s?|\s{_JOINING}\s|,\s)(?:{LEXICON.any_of('times.joining-day')}\s)?{DAY}){{0,6}}"
_CLOCK = r"(?:[01]?\d|2[0-4])"
_HALF_DAY = rf"\s?{LEXICON.any_of('times.half-day')}(?!\w)"
_A_CENTURY = rf"\d{{1,2}}{ORDINAL_ENDING}"
_CENTURIES = LEXICON.any_of("times.century")

_DIGIT_DATES = [
    rf"{_DAYS}(?:\s{LEXICON.any_of('times.of-month')})?[\s-]{MONTH}"
    rf"(?:[\s,-]{{1,2}}(?:{YEAR}|['’]\d\d)|-\d\d)?(?!\w)(?![.:-]\d)",
    rf"{DAY}\s?{MONTH_ANY_CASE}\.?[\s,-]{{0,2}}{YEAR}{_END}",
    rf"{YEAR}(?P<iso>[-/.])(?:1[0-2]|0?[1-9])(?P=iso)(?:3[01]|[12]\d|0?[1-9])"
    rf"(?:[T ]{_CLOCK}:[0-5]\d(?::[0-5]\d(?:\.\d{{1,6}})?)?(?:Z|[+-]\d\d:?\d\d)?)?{_END}",
    rf"(?:3[01]|[12]\d|0?[1-9])(?P<sign>[-/.])(?:3[01]|[12]\d|0?[1-9])(?P=sign)(?:{YEAR}|\d\d(?!\d)){_END}",
    rf"(?:1[0-2]|0?[1-9])/(?:19|20)\d\d{_END}",
    r"(?:1[0-9]|20)\d0['’]?s(?!\w)",
    rf"{_A_CENTURY}(?:(?:,\s|\s{_JOINING}\s(?:{_THE}\s)?(?:{LEXICON.any_of('times.part-of-century')}\s)?|[-–])"
    rf"{_A_CENTURY}){{0,3}}[\s-]{_CENTURIES}(?!\w)",
    rf"{DAY}\s(?:{LEXICON.any_of('times.of-this-month')}\s)?{LEXICON.any_of('times.this-month')}(?!\w)",
]
_DATE = Late("|".join(f"(?:{p})" for p in _DIGIT_DATES))
_AFTER_FOUR = Late(r"[-/.]\d|['’]?s|\s?h")  # what a date or time that begins with four digits goes on with
_YEARS = Late(r"(?:1[4-9]|20)\d\d(?:(?:\s?[-–/]\s?)(?:(?:1[4-9]|20)\d\d|\d\d)(?!\d))?(?!\d)(?![\w%])(?![.,/:-]\d)")
_BEFORE_YEAR = Late(
    rf"(?i:(?:\b{LEXICON.any_of('times.before-year')}|{LEXICON.any_of('times.before-year-joined')})\s?"
    r"|[(\[,;–-]\s?|^\s{0,3})$|\b[A-Z]{2,5}\s$"
)
_AFTER_YEAR = Late(rf"\s?{LEXICON.any_of('times.after-count')}(?!\w)")
_HOURS = LEXICON.any_of("times.hours")
_OCLOCK = LEXICON.any_of("times.oclock").replace("'", "['’]")
_TIME = Late(
    rf"{_CLOCK}:[0-5]\d(?::[0-5]\d)?(?:{_HALF_DAY}|\s?{LEXICON.any_of('times.hours', 'times.zone')}(?!\w))?{_END}"
    rf"|{_CLOCK}\.[0-5]\d{_HALF_DAY}|(?:1[0-2]|0?[1-9]){_HALF_DAY}"
    rf"|(?:1[0-2]|0?[1-9])\s{_OCLOCK}(?!\w|[\s-]{LEXICON.any_of('times.no-time')})|12\s{LEXICON.any_of('times.noon')}(?!\w)"
    rf"|(?:[01]\d|2[0-4])[0-5]\d\s?{_HOURS}(?!\w)"
)
_CLOCK_DOT = Late(rf"{_CLOCK}\.[0-5]\d{_END}")
_BEFORE_CLOCK = Late(rf"(?i:\b{LEXICON.any_of('times.before-clock')}\s)$")
_AND_MORE = rf"(?:,?\s(?:{_AND}\s)?(?:{NUMBER}|{NUMBER_WORD})\s{TIME_UNIT}){{0,2}}"
_DURATION = Late(
    rf"(?:{NUMBER}(?:{RANGE_SIGN}{NUMBER})?|{NUMBER_WORD}(?:\s{LEXICON.any_of('times.span')}\s{NUMBER_WORD})?){FRACTION}"
    rf"[\s-]?{TIME_UNIT}{_AND_MORE}(?:['’]s?(?!\w))?"
)
_AGE = Late(
    rf"(?:{NUMBER}|{NUMBER_WORD})"
    rf"(?:(?:{RANGE_SIGN}|\s?{LEXICON.any_of('times.either')}\s)(?:{NUMBER}|{NUMBER_WORD}))?"
    rf"(?:\s?[-\s]?{LEXICON.any_of('times.age-unit')}[-\s]{LEXICON.any_of('times.old')}(?!\w)"
    r"|\s?-?(?:y/o|y\.o\.?|yo|y\.?/?o\.?)(?:\s?[MF](?!\w)|(?!\w)))"
)
_AGED = Late(
    rf"(?i:{LEXICON.any_of('times.age')})(?:\s{LEXICON.any_of('times.about-age')}){{0,2}}\s?:?\s?"
    rf"(?P<n>(?:\d{{1,3}}|{NUMBER_WORD})(?:(?:{RANGE_SIGN}|,\s)(?:\d{{1,3}}|{NUMBER_WORD})){{0,3}})"
    rf"(?:\s{LEXICON.any_of('times.aged-unit')}(?!\w))?(?![\w])(?![.,/]\d)"
)
# Fractions and grades ("strength 4/5") look like days; only what a day alone follows tells them apart.
_DAY_ALONE = Late(
    r"(?:1[0-2]|0?[1-9])/(?:3[01]|[12]\d|0?[1-9])(?![\w%])(?![.,:/-]?\d)"
    rf"(?!\s{LEXICON.any_of('times.after-fraction')}(?!\w))"
)
_BEFORE_DAY = Late(rf"(?i:\b{LEXICON.any_of('times.before-day')}\s)$")
# "92F" is also a temperature; a note that opens a case goes on like this.
_AGE_AND_SEX = Late(rf"\d{{1,3}}\s?[MF](?=\s{LEXICON.any_of('times.after-patient')}(?!\w))")
_TURNED = Late(
    rf"(?i:{LEXICON.any_of('times.turned')})\s(?P<n>\d{{2,3}}|{NUMBER_WORD})"
    rf"(?=[.,;)!?]|\s{LEXICON.any_of('times.after-turned')}(?!\w)|\s*$)"
)
_LIFE_DECADE = Late(rf"(?:[1-9]0['’]?s|{LEXICON.any_of('times.decade')})(?!\w)")
_BEFORE_LIFE = Late(rf"(?i:\b{LEXICON.any_of('times.before-life')}\s(?:{LEXICON.any_of('times.part-of-life')}[\s-])?)$")
_BEFORE_DECADE = Late(rf"(?i:\b{LEXICON.any_of('times.before-decade')}[\s-])$|['’]$")
_OF = LEXICON.any_of("function.of")
_NAMED_DATE = Late(
    rf"(?:{LEXICON.any_of('times.weekday')}"
    rf"(?:,?\s(?:{_THE}\s)?(?:{DAY}(?:\s{_OF})?\s{MONTH}(?:,?\s{YEAR})?|{MONTH}\s{DAY}(?:,?\s{YEAR})?))?"
    rf"|{MONTH}\s{DAY}(?:[-–]{DAY})?(?:,?\s(?:{YEAR}|['’]\d\d))?|{MONTH}(?:,|\s{_OF})?\s(?:{YEAR}|['’]\d\d)|{MONTH}-(?:{YEAR}|\d\d)"
    rf"|{MONTH}(?:\s{_OF})?\s{LEXICON.any_of('times.told-year')}"
    rf"|(?i:(?:{LEXICON.any_of('times.season-first')}\s{_AND}\s)?{LEXICON.any_of('times.season')})"
    rf"(?:\s{LEXICON.any_of('times.of-year')})?\s(?:{YEAR})"
    rf"|{any_word(LEXICON.words('times.holiday'))}(?:\s{LEXICON.any_of('times.holiday-part')})?(?:\s(?:{_OF}\s)?{YEAR})?){_END}"
)
_MONTH_ALONE = Late(rf"(?:{MONTH})(?!\w)")
_BEFORE_MONTH = Late(rf"(?i:\b{LEXICON.any_of('times.before-month')}[\s-])$")
_CENTURY = Late(rf"(?i:{LEXICON.any_of('numbers.ordinal')})[\s-](?i:{_CENTURIES})(?!\w)")


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
