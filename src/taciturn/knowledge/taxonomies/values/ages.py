"""Ages: a year of life, its decade, and above that adults and the young. 90 and more are one, as HIPAA says.

A value is a range of whole years, ``47-47``, ``40-49``, ``90-120``.
"""

from __future__ import annotations

import re

from taciturn.language.lexicon import LEXICON

__all__ = ["NAMED", "Ages"]

_OLDEST = 120
_DECADES = LEXICON.words("times.decade")[:-1]  # the nineties are 90 or older
_GROUPS = (
    {(0, 12): "under 13", (13, 19): "teens", (90, _OLDEST): "90 or older"}
    | {(10 * n, 10 * n + 9): name for n, name in enumerate(_DECADES, 2)}
    | {(0, 19): "young person", (20, _OLDEST): "adult"}
)
NAMED = frozenset(_GROUPS.values())
"""The values that are written without figures, and some that are not; all others of any kind have figures."""
_AGE = re.compile(
    rf"(?:{LEXICON.any_of('times.at-age')} )?(\d{{1,3}})"
    rf"(?:[- ]?(?:{LEXICON.any_of('times.life-unit')}|y\.?o\.?|y/o)(?:[- ]old)?|[- ]year[- ]old)?"
    r"(?: of age)?"
)


class Ages:
    """Ages of people.

    >>> ages = Ages()
    >>> ages.label(ages.above(ages.read("47-year-old"))), ages.label(ages.above(ages.read("93")))
    ('forties', '90 or older')
    """

    name = "age"

    def read(self, text: str) -> str | None:
        named = next((f"{low}-{high}" for (low, high), label in _GROUPS.items() if label == text), None)
        if named:
            return named
        match = _AGE.fullmatch(text)
        return f"{int(match[1])}-{int(match[1])}" if match and int(match[1]) <= _OLDEST else None

    def above(self, value: str) -> str | None:
        low, high = _range(value)
        over = [(b - a, a, b) for a, b in _GROUPS if a <= low and high <= b and (a, b) != (low, high)]
        return f"{min(over)[1]}-{min(over)[2]}" if over else None

    def below(self, value: str) -> list[str]:
        low, high = _range(value)
        if low == high:
            return []
        inner = [f"{a}-{b}" for a, b in sorted(_GROUPS) if self.above(f"{a}-{b}") == value]
        return inner or [f"{n}-{n}" for n in range(low, high + 1)]

    def label(self, value: str) -> str:
        low, high = _range(value)
        return str(low) if low == high else _GROUPS[low, high]

    def forms(self, value: str) -> tuple[str, ...]:
        low, high = _range(value)
        label = self.label(value)
        return (label, f"{low}-year-old", f"{low} years old", f"aged {low}") if low == high else (label,)

    def volume(self, value: str) -> int:
        """Years of life."""
        low, high = _range(value)
        return high - low + 1


def _range(value: str) -> tuple[int, int]:
    low, high = value.split("-")
    return int(low), int(high)
