"""What the command line says of files, and how it is told to read them."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner

from taciturn.cli.batch import command as batch
from taciturn.cli.check import command as check
from taciturn.cli.sanitize import command as sanitize
from tests.formats import nasty, nasty_office, nasty_pdf

POLICY = 'title = "x"\n[[protect]]\nwords = ["Antonio Banderas", "Antonio", "Banderas"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.toml").write_text(POLICY, "utf-8")
    return tmp_path


def _release(folder: Path, name: str, data: bytes, *options: str) -> tuple[bytes, str]:
    (folder / name).write_bytes(data)
    arguments = [str(folder / name), "--policy", str(folder / "mine.toml"), "-o", str(folder / f"out-{name}"), *options]
    run = CliRunner().invoke(sanitize, arguments)
    assert run.exit_code == 0, run.output
    return (folder / f"out-{name}").read_bytes(), run.stderr


def test_places_edits_and_what_was_dropped_are_told_reported_and_counted(folder: Path) -> None:
    report, certificate = folder / "r.html", folder / "c.json"
    source = nasty_office.docx()
    _, told = _release(folder, "a.docx", source, "--report", str(report), "--certificate", str(certificate))
    lines = told.splitlines()
    assert any(line.startswith("  looked at: body (") for line in lines)
    assert any(line.startswith("  edited: body (") for line in lines)
    assert any(line.startswith("  not in the release: ") and "properties" in line for line in lines)
    page = report.read_text("utf-8")
    assert "<td>comment</td>" in page
    assert "Not in the release" in page
    public = json.loads(certificate.read_text("utf-8"))["file"]
    assert public["format"] == "docx"
    assert public["edits"] > 5
    assert public["dropped"] > 3
    assert set(public) == {"format", "passages", "edits", "dropped", "unread", "noticed"}
    assert "anderas" not in certificate.read_text("utf-8")


def test_the_private_json_names_places_and_the_public_part_does_not(folder: Path) -> None:
    (folder / "m.eml").write_bytes(nasty.message())
    run = CliRunner().invoke(sanitize, [str(folder / "m.eml"), "--policy", str(folder / "mine.toml"), "--json"])
    said = json.loads(run.stdout)
    assert any(nasty.NAME in place for place in said["report"]["file"]["places"])
    assert "anderas" not in json.dumps(said["certificate"])


def test_pages_become_pictures_and_gaps_close_when_asked(folder: Path) -> None:
    data, told = _release(folder, "a.pdf", nasty_pdf.PLACES["blind fonts"](), "--unreadable", "rasterize")
    assert pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range() == ""
    assert "the text layer and fonts of page 1 (now a picture)" in told
    plain, _ = _release(folder, "b.pdf", nasty_pdf.PLACES["text"]())
    closed, _ = _release(folder, "c.pdf", nasty_pdf.PLACES["text"](), "--close-gaps")
    ends = []
    for released in (plain, closed):
        page = pypdfium2.PdfDocument(released)[0].get_textpage()
        ends.append(page.get_charbox(page.get_text_range().index("acts"))[0])
    assert ends[1] < ends[0] - 10


def test_pictures_are_kept_or_refused_when_asked(folder: Path) -> None:
    source = nasty_pdf.PLACES["pictures"]()
    data, told = _release(folder, "a.pdf", source, "--pictures", "keep")
    assert "  kept unread: pictures" in told
    with pikepdf.open(folder / "out-a.pdf") as pdf:
        assert pdf.pages[0].Resources.XObject.Im0.Width == 4
    arguments = [str(folder / "a.pdf"), "--policy", str(folder / "mine.toml"), "--pictures", "refuse"]
    run = CliRunner().invoke(sanitize, arguments)
    assert run.exit_code != 0
    assert "holds pictures" in str(run.exception)
    assert data.startswith(b"%PDF")


def test_the_command_line_chooses_columns_for_sanitize_check_and_batch(folder: Path) -> None:
    table = b"who,note\nHIV clinic,He has AIDS\n"
    (folder / "t.csv").write_bytes(table)
    words = ["--protect", "HIV", "--column", "note"]
    out = folder / "out.csv"
    run = CliRunner().invoke(sanitize, [str(folder / "t.csv"), *words, "-o", str(out)])
    assert run.exit_code == 0, run.output
    # The other columns are not read, but what is protected is searched in them.
    assert out.read_bytes().startswith(b"who,note\n[REDACTED] clinic,")
    assert b"AIDS" not in out.read_bytes()
    held = CliRunner().invoke(check, [str(out), *words], standalone_mode=False)
    assert held.return_value == 0
    assert CliRunner().invoke(check, [str(folder / "t.csv"), *words], standalone_mode=False).return_value == 1
    many = CliRunner().invoke(
        batch, [str(folder / "t.csv"), *words, "-o", str(folder / "many"), "--workers", "1"], standalone_mode=False
    )
    assert many.return_value == 0, many.output
    assert (folder / "many" / "released" / "t.csv").read_bytes() == out.read_bytes()
    entry = json.loads((folder / "many" / "manifest.jsonl").read_text("utf-8"))
    assert entry["file"] == {"format": "csv", "passages": 1, "edits": 1, "dropped": 0, "unread": 0, "noticed": 0}
