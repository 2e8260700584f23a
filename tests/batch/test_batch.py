"""``taciturn batch``: what it writes, and what it refuses."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

from taciturn import CSanitized, sanitize
from taciturn.knowledge import Knowledge
from tests.batch import collections as c


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return c.make_pack(tmp_path_factory.mktemp("knowledge"))


def test_a_folder_is_released_file_by_file_as_sanitize_does(tmp_path: Path, pack: str) -> None:
    source = c.write_folder(tmp_path / "in")
    code, told = c.run(str(source), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack))
    assert (code, "12 of 12" in told) == (0, True), told
    knowledge, model = Knowledge.open(pack), CSanitized(protect=["HIV"], alpha=1.5)
    changed = 0
    for path in sorted(source.rglob("*.txt")):
        name = path.relative_to(source)
        released = (tmp_path / "out" / "released" / name).read_text()
        assert released == sanitize(path.read_text(), model, knowledge).text
        changed += released != path.read_text()
    assert changed
    manifest = c.lines(tmp_path / "out" / "manifest.jsonl")
    assert [e["document"] for e in manifest] == sorted(e["document"] for e in manifest)
    assert all(e["status"] == "released" and e["certificate"]["holds"] for e in manifest)
    private = tmp_path / "out" / ".private"
    [weakest] = json.loads((private / "collection.json").read_text())["documents"]
    margins = {e["document"]: e["private"][0]["margin"] for e in c.lines(private / "manifest.jsonl")}
    assert margins.keys() == {e["document"] for e in manifest}
    assert weakest["margin"] == min(margins.values()) == margins[weakest["document"]]
    assert weakest["closest entity"] == 1
    assert not (tmp_path / "out" / ".private" / "parts").exists()


def test_nothing_public_says_what_was_hidden(tmp_path: Path, pack: str) -> None:
    c.write_folder(tmp_path / "in")
    c.run(str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack))
    for name, data in c.tree(tmp_path / "out").items():
        assert b"HIV" not in data, name


def test_what_is_public_is_the_same_whatever_was_protected(tmp_path: Path, pack: str) -> None:
    """Of texts that are released as they are, for one entity and for another, only private files tell which it was."""
    for i, text in enumerate(("The cat is near the dog.", "The dog is near the nurse.")):
        path = tmp_path / "in" / f"patient{i}" / "note.txt"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    public, private = [], []
    for name in ("HIV", "teapot"):
        asked = ["--protect", name, "--alpha", "1.05", "--knowledge", pack, "--dossier", "folder", "--workers", "1"]
        assert c.run(str(tmp_path / "in"), "-o", str(tmp_path / name), *asked)[0] == 0
        found = c.tree(tmp_path / name)
        public.append({at: data for at, data in found.items() if not at.startswith(".private/")})
        private.append({at: data for at, data in found.items() if at.startswith(".private/") and "run.json" not in at})
    assert {"manifest.jsonl", "collection.json", "dossiers.jsonl", "released/patient0/note.txt"} <= public[0].keys()
    assert public[0] == public[1]
    differing = {at for at, data in private[0].items() if data != private[1][at]}
    assert {".private/manifest.jsonl", ".private/collection.json", ".private/dossiers.jsonl"} <= differing


def test_the_number_of_workers_and_the_order_of_inputs_change_no_byte(
    tmp_path: Path, pack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["taciturn.batch.run"], "_CHUNK_DOCUMENTS", 3)
    c.write_folder(tmp_path / "a", 7)
    c.write_jsonl(tmp_path / "b.jsonl", 7)
    inputs = [str(tmp_path / "a"), str(tmp_path / "b.jsonl")]
    common = [*c.options(pack), "--text", "note"]
    assert c.run(*inputs, "-o", str(tmp_path / "one"), "--workers", "1", *common)[0] == 0
    assert c.run(*inputs[::-1], "-o", str(tmp_path / "two"), "--workers", "2", *common)[0] == 0
    assert c.tree(tmp_path / "one") == c.tree(tmp_path / "two")


def test_rows_of_a_csv(tmp_path: Path, pack: str) -> None:
    c.write_csv(tmp_path / "notes.csv")
    columns = ["--text", "note", "--id", "visit", "--drop", "name"]
    arguments = [str(tmp_path / "notes.csv"), "-o", str(tmp_path / "out"), "--workers", "1"]
    assert c.run(*arguments, *columns, *c.options(pack))[0] == 0
    with open(tmp_path / "out" / "released" / "notes.csv", newline="") as file:
        released = list(csv.DictReader(file))
    assert list(released[0]) == ["visit", "patient", "note", "word"]
    knowledge, model = Knowledge.open(pack), CSanitized(protect=["HIV"], alpha=1.5)
    for before, after in zip(c.rows(), released, strict=True):
        assert after["note"] == sanitize(before["note"], model, knowledge).text
        # A cell beside the text is swept of what the text no longer says.
        gone = before["word"] in before["note"] and before["word"] not in after["note"]
        assert (before["word"] not in after["word"]) == gone
    assert [e["id"] for e in c.lines(tmp_path / "out" / "manifest.jsonl")] == [f"v{i}" for i in range(12)]


def test_bad_rows_fail_alone_and_are_not_released(tmp_path: Path, pack: str) -> None:
    c.write_jsonl(tmp_path / "notes.jsonl", 3)
    with open(tmp_path / "notes.jsonl", "a") as file:
        file.write('{"note": 5}\n{"broken\n{"other": "x"}\n[1]\n{"note": null}\n')
    arguments = [str(tmp_path / "notes.jsonl"), "-o", str(tmp_path / "out"), "--workers", "1", "--text", "note"]
    code, told = c.run(*arguments, *c.options(pack))
    assert (code, "4 of 8" in told) == (1, True), told
    failed = c.lines(tmp_path / "out" / "failed.jsonl")
    assert [e["document"] for e in failed] == [f"notes.jsonl#{n}" for n in (4, 5, 6, 7)]
    assert "not text" in failed[0]["reason"]
    released = c.lines(tmp_path / "out" / "released" / "notes.jsonl")
    assert [r["note"] is None for r in released] == [False, False, False, True]
    assert released[0]["age"] == 40


def test_rows_of_a_parquet_file_keep_their_types(tmp_path: Path, pack: str) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    from datetime import date

    table = pa.Table.from_pylist([{**row, "day": date(2026, 1, 2)} for row in c.rows()])
    pq.write_table(table, tmp_path / "notes.parquet")
    arguments = [str(tmp_path / "notes.parquet"), "-o", str(tmp_path / "out"), "--workers", "1", "--text", "note"]
    assert c.run(*arguments, "--drop", "name", *c.options(pack))[0] == 0
    released = pq.read_table(tmp_path / "out" / "released" / "notes.parquet")
    assert released.schema.field("day").type == pa.date32()
    assert released.num_rows == 12
    assert "name" not in released.column_names
    assert "HIV" not in " ".join(released["note"].to_pylist())


def test_a_file_that_cannot_be_read_fails_with_its_reason(tmp_path: Path, pack: str) -> None:
    c.write_folder(tmp_path / "in", 3)
    (tmp_path / "in" / "bad.txt").write_bytes(b"\xff\xfe\x00secret")
    out = tmp_path / "out"
    code, _ = c.run(str(tmp_path / "in"), "-o", str(out), "--workers", "1", *c.options(pack))
    assert code == 1
    [failure] = c.lines(out / "failed.jsonl")
    assert failure["document"] == "bad.txt"
    assert "UTF-16" in failure["reason"]
    assert not (out / "released" / "bad.txt").exists()
    again = c.tree(out)
    assert c.run(str(tmp_path / "in"), "-o", str(out), "--resume", *c.options(pack))[0] == 1
    assert c.tree(out) == again


def test_fail_fast_stops_and_resume_goes_on(tmp_path: Path, pack: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["taciturn.batch.run"], "_CHUNK_DOCUMENTS", 1)
    c.write_folder(tmp_path / "in", 4)
    (tmp_path / "in" / "a.txt").write_bytes(b"\0")
    arguments = [str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack)]
    code, told = c.run(*arguments, "--fail-fast")
    assert (code, "stopped" in told) == (1, True)
    assert not list((tmp_path / "out" / "released").rglob("*.txt"))
    assert c.run(*arguments, "--resume")[0] == 1
    assert len(list((tmp_path / "out" / "released").rglob("*.txt"))) == 4


def test_what_is_safe_alone_may_not_be_safe_together(tmp_path: Path, pack: str) -> None:
    c.write_folder(tmp_path / "in")
    arguments = [str(tmp_path / "in"), "--workers", "1", *c.options(pack)]
    code, _ = c.run(*arguments, "-o", str(tmp_path / "out"), "--dossier", "folder")
    dossiers = c.lines(tmp_path / "out" / "dossiers.jsonl")
    assert [d["dossier"] for d in dossiers] == ["patient0", "patient1", "patient2"]
    assert all(d["documents"] == 4 for d in dossiers)
    said = json.loads((tmp_path / "out" / "collection.json").read_text())["dossiers"]
    assert said["unsafe"] == sum(not d["holds"] for d in dossiers)
    assert code == (1 if said["unsafe"] else 0)
    # The union is judged as one context: at least as much is told as by any one of its documents.
    manifest = c.lines(tmp_path / "out" / ".private" / "manifest.jsonl")
    for d in c.lines(tmp_path / "out" / ".private" / "dossiers.jsonl"):
        alone = [e for e in manifest if e["document"].startswith(d["dossier"])]
        least = min(e["private"][0]["margin"] for e in alone)
        assert d["private"]["guarantees"][0]["margin"] <= least


def test_a_dropped_column_does_not_name_dossiers(tmp_path: Path, pack: str) -> None:
    c.write_csv(tmp_path / "notes.csv")
    arguments = [str(tmp_path / "notes.csv"), "-o", str(tmp_path / "out"), "--workers", "1", "--text", "note"]
    c.run(*arguments, "--drop", "patient", "--dossier", "patient", *c.options(pack))
    names = [d["dossier"] for d in c.lines(tmp_path / "out" / "dossiers.jsonl")]
    assert names == ["dossier 1", "dossier 2", "dossier 3"]
    assert b'"p1"' not in b"".join(c.tree(tmp_path / "out").values())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--protect", "teapot"], "cannot be resumed"),
        (["--redact"], "cannot be resumed"),
    ],
)
def test_only_the_same_run_is_resumed(tmp_path: Path, pack: str, change: list[str], message: str) -> None:
    c.write_folder(tmp_path / "in", 3)
    arguments = [str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack)]
    assert c.run(*arguments)[0] == 0
    code, told = c.run(*arguments)
    assert (code, "not empty" in told) == (2, True)
    code, told = c.run(*arguments, "--resume", *change)
    assert (code, message in told) == (2, True), told
    (tmp_path / "in" / "patient0" / "note000.txt").write_text("Another text.")
    code, told = c.run(*arguments, "--resume")
    assert (code, "cannot be resumed" in told) == (2, True)


def test_wrong_inputs_are_said_before_anything_is_written(tmp_path: Path, pack: str) -> None:
    c.write_folder(tmp_path / "in", 2)
    c.write_csv(tmp_path / "notes.csv", 2)
    out = ["-o", str(tmp_path / "out"), *c.options(pack)]
    for arguments, message in (
        ([str(tmp_path / "none")], "does not exist"),
        ([str(tmp_path / "none*.txt")], "no file"),
        ([str(tmp_path / "notes.csv"), "--text", "text"], "no column 'text'"),
        ([str(tmp_path / "in"), "--drop", "name"], "--text"),
        ([str(tmp_path / "in"), "--dossier", "patient"], "--text"),
        ([str(tmp_path), "-o", str(tmp_path / "in")], "lies inside"),
    ):
        code, told = c.run(*out, *arguments)
        assert (code, message in told) == (2, True), told
    assert not (tmp_path / "out").exists()


def test_a_policy_rules_a_batch(tmp_path: Path, pack: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.txt").write_text("Write to ann.smith@example.org about the teapot.\n")
    arguments = [str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", "2", "--knowledge", pack]
    assert c.run(*arguments, "--policy", "hipaa-safe-harbor")[0] == 0
    released = (tmp_path / "out" / "released" / "letter.txt").read_text()
    assert "ann.smith" not in released
    assert "teapot" in released
    said = json.loads((tmp_path / "out" / "collection.json").read_text())
    assert len(said["guarantees"]) >= 1
    code, told = c.run(*arguments, "--resume", "--policy", "foia")
    assert (code, "cannot be resumed" in told) == (2, True)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_document_beyond_the_limits_fails_alone(tmp_path: Path, pack: str, workers: str) -> None:
    c.write_folder(tmp_path / "in", 6)
    (tmp_path / "in" / "patient1" / "long.txt").write_text(c.note(1, 60_000))
    (tmp_path / "mine.toml").write_text('title = "x"\n[[protect]]\nterms = ["HIV"]\n[limits]\nseconds = 1.5\n')
    arguments = [str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--workers", workers, "--knowledge", pack]
    code, _ = c.run(*arguments, "--policy", str(tmp_path / "mine.toml"))
    assert code == 1
    [failure] = c.lines(tmp_path / "out" / "failed.jsonl")
    assert failure["document"].endswith("long.txt")
    assert "longer than the limit of 1.5 seconds" in failure["reason"]
    assert len(list((tmp_path / "out" / "released").rglob("*.txt"))) == 6


def test_a_row_that_needs_too_much_memory_fails_alone(tmp_path: Path, pack: str) -> None:
    table = tmp_path / "t.jsonl"
    rows = [{"note": c.note(1)}, {"note": c.note(2) * 100_000}, {"note": c.note(3)}]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = [str(table), "-o", str(tmp_path / "out"), "--workers", "1", "--text", "note", "--max-memory", "64"]
    code, _ = c.run(*arguments, *c.options(pack))
    assert code == 1
    [failure] = c.lines(tmp_path / "out" / "failed.jsonl")
    assert (failure["document"], "64 MB" in failure["reason"]) == ("t.jsonl#2", True)
    assert len(c.lines(tmp_path / "out" / "released" / "t.jsonl")) == 2
