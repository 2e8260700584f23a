"""What the process behind ``taciturn sanitize`` makes of a file: the release, and what was wanted beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from taciturn.certificate import Certificate
from taciturn.cli.common import open_file, open_knowledge, open_table
from taciturn.errors import InputError, TaciturnError
from taciturn.formats import Inventory, Options, Rows, read, write
from taciturn.knowledge import Knowledge
from taciturn.knowledge.understood import Understood
from taciturn.models import Model
from taciturn.models.names import understood_by
from taciturn.opening import Opening, make_opening
from taciturn.policy import Policy
from taciturn.processes import tell
from taciturn.release import Release, sanitize, several_models, watch
from taciturn.restoring import values_of
from taciturn.tables import RowEdit, TableRelease, release_table

__all__ = ["Made", "Task", "Wanted", "ready"]

_SHOWN = 10  # protected terms that are told


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a file is read, and what is wanted beside its release."""

    options: Options
    report: bool
    certificate: bool
    name_protected: bool
    as_json: bool
    key: bool
    sign: bytes | None
    opening: bool

    @property
    def commits(self) -> bool:
        """Does the certificate commit to what is protected? Only if somebody can open it again."""
        return self.opening or self.sign is not None


@dataclass(frozen=True, slots=True)
class Made:
    """A release and what was wanted beside it; ``told`` and ``understood`` (what is protected) are lines for people.
    The release of a large table is a file of pieces (:mod:`taciturn.formats.spool`)."""

    data: bytes | Path
    format: str
    told: tuple[str, ...]
    understood: tuple[str, ...]
    report: bytes = b""
    certificate: bytes = b""
    json: str = ""
    opening: bytes = b""
    original: bytes = b""
    values: Mapping[str, str] = field(default_factory=dict)


class Task(NamedTuple):
    """A file to release: its path, its bytes if it comes from standard input, and a folder for what is large."""

    path: str
    data: bytes
    folder: Path | None


def ready(model: Model | Policy, pack: str | None, wanted: Wanted) -> Callable[[Task], Made]:
    """What the worker process does with each file, once the knowledge is open."""
    knowledge = open_knowledge(pack)

    def release(task: Task) -> Made:
        try:
            original = Path(task.path).read_bytes() if wanted.key else b""
            return replace(_released(task, model, knowledge, wanted), original=original)
        except TaciturnError:
            raise
        except (ValueError, OSError) as error:
            raise InputError(str(error)) from None

    return release


def _released(task: Task, model: Model | Policy, knowledge: Knowledge, wanted: Wanted) -> Made:
    from taciturn.report.terminal import summary

    path = task.path
    table = None if path == "-" else open_table(path, wanted.options)
    if table is not None:
        return _released_table(table, task.folder, model, knowledge, wanted)
    file = read(task.data, "standard input", wanted.options) if path == "-" else open_file(path, wanted.options)
    tell("deciding")
    release = sanitize(file.document, model, knowledge)
    tell("writing")
    data = write(file, release.applied, watch(release.document, model, knowledge))
    inventory = file.inventory(release.applied)
    report = b""
    if wanted.report:
        from taciturn.report.html import report_page

        report = report_page(release.report, file.name, file=inventory).encode()
    opening = release.opening(wanted.sign) if wanted.commits else None
    certificate = _certificate(release.certificate, inventory, wanted, [data], opening)
    said = json.dumps(_as_json(release, inventory), ensure_ascii=False) if wanted.as_json else ""
    lines = inventory.lines() if inventory.format != "text" else []
    values = values_of(release.edits) if wanted.key else {}
    told = (summary(release), *lines)
    lines_on = _lines(release.report.understood)
    return Made(data, file.format, told, lines_on, report, certificate, said, _opened(opening), values=values)


def _released_table(
    table: Rows, folder: Path | None, model: Model | Policy, knowledge: Knowledge, wanted: Wanted
) -> Made:
    from taciturn.report.html import table_page

    edits: list[RowEdit] = []
    note = edits.append if wanted.report or wanted.as_json or wanted.key else lambda edit: None
    release = release_table(table, model, knowledge, note, folder)
    inventory, certificate = release.inventory, release.certificate
    understood = understood_by(several_models(model), knowledge)
    report = b""
    if wanted.report:
        report = "".join(table_page(table.name, certificate, edits, inventory, understood)).encode()
    said = json.dumps(_table_json(release, edits, understood), ensure_ascii=False) if wanted.as_json else ""
    summary = (
        f"{release.rows:,} rows, {release.edits:,} edits, {release.utility:.0%} of the information kept; "
        "the guarantee holds for each row"
    )
    opening = make_opening(several_models(model), (), wanted.sign) if wanted.commits else None
    shown = _certificate(certificate, inventory, wanted, release.pieces, opening)
    data = release.data if release.pieces.path is None else release.pieces.path
    values = values_of(edit.edit for edit in edits) if wanted.key else {}
    told = (summary, *inventory.lines())
    lines = _lines(understood)
    return Made(data, table.format, told, lines, report, shown, said, _opened(opening), values=values)


def _lines(understood: Sequence[Understood]) -> tuple[str, ...]:
    """One line for each protected term, and for many of them where the rest stands."""
    rest = len(understood) - _SHOWN
    more = (f"and {rest} more terms are protected; see: taciturn protect TERM",) if rest > 0 else ()
    return (*(one.line for one in understood[:_SHOWN]), *more)


def _certificate(
    certificate: Certificate, inventory: Inventory, wanted: Wanted, pieces: Iterable[bytes], opening: Opening | None
) -> bytes:
    if not wanted.certificate:
        return b""
    digest = sha256()
    for piece in pieces:
        digest.update(piece)
    beside: dict[str, Any] = {"released_sha256": digest.hexdigest(), "file": inventory.public()}
    if opening is not None:
        beside["commitment"] = opening.commitment
    shown = certificate.to_json(name_protected=wanted.name_protected, beside=beside, key=wanted.sign)
    return (json.dumps(shown, indent=2) + "\n").encode()


def _opened(opening: Opening | None) -> bytes:
    return (json.dumps(opening.to_json(), indent=2) + "\n").encode() if opening is not None else b""


def _table_json(release: TableRelease, edits: Sequence[RowEdit], understood: Sequence[Understood]) -> dict[str, Any]:
    changed = [
        {"row": e.row, "column": e.column, "original": e.edit.original, "replacement": e.edit.replacement}
        for e in edits
    ]
    return {
        "text": release.data.decode("utf-8-sig") if release.inventory.format != "parquet" else None,
        "certificate": release.certificate.to_json(beside={"file": release.inventory.public()}),
        "report": {
            "understood": [one.to_json() for one in understood],
            "rows": release.rows,
            "edits": changed,
            "file": release.inventory.to_json(),
        },
    }


def _as_json(release: Release, inventory: Inventory) -> dict[str, Any]:
    return {
        "text": release.text,
        "certificate": release.certificate.to_json(beside={"file": inventory.public()}),
        "report": {**release.report.to_json(), "file": inventory.to_json()},
    }
