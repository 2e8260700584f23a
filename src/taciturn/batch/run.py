"""Release many documents: chunks to workers, whole files back, one manifest at the end.

The invariant: whatever is at its final name is whole and final, and everything else can be made again. A chunk is done
if its part is there (see :mod:`taciturn.batch.work`). Chunks follow from the inputs alone, so any number of workers and
any number of interruptions give the same bytes. Work in flight when a run is killed is done again; nothing else is.

Rejected: one journal that the parent appends to (a line can be torn, and a release is on the disc before its line is),
and an SQLite file (a second truth beside the folder).
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from taciturn.batch.collect import collection, weakest
from taciturn.batch.dossiers import Dossier, do_dossier, judged, together
from taciturn.batch.scopes import has_dossiers, names_met
from taciturn.batch.sources import Source, expand
from taciturn.batch.tables import Row, json_line, read_rows, write_rows
from taciturn.batch.work import PRIVATE, Chunk, Document, Job, do_chunk, do_document, knowledge_of, read_part
from taciturn.certificate import Certificate
from taciturn.errors import InputError
from taciturn.formats import Options, write_whole
from taciturn.models.declare import declarations
from taciturn.processes import Worker
from taciturn.release import check

__all__ = ["BatchError", "Outcome", "chunks", "run"]

_CHUNK_CHARACTERS = 40_000
_CHUNK_DOCUMENTS = 100
_LEFT_OVER = re.compile(r"\..*\.[0-9a-f]{16}\.taciturn")

Task = TypeVar("Task", Chunk, Dossier)


class BatchError(InputError):
    """A run that cannot start or go on; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. ``unsafe`` counts dossiers whose releases are not safe together; ``stopped`` names the failure
    that ended it before its time."""

    documents: int
    failed: int
    unsafe: int
    stopped: str = ""

    @property
    def exit_code(self) -> int:
        return 1 if self.failed or self.unsafe or self.stopped else 0


def chunks(job: Job, sources: Sequence[Source]) -> Iterator[Chunk]:
    """The documents in bundles of bounded size, in order; they depend on the inputs and nothing else."""
    number = 0
    for is_table, group in groupby(_expanded(job, sources), key=lambda s: bool(s.table)):
        if is_table:
            for source in group:
                texts = job.columns.text
                rows = ((r, sum(len(str(r.cells.get(n))) for n in texts)) for r in _rows(job, source))
                for bundle in _bundles(rows):
                    # The rows are at hand, so a worker need not be sent the table they came from.
                    yield Chunk(number, (replace(source, data=None),), tuple(bundle))
                    number += 1
        else:
            for files in _bundles((source, source.size) for source in group):
                yield Chunk(number, tuple(files))
                number += 1


def _rows(job: Job, source: Source) -> Iterator[Row]:
    return read_rows(source, job.columns, (job.dossier,) if job.dossier else ())


def _expanded(job: Job, sources: Sequence[Source]) -> Iterator[Source]:
    limits = (job.options or Options()).limits
    return expand(sources, tables=bool(job.columns.text), limits=limits)


Item = TypeVar("Item", Row, Source)


def _bundles(items: Iterable[tuple[Item, int]]) -> Iterator[list[Item]]:
    bundle: list[Item] = []
    size = 0
    for item, length in items:
        if bundle and (size + length > _CHUNK_CHARACTERS or len(bundle) == _CHUNK_DOCUMENTS):
            yield bundle
            bundle, size = [], 0
        bundle.append(item)
        size += length
    if bundle:
        yield bundle


def run(
    job: Job,
    sources: Sequence[Source],
    *,
    workers: int = 1,
    resume: bool = False,
    fail_fast: bool = False,
    settings: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Release every document of the sources into ``job.out``.

    A document that cannot be released is listed in ``failed.jsonl`` and nothing of it is written. ``progress`` is
    called with the numbers of documents done and of all. ``settings`` are whatever else the output depends on; a run
    is resumed only if they, the models, the knowledge and the inputs are the same.
    """
    knowledge = knowledge_of(job.pack)
    promise = check("", job.models, knowledge)  # a model that cannot work fails here, not once a document
    if job.dossier and not _judges(job) and not has_dossiers(job.models):
        able = ", ".join(d.name for d in declarations() if d.together is not None)
        raise BatchError(f"a dossier needs a model that can judge several releases together, one of {able}")
    total = _count(job, sources)
    if has_dossiers(job.models):
        job = replace(job, met=names_met(chunks(job, sources), job.dossier, job.options))
    progress(0, total)
    with _place(job, resume):
        _same_run(job, _fingerprint(job, sources, promise, settings or {}))
        if (job.out / "collection.json").exists():
            shutil.rmtree(job.parts, ignore_errors=True)
            said = json.loads((job.out / "collection.json").read_bytes())
            progress(total, total)
            return Outcome(said["documents"], said["failed"], said.get("dossiers", {}).get("unsafe", 0))
        job.parts.mkdir(exist_ok=True)
        job.released.mkdir(exist_ok=True)
        failed = done = 0
        with _workers(job, workers) as pool:
            for chunk, failures in _each(pool, job, do_chunk, _with_parts(job, sources)):
                failed += failures
                done += chunk.documents
                progress(done, total)
                if failed and fail_fast:
                    return Outcome(done, failed, 0, stopped=_first_failure(job, chunk))
            unsafe = 0
            if _judges(job):
                unsafe = sum(n for _, n in _each(pool, job, do_dossier, _dossiers(job)))
        _finish(job, sources, promise)
        return Outcome(total, failed, unsafe)


