"""Tables in PDFs: cells are texts of their own, in whatever way they are set."""

from __future__ import annotations

import io
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

from taciturn.formats import read
from tests.formats import nasty_pdf

ROWS = [
    ["Drug", "Dose", "Since"],
    ["Atripla", "600 mg", "May 2020"],
    ["Efavirenz", "200 mg", "June 2021"],
    ["Aspirin", "100 mg", "July 2022"],
]


def _passages(data: bytes) -> list[str]:
    document = read(data, "a.pdf").document
    return [document.text[s.start : s.end] for s in document.segments]


def _built(*flow: Any) -> bytes:
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, invariant=1).build(list(flow))
    return buffer.getvalue()


_PLAIN = getSampleStyleSheet()["Normal"]
_PROSE = "The patient was seen in the clinic and asked about the drugs that are listed in the table below. " * 3
_GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]


@pytest.mark.parametrize(
    "style", [[], _GRID, [("ALIGN", (1, 0), (-1, -1), "RIGHT")], [("FONTSIZE", (0, 0), (-1, -1), 12)]]
)
def test_each_cell_is_a_passage(style: list[Any]) -> None:
    found = _passages(
        _built(Paragraph(_PROSE, _PLAIN), Table(ROWS, style=TableStyle(style)), Paragraph(_PROSE, _PLAIN))
    )
    assert [cell for row in ROWS for cell in row] == found[1:-1]
    assert found[0].startswith("The patient was seen")
    assert found[-1].startswith("The patient was seen")


def test_a_table_of_narrow_columns_and_of_two() -> None:
    rows = [row[:2] for row in ROWS]
    assert _passages(_built(Table(rows))) == [cell for row in rows for cell in row]
    tight = TableStyle([("LEFTPADDING", (0, 0), (-1, -1), 4), ("RIGHTPADDING", (0, 0), (-1, -1), 5)])
    assert _passages(_built(Table(ROWS, style=tight))) == [cell for row in ROWS for cell in row]


def test_a_cell_of_several_lines_is_one_passage() -> None:
    long = Paragraph("once in the morning and once in the evening of every day", _PLAIN)
    rows = [["Atripla", "600 mg", long], ["Aspirin", "100 mg", "never"]]
    found = _passages(_built(Table(rows, colWidths=[80, 80, 100])))
    assert sorted(found) == sorted(
        ["Atripla", "600 mg", "once in the morning and once in the evening of every day", "Aspirin", "100 mg", "never"]
    )


def test_labels_and_values_of_a_form() -> None:
    lines = [("Name:", "Antonio Banderas"), ("Born:", "12 May 1960"), ("Drug:", "Atripla")]
    stream = b"".join(
        f"BT /F1 10 Tf 40 {300 - 14 * n} Td ({a}) Tj ET BT /F1 10 Tf 120 {300 - 14 * n} Td ({b}) Tj ET ".encode()
        for n, (a, b) in enumerate(lines)
    )
    assert _passages(nasty_pdf.content(stream))[1:] == [cell for line in lines for cell in line]


def test_columns_of_prose_are_no_table() -> None:
    found = _passages(nasty_pdf.PLACES["two columns"]())
    assert any("Antonio Banderas" in passage for passage in found)
