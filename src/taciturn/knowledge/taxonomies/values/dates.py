"""Dates: a day, its month, its year, its decade, its century; and days without a year.

A value is ``1984-03-12``, ``1984-03``, ``1984``, ``198x``, ``19xx``, or ``--03-12`` and ``--03`` without a year. Where
day and month cannot be told apart (03/12/1984) the value is the year alone, with a mark: ``1984?``.
"""

from __future__ import annotations

import re
from calendar import isleap, monthrange

from taciturn.language.lexicon import LEXICON

__all__ = ["Dates"]

_MONTHS = [month.lower() for month in LEXICON.words("times.month")]
_SHORT = {m[:n]: i for i, m in enumerate(_MONTHS, 1) for n in (3, len(m))} | {"sept": 9}
_ENDING = LEXICON.any_of("numbers.ordinal-ending")
_ORDINAL = re.compile(rf"(\d{{1,2}})(?:{_ENDING})?")
_TOKEN = re.compile(rf"\d+(?:{_ENDING})?|[a-z]+|[/.-]")
_PLAIN = LEXICON.word_set("times.plain")
_NUMERIC = re.compile(r"(\d{1,4})([/.\- ])(\d{1,2})\2(\d{1,4})")
_FIRST, _LAST = 1000, 2199


class Dates:
    """Dates as they are written in English.

    >>> dates, value, ladder = Dates(), "12 march 1984", []
    >>> value = dates.read(value)
    >>> while value := dates.above(value):
    ...     ladder.append(dates.label(value))
    >>> ladder
    ['March 1984', '1984', 'the 1980s', 'the 20th century']
    """

    name = "date"

    def read(self, text: str) -> str | None:
        if match := _NUMERIC.fullmatch(text):
            return _numeric(match[1], match[3], match[4])
        decade = re.fullmatch(r"(?:the )?(\d{3})0'?s", text)
        if decade and _FIRST <= int(decade[1]) * 10 <= _LAST:
            return f"{decade[1]}x"
        century = re.fullmatch(rf"(?:the )?(\d{{1,2}}){_ENDING} century", text)
        if century and 11 <= int(century[1]) <= 22:
            return f"{int(century[1]) - 1:02d}xx"
        tokens = [t for t in _TOKEN.findall(text) if t not in _PLAIN and t not in "/.-"]
        if "".join(_TOKEN.findall(text)) != re.sub(r"[\s,]", "", text) or not 1 <= len(tokens) <= 3:
            return None
        return _worded(tokens)

    def above(self, value: str) -> str | None:
        if value.startswith("--"):
            return "--" + value[2:4] if len(value) > 4 else None
        if len(value) > 5:
            return value.rsplit("-", 1)[0]
        if value.endswith("xx"):
            return None
        if value.endswith("?"):
            return value[:-1]
        return value[:2] + "xx" if value.endswith("x") else value[:3] + "x"

    def below(self, value: str) -> list[str]:
        if value.startswith("--"):
            return [f"{value}-{d:02d}" for d in range(1, _days(2000, int(value[2:4])) + 1)] if len(value) == 4 else []
        if value.endswith("xx"):
            return [f"{value[:2]}{n}x" for n in range(10)]
        if value.endswith("x"):
            return [f"{value[:3]}{n}" for n in range(10)]
        if len(value) == 4:
            return [f"{value}-{m:02d}" for m in range(1, 13)]
        if len(value) == 7:
            return [f"{value}-{d:02d}" for d in range(1, _days(int(value[:4]), int(value[5:])) + 1)]
        return []

    def label(self, value: str) -> str:
        if value.startswith("--"):
            month = _MONTHS[int(value[2:4]) - 1].title()
            return month if len(value) == 4 else f"{int(value[5:])} {month}"
        if value.endswith("xx"):
            number = int(value[:2]) + 1
            ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number // 10 != 1 else "th"
            return f"the {number}{ending} century"
        if value.endswith("x"):
            return f"the {value[:3]}0s"
        if value.endswith("?"):
            return f"a day in {value[:-1]}"
        parts = value.split("-")
        if len(parts) == 1:
            return value
        month = f"{_MONTHS[int(parts[1]) - 1].title()} {parts[0]}"
        return month if len(parts) == 2 else f"{int(parts[2])} {month}"

    def forms(self, value: str) -> tuple[str, ...]:
        label = self.label(value).lower()
        parts = value.split("-")
        if len(parts) == 3 and parts[0]:
            month, day = _MONTHS[int(parts[1]) - 1], int(parts[2])
            return (label, f"{month} {day} {parts[0]}", f"{month} {day}, {parts[0]}", value)
        if value.endswith("x"):
            return (label.removeprefix("the "),)
        return (label,)

    def volume(self, value: str) -> int:
        """Days."""
        if value.startswith("--"):
            return len(self.below(value)) or 1
        if "x" in value:
            first, n = int(value.replace("x", "0")), 10 ** value.count("x")
            return sum(365 + isleap(y) for y in range(first, first + n))
        if value.endswith("?"):
            return 1
        parts = [int(p) for p in value.split("-")]
        return 1 if len(parts) == 3 else _days(*parts) if len(parts) == 2 else 365 + isleap(parts[0])


def _days(year: int, month: int) -> int:
    return monthrange(year, month)[1]


def _year(text: str) -> int | None:
    """A year of four figures, or of two: 30 to 99 are of the last century."""
    year = int(text)
    if len(text) == 2:
        year += 1900 if year >= 30 else 2000
    return year if len(text) in (2, 4) and _FIRST <= year <= _LAST else None


def _date(year: int | None, month: int, day: int | None) -> str | None:
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= _days(year or 2000, month)):
        return None
    parts = (f"{year:04d}" if year else "-", f"{month:02d}", f"{day:02d}" if day else "")
    return "-".join(p for p in parts if p)


def _numeric(first: str, second: str, third: str) -> str | None:
    if len(first) == 4:
        year = _year(first)
        return _date(year, int(second), int(third)) if year and len(third) <= 2 else None
    year = _year(third)
    if year is None or len(first) > 2:
        return None
    readings = {_date(year, int(m), int(d)) for m, d in ((second, first), (first, second))} - {None}
    if len(readings) == 2:
        return f"{year:04d}?"
    return readings.pop() if readings else None


def _worded(tokens: list[str]) -> str | None:
    months = [i for i, t in enumerate(tokens) if t in _SHORT]
    if not months:
        alone = len(tokens) == 1 and re.fullmatch(r"\d{4}", tokens[0])
        return tokens[0] if alone and _year(tokens[0]) else None
    month, others = _SHORT[tokens[months[0]]], [t for i, t in enumerate(tokens) if i != months[0]]
    if len(months) > 1 or not others:
        return None
    year = _year(others[-1]) if others[-1].isdigit() and len(others[-1]) == 4 else None
    if year and len(others) == 1:
        return _date(year, month, None)
    if len(others) == 2 and year is None and others[1].isdigit():
        year = _year(others[1])
    day = _ORDINAL.fullmatch(others[0])
    if not day or (len(others) == 2 and year is None):
        return None
    return _date(year, month, int(day[1]))
