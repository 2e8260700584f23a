"""Scanned pages: recognized, painted over in the picture itself, labelled where they are not read."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from taciturn.formats import FormatError, LeakError, Options, read
from tests.formats import nasty_pdf
from tests.formats.plans import release

pytest.importorskip("rapidocr", reason="the extra 'ocr' is not installed")

from taciturn.formats.ocr import recognize
from taciturn.formats.pdf.scans import LABEL, painted
from tests.formats.scans import as_pdf, degraded, picture

READ = Options(pictures="read")
LINES = ("The patient Antonio Banderas has HIV since May.", "He takes aspirin and feels well.")
WORDS = {"Antonio Banderas": "[person]", "HIV": "[illness]"}


def _pixels(data: bytes, page: int = 0) -> Any:
    """The pixels of the picture in a released page, not of the page."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        image = pdf.pages[page].obj.Resources.XObject.P
        return np.frombuffer(image.read_bytes(), np.uint8).reshape(int(image.Height), int(image.Width), -1)


def _words(pixels: Any) -> str:
    return " ".join(unit.text for line in recognize(pixels).lines for unit in line)


def _text(data: bytes, page: int = 0) -> str:
    return str(pypdfium2.PdfDocument(data)[page].get_textpage().get_text_range())


@pytest.mark.parametrize(
    "turn", [0.0, pytest.param(1.0, marks=pytest.mark.slow), pytest.param(-1.5, marks=pytest.mark.slow)]
)
def test_a_scan_is_read_and_its_pixels_are_painted_over(turn: float) -> None:
    file, data = release(as_pdf(degraded(picture(LINES), turn)), "a.pdf", WORDS, READ)
    assert file.document.text.split() == " ".join(LINES).split()
    shown = _words(_pixels(data))
    assert "Antonio" not in shown
    assert "Banderas" not in shown
    assert "HIV" not in shown
    assert "patient" in shown
    assert "aspirin" in shown
    said = _text(data)
    assert "[person]" in said
    assert "[illness]" in said
    assert "takes aspirin" in said
    assert "HIV" not in said


@pytest.mark.slow
def test_what_stands_instead_is_seen_on_the_page() -> None:
    data = release(as_pdf(picture(LINES)), "a.pdf", WORDS, READ)[1]
    drawn = pypdfium2.PdfDocument(data)[0].render(scale=3).to_numpy()
    assert "[person]" in _words(np.ascontiguousarray(drawn[:, :, 2::-1])).replace(" ", "")


