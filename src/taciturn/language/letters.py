"""The letters of all scripts: which signs belong to the letter before them.

Python's ``\\w`` knows letters and digits. A vowel sign of Devanagari, a point of Hebrew or an accent that is written as
a character of its own is neither, so a pattern of ``\\w`` cuts such words in two.
"""

from __future__ import annotations

import unicodedata

__all__ = ["JOINED", "LETTER"]


def _ranges() -> str:
    """The combining marks of the basic plane, as the inside of a character class."""
    found: list[tuple[int, int]] = []
    for code in range(0x0300, 0x10000):
        if unicodedata.category(chr(code)) in ("Mn", "Mc"):
            if found and found[-1][1] == code - 1:
                found[-1] = (found[-1][0], code)
            else:
                found.append((code, code))
    return "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in found)


JOINED = _ranges() + "\\u00ad\\u200c\\u200d"
"""What belongs to the letter before it, as the inside of a character class: marks, joiners, the soft hyphen."""

LETTER = rf"(?:[^\W_]|[{JOINED}])"
"""A letter or digit of any script, or a mark on one, as a regular expression."""
