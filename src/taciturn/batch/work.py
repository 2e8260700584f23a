"""What a worker process does: release the documents of one chunk and leave one whole file that says so.

A chunk's part is written after everything it speaks of: if it is there, the chunk is done; if it is not, doing the
chunk again gives the same bytes. That is all that resuming needs.
"""

from __future__ import annotations

import copyreg
import json
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from math import isfinite
from multiprocessing import parent_process
from multiprocessing.connection import wait
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tacit.batch.sources import Source
from tacit.batch.tables import Columns, Row
from tacit.document import Document
from tacit.formats import FormatError, Options, leaks, read, removed, write, write_whole
from tacit.formats.sweep import Sweeper, to_sweep
from tacit.knowledge import Knowledge
from tacit.models import Guarantee, Model
from tacit.release import Certificate, NotReleasedError, sanitize

__all__ = ["Chunk", "Job", "do_chunk", "figures", "knowledge_of", "read_part", "reason", "release_row", "write_part"]


def _view(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


# Models are frozen values and hold their tables as views, which Python cannot send to another process by itself.
copyreg.pickle(MappingProxyType, lambda view: (_view, (dict(view),)))


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker must know. ``dossier`` is a column, ``"folder"`` for the folder a file lies in, or None.
    ``options`` say how files are read."""

    models: tuple[Model, ...]
    out: Path
    pack: str | None = None
    columns: Columns = field(default_factory=Columns)
    dossier: str | None = None
    options: Options | None = None

    @property
    def released(self) -> Path:
        return self.out / "released"

    @property
    def parts(self) -> Path:
        return self.out / ".private" / "parts"

    def part(self, number: int, kind: str = "chunk") -> Path:
        return self.parts / f"{kind}-{number:09}.jsonl"

    def all_parts(self, kind: str = "chunk") -> list[Path]:
        return sorted(self.parts.glob(f"{kind}-*.jsonl"))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Documents done together: files, or rows of one table."""

    number: int
    sources: tuple[Source, ...]
    rows: tuple[Row, ...] = ()

    @property
    def documents(self) -> int:
        return len(self.rows) if self.sources[0].table else len(self.sources)


@cache
def knowledge_of(pack: str | None) -> Knowledge:
    """The pack, opened once a process and mapped, so that all processes share one copy in memory."""
    return Knowledge.open(pack) if pack else Knowledge.default()


def start_worker(pack: str | None) -> None:
    """Open the pack, and end with the parent: a worker whose parent was killed would wait for ever."""
    if parent := parent_process():
        sentinel = parent.sentinel
        threading.Thread(target=lambda: (wait([sentinel]), os._exit(1)), daemon=True).start()
    knowledge_of(pack)


@contextmanager
def interrupts(*, blocked: bool) -> Iterator[None]:
    """Have Ctrl-C wait, or let it come, in the meantime."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        # Where a signal has waited, this raises already.
        signal.pthread_sigmask(signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def in_worker(function: Callable[[Job, Any], int], job: Job, task: Any) -> int:
    """A task in a process of its own. Ctrl-C reaches every process and ends a task; one that starts or waits has the
    signal blocked, or each would answer with a traceback."""
    with interrupts(blocked=False):
        return function(job, task)


def do_chunk(job: Job, chunk: Chunk) -> int:
    """Release a chunk; returns how many of its documents failed."""
    knowledge = knowledge_of(job.pack)
    if chunk.sources[0].table:
        entries = [_do_row(job, knowledge, chunk.sources[0], row) for row in chunk.rows]
    else:
        entries = [_do_file(job, knowledge, source) for source in chunk.sources]
    write_part(job.part(chunk.number), entries)
    return sum("reason" in entry for entry in entries)


def write_part(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """What is to be said of each document of a chunk, a line each."""
    write_whole(path, "".join(json.dumps(entry) + "\n" for entry in entries).encode())


def read_part(path: Path) -> list[dict[str, Any]]:
    """What :func:`write_part` has written."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _do_file(job: Job, knowledge: Knowledge, source: Source) -> dict[str, Any]:
    if source.fault:
        return {"document": source.name, "reason": source.fault}
    try:
        file = read(source.path if source.data is None else source.data, source.name, job.options)
        release = sanitize(file.document, job.models, knowledge)
        data = write(file, release.applied)
    except Exception as error:
        return {"document": source.name, "reason": reason(error)}
    target = job.released / source.name
    target.parent.mkdir(parents=True, exist_ok=True)
    write_whole(target, data, source=source.path)
    return {
        "document": source.name,
        "released_sha256": sha256(data).hexdigest(),
        "file": file.inventory(release.applied).public(),
        "certificate": _shown(release.certificate),
    }


def _do_row(job: Job, knowledge: Knowledge, source: Source, row: Row) -> dict[str, Any]:
    entry: dict[str, Any] = {"document": f"{source.name}#{row.number}"}
    try:
        if row.fault:
            raise FormatError(row.fault)
        changed, certificate = release_row(row.cells, job.columns, job.models, knowledge)
    except Exception as error:
        return {**entry, "reason": reason(error)}
    texts = [changed[name] for name in job.columns.text]
    entry["released_sha256"] = sha256("\0".join(t or "" for t in texts).encode("utf-8", "surrogatepass")).hexdigest()
    if job.columns.id:
        entry["id"] = changed.get(job.columns.id, row.cells.get(job.columns.id))
        entry["id"] = entry["id"] if isinstance(entry["id"], str | int | None) else str(entry["id"])
    if job.dossier:
        own = row.cells.get(job.dossier)
        entry["dossier"] = "" if own is None else str(own)
    return {**entry, "changed": changed, "certificate": _shown(certificate)}


def release_row(
    cells: Mapping[str, Any], columns: Columns, models: Sequence[Model], knowledge: Knowledge
) -> tuple[dict[str, Any], Certificate]:
    """The cells of a row that change: its texts, released, and other cells that still held what was removed.

    The texts of a row are one document. A cell that is no text and still tells what was removed becomes None.
    """
    for name in columns.text:
        if not isinstance(cells[name], str | None):
            raise FormatError(f"the column {name!r} holds {type(cells[name]).__name__}, not text")
    release = sanitize(Document.join((name, cells[name] or "") for name in columns.text), models, knowledge)
    texts = [release.text[s.start : s.end] for s in release.document.segments]
    changed: dict[str, Any] = {
        name: None if cells[name] is None else text for name, text in zip(columns.text, texts, strict=True)
    }
    gone = removed(release.applied)
    sweeper = Sweeper(to_sweep(release.applied, gone))
    for name, value in cells.items():
        if (name not in columns.named or name == columns.id) and sweeper.hits(_told(value)):
            changed[name] = sweeper.clean(value) if isinstance(value, str) else None
    released = {name: value for name, value in {**cells, **changed}.items() if name not in columns.drop}
    line = json.dumps(released, default=_told, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if leaks(line, gone, "row.json"):
        raise FormatError("what was removed from the text could still be found in the row, or in the name of a column")
    return changed, release.certificate


def _told(value: Any) -> str:
    """All that a cell tells, side by side. JSON would escape a line end, and its letter would stick to the next word.

    >>> _told({"seen": ["by\\nAnn", b"Lee"]})
    'seen by\\nAnn Lee'
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bytes | bytearray | memoryview):
        data = bytes(value)
        # Without the zeros of UTF-16 as well.
        views = (data, data.replace(b"\0", b"")) if b"\0" in data else (data,)
        return " ".join(view.decode("utf-8", "replace") for view in views)
    if isinstance(value, Mapping):
        return " ".join(_told(part) for item in value.items() for part in item)
    if isinstance(value, list | tuple | set | frozenset):
        return " ".join(map(_told, value))
    # Of other things only a part may come by asking for what is in them: the titles of a table, the tags of a tree.
    return " ".join([str(value), *map(_told, value)]) if isinstance(value, Iterable) else str(value)


def reason(error: Exception) -> str:
    """Why a document failed, without a word of it: only messages that are known to quote no text are handed on."""
    if isinstance(error, FormatError | NotReleasedError):
        return str(error)
    return f"an error of the kind {type(error).__name__}; try the document alone: tacit sanitize"


def _shown(certificate: Certificate) -> dict[str, Any]:
    guarantees = figures(certificate.guarantees)
    return {"text_sha256": certificate.text_digest, "holds": certificate.holds, "guarantees": guarantees}


def figures(guarantees: Sequence[Guarantee]) -> list[dict[str, Any]]:
    """The figures of each guarantee, without its words: those are the same for all documents."""
    return [
        {
            "model": g.model,
            "holds": g.holds,
            "margin": round(g.margin, 9) if isfinite(g.margin) else None,
            "figures": dict(g.figures),
        }
        for g in guarantees
    ]
