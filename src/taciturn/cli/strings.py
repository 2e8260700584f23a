"""``taciturn strings``: indexes of lists, and how much of a word can be shown."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import click

from taciturn.cli.common import people
from taciturn.formats import write_whole
from taciturn.knowledge.termlist import load_list, save_list

__all__ = ["command"]

_file = click.Path(exists=True, dir_okay=False, path_type=Path)
_list_option = click.option(
    "--list", "-l", "strings", type=_file, required=True, help="The strings, one a line, or an index made by `build`."
)
_json_option = click.option("--json", "as_json", is_flag=True, help="For a program to read.")


@click.group("strings")
def command() -> None:
    """Lists of strings: how much of a word can be shown so that at least k strings still match.

    \b
    Examples:
      taciturn strings build patients.txt -o patients.index
      taciturn strings mask Smith Jones --k 5 --list patients.index
      taciturn strings dictionary Smith --list patients.index --plot smith.svg
    """


@command.command("build")
@click.argument("source", metavar="LIST", type=_file)
@click.option("--output", "-o", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The index.")
def build(source: Path, output: Path) -> None:
    """Make an index of LIST, UTF-8 text with one string a line; it opens at once, however long the list is."""
    if output.resolve() == source.resolve():
        raise click.UsageError(f"{str(output)!r} is the list itself; name another output")
    with people().status("reading and sorting"):
        index = load_list(source)
        digest = save_list(index, output)
    click.echo(f"{output}: {len(index):,} strings of {len(index.lengths)} lengths, digest {digest[:16]}", err=True)


@command.command("mask")
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@click.option("--k", type=click.IntRange(2), default=5, show_default=True, help="At least K strings must match.")
@_list_option
@_json_option
def mask(words: tuple[str, ...], k: int, strings: Path, as_json: bool) -> None:
    """Show of each WORD as many characters as at least K strings of the list share with it."""
    index = load_list(strings)
    found = index.mask_many(words, k)
    if as_json:
        rows = [{"word": w, **m._asdict(), "optimal": m.optimal} for w, m in zip(words, found, strict=True)]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for m in found:
        click.echo(m.pattern)
        proven = "" if m.optimal else f"; not proven, {m.bound} masked might do"
        short = f", fewer than {k}: no mask of this word will do" if m.k < k else ""
        click.echo(f"  {m.masked} masked, {m.k:,} strings match{short}{proven}", err=True)


@command.command("dictionary")
@click.argument("word")
@_list_option
@click.option("--rows", type=click.IntRange(1), default=40, show_default=True, help="How many patterns to show.")
@click.option("--all", "every", is_flag=True, help="Show every pattern.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.svg", help="Write the trade-off."
)
@_json_option
def dictionary(word: str, strings: Path, rows: int, every: bool, plot: Path | None, as_json: bool) -> None:
    """Show every pattern of WORD (up to 20 characters) with the number of strings that match it.

    Fewest masked characters first, then more matches: the first row with enough matches is the mask to use.
    """
    table = load_list(strings).dictionary(word)
    if plot:
        write_whole(plot, _trade_off(word, table.best()).encode())
    shown = table if every else islice(table, rows)
    if as_json:
        click.echo(
            json.dumps([{"pattern": m.pattern, "k": m.k, "masked": m.masked} for m in shown], ensure_ascii=False)
        )
        return
    click.echo(f"{'masked':>6}  {'k':>9}  pattern")
    for m in shown:
        click.echo(f"{m.masked:>6}  {m.k:>9,}  {m.pattern}")
    if not every and len(table) > rows:
        click.echo(f"{len(table) - rows:,} more patterns; --all shows them", err=True)


def _trade_off(word: str, best: list[tuple[int, int]]) -> str:
    from taciturn.report.plots import line_chart

    points = [(masked, k) for masked, k in best if k > 0]
    if not points:
        raise ValueError(
            f"no string of the list shares a character with {word!r} at its place: there is nothing to plot"
        )
    title = f"{word}: characters masked and strings that match"
    series = {"largest k": points}
    return line_chart(title, series, "masked characters", "k", log_y=True, x_ticks=[m for m, _ in points])
