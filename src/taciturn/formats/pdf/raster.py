"""Pages released as pictures: those with text that nobody can read for certain.

The picture is drawn from the redacted page, never from the original: what was removed and what cannot be read has left
its content streams before anything is drawn, and those bytes have passed the leak check. So a picture shows nothing
that was not checked as text, whatever its fonts look like; painting over the original would trust in boxes instead.
"""

from __future__ import annotations

import io
import math
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode

from taciturn.formats.base import FormatError
from taciturn.formats.pdf.content import Glyph

__all__ = ["barred", "drawing", "labelled", "picture_of", "rasterized", "render", "replace_page"]

_DPI = 200
_MOST_PIXELS = 30_000_000
_BAR = 0.75  # a light grey


def barred(stream: bytes, glyphs: Iterable[Glyph]) -> bytes:
    """The content stream with a grey bar over the place of each glyph, so that a reader sees that something is missing.

    >>> barred(b"q", [Glyph(0, 10.0, 5.0, 8.0, 10.0, None, 0)]).splitlines()[-2]
    b'5.00 8.00 m 8.00 8.00 l 8.00 18.00 l 5.00 18.00 l h'
    """
    boxes = []
    for glyph in glyphs:
        turn = math.radians(glyph.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        low, high = glyph.across - 0.2 * glyph.size, glyph.across + 0.8 * glyph.size
        corners = ((glyph.begin, low), (glyph.end, low), (glyph.end, high), (glyph.begin, high))
        points = [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]
        if all(math.isfinite(v) and abs(v) < 1e6 for point in points for v in point):
            boxes.append(" ".join(f"{x:.2f} {y:.2f} {'l' if i else 'm'}" for i, (x, y) in enumerate(points)) + " h")
    body = _closed(stream)
    return body + f"\nq {_BAR} g\n{chr(10).join(boxes)}\nf Q".encode("ascii") if boxes else body


def labelled(stream: bytes, font: str, box: Any, label: str) -> bytes:
    """The content stream with words in the upper left corner of the page."""
    x, y = min(float(box[0]), float(box[2])) + 36, max(float(box[1]), float(box[3])) - 24
    return _closed(stream) + f"\nq 0 g BT {font} 9 Tf {x:.2f} {y:.2f} Td ({label}) Tj ET Q".encode("ascii")


def _closed(stream: bytes) -> bytes:
    """The content stream with every saved state restored, or what follows it would stand in other coordinates. What is
    restored too often is ignored."""
    saved = len(re.findall(rb"(?<!\S)q(?!\S)", stream))
    return b"q\n" + stream + b"\nQ" * (saved + 1)


@contextmanager
def drawing() -> Iterator[None]:
    """What pdfium cannot draw is a damaged file, and said so."""
    import pypdfium2

    try:
        yield
    except pypdfium2.PdfiumError as error:
        raise FormatError(f"the PDF cannot be drawn ({error}); save it anew first") from None


@drawing()
def rasterized(data: bytes, pages: Sequence[int]) -> bytes:
    """The document with these pages as pictures: of each, its size, its links and one picture remain."""
    import pypdfium2

    drawn = pypdfium2.PdfDocument(data)
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            for number in pages:
                page = drawn[number]
                replace_page(pdf, pdf.pages[number].obj, *render(page))
                page.close()
            buffer = io.BytesIO()
            pdf.save(
                buffer,
                deterministic_id=True,
                object_stream_mode=ObjectStreamMode.generate,
                compress_streams=True,
                recompress_flate=False,
            )
    finally:
        drawn.close()
    return buffer.getvalue()


def render(page: Any) -> tuple[Any, tuple[float, float]]:
    """A page of pdfium as rows of pixels, grey if no pixel has a colour, and its size in points."""
    width, height = page.get_size()
    scale = min(_DPI / 72.0, math.sqrt(_MOST_PIXELS / max(width * height, 1.0)))
    drawn = page.render(scale=scale).to_numpy()
    colours = np.ascontiguousarray(drawn[:, :, 2::-1] if drawn.ndim == 3 else drawn[:, :, None])
    if (colours == colours[:, :, :1]).all():
        colours = colours[:, :, :1]
    return colours, (width, height)


def replace_page(pdf: pikepdf.Pdf, page: Any, pixels: Any, size: tuple[float, float]) -> None:
    """Of the page, its size, its links and one picture remain."""
    box = [float(v) for v in page.get("/CropBox", page["/MediaBox"])]
    turn, unit = int(page.get("/Rotate", 0)) % 360, float(page.get("/UserUnit", 1.0))
    links = page.get("/Annots")
    for link in links if isinstance(links, Array) else ():
        link["/Rect"] = Array([round(v, 3) for v in _moved([float(v) for v in link["/Rect"]], box, turn, unit)])
    for key in sorted(page.keys()):
        if key not in ("/Type", "/Parent", "/Annots"):
            del page[key]
    width, height = size
    page["/MediaBox"] = Array([0, 0, width, height])
    page["/Resources"] = Dictionary(XObject=Dictionary(P=picture_of(pdf.make_stream(b""), pixels)))
    page["/Contents"] = pdf.make_stream(f"{width:.3f} 0 0 {height:.3f} 0 0 cm /P Do".encode("ascii"))


def _moved(area: list[float], box: list[float], turn: int, unit: float) -> list[float]:
    """An area of a page in the coordinates of its picture: from the corner of the box, turned as a viewer turns it."""
    left, low = min(box[0], box[2]), min(box[1], box[3])
    width, height = abs(box[2] - box[0]), abs(box[3] - box[1])
    corners = []
    for x, y in ((area[0] - left, area[1] - low), (area[2] - left, area[3] - low)):
        corners.append({90: (y, width - x), 180: (width - x, height - y), 270: (height - y, x)}.get(turn, (x, y)))
    (a, b), (c, d) = corners
    return [unit * v for v in (min(a, c), min(b, d), max(a, c), max(b, d))]


def picture_of(image: Any, pixels: Any) -> Any:
    """The stream as a picture of these pixels; each row as its difference from the one above (as in PNG)."""
    rows = pixels.reshape(pixels.shape[0], -1)
    moved = rows.copy()
    moved[1:] -= rows[:-1]
    coded = np.concatenate((np.full((rows.shape[0], 1), 2, np.uint8), moved), axis=1)
    depth = pixels.shape[2]
    parameters = Dictionary(Predictor=15, Colors=depth, BitsPerComponent=8, Columns=pixels.shape[1])
    image.write(zlib.compress(coded.tobytes(), 9), filter=Name.FlateDecode, decode_parms=parameters)
    image["/Type"], image["/Subtype"] = Name.XObject, Name.Image
    image["/Width"], image["/Height"], image["/BitsPerComponent"] = pixels.shape[1], pixels.shape[0], 8
    image["/ColorSpace"] = Name.DeviceGray if depth == 1 else Name.DeviceRGB
    return image
