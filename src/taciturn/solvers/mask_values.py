"""Masks as values: one pattern of a word, and the dictionary of all its patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.solvers.mask_sums import popcounts

__all__ = ["MARK", "MARK_POINT", "Dictionary", "Mask", "masked"]

MARK = "*"
MARK_POINT = ord(MARK)
_CHUNK = 512  # below the number of new objects at which Python looks for garbage


class Mask(NamedTuple):
    """A pattern, the number of strings that match it, and how many of its characters are masked.

    ``bound`` is ``None`` if no mask with fewer masked characters does; where the search stopped at its limit it is
    the fewest masked characters that were not ruled out.
    """

    pattern: str
    k: int
    masked: int
    bound: int | None = None

    @property
    def optimal(self) -> bool:
        """Is it proven that no mask keeps more?"""
        return self.bound is None

    @property
    def bare(self) -> bool:
        """Is nothing of the word left but its length?"""
        return self.masked == len(self.pattern)


_new_mask: Callable[[tuple[str, int, int, None]], Mask] = partial(tuple.__new__, Mask)  # half the time of Mask()


class Dictionary(Sequence[Mask]):
    """Every pattern of a word with its k: fewest masked characters first, then larger k, then the leftmost mask.

    The first one whose k is at least k is therefore the mask of the word for k. The figures are computed at once and
    kept as arrays (``k``, ``masked``, ``kept``: position 0 is the highest bit); :class:`Mask` values are made as they
    are asked for.
    """

    def __init__(self, points: NDArray[np.uint32], free: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
        self._points = points
        self._free = free
        # One number orders all: masked characters, then k downward, then the kept positions upward.
        key = _order_base(free.size) - (counts.astype(np.int64) << 21)
        key = key[1 : None if free.size < points.size else -1]  # neither nothing nor the whole word is a pattern
        key.sort()
        self.kept: NDArray[np.int64] = key & ((1 << 21) - 1)
        self.k: NDArray[np.int32] = counts.take(self.kept)
        self.masked: NDArray[np.int64] = (key >> 57) + (points.size - free.size)

    def __len__(self) -> int:
        return int(self.kept.size)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return list(self._masks(index))
        return self._masks(slice(index, index + 1 or None))[0]

    def __iter__(self) -> Iterator[Mask]:
        for start in range(0, len(self), _CHUNK):
            yield from self._masks(slice(start, start + _CHUNK))

    def _masks(self, part: slice) -> list[Mask]:
        kept = self.kept[part]
        table = np.full((kept.size, self._points.size), MARK_POINT, dtype=np.uint32)
        for i, position in enumerate(self._free.tolist()):
            shown = (kept >> (self._free.size - 1 - i)) & 1
            table[:, position] = np.where(shown, self._points[position], MARK_POINT)
        text = table.tobytes().decode("utf-32-le", "surrogatepass")
        width = self._points.size
        patterns = [text[i : i + width] for i in range(0, len(text), width)]
        figures = zip(patterns, self.k[part].tolist(), self.masked[part].tolist(), repeat(None), strict=False)
        return list(map(_new_mask, figures))

    def best(self) -> list[tuple[int, int]]:
        """For each number of masked characters the largest k, as pairs: the trade-off to plot."""
        values, first = np.unique(self.masked, return_index=True)
        return [(int(m), int(self.k[i])) for m, i in zip(values, first, strict=True)]


def masked(points: NDArray[np.uint32], kept: NDArray[np.int64], k: int, bound: int | None) -> Mask:
    """The mask of a word, given as code points, that keeps some positions."""
    shown = np.full(points.size, MARK_POINT, dtype=np.uint32)
    shown[kept] = points[kept]
    pattern = shown.tobytes().decode("utf-32-le", "surrogatepass")
    return Mask(pattern, k, points.size - kept.size, bound)


@lru_cache(maxsize=32)
def _order_base(bits: int) -> NDArray[np.int64]:
    """For each set of kept positions the number that orders it in a dictionary, before its k is subtracted."""
    hidden = bits - popcounts(bits).astype(np.int64)
    base: NDArray[np.int64] = (hidden << 57) + ((2**31 - 1) << 21) + np.arange(1 << bits)
    return base
