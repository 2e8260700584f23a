"""The classifier: an adversary that was trained on texts by subject, and shares no code or figure with planning.

A linear classifier over words and pairs of neighbouring words with TF-IDF weights, fitted by ridge regression: for each
subject a weight of each word, so that passages of its texts score 1 and those of all others 0. It has no lexicon, no
taxonomy and no pack; it learns from its texts alone which words go with which subject.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document
from taciturn.lab.attack.guesses import Attack, ranked

__all__ = ["Classifier"]

Floats = NDArray[np.float64]

_WORD = re.compile(r"[^\W\d_]{2,}")
_MARKED = re.compile(r"\[[^\[\]\n]{1,40}\]|█+")
_BREAK = "\n"


@dataclass(frozen=True)
class Classifier:
    """A linear classifier, trained on a text (or several, joined) for each subject.

    ``passage`` is the length of the passages that it learns from, in words; ``ridge`` how much it shrinks weights.

    >>> texts = {"gout": "The toe hurts. Uric acid is high.", "asthma": "The breath is short. Inhalers help."}
    >>> [g.name for g in Classifier(texts)("His uric acid was measured.").guesses]
    ['gout', 'asthma']
    """

    texts: Mapping[str, str] = field(repr=False)
    passage: int = 150
    ridge: float = 1.0
    shown: int = 5

    def __post_init__(self) -> None:
        if len(self.texts) < 2:
            raise ValueError("a classifier needs texts on at least two subjects")

    @property
    def name(self) -> str:
        return "classifier"

    def called(self, name: str) -> str | None:
        return name if name in self.texts else None

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self.texts)

    @cached_property
    def _learned(self) -> tuple[dict[str, int], Floats, Floats]:
        """The features with their places, their rarity, and the weight of each for each subject."""
        rows: list[Counter[str]] = []
        owners: list[int] = []
        for subject, name in enumerate(self._names):
            for part in _passages(self.texts[name], self.passage):
                rows.append(Counter(_features(part)))
                owners.append(subject)
        often = Counter(f for row in rows for f in row)
        places = {f: i for i, f in enumerate(sorted(f for f, n in often.items() if n > 1 or " " not in f))}
        rarity = np.array([np.log((1 + len(rows)) / (1 + often[f])) + 1 for f in places])
        known = [_vector(row, places, rarity) for row in rows]
        # Far fewer passages than features: the regression is solved over passages, and rows are kept sparse.
        weights = np.zeros((len(places), len(self._names)))
        gram = _gram(known, len(places))
        targets = np.zeros((len(rows), len(self._names)))
        targets[np.arange(len(rows)), owners] = 1.0
        dual = np.linalg.solve(gram + self.ridge * np.eye(len(rows)), targets)
        for (at, values), row in zip(known, dual, strict=True):
            weights[at] += values[:, None] * row[None, :]
        return places, rarity, weights

    def __call__(self, text: str | Document) -> Attack:
        """Rank the subjects by the classifier's score. ``bits`` of a guess is the score."""
        places, rarity, weights = self._learned
        words = Counter(_features(_MARKED.sub(_BREAK, text if isinstance(text, str) else text.text)))
        at, values = _vector(words, places, rarity)
        parts = weights[at] * values[:, None]
        scores = parts.sum(axis=0)
        shares = np.maximum(scores, 0.0)
        shares = shares / shares.sum() if shares.any() else np.full(len(scores), 1 / len(scores))
        names = list(places)

        def evidence() -> Iterator[tuple[tuple[str, float], ...]]:
            for subject in range(len(self._names)):
                best = np.argsort(-parts[:, subject], kind="stable")[: self.shown].tolist()
                yield tuple(
                    (names[at[i]], round(float(parts[i, subject]), 3)) for i in best if parts[i, subject] > 0
                )  # fmt: skip

        return ranked(self._names, scores, shares, evidence(), (), len(at))


def _passages(text: str, length: int) -> list[str]:
    words = text.split()
    return [" ".join(words[i : i + length]) for i in range(0, max(len(words) - length // 2, 1), length)]


def _features(text: str) -> Iterator[str]:
    """Words in small letters, and pairs of neighbours within a line."""
    for line in text.lower().split(_BREAK):
        words = _WORD.findall(line)
        yield from words
        yield from (f"{a} {b}" for a, b in pairwise(words))


def _vector(words: Mapping[str, int], places: Mapping[str, int], rarity: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The places of known features and their weights, of length 1."""
    known = sorted((places[f], n) for f, n in words.items() if f in places)
    at = np.array([i for i, _ in known], dtype=np.int64)
    values = (1 + np.log([n for _, n in known])) * rarity[at] if known else np.zeros(0)
    return at, values / max(float(np.sqrt((values**2).sum())), 1e-12)


def _gram(rows: list[tuple[NDArray[np.int64], Floats]], width: int) -> Floats:
    """The products of all rows with each other, a block of columns at a time."""
    gram = np.zeros((len(rows), len(rows)))
    for start in range(0, width, _BLOCK):
        block = np.zeros((len(rows), min(_BLOCK, width - start)))
        for i, (at, values) in enumerate(rows):
            here = (at >= start) & (at < start + _BLOCK)
            block[i, at[here] - start] = values[here]
        gram += block @ block.T
    return gram


_BLOCK = 4096
