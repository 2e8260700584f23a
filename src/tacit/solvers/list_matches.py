"""Where strings of a list stand in a text: the leftmost, then the longest; and where masks of them may stand.

All starts of a text are followed at once, a character a step: the hash of what was read so far must be the hash of a
prefix of some string, by a bit table; strings that end there are looked up by their hash and compared. The work is the
sum of the prefixes read, linear in the text for any real list. Against Aho-Corasick: no automaton of ten million nodes
has to be built or loaded, the tables are a part of the mapped index.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.solvers.mask_arrays import HASH_START, extend_hash, prefix_bits
from tacit.solvers.masks import MARK, MaskIndex

__all__ = ["Bounds", "glob_count", "glob_windows", "longest_matches", "masked_windows", "outside"]

_BLOCK = 1 << 17  # starts followed at once: their hashes stay in the processor's cache
_MARK_POINT = ord(MARK)
Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where matches may start and end in a text of n characters, and how far each may reach.

    ``starts`` (n) and ``ends`` (n + 1) are true at such places; a match from i ends at ``limits[i]`` at the latest.
    """

    starts: NDArray[np.bool_]
    ends: NDArray[np.bool_]
    limits: NDArray[np.int64]

    @classmethod
    def everywhere(cls, size: int) -> Bounds:
        """Matches may start and end anywhere."""
        return cls(np.ones(size, dtype=bool), np.ones(size + 1, dtype=bool), np.full(size, size, dtype=np.int64))


def longest_matches(
    index: MaskIndex, points: NDArray[np.uint32], bounds: Bounds, without: frozenset[str] = frozenset()
) -> Spans:
    """The strings of a list in a text of code points: from left to right, at each place the longest, no overlaps.

    Strings in ``without`` are passed over.

    >>> from tacit.solvers.mask_arrays import code_points
    >>> index = MaskIndex(["York", "New York", "New"])
    >>> longest_matches(index, code_points("in New York"), Bounds.everywhere(11))
    [(3, 11)]
    """
    refused: dict[int, list[int]] = {}
    for word in without:
        row = index.row(word)
        if row is not None:
            refused.setdefault(len(word), []).append(row)
    spans = _first_and_longest(_longest(index, points, bounds, refused, exact=False))
    # Hashes of 64 bits are trusted while reading; what is found is compared by characters, and only if a stranger
    # shares a hash, which nobody meets by chance, is the text read again with a comparison at every step.
    for length in {end - start for start, end in spans}:
        at = np.array([start for start, end in spans if end - start == length])
        if not _same(index, points, at, length)[1].all():
            return _first_and_longest(_longest(index, points, bounds, refused, exact=True))
    return spans


def _first_and_longest(best: NDArray[np.int32]) -> Spans:
    spans: Spans = []
    free = 0
    matched = np.flatnonzero(best)
    for start, length in zip(matched.tolist(), best[matched].tolist(), strict=True):
        if start >= free:
            free = start + length
            spans.append((start, free))
    return spans


def _longest(
    index: MaskIndex, points: NDArray[np.uint32], bounds: Bounds, refused: dict[int, list[int]], exact: bool
) -> NDArray[np.int32]:
    """For each start the length of the longest string there, 0 for none."""
    best = np.zeros(points.size, dtype=np.int32)
    longest = index.lengths[-1] if index.lengths else 0
    table = index.arrays.prefixes
    starts = np.flatnonzero(bounds.starts)
    for first in range(0, starts.size, _BLOCK):
        at = starts[first : first + _BLOCK]
        room = bounds.limits[at] - at
        hashes = np.full(at.size, HASH_START)
        for length in range(1, longest + 1):
            if length > 1 and (room < length).any():
                keep = room >= length
                at, room, hashes = at[keep], room[keep], hashes[keep]
            hashes = extend_hash(hashes, points[at + (length - 1)])
            bits = prefix_bits(hashes, table.size)
            keep = (table[bits >> np.uint64(3)] >> (bits & np.uint64(7)).astype(np.uint8)) & 1 == 1
            at, room, hashes = at[keep], room[keep], hashes[keep]
            if not at.size:
                break
            if index.rows(length):
                ending = np.flatnonzero(bounds.ends[at + length])
                found = ending[index.holds(length, hashes[ending])]
                if exact or length in refused:
                    rows, same = _same(index, points, at[found], length)
                    found = found[same & ~np.isin(rows, refused.get(length, []))]
                best[at[found]] = length
    return best


