"""Release the documents of one chunk, within limits of time and memory, then write one file of results, the *part*.

A chunk's part is written after everything it speaks of: if it is there, the chunk is done; if it is not, doing the
chunk again gives the same bytes. That is all that resuming needs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from taciturn.batch.scopes import dossier_of, has_dossiers, within
from taciturn.batch.sources import Source
from taciturn.batch.tables import Columns, Row
from taciturn.certificate import Certificate
from taciturn.document import Document as Text
from taciturn.errors import NotReleasedError
from taciturn.formats import FormatError, Options, leaks, read, removed, write, write_whole
from taciturn.formats.declared import with_kinds
from taciturn.formats.sweep import Sweeper, to_sweep
from taciturn.knowledge import Knowledge
from taciturn.models import Guarantee, Model
from taciturn.processes import LostError, OverrunError, Worker
from taciturn.release import sanitize, watch

__all__ = [
    "PRIVATE",
    "Chunk",
    "Document",
    "Job",
    "bear",
    "do_chunk",
    "do_document",
    "figures",
    "knowledge_of",
    "read_part",
    "reason",
    "release_row",
    "shown",
    "write_part",
]

PRIVATE = "private"
"""What of an entry is not for the public: margins and figures, by which the protected entity could be found."""


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker must know. ``dossier`` is a column, ``"folder"`` for the folder a file lies in, or None.
    ``options`` say how files are read. ``met``: the names in each dossier, where a model must know them."""

    models: tuple[Model, ...]
    out: Path
    pack: str | None = None
    columns: Columns = field(default_factory=Columns)
    dossier: str | None = None
    options: Options | None = None
    met: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False)

    def models_for(self, source: Source, row: Row | None) -> tuple[Model, ...]:
        """The models for one document: those of its dossier."""
        if not has_dossiers(self.models):
            return self.models
        own = dossier_of(source, row.cells if row else None, self.dossier)
        return within(self.models, own, self.met.get(own, frozenset()))

    @property
    def released(self) -> Path:
        return self.out / "released"

    @property
    def private(self) -> Path:
        return self.out / ".private"

    @property
    def parts(self) -> Path:
        return self.private / "parts"

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


Document = tuple[Source, Row | None]
"""A document: a file, or a table and its row."""


@cache
def knowledge_of(pack: str | None) -> Knowledge:
    """The pack, opened once a process and mapped, so that all processes share one copy in memory."""
    return Knowledge.open(pack) if pack else Knowledge.default()


def do_document(job: Job, knowledge: Knowledge, document: Document) -> tuple[dict[str, Any], bytes]:
    """What is to be said of a document, and a file's release: what a worker process does with it."""
    source, row = document
    return _do_file(job, knowledge, source) if row is None else (_do_row(job, knowledge, source, row), b"")


def do_chunk(job: Job, chunk: Chunk, worker: Worker) -> int:
    """Release a chunk; returns how many of its documents failed."""
    table = chunk.sources[0]
    documents = [(table, row) for row in chunk.rows] if table.table else [(source, None) for source in chunk.sources]
    entries = [_do(job, document, worker) for document in documents]
    write_part(job.part(chunk.number), entries)
    return sum("reason" in entry for entry in entries)


def _do(job: Job, document: Document, worker: Worker) -> dict[str, Any]:
    source, row = document
    try:
        entry, data = bear(worker, document, (job.options or Options()).limits.seconds)
    except (OverrunError, LostError) as error:
        name = source.name if row is None else f"{source.name}#{row.number}"
        return {"document": name, "reason": f"{error}; raise it in the policy ([limits]) if you trust the document"}
    if row is None and "reason" not in entry:
        target = job.released / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, data, source=source.path)
    return dict(entry)


def bear(worker: Worker, task: Any, seconds: float, *, again: bool = True) -> Any:
    """What a worker makes of a task. If the task is more than it can bear it is replaced, and the error is raised."""
    try:
        return worker.call(task, seconds)
    except (OverrunError, LostError) as error:
        worker.kill()
        worker.start()
        if again and isinstance(error, LostError):
            # A worker that was ended from outside says nothing of its task; one that ends twice does.
            return bear(worker, task, seconds, again=False)
        raise


