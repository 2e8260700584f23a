"""Building: the same pack from the same input, whatever happens on the way."""

import bz2
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from taciturn.knowledge import Knowledge
from taciturn.knowledge.building import Parameters, Source, build_pack, merge, writing
from taciturn.knowledge.building.build import assemble_pack, partial_folder
from taciturn.knowledge.building.shards import PARTS, open_shard
from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.knowledge.storage.pack import open_pack, verify_pack
from tests.knowledge.packs import SMALL, small_pack, write_taxonomy, write_texts


def contents(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir()}


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little there is to merge and to encode, it is several slices and batches."""
    monkeypatch.setattr(merge, "_RECORDS", 3)
    monkeypatch.setattr(merge, "_OPEN", 2)
    monkeypatch.setattr(writing, "_BATCH", 10)
    monkeypatch.setattr(writing, "_FLYING", 60)


def test_the_same_input_gives_the_same_digest_with_any_number_of_workers(tmp_path: Path) -> None:
    digests = set()
    for workers in (1, 2, 3):
        folder = tmp_path / str(workers)
        folder.mkdir()
        digests.add(small_pack(folder, workers).digest)
        assert not (folder / "pack.partial").exists()
    assert len(digests) == 1


def test_slices_and_late_shards_leave_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests, parts = set(), []
    for folder, records, opened in ((tmp_path / "whole", 1 << 25, 256), (tmp_path / "sliced", 3, 2)):
        folder.mkdir()
        monkeypatch.setattr(merge, "_RECORDS", records)
        monkeypatch.setattr(merge, "_OPEN", opened)
        digests.add(small_pack(folder).digest)
        source = Source(folder / "texts.jsonl")
        build_pack([source], folder / "kept", parameters=SMALL, workers=1, keep_partial=True)
        shards = [open_shard(p) for p in sorted((folder / "kept.partial").glob("*.shard"))]
        parts.append(list(merge._slices(shards, len(shards))))
    assert len(digests) == 1
    assert len(parts[0]) == PARTS < len(parts[1])


def shards_of(folder: Path) -> list[Path]:
    """Shards of the texts of the small pack, in an order of their own."""
    source = Source(write_texts(folder / "texts.jsonl"))
    build_pack([source], folder / "kept", parameters=SMALL, workers=1, keep_partial=True)
    return sorted((folder / "kept.partial").glob("*.shard"))


def test_workers_encode_the_same_bytes(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = shards_of(tmp_path)
    taxonomies = [write_taxonomy(tmp_path / "things.taxonomy")]

    def assembled(workers: int, out: Path) -> dict[str, bytes]:
        assemble_pack(
            shards, out, sources=[], taxonomies=taxonomies, parameters=SMALL, name="p", workers=workers
        )  # fmt: skip
        assert [p.name for p in partial_folder(out).iterdir()] == []
        return contents(out)

    alone = assembled(1, tmp_path / "alone")
    request.getfixturevalue("eager")
    tasks: list[str] = []
    submit = ThreadPoolExecutor.submit

    def noted(pool: Any, task: Any, *arguments: Any) -> Any:
        tasks.append(task.__name__)
        return submit(pool, task, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", noted)
    for workers in (1, 2, 3):
        tasks.clear()
        assert assembled(workers, tmp_path / str(workers)) == alone
        assert (tasks.count("encode") > 2) == (workers > 1)


@pytest.mark.usefixtures("eager")
def test_a_damaged_shard_ends_the_build(tmp_path: Path) -> None:
    shards = shards_of(tmp_path)
    late = open_shard(shards[-1])
    text = next(text for part in range(PARTS) if (text := late[f"texts.{part}"].tobytes()))
    data = bytearray(shards[-1].read_bytes())
    data[data.rfind(text)] ^= 1
    shards[-1].write_bytes(data)
    out = tmp_path / "out"
    with pytest.raises(DamagedFileError, match="is damaged"):
        assemble_pack(shards, out, sources=[], parameters=SMALL, workers=2)
    assert not out.exists()


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("stage", ["merging", "writing"])
def test_a_build_that_is_stopped_ends_its_workers(tmp_path: Path, stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shards = shards_of(tmp_path)
    monkeypatch.setattr(writing, "_BATCH", 0)  # each set is a batch, so that a thread has one before "writing" is told
    before = threading.active_count()
    threads: list[int] = []

    def stop(now: str, done: int, total: int) -> None:
        if now == stage:
            threads.append(threading.active_count() - before)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assemble_pack(shards, tmp_path / "out", sources=[], parameters=SMALL, workers=2, progress=stop)
    assert not (tmp_path / "out").exists()
    assert threads == [stage == "writing"]
    assert threading.active_count() == before


def test_parameters_and_texts_change_the_digest(tmp_path: Path) -> None:
    source = Source(write_texts(tmp_path / "a.jsonl"))
    other = Source(write_texts(tmp_path / "b.jsonl", articles=13))
    digests = [
        build_pack([source], tmp_path / "1", parameters=SMALL, workers=1).digest,
        build_pack([other], tmp_path / "2", parameters=SMALL, workers=1).digest,
        build_pack(
            [source], tmp_path / "3", parameters=Parameters(4, 8, 1, 1, 1, titles=False, shard=200), workers=1
        ).digest,
    ]
    assert len(set(digests)) == 3


def test_an_interrupted_build_leaves_no_pack_and_goes_on(tmp_path: Path) -> None:
    small_pack(tmp_path)
    whole = open_pack(tmp_path / "pack")
    out = tmp_path / "again"

    class StoppedError(Exception):
        pass

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "merging":
            raise StoppedError

    source, taxonomy = Source(tmp_path / "texts.jsonl"), tmp_path / "things.taxonomy"
    with pytest.raises(StoppedError):
        build_pack([source], out, taxonomies=[taxonomy], parameters=SMALL, workers=1, progress=stop)
    assert not out.exists()
    shards = {p: p.stat().st_mtime_ns for p in (tmp_path / "again.partial").glob("*.shard")}
    assert len(shards) > 3
    damaged = min(shards)
    damaged.write_bytes(damaged.read_bytes()[:-1])
    kept: dict[Path, int] = {}

    def look(stage: str, done: int, total: int) -> None:
        kept.update({p: p.stat().st_mtime_ns for p in shards if p.exists()})

    built = build_pack([source], out, taxonomies=[taxonomy], parameters=SMALL, workers=1, progress=look)
    assert built.digest == whole.digest
    assert [p for p in shards if kept[p] != shards[p]] == [damaged]


PROGRAM = """
import sys
from pathlib import Path
from taciturn.knowledge.building import Parameters, Source, build_pack
folder = Path(sys.argv[1])
if __name__ == "__main__":
    build_pack([Source(folder / "texts.jsonl")], folder / "killed", taxonomies=[folder / "things.taxonomy"],
               parameters=Parameters(4, 8, 1, 1, 1, shard=200), workers=int(sys.argv[2]))
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_build_leaves_no_half_pack(tmp_path: Path, workers: int) -> None:
    write_texts(tmp_path / "texts.jsonl")
    write_taxonomy(tmp_path / "things.taxonomy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(tmp_path), str(workers)]
    environment = {**os.environ, "PYTHONPATH": str(Path("src").resolve())}
    chance = random.Random(workers)
    for _ in range(4):
        running = subprocess.Popen(command, env=environment, start_new_session=True)
        time.sleep(chance.uniform(0.3, 1.2))
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        if (tmp_path / "killed").exists():
            break
    if not (tmp_path / "killed").exists():
        subprocess.run(command, env=environment, check=True)
    built = open_pack(tmp_path / "killed")
    verify_pack(built)
    (tmp_path / "other").mkdir()
    assert built.digest == small_pack(tmp_path / "other").digest


def test_an_existing_pack_is_replaced_only_when_asked(tmp_path: Path) -> None:
    source = Source(write_texts(tmp_path / "a.jsonl"))
    build_pack([source], tmp_path / "pack", parameters=SMALL, workers=1)
    with pytest.raises(ValueError, match="exists already"):
        build_pack([source], tmp_path / "pack", parameters=SMALL, workers=1)
    build_pack([source], tmp_path / "pack", parameters=SMALL, workers=1, replace=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me")
    with pytest.raises(ValueError, match="is not a pack"):
        build_pack([source], tmp_path / "mine", parameters=SMALL, workers=1, replace=True)
    assert (tmp_path / "mine" / "letter.txt").read_text() == "keep me"


DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">
<page><title>Teapot</title><ns>0</ns><revision>
<text>The '''teapot''' is a [[x|pot]]. {{Box|a}}</text></revision></page>
<page><title>Talk:Teapot</title><ns>1</ns><revision><text>The zebra is rude.</text></revision></page>
<page><title>Pot</title><ns>0</ns><redirect title="Teapot" /><revision><text>#REDIRECT zebra</text></revision></page>
</mediawiki>
"""


def test_all_kinds_of_sources(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "deeper").mkdir(parents=True)
    (folder / "a.txt").write_text("The lamp is on the table.")
    (folder / "deeper" / "b.jsonl").write_text(json.dumps({"title": "Lamp", "text": "A lamp is a light."}) + "\n")
    (folder / "skipped.png").write_bytes(b"\x89PNG")
    with bz2.open(tmp_path / "wiki.xml.bz2", "wt") as file:
        file.write(DUMP)
    pack = build_pack(
        [Source(folder), Source(tmp_path / "wiki.xml.bz2")], tmp_path / "pack", parameters=SMALL, workers=1
    )
    counts = Knowledge.open(pack.path).counts
    assert counts.total == 3
    assert counts.count("lamp") == 2
    assert counts.count("lamp", "table") == 1
    assert counts.count("teapot", "pot") == 1
    assert counts.count("zebra") == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.pdf", b"%PDF", "of no known kind"),
        ("a.jsonl", b'{"title": "x"}\n', "line 1 of .* is not a JSON object"),
        ("a.jsonl", b'{"text": 5}\n', "not a string"),
        ("a.txt", b"", "hold no text|no key"),
    ],
)
def test_sources_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        build_pack([Source(tmp_path / name)], tmp_path / "pack", parameters=SMALL, workers=1)
    assert not (tmp_path / "pack").exists()


def test_a_title_counts_in_each_window_of_its_article(tmp_path: Path) -> None:
    text = "Mercury is a planet near the sun.\nIt has no moon and no air at all.\nThe day is long there."
    (tmp_path / "a.jsonl").write_text(json.dumps({"title": "Mercury (planet)", "text": text}))
    found = {}
    for titles in (True, False):
        parameters = Parameters(4, 8, 1, 1, 1, titles=titles)
        pack = build_pack([Source(tmp_path / "a.jsonl")], tmp_path / f"{titles}", parameters=parameters, workers=1)
        counts = Knowledge.open(pack.path).counts
        found[titles] = (counts.total, counts.count("mercury"))
    assert found == {True: (3, 3), False: (3, 1)}
