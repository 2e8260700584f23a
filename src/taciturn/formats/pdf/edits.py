"""From changes of passages to edits of glyphs: which letters of a content stream go, and what is set in their place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import itemgetter

from taciturn.formats.base import GLUE, Change, FormatError, Passage
from taciturn.formats.pdf.content import Glyph
from taciturn.formats.pdf.lines import Assembly, Line
from taciturn.formats.pdf.source import Part

__all__ = ["NARROWEST", "Edits", "Replacement", "edits_of", "look_around", "widened"]

NARROWEST = 0.7  # how far a replacement is squeezed before its size shrinks as well


@dataclass(slots=True)
class Replacement:
    """A text to be set where the glyph ``holder`` stood, in a gap of ``gap`` (device units) on its line."""

    text: str
    holder: int
    gap: float


@dataclass(slots=True)
class Edits:
    """What happens to the glyphs of a content stream: those that go, and what is set in their place."""

    removed: set[int] = field(default_factory=set)
    put: dict[int, Replacement] = field(default_factory=dict)
    gaps: list[tuple[int, float, float, int]] = field(
        default_factory=list
    )  # line, begin, end, holder of the text or -1
    line_of: dict[int, int] = field(default_factory=dict)  # the line that each glyph stands on
    bare: set[int] = field(default_factory=set)  # holders whose text gets no box, because other letters stand there
    free: dict[int, float] = field(default_factory=dict)  # how far the end of a line may move


def edits_of(
    parts: Sequence[tuple[Passage, Part]],
    changes: Sequence[Sequence[Change]],
    glyphs: Sequence[Glyph],
    base: int,
    made: Edits,
) -> None:
    """The changes of a stream's parts of passages as edits of glyphs; holders are numbered from ``base``.

    A passage may go on in another stream: only the part's own glyphs go, and the replacement is set where the first of
    them all stood. Linear in the part, however long the passage is.
    """
    for (item, part), edits in zip(parts, changes, strict=True):
        slots = item.slots[part.first : part.end]
        starts = list(accumulate([len(slot[0]) for slot in slots], initial=part.offset))
        end = starts.pop()
        for index in range(bisect_right(edits, part.offset, key=_STOP), len(edits)):
            start, stop, text = edits[index]
            if start >= end:
                break
            if start < part.offset and _begins_before(item, part, start):
                text = ""
            covered: list[int] = []
            for n in range(max(bisect_right(starts, start) - 1, 0), len(slots)):
                slot, at = slots[n], starts[n]
                if at >= stop:
                    break
                if slot.holder != GLUE:
                    covered.append(slot.holder - base)
                    # Half of a ligature may stay: it is set with the replacement.
                    if at < start:
                        before = max(edits[index - 1][1] - at, 0) if index else 0
                        text = slot.text[before : start - at] + text
                    if at + len(slot.text) > stop and (
                        index + 1 == len(edits) or edits[index + 1][0] >= at + len(slot.text)
                    ):
                        text += slot.text[stop - at :]
            if covered:
                _place(text, covered, glyphs, made)
            elif start >= part.offset and stop <= end:
                raise FormatError(
                    f"an edit in {item.place!r} covers a place that stores no text; leave it out of the plan"
                )


_STOP = itemgetter(1)


def _begins_before(item: Passage, part: Part, start: int) -> bool:
    """Whether a change that begins before a part covers a glyph there."""
    number, at = part.first - 1, part.offset
    while number >= 0 and at > start:
        if item.slots[number].holder != GLUE:
            return True
        at -= len(item.slots[number].text)
        number -= 1
    return False


def _place(text: str, covered: list[int], glyphs: Sequence[Glyph], made: Edits) -> None:
    by_line: dict[int, list[int]] = {}
    for holder in covered:
        by_line.setdefault(made.line_of[holder], []).append(holder)
        made.removed.add(holder)
    spans = {
        line: (min(glyphs[h].begin for h in holders), max(glyphs[h].end for h in holders))
        for line, holders in by_line.items()
    }
    widest = max(spans, key=lambda line: (round(spans[line][1] - spans[line][0], 3), -line))
    for line, (begin, end) in spans.items():
        first = min(by_line[line], key=lambda h: (glyphs[h].begin, h))
        if first in made.put:  # the second change within a glyph that says several letters
            made.put[first].text += text
            continue
        made.gaps.append((line, begin, end, first if line == widest and text else -1))
        made.put[first] = Replacement(text if line == widest else "", first, end - begin)


def look_around(
    found: Edits, glyphs: Sequence[Glyph], made: Assembly, removed: set[int], own: range, right: float
) -> None:
    """What stands near the replacements: where no box may be drawn, and how far a line may grow to the right.

    There is no box where letters stay: a name typed over a dotted line. A line grows as far as the next letters beside
    it, or as the ``right`` edge for text that is upright. It must be ``own``, all in this content stream, or a part of
    it would stay behind, as shadows do. ``removed`` and ``own`` number letters as the lines do.
    """
    lines = made.lines
    near: dict[tuple[int, int], list[Line]] = {}
    ends: dict[int, float] = {0: right}
    for line in lines if found.put else ():
        first = line.glyphs[0]
        near.setdefault((first.angle, int(first.across // _BAND)), []).append(line)
        ends[first.angle] = max(ends.get(first.angle, line.end), line.end)
    for holder, replacement in found.put.items():
        glyph, number = glyphs[holder], found.line_of[holder]
        band, reach = int(glyph.across // _BAND), int(glyph.size // _BAND) + 1
        begin, end = glyph.begin + 0.1 * glyph.size, glyph.begin + replacement.gap - 0.1 * glyph.size
        beside = [
            line
            for at in range(band - reach, band + reach + 1)
            for line in near.get((glyph.angle, at), ())
            if abs(line.glyphs[0].across - glyph.across) < 1.5 * max(glyph.size, line.glyphs[0].size)
        ]
        if any(
            other.begin < end and other.end > begin and abs(other.across - glyph.across) < 0.7 * glyph.size
            for line in beside
            if line.begin < end and line.end > begin and abs(line.glyphs[0].across - glyph.across) < glyph.size
            for other in line.glyphs
            if other.holder not in removed and not (other.text or "").isspace()
        ):
            found.bare.add(holder)
        if number not in found.free and all(
            other.holder in own and other.holder not in made.twins for other in lines[number].glyphs
        ):
            edge = lines[number].end
            stops = [
                line.begin - 0.5 * glyph.size
                for line in beside
                if line.begin >= edge and abs(line.glyphs[0].across - glyph.across) < glyph.size
            ]
            found.free[number] = max(min([*stops, ends.get(glyph.angle, edge)]) - edge, 0.0)


def widened(edits: Edits, wanted: Mapping[int, float]) -> dict[int, float]:
    """How much wider the gaps become, so that what is set in them is legible: ``wanted`` has the widths of replacements
    that had to be squeezed too far. The gaps of a line share what the line may grow by.

    >>> edits = Edits(gaps=[(0, 10.0, 20.0, 3), (0, 50.0, 70.0, 9)], free={0: 6.0})
    >>> {holder: round(more, 1) for holder, more in widened(edits, {3: 30.0, 9: 40.0}).items()}
    {3: 5.4, 9: 0.6}
    """
    tight: dict[int, list[tuple[int, float, float]]] = {}
    for line, begin, end, holder in edits.gaps:
        if holder in wanted and edits.free.get(line):
            tight.setdefault(line, []).append((holder, end - begin, wanted[holder]))
    more: dict[int, float] = {}
    for line, gaps in tight.items():
        # All are squeezed alike: bisection for the least squeeze that the line has room for.
        low, high = 0.0, NARROWEST
        if sum(max(high * width - gap, 0.0) for _, gap, width in gaps) > edits.free[line]:
            for _ in range(40):
                middle = (low + high) / 2
                needed = sum(max(middle * width - gap, 0.0) for _, gap, width in gaps)
                low, high = (middle, high) if needed <= edits.free[line] else (low, middle)
            high = low
        more |= {holder: high * width - gap for holder, gap, width in gaps if high * width > gap}
    return more


_BAND = 20.0  # points
