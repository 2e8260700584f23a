"""Biographies of actors with human masks: S1, S1+S2 and C-sanitized over their parameters.

The task is to hide the identity of the actor, by whose name the person is protected. Scored token by token as
``score_masks.py`` does: precision, recall, F1. Anchors on the test part: word2vec F1 .823, spaCy .722, Presidio .490.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.lab.reproduce.s1_s2 import evaluate, read_biographies, run
from taciturn.models import CSanitized

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> list[dict[str, object]]:
    knowledge = Knowledge.default()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for m in run(Path(folder), DATA, knowledge)[0]:
            label = f"{m.model}, beta {m.beta:g} bits" + (f", w {m.w}" if m.w else "")
            rows.append({"model": label, "precision": m.precision, "recall": m.recall, "F1": m.f1})
    known = [b for b in read_biographies(DATA) if _is_known(b.case.name, knowledge)]
    for alpha in (1.0, 1.5, 2.0, 3.0, 4.0):
        p, r, f = evaluate(lambda n, a=alpha: CSanitized(protect=[n], alpha=a, groups=1), known, knowledge)
        label = f"C-sanitized, alpha {alpha}, the {len(known)} of known name"
        rows.append({"model": label, "precision": round(p, 3), "recall": round(r, 3), "F1": round(f, 3)})
    for row in rows:
        print(row)
    return rows


def _is_known(name: str, knowledge: Knowledge) -> bool:
    try:
        knowledge.find(name)
    except UnknownTermError:
        return False
    return True


if __name__ == "__main__":
    main()
