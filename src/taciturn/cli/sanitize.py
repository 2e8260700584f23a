"""``taciturn sanitize``: release a file that says less."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from taciturn.cli.common import (
    file_options,
    knowledge_option,
    people,
    policy_option,
    read_options,
    reader_option,
    reading,
)
from taciturn.cli.models import Asked, ModelCommand, build_model_or_policy
from taciturn.cli.readers import for_each_reader, readers_of
from taciturn.cli.releasing import Made, Task, Wanted, ready
from taciturn.cli.restore import passphrase_of
from taciturn.cli.waiting import bar, room_for
from taciturn.errors import FormatError, NotReleasedError, TaciturnError
from taciturn.formats import Output, write_together
from taciturn.formats.detect import TABLE_SUFFIXES, released_name
from taciturn.formats.spool import pieces_at
from taciturn.processes import LostError, OverrunError, Worker
from taciturn.restoring import KeyFile
from taciturn.signing import read_private_key

__all__ = ["command"]

_SHOWN = 10  # places where a guarantee fails that are told


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
    wanted = Wanted(
        read_options(model, given),
        bool(report),
        bool(certificate),
        name_protected,
        as_json,
        key is not None,
        read_private_key(sign) if sign else None,
        bool(opening),
    )
    worker = Worker(ready, (model, pack, wanted), wanted.options.limits.memory)
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
class _Key:
    """Where the key file goes, and what it is sealed with."""

    path: str
    passphrase: str


def _within(worker: Worker, path: str, seconds: float, folder: Path | None, heard: Callable[[object], None]) -> Made:
    data = sys.stdin.buffer.read() if path == "-" else b""
    if Path(path).suffix.lower() in TABLE_SUFFIXES and Path(path).is_file():
        seconds *= max(1, Path(path).stat().st_size // 2**20)  # a table is many documents
    try:
        made: Made = worker.call(Task(path, data, folder), seconds, heard)
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
    made: Made,
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
    if several or folder.is_dir():
        return folder / released_name(Path(path).name, "msg")
    if released_name(folder.name, "msg") != folder.name:
        raise FormatError(f"an Outlook message is released as an e-mail: name it -o {folder.with_suffix('.eml')}")
    return folder


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
