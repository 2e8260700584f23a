"""S1 and S2 (Sánchez, Batet, Viejo 2012, 2013) made again: precision, recall and F1 over beta and w.

The papers judge on biographies of actors with the terms that people marked. Here the texts are biographies of actors in
which a person masked what tells who it is. Scored token by token: a token counts as masked if all of it is.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.document import Document, Span
from tacit.knowledge import Knowledge
from tacit.language import Analysis, analyze
from tacit.models import Informative, Model, Related
from tacit.report.plots import Section, Table, line_chart, page
from tacit.reproduce.writing import as_csv

__all__ = ["BETA", "BETAS", "WS", "Biography", "Measure", "evaluate", "read_biographies", "run", "score"]

BETA = 10.0
BETAS = (7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0)
WS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

# Words that tell nothing by themselves do not count, masked or not.
_IGNORED = frozenset(
    "mr mrs ms no nr about the a an of in at on by to for from with and or that this his her its their s he she it "
    "they is was are were be been as who which also".split()
)


@dataclass(frozen=True, slots=True)
class Biography:
    """A text on a person, what a human masked in it, and what Tacit reads in it."""

    name: str
    gold: tuple[Span, ...]
    analysis: Analysis

    @property
    def text(self) -> str:
        return self.analysis.document.text


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
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Biography(r["name"], tuple((s, e) for s, e in r["masked_tokens"]), analyze(Document.of(r["text"])))
        for r in rows
    ]


def _tokens(text: str, start: int, end: int) -> list[Span]:
    found = re.finditer(r"\w+", text[start:end])
    return [(start + m.start(), start + m.end()) for m in found if m.group().lower() not in _IGNORED]


def score(
    documents: Iterable[tuple[str, Iterable[Span]]], masks: Iterable[Iterable[Span]]
) -> tuple[float, float, float]:
    """Precision, recall and F1 of masks, given texts with the spans that a human masked.

    >>> score([("Ann Lee sang.", [(0, 7)])], [[(0, 3)]])
    (1.0, 0.5, 0.6666666666666666)
    """
    hits = wanted = right = masked = 0
    for (text, gold), spans in zip(documents, masks, strict=True):
        hidden = {i for s, e in spans for i in range(s, e)}
        asked = {i for s, e in gold for i in range(s, e)}
        for start, end in gold:
            found = _tokens(text, start, end)
            wanted += len(found)
            hits += sum(hidden.issuperset(range(a, b)) for a, b in found)
        for a, b in _tokens(text, 0, len(text)):
            if hidden.issuperset(range(a, b)):
                masked += 1
                right += asked.issuperset(range(a, b))
    precision, recall = right / max(masked, 1), hits / max(wanted, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def evaluate(
    build: Callable[[str], Model], biographies: Sequence[Biography], knowledge: Knowledge
) -> tuple[float, float, float]:
    """Precision, recall and F1 of the model that ``build`` makes for a person's name."""
    masks = [[e.span for e in build(b.name).plan(b.analysis, knowledge).edits] for b in biographies]
    return score([(b.text, b.gold) for b in biographies], masks)


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
