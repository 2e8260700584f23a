from __future__ import annotations

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taciturn.review.decisions import Decision, Dial
from taciturn.review.store import Store, StoreError

SRC = Path(__file__).resolve().parents[2] / "src"
SPEC = {"protect": ["HIV"]}


def step(number: int) -> Decision:
    return Decision("keep", number, number + 4, "AIDS")


def test_steps_survive_and_undo_and_redo_move_over_them(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    one = store.add("note.txt", b"He has AIDS.", SPEC, "k")
    store.append(one, step(1))
    store.append(one, Dial(0, "alpha", 2.0))
    assert store.move(one, -1)
    store.close()
    again = Store(tmp_path / "r.sqlite")
    assert again.steps(one) == ((step(1),), (Dial(0, "alpha", 2.0),))
    assert again.move(one, 1)
    assert not again.move(one, 1)
    again.move(one, -1)
    again.append(one, step(2))
    assert again.steps(one) == ((step(1), step(2)), ())
    assert (again.entry(one).state, again.data(one)) == ("in review", b"He has AIDS.")


def test_the_same_file_is_one_entry_and_another_version_another(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    one = store.add("note.txt", b"A", SPEC, "k")
    assert store.add("note.txt", b"A", SPEC, "k") == one
    assert store.add("note.txt", b"B", SPEC, "k") != one
    assert store.add("note.txt", b"A", {"protect": ["AIDS"]}, "k") != one
    assert len(store.entries()) == 3


def test_states_of_a_document(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    one = store.add("note.txt", b"A", SPEC, "k")
    assert store.entry(one).state == "to do"
    store.release(one, b"B", {"holds": True}, steps=0)
    assert store.entry(one).state == "released"
    store.append(one, step(1))
    assert store.entry(one).state == "changed since release"
    store.release(one, b"C", {"holds": False}, steps=1, reason="the court asked for it", person="Ann")
    entry = store.entry(one)
    assert entry.released is not None
    assert (entry.state, entry.released.reason, entry.released.person) == (
        "released by override",
        "the court asked for it",
        "Ann",
    )
    assert store.released_data(entry.released.id) == b"C"


def test_a_removed_document_leaves_no_bytes(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    store = Store(path)
    secret = b"Tellman has AIDS " * 2000
    one = store.add("note.txt", secret, SPEC, "k")
    store.append(one, step(1))
    store.remove(one)
    assert store.entries() == []
    with pytest.raises(KeyError):
        store.data(one)
    store.close()
    assert not any(b"Tellman" in p.read_bytes() for p in tmp_path.iterdir())


def test_only_the_owner_may_read_it_and_only_one_may_have_it(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    store = Store(path)
    store.add("note.txt", b"A", SPEC, "k")
    assert all(stat.S_IMODE(p.stat().st_mode) == 0o600 for p in tmp_path.iterdir())
    with pytest.raises(StoreError, match="in use by another review"):
        Store(path)


def test_what_is_no_store_is_said(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    path.write_bytes(b"this is a letter, not a database" * 100)
    with pytest.raises(StoreError, match="is no store of reviews"):
        Store(path)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "none" / "r.sqlite")
    other = sqlite3.connect(tmp_path / "new.sqlite")
    other.execute("PRAGMA user_version=99")
    other.close()
    with pytest.raises(StoreError, match="version 99"):
        Store(tmp_path / "new.sqlite")


_WRITER = """
import sys
from taciturn.review.store import Store
from taciturn.review.decisions import Decision
store = Store(sys.argv[1])
one = store.add("note.txt", b"He has AIDS.", {}, "k")
number = store.entry(one).done
while True:
    store.append(one, Decision("keep", number, number + 4, "AIDS"))
    number += 1
    print(number, flush=True)
"""


def test_kill_9_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    path, draw, confirmed = tmp_path / "r.sqlite", random.Random(7), 0
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(SRC)},
        )
        assert process.stdout is not None
        confirmed = int(process.stdout.readline())
        time.sleep(draw.random() * 0.05)
        os.kill(process.pid, signal.SIGKILL)
        confirmed = max([confirmed, *(int(line) for line in process.stdout.read().split("\n")[:-1])])
        process.wait()
        store = Store(path)
        steps, undone = store.steps(1)
        assert len(steps) in (confirmed, confirmed + 1)
        assert [s.start for s in steps if isinstance(s, Decision)] == list(range(len(steps)))
        assert not undone
        assert store._db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        store.close()
    assert confirmed > 5


def test_a_store_of_the_version_before_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    store = Store(path)
    one = store.add("note.txt", b"A", SPEC, "k")
    store.close()
    db = sqlite3.connect(path)
    db.executescript("DROP TABLE note; DROP TABLE approval; PRAGMA user_version=1;")
    db.close()
    again = Store(path)
    again.note(one, "Ann", "look at page 2")
    again.approve(one, "Bo")
    entry = again.entry(one)
    assert [(n.person, n.text) for n in entry.notes] == [("Ann", "look at page 2")]
    assert (entry.state, entry.approved_by) == ("approved", ("Bo",))
    again.close()
