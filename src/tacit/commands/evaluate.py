"""``tacit evaluate``: how well models, and other tools, agree with masks that people made."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.progress import Progress
from rich.table import Table

from tacit.commands.common import knowledge_option, open_knowledge, people
from tacit.evaluate import Case, Scores, load_cases, load_masking, run_model, score
from tacit.formats import write_whole
from tacit.models import CSanitized, Informative, Model, PersonRelease, Related

__all__ = ["command", "model_of"]

_BUILDERS: dict[str, tuple[Callable[..., Model], dict[str, Callable[[str], object]]]] = {
    "person-release": (PersonRelease, {"style": str, "recall": float}),
    "c-sanitized": (CSanitized, {"alpha": float, "groups": int, "action": str, "unknown": str}),
    "informative": (Informative, {"beta": float, "action": str, "unknown": str}),
    "related": (Related, {"beta": float, "w": float, "action": str, "unknown": str}),
}
_COLUMNS = {
    "model": "model",
    "recall": "recall",
    "recall_direct": "direct",
    "recall_quasi": "quasi",
    "precision": "precision",
    "f1": "F1",
    "entity_recall": "entities",
    "characters_kept": "characters kept",
    "utility": "information kept",
    "words_per_second": "words/CPU s",
    "refused": "refused",
}


def model_of(wanted: str) -> Callable[[Case], Model]:
    """From ``name:parameter=value,...`` to the model for a case, which protects whom the case names.

    >>> case = Case("1", "Ann Lee lives in Rome.", ("Ann Lee",), ())
    >>> model_of("person-release:style=court,recall=0.6")(case).recall
    0.6
    """
    name, _, rest = wanted.partition(":")
    if name not in _BUILDERS:
        raise click.UsageError(f"unknown model {name!r}: choose {', '.join(_BUILDERS)}")
    build, readers = _BUILDERS[name]
    parameters: dict[str, object] = {}
    for part in filter(None, rest.split(",")):
        parameter, equals, value = part.partition("=")
        if not equals or parameter not in readers:
            raise click.UsageError(f"{part!r} in {wanted!r}: {name} takes {', '.join(f'{p}=...' for p in readers)}")
        try:
            parameters[parameter] = readers[parameter](value)
        except ValueError:
            raise click.UsageError(f"{value!r} in {wanted!r} is no number") from None

    def of_case(case: Case) -> Model:
        if name in ("informative", "related"):
            return build(**parameters)
        if not case.protect:
            raise click.UsageError(f"the case {case.name!r} does not say whom to protect; {name} needs 'protect'")
        return build(protect=case.protect, **parameters)

    return of_case


@click.command("evaluate")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--model", "-m", "models", multiple=True, metavar="NAME[:P=V,...]", help="A model to run; may be repeated."
)
@click.option(
    "--predictions",
    multiple=True,
    metavar="FILE.json",
    help="Another tool's masks, {case: [[start, end], ...]}; may be repeated.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N cases.")
@click.option("--html", "page", metavar="FILE.html", help="Write a page with the table and plots.")
@click.option("--csv", "table", metavar="FILE.csv", help="Write the table as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@knowledge_option
def command(
    dataset: str,
    models: tuple[str, ...],
    predictions: tuple[str, ...],
    limit: int | None,
    page: str | None,
    table: str | None,
    as_json: bool,
    pack: str | None,
) -> int:
    """Compare what models hide with what people hid.

    DATASET: cases with masks, as JSON lines or a JSON list, also .xz: court cases of the Text Anonymization Benchmark,
    or lines {"text": ..., "masks": [[start, end], ...], "protect": "Mary Smith"}. Each model releases each text, which
    is checked anew; what it changed is compared word by word. A text for which nothing is released counts as hidden
    whole.

    \b
    Examples:
      tacit evaluate cases.jsonl -m person-release:style=court -m c-sanitized:alpha=1.5
      tacit evaluate cases.jsonl -m person-release --predictions presidio.json --html compared.html
    """
    if not models and not predictions:
        raise click.UsageError("nothing to evaluate: name a model, for example -m person-release, or --predictions")
    builders = [(wanted, model_of(wanted)) for wanted in models]
    cases = load_cases(dataset)[:limit]
    results: list[Scores] = []
    if builders:
        knowledge = open_knowledge(pack)
        with Progress(console=people(), transient=True, disable=not sys.stderr.isatty()) as progress:
            for wanted, build in builders:
                task = progress.add_task(wanted, total=len(cases))
                results.append(
                    score(cases, run_model(wanted, build, cases, knowledge, lambda t=task: progress.advance(t)))  # type: ignore[misc]
                )
    results += [score(cases, load_masking(path, cases)) for path in predictions]
    if table:
        write_whole(table, _csv(results).encode())
    if page:
        write_whole(page, _page(Path(dataset).name, len(cases), results).encode())
    if as_json:
        shown = [{**s.row(), "by_kind": {k: round(v, 4) for k, v in s.by_kind.items()}} for s in results]
        click.echo(json.dumps({"dataset": Path(dataset).name, "cases": len(cases), "results": shown}, indent=2))
    else:
        from rich.console import Console

        Console().print(_terminal(f"{Path(dataset).name}, {len(cases)} cases", results))
    return 0


def _cells(scores: Scores) -> list[str]:
    row = scores.row()
    return ["-" if v is None else f"{v:.3f}" if isinstance(v, float) else str(v) for v in (row[c] for c in _COLUMNS)]


def _terminal(title: str, results: Sequence[Scores]) -> Table:
    """A row for each figure and a column for each model: names are long, figures short, and terminals narrow."""
    table = Table(title=title)
    table.add_column("")
    for scores in results:
        table.add_column(scores.label, justify="right", overflow="fold")
    cells = [_cells(scores)[1:] for scores in results]
    for figure, row in zip(list(_COLUMNS.values())[1:], zip(*cells, strict=True), strict=True):
        table.add_row(figure, *row)
    return table


def _csv(results: Sequence[Scores]) -> str:
    kinds = sorted({k for s in results for k in s.by_kind})
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_COLUMNS, *(f"recall {k}" for k in kinds)])
    for s in results:
        row = s.row()
        writer.writerow(
            [*(row[c] for c in _COLUMNS), *(round(s.by_kind[k], 4) if k in s.by_kind else "" for k in kinds)]
        )
    return out.getvalue()


def _page(name: str, count: int, results: Sequence[Scores]) -> str:
    from tacit.report import plots

    kinds = sorted({k for s in results for k in s.by_kind})
    known = [s for s in results if s.recall is not None and s.precision is not None]
    figures = []
    if known:
        points = {s.label: [(s.recall or 0.0, s.precision or 0.0)] for s in known}
        figures.append(plots.line_chart("Precision against recall", points, "recall", "precision"))
    tables = [plots.Table(tuple(_COLUMNS.values()), tuple(tuple(_cells(s)) for s in results))]
    if kinds != ["any"]:
        rows = [(s.label, *(f"{s.by_kind[k]:.3f}" if k in s.by_kind else "-" for k in kinds)) for s in results]
        tables.append(plots.Table(("recall by kind", *kinds), tuple(rows)))
    text = (
        f"{count} cases of {name}. A word counts as masked if all of its characters are; function words and titles do "
        "not count. Entities: the share of things of which every mention is hidden."
    )
    return plots.page("Masks compared with people's", [plots.Section("Results", text, tuple(figures), tuple(tables))])
