"""Sets of small numbers as the bits of Python integers: the common tool of the set solvers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

__all__ = ["antichain", "bits", "columns"]


def bits(mask: int) -> Iterator[int]:
    """The places of the ones of a mask, ascending.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def columns(rows: Sequence[int]) -> dict[int, int]:
    """For each place, the mask of the rows that hold it: the transposed matrix, in time linear in its size.

    >>> columns([0b01, 0b11])
    {0: 3, 1: 2}
    """
    size = len(rows) // 8 + 1
    found: dict[int, bytearray] = {}
    for i, row in enumerate(rows):
        for e in bits(row):
            if e not in found:
                found[e] = bytearray(size)
            found[e][i >> 3] |= 1 << (i & 7)
    return {e: int.from_bytes(column, "little") for e, column in found.items()}


def antichain(rows: Collection[int]) -> list[int]:
    """The masks that hold no other one, each once, by size and then by value.

    The supersets of a mask are the intersection of the columns of its bits: O(size * rows / 64) a mask.

    >>> antichain([0b111, 0b11, 0b100, 0b11])
    [4, 3]
    """
    ordered = sorted(set(rows), key=lambda r: (r.bit_count(), r))
    if len(ordered) < 2 or ordered[0].bit_count() == ordered[-1].bit_count():
        return ordered
    found = columns(ordered)
    gone = 0
    for i, row in enumerate(ordered):
        if not gone >> i & 1:
            above = -1
            for e in bits(row):
                above &= found[e]
            gone |= above ^ (1 << i)
    return [row for i, row in enumerate(ordered) if not gone >> i & 1]
