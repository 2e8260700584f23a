"""What other programs read in a PDF is read here too, or the file is refused."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pikepdf
import pypdf
import pypdfium2
import pytest
from pdfminer.high_level import extract_text
from pikepdf import Array, Dictionary, Name
from reportlab.pdfbase.pdfmetrics import stringWidth

from taciturn.formats import FormatError, LeakError, LimitError, read
from tests.formats.nasty_pdf import content
from tests.formats.plans import release

WORDS = "He has HIV now"


def _line(text: str, x: float, y: float, size: float = 12, before: str = "") -> bytes:
    return f"BT {before} /F1 {size} Tf {x} {y} Td ({text}) Tj ET ".encode()


def _form(pdf: pikepdf.Pdf, page: Any, name: str, body: bytes, **more: Any) -> Any:
    form = pdf.make_stream(body)
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([0, 0, 400, 400])
    form.Resources = Dictionary(Font=page.Resources.Font)
    for key, value in more.items():
        form[f"/{key}"] = value
    if "/XObject" not in page.Resources:
        page.Resources.XObject = Dictionary()
    page.Resources.XObject[f"/{name}"] = form
    return form


def _forms(**bodies: bytes) -> Callable[[pikepdf.Pdf, Any], None]:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        for name, body in bodies.items():
            _form(pdf, page, name, body)

    return change


_PLACES = ((40, "H"), (48.67, "I"), (52, "V"))
FILES: dict[str, Callable[[], bytes]] = {
    "drop shadow": lambda: content(_line(WORDS, 41, 199) + _line(WORDS, 40, 200)),
    "drop shadow of small letters": lambda: content(_line(WORDS, 42, 198, 8) + _line(WORDS, 40, 200, 8)),
    "shadow beside the letters": lambda: content(_line("HIV", 45, 200) + _line("HIV", 40, 200)),
    "shadow of one word": lambda: content(
        _line(WORDS, 40, 200) + _line("HIV", 41 + stringWidth("He has ", "Helvetica", 12), 199)
    ),
    "shadow letter by letter": lambda: content(
        b"".join(_line(c, x + 1, 199) + _line(c, x, 200) for x, c in _PLACES) + _line("He has now", 40, 100)
    ),
    "letters set apart": lambda: content(_line(WORDS, 40, 200, before="3 Tc")),
    "a word set apart": lambda: content(b"BT /F1 12 Tf 40 200 Td (He has ) Tj 3 Tc (HIV) Tj 0 Tc ( now) Tj ET"),
    "a word set far apart": lambda: content(b"BT /F1 12 Tf 40 200 Td (He has ) Tj 15 Tc (HIV) Tj 0 Tc ( now) Tj ET"),
    "half on the page, half in a form": lambda: content(
        _line("H", 40, 200) + b"q 1 0 0 1 48.67 200 cm /Fm Do Q " + _line("now", 66, 200),
        None,
        _forms(Fm=_line("IV", 0, 0)),
    ),
    "in two forms": lambda: content(
        b"q 1 0 0 1 140 200 cm /A Do Q q 2 0 0 2 148.67 200 cm /B Do Q",
        None,
        _forms(A=_line("He has now H", -stringWidth("He has now ", "Helvetica", 12), 0), B=_line("IV", 0, 0, 6)),
    ),
    "in a form in a form": lambda: content(
        _line("H", 40, 200) + b"q 1 0 0 1 40 200 cm /A Do Q",
        None,
        lambda pdf, page: (
            page.Resources.XObject.A.Resources.__setattr__(
                "XObject", Dictionary(B=_form(pdf, page, "B", _line("V", 0, 0)))
            )
            if _form(pdf, page, "A", b"q 1 0 0 1 12 0 cm /B Do Q " + _line("I", 8.67, 0))
            else None
        ),
    ),
    "shadow in a form": lambda: content(
        _line("He has HIV", 40, 200) + b"q 1 0 0 1 1 -1 cm /A Do Q", None, _forms(A=_line("He has HIV", 40, 200))
    ),
}


def _letters(data: bytes) -> str:
    """What three programs read, letters only."""
    found = [extract_text(io.BytesIO(data)), pypdf.PdfReader(io.BytesIO(data)).pages[0].extract_text()]
    found += [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data)]
    return " ".join(re.sub(r"\W", "", text) for text in found)


@pytest.mark.parametrize("name", FILES)
def test_a_word_that_others_read_is_read_and_goes(name: str) -> None:
    source = FILES[name]()
    assert re.search(r"\bHIV\b", read(source, "a.pdf").document.text)
    _, data = release(source, "a.pdf", {"HIV": "ill"})
    assert not re.search("HIV|HHIIVV|HI|IV", _letters(data).replace("HHe", "He"))
    assert "Harmlesswordsstayhere" in _letters(data)


def test_a_form_that_is_drawn_once_stays_where_it_was() -> None:
    source = FILES["in a form in a form"]()
    _, data = release(source, "a.pdf", {"nothing": ""})
    before, after = (pypdfium2.PdfDocument(d)[0].render(scale=2).to_numpy() for d in (source, data))
    assert (before == after).all()


def test_words_set_over_others_keep_the_letters_they_have_in_common() -> None:
    text = read(content(_line("Something else", 40, 200) + _line("Sometimes less", 41, 200)), "a.pdf").document.text
    assert "Something else" in text
    assert "Sometimes less" in text


def test_a_word_half_in_a_drawing_of_several_places_is_refused() -> None:
    twice = b"q 1 0 0 1 48.67 200 cm /Fm Do Q q 1 0 0 1 48.67 100 cm /Fm Do Q"
    change = _forms(Fm=_line("IV", 0, 0))
    with pytest.raises(FormatError, match="used in several places"):
        read(content(_line("H", 40, 200) + twice, None, change), "a.pdf")
    apart = read(content(_line("H", 20, 200) + twice, None, change), "a.pdf")
    assert apart.document.text.count("IV") == 1  # a letterhead is read once, however often it is drawn


def _nested(levels: int, times: int) -> bytes:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = _form(pdf, page, "F0", _line("HIV", 0, 0))
        for level in range(1, levels):
            form = _form(pdf, page, f"F{level}", f"/F{level - 1} Do ".encode() * times)
            form.Resources.XObject = Dictionary({f"/F{level - 1}": inner})
            inner = form

    return content(f"/F{levels - 1} Do".encode(), None, change)


def test_forms_that_draw_each_other_again_and_again_are_refused_before_anybody_draws_them() -> None:
    bomb = _nested(12, 10)
    assert len(bomb) < 10_000
    with pytest.raises(LimitError, match="forms within forms"):
        read(bomb, "a.pdf")
    read(_nested(12, 1), "a.pdf")


def test_forms_that_draw_themselves_are_read_once() -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        form = _form(pdf, page, "A", _line("HIV", 40, 200) + b"/A Do")
        form.Resources.XObject = Dictionary(A=form)
        other = _form(pdf, page, "B", _line("AIDS", 40, 100) + b"/C Do")
        other.Resources.XObject = Dictionary(C=_form(pdf, page, "C", b"/B Do"))
        other.Resources.XObject.C.Resources.XObject = Dictionary(B=other)

    text = read(content(b"/A Do", None, change), "a.pdf").document.text
    assert text.count("HIV") == 1
    assert text.count("AIDS") == 1


def test_a_name_with_wide_gaps_in_it_does_not_survive_where_it_was_removed_elsewhere() -> None:
    kerned = b"BT /F1 12 Tf 40 100 Td [(Kowalcz) -800 (yk)] TJ ET"
    with pytest.raises(LeakError, match="gaps closed"):
        release(content(_line("Mr Kowalczyk came", 40, 200) + kerned), "a.pdf", {"Kowalczyk": "X"})
    apart = b"BT /F1 12 Tf 40 100 Td [(Mr) -300 (Kowal) -300 (came)] TJ ET"
    release(content(_line("Mr Kowalczyk came", 40, 200) + apart), "a.pdf", {"Kowalczyk": "X"})