def _count(job: Job, sources: Sequence[Source]) -> int:
    """How many documents there are; raises if one of them cannot have a dossier."""
    total = 0
    for chunk in chunks(job, sources):
        total += chunk.documents
        if job.dossier not in (None, "folder") and any(not (s.table or s.fault) for s in chunk.sources):
            raise BatchError(f"--dossier {job.dossier} is a column, but the input has files that are no tables")
    return total


def _judges(job: Job) -> bool:
    """Are the releases of each dossier judged together?"""
    return bool(job.dossier) and any(map(together, job.models))


def _first_failure(job: Job, chunk: Chunk) -> str:
    entry = next(entry for entry in read_part(job.part(chunk.number)) if "reason" in entry)
    return f"{entry['document']}: {entry['reason']}"


def _with_parts(job: Job, sources: Sequence[Source]) -> Iterator[tuple[Chunk, int | None]]:
    """Every chunk, with the number of its failures if it is done already."""
    for chunk in chunks(job, sources):
        part = job.part(chunk.number)
        yield chunk, sum("reason" in e for e in read_part(part)) if part.exists() else None


def _dossiers(job: Job) -> Iterator[tuple[Dossier, int | None]]:
    """What belongs together, sorted by name: the documents by the folder or by the column. Texts stay on the disc."""
    names: dict[str, list[str]] = {}
    rows: dict[str, list[tuple[int, int]]] = {}
    swept: set[str] = set()
    for number, part in enumerate(job.all_parts()):
        for line, entry in enumerate(read_part(part)):
            if "reason" in entry:
                continue
            is_row = "changed" in entry
            own = entry["dossier"] if is_row else str(Path(entry["document"]).parent)
            names.setdefault(own, []).append(entry["document"])
            if is_row:
                rows.setdefault(own, []).append((number, line))
                if job.dossier in entry["changed"]:
                    swept.add(own)
    for number, own in enumerate(sorted(names)):
        # What is not released in its column does not come out by the name of a dossier either.
        is_hidden = job.dossier in job.columns.drop or own in swept
        shown = f"dossier {number + 1}" if is_hidden else own
        part = job.part(number, "dossier")
        done = sum(not e["holds"] for e in read_part(part)) if part.exists() else None
        yield Dossier(number, shown, tuple(names[own]), tuple(rows.get(own, ()))), done


