"""Dates moved by a number of days, written as they were written: order and intervals stay, the days do not."""

from __future__ import annotations

import re
from datetime import date, timedelta

from taciturn.language.lexicon import LEXICON, any_word

__all__ = ["shifted"]

_MONTHS = LEXICON.words("times.month")
_WEEKDAYS = LEXICON.words("times.weekday")
_MONTH = {name.lower()[:3]: number for number, name in enumerate(_MONTHS, 1)}
_NAME = rf"(?i:{LEXICON.any_of('times.month', 'times.month-short')})(?![a-z])\.?"
_DAY = r"\d{1,2}"
_ORDINAL = rf"(?:{LEXICON.any_of('numbers.ordinal-ending')})?"
_YEAR = r"\d{4}|['’]?\d{2}"
_FORMS = [
    re.compile(rf"(?P<y>\d{{4}})[-/.](?P<m>{_DAY})[-/.](?P<d>{_DAY})"),
    re.compile(rf"(?P<a>{_DAY})(?P<sign>[-/.])(?P<b>{_DAY})(?P=sign)(?P<y>\d{{4}}|\d\d)"),
    re.compile(r"(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)"),
    re.compile(rf"(?P<d>{_DAY}){_ORDINAL}[\s-]?(?:of\s)?(?P<month>{_NAME})[\s,-]{{0,2}}(?P<y>{_YEAR})"),
    re.compile(rf"(?P<month>{_NAME})\s(?P<d>{_DAY}){_ORDINAL},?\s(?P<y>{_YEAR})"),
    re.compile(rf"(?P<d>{_DAY}){_ORDINAL}[\s-](?:of\s)?(?P<month>{_NAME})"),
    re.compile(rf"(?P<month>{_NAME})\s(?P<d>{_DAY}){_ORDINAL}"),
    re.compile(rf"(?P<month>{_NAME})(?:,|\sof)?[\s-](?P<y>{_YEAR})"),
    re.compile(rf"(?P<m>{_DAY})/(?P<y>\d{{4}})"),
    re.compile(rf"(?P<a>{_DAY})(?P<sign>[-/.])(?P<b>{_DAY})\.?"),
    re.compile(r"(?P<y>(?:1[89]|20|21)\d\d)"),
    re.compile(rf"(?P<month>{_NAME})"),
]
_SHORT = any_word(name[:3] for name in _WEEKDAYS)
_WEEKDAY = re.compile(rf"(?P<weekday>(?i:{LEXICON.any_of('times.weekday')}|{_SHORT}))(?P<gap>,?\s(?:the\s)?)")


def shifted(text: str, days: int, year: int = 2001, *, day_first: bool = False) -> str | None:
    """A date moved by ``days``, in the form it has; None for what is no day, month or year of the calendar.

    ``year`` is that of a date that names none. ``day_first`` decides for "4/5", as far as the figures do not.

    >>> shifted("12 March 1984", 30), shifted("02/28/2023", 1), shifted("Thursday, 7 Mar 2024", 8)
    ('11 April 1984', '03/01/2023', 'Friday, 15 Mar 2024')
    >>> shifted("Easter", 3)
    """
    lead = _WEEKDAY.match(text)
    if lead and lead.end() < len(text):
        rest = text[lead.end() :]
        moved = _moved(rest, days, year, day_first)
        if moved is None:
            return None
        name = _WEEKDAYS[moved[1].weekday()]
        old = lead["weekday"]
        name = name[:3] if len(old) == 3 else name
        return (name.upper() if old.isupper() else name) + lead["gap"] + moved[0]
    moved = _moved(text, days, year, day_first)
    return moved[0] if moved else None


def _moved(text: str, days: int, year: int, day_first: bool) -> tuple[str, date] | None:
    for form in _FORMS:
        if match := form.fullmatch(text):
            break
    else:
        return None
    fields = match.groupdict()
    year_at, month_at, day_at = "y", "m", "d"
    if "a" in fields:
        first, second = int(fields["a"]), int(fields["b"])
        if first > 12 or (second <= 12 and (day_first or fields["sign"] == ".")):
            day_at, month_at = "a", "b"
        else:
            month_at, day_at = "a", "b"
    if "month" in fields:
        month_at = "month"
    old_year = fields.get(year_at)
    number = int(re.sub(r"\D", "", old_year)) if old_year else year
    if old_year and number < 100:
        number += 2000 if number < 40 else 1900
    named = fields.get(month_at)
    month = 7 if named is None else int(named) if named.isdigit() else _MONTH[named.lower()[:3]]
    day = int(fields[day_at]) if fields.get(day_at) else 15 if named else 1
    try:
        new = date(number, month, day) + timedelta(days)
    except (ValueError, OverflowError):
        return None
    values = {year_at: new.year, month_at: new.month, day_at: new.day}
    padded = len(fields.get("y") or "") == 4 and match.start("y") == 0
    padded = padded or any((fields.get(name) or "").startswith("0") for name in (month_at, day_at))
    pieces, at = "", 0
    for name in sorted((n for n in values if fields.get(n)), key=match.start):
        pieces += text[at : match.start(name)] + _like(fields[name], values[name], padded)
        at = match.end(name)
    rest = text[at:]
    if fields.get(day_at) and (ending := re.match(_ORDINAL, text[match.end(day_at) :])) and ending.group():
        pieces = _with_ordinal(pieces, new.day, ending.group(), rest)
        return pieces, new
    return pieces + rest, new


def _with_ordinal(pieces: str, day: int, old: str, rest: str) -> str:
    """The text with the ending that the new day has: "3rd" may become "14th"."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if 10 < day < 14 else endings.get(day % 10, "th")
    whole = pieces + rest
    return re.sub(rf"(?<=\d){re.escape(old)}", ending.upper() if old.isupper() else ending, whole, count=1)


def _like(old: str, new: int, padded: bool) -> str:
    """A figure or a month's name, written as the old one was; ``padded``: figures have two digits at least."""
    if old[0].isalpha():
        name = _MONTHS[new - 1]
        dot = "." if old.endswith(".") else ""
        bare = old.rstrip(".")
        name = name if bare.lower() in (m.lower() for m in _MONTHS) else name[:3]
        return (name.upper() if bare.isupper() else name.lower() if bare.islower() else name) + dot
    mark = old[0] if not old[0].isdigit() else ""
    digits = old.removeprefix(mark)
    if len(digits) == 4:
        return f"{mark}{new:04}"
    return f"{mark}{new % 100:02}" if padded or new > 99 or mark else f"{mark}{new}"
