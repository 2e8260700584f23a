"""Kill -9 at random points: nothing lost, nothing twice, nothing partial."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.batch import collections as c
from tests.batch.collections import pack_folder

SRC = Path(__file__).resolve().parents[2] / "src"


def command(source: Path, out: Path, pack: str) -> list[str]:
    inputs = [str(source / "notes"), str(source / "table.jsonl"), str(source / "notes.tar.gz")]
    start = [sys.executable, "-m", "taciturn", "batch", *inputs, "-o", str(out)]
    return [*start, "--text", "note", "--id", "visit", "--workers", "2", "--resume", *c.options(pack)]


def killed(arguments: list[str], out: Path, draw: random.Random) -> bool:
    """Start a run and kill it, with its workers or alone, when a random number of further chunks is done."""
    parts = out / ".private" / "parts"
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    aim = len(list(parts.glob("*.jsonl"))) + draw.randrange(3)
    process = subprocess.Popen(arguments, env=environment, start_new_session=True, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list(parts.glob("*.jsonl"))) < aim:
        time.sleep(0.002)
    time.sleep(draw.random() * (1.0 if draw.random() < 0.3 else 0.05))
    if process.poll() is not None:
        return False
    if draw.random() < 0.5:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    return True


def crash(tmp_path: Path, kills: int, seed: int) -> None:
    pack = c.make_pack(tmp_path / "knowledge")
    # Blank lines make each note a chunk of its own, and cost no time.
    for path in c.write_folder(tmp_path / "in" / "notes", 24).rglob("*.txt"):
        path.write_text(path.read_text() + "\n" * 40_000)
    c.write_jsonl(tmp_path / "in" / "table.jsonl", 250)
    pack_folder(tmp_path / "in" / "notes", tmp_path / "in" / "notes.tar.gz")
    whole, out = tmp_path / "whole", tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    subprocess.run(command(tmp_path / "in", whole, pack), env=environment, check=True, stderr=subprocess.DEVNULL)
    expected = c.tree(whole)
    released = {
        name: data for name, data in expected.items() if name.startswith(("released/notes/", "released/notes."))
    }
    assert len(released) == 48
    draw = random.Random(seed)
    hit = 0
    while hit < kills:
        if killed(command(tmp_path / "in", out, pack), out, draw):
            hit += 1
            for name, data in c.tree(out).items():
                # What is there under its own name is whole, whenever the run was killed.
                if name in released:
                    assert data == released[name]
        else:  # it was finished before the kill: begin anew
            assert c.tree(out) == expected
            out = tmp_path / f"out{hit}"
    subprocess.run(command(tmp_path / "in", out, pack), env=environment, check=True, stderr=subprocess.DEVNULL)
    assert c.tree(out) == expected


def test_two_kills(tmp_path: Path) -> None:
    crash(tmp_path, 2, seed=1)


@pytest.mark.slow
def test_twenty_kills(tmp_path: Path) -> None:
    crash(tmp_path, 20, seed=20)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers in /proc")
def test_a_worker_that_is_killed_is_replaced_and_its_document_done_again(tmp_path: Path) -> None:
    pack = c.make_pack(tmp_path / "knowledge")
    for path in c.write_folder(tmp_path / "in" / "notes", 60).rglob("*.txt"):
        path.write_text(path.read_text() + "\n" * 40_000)
    c.write_jsonl(tmp_path / "in" / "table.jsonl", 3)
    pack_folder(tmp_path / "in" / "notes", tmp_path / "in" / "notes.tar.gz")
    arguments, out = command(tmp_path / "in", tmp_path / "out", pack), tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": str(SRC)}
    process = subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE, text=True)
    while not list(out.glob(".private/parts/*.jsonl")):
        assert process.poll() is None
        time.sleep(0.002)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(int(workers[0]), signal.SIGKILL)
    _, told = process.communicate()
    assert process.returncode == 0, told
    assert "Traceback" not in told
    assert len(list((out / "released" / "notes").rglob("*.txt"))) == 60
    whole = command(tmp_path / "in", tmp_path / "whole", pack)
    subprocess.run(whole, env=environment, check=True, stderr=subprocess.DEVNULL)
    assert c.tree(out) == c.tree(tmp_path / "whole")
