"""C-sanitized (Sánchez, Batet 2016) made again: Table 2, the information kept of six Wikipedia articles, and Table 1.

The paper asked a Web search engine for counts and read the articles of its day; here the pack's counts are asked, and
the articles are later ones. Only single terms are looked at, as in the paper's Algorithm 1. Table 1 compares with the
marks of one expert, which were not published: other people's masks on biographies of actors stand in for them.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.lab.evaluate import Masking, score
from taciturn.lab.reproduce.s1_s2 import Biography, known, read_biographies
from taciturn.lab.reproduce.writing import as_csv
from taciturn.models import CSanitized
from taciturn.release import sanitize
from taciturn.report.plots import Section, Table, line_chart, page

__all__ = [
    "ALPHAS",
    "PAPER",
    "Detection",
    "Measure",
    "chart",
    "detect",
    "mean",
    "mean_detection",
    "measure",
    "read_article",
    "run",
]

ALPHAS = (1.0, 1.5, 2.0)

# The file of an article, its entity, and Table 2: per cent kept (by redaction, by generalization) for each alpha.
PAPER: tuple[tuple[str, str, tuple[tuple[float, float], ...]], ...] = (
    ("HIV", "HIV", ((96.2, 97.2), (32.9, 66.6), (17.6, 61.2))),
    ("Sexually_transmitted_infection", "sexually transmitted infection", ((95.3, 97.5), (70.0, 85.8), (65.5, 84.5))),
    ("Los_Angeles_2018", "Los Angeles", ((88.3, 94.6), (54.4, 80.1), (48.1, 77.5))),
    ("New_York_City", "New York City", ((97.2, 99.2), (39.3, 64.2), (20.1, 58.3))),
    ("Homosexuality", "homosexuality", ((92.9, 97.5), (55.3, 81.3), (50.4, 77.2))),
    ("Catholicism_2018", "Catholicism", ((96.3, 98.1), (41.3, 73.4), (30.9, 65.8))),
)

# Table 1: the means over the six articles of precision, recall and F-measure, in per cent, for each alpha.
PAPER_DETECTION = {1.0: (96.7, 8.7, 15.6), 1.5: (80.8, 79.3, 79.3), 2.0: (75.0, 89.7, 81.0)}


@dataclass(frozen=True, slots=True)
class Detection:
    """Table 1 on one biography at one alpha: how well what is hidden agrees with what people masked, in per cent.

    What hides nothing has no precision.
    """

    entity: str
    alpha: float
    precision: float | None
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class Measure:
    """One article at one alpha, in per cent: terms changed, information kept either way, and the paper's figures."""

    entity: str
    alpha: float
    changed: float
    redacted: float
    paper_redacted: float
    generalized: float
    paper_generalized: float


def read_article(data: Path, name: str) -> str:
    """The text of an article of the data folder."""
    path = data / "articles" / f"{name}.txt.xz"
    if not path.is_file():
        raise FileNotFoundError(f"no article {str(path)!r}; name the folder that has articles/{path.name} with --data")
    return lzma.open(path, "rt", encoding="utf-8").read()


def measure(document: Document, entity: str, alpha: float, paper: tuple[float, float], knowledge: Knowledge) -> Measure:
    """Release an article by redaction and by generalization."""
    redacted, generalized = (
        sanitize(document, CSanitized(protect=[entity], alpha=alpha, groups=1, action=action), knowledge)
        for action in ("redact", "generalize")
    )
    return Measure(
        entity,
        alpha,
        round(100 * len(generalized.edits) / max(len(generalized.report.original.terms), 1), 1),
        round(100 * redacted.report.utility, 1),
        paper[0],
        round(100 * generalized.report.utility, 1),
        paper[1],
    )


def detect(biographies: Sequence[Biography], knowledge: Knowledge) -> list[Detection]:
    """Precision, recall and F1 on the biographies of those whose name the counts know, each by itself."""
    found = []
    for b in known(biographies, knowledge):
        for alpha in ALPHAS:
            model = CSanitized(protect=[b.case.name], alpha=alpha, groups=1)
            spans = [e.span for e in model.plan(b.analysis, knowledge).edits]
            scores = score([b.case], Masking("", {b.case.name: spans}))
            precision = None if scores.precision is None else round(100 * scores.precision, 1)
            recall, f1 = (round(100 * (x or 0.0), 1) for x in (scores.recall, scores.f1))
            found.append(Detection(b.case.name, alpha, precision, recall, f1))
    return found


