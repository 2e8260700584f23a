"""Word vectors from the neighbours that words keep, by counting and one singular value decomposition.

Each word of the table is described by how often each of the most frequent words stands one or two places to its left
or right (places kept apart: for parts of speech it matters on which side "the" stands). Positive pointwise mutual
information, then the leading singular vectors. Counting is exact and the start of the decomposition is seeded, so the
result is reproducible; a skip-gram network gives vectors of the same use at many times the cost.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taciturn.language.tokens import tokenize
from taciturn.language.words import normal

WORDS = 50_000
CONTEXTS = 2_000
PLACES = (-2, -1, 1, 2)
SEED = 3


@dataclass(frozen=True)
class Vectors:
    """``words`` in order of frequency, a row of ``vectors`` and the share of capitals for each."""

    words: list[str]
    vectors: NDArray[np.float32]
    capitals: NDArray[np.float32]


def documents(corpus: Path) -> Iterator[str]:
    """Every lead and medical answer, and every other full article."""
    for name, step in (("wikipedia-leads", 1), ("medquad", 1), ("wikipedia-core", 2)):
        with lzma.open(corpus / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for i, line in enumerate(lines):
                if i % step == 0:
                    record = json.loads(line)
                    yield record["text"]


def learn(texts: Iterator[str], size: int) -> Vectors:
    """Vectors of ``size`` numbers for the most frequent words of ``texts``."""
    numbers: dict[str, int] = {}
    parts: list[NDArray[np.int32]] = []
    upper: list[NDArray[np.bool_]] = []
    for text in texts:
        tokens = tokenize(text)
        if not len(tokens):
            continue
        of_type = np.fromiter(
            (numbers.setdefault(normal(t), len(numbers)) for t in tokens.types), np.int32, len(tokens.types)
        )
        capital = np.fromiter((t[0].isupper() for t in tokens.types), np.bool_, len(tokens.types))
        parts.append(of_type[tokens.ids])
        upper.append(capital[tokens.ids])
    stream = np.concatenate(parts)
    capital = np.concatenate(upper)
    frequency = np.bincount(stream, minlength=len(numbers))
    rank = np.argsort(-frequency, kind="stable")
    place = np.full(len(numbers), WORDS, np.int32)  # the row after the last stands for every rarer word
    place[rank[:WORDS]] = np.arange(min(WORDS, len(rank)))
    names = list(numbers)
    words = [names[i] for i in rank[:WORDS]]
    stream = place[stream]

    columns = []
    for offset in PLACES:
        centre, other = (stream[-offset:], stream[:offset]) if offset < 0 else (stream[:-offset], stream[offset:])
        seen = (other < CONTEXTS) & (centre < WORDS)
        cells = centre[seen].astype(np.int64) * CONTEXTS + other[seen]
        counts = np.bincount(cells, minlength=WORDS * CONTEXTS).reshape(WORDS, CONTEXTS).astype(np.float32)
        columns.append(_mutual_information(counts))
    left = _singular_vectors(np.concatenate(columns, axis=1), size)
    left /= np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-6)

    # The share of capitals away from sentence starts, where a capital says nothing.
    stops = [words.index(w) for w in (".", "?", "!", ":", '"') if w in words]
    inside = np.concatenate(([False], ~np.isin(stream[:-1], stops)))
    total = np.bincount(stream[inside], minlength=WORDS + 1)[:WORDS]
    big = np.bincount(stream[inside & capital], minlength=WORDS + 1)[:WORDS]
    return Vectors(words, left.astype(np.float32), (big / np.maximum(total, 1)).astype(np.float32))


def _mutual_information(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Positive pointwise mutual information, with the contexts' distribution smoothed (power 3/4)."""
    rows = counts.sum(axis=1, keepdims=True)
    columns = counts.sum(axis=0, keepdims=True) ** 0.75
    expected = rows * (columns / columns.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(counts / expected)
    return np.maximum(np.nan_to_num(information, nan=0.0, neginf=0.0), 0.0)


def _singular_vectors(matrix: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """The leading left singular vectors, each times the root of its singular value (randomized, two power steps)."""
    rng = np.random.default_rng(SEED)
    probe = rng.standard_normal((matrix.shape[1], size + 16)).astype(np.float32)
    basis = matrix @ probe
    for _ in range(2):
        basis = np.linalg.qr(basis)[0]
        basis = matrix @ (matrix.T @ basis)
    basis = np.linalg.qr(basis)[0]
    left, values, _ = np.linalg.svd(basis.T @ matrix, full_matrices=False)
    result: NDArray[np.float32] = (basis @ left)[:, :size] * np.sqrt(values[:size])
    return result
