"""Text that somebody hid from the eye only: boxes drawn over it are noticed, other boxes are not."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from reportlab.lib.colors import Color, black, white
from reportlab.pdfgen.canvas import Canvas

from taciturn.formats import read
from taciturn.formats.pdf.content import Glyph
from taciturn.formats.pdf.covers import Box, Covers, covered

Draw = Callable[[Canvas], None]


def page(*draw: Draw) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 300))
    for step in draw:
        step(canvas)
    canvas.save()
    return out.getvalue()


def write(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 12)
    canvas.setFillColor(black)
    canvas.drawString(50, 200, "The patient is Mary Holt of Dayton.")


def box(left: float, width: float, color: Color = black, bottom: float = 196, height: float = 14) -> Draw:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColor(color)
        canvas.rect(left, bottom, width, height, stroke=0, fill=1)

    return draw


def polygon(canvas: Canvas) -> None:
    path = canvas.beginPath()
    for number, (x, y) in enumerate(((124, 196), (178, 196), (178, 210), (124, 210))):
        (path.lineTo if number else path.moveTo)(x, y)
    path.close()
    canvas.drawPath(path, stroke=1, fill=1)


def scaled(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.translate(124, 196)
    canvas.scale(5.4, 1.4)
    canvas.rect(0, 0, 10, 10, stroke=0, fill=1)
    canvas.restoreState()


def in_form(canvas: Canvas) -> None:
    canvas.beginForm("bar", 0, 0, 54, 14)
    canvas.rect(0, 0, 54, 14, stroke=0, fill=1)
    canvas.endForm()
    canvas.saveState()
    canvas.translate(124, 196)
    canvas.doForm("bar")
    canvas.restoreState()


@pytest.mark.parametrize(
    "cover",
    [box(124, 54), box(124, 54, white), polygon, scaled, in_form],
    ids=["black", "white", "path", "scaled", "form"],
)
def test_text_under_a_box_is_noticed(cover: Draw) -> None:
    file = read(page(write, cover), "a.pdf")
    (notice,) = file.noticed
    assert notice.startswith("letters under drawn boxes, where anybody can copy them: 8 on page 1")
    assert "Mary Holt" in file.document.text  # and it is read like all other text


def highlighted(canvas: Canvas) -> None:
    canvas.setFillColor(Color(1, 1, 0), alpha=0.4)
    canvas.rect(124, 196, 54, 14, stroke=0, fill=1)


def clipped(canvas: Canvas) -> None:
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(300, 20, 10, 10)
    canvas.clipPath(path, stroke=0, fill=0)
    canvas.rect(0, 0, 400, 300, stroke=0, fill=1)
    canvas.restoreState()


def frame(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(125, 190, 70, 24)
    path.rect(128, 193, 64, 18)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=0)


@pytest.mark.parametrize(
    "draw",
    [
        (box(124, 54), write),  # a background
        (write, box(124, 54, height=1.0, bottom=197)),  # an underline
        (write, box(124, 54, height=1.5, bottom=203)),  # struck out
        (write, box(124, 54, bottom=100)),  # elsewhere
        (write, highlighted),
        (write, clipped),
        (write, frame),
        (write, lambda canvas: canvas.rect(124, 196, 54, 14, stroke=1, fill=0)),
        (write, lambda canvas: canvas.circle(157, 203, 30, stroke=0, fill=1)),
    ],
    ids=["background", "underline", "struck", "elsewhere", "highlight", "clip", "frame", "outline", "circle"],
)
def test_other_boxes_are_not(draw: tuple[Draw, ...]) -> None:
    assert read(page(*draw), "a.pdf").noticed == ()


def test_annotations_that_cover_and_marks_never_carried_out() -> None:
    with pikepdf.open(io.BytesIO(page(write))) as pdf:
        look = pdf.make_stream(b"0 g 0 0 54 14 re f")
        look.update({"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Form})
        look["/BBox"] = pikepdf.Array([0, 0, 54, 14])
        square = {"/Subtype": pikepdf.Name.Square, "/Rect": [124, 196, 178, 210], "/F": 4, "/AP": {"/N": look}}
        mark = {"/Subtype": pikepdf.Name.Redact, "/Rect": [50, 196, 60, 210]}
        pdf.pages[0].obj["/Annots"] = pikepdf.Array([pikepdf.Dictionary(square), pikepdf.Dictionary(mark)])
        out = io.BytesIO()
        pdf.save(out)
    noticed = read(out.getvalue(), "a.pdf").noticed
    assert noticed[0] == "marks for redaction that were never carried out: page 1"
    assert "8 on page 1" in noticed[1]


def test_the_command_and_the_report_say_so(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(page(write, box(124, 54)))
    arguments = ["sanitize", str(tmp_path / "a.pdf"), "--protect", "HIV", "-o", str(tmp_path / "b.pdf")]
    from click.testing import CliRunner

    from taciturn.cli.sanitize import command

    done = CliRunner().invoke(command, [*arguments[1:], "--report", str(tmp_path / "r.html")], catch_exceptions=False)
    assert done.exit_code == 0
    assert "take note: letters under drawn boxes" in " ".join(done.stderr.split())
    assert "letters under drawn boxes" in (tmp_path / "r.html").read_text()


def test_letters_by_what_was_drawn_after_them() -> None:
    glyphs = [Glyph(0, 100.0, x, x + 5, 10.0, "x", i) for i, x in enumerate((0.0, 10.0, 20.0))]
    assert covered(glyphs, [Box(0, 95, 30, 110, before=2)]) == {0, 1}  # the third was written later
    assert covered(glyphs, [Box(0, 102, 30, 110, before=3)]) == set()  # too high
    turned = [Glyph(90, -100.0, 10.0, 15.0, 10.0, "x", 0)]  # up the page, at x 100
    assert covered(turned, [Box(90, 5, 110, 20, before=1)]) == {0}
    assert covered(turned, [Box(5, 90, 20, 110, before=1)]) == set()


def test_a_hostile_stream_costs_no_more_than_its_length() -> None:
    covers = Covers(lambda name: None)
    same = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for _ in range(5_000):
        covers.see("re", (0, 0, 9, 9), same, 1)
        covers.see("f", (), same, 1)
    assert len(covers.boxes) == 2_000
    many = Covers(lambda name: None)
    for _ in range(5_000):
        many.see("re", (0, 0, 9, 9), same, 1)
    many.see("f", (), same, 1)
    many.see("l", ("x",), same, 1)
    assert many.boxes == []
