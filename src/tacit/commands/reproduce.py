"""``tacit reproduce``: the papers' tables and figures, made again."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

__all__ = ["PAPERS", "command"]

# The module that makes a paper's experiment again has run(folder) and writes a page named after the paper.
PAPERS = {
    "erase": "tacit.reproduce.erase",
    "k-anonymity": "tacit.reproduce.k_anonymity",
    "t-plausibility": "tacit.reproduce.t_plausibility",
}
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("reproduce")
@click.argument("paper", type=click.Choice(sorted(PAPERS)))
@click.option("--output", "-o", metavar="FOLDER", help="Where to put tables and figures. [default: the paper's name]")
@click.option(
    "--titles", type=_FILE, metavar="FILE", help="For k-anonymity: a list, one title a line. [default: made up]"
)
def command(paper: str, output: str | None, titles: Path | None) -> None:
    """Make the experiment of PAPER again, with the paper's algorithms and ours, and write tables and figures.

    \b
    Examples:
      tacit reproduce t-plausibility
      tacit reproduce t-plausibility -o results
      tacit reproduce k-anonymity --titles titles.txt
    """
    folder = Path(output or paper)
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"{str(folder)!r} is a file; name a folder with -o")
    if titles and paper != "k-anonymity":
        raise click.UsageError("--titles goes with k-anonymity only")
    click.echo(f"{paper}: measuring; this takes a few minutes", err=True)
    import_module(PAPERS[paper]).run(folder, **({"titles": titles} if titles else {}))
    click.echo(str(folder / f"{paper}.html"))
