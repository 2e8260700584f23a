"""What several commands share: reading input, the pack of knowledge, the console for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console

from taciturn.formats import File, FormatError, Options, Rows, read, read_rows
from taciturn.formats.declared import KIND_OF_COLUMN
from taciturn.knowledge import Knowledge
from taciturn.models.base import Model
from taciturn.policy import Policy

__all__ = [
    "file_options",
    "knowledge_option",
    "open_knowledge",
    "open_table",
    "people",
    "policy_option",
    "read_file",
    "read_options",
    "reader_option",
    "reading",
]

Command = TypeVar("Command", bound=Callable[..., Any])

_FILE_OPTIONS = (
    click.option(
        "--pictures",
        type=click.Choice(["blank", "keep", "read", "refuse"]),
        help="Pictures in files: a grey area, their pixels unread, scanned pages of PDFs by text recognition, or no "
        "release. [default: blank]",
    ),
    click.option(
        "--unreadable",
        type=click.Choice(["remove", "refuse", "rasterize"]),
        help="Text of a PDF that nobody can read for certain: remove it, refuse the file, or turn its redacted page "
        "into a picture. [default: remove]",
    ),
    click.option(
        "--boxes/--no-boxes",
        default=None,
        help="In a PDF set what stands for removed words on a light box of their size. [default: boxes]",
    ),
    click.option(
        "--close-gaps", is_flag=True, help="In a PDF close the gap that a removed word leaves: its width tells of it."
    ),
    click.option("--column", "columns", multiple=True, metavar="NAME", help="Read only this column of a table."),
    click.option(
        "--declare",
        "declared",
        multiple=True,
        metavar="NAME=KIND",
        help="What the cells of a column are: name, date, identifier or text.",
    ),
    click.option(
        "--max-seconds",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Of a document. [default: 600]",
    ),
    click.option("--max-memory", type=click.IntRange(64), metavar="MB", help="Of a document. [default: 4096]"),
)

policy_option = click.option(
    "--policy", metavar="NAME|FILE", help="A preset or a policy file, instead of a model. See: taciturn policy list."
)
reader_option = click.option("--reader", metavar="NAME", help="The reader of the policy for whom the text is.")
knowledge_option = click.option(
    "--knowledge",
    "pack",
    metavar="PACK",
    help="A pack of knowledge, a file of relations (.csv, .jsonl), or counts of a plug-in by name. [default: embedded]",
)


def people() -> Console:
    """Where people are told things: standard error, so that standard output stays the released text."""
    return Console(stderr=True, highlight=False)


def file_options(command: Command) -> Command:
    """The options that say how files are read and written; :func:`reading` takes them."""
    for option in reversed(_FILE_OPTIONS):
        command = option(command)
    return command


def reading(options: dict[str, Any]) -> dict[str, Any]:
    """Take the options of :func:`file_options` out of all options: those that were given, as fields of ``Options``."""
    given = {name: options.pop(name) for name in ("pictures", "unreadable", "boxes", "columns")}
    given["declared"] = tuple(map(_declared, options.pop("declared")))
    if options.pop("close_gaps"):
        given["keep_layout"] = False
    seconds, memory = options.pop("max_seconds"), options.pop("max_memory")
    limits = {"seconds": seconds, "memory": memory and memory * 2**20}
    given["limits"] = {name: value for name, value in limits.items() if value} or None
    return {name: value for name, value in given.items() if value is not None and value != ()}


def _declared(said: str) -> tuple[str, str]:
    title, _, kind = said.rpartition("=")
    if not title or kind not in KIND_OF_COLUMN:
        raise click.UsageError(f"--declare {said} is not NAME=KIND; KIND is {', '.join(KIND_OF_COLUMN)}")
    return title, kind


def read_options(model: Model | Policy | None, given: Mapping[str, Any]) -> Options:
    """How files are read: as the policy says if there is one, and as the command line says before that."""
    options = model.options() if isinstance(model, Policy) else Options()
    return replace(options, **{**given, "limits": replace(options.limits, **given.get("limits", {}))})


def read_file(path: str, model: Model | Policy | None = None, given: Mapping[str, Any] | None = None) -> File:
    """The file at a path, or standard input for ``-``, read as :func:`read_options` says."""
    options = read_options(model, given or {})
    if path == "-":
        return read(sys.stdin.buffer.read(), "standard input", options)
    return open_file(path, options)


def open_file(path: str, options: Options) -> File:
    """The file at a path."""
    if Path(path).is_dir():
        raise FormatError(f"{path!r} is a folder; name a file")
    return read(Path(path), options=options)


def open_table(path: str, options: Options) -> Rows | None:
    """The table at a path, whose rows are documents; None if the file there is no table, or is standard input."""
    return None if path == "-" or Path(path).is_dir() else read_rows(path, options=options)


def open_knowledge(path: str | None) -> Knowledge:
    """The named pack, or the embedded one."""
    return Knowledge.open(path) if path else Knowledge.default()