def _all_entries(job: Job, kind: str = "chunk") -> Iterator[dict[str, Any]]:
    for part in job.all_parts(kind):
        yield from read_part(part)


def ready(job: Job) -> Callable[[Document | Dossier], Any]:
    """What a worker process does with each document and dossier of a job, once the pack is open."""
    knowledge = knowledge_of(job.pack)
    return lambda task: judged(job, task) if isinstance(task, Dossier) else do_document(job, knowledge, task)


@contextmanager
def _workers(job: Job, count: int) -> Iterator[Sequence[Worker]]:
    """Processes that have the pack open and do documents within the limits of the job."""
    memory = (job.options or Options()).limits.memory
    workers = [Worker(ready, (job,), memory) for _ in range(count)]
    try:
        if count == 1:
            workers[0].start()
        else:
            with ThreadPoolExecutor(count) as threads:  # packs are opened at the same time
                list(threads.map(Worker.start, workers))
        yield workers
    finally:
        for worker in workers:
            worker.close()


def _each(
    workers: Sequence[Worker],
    job: Job,
    function: Callable[[Job, Task, Worker], int],
    tasks: Iterable[tuple[Task, int | None]],
) -> Iterator[tuple[Task, int]]:
    """Each task with its result, in the order they end; few are in flight, so that memory stays bounded."""
    if len(workers) == 1:
        for task, known in tasks:
            yield task, function(job, task, workers[0]) if known is None else known
        return
    free: SimpleQueue[Worker] = SimpleQueue()
    for worker in workers:
        free.put(worker)

    def do(task: Task) -> int:
        worker = free.get()
        try:
            return function(job, task, worker)
        finally:
            free.put(worker)

    threads = ThreadPoolExecutor(len(workers))
    flying: dict[Future[int], Task] = {}
    try:
        for task, known in tasks:
            if known is not None:
                yield task, known
                continue
            flying[threads.submit(do, task)] = task
            if len(flying) > 2 * len(workers):
                done, _ = wait(flying, return_when=FIRST_COMPLETED)
                yield from [(flying.pop(future), future.result()) for future in done]
        while flying:
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            yield from [(flying.pop(future), future.result()) for future in done]
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _finish(job: Job, sources: Sequence[Source], promise: Certificate) -> None:
    """Tables, manifest, failures and the statement on all of them; the statement comes last and says: finished."""
    parts: dict[str, list[Path]] = {}
    for chunk in chunks(job, sources):
        if chunk.rows:
            parts.setdefault(chunk.sources[0].name, []).append(job.part(chunk.number))
    for source in _expanded(job, sources):
        if source.table:
            target = job.released / source.name
            target.parent.mkdir(parents=True, exist_ok=True)
            rows = _released_rows(job, source, parts.get(source.name, []))
            write_whole(target, write_rows(source, job.columns, rows), source=source.path)
    write_whole(job.out / "manifest.jsonl", map(json_line, _manifest(job)))
    write_whole(job.private / "manifest.jsonl", map(json_line, _private(job, "chunk", "document")))
    failed = ({"document": e["document"], "reason": e["reason"]} for e in _all_entries(job) if "reason" in e)
    write_whole(job.out / "failed.jsonl", map(json_line, failed))
    if _judges(job):
        verdicts = ({k: v for k, v in e.items() if k != PRIVATE} for e in _all_entries(job, "dossier"))
        write_whole(job.out / "dossiers.jsonl", map(json_line, verdicts))
        write_whole(job.private / "dossiers.jsonl", map(json_line, _private(job, "dossier", "dossier")))
    least = weakest(promise, _all_entries(job), _all_entries(job, "dossier") if _judges(job) else None)
    write_whole(job.private / "collection.json", (json.dumps(least, indent=2) + "\n").encode())
    said = collection(promise, _all_entries(job), _all_entries(job, "dossier") if _judges(job) else None)
    write_whole(job.out / "collection.json", (json.dumps(said, indent=2) + "\n").encode())
    shutil.rmtree(job.parts)


