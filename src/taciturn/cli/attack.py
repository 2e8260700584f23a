"""``taciturn attack``: whom or what would an adversary guess?"""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from taciturn.cli.candidates import ADVERSARIES, candidate_options, read_candidates
from taciturn.cli.common import knowledge_option, open_knowledge, people, read_file
from taciturn.lab.attack import Attack

__all__ = ["command"]


@click.command("attack")
@click.argument("file", metavar="FILE")
@candidate_options
@click.option(
    "--adversary",
    "chosen",
    multiple=True,
    type=click.Choice(ADVERSARIES),
    help="Who guesses; may be repeated. [default: all for which there are candidates]",
)
@click.option("--true", "truth", metavar="NAME", help="Who or what it is: a candidate whose rank is told.")
@click.option("--before", metavar="FILE", help="The original, to compare with; needs --true.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Guesses to show.")
@click.option("--json", "as_json", is_flag=True, help="Print the guesses as JSON.")
@knowledge_option
def command(
    file: str,
    chosen: tuple[str, ...],
    truth: str | None,
    before: str | None,
    top: int,
    as_json: bool,
    pack: str | None,
    **offered: Any,
) -> int:
    """Rank candidates by what FILE (- for standard input) still says of each, with the evidence.

    Four adversaries: `reader` asks all witnesses (names, relations, counts, vectors) and adds up what they say, `pmi`
    adds up mutual information, `bayes` is naive Bayes, both by the counts of the pack or by an entity base; `tf-idf`
    takes the nearest background text. `taciturn evaluate --attack` does it for whole datasets.

    \b
    Examples:
      taciturn attack released.txt --branch disease --true HIV --before original.txt
      taciturn attack released.txt --candidates actors.txt --true "Antonio Banderas" --before original.txt
      taciturn attack released.txt --background letters/ --true "Mary Holt"
      taciturn attack released.txt --entities rare-diseases --adversary pmi
    """
    if before and not truth:
        raise click.UsageError("--before compares the rank of the truth; say who it is with --true")
    candidates = read_candidates(open_knowledge(pack), **offered)
    ways = [way for way in ADVERSARIES if way in (chosen or candidates.ways)]
    if not ways:
        raise click.UsageError(
            "an adversary needs at least two candidates: --candidate NAME, --candidates FILE, --branch TERM, "
            "--entities NAME, or --background PATH"
        )
    text, original = read_file(file).document, read_file(before).document if before else None
    results: dict[str, dict[str, Attack]] = {}
    called: dict[str, str] = {}
    for way in ways:
        adversary = candidates.adversary(way, truth)
        if truth:
            called[way] = adversary.called(truth) or truth
        results[way] = ({"before": adversary(original)} if original else {}) | {"after": adversary(text)}
    if as_json:
        shown = {
            name: {side: _plain(a, called.get(name), top) for side, a in of.items()} for name, of in results.items()
        }
        click.echo(json.dumps(shown, indent=2))
        return 0
    console = Console(highlight=False)
    for name, of in results.items():
        if unknown := of["after"].unknown:
            every = len(unknown) + len(of["after"].guesses)
            people().print(f"{name}: {len(unknown)} of {every} candidates are unknown to the knowledge")
        console.print(_table(name, of["after"], top))
        for side, result in of.items():
            if true := called.get(name):
                console.print(f"{side}: {_place(result, true)}", markup=False)
    return 0


def _table(adversary: str, result: Attack, top: int) -> Table:
    score = "cosine" if adversary == "tf-idf" else "bits"
    table = Table(title=f"{adversary}: {len(result.guesses)} candidates, {result.terms} terms")
    for column in ("", "candidate", score, "posterior", f"evidence ({score})"):
        table.add_column(column, justify="left" if column == "candidate" or "evidence" in column else "right")
    for place, guess in enumerate(result.guesses[:top], 1):
        evidence = ", ".join(f"{term} {bits:.2g}" for term, bits in guess.evidence)
        chance = "said" if guess.said else f"{guess.posterior:.3f}"
        table.add_row(str(place), guess.name, f"{guess.bits:.3g}", chance, evidence)
    return table


def _place(result: Attack, truth: str) -> str:
    rank, chance = result.rank(truth), result.posterior(truth)
    if rank is None or chance is None:
        return f"{truth} is unknown to this adversary"
    if any(g.said and g.name == truth for g in result.guesses):
        return f"{truth} is said openly"
    return f"{truth} at rank {rank:g} of {len(result.guesses)}, posterior {chance:.3f}"


def _plain(result: Attack, truth: str | None, top: int) -> dict[str, object]:
    guesses = [
        {"candidate": g.name, "bits": g.bits, "posterior": g.posterior, "said": g.said, "evidence": dict(g.evidence)}
        for g in result.guesses[:top]
    ]
    shown: dict[str, object] = {"terms": result.terms, "candidates": len(result.guesses), "guesses": guesses}
    if truth:
        shown |= {"rank": result.rank(truth), "posterior": result.posterior(truth)}
    return shown
