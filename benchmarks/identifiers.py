"""Identifiers: recall on the dates, codes and quantities that people marked in court cases, and words a second.

A marked mention counts as found if identifiers cover each of its words, those aside that only lead to it ("between",
"approximately"). What identifiers find and nobody marked is given beside it, by kind; much of it is right and was no
secret (dates on which a law came into force).
"""

from __future__ import annotations

import json
import lzma
import re
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from taciturn.recognizers import FAMILY, find_identifiers

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_LEADING = frozenset(
    "between and to from no approximately about approx or on the of end beginning period early late".split()
)


def recall() -> list[dict[str, object]]:
    found: Counter[str] = Counter()
    marked: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    unmarked: Counter[str] = Counter()
    with lzma.open(SHARED / "tab" / "echr-dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            text = document["text"]
            identifiers = find_identifiers(text)
            covered = {at for i in identifiers for at in range(i.start, i.end)}
            everything: set[int] = set()
            for mention in document["mentions"]:
                start, end, kind = mention["start_offset"], mention["end_offset"], mention["entity_type"]
                everything.update(range(start, end))
                words = [m.span() for m in re.finditer(r"\w+", text[start:end]) if m.group().lower() not in _LEADING]
                marked[kind] += 1
                found[kind] += all(start + at in covered for a, b in words for at in range(a, b))
            for identifier in identifiers:
                kinds[identifier.kind] += 1
                unmarked[identifier.kind] += everything.isdisjoint(range(identifier.start, identifier.end))
    rows: list[dict[str, object]] = [
        {"what": f"recall on {kind}", "found": found[kind], "of": marked[kind], "share": found[kind] / marked[kind]}
        for kind in ("DATETIME", "CODE", "QUANTITY")
    ]
    rows += [
        {"what": f"{kind} ({FAMILY[kind]}) that nobody marked", "found": unmarked[kind], "of": kinds[kind],
         "share": unmarked[kind] / kinds[kind]}
        for kind in FAMILY if kinds[kind]
    ]  # fmt: skip
    return rows


def _texts(file: Path) -> list[str]:
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines] if file.suffixes[0] == ".jsonl" else ["".join(lines)]


def speed() -> list[dict[str, object]]:
    articles = [text for file in sorted((SHARED / "articles").glob("*.xz")) for text in _texts(file)]
    sets: dict[str, Iterable[str]] = {
        "court cases": _texts(SHARED / "tab" / "echr-dev.jsonl.xz"),
        "clinical notes": _texts(SHARED / "notes" / "clinical-notes.jsonl.xz"),
        "articles": articles,
        "articles without their digits": [re.sub(r"\d", "", text) for text in articles],
    }
    rows: list[dict[str, object]] = []
    for name, texts in sets.items():
        words = sum(len(text.split()) for text in texts)
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            for text in texts:
                find_identifiers(text)
            best = min(best, time.process_time() - start)
        rows.append({"what": f"words a second, {name}", "of": words, "a second": words / best})
    return rows


def main() -> list[dict[str, object]]:
    rows = recall() + speed()
    for row in rows:
        print("  ".join(f"{k}: {v:.4g}" if isinstance(v, float) else f"{k}: {v}" for k, v in row.items()))
    return rows


if __name__ == "__main__":
    main()
