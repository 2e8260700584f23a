"""C-sanitized on the papers' articles: how much is changed, how much information is kept, how fast.

The six articles of the C-sanitized paper at alpha 1, 1.5 and 2, by redaction and by generalization, next to the paper's
Table 2 (Web counts, 2015 articles); and words a second end to end, next to Presidio's measured figure.
"""

from __future__ import annotations

import lzma
import time
from collections.abc import Sequence
from pathlib import Path

from tacit.document import Document
from tacit.knowledge import Knowledge
from tacit.models import CSanitized
from tacit.release import sanitize

ARTICLES = Path(__file__).resolve().parents[2] / "shared" / "data" / "articles"
PRESIDIO = 3_100  # words a second with en_core_web_sm, measured on court text on one core

# Article, entity, and the paper's Table 2: (redaction, sanitization) in per cent for alpha 1, 1.5 and 2.
PAPER = (
    ("HIV", "HIV", ((96.2, 97.2), (32.9, 66.6), (17.6, 61.2))),
    ("Sexually_transmitted_infection", "sexually transmitted infection", ((95.3, 97.5), (70.0, 85.8), (65.5, 84.5))),
    ("Los_Angeles_2018", "Los Angeles", ((88.3, 94.6), (54.4, 80.1), (48.1, 77.5))),
    ("New_York_City", "New York City", ((97.2, 99.2), (39.3, 64.2), (20.1, 58.3))),
    ("Homosexuality", "homosexuality", ((92.9, 97.5), (55.3, 81.3), (50.4, 77.2))),
    ("Catholicism_2018", "Catholicism", ((96.3, 98.1), (41.3, 73.4), (30.9, 65.8))),
)


def article(name: str) -> str:
    return lzma.open(ARTICLES / f"{name}.txt.xz", "rt", encoding="utf-8").read()


def table_2(knowledge: Knowledge, groups: int = 1) -> list[dict[str, object]]:
    """The paper's Table 2 with our counts: the share of terms changed, and the utility kept both ways."""
    rows: list[dict[str, object]] = []
    for name, entity, paper in PAPER:
        document = Document.of(article(name))
        for alpha, (paper_redacted, paper_generalized) in zip((1.0, 1.5, 2.0), paper, strict=True):
            kept = {}
            for action in ("redact", "generalize"):
                model = CSanitized(protect=[entity], alpha=alpha, groups=groups, action=action)
                release = sanitize(document, model, knowledge)
                kept[action] = 100 * release.report.utility
                changed = len(release.edits) / len(release.report.original.terms)
            rows.append(
                {
                    "entity": entity,
                    "alpha": alpha,
                    "terms changed %": round(100 * changed, 1),
                    "kept, redacted %": round(kept["redact"], 1),
                    "paper": paper_redacted,
                    "kept, generalized %": round(kept["generalize"], 1),
                    "paper ": paper_generalized,
                }
            )
    return rows


def speed(knowledge: Knowledge, groups: Sequence[int] = (1, 2, 3), repeat: int = 3) -> list[dict[str, object]]:
    """Words a second of CPU time from text to checked release, over all six articles."""
    documents = [(Document.of(article(name)), entity) for name, entity, _ in PAPER]
    words = sum(len(d.text.split()) for d, _ in documents)
    rows: list[dict[str, object]] = []
    for size in groups:
        best = float("inf")
        for _ in range(repeat):
            start = time.process_time()
            for document, entity in documents:
                sanitize(document, CSanitized(protect=[entity], alpha=1.5, groups=size), knowledge)
            best = min(best, time.process_time() - start)
        rows.append(
            {"groups": size, "words/s": round(words / best), "times Presidio": round(words / best / PRESIDIO, 1)}
        )
    return rows


def main() -> list[dict[str, object]]:
    knowledge = Knowledge.default()
    rows = speed(knowledge) + table_2(knowledge)
    for row in rows:
        print("  ".join(f"{k}: {v}" for k, v in row.items()))
    return rows


if __name__ == "__main__":
    main()
