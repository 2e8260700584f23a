"""``tacit attack``: whom would an adversary guess?"""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from tacit.attack import Attack, attack
from tacit.commands.common import knowledge_option, open_knowledge, people, read_file
from tacit.knowledge.files import read_text

__all__ = ["command"]


@click.command("attack")
@click.argument("file", metavar="FILE")
@click.option("--candidate", "-c", multiple=True, metavar="NAME", help="Who it may be; may be repeated.")
@click.option("--candidates", "listed", metavar="FILE", help="A list of candidates, one a line.")
@click.option("--true", "truth", metavar="NAME", help="Who it is: a candidate whose rank is told.")
@click.option("--before", metavar="FILE", help="The original, to compare with; needs --true.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Guesses to show.")
@click.option("--json", "as_json", is_flag=True, help="Print the guesses as JSON.")
@knowledge_option
def command(
    file: str,
    candidate: tuple[str, ...],
    listed: str | None,
    truth: str | None,
    before: str | None,
    top: int,
    as_json: bool,
    pack: str | None,
) -> int:
    """Rank candidates by what FILE (- for standard input) still says of each, with the evidence.

    \b
    Examples:
      tacit attack released.txt --candidates actors.txt --true "Antonio Banderas" --before original.txt
      tacit attack released.txt -c HIV -c influenza -c hepatitis
    """
    names = list(candidate)
    if listed:
        names += [line.strip() for line in read_text(Path(listed)).split("\n") if line.strip()]
    if truth:
        names.append(truth)
    names = list(dict.fromkeys(names))
    if len(names) < 2:
        raise click.UsageError("an adversary needs at least two candidates: --candidate NAME, or --candidates FILE")
    if before and not truth:
        raise click.UsageError("--before compares the rank of the truth; say who it is with --true")
    knowledge = open_knowledge(pack)
    after = attack(read_file(file).document, names, knowledge)
    original = attack(read_file(before).document, names, knowledge) if before else None
    if after.unknown:
        people().print(f"{len(after.unknown)} of {len(names)} candidates are unknown to the knowledge and left out")
    if as_json:
        shown = {"after": _plain(after, truth, top)}
        if original:
            shown["before"] = _plain(original, truth, top)
        click.echo(json.dumps(shown, indent=2))
        return 0
    table = Table(title=f"{len(after.guesses)} candidates, {after.terms} terms")
    for column in ("", "candidate", "bits", "posterior", "evidence (bits)"):
        table.add_column(column, justify="left" if column in ("candidate", "evidence (bits)") else "right")
    for place, guess in enumerate(after.guesses[:top], 1):
        evidence = ", ".join(f"{term} {bits:.1f}" for term, bits in guess.evidence)
        table.add_row(str(place), guess.name, f"{guess.bits:.1f}", f"{guess.posterior:.3f}", evidence)
    console = Console(highlight=False)
    console.print(table)
    for label, result in (("before", original), ("after", after)):
        if truth and result:
            console.print(f"{label}: {_place(result, truth)}", markup=False)
    return 0


def _place(result: Attack, truth: str) -> str:
    rank, chance = result.rank(truth), result.posterior(truth)
    if rank is None or chance is None:
        return f"{truth} is unknown to the knowledge"
    return f"{truth} at rank {rank:g} of {len(result.guesses)}, posterior {chance:.3f}"


def _plain(result: Attack, truth: str | None, top: int) -> dict[str, object]:
    guesses = [
        {"candidate": g.name, "bits": g.bits, "posterior": g.posterior, "evidence": dict(g.evidence)}
        for g in result.guesses[:top]
    ]
    shown: dict[str, object] = {"terms": result.terms, "candidates": len(result.guesses), "guesses": guesses}
    if truth:
        shown |= {"rank": result.rank(truth), "posterior": result.posterior(truth)}
    return shown
