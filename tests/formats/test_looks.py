"""What is not edited looks as before: pictures of pages before and after, outside the boxes of what was removed."""

from __future__ import annotations

import ctypes
import io
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx as python_docx
import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from taciturn.formats import Options, read, write
from taciturn.plan import Plan, apply
from tests.formats import nasty_office, nasty_pdf
from tests.formats.nasty import HIDE, NAME
from tests.formats.plans import release

SCALE = 2.0
# Pictures are blanked, text that cannot be read goes, patterns repeat their boxes, fields show after flattening only,
# an address is longer than the name in it.
CHANGED = {
    "pictures",
    "inline picture",
    "blind fonts",
    "type 3",
    "notes",
    "patterns and masks",
    "fields",
    "links",
    "all together",
}


def _pages(data: bytes) -> list[Any]:
    return [page.render(scale=SCALE).to_numpy().astype(int) for page in pypdfium2.PdfDocument(data)]


def _boxes(data: bytes, word: str) -> list[list[tuple[float, float, float, float]]]:
    """Of each page the boxes of the letters of all words of a name, in pixels from the top left."""
    found = []
    for page in pypdfium2.PdfDocument(data):
        text, height = page.get_textpage(), page.get_height()
        shown = text.get_text_range()
        boxes = []
        for part in (*word.split(), "Ban", "deras"):
            at = shown.find(part)
            while at >= 0:
                for index in range(at, at + len(part)):
                    left, low, right, high = text.get_charbox(index)
                    boxes.append((SCALE * left, SCALE * (height - high), SCALE * right, SCALE * (height - low)))
                at = shown.find(part, at + 1)
        found.append(boxes)
    return found


def _outside(pictures: list[Any], boxes: list[list[tuple[float, float, float, float]]], margin: int = 8) -> list[Any]:
    """The pictures with white where the boxes are, and a little around them."""
    made = []
    for picture, areas in zip(pictures, boxes, strict=True):
        copy = picture.copy()
        for left, high, right, low in areas:
            copy[max(int(high) - margin, 0) : int(low) + margin, max(int(left) - 6, 0) : int(right) + 3 * margin] = 255
        made.append(copy)
    return made


@pytest.mark.parametrize("place", [p for p in nasty_pdf.PLACES if p not in CHANGED])
def test_pages_look_as_before_outside_what_was_removed(place: str) -> None:
    source = nasty_pdf.PLACES[place]()
    _, data = release(source, "a.pdf", {**HIDE, "antonio.banderas@example.org": "E-MAIL"})
    boxes = _boxes(source, NAME)
    before, after = (_outside(_pages(d), boxes) for d in (source, data))
    for old, new in zip(before, after, strict=True):
        assert old.shape == new.shape
        assert (np.abs(old - new).max(axis=2) > 100).sum() <= 3


