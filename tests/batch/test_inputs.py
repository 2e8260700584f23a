"""``taciturn batch`` on inputs as hospitals have them: odd names, links, damaged tables, slips on the command line."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from taciturn.batch import find_sources
from taciturn.formats import FormatError
from taciturn.processes import interrupts
from tests.batch import collections as c

SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return c.make_pack(tmp_path_factory.mktemp("knowledge"))


def put(path: Path, text: str = "A cat.\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(*inputs: Path | str, out: Path) -> list[str]:
    return [source.name for source in find_sources([str(given) for given in inputs], out)]


def test_names_begin_with_their_folder_if_there_are_several_inputs(tmp_path: Path) -> None:
    for name in ("a/1.txt", "b/1.txt", "b/c/1.txt", "2.txt"):
        put(tmp_path / name)
    found = names(tmp_path / "a", tmp_path / "b", tmp_path / "2.txt", out=tmp_path / "out")
    assert found == ["2.txt", "a/1.txt", "b/1.txt", "b/c/1.txt"]
    patterns = names(f"{tmp_path}/a/*.txt", f"{tmp_path}/b/*.txt", out=tmp_path / "out")
    assert patterns == ["a/1.txt", "b/1.txt"]
    assert names(tmp_path / "b", out=tmp_path / "out") == ["1.txt", "c/1.txt"]


def test_a_hidden_file_that_is_named_is_an_input(tmp_path: Path) -> None:
    put(tmp_path / "in" / ".1.txt")
    put(tmp_path / "in" / "2.txt")
    assert names(tmp_path / "in", out=tmp_path / "out") == ["2.txt"]
    assert names(tmp_path / "in" / ".1.txt", tmp_path / "in", out=tmp_path / "out") == [".1.txt", "in/2.txt"]


def test_no_name_leads_out_of_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("all/1.txt", "all/in/2.txt", "other/3.txt"):
        put(tmp_path / name)
    found = names(tmp_path / "all" / "in" / "..", tmp_path / "other", out=tmp_path / "out")
    assert found == ["all/1.txt", "all/in/2.txt", "other/3.txt"]
    monkeypatch.chdir(tmp_path / "other")
    assert names(".", "../all/in", out=tmp_path / "out") == ["in/2.txt", "other/3.txt"]


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("1.txt", "ward/2.txt"):
        put(tmp_path / "in" / name)
    scan = os.scandir

    def refuse(folder: str) -> object:  # root, who runs these tests in places, may read everything
        if os.path.basename(folder) == "ward":
            raise PermissionError(13, "Permission denied", folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(FormatError, match="ward' cannot be read: Permission denied"):
        names(tmp_path / "in", out=tmp_path / "out")


@pytest.mark.parametrize("given", ["in", "in/**/*.txt", "."])
def test_an_output_inside_the_input_is_refused_at_once_not_when_resumed(tmp_path: Path, given: str) -> None:
    put(tmp_path / "in" / "1.txt")
    with pytest.raises(FormatError, match="lies inside the input"):
        names(tmp_path / given, out=tmp_path / "in" / "out")
    assert names(tmp_path / "in" / "*.txt", out=tmp_path / "in" / "out") == ["1.txt"]


def test_a_file_where_another_needs_a_folder_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "a" / "notes")
    put(tmp_path / "b" / "notes" / "1.txt")
    with pytest.raises(FormatError, match="needs a folder"):
        names(tmp_path / "a" / "notes", tmp_path / "b" / "notes", out=tmp_path / "out")


def test_links_that_are_not_followed_are_failures_not_silence(tmp_path: Path, pack: str) -> None:
    put(tmp_path / "in" / "1.txt")
    put(tmp_path / "elsewhere" / "2.txt")
    (tmp_path / "in" / "gone.txt").symlink_to("nowhere")
    (tmp_path / "in" / "loop").symlink_to("loop")
    (tmp_path / "in" / ".#1.txt").symlink_to("an editor's lock")
    (tmp_path / "in" / "more").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "in" / "same.txt").symlink_to(tmp_path / "elsewhere" / "2.txt")
    arguments = [str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack)]
    assert c.run(*arguments)[0] == 1
    failed = {e["document"]: e["reason"] for e in c.lines(tmp_path / "out" / "failed.jsonl")}
    assert list(failed) == ["gone.txt", "loop", "more"]
    assert all("link" in reason for reason in failed.values())
    assert list(c.tree(tmp_path / "out" / "released")) == ["1.txt", "same.txt"]
    assert c.run(*arguments, "--resume")[0] == 1


def test_long_names_in_any_script_are_released(tmp_path: Path, pack: str) -> None:
    name = "\u533b" * 80 + ".txt"
    put(tmp_path / "in" / name)
    code, told = c.run(str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack))
    assert code == 0, told
    assert list(c.tree(tmp_path / "out" / "released")) == [name]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_no_text_leaves_the_manifest_readable(tmp_path: Path, pack: str) -> None:
    put(tmp_path / "in" / os.fsdecode(b"\xff.txt"))
    assert c.run(str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack))[0] == 0
    [line] = c.lines(tmp_path / "out" / "manifest.jsonl")
    assert os.fsencode(line["document"]) == b"\xff.txt"


def test_an_output_that_is_a_file_is_refused_with_advice(tmp_path: Path, pack: str) -> None:
    put(tmp_path / "out")
    code, told = c.run(str(put(tmp_path / "1.txt")), "-o", str(tmp_path / "out"), *c.options(pack))
    assert (code, "name another folder" in told) == (2, True), told


def table(tmp_path: Path, pack: str, source: Path, *options: str) -> tuple[int, str]:
    arguments = [str(source), "-o", str(tmp_path / "out"), "--workers", "1", "--text", "note"]
    return c.run(*arguments, *options, *c.options(pack))


def test_line_ends_inside_cells_stay_inside_them(tmp_path: Path, pack: str) -> None:
    rows = [["1", "The cat\rsat."], ["2", "The dog\r\nsat."], ["3", "The nurse\nsat."], ["4", ""]]
    with open(tmp_path / "a.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "note"], *rows])
    assert table(tmp_path, pack, tmp_path / "a.csv")[0] == 0
    with open(tmp_path / "out" / "released" / "a.csv", newline="") as file:
        assert list(csv.reader(file)) == [["id", "note"], *rows]


def test_the_mark_by_which_excel_knows_utf_8_stays(tmp_path: Path, pack: str) -> None:
    source = put(tmp_path / "a.csv", "\ufeffid,note\n1,The caf\u00e9 cat.\n")
    assert table(tmp_path, pack, source)[0] == 0
    assert (tmp_path / "out" / "released" / "a.csv").read_bytes() == source.read_bytes()


@pytest.mark.parametrize(
    "rows",
    [
        '1,Ann,A cat.\n2,Bob,"A dog.\n3,Cyril,A nurse.\n',
        '1,Ann,A cat.\n2,Bob,"A dog.\n3,Cyril,"A nurse."\n',
        '1,Ann,A cat.\n2,Bob,"He said "ouch", then\nHIV, yes, it is"\n',
    ],
    ids=["never closed", "closed in the next row", "not written twice"],
)
def test_a_quote_out_of_place_mixes_no_columns(tmp_path: Path, pack: str, rows: str) -> None:
    source = put(tmp_path / "a.csv", "id,name,note\n" + rows)
    code, told = table(tmp_path, pack, source, "--drop", "name")
    assert (code, "after line 2" in told) == (2, True), told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["--drop", "--id", "--dossier"])
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_column_that_no_row_has_is_a_slip(tmp_path: Path, pack: str, kind: str, option: str) -> None:
    source = tmp_path / f"notes.{kind}"
    (c.write_csv if kind == "csv" else c.write_jsonl)(source, 3)
    code, told = table(tmp_path, pack, source, option, "nmae")
    assert (code, "no column 'nmae'; is it 'name'" in told) == (2, True), told
    assert not (tmp_path / "out").exists()


def test_a_line_may_do_without_a_column(tmp_path: Path, pack: str) -> None:
    source = put(tmp_path / "a.jsonl", '{"note": "A cat.", "id": 7, "name": "Ann"}\n{"note": "A dog."}\n')
    assert table(tmp_path, pack, source, "--drop", "name", "--id", "id", "--dossier", "id")[0] == 0
    manifest = c.lines(tmp_path / "out" / "manifest.jsonl")
    assert [line["id"] for line in manifest] == [7, None]
    assert [line["dossier"]["name"] for line in manifest] == ["7", ""]


def test_a_table_without_a_header_is_not_quoted(tmp_path: Path, pack: str) -> None:
    source = put(tmp_path / "a.csv", "1,Ann Lee,She has HIV\n2,Bob,A cat.\n")
    code, told = table(tmp_path, pack, source)
    assert (code, "in the first line" in told, "Ann" in told, "HIV" in told) == (2, True, False, False), told
    arguments = [str(source), "-o", str(tmp_path / "whole"), "--workers", "1", "--column", "note"]
    assert c.run(*arguments, *c.options(pack))[0] == 1
    assert not any(b"Ann" in data or b"HIV" in data for data in c.tree(tmp_path / "whole").values())


def test_the_manifest_quotes_no_text_as_an_id(tmp_path: Path, pack: str) -> None:
    code, told = table(tmp_path, pack, c.write_csv(tmp_path / "notes.csv", 2), "--id", "note")
    assert (code, "name another column" in told) == (2, True), told


def test_half_a_surrogate_pair_stays_an_escape(tmp_path: Path, pack: str) -> None:
    source = put(tmp_path / "a.jsonl", '{"note": "A cat \\ud83d.", "id": "\\ude00"}\n')
    assert table(tmp_path, pack, source, "--id", "id")[0] == 0
    assert c.lines(tmp_path / "out" / "released" / "a.jsonl") == [{"note": "A cat \ud83d.", "id": "\ude00"}]
    assert c.lines(tmp_path / "out" / "manifest.jsonl")[0]["id"] == "\ude00"


def test_a_damaged_parquet_file_is_named(tmp_path: Path, pack: str) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.table({"note": ["A cat is near the dog."] * 50}), tmp_path / "a.parquet", use_dictionary=False)
    data = bytearray((tmp_path / "a.parquet").read_bytes())
    data[10:60] = b"\x55" * 50
    (tmp_path / "a.parquet").write_bytes(data)
    code, told = table(tmp_path, pack, tmp_path / "a.parquet")
    assert (code, "'a.parquet' is not a Parquet file" in told) == (2, True), told


def test_a_time_that_python_has_not_is_a_failed_row(tmp_path: Path, pack: str) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    until = pa.array([253402318799000000, 0], type=pa.timestamp("us", "America/New_York"))
    pq.write_table(pa.table({"note": ["A cat.", "A dog."], "until": until}), tmp_path / "a.parquet")
    code, told = table(tmp_path, pack, tmp_path / "a.parquet")
    assert code == 1, told
    assert [e["document"] for e in c.lines(tmp_path / "out" / "failed.jsonl")] == ["a.parquet#1"]
    assert pq.read_table(tmp_path / "out" / "released" / "a.parquet")["note"].to_pylist() == ["A dog."]


def test_a_slip_in_the_name_of_a_column_quotes_no_line_of_a_table_without_a_header(tmp_path: Path, pack: str) -> None:
    source = put(tmp_path / "a.csv", "1,Ida,A cat.\n2,Bob,A dog.\n")
    code, told = c.run(str(source), "-o", str(tmp_path / "out"), "--text", "id", *c.options(pack))
    assert (code, "Ida" in told, "no column 'id'" in told) == (2, False, True), told


def test_fail_fast_says_at_what(tmp_path: Path, pack: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"\xff\xfe\x00secret")
    arguments = [str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack)]
    code, told = c.run(*arguments, "--fail-fast")
    assert (code, "a.txt: " in told, "UTF-16" in told, "secret" in told) == (1, True, True, False), told


@pytest.fixture
def heeded() -> Iterator[None]:
    """Ctrl-C counts, here and in what is started: a shell has what runs in its background ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
@pytest.mark.usefixtures("heeded")
def test_a_signal_that_waited_leaves_signals_as_they_were() -> None:
    with interrupts(blocked=True):
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), interrupts(blocked=False):
            pass
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
@pytest.mark.usefixtures("heeded")
def test_ctrl_c_while_workers_start_is_told_in_one_line(tmp_path: Path, pack: str) -> None:
    # Blank lines make each note a chunk of its own, so that the run is not over too soon.
    for path in c.write_folder(tmp_path / "in", 24).rglob("*.txt"):
        path.write_text(path.read_text() + "\n" * 40_000)
    out = tmp_path / "out"
    arguments = [sys.executable, "-m", "taciturn", "batch", str(tmp_path / "in"), "-o", str(out), "--workers", "2"]
    process = subprocess.Popen(
        [*arguments, *c.options(pack)],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (out / "released").exists():
        assert process.poll() is None
        time.sleep(0.002)
    time.sleep(0.25)  # the workers are loading modules by now
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130, told
    assert told.splitlines() == [f"stopped; to go on: the same command with --resume (so far in {out})"]
