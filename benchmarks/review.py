"""What a decision costs in a review: the text is edited, read anew and checked, and what changed is drawn.

    python -m benchmarks.review

CPU milliseconds a decision, on clinical notes that mention HIV and on articles; the bar is 100 ms. Each decision keeps
or redacts one term that the proposal hides. ``whole``: the share of documents that are checked whole at each step; a
long text is checked part by part while it is reviewed, and whole before it is released (``final``, in milliseconds).
``agree``: the share of decisions after which what is said to fail at once is just what the whole check finds.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"
DECISIONS = 12
ARTICLES = ("Audrey_Hepburn_lead", "Javier_Bardem", "HIV", "Sexually_transmitted_infection")


def main() -> list[dict[str, Any]]:
    """Print a row for the notes and one for each article, and return the rows."""
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [json.loads(line)["text"] for line in file]
    notes = [n for n in notes if "HIV" in n or "AIDS" in n]
    texts = {f"{len(notes)} notes": notes}
    for name in ARTICLES:
        with lzma.open(SHARED / "data" / "articles" / f"{name}.txt.xz", "rt") as file:
            texts[name] = [file.read()]
    rows = []
    print(f"{'document':<32}{'words':>7}{'edits':>7}{'median':>8}{'worst':>8}{'whole':>7}{'final':>8}{'agree':>7}")
    for name, several in texts.items():
        row = {"document": name, **_measure(several)}
        rows.append(row)
        print(
            f"{name:<32}{row['words']:>7}{row['edits']:>7}{row['median ms']:>8.1f}{row['worst ms']:>8.1f}"
            f"{row['whole']:>7.0%}{row['final ms']:>8.1f}{row['agree']:>7.0%}",
            flush=True,
        )
    return rows


def _measure(texts: list[str]) -> dict[str, Any]:
    from taciturn import formats
    from taciturn.knowledge import Knowledge
    from taciturn.models import CSanitized
    from taciturn.review.decisions import Decision
    from taciturn.review.messages import effect
    from taciturn.review.render import changed, draw
    from taciturn.review.session import Session

    times, final, edits, whole, agree = [], [], 0, 0, 0
    for text in texts:
        session = Session(formats.read(text.encode(), "a.txt"), CSanitized(protect=["HIV"]), Knowledge.default())
        before = session.state
        whole += before.verdict.whole
        drawn = draw(before)
        hidden = [c for c in before.standing.choices if c.edit]
        edits += len(hidden)
        for number, choice in enumerate(hidden[:: max(1, len(hidden) // DECISIONS)][:DECISIONS]):
            step = Decision.on(session.document, "keep" if number % 2 else "redact", choice.core)
            start = process_time()
            session.steps = (*session.steps, step)
            after = session.state
            effect(session, before, after, step)
            now = draw(after, drawn)
            changed(drawn, now)
            times.append(1000 * (process_time() - start))
            before, drawn = after, now
            start = process_time()
            certificate = session.certificate(before)
            final.append(1000 * (process_time() - start))
            agree += {v.message for v in certificate.violations} == {v.message for v in after.verdict.violations}
    words = sum(len(t.split()) for t in texts) // len(texts)
    return {
        "words": words,
        "edits": edits // len(texts),
        "decisions": len(times),
        "median ms": median(times),
        "worst ms": max(times),
        "whole": whole / len(texts),
        "final ms": median(final),
        "agree": agree / len(times),
    }


if __name__ == "__main__":
    main()
