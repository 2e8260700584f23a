"""Presentations: made by python-pptx and by hand, released, and read again by other programs."""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from taciturn.formats import read, write
from taciturn.plan import Plan, apply
from tests.formats.nasty import HIDE, NAME
from tests.formats.plans import release
from tests.formats.test_watch_office import everything


def deck() -> bytes:
    """A presentation with the name at every place that python-pptx can write to."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = f"About {NAME}"
    paragraph = slide.placeholders[1].text_frame.paragraphs[0]
    for piece, bold in (("Mr An", False), ("ton", True), ("io Banderas acts.", False)):
        run = paragraph.add_run()
        run.text, run.font.bold = piece, bold
    slide.notes_slide.notes_text_frame.text = f"Do not name {NAME}."
    table = slide.shapes.add_table(1, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = NAME, "x"
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(1), Inches(1))
    box.text_frame.text = "link"
    box.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://e.org/Antonio_Banderas"
    box.name = NAME
    second = deck.slides.add_slide(deck.slide_layouts[5])
    chart = CategoryChartData()
    chart.categories = [NAME, "other"]
    chart.add_series(f"{NAME} series", (1, 2))
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), chart)
    deck.slide_master.placeholders[0].text_frame.text = f"Master {NAME}"
    deck.slide_layouts[1].placeholders[0].text_frame.text = f"Layout {NAME}"
    deck.core_properties.author = NAME
    deck.core_properties.title = NAME
    buffer = io.BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def with_parts(data: bytes, extra: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            if name not in extra:
                new.writestr(name, old.read(name))
        for name, text in extra.items():
            new.writestr(name, text)
    return buffer.getvalue()


def _texts(data: bytes) -> list[str]:
    """What python-pptx finds."""
    found = []
    for slide in Presentation(io.BytesIO(data)).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                found.append(shape.text_frame.text)
            if shape.has_table:
                found += [cell.text for row in shape.table.rows for cell in row.cells]
            if shape.has_chart:
                found += [str(c) for c in shape.chart.plots[0].categories]
        if slide.has_notes_slide:
            found.append(slide.notes_slide.notes_text_frame.text)
    return found


def test_a_deck_loses_the_name_everywhere_and_keeps_the_rest() -> None:
    file, data = release(deck(), "a.pptx", HIDE)
    assert file.format == "pptx"
    assert "banderas" not in re.sub(r"[\W_]", "", everything(data)).lower()
    texts = _texts(data)
    assert "About an actor" in texts
    assert "Mr an actor acts." in texts
    assert "Do not name an actor." in texts
    assert texts.count("an actor") >= 2
    assert {"slide 1", "notes 1", "layout", "master", "chart"} <= {s.place for s in file.document.segments}
    assert "properties" in file.dropped
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        inner = [n for n in archive.namelist() if n.endswith(".xlsx")]
        assert inner, "the workbook of the chart stays"
        assert "banderas" not in everything(archive.read(inner[0])).lower()


def test_comments_and_their_authors() -> None:
    space = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    comment = (
        f'<p:cmLst {space}><p:cm authorId="0" dt="2026-01-01T00:00:00.000" idx="1"><p:pos x="1" y="1"/>'
        f"<p:text>Ask {NAME}</p:text></p:cm></p:cmLst>"
    )
    one = '<p:cmAuthor id="0" name="Jane Roe" initials="JR" lastIdx="1" clrIdx="0"/>'
    author = f"<p:cmAuthorLst {space}>{one}</p:cmAuthorLst>"
    data = with_parts(deck(), {"ppt/comments/comment1.xml": comment, "ppt/commentAuthors.xml": author})
    file, made = release(data, "a.pptx", HIDE)
    assert "comment" in file.places
    shown = everything(made)
    assert "Ask an actor" in shown
    assert "Jane Roe" not in shown
    assert "2026-01-01" not in shown


def test_the_watch_reaches_names_links_and_tags() -> None:
    deck_ = Presentation()
    slide = deck_.slides.add_slide(deck_.slide_layouts[5])
    slide.shapes.title.text = "Words"
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(1), Inches(1))
    box.text_frame.text = "link"
    box.text_frame.paragraphs[0].runs[0].hyperlink.address = "https://e.org/zebra"
    buffer = io.BytesIO()
    deck_.save(buffer)
    file = read(buffer.getvalue(), "a.pptx")
    made = write(file, apply(Plan(file.document)), lambda t: [m.span() for m in re.finditer("zebra", t)])
    assert "zebra" not in everything(made)
    assert _texts(made) == _texts(buffer.getvalue())


def test_slides_stand_in_the_order_of_their_numbers() -> None:
    deck_ = Presentation()
    for number in range(1, 12):
        deck_.slides.add_slide(deck_.slide_layouts[5]).shapes.title.text = f"Number {number}"
    buffer = io.BytesIO()
    deck_.save(buffer)
    text = read(buffer.getvalue(), "a.pptx").document.text
    assert text.index("Number 2\n") < text.index("Number 10\n")


def test_a_part_that_is_renamed_keeps_its_relations() -> None:
    """Without them a slide has no layout, and programs show nothing of it."""
    made = release(deck(), "a.pptx", {"slide": "thing"})[1]
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        names = set(archive.namelist())
    relations = {name for name in names if name.endswith(".rels") and name != "_rels/.rels"}
    assert any("/part" in name for name in relations)
    assert all(name.replace("_rels/", "").removesuffix(".rels") in names for name in relations)
    assert [s.slide_layout.name for s in Presentation(io.BytesIO(made)).slides] == ["Title and Content", "Title Only"]


def test_names_that_programs_give_to_shapes_are_no_text() -> None:
    text = read(deck(), "a.pptx").document.text
    assert "Slide Number Placeholder" not in text
    assert NAME in text


@pytest.mark.slow
def test_libreoffice_opens_what_is_released(program: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "a.pptx").write_bytes(release(deck(), "a.pptx", HIDE)[1])
    command = [
        program("soffice"),
        "--headless",
        "--convert-to",
        "pdf",
        "--outdir",
        str(tmp_path),
        str(tmp_path / "a.pptx"),
    ]
    subprocess.run(command, capture_output=True, timeout=300, check=True)
    if not (tmp_path / "a.pdf").exists():
        pytest.skip("LibreOffice is here without its Impress")
    shown = subprocess.run(
        ["pdftotext", str(tmp_path / "a.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "an actor acts" in shown
    assert "Banderas" not in shown
