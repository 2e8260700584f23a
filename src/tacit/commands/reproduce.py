"""``tacit reproduce``: the papers' tables and figures, made again."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

__all__ = ["PAPERS", "command"]

# The module that makes a paper's experiment again has run(folder) and writes a page named after the paper.
PAPERS = {"erase": "tacit.reproduce.erase", "t-plausibility": "tacit.reproduce.t_plausibility"}


@click.command("reproduce")
@click.argument("paper", type=click.Choice(sorted(PAPERS)))
@click.option("--output", "-o", metavar="FOLDER", help="Where to put tables and figures. [default: the paper's name]")
def command(paper: str, output: str | None) -> None:
    """Make the experiment of PAPER again, with the paper's algorithms and ours, and write tables and figures.

    \b
    Examples:
      tacit reproduce t-plausibility
      tacit reproduce t-plausibility -o results
    """
    folder = Path(output or paper)
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"{str(folder)!r} is a file; name a folder with -o")
    click.echo(f"{paper}: measuring; this takes a few minutes", err=True)
    import_module(PAPERS[paper]).run(folder)
    click.echo(str(folder / f"{paper}.html"))