def _same(
    index: MaskIndex, points: NDArray[np.uint32], at: NDArray[np.int64], length: int
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The rows of the strings of a length at given places, and whether there is one: compared by characters."""
    hashes = np.full(at.size, HASH_START)
    for position in range(length):
        hashes = extend_hash(hashes, points[at + position])
    rows = index.row_of(length, hashes)
    same = np.ones(at.size, dtype=bool)
    for position, codes in enumerate(index.columns(length)):
        same &= index.arrays.alphabet[codes[rows]] == points[at + position]
    for i in np.flatnonzero(~same).tolist():  # another string shares the hash: ask for this very one
        row = index.row(points[at[i] : at[i] + length].tobytes().decode("utf-32-le", "surrogatepass"))
        same[i], rows[i] = row is not None, -1 if row is None else row
    return rows, same


def outside(spans: Spans, windows: Spans) -> Spans:
    """The spans that lie in none of the windows; both are in order and without overlaps.

    >>> outside([(0, 2), (4, 8), (9, 12)], [(3, 10)])
    [(0, 2), (9, 12)]
    """
    starts = [start for start, _ in windows]
    kept: Spans = []
    for span in spans:
        i = bisect_right(starts, span[0]) - 1
        if i < 0 or span[1] > windows[i][1]:
            kept.append(span)
    return kept


def masked_windows(index: MaskIndex, points: NDArray[np.uint32], bounds: Bounds) -> list[tuple[int, int, int]]:
    """Where masks of strings of a list may stand: windows with a ``*`` that some string matches, and how many do.

    From left to right, at each ``*`` the window that starts first, then the longest, without overlaps: as in
    :func:`longest_matches`, with ``*`` for any character. A ``*`` in no such window is not part of any mask, for the
    mask of a string matches that string.
    """
    stars = np.flatnonzero(points == _MARK_POINT)
    lengths = np.array(index.lengths, dtype=np.int64)
    known: dict[bytes, int] = {}
    found: list[tuple[int, int, int]] = []
    free = 0
    for star in stars.tolist():
        if star < free or not lengths.size:
            continue
        first = max(free, star - int(lengths[-1]) + 1)
        starts = first + np.flatnonzero(bounds.starts[first : star + 1])
        at = np.repeat(starts, lengths.size)
        size = np.tile(lengths[::-1], starts.size)
        fits = (at + size > star) & (at + size <= bounds.limits[at])
        at, size = at[fits], size[fits]
        fits = bounds.ends[at + size]
        at, size = _plausible(index, points, at[fits], size[fits])
        for start, length in zip(at.tolist(), size.tolist(), strict=True):
            window = points[start : start + length].tobytes()
            if window not in known:
                known[window] = index.count(window.decode("utf-32-le", "surrogatepass"))
            if known[window]:
                free = start + length
                found.append((start, free, known[window]))
                break
    return found


def _plausible(
    index: MaskIndex, points: NDArray[np.uint32], at: NDArray[np.int64], size: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The windows whose every character occurs at its position in some string of the window's length."""
    position = 0
    alive = np.flatnonzero(size > 0)
    left = np.ones(at.size, dtype=bool)
    while alive.size:
        here = points[at[alive] + position]
        shown = here != _MARK_POINT
        possible = ~shown
        possible[shown] = index.occurs(size[alive[shown]], position, here[shown])
        left[alive[~possible]] = False
        position += 1
        alive = alive[possible & (size[alive] > position)]
    return at[left], size[left]


def glob_windows(
    index: MaskIndex, points: NDArray[np.uint32], bounds: Bounds, enough: int
) -> list[tuple[int, int, int]]:
    """As :func:`masked_windows`, where each ``*`` stands for one or more characters; counts stop at ``enough``.

    A window reaches no further than the longest string is long: a ``*`` is not longer than what it hides.
    """
    longest = index.lengths[-1] if index.lengths else 0
    known: dict[bytes, int] = {}
    found: list[tuple[int, int, int]] = []
    free = 0
    for star in np.flatnonzero(points == _MARK_POINT).tolist():
        if star < free:
            continue
        first = max(free, star - longest + 1)
        starts = first + np.flatnonzero(bounds.starts[first : star + 1])
        for start, end in _glob_spans(index, points, bounds, starts, star, longest):
            window = points[start:end].tobytes()
            if window not in known:
                known[window] = glob_count(index, window.decode("utf-32-le", "surrogatepass"), enough)
            if known[window]:
                free = end
                found.append((start, end, known[window]))
                break
    return found


def _glob_spans(
    index: MaskIndex, points: NDArray[np.uint32], bounds: Bounds, starts: NDArray[np.int64], star: int, longest: int
) -> Iterator[tuple[int, int]]:
    """Windows around a ``*`` whose text before the first ``*`` begins some string: the first start, the longest."""
    table = index.arrays.prefixes
    for start in starts.tolist():
        figure = np.full(1, HASH_START)
        for i in range(start, star):
            figure = extend_hash(figure, points[i : i + 1])
            bit = int(prefix_bits(figure, table.size)[0])
            if not table[bit >> 3] >> (bit & 7) & 1:
                break
        else:
            last = min(int(bounds.limits[start]), start + longest)
            ends = star + 1 + np.flatnonzero(bounds.ends[star + 1 : last + 1])
            for end in ends[::-1].tolist():
                yield start, end


def glob_count(index: MaskIndex, pattern: str, enough: int) -> int:
    """How many strings of any length match a pattern whose every ``*`` stands for one or more characters.

    Counting stops once ``enough`` are found.

    >>> glob_count(MaskIndex(["John Smith", "Joe Smythe", "Ann Smith"]), "Jo* Sm*", 9)
    2
    """
    if not pattern.strip(MARK):
        return min(len(index), enough)
    if MARK not in pattern:
        return int(pattern in index)
    parts = re.split(r"\*+", pattern)
    expression = re.compile(".+".join(map(re.escape, parts)), re.DOTALL)
    shortest = sum(map(len, parts)) + len(parts) - 1
    count = 0
    for length in index.lengths:
        if length >= shortest:
            middle = MARK * (length - len(parts[0]) - len(parts[-1]))
            rows: NDArray[Any] = index.matching(parts[0] + middle + parts[-1])
            count += sum(1 for s in index.strings(length, rows) if expression.fullmatch(s)) if rows.size else 0
            if count >= enough:
                return enough
    return count
