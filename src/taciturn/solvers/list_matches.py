"""Where strings of a list stand in a text: the leftmost, then the longest; and where masks of them may stand.

All starts of a text are followed at once, a character a step: the hash of what was read so far must be the hash of a
prefix of some string, by a bit table; strings that end there are looked up by their hash and compared. The work is the
sum of the prefixes read, linear in the text for any real list. Against Aho-Corasick: no automaton of ten million nodes
has to be built or loaded, the tables are a part of the mapped index.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.solvers.mask_arrays import HASH_START, extend_hash
from taciturn.solvers.masks import MARK, MaskIndex

__all__ = ["Bounds", "glob_count", "glob_windows", "longest_matches", "masked_windows", "outside"]

_BLOCK = 1 << 17  # starts followed at once: their hashes stay in the processor's cache
_WINDOWS = 1 << 10  # starts whose windows are looked at at once
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

    >>> from taciturn.solvers.mask_arrays import code_points
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
    table = np.array(spans, dtype=np.int64).reshape(-1, 2)
    sizes = table[:, 1] - table[:, 0]
    for length in np.unique(sizes).tolist():
        at = table[sizes == length, 0]
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
            keep = index.begins(hashes)
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
    starts, before = _beginnings(index, points, bounds, stars)
    lengths = np.array(index.lengths[::-1], dtype=np.int64)
    windows: list[tuple[int, int]] = []
    for first in range(0, starts.size, _WINDOWS):
        part = slice(first, first + _WINDOWS)
        at = np.repeat(starts[part], lengths.size)
        size = np.tile(lengths, starts[part].size)
        fits = (size > np.repeat(before[part], lengths.size)) & (at + size <= bounds.limits[at])
        at, size = at[fits], size[fits]
        fits = bounds.ends[at + size]
        at, size = _plausible(index, points, at[fits], size[fits])
        windows += zip(at.tolist(), (at + size).tolist(), strict=True)
    return _first_windows(stars.tolist(), windows, points, index.count)


def _beginnings(
    index: MaskIndex, points: NDArray[np.uint32], bounds: Bounds, stars: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The starts from which the text up to the next ``*`` begins some string, and how long that text is."""
    at = np.flatnonzero(bounds.starts)
    following = np.searchsorted(stars, at)
    at = at[following < stars.size]
    before = stars[following[following < stars.size]] - at
    longest = index.lengths[-1] if index.lengths else 0
    near = (before < longest) & (at + before < bounds.limits[at])
    at, before = at[near], before[near]
    done: list[NDArray[np.int64]] = []
    hashes = np.full(at.size, HASH_START)
    for length in range(longest):
        reached = before == length
        done.append(at[reached])
        at, before, hashes = at[~reached], before[~reached], hashes[~reached]
        if not at.size:
            break
        hashes = extend_hash(hashes, points[at + length])
        begins = index.begins(hashes)
        at, before, hashes = at[begins], before[begins], hashes[begins]
    starts = np.sort(np.concatenate(done)) if done else at
    return starts, stars[np.searchsorted(stars, starts)] - starts


def _first_windows(
    stars: list[int],
    windows: list[tuple[int, int]],
    points: NDArray[np.uint32],
    count: Callable[[str], int],
) -> list[tuple[int, int, int]]:
    """At each ``*`` the first of the windows over it that something matches; they are in the order to be tried."""
    known: dict[bytes, int] = {}
    found: list[tuple[int, int, int]] = []
    free = first = 0
    for star in stars:
        if star < free:
            continue
        while first < len(windows) and (windows[first][0] < free or windows[first][1] <= star):
            first += 1  # a window of an earlier place; those further on may be, too, and are passed over below
        for i in range(first, len(windows)):
            start, end = windows[i]
            if start > star:
                break
            if start < free or end <= star:
                continue
            window = points[start:end].tobytes()
            if window not in known:
                known[window] = count(window.decode("utf-32-le", "surrogatepass"))
            if known[window]:
                free = end
                found.append((start, end, known[window]))
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
    stars = np.flatnonzero(points == _MARK_POINT)
    longest = index.lengths[-1] if index.lengths else 0
    windows: list[tuple[int, int]] = []
    for start, before in zip(*(part.tolist() for part in _beginnings(index, points, bounds, stars)), strict=True):
        first = start + before + 1
        last = min(int(bounds.limits[start]), start + longest)
        ends = first + np.flatnonzero(bounds.ends[first : last + 1])
        windows += [(start, end) for end in ends[::-1].tolist()]
    return _first_windows(stars.tolist(), windows, points, lambda window: glob_count(index, window, enough))


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
