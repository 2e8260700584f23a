"""The second reader: what it costs, how often it points at other words, and what it hides beyond the plan.

Cost: CPU time spent in searching over the CPU time of the whole release, C-sanitized over the clinical notes, after the
index was built. False alarms: notes and articles that are refused; places that only the second reader hid; names that
the certificate counts as ambiguous.
"""

from __future__ import annotations

import json
import lzma
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from tests.shared_data import SHARED

from taciturn.errors import NotReleasedError
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized, floor
from taciturn.models.names import protected
from taciturn.release import sanitize

LIMIT = 600
PROTECTED = ("HIV", "depression", "stroke", "mental disorder")
NOTES, ARTICLES = 500, 20


def _texts() -> dict[str, list[str]]:
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as file:
        notes = [json.loads(line)["text"] for line in file][:NOTES]
    articles = []
    for path in sorted((SHARED / "data" / "articles").glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            articles.append(file.read())
    with lzma.open(SHARED / "data" / "corpus" / "wikipedia-core.jsonl.xz", "rt", encoding="utf-8") as file:
        while len(articles) < ARTICLES:
            articles.append(json.loads(next(file))["text"])
    return {"notes": notes, "articles": articles}


class _Clock:
    """CPU time spent in a function."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.process_time() - start

        return timed


def measure(name: str, kind: str, texts: list[str], knowledge: Knowledge) -> dict[str, object]:
    """One row: a protected name over one kind of text."""
    model = CSanitized(protect=name)
    floor.index(protected(model), knowledge)
    sanitize(texts[0], model, knowledge)
    clock, refused, ambiguous, places, documents = _Clock(), 0, 0, 0, 0
    with patch.object(floor, "read", clock.around(floor.read)):
        start = time.process_time()
        for text in texts:
            try:
                release = sanitize(text, model, knowledge)
            except NotReleasedError:
                refused += 1
                continue
            found = sum(e.reason == floor.NAMED for e in release.edits)
            places += found
            documents += bool(found)
            ambiguous += int(release.certificate.guarantees[0].figures.get("ambiguous written forms", 0))
        total = time.process_time() - start
    return {
        "protected": name,
        "texts": kind,
        "number": len(texts),
        "refused": refused,
        "hidden by the second reader alone": places,
        "in texts": documents,
        "ambiguous and left": ambiguous,
        "share of the time": clock.seconds / total,
        "ms a text": 1000 * clock.seconds / len(texts),
    }


def main() -> list[dict[str, object]]:
    knowledge = Knowledge.default()
    rows = [measure(name, kind, texts, knowledge) for kind, texts in _texts().items() for name in PROTECTED]
    for row in rows:
        print("  ".join(f"{k}: {v:.3g}" if isinstance(v, float) else f"{k}: {v}" for k, v in row.items()))
    return rows


if __name__ == "__main__":
    main()
