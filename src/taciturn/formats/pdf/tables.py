"""Tables: where a cell ends. A cell is a text of its own; what stands below or beside it is another one.

Lines on one base line make a row. Rows of several short lines that begin alike are rows of a table, and then each line
begins a text of its own, unless it goes on a cell above: that is a row without a first column. Columns of prose are
rows of lines as well, but of few and long ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taciturn.formats.pdf.lines import Line

__all__ = ["Cells", "cells"]

_SHORT = 20  # letters: prose in columns has longer lines, most cells have not
_MOST_CELLS = 100  # of a row that is compared with others: more would cost a hostile file's square
_NEXT = 3.0  # sizes: rows further apart have nothing to do with each other


@dataclass(frozen=True, slots=True)
class Cells:
    """The lines of tables, by their numbers, the first ones of their rows, and the lines that begin a text of their own
    because of a table."""

    lines: frozenset[int]
    firsts: frozenset[int]
    starts: frozenset[int]

    def are_one(self, above: int, number: int, lines: Sequence[Line]) -> bool:
        """Whether a line may go on the one above. One that begins a cell does so only if it was written just after a
        cell that begins alike: then it is the next line of that cell."""
        if number not in self.starts:
            return True
        one, other = lines[above], lines[number]
        follows = other.glyphs[0].holder == one.glyphs[-1].holder + 1
        return follows and (above in self.lines or number not in self.firsts) and _begin_alike(one, other)


def cells(lines: Sequence[Line]) -> Cells:
    """What is a table among lines. O(n log n)."""
    starts: set[int] = set()
    rows = list(_rows(lines))
    tabular = [len(row) > 2 and _is_short(row, lines) for row in rows]
    for number, (one, other) in enumerate(pairwise(rows)):
        if _are_near(lines[one[0]], lines[other[0]]) and 1 < min(len(one), len(other)) <= _MOST_CELLS:
            aligned = sum(_begin_alike(lines[i], lines[j]) for i in one for j in other)
            if aligned > 1 and _is_short([*one, *other], lines):
                tabular[number] = tabular[number + 1] = True
    for number, row in enumerate(rows):
        below_table = number > 0 and tabular[number - 1]
        if (tabular[number] or below_table) and not (below_table and _goes_on(row, rows[number - 1], lines)):
            starts.update(row)
    inside = (i for row, is_table in zip(rows, tabular, strict=True) if is_table for i in row)
    return Cells(frozenset(inside), frozenset(row[0] for row in rows), frozenset(starts))


def _rows(lines: Sequence[Line]) -> Iterator[list[int]]:
    """Lines with one direction and one base line, from left to right; the rows from the top down."""
    order = sorted(range(len(lines)), key=lambda i: (lines[i].glyphs[0].angle, -lines[i].glyphs[0].across))
    row: list[int] = []
    for number in order:
        first, last = lines[number].glyphs[0], lines[row[-1]].glyphs[0] if row else None
        if last is not None and (
            first.angle != last.angle or last.across - first.across > 0.25 * min(first.size, last.size)
        ):
            yield sorted(row, key=lambda i: lines[i].begin)
            row = []
        row.append(number)
    if row:
        yield sorted(row, key=lambda i: lines[i].begin)


def _is_short(row: Sequence[int], lines: Sequence[Line]) -> bool:
    return median(sum(len(glyph.text or "") for glyph in lines[i].glyphs) for i in row) < _SHORT


def _are_near(one: Line, other: Line) -> bool:
    first, second = one.glyphs[0], other.glyphs[0]
    return first.angle == second.angle and first.across - second.across < _NEXT * max(first.size, second.size)


def _begin_alike(one: Line, other: Line) -> bool:
    """Whether two lines begin, end or are centred at the same place, as cells of a column do."""
    near = 0.4 * max(one.glyphs[0].size, other.glyphs[0].size)
    ends = abs(one.end - other.end)
    return min(abs(one.begin - other.begin), ends, abs(one.begin + one.end - other.begin - other.end) / 2) < near


def _goes_on(row: Sequence[int], above: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether a row only goes on cells of the row above: each line stands below one of them, none below the first."""
    if len(row) >= len(above) or len(above) > _MOST_CELLS:
        return False
    for i in row:
        over = [j for j in above if lines[i].begin < lines[j].end and lines[i].end > lines[j].begin]
        if len(over) != 1 or over[0] == above[0] or not _begin_alike(lines[i], lines[over[0]]):
            return False
    return True
