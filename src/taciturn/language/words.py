"""The features of a single word that the tagger uses: its normal form, its shape, its prefixes and suffixes."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

__all__ = ["SHAPES", "describe", "ends", "normal", "shape"]

_DIGITS = {ord(c): "0" for c in "123456789"} | {ord("’"): "'", 0x00AD: None, 0x200D: None}
_LONGEST = 40

SHAPES = 16
"""How many values :func:`shape` has."""


def normal(word: str) -> str:
    """The form under which the word table knows a word: lower case, every digit a zero.

    >>> normal("McDonald’s"), normal("1994")
    ("mcdonald's", '0000')
    """
    return word[:_LONGEST].lower().translate(_DIGITS)


def shape(word: str) -> int:
    """The outline of a word as a small number: its capitals, digits and marks.

    >>> shape("virus") == shape("flu"), shape("HIV") == shape("Hiv"), shape("1994") == shape("2001")
    (True, False, True)
    """
    head = word[:_LONGEST]
    if head.isalpha():
        if head.islower():
            return 0 if len(head) > 1 else 1
        if head.isupper():
            return 2 if len(head) == 1 else 3 if len(head) < 6 else 4
        if head.istitle():
            return 5
        if head[0].isupper():
            return 6
        return 7 if head.lower() != head else 8
    if head.isdigit():
        return 9 if len(head) == 4 else 10 if len(head) < 3 else 11
    if head[0].isdigit():
        return 12
    if head[0].isalpha():
        return 13 if head[0].isupper() else 14
    return 15


def ends(word: str) -> tuple[int, int, int, int]:
    """The last two and three, and the first two and three, bytes of a normal form, as numbers of 32 bits.

    CRC-32 is used because it is the same in every process and on every machine.
    """
    code = word.encode("utf-8", "surrogatepass")
    crc = zlib.crc32
    return (crc(code[-2:], 1), crc(code[-3:], 2), crc(code[:2], 3), crc(code[:3], 4))


@lru_cache(maxsize=1 << 16)
def _described(word: str) -> tuple[str, tuple[int, ...]]:
    form = normal(word)
    return form, (shape(word), *ends(form))


def describe(words: Iterable[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The normal forms of words, and for each a row of its shape and its four ends.

    Words come back from document to document, so their descriptions are kept in a bounded cache.

    >>> forms, numbers = describe(["HIV", "hiv"])
    >>> forms, numbers.shape, bool((numbers[0, 1:] == numbers[1, 1:]).all())
    (['hiv', 'hiv'], (2, 5), True)
    """
    found = [_described(word[:_LONGEST]) for word in words]
    numbers = np.fromiter(chain.from_iterable(row for _, row in found), np.int64, 5 * len(found))
    return [form for form, _ in found], numbers.reshape(len(found), 5)
