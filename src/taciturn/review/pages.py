"""PDF pages as pictures, and where on them the words of the document stand.

Pages are drawn by PDFium. The words of each passage are found again in PDFium's own text of the page, white space
aside, so this needs nothing of how Taciturn reads PDF; a word that is not found has no box, and is still in the text
view."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import groupby

import pypdfium2

from taciturn.document import Document, Span

__all__ = ["Box", "Pages"]

_PAGE = re.compile(r"page (\d+)")
_WIDTH = 1100  # pixels; enough to read on a laptop
_BLANK = re.compile(r"[\s\u00ad\ufffe\u0002]")  # PDFium writes the last two for a hyphen at a line's end
_NEAR = 80  # characters of the page that a passage may lack between two words


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points from its upper left corner."""

    x: float
    y: float
    width: float
    height: float


class Pages:
    """The pages of a PDF. PDFium is not for several threads: call it under one lock."""

    def __init__(self, data: bytes, document: Document) -> None:
        self._pdf = pypdfium2.PdfDocument(data)
        self._document = document
        self._png = lru_cache(maxsize=24)(self._draw)
        self._letters = lru_cache(maxsize=64)(self._read)
        self._segments: dict[int, list[int]] = {}
        for number, segment in enumerate(document.segments):
            if match := _PAGE.match(segment.place):
                self._segments.setdefault(int(match.group(1)) - 1, []).append(number)

    def __len__(self) -> int:
        return len(self._pdf)

    def size(self, page: int) -> tuple[float, float]:
        """Width and height in points."""
        width, height = self._pdf[page].get_size()
        return float(width), float(height)

    def png(self, page: int) -> bytes:
        """The page as a picture; ``IndexError`` if there is none."""
        if not 0 <= page < len(self):
            raise IndexError(page)
        return self._png(page)

    def boxes(self, page: int, spans: Sequence[Span]) -> dict[Span, list[Box]]:
        """Where spans of the document stand on a page, a box a line; those not on it are left out."""
        where = self._letters(page)
        starts = [s for s, _ in where]
        found: dict[Span, list[Box]] = {}
        for span in spans:
            i = bisect_right(starts, span[0] - 1)
            inside = []
            while i < len(where) and where[i][0] < span[1]:
                inside.append(where[i][1])
                i += 1
            if inside:
                found[span] = _lines(inside)
        return found

    def words_in(self, page: int, area: Box) -> list[Span]:
        """The runs of the document whose letters lie in an area of a page, by their middle; white space joins them.

        Two lines of one paragraph are one run if the area holds the end of the first and the start of the second.
        """
        right, bottom = area.x + area.width, area.y + area.height
        offsets = sorted(
            offset
            for offset, (x0, y0, x1, y1) in self._letters(page)
            if area.x <= (x0 + x1) / 2 <= right and area.y <= (y0 + y1) / 2 <= bottom
        )
        spans: list[Span] = []
        for offset in offsets:
            if spans and not self._document.text[spans[-1][1] : offset].strip():
                spans[-1] = (spans[-1][0], offset + 1)
            else:
                spans.append((offset, offset + 1))
        return spans

    def numbers(self, spans: Sequence[Span]) -> list[int]:
        """The pages on which spans of the document stand."""
        starts = [s.start for s in self._document.segments]
        found = set()
        for start, _ in spans:
            segment = self._document.segments[max(bisect_right(starts, start) - 1, 0)]
            if match := _PAGE.match(segment.place):
                found.add(int(match.group(1)) - 1)
        return sorted(n for n in found if n < len(self))

    def _draw(self, page: int) -> bytes:
        width, _ = self.size(page)
        picture = self._pdf[page].render(scale=_WIDTH / max(width, 1.0)).to_pil()
        out = BytesIO()
        picture.save(out, "PNG")
        return out.getvalue()

    def _read(self, page: int) -> list[tuple[int, tuple[float, float, float, float]]]:
        """The place on the page of each character of the document that stands there, in order of the document."""
        text = self._pdf[page].get_textpage()
        # Asked for one by one: PDFium's whole text leaves characters out that its boxes count.
        codes = (pypdfium2.raw.FPDFText_GetUnicode(text, i) for i in range(text.count_chars()))
        letters = [(chr(c), i) for i, c in enumerate(codes) if c and not _BLANK.match(chr(c))]
        plain = "".join(c for c, _ in letters)
        height = self.size(page)[1]
        placed: list[tuple[int, tuple[float, float, float, float]]] = []
        taken = 0
        for number in self._segments.get(page, ()):
            segment = self._document.segments[number]
            begin = taken
            for offset, at in _aligned(self._document.text, (segment.start, segment.end), plain, begin):
                left, bottom, right, top = text.get_charbox(letters[at][1], loose=True)
                placed.append((offset, (left, height - top, right, height - bottom)))
                taken = at + 1
        return sorted(placed)


def _aligned(text: str, span: Span, plain: str, begin: int) -> Iterator[tuple[int, int]]:
    """Pairs of places: of a character of the passage, and of the same one in the page's text without white space.

    The passage is looked for whole, then word by word, each not far behind the one before: a hyphen at a line's end or
    a ligature makes the two texts differ in a letter, and should cost one word and not the passage.
    """
    own = [i for i in range(*span) if not _BLANK.match(text[i])]
    words = "".join(text[i] for i in own)
    at = plain.find(words, begin)
    at = plain.find(words) if at < 0 else at
    if at >= 0:
        yield from ((offset, at + n) for n, offset in enumerate(own))
        return
    at = begin
    for match in re.finditer(r"\S+", text[span[0] : span[1]]):
        found = plain.find(match.group(), at, at + len(match.group()) + _NEAR)
        if found >= 0:
            yield from ((span[0] + match.start() + n, found + n) for n in range(len(match.group())))
            at = found + len(match.group())


def _lines(letters: Sequence[tuple[float, float, float, float]]) -> list[Box]:
    """One box for the letters of each line."""
    rows = []
    for _, group in groupby(letters, key=lambda b: round(b[3])):
        line = list(group)
        left, top = min(b[0] for b in line), min(b[1] for b in line)
        right, bottom = max(b[2] for b in line), max(b[3] for b in line)
        rows.append(Box(left, top, right - left, bottom - top))
    return rows
