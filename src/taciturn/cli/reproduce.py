"""``taciturn reproduce``: the papers' tables and figures, made again."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from taciturn.lab.reproduce import NEEDS_DATA

__all__ = ["PAPERS", "command"]

# The module that makes a paper's experiment again has run(folder) and writes a page named after the paper.
PAPERS = {
    "c-sanitized": "taciturn.lab.reproduce.c_sanitized",
    "erase": "taciturn.lab.reproduce.erase",
    "k-anonymity": "taciturn.lab.reproduce.k_anonymity",
    "s1-s2": "taciturn.lab.reproduce.s1_s2",
    "t-plausibility": "taciturn.lab.reproduce.t_plausibility",
}
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("reproduce")
@click.argument("paper", type=click.Choice([*sorted(PAPERS), "all"]))
@click.option("--output", "-o", metavar="FOLDER", help="Where to put tables and figures. [default: the paper's name]")
@click.option(
    "--data", type=_FOLDER, metavar="FOLDER", help="For c-sanitized, s1-s2: the folder with articles/ and actors/."
)
@click.option(
    "--titles", type=_FILE, metavar="FILE", help="For k-anonymity: a list, one title a line. [default: made up]"
)
def command(paper: str, output: str | None, data: Path | None, titles: Path | None) -> None:
    """Make the experiment of PAPER again, with the paper's algorithms and ours, and write tables and figures.

    `all` makes every experiment and an index with a line for each claim: the paper's figure, ours, the same or why not.

    \b
    Examples:
      taciturn reproduce t-plausibility
      taciturn reproduce c-sanitized --data ../shared/data -o results
      taciturn reproduce k-anonymity --titles titles.txt
      taciturn reproduce all --data ../shared/data -o results
    """
    folder = Path(output or ("reproduced" if paper == "all" else paper))
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"{str(folder)!r} is a file; name a folder with -o")
    if titles and paper not in ("k-anonymity", "all"):
        raise click.UsageError("--titles goes with k-anonymity only")
    if data and paper not in NEEDS_DATA | {"all"}:
        raise click.UsageError(f"--data goes with {' and '.join(sorted(NEEDS_DATA))} only")
    if paper in NEEDS_DATA and not data:
        raise click.UsageError(f"{paper} needs --data: the folder with articles/ and actors/")
    if paper == "all" and not data:
        click.echo(f"no --data: {' and '.join(sorted(NEEDS_DATA))} are left out", err=True)
    click.echo(f"{paper}: measuring; this takes a few minutes", err=True)
    arguments = {name: value for name, value in (("data", data), ("titles", titles)) if value}
    import_module("taciturn.lab.reproduce.every" if paper == "all" else PAPERS[paper]).run(folder, **arguments)
    click.echo(str(folder / ("index.html" if paper == "all" else f"{paper}.html")))
