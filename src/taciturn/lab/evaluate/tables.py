"""An evaluation as people look at it: a table for the terminal, CSV, JSON, and a page with plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.table import Table

from taciturn.lab.evaluate.scores import Scores
from taciturn.report import plots

__all__ = ["Evaluation", "as_csv", "as_json", "as_page", "as_table"]

_NAMES = {
    "model": "model",
    "recall": "recall",
    "recall_direct": "direct",
    "recall_quasi": "quasi",
    "precision": "precision",
    "f1": "F1",
    "entity_recall": "entities",
    "touched": "touched",
    "words_changed": "words changed",
    "characters_kept": "characters kept",
    "utility": "information kept",
    "words_per_second": "words/CPU s",
    "refused": "refused",
}

_MAIN = ("recall", "precision", "touched", "entity_recall", "words_changed", "utility")
_BESIDE = 4  # models whose columns a terminal can show beside each other


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results on one dataset. ``curves``: (model, parameter) -> the values tried, with the result of each."""

    dataset: str
    cases: int
    results: Sequence[Scores]
    curves: Mapping[tuple[str, str], Sequence[tuple[float, Scores]]] = field(default_factory=dict, hash=False)


def _columns(results: Sequence[Scores]) -> list[str]:
    """Every figure that some result has, in order."""
    return list(dict.fromkeys(name for s in results for name in s.row()))


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def as_table(found: Evaluation) -> Table:
    """A row for each figure and a column for each model: names are long, figures short, and terminals narrow.

    With more models than fit, a row for each of them with the main figures; files have the others.
    """
    table = Table(title=f"{found.dataset}, {found.cases} cases")
    rows = [s.row() for s in found.results]
    if len(rows) > _BESIDE:
        risky = [c for c in _columns(found.results) if c.startswith("found at rank 1,")]
        table.add_column("", overflow="fold")
        for name in (*_MAIN, *risky):
            table.add_column(_NAMES.get(name, name), justify="right")
        for row in rows:
            table.add_row(str(row["model"]), *(_cell(row.get(name)) for name in (*_MAIN, *risky)))
        return table
    table.add_column("")
    for s in found.results:
        table.add_column(s.label, justify="right", overflow="fold")
    for name in _columns(found.results)[1:]:
        table.add_row(_NAMES.get(name, name), *(_cell(row.get(name)) for row in rows))
    for kind in _kinds(found.results):
        table.add_row(f"recall, {kind}", *(_cell(s.by_kind.get(kind)) for s in found.results))
    return table


def as_csv(found: Evaluation) -> str:
    """A line for each model."""
    out = io.StringIO()
    columns, kinds = _columns(found.results), _kinds(found.results)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*columns, *(f"recall {k}" for k in kinds)])
    for s in found.results:
        row = s.row()
        by_kind = (round(s.by_kind[k], 4) if k in s.by_kind else "" for k in kinds)
        writer.writerow([*(row.get(c) for c in columns), *by_kind])
    return out.getvalue()


def as_json(found: Evaluation) -> dict[str, object]:
    """Plain data."""
    shown = [{**s.row(), "by_kind": {k: round(v, 4) for k, v in s.by_kind.items()}} for s in found.results]
    return {"dataset": found.dataset, "cases": found.cases, "results": shown}


def as_page(found: Evaluation) -> str:
    """A page of its own with all tables and plots."""
    results, kinds = found.results, _kinds(found.results)
    columns = [c for c in _columns(results) if "rank" not in c and "posterior" not in c]
    text = (
        f"{found.cases} cases of {found.dataset}. A word counts as masked if all of its characters are; function words "
        "and titles do not count. Entities: the share of things of which every mention is hidden. Information kept: "
        "the sum of information content over the terms of the release, as a share of the original's."
    )
    rows = tuple(tuple(_cell(s.row().get(c)) for c in columns) for s in results)
    sections = [
        plots.Section(
            "Masks compared with people's",
            text,
            tuple(_agreement(results)),
            (plots.Table(tuple(_NAMES.get(c, c) for c in columns), rows),),
        )
    ]
    if kinds:
        table = [(s.label, *(_cell(s.by_kind.get(k)) for k in kinds)) for s in results]
        chart = plots.bar_chart(
            "Recall by kind", kinds, {s.label: [s.by_kind.get(k, 0.0) for k in kinds] for s in results}, "", "recall"
        )
        text = "The share of the words of each kind that people hid which are hidden."
        sections.append(plots.Section("By kind", text, (chart,), (plots.Table(("recall", *kinds), tuple(table)),)))
    if any(s.risks for s in results):
        sections.append(_risks(results))
    sections += [_curve(model, parameter, points) for (model, parameter), points in found.curves.items()]
    return plots.page(f"Evaluation on {found.dataset}", sections)


def _kinds(results: Sequence[Scores]) -> list[str]:
    kinds = sorted({k for s in results for k in s.by_kind})
    return kinds if kinds != ["any"] else []


def _agreement(results: Sequence[Scores]) -> list[str]:
    figures = []
    if known := [s for s in results if s.recall is not None and s.precision is not None]:
        points = {s.label: [(s.recall or 0.0, s.precision or 0.0)] for s in known}
        figures.append(plots.line_chart("Precision against recall", points, "recall", "precision"))
    if kept := [s for s in results if s.recall is not None and s.utility is not None]:
        points = {s.label: [(s.recall or 0.0, s.utility or 0.0)] for s in kept}
        figures.append(plots.line_chart("Information kept against recall", points, "recall", "information kept"))
    return figures


def _risks(results: Sequence[Scores]) -> plots.Section:
    columns = ("model", "adversary", "at rank 1", "rank 5", "rank 10", "mean rank", "posterior", "information kept")
    rows, points = [], {}
    for s in results:
        for r in s.risks:
            shares = tuple(f"{share:.3f}" for share in r.found)
            rows.append(
                (s.label, r.adversary, *shares, f"{r.mean_rank:.2f}", f"{r.mean_posterior:.3f}", _cell(s.utility))
            )
            if s.utility is not None:
                points[f"{s.label} ({r.adversary})"] = [(s.utility, r.found[0])]
    first = next(s.risks[0] for s in results if s.risks)
    text = (
        "The share of texts for which the person whom people protected comes first, among the first five and ten "
        f"candidates of an adversary who reads the release. {first.texts} texts, {first.candidates} candidates; a "
        f"guess that has read nothing has mean rank {first.chance:g}."
    )
    figures: tuple[str, ...] = ()
    if points and len(points) <= 8:
        figures = (plots.line_chart("Risk against information kept", points, "information kept", "found at rank 1"),)
    return plots.Section("Re-identification", text, figures, (plots.Table(columns, tuple(rows)),))


def _curve(model: str, parameter: str, points: Sequence[tuple[float, Scores]]) -> plots.Section:
    """The figures over a parameter: what people hid, what is kept, and what an adversary finds."""
    series: dict[str, list[tuple[float, float]]] = {}
    for value, s in points:
        for name in ("recall", "precision", "utility"):
            if (figure := getattr(s, name)) is not None:
                series.setdefault(_NAMES[name], []).append((value, figure))
        for r in s.risks:
            series.setdefault(f"found at rank 1, {r.adversary}", []).append((value, r.found[0]))
    chart = plots.line_chart(f"{model} over {parameter}", series, parameter, "share", x_ticks=[v for v, _ in points])
    return plots.Section(f"{model} over {parameter}", "", (chart,))