def _is_filled(item: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    is_path = item.type == pdfium.FPDF_PAGEOBJ_PATH
    return bool(is_path and pdfium.FPDFPath_GetDrawMode(item.raw, fill, stroke) and fill.value)


def _covered(data: bytes) -> int:
    """How many texts lie under a filled shape or a picture that is drawn after them: the usual bad redaction."""
    count = 0
    for page in pypdfium2.PdfDocument(data):
        texts: dict[int, list[tuple[float, float, float, float]]] = {}  # by depth: forms have coordinates of their own
        for item in page.get_objects(max_depth=4):
            if item.type == pdfium.FPDF_PAGEOBJ_FORM:
                texts[item.level + 1] = []
                continue
            box = item.get_bounds()
            if item.type == pdfium.FPDF_PAGEOBJ_TEXT:
                texts.setdefault(item.level, []).append(box)
            elif item.type == pdfium.FPDF_PAGEOBJ_IMAGE or _is_filled(item):
                for left, low, right, high in texts.get(item.level, ()):
                    across = min(right, box[2]) - max(left, box[0])
                    along = min(high, box[3]) - max(low, box[1])
                    count += across > 0.5 * (right - left) and along > 0.5 * (high - low)
    return count


def test_the_test_for_covered_text_finds_it() -> None:
    bad = nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ET 0 g 38 195 100 20 re f")
    assert _covered(bad) == 1


@pytest.mark.parametrize("place", nasty_pdf.PLACES)
@pytest.mark.parametrize("unreadable", ["remove", "rasterize"])
def test_no_text_lies_under_a_box(place: str, unreadable: Any) -> None:
    _, data = release(
        nasty_pdf.PLACES[place](),
        "a.pdf",
        {**HIDE, "antonio.banderas@example.org": "E-MAIL"},
        Options(unreadable=unreadable),
    )
    assert _covered(data) == 0


def _letter() -> bytes:
    """A document of two pages with what people use; the name stands in lines of its own."""
    document = python_docx.Document()
    document.sections[0].header.paragraphs[0].text = "A header that stays"
    document.add_heading("A report on films", 1)
    prose = "The hall was full on the first night and the critics were kind, though some had expected more of it. "
    for number in range(9):
        document.add_paragraph(prose * 4)
        paragraph = document.add_paragraph("Here ")
        paragraph.add_run("Antonio ").bold = True
        paragraph.add_run(f"Banderas acts, {number}.")
        document.add_paragraph(prose, style="List Bullet")
    table = document.add_table(3, 3, style="Table Grid")
    for row in table.rows:
        for cell in row.cells:
            cell.text = "a cell"
    table.cell(1, 1).text = NAME
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _printed(office: str, folder: Path, files: dict[str, bytes], to: str = "pdf") -> dict[str, bytes]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    subprocess.run(
        [
            *(office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", to),
            *("--outdir", str(folder / "out"), *(str(folder / name) for name in files)),
        ],
        check=True,
        timeout=300,
        capture_output=True,
    )
    return {name: (folder / "out" / f"{Path(name).stem}.{to}").read_bytes() for name in files}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["docx", "odt"])
def test_libreoffice_prints_the_same_pages_outside_what_was_removed(
    tmp_path: Path, kind: str, program: Callable[[str], str]
) -> None:
    office = program("soffice")
    source = _letter()
    if kind == "odt":
        source = _printed(office, tmp_path, {"made.docx": source}, "odt")["made.docx"]
    file = read(source, f"a.{kind}")
    untouched = write(file, apply(Plan(file.document)))
    _, released = release(source, f"a.{kind}", HIDE)
    files = {f"source.{kind}": source, f"untouched.{kind}": untouched, f"released.{kind}": released}
    shown = list(_printed(office, tmp_path, files).values())
    pages = [_pages(data) for data in shown]
    assert len(pages[0]) >= 2
    assert [len(p) for p in pages] == [len(pages[0])] * 3
    assert all((one == other).all() for one, other in zip(pages[0], pages[1], strict=True))
    # What follows a name on its line moves with it, so the boxes reach to the margin.
    boxes = [[(left, high, 10_000.0, low) for left, high, _, low in page] for page in _boxes(shown[0], NAME)]
    assert sum(map(len, boxes)) >= 10 * (len(NAME) - 1)
    before, after = _outside(pages[0], boxes, 6), _outside(pages[2], boxes, 6)
    assert all((one == other).all() for one, other in zip(before, after, strict=True))
    assert not all((one == other).all() for one, other in zip(pages[0], pages[2], strict=True))


@pytest.mark.slow
def test_libreoffice_opens_every_nasty_place(tmp_path: Path, program: Callable[[str], str]) -> None:
    """One by one and all together; what it reads has no name."""
    office = program("soffice")
    files = {
        f"place{n}.docx": release(nasty_office.docx(p), "a.docx", HIDE)[1] for n, p in enumerate(nasty_office.BODY)
    }
    files["all.docx"] = release(nasty_office.docx(), "a.docx", HIDE)[1]
    files["all.odt"] = release(nasty_office.odt(), "a.odt", HIDE)[1]
    texts = _printed(office, tmp_path, {n: d for n, d in files.items() if n != "all.odt"}, "txt")
    texts |= _printed(office, tmp_path, {"all.odt": files["all.odt"]}, "txt")
    for name, text in texts.items():
        assert b"anderas" not in text, name
    assert any(b"an actor" in text for text in texts.values())
