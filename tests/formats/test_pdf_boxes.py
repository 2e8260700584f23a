"""What stands for removed words of a PDF: on a box of their size, and legible."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pypdfium2
import pytest

from taciturn.formats import Options
from tests.formats import nasty_pdf
from tests.formats.plans import release

LINE = b"BT /F1 12 Tf 40 200 Td (He has HIV since May.) Tj ET"
LONG = {"HIV": "[medical condition]"}
EDGES = 250  # pixels: the edges of letters have that grey as well


def _page(data: bytes) -> Any:
    return pypdfium2.PdfDocument(data)[0]


def _grey(data: bytes) -> int:
    """How many pixels have the colour of boxes."""
    pixels = _page(data).render(scale=2).to_numpy()[:, :, :3]
    return int(((pixels > 218) & (pixels < 226)).all(axis=2).sum())


def _characters(data: bytes) -> list[tuple[str, float, float, float]]:
    """Each letter with where it begins and ends and how high it is."""
    text = _page(data).get_textpage()
    shown = text.get_text_range()
    boxes = [text.get_charbox(index) for index in range(len(shown))]
    return [(char, box[0], box[2], box[3] - box[1]) for char, box in zip(shown, boxes, strict=True)]


def _height(data: bytes, words: str) -> float:
    letters = _characters(data)
    at = "".join(letter[0] for letter in letters).index(words)
    return max(letter[3] for letter in letters[at : at + len(words)])


def test_a_box_stands_where_words_were() -> None:
    source = nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ( came.) Tj ET")
    words = {"Antonio Banderas": "X"}
    grey = _grey(release(source, "a.pdf", words)[1])
    width = 2 * 12 * 7.9  # pixels: the name is about 7.9 sizes wide
    assert 0.8 * width * 24 < grey < width * 24
    assert _grey(release(source, "a.pdf", words, Options(boxes=False))[1]) < EDGES
    assert _grey(release(source, "a.pdf", words, Options(keep_layout=False))[1]) < EDGES


def test_words_on_two_lines_leave_two_boxes() -> None:
    two = nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td (He met Antonio) Tj 0 -14 Td (Banderas in May.) Tj ET")
    data = release(two, "a.pdf", {"Antonio Banderas": "X"})[1]
    pixels = _page(data).render(scale=2).to_numpy()[:, :, :3]
    rows = ((pixels > 218) & (pixels < 226)).all(axis=2).any(axis=1).nonzero()[0]
    assert rows.max() - rows.min() > 2 * 14  # one above the other


def test_what_is_longer_than_its_gap_is_legible_and_the_line_goes_on_behind_it() -> None:
    data = release(nasty_pdf.content(LINE), "a.pdf", LONG)[1]
    letters = _characters(data)
    assert "".join(letter[0] for letter in letters).splitlines()[-1] == "He has [medical condition] since May."
    assert _height(data, "[medical condition]") == pytest.approx(
        _height(nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td ([]) Tj ET"), "[]"), rel=0.01
    )
    order = [letter for letter in letters[-36:] if letter[0] != " "]
    assert all(one[2] <= other[1] + 0.5 for one, other in pairwise(order))


def test_a_line_grows_no_further_than_what_stands_beside_it() -> None:
    source = nasty_pdf.content(LINE + b" BT /F1 12 Tf 190 200 Td (Other) Tj ET")
    letters = _characters(release(source, "a.pdf", LONG)[1])
    shown = "".join(letter[0] for letter in letters)
    other = letters[shown.index("Other")]
    assert other[1] == pytest.approx(190, abs=1.5)
    assert letters[shown.index("May.") + 3][2] < other[1]


def test_a_line_grows_no_further_than_the_page() -> None:
    source = nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td (" + b"HIV and HIV or " * 5 + b") Tj ET")
    page = _page(source)
    letters = _characters(release(source, "a.pdf", LONG)[1])
    assert max(letter[2] for letter in letters) <= max(
        page.get_width() - 17, max(c[2] for c in _characters(source)) + 1
    )


def test_no_box_hides_letters_that_stay() -> None:
    source = nasty_pdf.content(b"BT /F1 12 Tf 40 199 Td (..................) Tj 0 3 Td (Antonio Banderas) Tj ET")
    assert _grey(release(source, "a.pdf", {"Antonio Banderas": "X"})[1]) < EDGES


@pytest.mark.parametrize("before", [b"", b"1 0 0.3 1 0 0 cm ", b"0.5 0 0 0.5 20 100 cm ", b"0 1 -1 0 300 10 cm "])
@pytest.mark.parametrize(
    "shown",
    [
        b"(He has HIV since May.) Tj",
        b"(He ) Tj (has HIV) Tj ( since May.) Tj",
        b"[(He h) -20 (as H) 30 (IV since) -40 ( May.)] TJ",
        b"120 Tz (He has HIV since May.) Tj",
        b"2 Ts (He has HIV since May.) Tj",
        b"1 Tc 2 Tw (He has HIV since May.) Tj T* (Next) Tj",
    ],
)
def test_boxes_move_no_letter(before: bytes, shown: bytes) -> None:
    """A box leaves the text object and enters it again: what follows stands where it would without boxes."""
    source = nasty_pdf.content(b"q " + before + b"BT /F1 12 Tf 14 TL 40 200 Td " + shown + b" ET Q")
    boxed, plain = (_characters(release(source, "a.pdf", {"HIV": "X"}, Options(boxes=b))[1]) for b in (True, False))
    assert [letter[0] for letter in boxed] == [letter[0] for letter in plain]
    for one, other in zip(boxed, plain, strict=True):
        assert one[1:] == pytest.approx(other[1:], abs=0.02)
