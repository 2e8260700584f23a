"""C-sanitized on the papers' articles: how much is changed, how much information is kept, how fast.

The six articles of the C-sanitized paper at alpha 1, 1.5 and 2, by redaction and by generalization, next to the paper's
Table 2 (Web counts, 2015 articles); and words a second end to end, next to Presidio's measured figure.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tacit.document import Document
from tacit.knowledge import Knowledge
from tacit.models import CSanitized
from tacit.release import sanitize
from tacit.reproduce.c_sanitized import PAPER, read_article, run

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PRESIDIO = 3_100  # words a second with en_core_web_sm, measured on court text on one core


def speed(knowledge: Knowledge, groups: Sequence[int] = (1, 2, 3), repeat: int = 3) -> list[dict[str, object]]:
    """Words a second of CPU time from text to checked release, over all six articles."""
    documents = [(Document.of(read_article(DATA, name)), entity) for name, entity, _ in PAPER]
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
    rows = speed(knowledge)
    with tempfile.TemporaryDirectory() as folder:
        rows += [
            {
                "entity": m.entity,
                "alpha": m.alpha,
                "terms changed %": m.changed,
                "kept, redacted %": m.redacted,
                "paper": m.paper_redacted,
                "kept, generalized %": m.generalized,
                "paper ": m.paper_generalized,
            }
            for m in run(Path(folder), DATA, knowledge)
        ]
    for row in rows:
        print("  ".join(f"{k}: {v}" for k, v in row.items()))
    return rows


if __name__ == "__main__":
    main()
