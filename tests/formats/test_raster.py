"""Pages that become pictures, and text that runs down the page."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest

from taciturn.formats import LeakError, Options, read
from taciturn.formats.base import Rewrite
from taciturn.formats.file import _changes, write
from taciturn.formats.sweep import Sweeper, removed, to_sweep
from tests.formats import nasty_pdf
from tests.formats.nasty import HIDE
from tests.formats.plans import hide, release
from tests.formats.test_pdf import everything

PICTURE = Options(unreadable="rasterize")


def _pixels(data: bytes, page: int = 0, scale: float = 2.0) -> Any:
    return pypdfium2.PdfDocument(data)[page].render(scale=scale).to_numpy().astype(int)


def _text(data: bytes, page: int = 0) -> str:
    return str(pypdfium2.PdfDocument(data)[page].get_textpage().get_text_range())


def _two_pages() -> bytes:
    """A page that can be read, then one with fonts that cannot, turned and cropped, with a link."""
    pdf = pikepdf.open(io.BytesIO(nasty_pdf.PLACES["text"]()))
    blind = pikepdf.open(io.BytesIO(nasty_pdf.PLACES["blind fonts"]()))
    pdf.pages.extend(blind.pages)
    page = pdf.pages[1].obj
    page.Rotate, page.CropBox = 90, pikepdf.Array([20, 40, 380, 400])
    link = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name.Link,
        Rect=pikepdf.Array([40, 365, 180, 385]),
        A=pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("https://e.org/Antonio_Banderas")),
    )
    page.Annots = pikepdf.Array([pdf.make_indirect(link)])
    buffer = io.BytesIO()
    pdf.save(buffer)
    return buffer.getvalue()


def test_a_page_that_cannot_be_read_becomes_a_picture_without_text_fonts_or_streams() -> None:
    file, data = release(_two_pages(), "a.pdf", HIDE, PICTURE)
    assert "the text layer and fonts of page 2 (now a picture)" in file.dropped
    assert "Harmless words stay here." in _text(data, 0)
    assert _text(data, 1) == ""
    assert "banderas" not in everything(data)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        page = pdf.pages[1].obj
        assert set(page.keys()) == {"/Type", "/Parent", "/MediaBox", "/Resources", "/Contents", "/Annots"}
        assert list(page.Resources.keys()) == ["/XObject"]
        assert page.Contents.read_bytes() == b"360.000 0 0 360.000 0 0 cm /P Do"
        fonts = [o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and o.get("/Type") == "/Font"]
        assert all(str(font.BaseFont) != "/Blind" for font in fonts)
        assert not any("/ToUnicode" in font for font in fonts)
        # Turned by a quarter, the line at the top left is at the top right; so is its link.
        assert [float(v) for v in page.Annots[0].Rect] == [325, 200, 345, 340]
        assert "banderas" not in str(page.Annots[0].A.URI).lower()


def test_the_picture_shows_what_was_kept_and_bars_where_nothing_could_be_read() -> None:
    source = nasty_pdf.PLACES["blind fonts"]()
    vector = _pixels(release(source, "a.pdf", HIDE)[1])
    picture = _pixels(release(source, "a.pdf", HIDE, PICTURE)[1])
    lines = slice(0, 420)  # the harmless line and the replaced name
    assert np.abs(vector[lines] - picture[lines]).mean() < 1.0
    assert vector[lines].min() < 40
    bar = picture[(400 - 108) * 2 : (400 - 100) * 2, 42 * 2 : 50 * 2]
    assert 180 <= bar.min() <= bar.max() <= 200


def test_every_page_that_shows_a_form_with_such_text_becomes_a_picture() -> None:
    def change(pdf: Any, page: Any) -> None:
        nasty_pdf._blind(pdf, page)
        inner = pdf.make_stream(b"BT /B1 12 Tf 40 100 Td <0041006E0074> Tj ET")
        outer = pdf.make_stream(b"/In Do")
        for form, resources in (
            (inner, pikepdf.Dictionary(Font=page.Resources.Font)),
            (outer, pikepdf.Dictionary(XObject=pikepdf.Dictionary(In=inner))),
        ):
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox, form.Resources = pikepdf.Array([0, 0, 400, 400]), pdf.make_indirect(resources)
        shared = pikepdf.Dictionary(Font=page.Resources.Font, XObject=pikepdf.Dictionary(Out=outer))
        for uses in (True, False, True):
            more = pdf.add_blank_page(page_size=(400, 400)).obj
            more.Resources = pdf.make_indirect(shared) if uses else pikepdf.Dictionary(Font=page.Resources.Font)
            more.Contents = pdf.make_stream(b"BT /F1 12 Tf 40 300 Td (More words.) Tj ET" + b" /Out Do" * uses)

    source = nasty_pdf.content(b"", None, change)
    data = release(source, "a.pdf", HIDE, PICTURE)[1]
    assert [bool(_text(data, page)) for page in range(4)] == [True, False, True, False]


def test_what_is_drawn_has_passed_the_leak_check_as_text() -> None:
    file = read(nasty_pdf.PLACES["blind fonts"](), "a.pdf", PICTURE)
    applied = hide(file.document, HIDE)
    drawn: list[bytes] = []
    file.content.rewrite(Rewrite(_changes(file, applied), Sweeper(to_sweep(applied, removed(applied))), drawn.append))
    assert len(drawn) == 1
    assert "Harmless words stay here." in _text(drawn[0])
    assert "banderas" not in everything(drawn[0])


def test_a_leak_in_what_is_to_be_drawn_stops_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    file = read(nasty_pdf.PLACES["blind fonts"](), "a.pdf", PICTURE)
    applied = hide(file.document, HIDE)
    # A writer that forgets its edits: the picture would show the name, and nothing in the final bytes would tell.
    monkeypatch.setattr(
        "taciturn.formats.pdf.writing.edits_of", lambda *_: __import__("taciturn").formats.pdf.edits.Edits()
    )
    with pytest.raises(LeakError):
        write(file, applied)


def test_a_readable_file_is_the_same_with_and_without_the_option() -> None:
    source = nasty_pdf.PLACES["embedded font"]()
    assert release(source, "a.pdf", HIDE, PICTURE)[1] == release(source, "a.pdf", HIDE)[1]


def test_pictures_on_such_a_page_are_blanked_first() -> None:
    def change(pdf: Any, page: Any) -> None:
        nasty_pdf._blind(pdf, page)
        nasty_pdf._picture(pdf, page)

    source = nasty_pdf.content(
        b"q 50 0 0 50 40 200 cm /Im0 Do Q BT /B1 12 Tf 40 100 Td <0041006E0074> Tj ET", None, change
    )
    assert _pixels(source)[350:390, 85:175].max() == 128  # what it showed
    shown = _pixels(release(source, "a.pdf", HIDE, PICTURE)[1])[310:390, 85:175]
    assert (shown == 0xCC).all()


def test_text_that_runs_down_is_read_and_the_rest_of_its_line_stays() -> None:
    source = nasty_pdf.PLACES["vertical"]()
    file, data = release(source, "a.pdf", HIDE)
    texts = [file.document.text[s.start : s.end] for s in file.document.segments]
    assert texts.count("Here Antonio Banderas acts") == 2
    before, after = _pixels(source), _pixels(data)
    columns = slice(500, 620)
    for row in (slice(100, 190), slice(525, 620)):  # "Here" above and "acts" below the name
        assert before[row, columns].min() < 100
        assert (before[row, columns] == after[row, columns]).all()
    closed = _pixels(release(source, "a.pdf", HIDE, Options(keep_layout=False))[1])
    assert (closed[525:620, columns] == 255).all()
    assert "an actor" in _text(data).replace("\r\n", " ")


@pytest.mark.slow
def test_text_recognition_finds_no_name_in_the_picture(tmp_path: Path, program: Callable[[str], str]) -> None:
    _, data = release(nasty_pdf.PLACES["blind fonts"](), "a.pdf", HIDE, PICTURE)
    pypdfium2.PdfDocument(data)[0].render(scale=3).to_pil().save(tmp_path / "page.png")
    done = subprocess.run(
        [program("tesseract"), tmp_path / "page.png", "-"], capture_output=True, check=True, text=True
    )
    assert "Harmless words stay here" in done.stdout
    assert "an actor" in done.stdout
    assert "anderas" not in done.stdout
