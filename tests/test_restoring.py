"""The key file: exact restoration of every format, one clear line for a wrong key, values in other texts."""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.cli import main
from taciturn.cli.restore import command as restore
from taciturn.cli.sanitize import command as sanitize
from taciturn.restoring import KeyFile, KeyFileError

TEXT = "Ms. Jane Hernandez called 617-555-0143 on March 12, 2014.\r\n"
ENV = {"TACITURN_PASSPHRASE": "open sesame"}


def written(folder: Path, suffix: str) -> Path:
    path = folder / f"note{suffix}"
    if suffix == ".docx":
        docx = pytest.importorskip("docx")
        made = docx.Document()
        made.add_paragraph(TEXT.strip())
        made.save(str(path))
    elif suffix == ".pdf":
        canvas = pytest.importorskip("reportlab.pdfgen.canvas")
        page = canvas.Canvas(str(path))
        page.drawString(72, 720, TEXT.strip())
        page.save()
    elif suffix == ".xlsx":
        book = pytest.importorskip("openpyxl").Workbook()
        book.active["A1"] = TEXT.strip()
        book.save(str(path))
    elif suffix == ".pptx":
        slides = pytest.importorskip("pptx").Presentation()
        slides.slides.add_slide(slides.slide_layouts[5]).shapes.title.text = TEXT.strip()
        slides.save(str(path))
    elif suffix == ".parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.table({"note": [TEXT.strip()]}), str(path))
    elif suffix == ".zip":
        with ZipFile(path, "w") as archive:
            archive.writestr("note.txt", TEXT)
    else:
        shown = {
            ".rtf": f"{{\\rtf1\\ansi {TEXT.strip()}}}",
            ".eml": f"Subject: a note\nContent-Type: text/plain\n\n{TEXT}",
            ".tsv": f"id\tnote\n1\t{TEXT.strip()}\n",
            ".jsonl": f'{{"a": "{TEXT.strip()}"}}\n',
            ".html": f"<p>{TEXT}</p>",
            ".csv": f'id,note\n1,"{TEXT.strip()}"\n',
            ".json": f'{{"a": "{TEXT.strip()}"}}',
        }
        path.write_bytes(shown.get(suffix, TEXT).encode())
    return path


FORMATS = [".txt", ".html", ".csv", ".tsv", ".json", ".jsonl", ".md", ".rtf", ".eml", ".parquet", ".zip"]


@pytest.mark.parametrize("suffix", [*FORMATS, ".docx", ".xlsx", ".pptx", ".pdf"])
@pytest.mark.parametrize("mark", ["surrogate", "kind"])
def test_every_format_comes_back_byte_for_byte(tmp_path: Path, suffix: str, mark: str) -> None:
    note = written(tmp_path, suffix)
    out, key, back = (str(tmp_path / name) for name in (f"out{suffix}", "note.key", f"back{suffix}"))
    arguments = [str(note), "--policy", "hipaa-safe-harbor", "--mark", mark, "--key", key, "-o", out]
    run = CliRunner(env=ENV).invoke(sanitize, arguments)
    assert run.exit_code == 0, run.output
    assert b"Hernandez" not in Path(out).read_bytes() + Path(key).read_bytes()
    run = CliRunner(env=ENV).invoke(restore, [out, "--key", key, "-o", back])
    assert run.exit_code == 0, run.output
    assert Path(back).read_bytes() == note.read_bytes()


def test_a_wrong_passphrase_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "n.key").write_bytes(KeyFile().adding(b"a", b"b", {}).sealed("right"))
    (tmp_path / "b").write_bytes(b"b")
    (tmp_path / "p").write_text("wrong\n", "utf-8")
    files = [str(tmp_path / name) for name in ("b", "n.key", "p")]
    arguments = ["taciturn", "restore", files[0], "--key", files[1], "--passphrase-file", files[2]]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.strip().count("\n") == 0
    assert "does not open: the passphrase is another one" in told.err


@settings(max_examples=5, deadline=None)
@given(st.binary(max_size=80), st.binary(max_size=80), st.dictionaries(st.text(min_size=1), st.text(), max_size=3))
def test_sealed_and_opened_again(original: bytes, released: bytes, values: dict[str, str]) -> None:
    made = KeyFile().adding(original, released, values)
    opened = KeyFile.open(made.sealed("x"), "x")
    assert opened.restore(released) == original
    assert dict(opened.values) == dict(made.values)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b'{"taciturn": "key/1"}'])
def test_what_is_no_key_file_is_refused(data: bytes) -> None:
    with pytest.raises(KeyFileError):
        KeyFile.open(data, "x")
