"""``taciturn evaluate``: how well models, and other tools, agree with masks that people made."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress

from taciturn import registry
from taciturn.cli.candidates import ADVERSARIES, candidate_options, read_candidates
from taciturn.cli.common import knowledge_option, open_knowledge, people
from taciturn.formats import write_whole
from taciturn.knowledge import Knowledge
from taciturn.lab.attack import Adversary
from taciturn.lab.evaluate import (
    Case,
    Masking,
    Scores,
    blacked_out,
    by_people,
    load_cases,
    load_masking,
    risk,
    run_model,
    score,
    tables,
    told_by_kind,
    untouched,
    with_utility,
)
from taciturn.models.base import Model
from taciturn.models.declare import declared
from taciturn.policy import Policy, PolicyError

__all__ = ["command", "expanded", "model_of", "policy_of"]


def model_of(wanted: str) -> Callable[[Case], Model]:
    """From ``name:parameter=value,...`` to the model for a case, which protects whom the case names.

    Where the parameters say what is hidden (``beta`` of S1 and S2), the case does not.

    >>> case = Case("1", "Ann Lee lives in Rome.", ("Ann Lee",), ())
    >>> model_of("person-release:style=court,recall=0.6")(case).recall
    0.6
    """
    name, _, rest = wanted.partition(":")
    if name not in registry.models:
        raise click.UsageError(f"unknown model {name!r}: choose {', '.join(registry.models)}")
    told = declared(name)
    parameters: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        parameter, equals, value = part.partition("=")
        if not equals or parameter not in told or not told[parameter].is_plain:
            takes = ", ".join(f"{p.name}=..." for p in told.parameters if p.is_plain)
            raise click.UsageError(f"{part!r} in {wanted!r}: {name} takes {takes}")
        try:
            parameters[parameter] = told[parameter].read(value)
        except ValueError as error:
            raise click.UsageError(f"{wanted!r}: {error}") from None

    def of_case(case: Case) -> Model:
        if "protect" not in told or not parameters.keys().isdisjoint(told.needs):
            return told.make(parameters)
        if not case.protect:
            raise click.UsageError(f"the case {case.name!r} does not say whom to protect; {name} needs 'protect'")
        return told.make({**parameters, "protect": case.protect})

    return of_case


def expanded(wanted: str) -> tuple[str, list[tuple[float, str]]]:
    """A model with several values of one parameter as several models.

    The swept parameter, and each value with the model that has it; no parameter if there is one value only.

    >>> expanded("c-sanitized:alpha=1/1.5,groups=1")
    ('alpha', [(1.0, 'c-sanitized:alpha=1,groups=1'), (1.5, 'c-sanitized:alpha=1.5,groups=1')])
    """
    name, _, rest = wanted.partition(":")
    parts = [part.partition("=") for part in filter(None, rest.split(","))]
    swept = [parameter for parameter, _, value in parts if "/" in value]
    if not swept:
        return "", [(0.0, wanted)]
    if len(swept) > 1:
        raise click.UsageError(f"{wanted!r} gives several values to {' and '.join(swept)}; give them to one parameter")
    models: list[tuple[float, str]] = []
    for value in next(v for p, _, v in parts if p == swept[0]).split("/"):
        chosen = ",".join(f"{p}={value if p == swept[0] else v}" for p, _, v in parts)
        try:
            models.append((float(value), f"{name}:{chosen}"))
        except ValueError:
            raise click.UsageError(f"{value!r} in {wanted!r} is no number") from None
    return swept[0], models


def policy_of(source: str, protect: tuple[str, ...] = ()) -> Callable[[Case], Policy]:
    """The policy for a case: as it stands; if it protects nothing by itself, with whom the case names."""
    policy = Policy.load(source, protect)
    try:
        policy.build()
    except PolicyError:
        return lambda case: policy.protecting(_named(case, source))
    return lambda case: policy


def _named(case: Case, source: str) -> tuple[str, ...]:
    if not case.protect:
        raise click.UsageError(f"the case {case.name!r} does not say whom to protect; {source} needs --protect")
    return case.protect


@click.command("evaluate")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--model",
    "-m",
    "models",
    multiple=True,
    metavar="NAME[:P=V,...]",
    help="A model to run; may be repeated. Several values, alpha=1/1.5/2, give a curve.",
)
@click.option("--policy", "policies", multiple=True, metavar="NAME|FILE", help="A policy to run; may be repeated.")
@click.option(
    "--predictions",
    multiple=True,
    metavar="FILE",
    help="Another tool's output: {case: [[start, end], ...]}, released texts as JSON lines, or a folder of them.",
)
@click.option("--people", "reference", is_flag=True, help="Add a row for the people's own masks: what they keep.")
@click.option("--protect", "-p", multiple=True, metavar="TERM", help="Whom to protect where a case does not say.")
@click.option(
    "--attack",
    "adversaries",
    multiple=True,
    type=click.Choice(ADVERSARIES),
    help="Let an adversary guess whom each release speaks of; may be repeated. Candidates are all whom the dataset "
    "protects, with those named; with --branch or --entities those of taciturn attack.",
)
@candidate_options
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N cases.")
@click.option("--html", "page", metavar="FILE.html", help="Write a page with the tables and plots.")
@click.option("--csv", "table", metavar="FILE.csv", help="Write the table as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@knowledge_option
def command(
    dataset: str,
    models: tuple[str, ...],
    policies: tuple[str, ...],
    predictions: tuple[str, ...],
    reference: bool,
    protect: tuple[str, ...],
    adversaries: tuple[str, ...],
    limit: int | None,
    page: str | None,
    table: str | None,
    as_json: bool,
    pack: str | None,
    **offered: Any,
) -> int:
    """Compare what models, policies and other tools hide with what people hid.

    DATASET: cases with masks, as JSON lines or a JSON list, also .xz: court cases of the Text Anonymization Benchmark,
    or lines {"text": ..., "masks": [[start, end], ...], "protect": "Mary Smith"}; or a folder of pairs, before/NAME
    and after/NAME. Each model releases each text, which is checked anew; what it changed is compared word by word. A
    text for which nothing is released counts as hidden whole.

    \b
    Examples:
      taciturn evaluate cases.jsonl -m person-release:style=court --policy hipaa-safe-harbor
      taciturn evaluate cases.jsonl -m person-release --predictions presidio.json --people --html compared.html
      taciturn evaluate cases.jsonl -m c-sanitized:alpha=1/1.5/2/3 --attack pmi --attack bayes --html risk.html
      taciturn evaluate notes.jsonl -m c-sanitized --protect HIV --attack pmi --branch disease
    """
    if not (models or policies or predictions):
        raise click.UsageError(
            "nothing to evaluate: name a model, for example -m person-release, a --policy, or --predictions"
        )
    sweeps = [(wanted, *expanded(wanted)) for wanted in models]
    builders: dict[str, Callable[[Case], Model | Policy]] = {}
    for _, _, chosen in sweeps:
        builders |= {label: model_of(label) for _, label in chosen}
    for source in policies:
        stem = Path(source).stem
        builders[f"policy {source}" if stem in builders else stem] = policy_of(source, protect)
    cases = [c if c.protect else replace(c, protect=protect) for c in load_cases(dataset)[:limit]]
    cases = told_by_kind(cases)
    knowledge = open_knowledge(pack)
    guessing = _guessing(adversaries, cases, knowledge, offered)
    found: list[Scores] = []
    plain = [untouched(cases), *([blacked_out(cases)] if any(c.protect for c in cases) else [])]
    given = [by_people(cases)] if reference else []
    given += [load_masking(path, cases) for path in predictions]
    with Progress(console=people(), transient=True, disable=not sys.stderr.isatty()) as progress:

        def judge(masking: Masking) -> None:
            masking = with_utility(cases, masking, knowledge)
            risks = [r for adversary_for in guessing if (r := risk(cases, masking, adversary_for))]
            found.append(score(cases, masking, risks))

        for masking in plain:
            judge(masking)
        for label, build in builders.items():
            task = progress.add_task(label, total=len(cases))
            judge(run_model(label, build, cases, knowledge, lambda t=task: progress.advance(t)))  # type: ignore[misc]
        for masking in given:
            judge(masking)
    by_label = {s.label: s for s in found}
    curves = {
        (wanted.partition(":")[0], parameter): [(value, by_label[label]) for value, label in chosen]
        for wanted, parameter, chosen in sweeps
        if parameter
    }
    done = tables.Evaluation(Path(dataset).name, len(cases), found, curves)
    if table:
        write_whole(table, tables.as_csv(done).encode())
    if page:
        write_whole(page, tables.as_page(done).encode())
    if as_json:
        click.echo(json.dumps(tables.as_json(done), indent=2))
    else:
        Console().print(tables.as_table(done))
    return 0


def _guessing(
    ways: tuple[str, ...], cases: Sequence[Case], knowledge: Knowledge, offered: dict[str, Any]
) -> list[Callable[[str], Adversary]]:
    """For each way to guess, who guesses where a name is the truth.

    With a branch or a base the candidates are those of ``taciturn attack``; without, all whom the cases protect and
    those that are listed.
    """
    if not ways:
        if named := [name for name, value in offered.items() if value]:
            given = "candidates" if named[0] == "listed" else named[0]
            raise click.UsageError(f"--{given} is for an adversary; say which with --attack {'|'.join(ADVERSARIES)}")
        return []
    truths = list(dict.fromkeys(c.protect[0] for c in cases if c.protect))
    candidates = read_candidates(knowledge, **offered)
    if not candidates.branch and not candidates.base:
        candidates = replace(candidates, names=[*truths, *candidates.names])
    guessing: list[Callable[[str], Adversary]] = []
    for way in dict.fromkeys(ways):
        adversary_for = cache(partial(candidates.adversary, way))
        known = sum(adversary_for(truth).called(truth) is not None for truth in truths)
        if not known:
            raise click.UsageError(
                f"{way} knows nobody whom the cases protect, of {len(truths)}; offer other candidates"
            )
        if known < len(truths):
            people().print(f"{way}: of {len(truths)} whom the cases protect, {known} are known; only they are guessed")
        guessing.append(adversary_for)
    return guessing
