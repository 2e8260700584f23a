"""C-sanitized (Sánchez, Batet 2016) made again: Table 2, the information kept of six Wikipedia articles.

The paper asked a Web search engine for counts and read the articles of its day; here the pack's counts are asked, and
the articles are later ones. Only single terms are looked at, as in the paper's Algorithm 1.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from tacit.document import Document
from tacit.knowledge import Knowledge
from tacit.models import CSanitized
from tacit.release import sanitize
from tacit.report.plots import Section, Table, line_chart, page
from tacit.reproduce.writing import as_csv

__all__ = ["ALPHAS", "PAPER", "Measure", "chart", "mean", "measure", "read_article", "run"]

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


def run(folder: Path, data: Path, knowledge: Knowledge | None = None) -> list[Measure]:
    """Measure the six articles and write ``c-sanitized.csv``, the chart as SVG, and ``c-sanitized.html``."""
    documents = [(Document.of(read_article(data, name)), entity, paper) for name, entity, paper in PAPER]
    knowledge = knowledge or Knowledge.default()
    measures = [
        measure(document, entity, alpha, figures, knowledge)
        for document, entity, paper in documents
        for alpha, figures in zip(ALPHAS, paper, strict=True)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "c-sanitized.csv").write_text(as_csv(measures), "utf-8")
    (folder / "c-sanitized-kept.svg").write_text(chart(measures), "utf-8")
    (folder / "c-sanitized.html").write_text(_page(measures), "utf-8")
    return measures


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


def _page(measures: Sequence[Measure]) -> str:
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
        [Section("Table 2: information kept", text, (chart(measures),), (Table(columns, rows),))],
    )
