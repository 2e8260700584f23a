"""How the preset hipaa-safe-harbor does on marked documents that its network has not seen.

    python -m training.people.train --shared ../shared --output /tmp/identifiers.npz
    python -m training.people.judge --shared ../shared --folds /tmp/identifiers.npz

Training leaves the weights of each fold beside its output. Each document is released, with its check, by the weights of
the fold that it was left out of; ``shared/tools/score_deid.py`` judges. What must stay (decoys) is counted as well.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from taciturn.errors import TaciturnError
from taciturn.models.kinds.identify import find, network
from taciturn.policy import Policy
from taciturn.release import sanitize
from training.people.names import HERE

FOLDS = 5


def released(text: str, policy: Policy, weights: network.Weights) -> dict[str, Any] | None:
    """The spans that a release changes, with their kinds, and its text; None if there is none."""
    network.load_weights = lambda: weights  # type: ignore[assignment]
    find.forget()
    try:
        release = sanitize(text, policy)
    except TaciturnError as error:
        print(f"not released: {error}", file=sys.stderr)
        return None
    return {"spans": [[e.start, e.end, e.kind] for e in release.edits], "released": release.text}


def lines_of(path: Path) -> list[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=HERE.parent / "shared")
    parser.add_argument("--folds", type=Path, required=True, help="the output of training, beside which its folds lie")
    options = parser.parse_args()
    weights = []
    for fold in range(FOLDS):
        with np.load(options.folds.with_suffix(f".{fold}.npz")) as stored:
            weights.append(network.Weights(**{name: stored[name].astype(np.float32) for name in stored.files}))
    policy, data = Policy.load("hipaa-safe-harbor"), options.shared / "data" / "deid"
    found = {
        document["id"]: released(document["text"], policy, weights[number % FOLDS])
        for number, document in enumerate(lines_of(data / "docs-dev.jsonl.xz"))
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(found, file)
        file.flush()
        scorer = options.shared / "tools" / "score_deid.py"
        subprocess.run([sys.executable, str(scorer), str(data / "docs-dev.jsonl.xz"), file.name], check=True)
    decoys = changed = 0
    for row in lines_of(data / "decoys-dev.jsonl.xz"):
        spans = (found[row["id"]] or {"spans": []})["spans"]
        decoys += len(row["decoys"])
        changed += sum(any(s < d["end"] and d["start"] < e for s, e, _ in spans) for d in row["decoys"])
    print(f"decoys changed: {changed} of {decoys}")


if __name__ == "__main__":
    main()
