"""``taciturn batch``: release folders, archives and tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from taciturn.batch import Columns, Job, Outcome, find_sources, run
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
from taciturn.formats import Options
from taciturn.policy import Policy

__all__ = ["command"]


@click.command("batch", cls=ModelCommand)
@click.argument("inputs", nargs=-1, required=True, metavar="IN...")
@file_options
@policy_option
@reader_option
@knowledge_option
@click.option("--output", "-o", required=True, metavar="OUT", help="The folder for everything; new, or to be resumed.")
@click.option("--text", multiple=True, metavar="COLUMN", help="The rows of tables are documents; this is their text.")
@click.option("--id", "identifier", metavar="COLUMN", help="A column that the manifest quotes.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="A column to leave out of the release.")
@click.option("--dossier", metavar="COLUMN|folder", help="Also check what each dossier's releases say together.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes. [default: one a processor]")
@click.option("--resume", is_flag=True, help="Go on with an interrupted run.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first document that cannot be released.")
def command(
    inputs: tuple[str, ...],
    policy: str | None,
    reader: str | None,
    pack: str | None,
    output: str,
    text: tuple[str, ...],
    identifier: str | None,
    drop: tuple[str, ...],
    dossier: str | None,
    workers: int | None,
    resume: bool,
    fail_fast: bool,
    asked: Asked,
    **options: Any,
) -> int:
    """Release every document of IN... (folders, files, patterns, archives, tables) into OUT.

    OUT/released holds the releases, manifest.jsonl a line for each document with its digests and figures,
    failed.jsonl the documents that could not be released and why, collection.json what is guaranteed of all of them.
    Exit code 0: everything was released; 1: a document failed, or a dossier is not safe together; 2: bad input.
    Whatever interrupts a run, the same command with --resume goes on with it.

    \b
    Examples:
      taciturn batch notes/ -o out --protect HIV
      taciturn batch mail/ old-mail.tar.gz -o out --policy hipaa-safe-harbor --workers 8
      taciturn batch notes.csv -o out --text note --id visit --drop name --dossier patient --protect HIV
      taciturn batch 'letters/**/*.docx' -o out --protect "Los Angeles" --dossier folder --resume
    """
    if readers := readers_of(policy, reader):
        return for_each_reader(readers, click.get_current_context())
    if (identifier or drop) and not text:
        raise click.UsageError("--id and --drop speak of tables; name their text with --text COLUMN")
    if set(text) & set(drop) or identifier in drop:
        raise click.UsageError("a column cannot be both released and dropped")
    if identifier in text:
        raise click.UsageError(f"--id {identifier} is the text, which the manifest does not quote; name another column")
    _check_dossier(dossier, text)
    given = reading(options)
    said = build_model_or_policy(policy, asked, reader)
    models = said.build() if isinstance(said, Policy) else (said,)
    read_as = read_options(said, given)
    job = Job(models, Path(output), pack, _columns(text, identifier, drop, read_as), dossier, read_as)
    sources = find_sources(inputs, job.out, tables=bool(text))
    try:
        with _bar(people()) as progress:
            outcome = run(
                job,
                sources,
                workers=workers or _processors(),
                resume=resume,
                fail_fast=fail_fast,
                settings={**options, **asked, "policy": repr(said) if policy else ""},
                progress=progress,
            )
    except KeyboardInterrupt:
        told = f"stopped; to go on: the same command with --resume (so far in {output})"
        people().print(told, markup=False, soft_wrap=True)
        return 130
    _tell(outcome, output)
    return outcome.exit_code


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _columns(text: tuple[str, ...], identifier: str | None, drop: tuple[str, ...], options: Options) -> Columns:
    declared = tuple(pair for pair in options.declared if pair[0] not in (*text, *drop))
    return Columns(text, identifier, drop, declared)


def _check_dossier(dossier: str | None, text: tuple[str, ...]) -> None:
    if dossier and dossier != "folder" and not text:
        raise click.UsageError(
            f"--dossier {dossier} is a column, which needs a table: name its text with --text COLUMN"
        )
    if dossier == "folder" and text:
        raise click.UsageError("--dossier folder groups files; for the rows of a table name a column")


class _Rate(ProgressColumn):
    """Documents a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def _bar(console: Console) -> Iterator[Callable[[int, int], None]]:
    """A bar with the rate and the time left, on a terminal only."""
    columns = (
        TextColumn("documents"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, speed_estimate_period=60) as bar:
        task = bar.add_task("documents", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tell(outcome: Outcome, output: str) -> None:
    console = people()
    good = outcome.documents - outcome.failed
    console.print(f"{good} of {outcome.documents} documents released -> {output}", markup=False, soft_wrap=True)
    if outcome.stopped:
        told = f"stopped at a failure, as asked: {outcome.stopped}; --resume goes on"
        console.print(told, style="red", markup=False, soft_wrap=True)
    elif outcome.failed:
        told = f"{outcome.failed} failed: {Path(output) / 'failed.jsonl'}"
        console.print(told, style="red", markup=False, soft_wrap=True)
    if outcome.unsafe:
        many = "dossier is" if outcome.unsafe == 1 else "dossiers are"
        told = f"{outcome.unsafe} {many} not safe together: {Path(output) / 'dossiers.jsonl'}"
        advice = "release the documents of each as one file, with --context document: then they are planned together"
        console.print(f"{told}; {advice}", style="red", markup=False, soft_wrap=True)
