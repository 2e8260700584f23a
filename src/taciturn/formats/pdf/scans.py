"""Scanned pages: their words are recognized and stand on the page as text that nobody sees, over a picture of the page.

A scanned page is drawn as a whole and becomes one picture with one glyph for each word, so all that follows (reading,
planning, redaction, boxes with what stands instead, the leak check) is as for any other page. In the released picture
only pixels remain of words that were read with certainty and stay: handwriting, stamps, faces and whatever else nobody
could read are not in it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf

from taciturn.formats.base import Context, FormatError
from taciturn.formats.pdf.cmaps import to_unicode_stream
from taciturn.formats.pdf.raster import drawing, render, replace_page

if TYPE_CHECKING:
    from taciturn.formats.ocr import Unit

__all__ = ["LABEL", "Scan", "painted", "recognized", "scanned_pages", "text_of"]

LABEL = "[This page is a picture that was not read for certain. It is not shown.]"

_SCANNED = 0.5  # of a page: if pictures cover so much of it, they are the page
_CELLS = 40  # of a side of the page, when what pictures cover is measured
_BAR = 190  # a grey
_DOUBTFUL = 0.06  # of the words of a page: if more are uncertain, so are those that seem certain
_LOST = 0.25  # of the ink: if more is no text, a person should look


_Area = tuple[int, int, int, int]
"""Of pixels: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A page that was recognized: the pixels of each glyph, which is a word or a space, the numbers of words that were
    not read for certain, and the colour of the paper. Of a page that is not ``readable`` nothing is shown."""

    areas: tuple[_Area, ...]
    unsure: frozenset[int]
    paper: tuple[int, ...]
    readable: bool


@drawing()
def scanned_pages(data: bytes) -> list[int]:
    """The numbers of the pages that are pictures, from 0.

    >>> import pikepdf, io
    >>> blank = io.BytesIO()
    >>> pdf = pikepdf.new(); page = pdf.add_blank_page(); pdf.save(blank)
    >>> scanned_pages(blank.getvalue())
    []
    """
    import pypdfium2
    from pypdfium2 import raw

    found = []
    pdf = pypdfium2.PdfDocument(data)
    try:
        for number in range(len(pdf)):
            page = pdf[number]
            left, low, right, high = page.get_bbox()
            covered = np.zeros((_CELLS, _CELLS), dtype=bool)
            holder = None
            for item in page.get_objects(max_depth=6):
                if item.level == 0:
                    holder = item
                if item.type != raw.FPDF_PAGEOBJ_IMAGE or holder is None:
                    continue
                box = holder.get_bounds()  # what a form draws lies within it, in other coordinates
                columns = [_cell(v, left, right) for v in (box[0], box[2])]
                rows = [_cell(v, low, high) for v in (box[1], box[3])]
                covered[rows[0] : rows[1], columns[0] : columns[1]] = True
            if covered.mean() >= _SCANNED:
                found.append(number)
            page.close()
    finally:
        pdf.close()
    return found


def _cell(value: float, low: float, high: float) -> int:
    share = (value - low) / (high - low) if high > low else 0.0
    return round(min(max(share, 0.0), 1.0) * _CELLS)


@drawing()
def recognized(data: bytes, name: str, context: Context) -> tuple[bytes, dict[int, Scan], list[str]]:
    """The file with words on its scanned pages, what was recognized on them, and what people should know of it."""
    pages = scanned_pages(data)
    if not pages:
        return data, {}, []
    import pypdfium2

    scans: dict[int, Scan] = {}
    noticed: list[str] = []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        if "/AcroForm" in pdf.Root:
            pdf.generate_appearance_streams()
        pdf.flatten_annotations("all")
        flat = io.BytesIO()
        pdf.save(flat)
        drawn = pypdfium2.PdfDocument(flat.getvalue())
        try:
            for number in pages:
                scans[number] = _recognize_page(pdf, drawn, number, name, context, noticed)
        finally:
            drawn.close()
        made = io.BytesIO()
        pdf.save(made, deterministic_id=True)
    return made.getvalue(), scans, noticed


def _recognize_page(pdf: Pdf, drawn: Any, number: int, name: str, context: Context, noticed: list[str]) -> Scan:
    from taciturn.formats.ocr import CERTAIN, LEGIBLE, recognize

    page = drawn[number]
    pixels, (width, height) = render(page)
    page.close()
    found = recognize(pixels)
    units = [unit for line in found.lines for unit in line]
    unsure = sum(unit.score < CERTAIN for unit in units)
    readable = found.certainty >= LEGIBLE and unsure <= _DOUBTFUL * len(units) + 3
    if not (readable and not unsure) and context.options.unreadable == "refuse":
        raise FormatError(f"{name!r} has {unsure} words on page {number + 1} that cannot be read for certain (a scan)")
    lost = _lost(found.pixels, [unit.area for unit in units])
    if not readable:
        noticed.append(
            f"page {number + 1}, a scan, is not shown: {unsure} of its {len(units)} words were not read for certain, "
            f"its letters with {found.certainty:.1%} certainty ({LEGIBLE:.0%} are needed), and on such a page other "
            "words are wrong; scan it anew at 200 dots an inch or more, or release it by hand"
        )
    elif unsure or lost > _LOST:
        noticed.append(
            f"page {number + 1}, a scan, needs a person to look at it: {len(units) - unsure} words read, {unsure} not "
            f"for certain (painted over), {lost:.0%} of the ink is no text that could be read (gone)"
        )
    obj = pdf.pages[number].obj
    _own_attributes(obj)
    replace_page(pdf, obj, found.pixels, (width, height))
    obj["/CropBox"], obj["/Rotate"], obj["/UserUnit"] = Array([0, 0, width, height]), 0, 1
    glyphs = _set_words(pdf, obj, found.lines if readable else (), width / found.pixels.shape[1], height)
    doubtful = frozenset(n for n, (_, score) in enumerate(glyphs) if score < CERTAIN)
    return Scan(tuple(area for area, _ in glyphs), doubtful, tuple(int(v) for v in found.paper), readable)


def _lost(pixels: Any, areas: list[_Area]) -> float:
    """The share of the ink that lies outside of words."""
    from taciturn.formats.ocr import ink_of

    ink = ink_of(pixels)
    whole = int(ink.sum())
    for left, top, right, bottom in areas:
        ink[top:bottom, left:right] = False
    return int(ink.sum()) / whole if whole else 0.0


def _own_attributes(page: Any) -> None:
    """What a page has from the nodes above it becomes its own."""
    for key in ("/MediaBox", "/CropBox", "/Rotate", "/UserUnit"):
        node = page
        for _ in range(50):
            if not isinstance(node, Dictionary) or key in page:
                break
            if key in node:
                page[key] = node[key]
            node = node.get("/Parent")


def _set_words(
    pdf: Pdf, page: Any, lines: Sequence[Sequence[Unit]], step: float, height: float
) -> list[tuple[_Area, float]]:
    """The words of a page as text that is not drawn, each a glyph as wide as its ink, with spaces between them. The
    pixels of each glyph (a space has none), and how sure it is."""
    codes: dict[tuple[str, int], int] = {}  # by what a glyph says, and how wide it is in thousandths of its size
    made: list[tuple[_Area, float]] = []
    content = [b"BT 3 Tr"]
    for line in lines:
        _, top, _, bottom = line[0].area
        size = 0.8 * (bottom - top) * step
        x, y = line[0].ink[0] * step, height - (bottom - 0.22 * (bottom - top)) * step
        shown = ""
        for text, width, area, score in _glyphs(line):
            code = codes.setdefault((text, max(round(1000.0 * width * step / size), 1)), len(codes) + 1)
            shown += f"{code:04x}"
            made.append((area, score))
        content.append(f"/Words {size:.3f} Tf 1 0 0 1 {x:.3f} {y:.3f} Tm <{shown}> Tj".encode("ascii"))
    content.append(b"ET")
    page["/Resources"]["/Font"] = Dictionary(Words=_font(pdf, {code: glyph for glyph, code in codes.items()}))
    drawn = page["/Contents"].read_bytes()
    page["/Contents"] = pdf.make_stream(b"q " + drawn + b" Q\n" + b"\n".join(content))
    return made


def _glyphs(line: Sequence[Unit]) -> Iterator[tuple[str, int, _Area, float]]:
    """Words and the spaces between them: what each says, how wide it is, its pixels, how sure it is."""
    for unit, after in zip_longest(line, line[1:]):
        begin, end = unit.ink
        yield unit.text, end - begin, unit.area, unit.score
        if after is not None:
            yield " ", after.ink[0] - end, (end, unit.area[1], end, unit.area[3]), 1.0


def _font(pdf: Pdf, glyphs: dict[int, tuple[str, int]]) -> Any:
    """A font that says words and has no outlines."""
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Helvetica, Flags=32, FontBBox=Array([0, -200, 1000, 800]),
        ItalicAngle=0, Ascent=800, Descent=-200, CapHeight=700, StemV=80,
    )  # fmt: skip
    inner = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Helvetica,
        CIDSystemInfo=Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        W=Array([x for code, (_, width) in glyphs.items() for x in (code, Array([width]))]),
    )
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.Helvetica,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(inner)]),
        ToUnicode=pdf.make_stream(to_unicode_stream({code: text for code, (text, _) in glyphs.items()}, 2)),
    )
    return pdf.make_indirect(font)


def painted(image: Any, scan: Scan, removed: set[int]) -> Any:
    """The pixels of a scan with nothing but the words that stay, and a bar for each word that could not be read."""
    width, height = int(image["/Width"]), int(image["/Height"])
    pixels = np.frombuffer(image.read_bytes(), dtype=np.uint8).reshape(height, width, -1)
    made = np.empty_like(pixels)
    made[:] = paper = np.array(scan.paper, dtype=np.uint8)
    for number, (left, top, right, bottom) in enumerate(scan.areas):
        if number not in removed:
            made[top:bottom, left:right] = pixels[top:bottom, left:right]
    # Lines may overlap; what goes, goes from its neighbours as well.
    for number in removed:
        left, top, right, bottom = scan.areas[number]
        made[top:bottom, left:right] = paper
    for number in scan.unsure:
        left, top, right, bottom = scan.areas[number]
        made[top:bottom, left:right] = _BAR
    return made


def text_of(pixels: Any) -> bytes:
    """A file with nothing but the words that are recognized in a picture, certain or not: for the leak check."""
    from taciturn.formats.ocr import recognize

    found = recognize(pixels)
    made = io.BytesIO()
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(pixels.shape[1], pixels.shape[0])).obj
        page["/Contents"], page["/Resources"] = pdf.make_stream(b""), Dictionary()
        _set_words(pdf, page, found.lines, 1.0, pixels.shape[0])
        pdf.save(made)
    return made.getvalue()
