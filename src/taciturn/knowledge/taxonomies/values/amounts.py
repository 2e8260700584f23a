"""Amounts: a number with or without a unit, the numbers that begin like it, its order of magnitude.

A value is ``figures|length|decimals|before|after``: the leading figures that are known, how many figures there are in
all, how many of them are decimals, and what is written around the number ("$", "mg").
"""

from __future__ import annotations

import re

__all__ = ["Amounts"]

_AMOUNT = re.compile(
    r"([$€£¥])?\s?(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,4}))?(?:\s?(%|[a-z°µμ][a-z°/µμ.]{0,11}(?: [a-z]{1,12})?))?"
)


class Amounts:
    """Numbers and measures.

    >>> amounts, value, ladder = Amounts(), Amounts().read("$1,250"), []
    >>> while value := amounts.above(value):
    ...     ladder.append(amounts.label(value))
    >>> ladder
    ['$1,250 to $1,259', '$1,200 to $1,299', '$1,000 to $1,999', '$1,000 to $9,999']
    """

    name = "amount"

    def read(self, text: str) -> str | None:
        match = _AMOUNT.fullmatch(text)
        if not match:
            return None
        decimals = match[3] or ""
        figures = str(int(match[2].replace(",", "") + decimals))
        return f"{figures}|{len(figures)}|{len(decimals)}|{match[1] or ''}|{(match[4] or '').strip()}"

    def above(self, value: str) -> str | None:
        figures, rest = value.split("|", 1)
        return f"{figures[:-1]}|{rest}" if figures else None

    def below(self, value: str) -> list[str]:
        figures, rest = value.split("|", 1)
        length = int(rest.split("|")[0])
        if len(figures) == length:
            return []
        first = 0 if figures or length == 1 else 1
        return [f"{figures}{n}|{rest}" for n in range(first, 10)]

    def label(self, value: str) -> str:
        _, _, decimals, before, after = value.split("|")
        numbers = " to ".join(f"{before}{_written(n, int(decimals))}" for n in dict.fromkeys(_range(value)))
        return f"{numbers}{'' if after in ('', '%') else ' '}{after}"

    def forms(self, value: str) -> tuple[str, ...]:
        return (self.label(value),)

    def volume(self, value: str) -> int:
        """Numbers of the same precision and length."""
        low, high = _range(value)
        return high - low + 1


def _range(value: str) -> tuple[int, int]:
    figures, length, *_ = value.split("|")
    free = int(length) - len(figures)
    low = int(figures or "0") * 10**free
    return (low if figures or free == 1 else 10 ** (free - 1)), low + 10**free - 1


def _written(number: int, decimals: int) -> str:
    whole, part = divmod(number, 10**decimals)
    return f"{whole:,}.{part:0{decimals}d}" if decimals else f"{whole:,}"
