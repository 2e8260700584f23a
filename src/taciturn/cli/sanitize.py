"""``taciturn sanitize``: release a file that says less."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import click

from taciturn.certificate import Certificate
from taciturn.cli.common import (
    file_options,
    knowledge_option,
    open_file,
    open_knowledge,
    open_table,
    people,
    policy_option,
    read_options,
    reader_option,
    reading,
)
from taciturn.cli.models import Asked, ModelCommand, build_model_or_policy
from taciturn.cli.readers import for_each_reader, readers_of
from taciturn.cli.restore import passphrase_of
from taciturn.cli.waiting import bar, room_for
from taciturn.errors import FormatError, InputError, NotReleasedError, TaciturnError
from taciturn.formats import Inventory, Options, Output, Rows, read, write, write_together
from taciturn.formats.detect import TABLE_SUFFIXES
from taciturn.formats.spool import pieces_at
from taciturn.knowledge import Knowledge
from taciturn.knowledge.understood import Understood
from taciturn.models import Model
from taciturn.models.names import understood_by
from taciturn.opening import Opening, make_opening
from taciturn.policy import Policy
from taciturn.processes import LostError, OverrunError, Worker, tell
from taciturn.release import Release, sanitize, several_models, watch
from taciturn.restoring import KeyFile, values_of
from taciturn.signing import read_private_key
from taciturn.tables import RowEdit, TableRelease, release_table

__all__ = ["command"]

_SHOWN = 10  # places where a guarantee fails, or protected terms, that are told


@click.command("sanitize", cls=ModelCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@policy_option
@reader_option
@file_options
@knowledge_option
@click.option("--output", "-o", metavar="PATH", help="Where to put the release: a file, or a folder for several.")
@click.option("--report", metavar="FILE.html", help="Write the private report; it quotes the original.")
@click.option("--certificate", metavar="FILE.json", help="Write the certificate; it is safe to publish.")
@click.option(
    "--key", "key_file", metavar="FILE.key", help="Write an encrypted key file; restore gives the original back."
)
@click.option(
    "--passphrase-file", metavar="FILE", help="The passphrase of --key; else $TACITURN_PASSPHRASE, else asked for."
)
@click.option("--sign", metavar="FILE.key", help="Sign the certificate with a private key; see: taciturn keys.")
@click.option("--opening", metavar="FILE.json", help="Write what the certificate commits to; private.")
@click.option("--name-protected", is_flag=True, help="Name the protected entities in the certificate.")
@click.option("--json", "as_json", is_flag=True, help="Print release, certificate and edits as JSON.")
@click.option("--in-place", is_flag=True, help="Allow the output to replace the input.")
def command(
    files: tuple[str, ...],
    policy: str | None,
    reader: str | None,
    pack: str | None,
    output: str | None,
    report: str | None,
    certificate: str | None,
    key_file: str | None,
    passphrase_file: str | None,
    sign: str | None,
    opening: str | None,
    name_protected: bool,
    as_json: bool,
    in_place: bool,
    asked: Asked,
    **options: Any,
) -> int:
    """Release FILE (- for standard input) so that what you protect cannot be inferred from it.

    The released text goes to standard output, or to -o; a summary goes to standard error. The release is checked anew
    before anything is written: if the guarantee does not hold, nothing is, and the exit code is 1.
    Of a table (CSV, JSON lines, Parquet) every row is a document of its own.

    \b
    Examples:
      taciturn sanitize note.txt --protect HIV
      taciturn sanitize note.docx --protect HIV --protect syphilis -o released.docx --report private.html
      taciturn sanitize letter.txt --protect "Los Angeles" --alpha 2 --redact --mark block
      cat note.txt | taciturn sanitize - --protect HIV --reveal virus
      taciturn sanitize scan.pdf --protect HIV --unreadable rasterize --close-gaps -o released.pdf
      taciturn sanitize note.txt --policy hipaa-safe-harbor --protect HIV
      taciturn sanitize note.txt --policy ward.toml --reader insurer
      taciturn sanitize notes.csv --column note --protect HIV -o released.csv
      taciturn sanitize note.txt --model k-safe --protect-branch "sexually transmitted disease" -k 3
    """
    if readers := readers_of(policy, reader):
        return for_each_reader(readers, click.get_current_context())
    if len(files) > 1 and (not output or not Path(output).is_dir()):
        raise click.UsageError("several files need -o FOLDER, an existing folder for the releases")
    if len(files) > 1 and (report or certificate or as_json or key_file):
        raise click.UsageError("--report, --certificate, --key and --json speak of one file; give one")
    if (sign or opening) and not certificate:
        raise click.UsageError("--sign and --opening belong to a certificate; add --certificate FILE.json")
    if key_file and "-" in files:
        raise click.UsageError("--key gives a file back byte for byte; name the file instead of standard input")
    given = reading(options)
    model = build_model_or_policy(policy, asked, reader)
    key = _Key(key_file, passphrase_of(passphrase_file, twice=True)) if key_file else None
    wanted = _Wanted(
        read_options(model, given),
        bool(report),
        bool(certificate),
        name_protected,
        as_json,
        key is not None,
        read_private_key(sign) if sign else None,
        bool(opening),
    )
    worker = Worker(_ready, (model, pack, wanted), wanted.options.limits.memory)
    worker.start()
    failed = 0
    told: set[str] = set()  # what was understood is said once, not for each file
    try:
        for path in files:
            try:
                target = _target(path, output, several=len(files) > 1)
                with room_for(path, None if as_json or key else target) as folder:
                    with bar(path) as heard:
                        made = _within(worker, path, wanted.options.limits.seconds, folder, heard)
                    for line in made.understood:
                        if line not in told:
                            click.echo(line, err=True)
                    told.update(made.understood)
                    beside = ((report, made.report), (certificate, made.certificate), (opening, made.opening))
                    _put(path, target, made, beside, key, in_place=in_place)
            except NotReleasedError as error:
                click.echo(f"Error: {path}: {error}", err=True)
                for violation in error.certificate.violations[:_SHOWN]:
                    click.echo(f"  {violation.message}", err=True)
                failed = failed or 1
            except TaciturnError as error:
                if len(files) == 1:
                    raise
                click.echo("\n  ".join((f"Error: {error}", *error.private)), err=True)
                failed = 2
    finally:
        worker.close()
    return failed


@dataclass(frozen=True, slots=True)
class _Wanted:
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
class _Key:
    """Where the key file goes, and what it is sealed with."""

    path: str
    passphrase: str


@dataclass(frozen=True, slots=True)
class _Made:
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


class _Task(NamedTuple):
    """A file to release: its path, its bytes if it comes from standard input, and a folder for what is large."""

    path: str
    data: bytes
    folder: Path | None


def _ready(model: Model | Policy, pack: str | None, wanted: _Wanted) -> Callable[[_Task], _Made]:
    """What the worker process does with each file, once the knowledge is open."""
    knowledge = open_knowledge(pack)

    def release(task: _Task) -> _Made:
        try:
            original = Path(task.path).read_bytes() if wanted.key else b""
            return replace(_released(task, model, knowledge, wanted), original=original)
        except TaciturnError:
            raise
        except (ValueError, OSError) as error:
            raise InputError(str(error)) from None

    return release


def _released(task: _Task, model: Model | Policy, knowledge: Knowledge, wanted: _Wanted) -> _Made:
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
    return _Made(data, file.format, told, lines_on, report, certificate, said, _opened(opening), values=values)


def _released_table(
    table: Rows, folder: Path | None, model: Model | Policy, knowledge: Knowledge, wanted: _Wanted
) -> _Made:
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
    return _Made(data, table.format, told, lines, report, shown, said, _opened(opening), values=values)


def _lines(understood: Sequence[Understood]) -> tuple[str, ...]:
    """One line for each protected term, and for many of them where the rest stands."""
    rest = len(understood) - _SHOWN
    more = (f"and {rest} more terms are protected; see: taciturn protect TERM",) if rest > 0 else ()
    return (*(one.line for one in understood[:_SHOWN]), *more)


def _certificate(
    certificate: Certificate, inventory: Inventory, wanted: _Wanted, pieces: Iterable[bytes], opening: Opening | None
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


def _within(worker: Worker, path: str, seconds: float, folder: Path | None, heard: Callable[[object], None]) -> _Made:
    data = sys.stdin.buffer.read() if path == "-" else b""
    if Path(path).suffix.lower() in TABLE_SUFFIXES and Path(path).is_file():
        seconds *= max(1, Path(path).stat().st_size // 2**20)  # a table is many documents
    try:
        made: _Made = worker.call(_Task(path, data, folder), seconds, heard)
    except (OverrunError, LostError) as error:
        worker.kill()
        worker.start()
        raise FormatError(
            f"{path!r} was not released: {error}; --max-seconds and --max-memory raise the limits if you trust it"
        ) from None
    return made


def _put(
    path: str,
    target: Path | None,
    made: _Made,
    beside: Sequence[tuple[str | None, bytes]],
    key: _Key | None,
    *,
    in_place: bool,
) -> None:
    """Write what was made, all of it or nothing, and tell people."""
    if target is None and not made.json:
        _refuse_terminal(made.format)
    source = None if path == "-" else path
    # The release comes last: it must never be there without what was asked for with it.
    outputs = [Output(place, data, source) for place, data in beside if place]
    if key:
        assert isinstance(made.data, bytes)  # who asks for a key file has the release in memory
        sealed = KeyFile().adding(made.original, made.data, made.values).sealed(key.passphrase)
        outputs.append(Output(key.path, sealed, source))
    data = made.data if isinstance(made.data, bytes) else pieces_at(made.data)
    outputs += [Output(target, data, None if in_place else source)] if target is not None else []
    _refuse_mixed_up(path, outputs)
    write_together(outputs)
    if made.json:
        click.echo(made.json)
    elif target is None and isinstance(made.data, bytes):
        sys.stdout.buffer.write(made.data)
        sys.stdout.buffer.flush()
    console = people()
    where = f" -> {target}" if target else ""
    console.print(f"{path}{where}: {made.told[0]}", style="green", markup=False, soft_wrap=True)
    for line in made.told[1:]:
        console.print(f"  {line}", style="dim", markup=False, soft_wrap=True)


def _target(path: str, output: str | None, *, several: bool) -> Path | None:
    if output is None:
        return None
    folder = Path(output)
    return folder / Path(path).name if several or folder.is_dir() else folder


def _refuse_mixed_up(path: str, outputs: Sequence[Output]) -> None:
    """The release, the report, the certificate and the key file must go to places of their own."""
    names = [str(Path(output.path).resolve()) for output in outputs]
    if len(set(names)) < len(names):
        raise FormatError(
            f"the release of {path!r}, its report, certificate, opening and key file need paths of their own"
        )


def _refuse_terminal(form: str) -> None:
    if form not in ("text", "markdown", "html", "csv", "json", "jsonl") and sys.stdout.isatty():
        raise click.UsageError(f"a {form} file does not belong on a terminal; name an output with -o")


def _as_json(release: Release, inventory: Inventory) -> dict[str, Any]:
    return {
        "text": release.text,
        "certificate": release.certificate.to_json(beside={"file": inventory.public()}),
        "report": {**release.report.to_json(), "file": inventory.to_json()},
    }
