"""``taciturn demo``: the example note, before and after."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from taciturn import samples
from taciturn.cli.common import open_knowledge
from taciturn.formats import read
from taciturn.models import CSanitized
from taciturn.release import sanitize

__all__ = ["command"]


@click.command("demo")
@click.argument("file", default="", metavar="[FILE]")
@click.option("--protect", "-p", multiple=True, default=("HIV",), metavar="TERM", show_default=True)
def command(file: str, protect: tuple[str, ...]) -> None:
    """Sanitize the example discharge note, protecting HIV, and show everything: text, edits, certificate."""
    from taciturn.report.terminal import certificate_panel, edits_table, side_by_side, summary

    release = sanitize(
        read(Path(file) if file else samples.path("discharge-note.txt")).document,
        CSanitized(protect=protect),
        open_knowledge(None),
    )
    console = Console(highlight=False)
    console.print(side_by_side(release))
    console.print(edits_table(release))
    console.print()
    console.print(certificate_panel(release.certificate))
    console.print(summary(release), style="bold")
