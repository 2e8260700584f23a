"""S1 and S2 (Sánchez, Batet, Viejo 2012, 2013) made again: precision, recall and F1 over beta and w.

The papers judge on six biographies of actors with the terms that people marked, which were not published. Here the
texts are other biographies of actors in which a person masked what tells who it is. Figures 4 to 9 show one actor each,
with the information content of the actor's name for beta: so do ours, for the actors of whom the pack knows the name.
Scored token by token: a token counts as masked if all of it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.lab.evaluate import Case, Masking, load_cases, score
from taciturn.lab.reproduce.writing import as_csv
from taciturn.language import Analysis, analyze, key
from taciturn.models import Informative, Model, Related
from taciturn.report.plots import Section, Table, line_chart, page

__all__ = [
    "BETA",
    "BETAS",
    "WS",
    "Biography",
    "Measure",
    "OfActor",
    "evaluate",
    "known",
    "of_actors",
    "read_biographies",
    "run",
]

BETA = 10.0
BETAS = (7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0)
WS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Biography:
    """A text on a person with what a human masked in it, and what Taciturn reads in it."""

    case: Case
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Measure:
    """One model over all biographies; ``w`` is 0 for S1 alone."""

    model: str
    beta: float
    w: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class OfActor:
    """Figures 4 to 9: one biography, beta the information content of its actor's name; ``w`` is 0 for S1 alone."""

    actor: str
    beta: float
    model: str
    w: float
    precision: float
    recall: float
    f1: float


def read_biographies(data: Path) -> list[Biography]:
    """The biographies of the data folder."""
    path = data / "actors" / "actors-dev.jsonl.xz"
    if not path.is_file():
        raise FileNotFoundError(f"no biographies at {str(path)!r}; name the folder that has actors/ with --data")
    return [Biography(case, analyze(Document.of(case.text))) for case in load_cases(path)]


def evaluate(
    build: Callable[[str], Model], biographies: Sequence[Biography], knowledge: Knowledge
) -> tuple[float, float, float]:
    """Precision, recall and F1 of the model that ``build`` makes for a person's name; 0 where nothing was masked."""
    spans = {b.case.name: [e.span for e in build(b.case.name).plan(b.analysis, knowledge).edits] for b in biographies}
    found = score([b.case for b in biographies], Masking("", spans))
    return found.precision or 0.0, found.recall or 0.0, found.f1 or 0.0


def known(biographies: Sequence[Biography], knowledge: Knowledge) -> list[Biography]:
    """The biographies of those whose name the counts know: only these have figures of their own."""
    return [b for b in biographies if knowledge.counts.count(key(b.case.name))]


def of_actors(biographies: Sequence[Biography], knowledge: Knowledge) -> list[OfActor]:
    """S1 alone and S1+S2 over w on each biography by itself."""
    found = []
    for b in known(biographies, knowledge):
        beta = knowledge.counts.ic(key(b.case.name))
        models: list[tuple[str, float, Model]] = [("S1", 0.0, Informative(beta=beta, action="redact"))]
        models += [("S1+S2", w, Related(beta=beta, w=w, action="redact")) for w in WS]
        for name, w, model in models:
            scores = (round(x, 3) for x in evaluate(lambda _, m=model: m, [b], knowledge))  # type: ignore[misc]
            found.append(OfActor(b.case.name, round(beta, 2), name, w, *scores))
    return found


def run(folder: Path, data: Path, knowledge: Knowledge | None = None) -> tuple[list[Measure], list[OfActor]]:
    """Measure S1 over beta, S1+S2 over w, and both for each actor by itself.

    Writes ``s1-s2.csv``, ``s1-s2-actors.csv``, the charts as SVG, and ``s1-s2.html``.
    """
    biographies = read_biographies(data)
    knowledge = knowledge or Knowledge.default()
    models: list[tuple[str, float, float, Model]] = [
        ("S1", b, 0.0, Informative(beta=b, action="redact")) for b in BETAS
    ]
    models += [("S1+S2", BETA, w, Related(beta=BETA, w=w, action="redact")) for w in WS]
    measures = []
    for name, beta, w, model in models:
        precision, recall, f1 = evaluate(lambda _, m=model: m, biographies, knowledge)  # type: ignore[misc]
        measures.append(Measure(name, beta, w, round(precision, 3), round(recall, 3), round(f1, 3)))
    actors = of_actors(biographies, knowledge)
    folder.mkdir(parents=True, exist_ok=True)
    charts = {"beta": _chart(measures, "S1", "beta"), "w": _chart(measures, "S1+S2", "w")}
    each = {name: _chart_of([a for a in actors if a.actor == name]) for name in dict.fromkeys(a.actor for a in actors)}
    (folder / "s1-s2.csv").write_text(as_csv(measures), "utf-8")
    if actors:
        (folder / "s1-s2-actors.csv").write_text(as_csv(actors), "utf-8")
    named = charts | {f"actor-{i}": svg for i, svg in enumerate(each.values(), 1)}
    for name, svg in named.items():
        (folder / f"s1-s2-{name}.svg").write_text(svg, "utf-8")
    (folder / "s1-s2.html").write_text(_page(measures, charts, each, len(biographies)), "utf-8")
    return measures, actors


def _chart_of(actor: Sequence[OfActor]) -> str:
    """One of Figures 4 to 9: the three graphs of the paper in one, S1 alone as level lines."""
    alone = next(a for a in actor if a.model == "S1")
    series: dict[str, list[tuple[float, float]]] = {}
    for figure, name in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
        series[f"{name}, S1+S2"] = [(a.w, getattr(a, figure)) for a in actor if a.model == "S1+S2"]
        series[f"{name}, S1"] = [(w, getattr(alone, figure)) for w in WS]
    return line_chart(f"{alone.actor}, beta {alone.beta:g} bits", series, "w", "share", x_ticks=WS)


def _chart(measures: Sequence[Measure], model: str, over: str) -> str:
    chosen = [m for m in measures if m.model == model]
    series = {
        figure: [(getattr(m, over), getattr(m, figure)) for m in chosen] for figure in ("precision", "recall", "f1")
    }
    title = "S1 over beta" if over == "beta" else f"S1+S2 over w, beta {BETA:g} bits"
    return line_chart(
        title, series, "beta, bits" if over == "beta" else over, "share", x_ticks=[getattr(m, over) for m in chosen]
    )


def _page(measures: Sequence[Measure], charts: dict[str, str], each: dict[str, str], number: int) -> str:
    columns = ("model", "beta, bits", "w", "precision", "recall", "F1")
    rows = tuple((m.model, m.beta, m.w or "", m.precision, m.recall, m.f1) for m in measures)
    text = (
        f"{number} biographies of actors in which a person masked what tells who it is. The papers' masks are other "
        "people's on other texts and their counts are the Web's: curves can be compared, single figures cannot."
    )
    return page(
        "S1 and S2 (Sánchez, Batet, Viejo 2012, 2013), made again",
        [
            Section("Precision, recall and F1", text, tuple(charts.values()), (Table(columns, rows),)),
            Section(
                "Figures 4 to 9, other actors",
                "One actor each, beta the information content of the name, as in the paper. Its six actors have no "
                f"published marks, so {len(each)} others stand here: those of whom the pack knows the name.",
                tuple(each.values()),
            ),
        ],
    )
