"""What the tagger knows of a word by itself: its normal form, its shape, its ends."""

from __future__ import annotations

import zlib

__all__ = ["SHAPES", "ends", "normal", "shape"]

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


def ends(word: str, buckets: int) -> tuple[int, int, int, int]:
    """The last two and three, and the first two and three, characters of a normal form, as numbers below ``buckets``.

    CRC-32 is used because it is the same in every process and on every machine.
    """
    code = word.encode("utf-8", "surrogatepass")
    crc = zlib.crc32
    return (
        crc(code[-2:], 1) % buckets,
        crc(code[-3:], 2) % buckets,
        crc(code[:2], 3) % buckets,
        crc(code[:3], 4) % buckets,
    )
