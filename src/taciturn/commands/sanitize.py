"""``tacit sanitize``: release a file that says less."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from tacit.commands.common import (
    build_model_or_policy,
    file_options,
    knowledge_option,
    model_options,
    open_knowledge,
    people,
    policy_option,
    read_file,
    reading,
)
from tacit.formats import File, FormatError, Inventory, write, write_whole
from tacit.release import NotReleasedError, Release, sanitize

__all__ = ["command"]


@click.command("sanitize")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@policy_option
@model_options
@file_options
@knowledge_option
@click.option("--output", "-o", metavar="PATH", help="Where to put the release: a file, or a folder for several.")
@click.option("--report", metavar="FILE.html", help="Write the private report; it quotes the original.")
@click.option("--certificate", metavar="FILE.json", help="Write the certificate; it is safe to publish.")
@click.option("--name-protected", is_flag=True, help="Name the protected entities in the certificate.")
@click.option("--json", "as_json", is_flag=True, help="Print release, certificate and edits as JSON.")
@click.option("--in-place", is_flag=True, help="Allow the output to replace the input.")
def command(
    files: tuple[str, ...],
    policy: str | None,
    pack: str | None,
    output: str | None,
    report: str | None,
    certificate: str | None,
    name_protected: bool,
    as_json: bool,
    in_place: bool,
    **options: Any,
) -> int:
    """Release FILE (- for standard input) so that what you protect cannot be inferred from it.

    The released text goes to standard output, or to -o; a summary goes to standard error. The release is checked anew
    before anything is written: if the guarantee does not hold, nothing is, and the exit code is 1.

    \b
    Examples:
      tacit sanitize note.txt --protect HIV
      tacit sanitize note.docx --protect HIV --protect syphilis -o released.docx --report private.html
      tacit sanitize letter.txt --protect "Los Angeles" --alpha 2 --redact --mark block
      cat note.txt | tacit sanitize - --protect HIV --reveal virus
      tacit sanitize scan.pdf --protect HIV --unreadable rasterize --close-gaps -o released.pdf
      tacit sanitize note.txt --policy hipaa-safe-harbor --protect HIV
      tacit sanitize note.txt --model k-safe --protect-branch "sexually transmitted disease" -k 3
    """
    if len(files) > 1 and (not output or not Path(output).is_dir()):
        raise click.UsageError("several files need -o FOLDER, an existing folder for the releases")
    if len(files) > 1 and (report or certificate or as_json):
        raise click.UsageError("--report, --certificate and --json speak of one file; give one")
    given = reading(options)
    model = build_model_or_policy(policy, options)
    knowledge = open_knowledge(pack)
    failed = 0
    for path in files:
        file = read_file(path, model, given)
        try:
            release = sanitize(file.document, model, knowledge)
        except NotReleasedError as error:
            click.echo(f"Error: {path}: {error}", err=True)
            failed = 1
            continue
        data = write(file, release.applied)
        inventory = file.inventory(release.applied)
        target = _target(path, output, several=len(files) > 1)
        side_files: list[tuple[str, bytes]] = []
        if report:
            from tacit.report.html import report_page

            side_files.append((report, report_page(release.report, file.name, file=inventory).encode()))
        if certificate:
            shown = {**release.certificate.to_json(name_protected=name_protected), "file": inventory.public()}
            side_files.append((certificate, (json.dumps(shown, indent=2) + "\n").encode()))
        _refuse_mixed_up(path, target, [name for name, _ in side_files])
        if target is not None:
            write_whole(target, data, source=None if in_place or path == "-" else path)
        for name, content in side_files:
            write_whole(name, content, source=None if path == "-" else path)
        if as_json:
            click.echo(json.dumps(_as_json(release, inventory), ensure_ascii=False))
        elif target is None:
            _to_standard_output(file, data)
        _tell(path, target, release, inventory)
    return failed


def _target(path: str, output: str | None, *, several: bool) -> Path | None:
    if output is None:
        return None
    folder = Path(output)
    return folder / Path(path).name if several or folder.is_dir() else folder


def _refuse_mixed_up(path: str, target: Path | None, others: list[str]) -> None:
    """The release, the report and the certificate must go to three places."""
    names = [str(Path(n).resolve()) for n in ([str(target)] if target else []) + others]
    if len(set(names)) < len(names):
        raise FormatError(f"the release of {path!r}, its report and its certificate need paths of their own")


def _to_standard_output(file: File, data: bytes) -> None:
    if file.format not in ("text", "markdown", "html", "csv", "json", "jsonl") and sys.stdout.isatty():
        raise click.UsageError(f"a {file.format} file does not belong on a terminal; name an output with -o")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _as_json(release: Release, inventory: Inventory) -> dict[str, Any]:
    return {
        "text": release.text,
        "certificate": {**release.certificate.to_json(), "file": inventory.public()},
        "report": {**release.report.to_json(), "file": inventory.to_json()},
    }


def _tell(path: str, target: Path | None, release: Release, inventory: Inventory) -> None:
    from tacit.report.terminal import summary

    console = people()
    where = f" -> {target}" if target else ""
    console.print(f"{path}{where}: {summary(release)}", style="green", markup=False, soft_wrap=True)
    if inventory.format != "text":
        for line in inventory.lines():
            console.print(f"  {line}", style="dim", markup=False, soft_wrap=True)
