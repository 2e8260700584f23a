"""``taciturn batch`` on archives: the same releases as of the files in a folder."""

from __future__ import annotations

import csv
import io
import sys
import zipfile
from pathlib import Path

import pytest

from tests.batch import collections as c
from tests.batch.collections import pack_folder


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return c.make_pack(tmp_path_factory.mktemp("knowledge"))


@pytest.mark.parametrize("name", ["notes.zip", "notes.tar", "notes.tar.gz", "notes.tar.xz"])
def test_an_archive_is_released_as_its_files(tmp_path: Path, pack: str, name: str) -> None:
    folder = c.write_folder(tmp_path / "in")
    archive = pack_folder(folder, tmp_path / name)
    common = ["--workers", "1", "--dossier", "folder", *c.options(pack)]
    c.run(str(folder), "-o", str(tmp_path / "plain"), *common)
    _, told = c.run(str(archive), "-o", str(tmp_path / "out"), *common)
    assert "12 of 12" in told, told
    plain = {f"{name}/{k}": v for k, v in c.tree(tmp_path / "plain" / "released").items()}
    assert c.tree(tmp_path / "out" / "released") == plain
    dossiers = c.lines(tmp_path / "out" / "dossiers.jsonl")
    assert [d["dossier"] for d in dossiers] == [f"{name}/patient{i}" for i in range(3)]
    assert not list((tmp_path / "out").rglob("*.taciturn"))


def test_archives_beside_files_and_in_archives_with_two_workers(
    tmp_path: Path, pack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["taciturn.batch.run"], "_CHUNK_DOCUMENTS", 3)
    folder = c.write_folder(tmp_path / "all" / "plain", 7)
    inner = pack_folder(folder, tmp_path / "all" / "inner.tar.gz")
    (tmp_path / "outer").mkdir()
    inner.rename(tmp_path / "outer" / "inner.tar.gz")
    pack_folder(tmp_path / "outer", tmp_path / "all" / "outer.zip")
    for workers in ("1", "2"):
        arguments = [str(tmp_path / "all"), "-o", str(tmp_path / workers), "--workers", workers, *c.options(pack)]
        assert c.run(*arguments)[0] == 0
    assert c.tree(tmp_path / "1") == c.tree(tmp_path / "2")
    released = c.tree(tmp_path / "1" / "released")
    own = {k.removeprefix("plain/"): v for k, v in released.items() if k.startswith("plain/")}
    assert own == {
        k.removeprefix("outer.zip/inner.tar.gz/"): v for k, v in released.items() if k.startswith("outer.zip/")
    }
    assert len(own) == 7


def test_a_name_that_leads_out_fails_alone_and_writes_nothing(tmp_path: Path, pack: str) -> None:
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("../escaped.txt", "The cat.")
        archive.writestr("/tmp/escaped.txt", "The cat.")
        archive.writestr("good.txt", "The cat.")
        archive.writestr("picture.png", b"\x89PNG")
        archive.writestr("empty.txt", b"")
    code, told = c.run(str(tmp_path / "bad.zip"), "-o", str(tmp_path / "out"), "--workers", "1", *c.options(pack))
    assert (code, "1 of 5" in told) == (1, True), told
    reasons = {e["document"]: e["reason"] for e in c.lines(tmp_path / "out" / "failed.jsonl")}
    assert "leads out" in reasons["bad.zip/../escaped.txt"]
    assert "picture" in reasons["bad.zip/picture.png"]
    assert [p.name for p in tmp_path.rglob("*.txt")] == ["good.txt"]


def test_tables_in_archives(tmp_path: Path, pack: str) -> None:
    (tmp_path / "in").mkdir()
    c.write_csv(tmp_path / "in" / "notes.csv")
    c.write_jsonl(tmp_path / "in" / "more.jsonl", 5)
    common = ["--workers", "1", "--text", "note", "--dossier", "patient", *c.options(pack)]
    c.run(str(tmp_path / "in"), "-o", str(tmp_path / "plain"), *common)
    archive = pack_folder(tmp_path / "in", tmp_path / "tables.tar.xz")
    c.run(str(archive), "-o", str(tmp_path / "out"), *common)
    plain = c.tree(tmp_path / "plain" / "released")
    assert c.tree(tmp_path / "out" / "released") == {f"tables.tar.xz/{k}": v for k, v in plain.items()}
    table = (tmp_path / "out" / "released" / "tables.tar.xz" / "notes.csv").read_text()
    assert len(list(csv.reader(io.StringIO(table)))) == 13
    (tmp_path / "in" / "letter.txt").write_text("A cat.")
    mixed = pack_folder(tmp_path / "in", tmp_path / "mixed.zip")
    code, told = c.run(str(mixed), "-o", str(tmp_path / "mixed"), *common)
    assert (code, "no tables" in told) == (2, True)


def test_an_archive_that_is_cut_off_is_resumed_and_ends_alike(
    tmp_path: Path, pack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["taciturn.batch.run"], "_CHUNK_DOCUMENTS", 2)
    archive = pack_folder(c.write_folder(tmp_path / "in"), tmp_path / "notes.tar")
    archive.write_bytes(archive.read_bytes()[:-9000])
    arguments = [str(archive), "--workers", "1", *c.options(pack)]
    code, _ = c.run(*arguments, "-o", str(tmp_path / "whole"))
    assert code == 1
    [failure] = c.lines(tmp_path / "whole" / "failed.jsonl")
    assert (failure["document"], "damaged" in failure["reason"]) == ("notes.tar", True)
    calls = 0
    run = sys.modules["taciturn.batch.run"]
    done = run.do_chunk  # type: ignore[attr-defined]

    def stopped(*given: object) -> int:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return int(done(*given))

    monkeypatch.setattr(run, "do_chunk", stopped)
    assert c.run(*arguments, "-o", str(tmp_path / "out"))[0] == 130
    before = calls
    assert c.run(*arguments, "-o", str(tmp_path / "out"), "--resume")[0] == 1
    assert calls - before == len(c.lines(tmp_path / "whole" / "manifest.jsonl")) // 2 + 1 - 2  # two were done
    assert c.tree(tmp_path / "out") == c.tree(tmp_path / "whole")
