"""Search in a document under review, over all of its text: what is no term is found as well."""

from __future__ import annotations

import re

from taciturn.document import Span

__all__ = ["MOST", "find"]

MOST = 5000
"""Matches that one search tells; the page says when there are more."""

_ALIKE = {"'": "['\u2018\u2019\u02bc]", '"': '["\u201c\u201d]', "-": "[-\u2010\u2011\u2012\u2013]"}


def find(text: str, wanted: str) -> list[Span]:
    """Every place where some words stand, whatever their case, quotes, hyphens and white space.

    >>> find("Mr Whitcomb. WHITCOMB's son, J.\\nWhitcomb", "whitcomb")
    [(3, 11), (13, 21), (32, 40)]
    >>> find("O\u2019Neil\\nClinic", "o'neil clinic")
    [(0, 13)]
    """
    words = wanted.split()
    if not words:
        return []
    pattern = r"\s+".join("".join(_ALIKE.get(c, re.escape(c)) for c in word) for word in words)
    found = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        found.append(match.span())
        if len(found) == MOST:
            break
    return found
