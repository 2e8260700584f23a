"""Rows of fields that stand together: k counted over all fields of a record at once.

A name that fits many and a town that fits many may fit one row when they stand side by side. A record is a row of a
table, or a line of any other text; the fields of a listed row in it are masked so that at least k rows of the list
match all of them together. Fields keep their lengths, so only rows with the same lengths in those columns count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document
from taciturn.models.kanonymous.text import Characters, characters
from taciturn.solvers.closed_masks import largest_shared
from taciturn.solvers.list_matches import longest_matches, masked_windows, outside
from taciturn.solvers.mask_arrays import code_points
from taciturn.solvers.masks import MARK, MaskIndex

__all__ = ["MaskedField", "Records", "masked_fields", "read_fields"]

_ROW = re.compile(r": row ([0-9]+)$")
_COMBINATIONS = 20_000  # of fields in one record; a record with more is no record, and fails closed
RowIds = NDArray[np.int64]


class MaskedField(NamedTuple):
    """A field in a document and what to show of it: ``None`` where nothing may be shown."""

    start: int
    end: int
    shown: str | None
    k: int


class _Column:
    """The values of one column and the rows that each stands in."""

    def __init__(self, values: Sequence[str]) -> None:
        self.index = MaskIndex(values)
        self.lengths = np.fromiter(map(len, values), dtype=np.int64, count=len(values))
        row_of = {v: self.index.row(v) for v in set(values) if v}
        self.rows = np.array([-1 if (r := row_of.get(v)) is None else r for v in values], dtype=np.int64)

    def matching(self, pattern: str) -> RowIds:
        """The rows of the list whose field matches a pattern."""
        wanted = np.zeros(self.index.rows(len(pattern)), dtype=bool)
        wanted[self.index.matching(pattern)] = True
        same = np.flatnonzero(self.lengths == len(pattern))
        return same[wanted[self.rows[same]]] if wanted.size else same[:0]

    def agreement(self, word: str, rows: RowIds) -> NDArray[np.uint8]:
        """For each of the rows, all as long as the word, in which positions it agrees with the word."""
        alphabet = self.index.arrays.alphabet
        table = alphabet[self.index.columns(len(word))[:, self.rows[rows]]]
        agrees: NDArray[np.uint8] = (table == code_points(word)[:, None]).T.astype(np.uint8)
        return agrees


class Records:
    """A list of rows, each with the same number of fields (two or more); equal rows count once.

    >>> rows = Records([("Ann", "Rome"), ("Ann", "Oslo"), ("Eva", "Rome")])
    >>> rows.mask({0: "Ann", 1: "Rome"}, 2)
    ({0: '***', 1: 'Rome'}, 2)
    """

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        given = sorted({tuple(normalize("NFC", field) for field in row) for row in rows})
        widths = {len(row) for row in given}
        if given and (len(widths) > 1 or min(widths) < 2):
            odd = next(row for row in given if len(row) != max(widths) or len(row) < 2)
            raise ValueError(f"the row {odd!r} has {len(odd)} fields; give rows of two or more fields, all as many")
        self._rows = given
        self._columns = [_Column(values) for values in zip(*given, strict=True)]
        self.fields = MaskIndex({field for row in given for field in row})
        self._matching = lru_cache(maxsize=4096)(self._all_matching)

    def __len__(self) -> int:
        return len(self._rows)

    @cached_property
    def digest(self) -> str:
        """A digest of the set of rows, quoted by certificates."""
        figure = sha256()
        for row in self._rows:
            figure.update("\x1f".join(row).encode("utf-8", "surrogatepass") + b"\x1e")
        return figure.hexdigest()

    def _all_matching(self, pattern: str) -> tuple[tuple[int, RowIds], ...]:
        """The columns in which a field may stand, each with the rows that match."""
        found = ((c, column.matching(pattern)) for c, column in enumerate(self._columns))
        return tuple((c, rows) for c, rows in found if rows.size)

    def matching(self, pattern: str) -> tuple[tuple[int, RowIds], ...]:
        """The columns in which a field or a mask of one may stand, each with the rows that match."""
        return self._matching(pattern)

    def mask(self, fields: dict[int, str], k: int) -> tuple[dict[int, str] | None, int]:
        """What to show of some fields (by column) of one row, and how many rows match it; ``None`` if too few do."""
        same = np.flatnonzero(np.all([self._columns[c].lengths == len(v) for c, v in fields.items()], axis=0))
        if same.size < k:
            return None, int(same.size)
        agree = np.concatenate([self._columns[c].agreement(v, same) for c, v in fields.items()], axis=1)
        letters = "".join(fields.values())
        agree[:, [i for i, letter in enumerate(letters) if letter == MARK]] = 0  # a literal mark shows nothing
        best = largest_shared(agree, k)
        shown = "".join(letter if i in best.columns else MARK for i, letter in enumerate(letters))
        masks, at = {}, 0
        for column, value in fields.items():
            masks[column] = shown[at : at + len(value)]
            at += len(value)
        return masks, best.rows or int(same.size)


def _records_of(document: Document) -> tuple[list[int], list[str]]:
    """Where records change in a document, and the name of each: the cells of a table's row share one."""
    starts: list[int] = []
    names: list[str] = []
    for segment in document.segments:
        row = _ROW.search(segment.place)
        if row:
            starts.append(segment.start)
            names.append(f"row {row.group(1)}")
            continue
        at = segment.start
        for line in document.text[segment.start : segment.end].split("\n"):
            starts.append(at)
            names.append(f"line {at}")
            at += len(line) + 1
    return starts, names


