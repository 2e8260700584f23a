"""The arrays behind a list of strings: rows by length, postings by position and character.

Strings of one length form a table of character codes, one column a position. For each column the row numbers are kept
in order of their character (postings), so that "every string of length 5 with `e` at position 2" is one slice. The
strings themselves can be restored from the codes; duplicates are counted once, and the order of the list leaves no
trace, so equal sets of strings give equal bytes and one digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CODE_BITS",
    "HASH_START",
    "MaskArrays",
    "build_arrays",
    "code_points",
    "extend_hash",
    "prefix_bits",
]

CODE_BITS = 21  # a code is at most the number of code points there are, 0x110000
LONGEST = 1000  # an entry of a list is a name or a title; a file given by mistake as one line is not
HASH_START = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)


@dataclass(frozen=True)
class MaskArrays:
    """A list of strings as arrays; ``n`` lengths, ``M`` strings, ``K`` pairs of a column and a character in it.

    ``lengths`` (n) ascending; strings of ``lengths[i]`` are the rows ``row_starts[i]:row_starts[i+1]``; their codes
    and postings are ``cell_starts[i]:cell_starts[i+1]`` of ``codes`` and ``postings``, one column after the other.
    ``keys`` (K) are ``slot << 21 | code``, where slots number the columns of all lengths in turn, and the postings of
    key j are ``key_starts[j]:key_starts[j+1]``. ``hashes`` (M) are ascending within a length. ``prefixes`` is a bit
    table of the hashes of every prefix of every string.
    """

    alphabet: NDArray[np.uint32]
    lengths: NDArray[np.int64]
    row_starts: NDArray[np.int64]
    cell_starts: NDArray[np.int64]
    codes: NDArray[Any]
    postings: NDArray[np.int32]
    keys: NDArray[np.int64]
    key_starts: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    prefixes: NDArray[np.uint8]

    def digest(self) -> str:
        """A digest of the set of strings."""
        figure = sha256()
        for field in fields(self):
            array = getattr(self, field.name)
            figure.update(f"{field.name} {array.dtype.str} {array.size}\n".encode())
            figure.update(_raw(array))
        return figure.hexdigest()


def _raw(array: NDArray[Any]) -> memoryview:
    """The bytes of an array."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def code_points(text: str) -> NDArray[np.uint32]:
    """The code points of a text, lone surrogates included.

    >>> code_points("aé").tolist()
    [97, 233]
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def extend_hash(hashes: NDArray[np.uint64], following: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """The hashes of strings that are each longer by one character."""
    mixed = (hashes ^ following) * _MULTIPLIER
    mixed ^= mixed >> _SHIFT
    return mixed


def prefix_bits(hashes: NDArray[np.uint64], size: int) -> NDArray[np.uint64]:
    """Where in a bit table of ``size`` bytes (a power of two) hashes stand: their high bits, which are mixed best."""
    return hashes >> np.uint64(64 - 3 - (size.bit_length() - 1))


def build_arrays(strings: Iterable[str]) -> MaskArrays:
    """The arrays of a list, in O(total length) time but for sorting hashes; empty strings are dropped.

    Strings are taken by code point after NFC.

    >>> arrays = build_arrays(["crew", "draw", "draw", "crawl"])
    >>> arrays.lengths.tolist(), arrays.row_starts.tolist()
    ([4, 5], [0, 2, 3])
    """
    words = [s for s in strings if s]
    joined = "".join(words)
    if not is_normalized("NFC", joined):
        words = [normalize("NFC", s) for s in words]
        joined = "".join(words)
    sizes = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    if sizes.size and sizes.max() > LONGEST:
        long = words[int(sizes.argmax())]
        raise ValueError(
            f"the entry that starts with {long[:30]!r} has {len(long)} characters, more than {LONGEST}; "
            "a list holds one name or title a line"
        )
    points = code_points(joined)
    del words, joined
    seen = np.zeros(int(points.max(initial=0)) + 1, dtype=bool)
    seen[points] = True
    alphabet = np.flatnonzero(seen).astype(np.uint32)
    code_type = np.uint16 if alphabet.size <= 0x10000 else np.uint32
    code_of = (np.cumsum(seen) - 1).astype(code_type)
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    by_length = np.argsort(sizes, kind="stable")
    lengths, firsts = np.unique(sizes[by_length], return_index=True)
    groups = np.split(by_length, firsts[1:]) if lengths.size else []

    codes: list[NDArray[Any]] = []
    postings: list[NDArray[np.int32]] = []
    keys: list[NDArray[np.int64]] = []
    key_starts: list[NDArray[np.int64]] = []
    hashes: list[NDArray[np.uint64]] = []
    prefix_hashes: list[NDArray[np.uint64]] = []
    rows_of, cells, slot = [], 0, 0
    for length, words_here in zip(lengths.tolist(), groups, strict=True):
        table, row_hashes, prefixes = _distinct_rows(points, starts[words_here], length)
        prefix_hashes.append(prefixes)
        hashes.append(row_hashes)
        columns = code_of[table]
        codes.append(columns.ravel())
        for column in columns:
            order = np.argsort(column, kind="stable").astype(np.int32)
            ordered = column[order]
            changes = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
            postings.append(order)
            keys.append((slot << CODE_BITS) + ordered[changes].astype(np.int64))
            key_starts.append(cells + changes)
            cells += order.size
            slot += 1
        rows_of.append(row_hashes.size)
    row_starts = np.concatenate(([0], np.cumsum(np.array(rows_of, dtype=np.int64))))
    return MaskArrays(
        alphabet=alphabet,
        lengths=lengths.astype(np.int64),
        row_starts=row_starts.astype(np.int64),
        cell_starts=np.concatenate(([0], np.cumsum(lengths * np.diff(row_starts)))).astype(np.int64),
        codes=_joined(codes, code_type),
        postings=_joined(postings, np.int32),
        keys=_joined(keys, np.int64),
        key_starts=np.concatenate((_joined(key_starts, np.int64), np.array([cells], dtype=np.int64))),
        hashes=_joined(hashes, np.uint64),
        prefixes=_bit_table(prefix_hashes),
    )


def _joined(parts: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=dtype)


def _distinct_rows(
    points: NDArray[np.uint32], starts: NDArray[np.int64], length: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64]]:
    """The distinct strings of one length as columns of code points, ordered by hash; their hashes; all prefixes'."""
    table = np.empty((length, starts.size), dtype=np.uint32)
    hashes = np.full(starts.size, HASH_START)
    prefixes = []
    for position in range(length):
        table[position] = points[starts + position]
        hashes = extend_hash(hashes, table[position])
        prefixes.append(np.unique(hashes))
    order = np.argsort(hashes, kind="stable")
    table, hashes = table[:, order], hashes[order]
    twins = hashes[1:] == hashes[:-1]
    if twins.any():
        same = (table[:, 1:] == table[:, :-1]).all(axis=0)
        if (twins & ~same).any():  # two strings share a hash: order such rows by their characters, so that equals meet
            table = table[:, np.lexsort((*table[::-1], hashes))]
            same = (table[:, 1:] == table[:, :-1]).all(axis=0)
        fresh = np.concatenate(([True], ~same))
        table, hashes = table[:, fresh], hashes[fresh]
    return table, hashes, np.concatenate(prefixes)


def _bit_table(parts: list[NDArray[np.uint64]]) -> NDArray[np.uint8]:
    """A bit for each prefix in a table of at least 8 bits a prefix: at most one stranger in eight passes."""
    size = 1 << max(6, sum(p.size for p in parts).bit_length())
    table = np.zeros(size * 8, dtype=bool)
    for part in parts:
        table[prefix_bits(part, size)] = True
    return np.packbits(table, bitorder="little")
