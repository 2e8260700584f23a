"""Workbooks: made by openpyxl and by hand, released, and read again by other programs."""

from __future__ import annotations

import datetime
import io
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from taciturn.formats import FormatError, LimitError, Limits, Options, read, write
from taciturn.plan import Plan, apply
from tests.formats.nasty import HIDE, NAME
from tests.formats.plans import hide, release
from tests.formats.test_pptx import with_parts
from tests.formats.test_watch_office import everything


def book(change: Callable[[Any], None] = lambda workbook: None) -> bytes:
    """A workbook with the name at every place that openpyxl can write to, and what ``change`` adds."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Visits"
    sheet.append(["who", "note", "born", "count"])
    sheet.append([NAME, f"Seen: {NAME}.", datetime.date(1984, 3, 12), 3])
    sheet.append([NAME, "again", datetime.datetime(2026, 11, 2, 10, 30), 4])
    sheet["A5"], sheet["D5"], sheet["E5"] = f'="{NAME}"&"!"', "=SUM(D2:D3)", '=IF(D2>1,"Antonio Banderas","x")'
    sheet["A2"].comment = Comment(f"Ask {NAME}", "Jane Roe")
    sheet["A2"].hyperlink = "https://e.org/Antonio_Banderas"
    sheet["B2"].font = Font(bold=True)
    sheet.oddHeader.left.text = f"Left {NAME}"
    sheet.oddFooter.center.text = "Page &P of &N"
    choices = DataValidation(type="list", formula1=f'"{NAME},other"', showDropDown=False)
    choices.prompt = f"Choose {NAME}"
    sheet.add_data_validation(choices)
    choices.add("F2")
    hidden = workbook.create_sheet("Old")
    hidden.sheet_state = "veryHidden"
    hidden["A1"] = f"hidden {NAME}"
    workbook.defined_names["Antonio_Banderas"] = DefinedName("Antonio_Banderas", attr_text="Visits!$A$2")
    workbook.defined_names["Counts"] = DefinedName("Counts", attr_text="Visits!$D$2:$D$3")
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=4, min_row=1, max_row=3), titles_from_data=True)
    chart.title = f"Chart of {NAME}"
    sheet.add_chart(chart, "H2")
    sheet["D2"].number_format = f'0" {NAME}"'
    workbook.properties.creator = NAME
    change(workbook)
    buffer = io.BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


def test_a_workbook_loses_the_name_everywhere_and_keeps_the_rest() -> None:
    file, data = release(book(), "a.xlsx", HIDE)
    assert file.format == "xlsx"
    assert "banderas" not in re.sub(r"[\W_]", "", everything(data)).lower()
    made = openpyxl.load_workbook(io.BytesIO(data))
    sheet = made["Visits"]
    assert [c.value for c in sheet[1]][:4] == ["who", "note", "born", "count"]
    assert sheet["A2"].value == "an actor"
    assert sheet["B2"].value == "Seen: an actor."
    assert sheet["B2"].font.bold
    assert sheet["C2"].value == datetime.datetime(1984, 3, 12)
    assert sheet["D5"].value == "=SUM(D2:D3)"
    assert sheet["A2"].comment.text == "Ask an actor"
    assert sheet["A2"].comment.author == "Author"
    assert sheet.oddFooter.center.text == "Page &P of &N"
    assert "an actor" in sheet.oddHeader.left.text
    assert made["Old"].sheet_state == "veryHidden"
    assert made["Old"]["A1"].value == "hidden an actor"
    assert list(made.defined_names) == ["Counts"]
    assert "a hidden sheet is released as well" in file.noticed
    assert "formulas that yield text" in file.dropped
    assert {"sheet 1", "sheet 2", "comment"} <= {s.place for s in file.document.segments}


def test_dates_are_read_as_dates_and_hidden_as_such() -> None:
    data = book(lambda w: w.active.__setitem__("G2", datetime.time(6, 0)))
    file = read(data, "a.xlsx")
    assert "1984-03-12" in file.document.text
    assert "2026-11-02 10:30" in file.document.text
    assert "30753" not in file.document.text
    made = write(file, hide(file.document, {"1984-03-12": "in 1984", **HIDE}))
    sheet = openpyxl.load_workbook(io.BytesIO(made))["Visits"]
    assert sheet["C2"].value == "in 1984"
    assert sheet["C3"].value == datetime.datetime(2026, 11, 2, 10, 30)
    assert "30753" not in everything(made)


def test_numbers_are_read_and_an_edited_one_becomes_text() -> None:
    def phone(workbook: Any) -> None:
        workbook.active["G2"], workbook.active["G3"] = 6175550123, True

    _, made = release(book(phone), "a.xlsx", {**HIDE, "6175550123": "[PHONE]"})
    sheet = openpyxl.load_workbook(io.BytesIO(made))["Visits"]
    assert (sheet["G2"].value, sheet["G3"].value) == ("[PHONE]", True)


def test_a_cell_with_the_name_of_a_code_is_no_code() -> None:
    def code(workbook: Any) -> None:
        workbook.active["B20"] = "Dx: B20"

    _, made = release(book(code), "a.xlsx", {**HIDE, "B20": "[CODE]"})
    assert openpyxl.load_workbook(io.BytesIO(made))["Visits"]["B20"].value == "Dx: [CODE]"


def test_one_shared_string_is_edited_where_it_stands() -> None:
    def twice(workbook: Any) -> None:
        workbook.active["G2"], workbook.active["G3"] = "same words", "same words"

    file = read(book(twice), "a.xlsx")
    assert file.document.text.count("same words") == 2


def test_the_watch_reaches_names_of_sheets_formulas_and_formats() -> None:
    def zebra(workbook: Any) -> None:
        workbook.create_sheet("zebra data")["A1"] = 5
        workbook.active["G2"] = "='zebra data'!A1"
        workbook.active["G3"] = "=SUM(D2:D3)"
        workbook.active["G4"] = 7
        workbook.active["G4"].number_format = '0" zebra"'
        workbook.defined_names["zebra"] = DefinedName("zebra", attr_text="Visits!$A$1")

    file = read(book(zebra), "a.xlsx")
    made = write(file, hide(file.document, HIDE), lambda t: [m.span() for m in re.finditer("zebra", t, re.I)])
    assert "zebra" not in everything(made).lower()
    workbook = openpyxl.load_workbook(io.BytesIO(made))
    assert workbook.sheetnames == ["Visits", "Old", "Sheet3"]
    assert workbook["Visits"]["G3"].value == "=SUM(D2:D3)"


def test_tables_and_pivot_caches_go_and_their_cells_stay() -> None:
    def table(workbook: Any) -> None:
        workbook.active.add_table(Table(displayName="T", ref="A1:D3"))

    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    cache = f"<pivotCacheRecords {space}><r><s v='{NAME}'/></r></pivotCacheRecords>"
    data = with_parts(book(table), {"xl/pivotCache/pivotCacheRecords1.xml": cache, "xl/connections.xml": "<x/>"})
    file, made = release(data, "a.xlsx", HIDE)
    assert "pivot tables (their cells stay)" in file.dropped
    assert "tables (their cells stay)" in file.dropped
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert not [n for n in archive.namelist() if "pivot" in n or "tables/" in n or "connections" in n]
    assert openpyxl.load_workbook(io.BytesIO(made))["Visits"]["A2"].value == "an actor"


def test_threaded_comments_and_their_persons() -> None:
    space = 'xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"'
    threads = (
        f'<ThreadedComments {space}><threadedComment ref="A2" dT="2026-01-02T00:00:00.00" personId="{{1}}" id="{{2}}">'
        f"<text>Ask {NAME} again</text></threadedComment></ThreadedComments>"
    )
    person = '<person displayName="Jane Roe" id="{1}" userId="jane@e.org" providerId="AD"/>'
    persons = f"<personList {space}>{person}</personList>"
    data = with_parts(book(), {"xl/threadedComments/threadedComment1.xml": threads, "xl/persons/person.xml": persons})
    _, made = release(data, "a.xlsx", HIDE)
    shown = everything(made)
    assert "Ask an actor again" in shown
    assert "Jane Roe" not in shown
    assert "jane@" not in shown
    assert "2026-01-02" not in shown


def shared(write_to: Callable[[Any, Any], None]) -> bytes:
    """A workbook by XlsxWriter, which shares strings and writes the values of formulas beside them."""
    buffer = io.BytesIO()
    workbook = xlsxwriter.Workbook(buffer, {"in_memory": True})
    write_to(workbook, workbook.add_worksheet("First"))
    workbook.close()
    return buffer.getvalue()


def test_shared_strings_are_read_in_the_cells_that_show_them() -> None:
    def cells(workbook: Any, sheet: Any) -> None:
        sheet.write_row(0, 0, ["who", NAME, "who"])
        sheet.write_rich_string("A2", "Mr Anto", workbook.add_format({"bold": True}), "nio Ban", "deras left")
        sheet.write_formula("A3", '="Antonio "&"Banderas"', None, NAME)
        sheet.write_formula("B3", "=1+1", None, 2)
        sheet.write_formula("C3", '=LEN("Antonio Banderas")', None, 16)

    file, data = release(shared(cells), "a.xlsx", HIDE)
    assert [file.document.text[s.start : s.end] for s in file.document.segments if s.place == "sheet 1"] == [
        "who", NAME, "who", f"Mr {NAME} left", NAME, "2", "16",
    ]  # fmt: skip
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert "xl/sharedStrings.xml" not in archive.namelist()
    sheet = openpyxl.load_workbook(io.BytesIO(data))["First"]
    assert [c.value for c in sheet[1]] == ["who", "an actor", "who"]
    assert [c.value for c in sheet[3]] == ["an actor", "=1+1", 16]
    assert sheet["A2"].value == "Mr an actor left"


def test_strings_that_are_repeated_without_end_are_refused() -> None:
    def cells(workbook: Any, sheet: Any) -> None:
        for row in range(1000):
            sheet.write_string(row, 0, "x" * 3_000)

    data = shared(cells)
    with pytest.raises(LimitError, match="more than the limit"):
        read(data, "a.xlsx", Options(limits=Limits(expanded=1_000_000)))
    read(data, "a.xlsx", Options(limits=Limits(expanded=10_000_000)))


def test_a_shared_formula_goes_with_its_first() -> None:
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rows = (
        f"<worksheet {space}><sheetData>"
        "<row r='1'><c r='A1'><f t='shared' ref='A1:A2' si='0'>LEN(\"secret\")</f><v>6</v></c>"
        "<c r='B1'><f t='shared' ref='B1:B2' si='1'>1+1</f><v>2</v></c></row>"
        "<row r='2'><c r='A2'><f t='shared' si='0'/><v>6</v></c><c r='B2'><f t='shared' si='1'/><v>2</v></c></row>"
        "</sheetData></worksheet>"
    )
    data = with_parts(shared(lambda w, s: None), {"xl/worksheets/sheet1.xml": rows})
    file = read(data, "a.xlsx")
    made = write(file, apply(Plan(file.document)))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "secret" not in sheet
    assert 'si="0"' not in sheet
    assert sheet.count('si="1"') == 2


def test_binary_and_old_workbooks_are_refused_with_advice() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.bin", b"x")
    with pytest.raises(FormatError, match=r"save it as \.xlsx"):
        read(buffer.getvalue(), "a.xlsb")


def test_a_workbook_without_edits_shows_the_same() -> None:
    data = book()
    file = read(data, "a.xlsx")
    made = openpyxl.load_workbook(io.BytesIO(write(file, apply(Plan(file.document)))))
    source = openpyxl.load_workbook(io.BytesIO(data))
    for name in source.sheetnames:
        for row in source[name].iter_rows():
            for cell in row:
                if not str(cell.value).startswith("="):
                    assert made[name][cell.coordinate].value == cell.value
                    assert made[name][cell.coordinate].number_format == cell.number_format


@pytest.mark.slow
def test_libreoffice_opens_what_is_released(program: Callable[[str], str], tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(release(book(), "a.xlsx", HIDE)[1])
    command = [program("soffice"), "--headless", "--convert-to", "csv", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "a.xlsx")], capture_output=True, timeout=300, check=True)
    if not (tmp_path / "a.csv").exists():
        pytest.skip("LibreOffice is here without its Calc")
    shown = (tmp_path / "a.csv").read_text("utf-8")
    assert "an actor,Seen: an actor." in shown
    assert "Banderas" not in shown
