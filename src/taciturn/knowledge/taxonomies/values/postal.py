"""Postal codes: US ZIP codes as HIPAA wants them, British and Canadian codes by their parts.

A value is the code itself, less specific ones with stars: ``02138-1234``, ``02138``, ``021**``; ``SW1A 1AA``,
``SW1A ***``; ``K1A 0B1``, ``K1A ***``.
"""

from __future__ import annotations

import re

__all__ = ["PostalCodes"]

# Three-digit areas with 20,000 people or fewer by the census of 2000 (the list in the guidance of the US Department of
# Health and Human Services) or of 2010; both are taken, to be on the safe side.
_SPARSE = frozenset(
    "036 059 063 102 202 203 204 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 893".split()
)
_ZIP = re.compile(r"(\d{5})(?:-?(\d{4}))?")
_UK = re.compile(r"([a-z]{1,2}\d[a-z\d]?) ?(\d[a-z]{2})")
_CANADA = re.compile(r"([a-z]\d[a-z]) ?(\d[a-z]\d)")
_UK_INWARD = 10 * 20 * 20  # a figure and two of the twenty letters in use
_CA_INWARD = 10 * 20 * 10


class PostalCodes:
    """Postal codes.

    >>> codes = PostalCodes()
    >>> codes.label(codes.above(codes.read("02138"))), codes.label(codes.above(codes.read("03601")))
    ('021**', '000**')
    """

    name = "postal code"

    def read(self, text: str) -> str | None:
        if match := _ZIP.fullmatch(text):
            return f"{match[1]}-{match[2]}" if match[2] else match[1]
        if match := _CANADA.fullmatch(text) or _UK.fullmatch(text):
            return f"{match[1]} {match[2]}".upper()
        return text if re.fullmatch(r"\d{3}\*\*", text) and text[:3] not in _SPARSE else None

    def above(self, value: str) -> str | None:
        if value.endswith("*"):
            return None
        if " " in value:
            return value.split(" ")[0] + " ***"
        if "-" in value:
            return value[:5]
        return "000**" if value[:3] in _SPARSE else f"{value[:3]}**"

    def below(self, value: str) -> list[str]:
        if value == "000**":
            return [f"{area}{n:02d}" for area in sorted(_SPARSE) for n in range(100)]
        if value.endswith("**") and " " not in value:
            return [f"{value[:3]}{n:02d}" for n in range(100)]
        return []

    def label(self, value: str) -> str:
        return value

    def forms(self, value: str) -> tuple[str, ...]:
        return (value,)

    def volume(self, value: str) -> int:
        """Codes that can be written, five figures in the United States."""
        if value.endswith(" ***"):
            return _CA_INWARD if _CANADA.fullmatch(value.lower().replace("***", "0a0")) else _UK_INWARD
        return len(self.below(value)) or 1