def write_part(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    """What is to be said of each document of a chunk, a line each."""
    write_whole(path, "".join(json.dumps(entry) + "\n" for entry in entries).encode())


def read_part(path: Path) -> list[dict[str, Any]]:
    """What :func:`write_part` has written."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _do_file(job: Job, knowledge: Knowledge, source: Source) -> tuple[dict[str, Any], bytes]:
    if source.fault:
        return {"document": source.name, "reason": source.fault}, b""
    try:
        file = read(source.path if source.data is None else source.data, source.name, job.options)
        models = job.models_for(source, None)
        release = sanitize(file.document, models, knowledge)
        data = write(file, release.applied, watch(release.document, models, knowledge))
    except MemoryError:
        raise
    except Exception as error:
        return {"document": source.name, "reason": reason(error)}, b""
    return {
        "document": source.name,
        "released_sha256": sha256(data).hexdigest(),
        "file": file.inventory(release.applied).public(),
        "certificate": shown(release.certificate),
        PRIVATE: release.certificate.private(),
    }, data


def _do_row(job: Job, knowledge: Knowledge, source: Source, row: Row) -> dict[str, Any]:
    entry: dict[str, Any] = {"document": f"{source.name}#{row.number}"}
    try:
        if row.fault:
            raise FormatError(row.fault)
        changed, certificate = release_row(row.cells, job.columns, job.models_for(source, row), knowledge)
    except MemoryError:
        raise
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
    return {**entry, "changed": changed, "certificate": shown(certificate), PRIVATE: certificate.private()}


def release_row(
    cells: Mapping[str, Any], columns: Columns, models: Sequence[Model], knowledge: Knowledge
) -> tuple[dict[str, Any], Certificate]:
    """The cells of a row that change: its texts, released, and other cells that still held what was removed.

    The texts and the declared cells of a row are one document. A cell that is no text and still tells what was removed
    becomes None.
    """
    for name in columns.text:
        if not isinstance(cells[name], str | None):
            raise FormatError(f"the column {name!r} holds {type(cells[name]).__name__}, not text")
    said = {name: _told(cells[name]) for name in (*columns.text, *(title for title, _ in columns.declared))}
    document = with_kinds(Text.join(said.items()), columns.declared)
    release = sanitize(document, models, knowledge)
    changed: dict[str, Any] = {}
    for segment, (name, before) in zip(release.document.segments, said.items(), strict=True):
        text = release.text[segment.start : segment.end]
        if name in columns.text:
            changed[name] = None if cells[name] is None else text
        elif text != before:
            changed[name] = text if isinstance(cells[name], str) else None
    gone = removed(release.applied)
    watched = watch(release.document, models, knowledge)
    sweeper = Sweeper(to_sweep(release.applied, gone), watched)
    for name, value in cells.items():
        if name not in changed and name not in columns.drop and sweeper.hits(_told(value)):
            changed[name] = sweeper.clean(value) if isinstance(value, str) else None
    released = {name: value for name, value in {**cells, **changed}.items() if name not in columns.drop}
    for number, name in enumerate(released, 1):
        if sweeper.hits(name, title=True):
            raise FormatError(
                f"the title of column {number} holds what is protected or a name that was removed; rename or drop it"
            )
    line = json.dumps(list(released.values()), default=_told, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if leaks(line, gone, "row.json", watched):
        raise FormatError("what was removed from the text could still be found in the row; drop the column it is in")
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
    return f"an error of the kind {type(error).__name__}; try the document alone: taciturn sanitize"


def shown(certificate: Certificate) -> dict[str, Any]:
    """What the manifest says of a document; nothing of it depends on what is protected.

    >>> import taciturn
    >>> model = taciturn.CSanitized(protect=["HIV"])
    >>> sorted(shown(taciturn.check("A cat.", model))["guarantees"][0])
    ['figures', 'holds', 'model']
    """
    guarantees = figures(certificate.guarantees)
    return {"text_sha256": certificate.text_digest, "holds": certificate.holds, "guarantees": guarantees}


def figures(guarantees: Sequence[Guarantee]) -> list[dict[str, Any]]:
    """The public figures of each guarantee, without its words: those are the same for all documents."""
    return [{"model": g.model, "holds": g.holds, "figures": g.published} for g in guarantees]
