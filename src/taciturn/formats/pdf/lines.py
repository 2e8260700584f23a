"""From glyphs to passages: what stands on one line and close together is one line, lines close below each other are
one paragraph. Geometry decides, not the order of operators, so letters drawn one by one still make words.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from operator import itemgetter

from taciturn.formats.base import GLUE, Slot
from taciturn.formats.pdf.content import Glyph
from taciturn.formats.pdf.tables import Cells, cells

__all__ = ["Assembly", "Line", "assemble", "join", "rows"]

_SPACE = 0.2  # a gap wider than this, in sizes, reads as a space
_APART = 1.5  # a gap wider than this is no space: a column, a cell
_JUSTIFIED = 10.0  # unless a space is written in it
_COLUMN = 0.8  # between glyphs that do not follow each other in the stream, a gap is soon a column's
_BY_PLACE = itemgetter(2, 6)
_BY_HOLDER = itemgetter(6)
_RUN = 3  # letters that follow each other in the stream are a word of its own
_LAYERS = 8  # how many texts may stand over each other
_NEAR = 50  # how many of the last runs are looked at; more would cost a hostile file's square
_new = tuple.__new__  # as Slot(...), in a third of the time: it runs once for each letter of a file


@dataclass(slots=True)
class Line:
    """Glyphs that read as one line, in reading order, and what precedes each (a space, or nothing)."""

    glyphs: list[Glyph]
    spaced: list[bool]

    @property
    def begin(self) -> float:
        return self.glyphs[0].begin

    @property
    def end(self) -> float:
        return max(self.glyphs[-1].end, self.glyphs[0].end)


@dataclass(slots=True)
class Assembly:
    """The passages of a content stream as slots, the line of each glyph, and twins: glyphs that go with another one
    (drawn twice for boldness, a hyphen at the end of a line)."""

    passages: list[list[Slot]] = field(default_factory=list)
    paragraphs: list[list[int]] = field(default_factory=list)  # the lines of each passage
    lines: list[Line] = field(default_factory=list)
    line_of: dict[int, int] = field(default_factory=dict)
    twins: dict[int, list[int]] = field(default_factory=dict)
    unreadable: list[int] = field(default_factory=list)


def assemble(glyphs: list[Glyph], base: int = 0, moves: frozenset[int] | set[int] = frozenset()) -> Assembly:
    """Read the glyphs of one content stream; holders of slots are numbered from ``base``. O(n log n).

    ``moves`` are the glyphs before which the position was set anew.
    """
    made = Assembly()
    readable: list[Glyph] = []
    for glyph in glyphs:
        if glyph.text is None:
            made.unreadable.append(glyph.holder)
        elif glyph.text:
            readable.append(glyph)
    for row in rows(readable):
        for layer in [row] if _is_plain(row) else _layers(_without_twins(row, made.twins)):
            _cut(layer, made, moves)
    for number, line in enumerate(made.lines):
        made.line_of.update(zip([glyph[6] for glyph in line.glyphs], repeat(number), strict=False))
    made.paragraphs = _paragraphs(made.lines, cells(made.lines))
    for paragraph in made.paragraphs:
        made.passages.append(_slots([made.lines[i] for i in paragraph], made.twins, base))
    return made


def rows(glyphs: list[Glyph]) -> list[list[Glyph]]:
    """Glyphs with one direction and one base line, from left to right."""
    levels: dict[tuple[int, float], list[Glyph]] = {}
    for glyph in glyphs:
        levels.setdefault((glyph[0], -glyph[1]), []).append(glyph)
    rows: list[list[Glyph]] = []
    last = (-1, 0.0)
    for key in sorted(levels):
        level = levels[key]
        if key[0] == last[0] and key[1] - last[1] <= 0.25 * min(rows[-1][-1].size, level[0].size) + 1e-6:
            rows[-1].extend(level)
        else:
            rows.append(level)
        last = key
    for row in rows:
        row.sort(key=_BY_PLACE)
    return rows


def _without_twins(row: list[Glyph], twins: dict[int, list[int]]) -> list[Glyph]:
    """The row without letters drawn a second time, for boldness or as a shadow; those become twins of the first.

    A letter is drawn twice if the same letter, of the same size, lies over most of it; or if it lies less than half a
    size away and other letters of the row have a double at just that distance, one of them over most of itself. And
    nearly all letters of its word must be doubles: words set over others have a letter in common by chance.
    """
    placed: dict[tuple[str | None, int], list[Glyph]] = {}
    pairs: list[tuple[int, int, bool, _Step]] = []
    for glyph in sorted(row, key=_BY_HOLDER):
        if glyph.text is None or glyph.text.isspace():
            continue
        size = max(glyph.size, 1e-6)
        near = placed.setdefault((glyph.text, round(20 * math.log(size))), [])
        for first in near[-_NEAR:]:
            shift = (glyph.begin - first.begin) / size
            lies_over = abs(shift) * size < 0.6 * max(first.end - first.begin, 0.1 * size)
            follows = glyph.holder == first.holder + 1 and glyph.across == first.across  # as in "ill"
            if abs(shift) <= 0.5 and (lies_over or not follows):
                down = (glyph.across - first.across) / size
                pairs += ((first.holder, glyph.holder, lies_over, step) for step in _steps(shift, down))
        near.append(glyph)
    votes = Counter(step for *_, step in pairs)
    over = {step for _, _, lies_over, step in pairs if lies_over}
    pairs = [pair for pair in pairs if pair[2] or (votes[pair[3]] > 2 and pair[3] in over)]
    if not pairs:
        return row
    root: dict[int, int] = {}
    spaces: set[int] = set()
    runs = _runs(row)
    run_of = {glyph.holder: number for number, run in enumerate(runs) for glyph in run}
    doubles: dict[tuple[int, _Step], dict[int, int]] = {}
    for one, other, _, step in pairs:
        doubles.setdefault((run_of[other], step), {}).setdefault(other, one)
    for (number, _), double in doubles.items():
        letters = sum(not (glyph.text or "").isspace() for glyph in runs[number])
        firsts = {one for one in double.values() if run_of[one] == number} - set(double)
        if len(double) >= 0.8 * (letters - len(firsts)):
            for other, one in double.items():
                root.setdefault(other, root.get(one, one))
            if not firsts:
                spaces.update(glyph.holder for glyph in runs[number] if (glyph.text or "").isspace())
    for other, one in root.items():
        twins.setdefault(one, []).append(other)
    return [glyph for glyph in row if glyph.holder not in root and glyph.holder not in spaces]


_Step = tuple[int, int, int]


def _steps(shift: float, down: float) -> Iterator[_Step]:
    """A distance in twentieths of the size, on four grids: whatever its rounding, equal distances meet on one."""
    for grid, (x, y) in enumerate(((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5))):
        yield grid, math.floor(20 * shift + x), math.floor(20 * down + y)


def _runs(row: list[Glyph]) -> list[list[Glyph]]:
    """What was written in one go, from left to right."""
    runs: list[list[Glyph]] = []
    for glyph in sorted(row, key=_BY_HOLDER):
        last = runs[-1][-1] if runs else glyph
        if glyph[6] == last[6] + 1 and last[2] - 0.1 * glyph[4] <= glyph[2] <= last[3] + _COLUMN * glyph[4]:
            runs[-1].append(glyph)
        else:
            runs.append([glyph])
    return runs


def _is_plain(row: list[Glyph]) -> bool:
    """Whether a row was written from left to right, on one base line, no letter over another; most rows were."""
    return not any(
        across != base or holder < before or begin < last_end - 0.4 * (last_end - last)
        for (_, base, last, last_end, _, _, before), (_, across, begin, _, _, _, holder) in pairwise(row)
    )


def _layers(row: list[Glyph]) -> list[list[Glyph]]:
    """A row as it was written: words set over others (a name typed over a dotted line) are read apart from them.

    Only runs of several letters are told apart, and only if the order of the stream is not that of the row: letters
    drawn one by one, accents, and words drawn twice for boldness stay where they are.
    """
    if all(a[6] < b[6] for a, b in pairwise(row)):
        return [row]
    runs = _runs(row)
    layers: list[list[list[Glyph]]] = [[]]
    for run in runs:
        chosen = 0
        if len(run) >= _RUN:
            while chosen < len(layers) and any(_is_over(run, other) for other in layers[chosen][-_NEAR:]):
                chosen += 1
            if chosen == len(layers) and chosen < _LAYERS:
                layers.append([])
        layers[chosen % len(layers)].append(run)
    if len(layers) == 1:
        return [row]
    return [sorted((glyph for run in layer for glyph in run), key=_BY_PLACE) for layer in layers]


def _is_over(run: list[Glyph], other: list[Glyph]) -> bool:
    if len(other) < _RUN:
        return False
    common = min(run[-1][3], other[-1][3]) - max(run[0][2], other[0][2])
    return common > 1.5 * run[0][4] and common > 0.5 * min(run[-1][3] - run[0][2], other[-1][3] - other[0][2])


def _cut(row: list[Glyph], made: Assembly, moves: frozenset[int] | set[int]) -> None:
    """Cut a row into lines at wide gaps."""
    line: list[Glyph] = []
    spaced: list[bool] = []
    last: Glyph | None = None
    last_space = False
    for glyph in row:
        _, _, begin, _, size, text, holder = glyph
        space = text is not None and text.isspace()
        between = False
        if last is not None:
            _, _, _, last_end, last_size, _, last_holder = last
            gap = begin - last_end
            least = last_size if last_size < size else size
            if gap > _SPACE * least:
                # In a justified line the gap beside a written space may be very wide.
                follows = holder == last_holder + 1 and (holder not in moves or space or last_space)
                widest = (_JUSTIFIED if space or last_space else _APART) if follows else _COLUMN
                if gap > widest * least:
                    made.lines.append(_line(line, spaced))
                    line, spaced = [], []
                else:
                    between = not space and not last_space
        line.append(glyph)
        spaced.append(between)
        last, last_space = glyph, space
    if line:
        made.lines.append(_line(line, spaced))


def _line(glyphs: list[Glyph], spaced: list[bool]) -> Line:
    """A line; if most of its letters stand apart it is set wide, and only wider gaps are spaces."""
    if len(glyphs) > 3 and sum(spaced) > 0.6 * (len(glyphs) - 1):
        gaps = [b.begin - a.end for a, b in pairwise(glyphs)]
        usual = sorted(gaps)[len(gaps) // 2]
        if usual > 0:
            spaced = [False]
            for gap, (a, b) in zip(gaps, pairwise(glyphs), strict=True):
                spaced.append(gap > 1.25 * usual + 0.1 * a.size and not _is_space(a) and not _is_space(b))
    return Line(glyphs, spaced)


def _is_space(glyph: Glyph) -> bool:
    return glyph.text is not None and glyph.text.isspace()


def _paragraphs(lines: list[Line], table: Cells) -> list[list[int]]:
    """Lines that stand below each other, close, of like size: in reading order. Cells are apart."""
    order = sorted(
        range(len(lines)), key=lambda i: (lines[i].glyphs[0].angle, -lines[i].glyphs[0].across, lines[i].begin)
    )
    paragraphs: list[list[int]] = []
    open_ones: list[int] = []
    for number in order:
        line = lines[number]
        first = line.glyphs[0]
        still_open, chosen = [], -1
        for index in open_ones:
            last = lines[paragraphs[index][-1]]
            above = last.glyphs[0]
            distance = above.across - first.across
            if above.angle != first.angle or distance > 2.0 * max(first.size, above.size):
                continue
            still_open.append(index)
            alike = 0.8 < first.size / max(above.size, 1e-6) < 1.25
            overlaps = line.begin < last.end and line.end > last.begin
            below = 0.3 * first.size < distance <= 1.7 * first.size
            if chosen < 0 and alike and overlaps and below and table.are_one(paragraphs[index][-1], number, lines):
                chosen = index
        open_ones = still_open
        if chosen >= 0:
            paragraphs[chosen].append(number)
        else:
            open_ones.append(len(paragraphs))
            paragraphs.append([number])
    return paragraphs


def _slots(lines: list[Line], twins: dict[int, list[int]], base: int) -> list[Slot]:
    slots: list[Slot] = []
    for line in lines:
        glyphs, spaced = _in_reading_order(line)
        if slots:
            if _is_broken(slots, glyphs[0].text or ""):
                # The hyphen is not part of the word: it goes where the letter before it goes.
                hyphen = slots.pop()
                twins.setdefault(slots[-1].holder - base, []).append(hyphen.holder - base)
            elif not slots[-1].text.isspace() and not _is_space(glyphs[0]):
                slots.append(Slot(" ", GLUE))
        if True not in spaced:
            columns = ([glyph[5] for glyph in glyphs], [glyph[6] + base for glyph in glyphs], repeat(None))
            slots.extend(map(_new, repeat(Slot), zip(*columns, strict=False)))
            continue
        for glyph, space in zip(glyphs, spaced, strict=True):
            if space:
                slots.append(Slot(" ", GLUE))
            slots.append(_new(Slot, (glyph[5], glyph[6] + base, None)))
    return slots


def join(slots: list[Slot], after: list[Slot]) -> tuple[int, int] | None:
    """Let slots go on with those of another paragraph. If a word is broken there its hyphen is taken out: the holders
    of the letter before it and of the hyphen, which goes where the letter goes."""
    broken = None
    if after and _is_broken(slots, after[0].text):
        hyphen = slots.pop()
        broken = (slots[-1].holder, hyphen.holder)
    elif slots and not slots[-1].text.isspace():
        slots.append(Slot(" ", GLUE))
    slots.extend(after)
    return broken


def _is_broken(slots: list[Slot], after: str) -> bool:
    """Whether a word is cut at the line's end: a letter, a hyphen, and a small letter on the next line."""
    return (
        len(slots) > 1
        and slots[-1].text in ("-", "\u00ad", "\u2010")
        and slots[-1].holder != GLUE
        and slots[-2].holder != GLUE
        and slots[-2].text[-1:].isalpha()
        and after[:1].islower()
    )


def _in_reading_order(line: Line) -> tuple[list[Glyph], list[bool]]:
    """Lines of right-to-left scripts are read from the right; numbers and other scripts in them from the left."""
    if "".join([g[5] or "" for g in line.glyphs]).isascii():
        return line.glyphs, line.spaced
    sides = [_side(g) for g in line.glyphs]
    if sides.count("R") <= sides.count("L"):
        return line.glyphs, line.spaced
    order = list(range(len(line.glyphs)))[::-1]
    at = 0
    while at < len(order):
        stop = at
        while stop < len(order) and sides[order[stop]] in "LN":
            stop += 1
        order[at:stop] = order[at:stop][::-1]
        at = max(stop, at + 1)
    glyphs = [line.glyphs[i] for i in order]
    spaces = [False]
    for one, other in pairwise(order):
        spaces.append(line.spaced[max(one, other)] if abs(one - other) == 1 else False)
    return glyphs, spaces


def _side(glyph: Glyph) -> str:
    kind = unicodedata.bidirectional((glyph.text or " ")[0])
    if kind in ("R", "AL"):
        return "R"
    return "N" if kind in ("EN", "AN") else "L" if kind == "L" else "-"