def mean_detection(found: Sequence[Detection], figure: str, alpha: float) -> float:
    """The mean of a figure at one alpha, over the texts that have it; 0 if none has."""
    figures = [x for d in found if d.alpha == alpha and (x := getattr(d, figure)) is not None]
    return fmean(figures) if figures else 0.0


def run(folder: Path, data: Path, knowledge: Knowledge | None = None) -> tuple[list[Measure], list[Detection]]:
    """Measure the six articles, and the biographies if they are there.

    Writes ``c-sanitized.csv``, ``c-sanitized-detection.csv``, the chart as SVG, and ``c-sanitized.html``.
    """
    documents = [(Document.of(read_article(data, name)), entity, paper) for name, entity, paper in PAPER]
    knowledge = knowledge or Knowledge.default()
    measures = [
        measure(document, entity, alpha, figures, knowledge)
        for document, entity, paper in documents
        for alpha, figures in zip(ALPHAS, paper, strict=True)
    ]
    found = detect(read_biographies(data), knowledge) if (data / "actors").is_dir() else []
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "c-sanitized.csv").write_text(as_csv(measures), "utf-8")
    if found:
        (folder / "c-sanitized-detection.csv").write_text(as_csv(found), "utf-8")
    (folder / "c-sanitized-kept.svg").write_text(chart(measures), "utf-8")
    (folder / "c-sanitized.html").write_text(_page(measures, found), "utf-8")
    return measures, found


def mean(measures: Sequence[Measure], figure: str, alpha: float) -> float:
    """The mean of a figure over the articles, at one alpha."""
    return fmean(getattr(m, figure) for m in measures if m.alpha == alpha)


def chart(measures: Sequence[Measure]) -> str:
    """The information kept over alpha, ours and the paper's, means over the articles."""
    lines = {
        "generalized, ours": "generalized",
        "generalized, paper": "paper_generalized",
        "redacted, ours": "redacted",
        "redacted, paper": "paper_redacted",
    }
    alphas = sorted({m.alpha for m in measures})
    series = {name: [(a, mean(measures, figure, a)) for a in alphas] for name, figure in lines.items()}
    articles = len({m.entity for m in measures})
    return line_chart(f"Information kept, mean of {articles} articles", series, "alpha", "per cent", x_ticks=alphas)


def _table_1(found: Sequence[Detection]) -> Section:
    if not found:
        return Section("Table 1: detection", "Left out for want of data: no biographies with masks (actors/).")
    columns = ("entity", "alpha", "precision %", "recall %", "F1 %")
    rows: list[tuple[object, ...]] = [(d.entity, d.alpha, d.precision, d.recall, d.f1) for d in found]
    for alpha, theirs in PAPER_DETECTION.items():
        ours = (round(mean_detection(found, figure, alpha), 1) for figure in ("precision", "recall", "f1"))
        rows.append(("mean", alpha, *ours))
        rows.append(("paper's mean, its own articles", alpha, *theirs))
    text = (
        "What is hidden against what people masked. The marks of the paper's expert were not published. The masks here "
        "are other people's, on biographies of actors of whom the pack knows the name; these people also masked dates, "
        "numbers and words that say nothing of the person by the pack's counts, so recall is much lower. A "
        "text in which nothing is hidden has no precision."
    )
    return Section("Table 1: detection, on other texts", text, (), (Table(columns, tuple(rows)),))


def _page(measures: Sequence[Measure], found: Sequence[Detection]) -> str:
    columns = ("entity", "alpha", "changed %", "redacted %", "paper", "generalized %", "paper")
    rows = tuple(
        (m.entity, m.alpha, m.changed, m.redacted, m.paper_redacted, m.generalized, m.paper_generalized)
        for m in measures
    )
    text = (
        "Per cent of the information (the sum of IC over the terms) that is kept when the entity of an article is "
        "protected in it. Counts are the pack's instead of the Web's, so alpha is not on the same scale; the articles "
        "are later ones than the paper's."
    )
    return page(
        "C-sanitized (Sánchez, Batet 2016), made again",
        [Section("Table 2: information kept", text, (chart(measures),), (Table(columns, rows),)), _table_1(found)],
    )