class _Token(NamedTuple):
    start: int
    end: int
    pattern: str


def _grouped(document: Document, read: Characters, found: list[tuple[int, int]]) -> list[list[_Token]]:
    """What was found, by record, in order."""
    starts, names = _records_of(document)
    groups: dict[str, list[_Token]] = defaultdict(list)
    for first, last in found:
        start, end = read.span(first, last)
        groups[names[bisect_right(starts, start) - 1]].append(_Token(start, end, read.text(first, last)))
    return list(groups.values())


def masked_fields(
    records: Records, document: Document, k: int, exclude: frozenset[str], own_stars: bool = False
) -> Iterator[MaskedField]:
    """The fields of listed rows in a document, masked together record by record.

    In each record the listed row of which most fields are there goes first, then what is left of the record. With
    ``own_stars`` every ``*`` is known to belong to a mask, and fields inside masks are left alone.
    """
    read = characters(document)
    found = longest_matches(records.fields, read.points, read.bounds, exclude)
    if own_stars:
        found = outside(found, [(s, e) for s, e, _ in masked_windows(records.fields, read.points, read.bounds)])
    known: dict[Any, tuple[dict[int, str] | None, int]] = {}
    for tokens in _grouped(document, read, found):
        left = list(tokens)
        while left:
            fields = _fullest_row(records, left)
            key = tuple((c, t.pattern) for c, t in sorted(fields.items()))
            if key not in known:
                known[key] = records.mask(dict(key), k)
            shown, count = known[key]
            for column, token in fields.items():
                yield MaskedField(token.start, token.end, None if shown is None else shown[column], count)
            left = [t for t in left if t not in fields.values()]


def _fullest_row(records: Records, tokens: list[_Token]) -> dict[int, _Token]:
    """The fields, by column, of the row that most tokens of a record belong to; the first such row."""
    by_column: dict[int, dict[int, _Token]] = defaultdict(dict)
    ids: list[RowIds] = []
    for token in tokens:
        for column, rows in records.matching(token.pattern):
            if token.start not in by_column[column]:
                by_column[column][token.start] = token
                ids.append(rows)
    rows, counts = np.unique(np.concatenate(ids), return_counts=True)
    for row in rows[np.argsort(-counts, kind="stable")].tolist():
        fields: dict[int, _Token] = {}
        for column in sorted(by_column):
            for token in by_column[column].values():
                matches = dict(records.matching(token.pattern))[column]
                at = int(np.searchsorted(matches, row))
                if at < matches.size and matches[at] == row and token not in fields.values():
                    fields[column] = token
                    break
        return fields
    raise AssertionError("a field of the list stands in some row of it")


def read_fields(
    records: Records, document: Document, exclude: frozenset[str], k: int
) -> Iterator[tuple[int, int, int]]:
    """Every field and mask in a document with the fewest rows that it fits, alone or with others of its record."""
    read = characters(document)
    plain = longest_matches(records.fields, read.points, read.bounds, exclude)
    masked = [(start, end) for start, end, _ in masked_windows(records.fields, read.points, read.bounds)]
    plain = [(s, e) for s, e in outside(plain, masked) if MARK not in read.text(s, e)]
    for tokens in _grouped(document, read, sorted([*plain, *masked])):
        least = [len(records)] * len(tokens)
        visited = 0
        stack: list[tuple[int, frozenset[int], RowIds | None]] = [(0, frozenset(), None)]
        while stack:
            first, used, rows = stack.pop()
            for i in range(first, len(tokens)):
                for column, matches in records.matching(tokens[i].pattern):
                    if column in used:
                        continue
                    visited += 1
                    both = matches if rows is None else np.intersect1d(rows, matches, assume_unique=True)
                    if not both.size:
                        continue
                    least[i] = min(least[i], both.size)
                    if both.size >= k:  # fewer is a fault already, whatever joins it
                        stack.append((i + 1, used | {column}, both))
            if visited > _COMBINATIONS:
                least = [0] * len(tokens)
                break
        for token, count in zip(tokens, least, strict=True):
            yield token.start, token.end, count
