"""Tables are released row by row: what a row hides stays in others, headers stay, memory is bounded."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from taciturn import CSanitized, Kinds
from taciturn.cli.check import command as check
from taciturn.cli.sanitize import command as sanitize
from taciturn.document import Span
from taciturn.errors import NotReleasedError
from taciturn.formats import FormatError, Options, read, read_rows, write
from taciturn.formats.file import File
from taciturn.formats.sweep import Sweeper
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.language import Analysis
from taciturn.models import Guarantee
from taciturn.plan import Edit, Plan, apply
from taciturn.policy import Policy
from taciturn.release import sanitize as release
from taciturn.tables import check_table, release_table

MODEL = CSanitized(protect=["HIV"])
SMALL = Knowledge(ContextCounts([{"HIV", "AIDS"}, {"cat"}]))

cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=6)


@given(
    st.lists(st.lists(cells, min_size=2, max_size=3), min_size=1, max_size=5), st.sampled_from(",;\t"), st.booleans()
)
def test_rows_put_together_are_the_table(rows: list[list[str]], sep: str, quote_all: bool) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=sep, quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL).writerows(rows)
    data = buffer.getvalue().encode()
    table = read_rows(data, "a.tsv" if sep == "\t" else "a.csv")
    assert table is not None
    pieces = [f if isinstance(f, bytes) else _unchanged(f) for _, f in table.files()]
    assert b"".join(table.assemble(Sweeper([]), pieces)) == data


def _unchanged(file: File) -> bytes:
    return write(file, apply(Plan(file.document)))


def test_a_row_hides_for_itself() -> None:
    data = b"visit,who,note\n1,Ann Lee,Ann Lee came.\n2,Ann Lee,nothing\n3,Bob Ray,Bob Ray came on 3.\n"
    table = read_rows(data, "a.csv", Options(columns=("note",)))
    assert table is not None
    made = release_table(table, Kinds(hide=["person"]), SMALL).data
    assert made == (b"visit,who,note\n1,[person],[person] came.\n2,Ann Lee,nothing\n3,[person],[person] came on 3.\n")


@dataclass(frozen=True)
class _Words:
    """A model that protects nothing by name and replaces a word wherever it stands."""

    word: str = "patient"
    name: str = "words"

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        text = analysis.document.text
        found = re.finditer(self.word, text)
        return Plan(analysis.document, tuple(Edit(*m.span(), m.group(), "person", model=self.name) for m in found))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        count = analysis.document.text.count(self.word)
        return Guarantee(self.name, "no such word", not count, 1.0 - count, {}, {"words": 1, "share": 0.5})


def test_headers_stay_although_their_words_are_hidden_in_rows() -> None:
    data = b"patient,note\n1,The patient left.\n2,A patient.\n"
    table = read_rows(data, "a.csv")
    assert table is not None
    release = release_table(table, _Words(), SMALL)
    assert release.data == b"patient,note\n1,The person left.\n2,A person.\n"
    [guarantee] = release.certificate.guarantees
    assert (guarantee.figures["words"], guarantee.figures["share"], guarantee.figures["rows"]) == (2, 0.5, 2)
    assert "each row" in guarantee.statement
    lines = read_rows(b'{"patient": "The patient left."}\n\n{"patient": 2}', "a.jsonl")
    assert lines is not None
    assert release_table(lines, _Words(), SMALL).data == b'{"patient": "The person left."}\n\n{"patient": 2}'


def test_a_protected_title_and_a_name_in_a_title_go() -> None:
    table = read_rows(b"id,HIV test,Ann Lee\n1,,Ann Lee left.\n", "a.csv")
    assert table is not None
    release = release_table(table, [MODEL, Kinds(hide=["person"])], SMALL)
    assert release.data == b"id,[REDACTED] test,[person]\n1,,[person] left.\n"


@pytest.mark.parametrize(
    ("source", "released"),
    [
        (b"Ann Lee,1985-03-12\nBob Ray,1990-01-01\n", b"[person],1985-03-12\n[person],1990-01-01\n"),
        (b'id,"note\n1,Ann Lee came.\n"\n2,Well.\n', b'id,"note\n1,[person] came.\n"\n2,Well.\n'),
        (b'id,Ann Lee,"came" in\n2,Well.,a\n', b'id,[person],"came" in\n2,Well.,a\n'),
        (b"Notes on Ann Lee\nid,note\n2,Well.\n3,Well.\n", b"Notes on [person]\nid,note\n2,Well.\n3,Well.\n"),
        (b'id,"Ann\nLee",Bob\n2,Well.,a\n', b'id,"[person]",Bob\n2,Well.,a\n'),
    ],
    ids=["no titles", "open quote", "quote out of place", "caption", "title of two lines"],
)
def test_what_is_no_title_is_read_though_it_stands_in_the_first_row(source: bytes, released: bytes) -> None:
    table = read_rows(source, "a.csv")
    assert table is not None
    assert release_table(table, Kinds(hide=["person"]), SMALL).data == released
    file = read(source, "a.csv")
    applied = release(file.document, Kinds(hide=["person"]), SMALL).applied
    assert write(file, applied) == released


def test_titles_beside_one_of_two_lines_stay() -> None:
    table = read_rows(b'patient,"date of the\npatient"\n1,The patient left.\n', "a.csv")
    assert table is not None
    assert release_table(table, _Words(), SMALL).data == b'patient,"date of the\nperson"\n1,The person left.\n'


def test_a_row_that_fails_is_named_and_nothing_is_released() -> None:
    table = read_rows(b"note\nfine\nthe patient\n", "a.csv")
    assert table is not None

    class Never(_Words):
        def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
            return Plan(analysis.document)

    with pytest.raises(NotReleasedError, match=r"row 3 of 'a\.csv'"):
        release_table(table, Never(), SMALL)
    found = check_table(table, Never(), SMALL)
    assert not found.holds
    assert found.margin == 0.0


def test_parquet_keeps_its_types() -> None:
    source = pa.table(
        {
            "id": pa.array([1, 2], pa.int16()),
            "note": ["He has AIDS.", None],
            "tags": [["AIDS", "x"], []],
            "when": pa.array([0, 1], pa.timestamp("ns")),
            "kind": pa.array(["AIDS", "b"]).dictionary_encode(),
            "raw": pa.array([b"AIDS", b"\xff"], pa.binary()),
        }
    )
    buffer = io.BytesIO()
    pq.write_table(source, buffer)
    table = read_rows(buffer.getvalue(), "a.parquet")
    assert table is not None
    made = pq.read_table(io.BytesIO(release_table(table, MODEL, SMALL).data))
    assert made.column_names == source.column_names
    assert made.schema.field("id").type == pa.int16()
    assert made.column("when").to_pylist() == source.column("when").to_pylist()
    assert made.column("note").to_pylist() == ["He has [REDACTED].", None]
    assert made.column("tags").to_pylist() == [["[REDACTED]", "x"], []]
    assert made.column("kind").to_pylist() == ["[REDACTED]", "b"]
    assert made.column("raw").to_pylist() == [b"[REDACTED]", None]


def test_columns_of_json_lines() -> None:
    data = b'{"note": "He has AIDS.", "deep": {"note": "AIDS"}, "n": 5}\n'
    table = read_rows(data, "a.jsonl", Options(columns=("note",)))
    assert table is not None
    [(_, file)] = table.files()
    assert isinstance(file, File)
    assert file.document.text == "He has AIDS."
    made = json.loads(release_table(table, MODEL, SMALL).data)
    assert made == {"note": "He has [REDACTED].", "deep": {"note": "[REDACTED]"}, "n": 5}
    with pytest.raises(FormatError, match="is it 'note'"):
        read_rows(data, "a.jsonl", Options(columns=("Note",)))


def test_what_is_no_table_is_none() -> None:
    assert read_rows(b"A text.", "a.txt") is None
    assert read_rows(b'{"a": 1}', "a.json") is None


def test_the_commands_release_and_check_rows(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"who,note\nx,He has AIDS.\ny,Well.\n")
    out, report, certificate = tmp_path / "out.csv", tmp_path / "r.html", tmp_path / "c.json"
    more = ["-o", str(out), "--report", str(report), "--certificate", str(certificate)]
    run = CliRunner().invoke(sanitize, [str(tmp_path / "t.csv"), "--protect", "HIV", *more])
    assert run.exit_code == 0, run.output
    assert "2 rows, 1 edits" in run.output
    assert out.read_bytes() == b"who,note\nx,He has an infection.\ny,Well.\n"
    assert "<td>2<td>note<td>AIDS<td>an infection<td>" in report.read_text("utf-8")
    stated = json.loads(certificate.read_text("utf-8"))
    assert stated["guarantees"][0]["figures"]["rows"] == 2
    again = [str(out), "--protect", "HIV", "--certificate", str(certificate)]
    held = CliRunner().invoke(check, again, standalone_mode=False)
    assert held.return_value == 0, held.output
    failed = CliRunner().invoke(check, [str(tmp_path / "t.csv"), "--protect", "HIV"], standalone_mode=False)
    assert failed.return_value == 1
    assert "row 2: 'AIDS'" in failed.output


def _large(path: Path, megabytes: float) -> int:
    """A table of one note over and over; how many rows it has."""
    note = "The patient was seen again and feels well today, with no new complaints since the last visit. " * 4
    line = f"patient,{note}\n"
    rows = int(megabytes * 2**20) // len(line)
    path.write_text("patient,note\n" + line * rows, "utf-8")
    return rows


def _peak(folder: Path, megabytes: float) -> int:
    """Kilobytes that the release of a large table takes at most, its rows in files."""
    rows = _large(folder / "t.csv", megabytes)
    program = (
        "import pathlib, re, sys\n"
        "from taciturn import Kinds\n"
        "from taciturn.formats import Options, read_rows\n"
        "from taciturn.tables import release_table\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "table = read_rows(path, options=Options(columns=('note',)))\n"
        "release = release_table(table, Kinds(hide=['email']), folder=path.parent)\n"
        # Of this program alone: the figure of getrusage begins with the size of the process that starts it.
        "peak = re.search('VmHWM:[^0-9]*([0-9]+)', open('/proc/self/status').read())[1]\n"
        "print(release.rows, release.pieces.size, peak)\n"
    )
    command = [sys.executable, "-c", program, str(folder / "t.csv")]
    released, size, kilobytes = map(int, subprocess.run(command, capture_output=True, check=True).stdout.split())
    assert released == rows
    assert size == (folder / "t.csv").stat().st_size
    return kilobytes


@pytest.mark.slow
def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    assert _peak(tmp_path, 12) < _peak(tmp_path, 2) + 4_000


def test_a_large_table_leaves_nothing_behind_and_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taciturn.cli.waiting._LARGE", 1000)
    _large(tmp_path / "t.csv", 0.01)
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / "t.csv"
    asked = [str(tmp_path / "t.csv"), "--column", "note", "--model", "kinds", "--hide", "email", "-o", str(out)]
    run = CliRunner().invoke(sanitize, [*asked, "--certificate", str(tmp_path / "c.json")])
    assert run.exit_code == 0, run.output
    assert out.read_bytes() == (tmp_path / "t.csv").read_bytes()
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["t.csv"]
    said = json.loads((tmp_path / "c.json").read_text())
    assert said["released_sha256"] == sha256(out.read_bytes()).hexdigest()
    (tmp_path / "t.csv").write_text("note\nHe has AIDS.\nHe has \x00AIDS.\n" * 100, "utf-8")
    run = CliRunner().invoke(sanitize, asked)
    assert run.exit_code != 0
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["t.csv"]


def test_a_table_that_is_written_to_meanwhile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("note\n" + "Well.\n" * 20_000, "utf-8")
    table = read_rows(path)
    assert table is not None
    rows = table.files()
    next(rows)
    with path.open("a") as file:
        file.write("more\n")
    with pytest.raises(FormatError, match="was written to"):
        list(rows)


@given(st.text('ab,"\r\n', max_size=40), st.integers(1, 5))
def test_rows_in_pieces_are_the_rows(source: str, size: int) -> None:
    from taciturn.formats.table import _lines, _records

    pieces = [source[i : i + size] for i in range(0, len(source), size)]
    found = [[line[a:b] for a, b in record] for line, record in _lines(pieces, ",")]
    assert found == [[source[a:b] for a, b in record] for record in _records(source, ",")]
    assert "".join(line for line, _ in _lines(pieces, ",")) == source


def test_declared_columns_of_a_file_are_terms_as_wholes() -> None:
    data = b"patient,born,mrn,note\nGrace Kim,1950-03-02,A-1234,Grace came.\nMay Long,5 Apr 61,77,Fine.\n"
    declared = (("patient", "name"), ("born", "date"), ("mrn", "identifier"))
    table = read_rows(data, "a.csv", Options(columns=("note",), declared=declared))
    assert table is not None
    lines = release_table(table, Policy.load("hipaa-safe-harbor")).data.decode().splitlines()
    assert lines[1].split(",")[1] == "1950"
    assert not [word for word in ("Grace", "Kim", "Long", "1234", "77", "Apr") if word in "".join(lines)]
    with pytest.raises(FormatError, match="no column 'nmae'"):
        read_rows(data, "a.csv", Options(declared=(("nmae", "name"),)))
