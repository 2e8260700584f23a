"""De-identification beside Presidio and scrubadub: 40 fictional documents in which every identifier is marked.

Recall: marked identifiers of which every letter and digit was changed. Precision: changed spans that touch a marked
one. The packaged network has learned from these documents among others, so its row flatters it: what it does with
documents that it has not seen is what ``training/people/train.py`` says by cross-validation. Peers run without a model
for names, and the documents' addresses end in ".example", which Presidio takes for no domain.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.peers import PEERS
from taciturn.document import Span
from taciturn.policy import Policy
from taciturn.release import sanitize

DOCUMENTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "deid" / "docs-dev.jsonl.xz"
TYPES = ("PERSON", "DATE", "ID", "PHONE", "EMAIL", "STREET", "ZIP")


def taciturn() -> Callable[[str], list[Span]]:
    policy = Policy.load("hipaa-safe-harbor")
    return lambda text: [(edit.start, edit.end) for edit in sanitize(text, policy).edits]


def tools() -> Iterator[tuple[str, Callable[[str], list[Span]]]]:
    yield "Taciturn, hipaa-safe-harbor", taciturn()
    for label, (package, make) in PEERS.items():
        try:
            yield f"{label} ({version(package)})", make()
        except (ImportError, PackageNotFoundError):
            print(f"{label}: not installed", flush=True)


def row(label: str, find: Callable[[str], list[Span]], documents: list[dict[str, Any]]) -> dict[str, object]:
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    spans = right = 0
    for document in documents:
        text, marked = document["text"], document["entities"]
        changed = find(text)
        covered = {at for start, end in changed for at in range(start, end)}
        for one in marked:
            total[one["type"]] += 1
            found[one["type"]] += all(at in covered for at in range(one["start"], one["end"]) if text[at].isalnum())
        spans += len(changed)
        right += sum(any(m["start"] < end and start < m["end"] for m in marked) for start, end in changed)
    shares = {f"{name} recall": round(found[name] / total[name], 3) for name in TYPES}
    return {"tool": label, **shares, "precision": round(right / max(spans, 1), 3)}


def main() -> list[dict[str, object]]:
    with lzma.open(DOCUMENTS, "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    rows = [row(label, find, documents) for label, find in tools()]
    for one in rows:
        print(one)
    return rows
