"""The values of relations: an expression stands in a relation to a matter, and who says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LINKS", "PREDICATES", "SHARES", "Evidence", "Relation", "RelationRow", "pack_relations"]

PREDICATES = (
    "treats", "measures", "monitors", "procedure for", "device for", "sign of", "located in", "caused by", "clinic for",
    "gene of", "described with", "contains", "about", "related to", "wider than",
)  # fmt: skip
"""How an expression is related to a matter, read from the expression: a drug treats, an organ is where a disease is
"located in", an organism is what it is "caused by". "described with": definitions of the matter speak of it."""

LINKS = frozenset(("contains", "about"))
"""Predicates that lead on: what a combination contains or a test is about has relations of its own."""

MENTIONED = "described with"
"""The predicate that texts alone give: an expression stands in articles on the matter."""

SHARES = frozenset((MENTIONED, "related to"))
"""Predicates whose weight is P(matter | expression) itself, counted in texts or set by a user: it is not divided among
the matters of the expression. "wider than" is worked out: the expression is a kind that the matter belongs to."""

_SCALE = 50  # weights are kept in fiftieths, up to 5; shares in 255ths
_MOST = 255


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation as it is stored: numbers of concepts, and the bits of its sources."""

    expression: int
    predicate: str
    matter: int
    sources: int
    weight: float


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two concepts; ``weight`` grows with the sources that agree."""

    expression: int
    predicate: str
    matter: int
    sources: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much an expression says of a matter: the matter's share among what the expression is related to."""

    share: float
    predicate: str
    matter: int
    sources: tuple[str, ...]


def pack_relations(rows: Iterable[RelationRow], concepts: int) -> dict[str, NDArray[Any]]:
    """The arrays of :class:`~taciturn.knowledge.relations.Relations` over a lexicon of so many concepts.

    Rows that say the same are joined: their sources together, their weights added where the sources differ; of shares
    the greatest is kept.
    """
    joined: dict[tuple[int, int, int], tuple[int, float]] = {}
    for row in rows:
        at = (row.expression, PREDICATES.index(row.predicate), row.matter)
        sources, weight = joined.get(at, (0, 0.0))
        added = row.sources & ~sources and row.predicate not in SHARES
        joined[at] = (sources | row.sources, weight + row.weight if added else max(weight, row.weight))
    ordered = sorted(joined.items())
    counts = np.bincount([at[0] for at, _ in ordered] or [0], minlength=concepts)
    if not ordered:
        counts[:] = 0
    columns: Sequence[Any] = list(zip(*((p, m, s, w) for (_, p, m), (s, w) in ordered), strict=True)) or [()] * 4
    return {
        "counts": counts.astype(np.uint32),
        "predicates": np.array(columns[0], np.uint8),
        "matters": np.array(columns[1], np.int32),
        "sources": np.array(columns[2], np.uint32),
        "weights": _stored(np.array(columns[0], np.int64), np.array(columns[3], np.float64)),
    }


def _stored(predicates: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.uint8]:
    shares = np.isin(predicates, [PREDICATES.index(p) for p in sorted(SHARES)])
    return np.clip(np.round(weights * np.where(shares, _MOST, _SCALE)), 1, _MOST).astype(np.uint8)


def weight_of(predicate: str, stored: int) -> float:
    """A weight from its stored form."""
    return stored / (_MOST if predicate in SHARES else _SCALE)
