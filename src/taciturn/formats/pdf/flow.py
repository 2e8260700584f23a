"""Text that flows on: from the foot of a column to the head of the next, and from a page to the one after it.

A name broken there is one term only if both parts stand in one passage. A paragraph flows on if it fills its last line
and no sentence ends there; running heads and page numbers in between are passed over. In doubt paragraphs are joined:
a wrong join may hide a word too many, a missed one shows half a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from taciturn.formats.pdf.lines import Assembly

__all__ = ["Paragraph", "between_pages", "paragraphs", "within_page"]

_ENDS = frozenset(".!?:;\u2026\u3002\uff01\uff1f")
_CLOSING = "\"')]}\u00bb\u2019\u201d \u00a0"
_FULL = 0.8  # a last line as long as this share of the longest one is full
_LEAST_LINES = 3  # of paragraphs that flow from column to column; a table's cells have fewer


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph's outline: where it stands, how large it is set, how it begins and ends."""

    number: int
    angle: int
    size: float
    begin: float
    end: float
    top: float
    bottom: float
    lines: int
    last_end: float
    glyphs: int
    text: str
    tail: str

    @property
    def is_open(self) -> bool:
        """Whether a reader expects more: the last line is full and ends no sentence."""
        said = self.tail.rstrip(_CLOSING)
        full = self.lines == 1 or self.last_end - self.begin >= _FULL * (self.end - self.begin)
        return bool(said) and said[-1] not in _ENDS and full

    @property
    def signature(self) -> tuple[str, int]:
        """The same for running heads and feet of all pages: their words without numbers, and where they stand."""
        return re.sub(r"\d+|\b[ivxlc]+\b", "#", self.text.casefold()), round(self.top / 3)


def paragraphs(made: Assembly) -> list[Paragraph]:
    """The outlines of a stream's paragraphs, by their numbers."""
    found = []
    for number, (lines, slots) in enumerate(zip(made.paragraphs, made.passages, strict=True)):
        rows = [made.lines[i] for i in lines]
        first, last = rows[0].glyphs[0], rows[-1].glyphs[0]
        found.append(
            Paragraph(
                number,
                first.angle,
                first.size,
                min(row.begin for row in rows),
                max(row.end for row in rows),
                first.across,
                last.across,
                len(rows),
                rows[-1].end,
                sum(len(row.glyphs) for row in rows),
                "".join(slot.text for slot in slots[:80]).strip(),
                "".join(slot.text for slot in slots[-20:]).strip(),
            )
        )
    return found


def _body(page: Sequence[Paragraph], other: Sequence[Paragraph] = ()) -> list[Paragraph]:
    """The paragraphs set as most of the page is, without what stands at the same place on the ``other`` page."""
    sizes: Counter[tuple[int, int]] = Counter()
    for p in page:
        sizes[p.angle, round(4 * p.size)] += p.glyphs
    if not sizes:
        return []
    (angle, size), _ = max(sizes.items(), key=lambda item: (item[1], item[0]))
    running = {p.signature for p in other if p.lines == 1}
    return [
        p
        for p in page
        if p.angle == angle
        and abs(4 * p.size - size) <= 0.1 * size + 1
        and not (p.lines == 1 and (p.signature in running or p.text.isdigit()))
    ]


def _flows(one: Paragraph, other: Paragraph) -> bool:
    return (
        one.is_open
        and one.angle == other.angle
        and 0.9 < one.size / max(other.size, 1e-6) < 1.1
        and other.text[:1].lstrip("\"'([\u201c\u2018\u00ab")[:1].isalnum()
    )


def between_pages(page: Sequence[Paragraph], after: Sequence[Paragraph]) -> tuple[int, int] | None:
    """The paragraph that goes on overleaf, and the one it goes on in.

    The last of a page is the lowest, in its last column; the first is the highest, in the first column.
    """
    here, there = _body(page, after), _body(after, page)
    if not here or not there:
        return None
    foot = min(p.bottom for p in here)
    head = max(p.top for p in there)
    last = max((p for p in here if p.bottom <= foot + 2 * p.size), key=lambda p: (p.begin, -p.number))
    first = min((p for p in there if p.top >= head - 2 * p.size), key=lambda p: (p.begin, p.number))
    return (last.number, first.number) if _flows(last, first) else None


def within_page(page: Sequence[Paragraph]) -> dict[int, int]:
    """The paragraphs that go on at the head of the next column, and those they go on in."""
    body = [p for p in _body(page) if p.lines >= _LEAST_LINES]
    found: dict[int, int] = {}
    if len(body) < 2 or len(body) > 500:
        return found
    foot = min(p.bottom for p in body)
    for p in body:
        right = [q for q in body if q.begin >= p.end and q.top > p.bottom]
        if p.bottom > foot + 2 * p.size or not right:
            continue
        left_edge = min(q.begin for q in right)
        column = [q for q in right if q.begin <= left_edge + 4 * q.size]
        first = max(column, key=lambda q: (q.top, -q.number))
        alike = abs((first.end - first.begin) - (p.end - p.begin)) <= 0.15 * (p.end - p.begin)
        if alike and _flows(p, first) and first.number not in found.values():
            found[p.number] = first.number
    return found