def _manifest(job: Job) -> Iterator[dict[str, Any]]:
    """A line for each document: what became of it, and whether it is safe beside the others of its dossier."""
    shown = {name: dossier for dossier, _ in _dossiers(job) for name in dossier.names} if _judges(job) else {}
    holds = [e["holds"] for e in _all_entries(job, "dossier")]
    for entry in _all_entries(job):
        line = {"document": entry["document"], "status": "failed" if "reason" in entry else "released"}
        line |= {k: v for k, v in entry.items() if k not in ("reason", "changed", "dossier", PRIVATE)}
        if dossier := shown.get(entry["document"]):
            line["dossier"] = {"name": dossier.name, "documents": dossier.documents, "holds": holds[dossier.number]}
        yield line


def _private(job: Job, kind: str, named: str) -> Iterator[dict[str, Any]]:
    """The figures that are not for the public, a line for each document or dossier that has any."""
    return ({named: e[named], PRIVATE: e[PRIVATE]} for e in _all_entries(job, kind) if PRIVATE in e)


def _released_rows(job: Job, source: Source, parts: Iterable[Path]) -> Iterator[Mapping[str, Any]]:
    """The rows of a table that were released, from its parts; the others are not in it."""
    entries = (entry for part in parts for entry in read_part(part))
    for row, entry in zip(_rows(job, source), entries, strict=True):
        if "changed" in entry:
            yield {k: v for k, v in (dict(row.cells) | entry["changed"]).items() if k not in job.columns.drop}


def _fingerprint(job: Job, sources: Sequence[Source], promise: Certificate, settings: Mapping[str, Any]) -> str:
    """A digest of everything the output depends on. Private: who knows most of it could guess the rest."""
    figure = sha256(promise.knowledge_digest.encode())
    for g in promise.guarantees:
        figure.update(repr((g.model, g.statement, sorted(g.parameters.items()), g.protected)).encode())
    figure.update(repr((job.columns, job.dossier, job.options, sorted(settings.items()))).encode())
    for source in sources:
        content = sha256(source.fault.encode())
        if not source.fault:
            with open(source.path, "rb") as file:
                while block := file.read(1 << 20):
                    content.update(block)
        figure.update(repr((source.name, source.table, content.hexdigest())).encode("utf-8", "surrogatepass"))
    return figure.hexdigest()


def _same_run(job: Job, fingerprint: str) -> None:
    path = job.private / "run.json"
    if not path.exists():
        write_whole(path, (json.dumps({"fingerprint": fingerprint}) + "\n").encode())
    elif json.loads(path.read_bytes())["fingerprint"] != fingerprint:
        raise BatchError(
            f"{str(job.out)!r} was begun with other inputs, options or knowledge, so it cannot be resumed; use the "
            "same ones, or another output folder"
        )


@contextmanager
def _place(job: Job, resume: bool) -> Iterator[None]:
    """The output folder, for this run alone, cleared of what an interrupted write has left."""
    private = job.private
    if job.out.is_dir() and any(job.out.iterdir()):
        if not resume:
            raise BatchError(f"{str(job.out)!r} is not empty; add --resume to go on with it, or name another folder")
        if not private.is_dir():
            raise BatchError(f"{str(job.out)!r} was not made by `taciturn batch`, so there is nothing to resume in it")
    try:
        private.mkdir(parents=True, exist_ok=True)
        private.chmod(0o700)
    except OSError as error:
        raise BatchError(f"{str(job.out)!r} cannot be made: {error.strerror}; name another folder") from error
    with open(private / "lock", "wb") as lock:
        _take(lock.fileno(), job.out)
        for folder, _, names in os.walk(job.out):
            for name in names:
                if _LEFT_OVER.fullmatch(name):
                    os.unlink(os.path.join(folder, name))
        yield


def _take(handle: int, out: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no such lock; whole writes keep two runs from doing harm
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise BatchError(f"another run is writing to {str(out)!r}; wait for it, or name another folder") from error
