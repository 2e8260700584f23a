"""Counts kept on disk, so that a document judged twice asks a server once.

The questions tell what the documents say. So the file holds no keys: an entry is found by a salted digest of the
question. Only the owner can read the file. Someone who has it can still test guesses, so keep it where the reports are.

Each number is stored with a digest. A number that does not match its digest is treated as absent.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

__all__ = ["CountCache"]

_TOGETHER = 500


class CountCache:
    """Numbers by question in an SQLite file, which processes may share.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cache = CountCache(Path(folder, "counts"))
    ...     cache.keep({"state 1: HIV": 7})
    ...     found = cache.find(["state 1: HIV", "state 2: HIV"])
    ...     cache.close()
    >>> found
    {'state 1: HIV': 7}
    """

    def __init__(self, path: Path) -> None:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._base = sqlite3.connect(path, timeout=60, isolation_level=None)
        try:
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("CREATE TABLE IF NOT EXISTS salt (one INTEGER PRIMARY KEY, bytes BLOB NOT NULL)")
            self._base.execute(
                "CREATE TABLE IF NOT EXISTS numbers (id BLOB PRIMARY KEY, n INTEGER NOT NULL, digest BLOB NOT NULL) "
                "WITHOUT ROWID"
            )
            self._base.execute("INSERT OR IGNORE INTO salt VALUES (1, ?)", (os.urandom(16),))
            self._salt: bytes = self._base.execute("SELECT bytes FROM salt").fetchone()[0]
        except sqlite3.OperationalError as error:
            self._base.close()
            raise ValueError(
                f"{str(path)!r} does not open as a cache of counts: {error}; see that you may write to it and to its "
                "folder and that no other program holds it, or name another file"
            ) from error
        except sqlite3.DatabaseError as error:
            self._base.close()
            raise ValueError(f"{str(path)!r} is not a cache of counts; remove it or name another file") from error

    def _id(self, question: str) -> bytes:
        return blake2b(question.encode("utf-8", "surrogatepass"), digest_size=16, salt=self._salt).digest()

    def _digest(self, here: bytes, n: object) -> bytes:
        return blake2b(here + str(n).encode(), digest_size=8, salt=self._salt).digest()

    def find(self, questions: Iterable[str]) -> dict[str, int]:
        """The numbers that are known."""
        ids = {self._id(question): question for question in questions}
        wanted = list(ids)
        found: dict[str, int] = {}
        for start in range(0, len(wanted), _TOGETHER):
            some = wanted[start : start + _TOGETHER]
            rows = self._base.execute(f"SELECT id, n, digest FROM numbers WHERE id IN ({_marks(some)})", some)
            found.update((ids[here], n) for here, n, digest in rows if digest == self._digest(here, n))
        return found

    def keep(self, numbers: Mapping[str, int]) -> None:
        """Keep numbers for later; all of them or none."""
        ids = {self._id(question): n for question, n in numbers.items()}
        rows = [(here, n, self._digest(here, n)) for here, n in ids.items()]
        with self._base:  # commits, or rolls back: an open transaction would stop other processes
            self._base.execute("BEGIN IMMEDIATE")
            self._base.executemany("INSERT OR REPLACE INTO numbers VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        self._base.close()


def _marks(values: Sequence[bytes]) -> str:
    return ",".join("?" * len(values))
