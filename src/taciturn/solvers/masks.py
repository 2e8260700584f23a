"""k-anonymous strings: the fewest characters to mask so that at least k strings of a list still match.

A pattern keeps some characters of a word and shows ``*`` for the others; its k is the number of strings of the list
that have the same length and match it. Compare the word with all strings of its length at once: each agrees with it
on a set of positions. The histogram of these sets, summed over supersets, is every pattern's k, in O(c + l 2^l) for a
word of l characters with c agreeing cells in the list. Words beyond :data:`SUMS` characters are searched over closed
sets of positions instead (:mod:`taciturn.solvers.closed_masks`).

Positions are found through postings, so strings that share nothing with the word are never touched. numpy alone does
it within a millisecond a word; a compiled loop would be three times faster, which is not worth one more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from taciturn.solvers.closed_masks import largest_shared
from taciturn.solvers.mask_arrays import (
    CODE_BITS,
    HASH_START,
    MaskArrays,
    build_arrays,
    code_points,
    extend_hash,
    prefix_bits,
)
from taciturn.solvers.mask_sums import agreement, popcounts, superset_counts
from taciturn.solvers.mask_values import MARK, MARK_POINT, Dictionary, Mask, masked

__all__ = ["DICTIONARY_LONGEST", "MARK", "SUMS", "Dictionary", "Mask", "MaskIndex"]

SUMS = 15  # up to here superset sums cost less than a search does on average
DICTIONARY_LONGEST = 20
_NOWHERE = (0, 0, 0, 0)
_NO_ROWS = np.empty(0, dtype=np.int32)


class MaskIndex:
    """A list of strings, ready to say how much of a word can be shown.

    Strings are taken by code point after NFC; each counts once however often it is listed, because a list line
    repeated is not one more candidate for a reader. A ``*`` in a word is never kept: it would look like a mask.

    >>> index = MaskIndex(["crew", "brew", "crow", "clew", "draw"])
    >>> index.mask("crew", 2)
    Mask(pattern='*rew', k=2, masked=1, bound=None)
    >>> len(index.dictionary("crew")), index.dictionary("crew")[0].pattern
    (14, '*rew')
    >>> index.mask("crew", 6)
    Mask(pattern='****', k=5, masked=4, bound=None)
    """

    def __init__(self, strings: Iterable[str]) -> None:
        if isinstance(strings, str):
            raise TypeError(f"a list of strings is needed, not the one string {strings[:30]!r}")
        self._take(build_arrays(strings), None)

    def _take(self, arrays: MaskArrays, digest: str | None) -> None:
        self.arrays = arrays
        self._digest = digest
        self._slots: NDArray[np.int64] = np.concatenate(([0], np.cumsum(arrays.lengths)))
        slots = self._slots.tolist()
        rows, cells = arrays.row_starts.tolist(), arrays.cell_starts.tolist()
        self._places: dict[int, tuple[int, int, int, int]] = {
            length: (slots[i], rows[i], rows[i + 1], cells[i]) for i, length in enumerate(arrays.lengths.tolist())
        }

    @classmethod
    def from_arrays(cls, arrays: MaskArrays, digest: str | None = None) -> MaskIndex:
        """An index of arrays that were built before, memory-mapped ones for instance."""
        index = cls.__new__(cls)
        index._take(arrays, digest)
        return index

    def __reduce__(self) -> tuple[Any, ...]:
        return (MaskIndex.from_arrays, (self.arrays, self._digest))

    @property
    def digest(self) -> str:
        """A digest of the set of strings, quoted by certificates."""
        if self._digest is None:
            self._digest = self.arrays.digest()
        return self._digest

    def __len__(self) -> int:
        """The number of distinct strings."""
        return int(self.arrays.hashes.size)

    def __contains__(self, word: str) -> bool:
        return self.row(word) is not None

    def __iter__(self) -> Iterator[str]:
        for length in self._places:
            yield from self.strings(length)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that occur, ascending."""
        return tuple(self._places)

    def rows(self, length: int) -> int:
        """How many strings have a length: the k of a pattern that masks everything."""
        _, first, end, _ = self._places.get(length, _NOWHERE)
        return end - first

    def strings(self, length: int, rows: NDArray[np.integer[Any]] | None = None) -> list[str]:
        """The strings of a length, all or those of the given rows."""
        columns = self.columns(length)
        table = self.arrays.alphabet[columns if rows is None else columns[:, rows]]
        text = np.ascontiguousarray(table.T).tobytes().decode("utf-32-le", "surrogatepass")
        return [text[i : i + length] for i in range(0, len(text), length)]

    def row(self, word: str) -> int | None:
        """The row of a string among those of its length, or ``None`` if it is not in the list."""
        points = code_points(normalize("NFC", word))
        place = self._places.get(points.size)
        codes = self._codes(points)
        if place is None or codes is None:
            return None
        figure = np.full(1, HASH_START)
        for i in range(points.size):
            figure = extend_hash(figure, points[i : i + 1])
        hashes = self._hashes(points.size)
        at = int(np.searchsorted(hashes, figure[0]))
        columns = self.columns(points.size)
        while at < hashes.size and hashes[at] == figure[0]:
            if (columns[:, at] == codes).all():
                return at
            at += 1
        return None

    def _codes(self, points: NDArray[np.uint32]) -> NDArray[np.int64] | None:
        """The codes of characters, or ``None`` if the list lacks one of them."""
        alphabet = self.arrays.alphabet
        codes = np.searchsorted(alphabet, points)
        known = codes < alphabet.size
        known[known] = alphabet[codes[known]] == points[known]
        return codes if known.all() else None

    def columns(self, length: int) -> NDArray[Any]:
        """The codes of the strings of a length, a row of the result for each position."""
        _, first, end, cell = self._places.get(length, _NOWHERE)
        return self.arrays.codes[cell : cell + length * (end - first)].reshape(length, end - first)

    @cached_property
    def _entries(self) -> NDArray[np.uint8]:
        """A bit for the hash of each string, by other bits of it than the table of prefixes uses."""
        size = 1 << max(10, (16 * len(self)).bit_length())
        table = np.zeros(size, dtype=bool)
        table[self.arrays.hashes & np.uint64(size - 1)] = True
        return np.packbits(table, bitorder="little")

    def holds(self, length: int, hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Which of these hashes (their numbers) are hashes of strings of a length."""
        likely = np.flatnonzero(_bits_set(self._entries, hashes & np.uint64(8 * self._entries.size - 1)))
        asked = hashes[likely]
        known = self._hashes(length)
        at = np.minimum(np.searchsorted(known, asked), known.size - 1)
        sure: NDArray[np.intp] = likely[known[at] == asked]
        return sure

    def begins(self, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which of these hashes are hashes of beginnings of strings; a stranger may pass now and then."""
        return _bits_set(self.arrays.prefixes, prefix_bits(hashes, self.arrays.prefixes.size))

    def row_of(self, length: int, hashes: NDArray[np.uint64]) -> NDArray[np.intp]:
        """The first row of a length with each hash; each must be there."""
        rows: NDArray[np.intp] = np.searchsorted(self._hashes(length), hashes)
        return rows

    def occurs(self, lengths: NDArray[np.int64], position: int, points: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Is there a string of each of these lengths with the character at the position?"""
        alphabet, keys = self.arrays.alphabet, self.arrays.keys
        codes = np.minimum(np.searchsorted(alphabet, points), alphabet.size - 1)
        slots = self._slots[np.searchsorted(self.arrays.lengths, lengths)]
        wanted = ((slots + position) << CODE_BITS) + codes
        at = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        there: NDArray[np.bool_] = (keys[at] == wanted) & (alphabet[codes] == points)
        return there

    def _hashes(self, length: int) -> NDArray[np.uint64]:
        _, first, end, _ = self._places.get(length, _NOWHERE)
        return self.arrays.hashes[first:end]

    def postings(self, points: NDArray[np.uint32]) -> list[NDArray[np.int32]]:
        """For each position of a word, the rows of its length that have its character there."""
        place = self._places.get(points.size)
        if place is None:
            return [_NO_ROWS] * points.size
        alphabet, keys = self.arrays.alphabet, self.arrays.keys
        codes = np.searchsorted(alphabet, points)
        wanted = ((place[0] + np.arange(points.size)) << CODE_BITS) + codes
        at = np.searchsorted(keys, wanted)
        at[at == keys.size] = 0
        codes[codes == alphabet.size] = 0
        known = (keys[at] == wanted) & (alphabet[codes] == points)
        starts, ends = self.arrays.key_starts[at], self.arrays.key_starts[at + 1]
        ends = np.where(known, ends, starts)
        rows = self.arrays.postings
        return [rows[s:e] for s, e in zip(starts.tolist(), ends.tolist(), strict=True)]

    def matching(self, pattern: str) -> NDArray[np.integer[Any]]:
        """The rows of the pattern's length that match it; ``*`` matches any one character."""
        points = code_points(normalize("NFC", pattern))
        found = self.postings(points)
        shown = [i for i in np.argsort([p.size for p in found], kind="stable").tolist() if points[i] != MARK_POINT]
        if not shown:
            return np.arange(self.rows(points.size))
        rows: NDArray[np.integer[Any]] = found[shown[0]]
        columns = self.columns(points.size)
        codes = self._codes(points[shown])
        if codes is None:
            return rows[:0]
        for i, code in zip(shown[1:], codes[1:].tolist(), strict=True):
            if not rows.size:
                break
            rows = rows[columns[i, rows] == code]
        return rows

    def count(self, pattern: str) -> int:
        """How many strings match a pattern: its k.

        >>> MaskIndex(["crew", "brew", "crow"]).count("*rew")
        2
        """
        return int(self.matching(pattern).size)

    def dictionary(self, word: str) -> Dictionary:
        """Every pattern of a word that keeps and masks at least one character, with its k, sorted.

        >>> [tuple(m)[:3] for m in MaskIndex(["ab", "ac", "xb"]).dictionary("ab")]
        [('*b', 2, 1), ('a*', 2, 1)]
        """
        points = _word_points(word)
        if points.size > DICTIONARY_LONGEST:
            raise ValueError(
                f"the word {word[:40]!r} has {points.size} characters: a dictionary of 2^{points.size} patterns is too "
                f"large, {DICTIONARY_LONGEST} characters is the most; mask() takes words of any length"
            )
        free = np.flatnonzero(points != MARK_POINT)
        found = self.postings(points)
        counts = superset_counts([found[i] for i in free.tolist()], self.rows(points.size))
        return Dictionary(points, free, counts)

    def mask(self, word: str, k: int, limit: int = 100_000) -> Mask:
        """The pattern of a word with the fewest masked characters that at least k strings match.

        Ties go to the larger k, then to the leftmost mask; if no pattern will do, everything is masked. ``limit`` is
        the number of nodes after which the search for a long word stops, see
        :func:`taciturn.solvers.closed_masks.largest_shared`.
        """
        if k < 2:
            raise ValueError(f"k = {k} protects nothing, a word always matches itself; give 2 or more")
        points = _word_points(word)
        found = self.postings(points)
        total = self.rows(points.size)
        free = np.flatnonzero(points != MARK_POINT)
        lists = [found[i] for i in free.tolist()]
        if free.size > SUMS:
            best = largest_shared(agreement(lists, self.rows(points.size)), k, limit)
            proven = best.bound == len(best.columns)
            if proven or free.size > DICTIONARY_LONGEST:
                bound = None if proven else points.size - best.bound
                return masked(points, free[list(best.columns)], best.rows or total, bound)
        counts = superset_counts(lists, self.rows(points.size))
        able = np.flatnonzero(counts >= k)
        able = able[able > 0]
        if not able.size:
            return masked(points, free[:0], total, None)
        sizes = popcounts(free.size)[able]
        able = able[sizes == sizes.max()]
        choice = able[counts[able].argmax()]
        kept = free[(choice >> np.arange(free.size - 1, -1, -1)) & 1 == 1]
        return masked(points, kept, int(counts[choice]), None)

    def mask_many(self, words: Iterable[str], k: int, workers: int | None = None) -> list[Mask]:
        """The mask of each word, computed by several processes where there are enough words to pay for them."""
        asked = list(words)
        distinct = sorted(set(asked), key=lambda w: (len(w), w))
        workers = min(workers or os.cpu_count() or 1, 1 + len(distinct) // 2000)
        if workers == 1:
            found = {w: self.mask(w, k) for w in distinct}
        else:
            step = -(-len(distinct) // (8 * workers))
            parts = [(distinct[i : i + step], k) for i in range(0, len(distinct), step)]
            with ProcessPoolExecutor(workers, initializer=_work_with, initargs=(self,)) as pool:
                found = {
                    w: m
                    for (part, _), masks in zip(parts, pool.map(_mask_part, parts), strict=True)
                    for w, m in zip(part, masks, strict=True)
                }
        return [found[w] for w in asked]


_of_worker: MaskIndex


def _work_with(index: MaskIndex) -> None:
    global _of_worker
    _of_worker = index


def _mask_part(part: tuple[list[str], int]) -> list[Mask]:
    words, k = part
    return [_of_worker.mask(w, k) for w in words]


def _bits_set(table: NDArray[np.uint8], at: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which bits of a table are set."""
    found: NDArray[np.bool_] = (table[at >> np.uint64(3)] >> (at & np.uint64(7)).astype(np.uint8)) & 1 == 1
    return found


def _word_points(word: str) -> NDArray[np.uint32]:
    if not word:
        raise ValueError("an empty word has nothing to mask; give one of at least one character")
    return code_points(normalize("NFC", word))
