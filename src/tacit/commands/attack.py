"""``tacit attack``: whom or what would an adversary guess?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from tacit.attack import Adversary, Attack, BaseAdversary, Outsider, PackAdversary, read_background, under_branch
from tacit.attack.evidence import Way
from tacit.commands.common import knowledge_option, open_knowledge, people, read_file, read_lines
from tacit.knowledge import EntityBase, Knowledge
from tacit.knowledge.entityfiles import load_base
from tacit.language import key
from tacit.models import KSafe

__all__ = ["command"]

_WAYS: tuple[Way, ...] = ("pmi", "bayes")


@click.command("attack")
@click.argument("file", metavar="FILE")
@click.option("--candidate", "-c", multiple=True, metavar="NAME", help="Who or what it may be; may be repeated.")
@click.option("--candidates", "listed", metavar="FILE", help="A list of candidates, one a line.")
@click.option("--branch", metavar="TERM", help="All that a taxonomy has under TERM, such as disease.")
@click.option("--entities", metavar="NAME|FILE", help="The entities of a base, by name in the pack or as a file.")
@click.option("--background", metavar="PATH", help="A folder of NAME.txt, or JSON lines with name and text.")
@click.option(
    "--adversary",
    "chosen",
    multiple=True,
    type=click.Choice([*_WAYS, "tf-idf"]),
    help="Who guesses; may be repeated. [default: all for which there are candidates]",
)
@click.option("--true", "truth", metavar="NAME", help="Who or what it is: a candidate whose rank is told.")
@click.option("--before", metavar="FILE", help="The original, to compare with; needs --true.")
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="Guesses to show.")
@click.option("--json", "as_json", is_flag=True, help="Print the guesses as JSON.")
@knowledge_option
def command(
    file: str,
    candidate: tuple[str, ...],
    listed: str | None,
    branch: str | None,
    entities: str | None,
    background: str | None,
    chosen: tuple[str, ...],
    truth: str | None,
    before: str | None,
    top: int,
    as_json: bool,
    pack: str | None,
) -> int:
    """Rank candidates by what FILE (- for standard input) still says of each, with the evidence.

    Three adversaries: `pmi` adds up mutual information, `bayes` is naive Bayes, both by the counts of the pack or by an
    entity base; `tf-idf` takes the nearest background text. `tacit evaluate --attack` does it for whole datasets.

    \b
    Examples:
      tacit attack released.txt --branch disease --true HIV --before original.txt
      tacit attack released.txt --candidates actors.txt --true "Antonio Banderas" --before original.txt
      tacit attack released.txt --background letters/ --true "Mary Holt"
      tacit attack released.txt --entities rare-diseases --adversary pmi
    """
    if before and not truth:
        raise click.UsageError("--before compares the rank of the truth; say who it is with --true")
    names = [*candidate, *(read_lines(listed) if listed else ())]
    knowledge = open_knowledge(pack)
    if branch:
        names += under_branch(branch, knowledge, truth)
    if names and truth:
        names.append(truth)
    names = list(dict.fromkeys(names))
    base = _base(entities, knowledge) if entities else None
    if base and names:
        raise click.UsageError("--entities brings its own candidates; leave the others out")
    if base and truth:
        truth = KSafe(base, [truth]).resolve(knowledge)[1][0]  # as the base calls it
    if len(names) < 2 and not base and not background:
        raise click.UsageError(
            "an adversary needs at least two candidates: --candidate NAME, --candidates FILE, --branch TERM, "
            "--entities NAME, or --background PATH"
        )
    text, original = read_file(file).document, read_file(before).document if before else None
    results: dict[str, dict[str, Attack]] = {}
    for adversary in _adversaries(chosen, names, base, background, knowledge):
        results[adversary.name] = {"after": adversary(text)}
        if original:
            results[adversary.name] = {"before": adversary(original), **results[adversary.name]}
    if as_json:
        shown = {name: {side: _plain(a, truth, top) for side, a in of.items()} for name, of in results.items()}
        click.echo(json.dumps(shown, indent=2))
        return 0
    console = Console(highlight=False)
    for name, of in results.items():
        if unknown := of["after"].unknown:
            people().print(f"{name}: {len(unknown)} of {len(names)} candidates are unknown to the knowledge")
        console.print(_table(name, of["after"], top))
        for side, result in of.items():
            if truth:
                console.print(f"{side}: {_place(result, truth)}", markup=False)
    return 0


def _base(entities: str, knowledge: Knowledge) -> EntityBase:
    if Path(entities).suffix:
        return load_base(Path(entities), key)
    if entities not in knowledge.entities:
        known = ", ".join(sorted(knowledge.entities)) or "none"
        raise click.UsageError(f"the knowledge holds no entity base {entities!r}; it has {known}")
    return knowledge.entities[entities]


def _adversaries(
    chosen: tuple[str, ...], names: list[str], base: EntityBase | None, background: str | None, knowledge: Knowledge
) -> Iterator[Adversary]:
    """Those asked for, or all for which there are candidates."""
    for way in _WAYS:
        if (way in chosen or not chosen) and base:
            yield BaseAdversary(base, knowledge, way)
        elif (way in chosen or not chosen) and names:
            yield PackAdversary(names, knowledge, way)
        elif way in chosen:
            raise click.UsageError(f"--adversary {way} needs candidates: -c, --candidates, --branch or --entities")
    if "tf-idf" in chosen and not background:
        raise click.UsageError("--adversary tf-idf needs --background: a text on each candidate")
    if background and ("tf-idf" in chosen or not chosen):
        texts = read_background(Path(background))
        missing = [name for name in names if name not in texts]
        if missing:
            people().print(f"tf-idf: no background text for {len(missing)} of {len(names)} candidates")
        yield Outsider(texts)


def _table(adversary: str, result: Attack, top: int) -> Table:
    score = "cosine" if adversary == "tf-idf" else "bits"
    table = Table(title=f"{adversary}: {len(result.guesses)} candidates, {result.terms} terms")
    for column in ("", "candidate", score, "posterior", f"evidence ({score})"):
        table.add_column(column, justify="left" if column == "candidate" or "evidence" in column else "right")
    for place, guess in enumerate(result.guesses[:top], 1):
        evidence = ", ".join(f"{term} {bits:.2g}" for term, bits in guess.evidence)
        table.add_row(str(place), guess.name, f"{guess.bits:.3g}", f"{guess.posterior:.3f}", evidence)
    return table


def _place(result: Attack, truth: str) -> str:
    rank, chance = result.rank(truth), result.posterior(truth)
    if rank is None or chance is None:
        return f"{truth} is unknown to this adversary"
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
