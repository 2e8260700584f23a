"""S1 and S2 (Sánchez, Batet, Viejo 2012, 2013) made again: precision, recall and F1 over beta and w.

The papers judge on biographies of actors with the terms that people marked. Here the texts are biographies of actors in
which a person masked what tells who it is. Scored token by token: a token counts as masked if all of it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.document import Document
from tacit.evaluate import Case, Masking, load_cases, score
from tacit.knowledge import Knowledge
from tacit.language import Analysis, analyze
from tacit.models import Informative, Model, Related
from tacit.report.plots import Section, Table, line_chart, page
from tacit.reproduce.writing import as_csv

__all__ = ["BETA", "BETAS", "WS", "Biography", "Measure", "evaluate", "read_biographies", "run"]

BETA = 10.0
BETAS = (7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0)
WS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Biography:
    """A text on a person with what a human masked in it, and what Tacit reads in it."""

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


def run(folder: Path, data: Path, knowledge: Knowledge | None = None) -> list[Measure]:
    """Measure S1 over beta and S1+S2 over w; write ``s1-s2.csv``, the charts as SVG, and ``s1-s2.html``."""
    biographies = read_biographies(data)
    knowledge = knowledge or Knowledge.default()
    models: list[tuple[str, float, float, Model]] = [("S1", b, 0.0, Informative(beta=b)) for b in BETAS]
    models += [("S1+S2", BETA, w, Related(beta=BETA, w=w)) for w in WS]
    measures = []
    for name, beta, w, model in models:
        precision, recall, f1 = evaluate(lambda _, m=model: m, biographies, knowledge)  # type: ignore[misc]
        measures.append(Measure(name, beta, w, round(precision, 3), round(recall, 3), round(f1, 3)))
    folder.mkdir(parents=True, exist_ok=True)
    charts = {"beta": _chart(measures, "S1", "beta"), "w": _chart(measures, "S1+S2", "w")}
    (folder / "s1-s2.csv").write_text(as_csv(measures), "utf-8")
    for name, svg in charts.items():
        (folder / f"s1-s2-{name}.svg").write_text(svg, "utf-8")
    (folder / "s1-s2.html").write_text(_page(measures, charts, len(biographies)), "utf-8")
    return measures


def _chart(measures: Sequence[Measure], model: str, over: str) -> str:
    chosen = [m for m in measures if m.model == model]
    series = {
        figure: [(getattr(m, over), getattr(m, figure)) for m in chosen] for figure in ("precision", "recall", "f1")
    }
    title = "S1 over beta" if over == "beta" else f"S1+S2 over w, beta {BETA:g} bits"
    return line_chart(
        title, series, "beta, bits" if over == "beta" else over, "share", x_ticks=[getattr(m, over) for m in chosen]
    )


def _page(measures: Sequence[Measure], charts: dict[str, str], number: int) -> str:
    columns = ("model", "beta, bits", "w", "precision", "recall", "F1")
    rows = tuple((m.model, m.beta, m.w or "", m.precision, m.recall, m.f1) for m in measures)
    text = (
        f"{number} biographies of actors in which a person masked what tells who it is. The papers' masks are other "
        "people's on other texts and their counts are the Web's: curves can be compared, single figures cannot."
    )
    return page(
        "S1 and S2 (Sánchez, Batet, Viejo 2012, 2013), made again",
        [Section("Precision, recall and F1", text, tuple(charts.values()), (Table(columns, rows),))],
    )
