"""The queue of documents and everything decided about them, in one SQLite file that is written through.

Each call is one transaction, forced to disc before it returns: what the reviewer saw confirmed is there after a crash.
The file holds originals and decisions, so only its owner may read it, and deleted content is overwritten. One process
at a time may have it open.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any

from taciturn.errors import InputError
from taciturn.review.decisions import Decision, Dial, Step

__all__ = ["Approval", "Entry", "Note", "Released", "Store", "StoreError", "now"]

_VERSION = 2
_SCHEMA = """
CREATE TABLE document (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, data BLOB NOT NULL, spec TEXT NOT NULL,
  knowledge TEXT NOT NULL, added TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0);
CREATE TABLE step (
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, number INTEGER NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY (document, number)) WITHOUT ROWID;
CREATE TABLE release (
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, at TEXT NOT NULL,
  data BLOB NOT NULL, certificate TEXT NOT NULL, steps INTEGER NOT NULL, holds INTEGER NOT NULL,
  reason TEXT NOT NULL, person TEXT NOT NULL);
"""
_SECOND = """
CREATE TABLE note (
  id INTEGER PRIMARY KEY, document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, at TEXT NOT NULL,
  person TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE approval (
  document INTEGER NOT NULL REFERENCES document ON DELETE CASCADE, at TEXT NOT NULL, person TEXT NOT NULL,
  done INTEGER NOT NULL);
"""
"""What version 2 has beside version 1: notes to a colleague, and who approved which state."""


class StoreError(InputError):
    """A store that cannot be used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A document in the queue. ``spec`` is how its models are made, ``done`` how many of its steps are in force."""

    id: int
    name: str
    digest: str
    spec: dict[str, Any]
    knowledge: str
    added: str
    done: int
    steps: int
    released: Released | None
    notes: tuple[Note, ...] = ()
    approvals: tuple[Approval, ...] = ()

    @property
    def approved_by(self) -> tuple[str, ...]:
        """Who approved the document as it stands now; a later step takes an approval away."""
        return tuple(dict.fromkeys(a.person for a in self.approvals if a.done == self.done))

    @property
    def state(self) -> str:
        """Where the document is on its way: to do, in review, approved, released, or changed since its release."""
        if self.released is None:
            return "approved" if self.approved_by else "in review" if self.done else "to do"
        if self.released.steps != self.done:
            return "changed since release"
        return "released" if self.released.holds else "released by override"


@dataclass(frozen=True, slots=True)
class Note:
    """A word to a colleague."""

    at: str
    person: str
    text: str


@dataclass(frozen=True, slots=True)
class Approval:
    """A person who approved a document when ``done`` of its steps were in force."""

    at: str
    person: str
    done: int


@dataclass(frozen=True, slots=True)
class Released:
    """A release that was made, with the written reason if the guarantee did not hold."""

    id: int
    at: str
    certificate: dict[str, Any]
    steps: int
    holds: bool
    reason: str
    person: str


def now() -> str:
    """The time, as the record has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """The file. Safe for several threads."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._lock = RLock()
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=1)
            for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.execute("PRAGMA foreign_keys=ON")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._db.executescript(f"BEGIN EXCLUSIVE;{_SCHEMA}{_SECOND}PRAGMA user_version={_VERSION};COMMIT;")
            elif version == 1:
                self._db.executescript(f"BEGIN EXCLUSIVE;{_SECOND}PRAGMA user_version={_VERSION};COMMIT;")
            elif version != _VERSION:
                raise StoreError(f"{str(path)!r} is a store of version {version}, this Taciturn reads {_VERSION}")
            else:
                # Takes the lock now, so that a second process is told at its start and not at its first decision.
                self._db.executescript("BEGIN EXCLUSIVE;COMMIT;")
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise StoreError(f"{str(path)!r} is in use by another review; close that one first") from None
            raise StoreError(f"{str(path)!r} cannot be opened as a store: {error}; name another with --store") from None
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{str(path)!r} is no store of reviews ({error}); name another with --store") from None
        except OSError as error:
            raise StoreError(f"{str(path)!r} cannot be opened: {error.strerror}; name another with --store") from None

    def close(self) -> None:
        """Close the file; nothing is lost without it."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def add(self, name: str, data: bytes, spec: dict[str, Any], knowledge: str, steps: Sequence[Step] = ()) -> int:
        """Put a document in the queue; the same file asked for in the same way is the one that is there already."""
        digest, asked = sha256(data).hexdigest(), json.dumps(spec, sort_keys=True)
        with self._change() as db:
            known = db.execute(
                "SELECT id FROM document WHERE name = ? AND digest = ? AND spec = ?", (name, digest, asked)
            ).fetchone()
            if known and not steps:
                return int(known[0])
            added = db.execute(
                "INSERT INTO document (name, digest, data, spec, knowledge, added, done) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (name, digest, data, asked, knowledge, now(), len(steps)),
            )
            rows = [(added.lastrowid, number, _packed(step)) for number, step in enumerate(steps)]
            db.executemany("INSERT INTO step VALUES (?, ?, ?)", rows)
            return int(added.lastrowid or 0)

    def remove(self, document: int) -> None:
        """Forget a document and all that was decided about it."""
        with self._change() as db:
            db.execute("DELETE FROM document WHERE id = ?", (document,))
        with self._lock:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def entries(self) -> list[Entry]:
        """The queue, in the order in which documents came."""
        with self._lock:
            ids = [row[0] for row in self._db.execute("SELECT id FROM document ORDER BY id")]
            return [self.entry(i) for i in ids]

    def entry(self, document: int) -> Entry:
        """One document of the queue; ``KeyError`` if there is none."""
        with self._lock:
            row = self._db.execute(
                "SELECT id, name, digest, spec, knowledge, added, done,"
                " (SELECT count(*) FROM step WHERE document = d.id) FROM document d WHERE id = ?",
                (document,),
            ).fetchone()
            if row is None:
                raise KeyError(document)
            last = self._db.execute(
                "SELECT id, at, certificate, steps, holds, reason, person FROM release WHERE document = ?"
                " ORDER BY id DESC LIMIT 1",
                (document,),
            ).fetchone()
        released = None
        if last:
            number, at, certificate, steps, holds, reason, person = last
            released = Released(number, at, json.loads(certificate), steps, bool(holds), reason, person)
        number, name, digest, spec, knowledge, added, done, steps = row
        notes = tuple(Note(*r) for r in self._rows("SELECT at, person, content FROM note WHERE document = ?", document))
        approvals = tuple(
            Approval(at, person, int(done_then))
            for at, person, done_then in self._rows(
                "SELECT at, person, done FROM approval WHERE document = ?", document
            )
        )
        spec = json.loads(spec)
        return Entry(number, name, digest, spec, knowledge, added, done, steps, released, notes, approvals)

    def _rows(self, query: str, document: int) -> list[tuple[str, str, str]]:
        with self._lock:
            return self._db.execute(f"{query} ORDER BY rowid", (document,)).fetchall()

    def note(self, document: int, person: str, text: str) -> None:
        """A word to a colleague, kept with the document."""
        with self._change() as db:
            row = (document, now(), person, text)
            db.execute("INSERT INTO note (document, at, person, content) VALUES (?, ?, ?, ?)", row)

    def approve(self, document: int, person: str) -> None:
        """A person approves the document as it stands."""
        with self._change() as db:
            db.execute(
                "INSERT INTO approval SELECT id, ?, ?, done FROM document WHERE id = ?", (now(), person, document)
            )

    def data(self, document: int) -> bytes:
        """The original file."""
        with self._lock:
            row = self._db.execute("SELECT data FROM document WHERE id = ?", (document,)).fetchone()
        if row is None:
            raise KeyError(document)
        return bytes(row[0])

    def steps(self, document: int) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """The steps in force, and those that were undone and can be redone."""
        done = self.entry(document).done
        with self._lock:
            rows = self._db.execute("SELECT content FROM step WHERE document = ? ORDER BY number", (document,))
            steps = tuple(_unpacked(row[0]) for row in rows)
        return steps[:done], steps[done:]

    def append(self, document: int, step: Step) -> None:
        """One more step; what was undone before it is gone."""
        with self._change() as db:
            row = db.execute("SELECT done FROM document WHERE id = ?", (document,)).fetchone()
            if row is None:
                raise KeyError(document)
            db.execute("DELETE FROM step WHERE document = ? AND number >= ?", (document, row[0]))
            db.execute("INSERT INTO step VALUES (?, ?, ?)", (document, row[0], _packed(step)))
            db.execute("UPDATE document SET done = done + 1 WHERE id = ?", (document,))

    def move(self, document: int, by: int) -> bool:
        """Undo (-1) or redo (1) a step; False if there is none."""
        with self._change() as db:
            changed = db.execute(
                "UPDATE document SET done = done + :by WHERE id = :id AND done + :by BETWEEN 0 AND"
                " (SELECT count(*) FROM step WHERE document = :id)",
                {"by": by, "id": document},
            )
            return changed.rowcount == 1

    def release(
        self, document: int, data: bytes, certificate: dict[str, Any], *, steps: int, reason: str = "", person: str = ""
    ) -> None:
        """Record a release, with the written reason if the guarantee does not hold."""
        with self._change() as db:
            db.execute(
                "INSERT INTO release (document, at, data, certificate, steps, holds, reason, person)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (document, now(), data, json.dumps(certificate), steps, certificate["holds"], reason, person),
            )

    def released_data(self, release: int) -> bytes:
        """The released file."""
        with self._lock:
            row = self._db.execute("SELECT data FROM release WHERE id = ?", (release,)).fetchone()
        if row is None:
            raise KeyError(release)
        return bytes(row[0])


def _packed(step: Step) -> str:
    kind = "dial" if isinstance(step, Dial) else "decision"
    return json.dumps({"kind": kind, **asdict(step)}, ensure_ascii=False)


def _unpacked(text: str) -> Step:
    row = json.loads(text)
    return Dial(**row) if row.pop("kind") == "dial" else Decision(**row)
