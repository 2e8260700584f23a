"""How much of what experts mark in annotated documents the relations reach: by role, and with which precision."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.topics.contexts import expressions_of
from training.topics.stream import Stream

__all__ = ["Figures", "Reach", "measure", "read_documents"]

FLAGGED = 0.3
_SMALL = frozenset(
    "the a an of in at on by to for from with and or is was are were he she it his her this that has had have been be"
    " as no not s".split()
)


@dataclass
class Figures:
    """Spans that tell alone by role: how many, how many with any path, how many at ``FLAGGED`` or more; and tokens."""

    spans: Counter[str] = field(default_factory=Counter)
    reached: Counter[str] = field(default_factory=Counter)
    flagged: Counter[str] = field(default_factory=Counter)
    right: int = 0
    wrong: int = 0
    missed: list[tuple[str, str, str, float]] = field(default_factory=list)
    false: list[tuple[str, str, float]] = field(default_factory=list)

    def rows(self) -> Iterable[tuple[str, int, float, float]]:
        """(role, spans, share reached, share flagged), all roles last."""
        for role in sorted(self.spans):
            count = self.spans[role]
            yield role, count, self.reached[role] / count, self.flagged[role] / count
        total = max(self.spans.total(), 1)
        yield "all", self.spans.total(), self.reached.total() / total, self.flagged.total() / total

    @property
    def precision(self) -> float:
        """The share of flagged content words that the expert marks as well."""
        return self.right / max(self.right + self.wrong, 1)


class Reach:
    """P(matter | expression) of one or several matters, names being certain."""

    def __init__(self, weights: Mapping[str, float], names: Iterable[str], stream: Stream) -> None:
        self._weights = dict(weights)
        for name in names:
            ids = stream.encode(name)
            self._weights[" ".join(stream.words[i] for i in ids) if -1 not in ids else name] = 1.0

    def of(self, text: str) -> float:
        """The weight of an expression, 0 if there is no path."""
        return self._weights.get(text, 0.0)


def read_documents(path: Path) -> list[dict[str, Any]]:
    """The documents of an annotated set."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def measure(documents: Iterable[Mapping[str, Any]], reaches: Mapping[str, Reach], stream: Stream) -> Figures:
    """The figures over documents; ``reaches`` by a document's id."""
    figures = Figures()
    for document in documents:
        text, reach = document["text"], reaches[document["id"]]
        tokens = stream.read(text)
        weight: dict[int, float] = defaultdict(float)
        hits = []
        for expression, first, last in expressions_of(stream, tokens):
            share = reach.of(expression)
            if share > 0:
                hits.append((tokens[first][1], tokens[last][2], share))
                for i in range(first, last + 1):
                    weight[i] = max(weight[i], share)
        marks = bytearray(len(text))
        for span in document["spans"]:
            places = [m.span() for m in re.finditer(re.escape(span["text"]), text)]
            for start, end in places:
                marks[start:end] = b"\1" * (end - start)
            if span["alone"] and places:
                best = max((s for a, b, s in hits if places[0][0] <= a and b <= places[0][1]), default=0.0)
                figures.spans[span["role"]] += 1
                figures.reached[span["role"]] += best > 0
                figures.flagged[span["role"]] += best >= FLAGGED
                if best < FLAGGED:
                    figures.missed.append((document["id"], span["role"], span["text"], best))
        for i, (_, start, end) in enumerate(tokens):
            if weight[i] >= FLAGGED and text[start:end].lower() not in _SMALL and text[start:end].isalnum():
                if all(marks[start:end]):
                    figures.right += 1
                else:
                    figures.wrong += 1
                    figures.false.append((document["id"], text[max(0, start - 15) : end + 15], weight[i]))
    return figures