@pytest.mark.slow
def test_only_words_that_were_read_and_stay_keep_their_pixels() -> None:
    image = picture(LINES)
    scribble = np.asarray(image).copy()
    scribble[200:280:3, 600:880] = 0  # no text
    data = release(as_pdf(Image.fromarray(scribble)), "a.pdf", WORDS, READ)[1]
    pixels = _pixels(data)
    height, width = pixels.shape[:2]
    corner = pixels[height * 200 // 555 : height * 280 // 555, width * 600 // 900 : width * 880 // 900]
    assert corner.min() > 200
    assert pixels.min() < 100  # words are there


@pytest.mark.slow
def test_half_a_word_that_stays_is_set_with_what_stands_instead() -> None:
    source = as_pdf(picture(["He is HIV-positive, says Ann."]))
    data = release(source, "a.pdf", {"HIV": "[illness]"}, READ)[1]
    assert "[illness]-positive," in _text(data)
    assert "positive" not in _words(_pixels(data))


@pytest.mark.slow
def test_two_changes_within_a_word() -> None:
    source = as_pdf(picture(["He has HIV/AIDS since May."]))
    data = release(source, "a.pdf", {"HIV": "X", "AIDS": "Y"}, READ)[1]
    assert "X/Y since" in _text(data)


def _doubting(monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    def doubtful(pixels: Any) -> Any:
        found = recognize(pixels)
        lines = [[replace(u, score=0.5) if u.text in words else u for u in line] for line in found.lines]
        return replace(found, lines=tuple(map(tuple, lines)))

    monkeypatch.setattr("taciturn.formats.ocr.recognize", doubtful)


def test_words_that_are_not_certain_go_and_the_page_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _doubting(monkeypatch, "aspirin", "Banderas")
    source = as_pdf(picture(LINES))
    file, data = release(source, "a.pdf", {"Antonio Banderas": "[person]"}, READ)
    assert any("page 1, a scan, needs a person" in notice for notice in file.content.noticed)
    assert "[person] has HIV" in _text(data)  # a doubtful half does not keep a name from being found
    assert "aspirin" not in _text(data)
    shown = _words(_pixels(data))
    assert "aspirin" not in shown
    assert "Banderas" not in shown
    with pytest.raises(FormatError, match="cannot be read for certain"):
        read(source, "a.pdf", Options(pictures="read", unreadable="refuse"))


def test_a_page_with_many_doubtful_words_is_not_shown_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    _doubting(monkeypatch, *LINES[1].split())
    source = _mixed()
    file, data = release(source, "a.pdf", {"Antonio Banderas": "[person]"}, READ)
    assert any("page 2, a scan, is not shown" in notice for notice in file.content.noticed)
    assert _text(data, 1).strip() == LABEL
    assert _pixels(data, 1).min() > 200


def test_a_page_whose_letters_are_not_legible_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """On such a page words are misread that seem certain."""
    monkeypatch.setattr("taciturn.formats.ocr.recognize", lambda pixels: replace(recognize(pixels), certainty=0.97))
    file, data = release(_mixed(), "a.pdf", {}, READ)
    assert any("page 2, a scan, is not shown" in notice and "97.0%" in notice for notice in file.content.noticed)
    assert _text(data, 1).strip() == LABEL
    with pytest.raises(FormatError, match="scan it anew"):
        read(as_pdf(picture(LINES)), "a.pdf", READ)


def _speckled(image: Image.Image) -> Image.Image:
    pixels = np.asarray(image).copy()
    chance = np.random.default_rng(2).random(pixels.shape)
    pixels[chance < 0.004], pixels[chance > 0.996] = 0, 255
    return Image.fromarray(pixels)


def _faint(image: Image.Image) -> Image.Image:
    """Grey print on paper that gets darker to one side."""
    shade = np.linspace(235, 170, image.width)
    return Image.fromarray((shade - (255 - np.asarray(image)) * 0.35).clip(0, 255).astype(np.uint8))


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [_speckled, _faint])
def test_specks_and_shades_make_no_spaces(spoil: Any) -> None:
    """A space within a name hides it from everybody."""
    lines = ("Mr Desmond Fairweather has not paid since April.", "His employer dismissed him in March of this year.")
    found = recognize(np.asarray(spoil(picture(lines, dpi=200))).reshape(740, 1200, 1))
    assert [" ".join(unit.text for unit in line) for line in found.lines] == list(lines)


@pytest.mark.slow
def test_a_page_that_still_shows_a_word_is_not_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture is recognized again: what the painting missed is found."""
    monkeypatch.setattr(
        "taciturn.formats.pdf.writing.painted", lambda image, scan, removed: painted(image, scan, set())
    )
    with pytest.raises(LeakError):
        release(as_pdf(picture(LINES)), "a.pdf", WORDS, READ)


def _mixed() -> bytes:
    """A page of text, and a scan that is turned by the page."""
    with pikepdf.open(io.BytesIO(nasty_pdf.content(b"BT /F1 12 Tf 40 200 Td (Antonio Banderas came.) Tj ET"))) as pdf:
        with pikepdf.open(io.BytesIO(as_pdf(picture(LINES).rotate(90, expand=True)))) as other:
            pdf.pages.append(other.pages[0])
        pdf.pages[1].obj["/Rotate"] = 90
        made = io.BytesIO()
        pdf.save(made)
    return made.getvalue()


def test_a_mixed_file_reads_its_scan_or_says_that_it_did_not() -> None:
    source = _mixed()
    data = release(source, "a.pdf", WORDS, READ)[1]
    assert "[person] came." in _text(data)
    assert "[person]" in _text(data, 1)
    file, grey = release(source, "a.pdf", WORDS)
    assert LABEL in _text(grey, 1)
    assert LABEL not in _text(grey)
    assert any("page 2, which is a picture" in what for what in file.content.dropped)


def test_small_pictures_are_no_scans() -> None:
    file, data = release(nasty_pdf.PLACES["pictures"](), "a.pdf", WORDS)
    assert LABEL not in _text(data)
    assert "pictures" in file.content.dropped


def test_without_the_extra_the_advice_is_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from taciturn.formats import ocr

    ocr._engine.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "rapidocr", None)
    with pytest.raises(FormatError, match=r"taciturn\[ocr\]"):
        read(as_pdf(picture(LINES)), "a.pdf", READ)
    ocr._engine.cache_clear()


@pytest.mark.slow
def test_same_scan_same_bytes() -> None:
    source = as_pdf(picture(LINES))
    assert release(source, "a.pdf", WORDS, READ)[1] == release(source, "a.pdf", WORDS, READ)[1]
