"""Vectors of keys from the contexts they occur in: mutual information with frequent keys, in a few dimensions.

Each key is described by how much more often than by chance it meets each of some thousand frequent keys, the features.
The leading eigenvectors of the features' products give the few directions in which such descriptions differ most. All
of it is counting and one decomposition, so the same sets give the same vectors. A second source of vectors, of words
that the contexts lack, is brought into the same space by a linear map, so that one product compares any two keys.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.sets import spread

__all__ = ["Incidence", "fit_map", "learn_vectors", "unit"]

_BLOCK = 2_000
_FREQUENT = 0.02  # a key in more of the contexts says too little to be a feature
_COMMON = 0.10  # and one in more than this has no vector worth learning from
_AMPLE = 30  # contexts of a key that the directions are learnt from
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Incidence:
    """Which contexts hold each key: ``contexts[starts[i]:starts[i + 1]]``, sorted, all below ``total``.

    ``held`` is how many contexts there are: ``total``, or fewer where some were left out.
    """

    contexts: NDArray[np.int32]
    starts: Ints
    total: int
    held: int

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts)

    def within(self, kept: NDArray[np.bool_]) -> Incidence:
        """The same with some of the contexts only, under the numbers they had.

        >>> two = Incidence(np.array([0, 1, 1], np.int32), np.array([0, 2, 3]), 2, 2)
        >>> two.within(np.array([False, True])).sizes.tolist()
        [1, 1]
        """
        held = kept[self.contexts]
        before = np.concatenate([[0], np.cumsum(held)])
        return Incidence(self.contexts[held], before[self.starts], self.total, int(kept.sum()))

    def transposed(self, keys: Ints) -> Incidence:
        """Which of some keys, by their place among these, each context holds."""
        sizes = self.sizes[keys]
        contexts = self.contexts[spread(self.starts[keys], sizes)]
        order = np.argsort(contexts, kind="stable")
        places = np.repeat(np.arange(len(keys), dtype=np.int32), sizes)[order]
        return Incidence(places, np.searchsorted(contexts[order], np.arange(self.total + 1)), len(keys), len(keys))

    def met(self, key: int, by_context: Incidence) -> Ints:
        """How often a key meets each of the keys that ``by_context`` was transposed from."""
        here = self.contexts[self.starts[key] : self.starts[key + 1]]
        first = by_context.starts[here]
        return np.bincount(
            by_context.contexts[spread(first, by_context.starts[here + 1] - first)], minlength=by_context.total
        )


def learn_vectors(sets: Incidence, features: int, size: int) -> Floats:
    """A unit vector of ``size`` numbers for each key; zero for keys in fewer than two contexts or in a tenth of all."""
    counts, contexts = sets.sizes, sets.held
    usual = np.flatnonzero(counts < _FREQUENT * contexts)
    chosen = np.sort(usual[np.argsort(-counts[usual], kind="stable")[:features]])
    by_context = sets.transposed(chosen)
    chance = counts[chosen] / contexts
    place = np.full(len(counts), -1)
    place[chosen] = np.arange(len(chosen))

    def described(keys: Ints) -> Floats:
        met = np.stack([sets.met(int(k), by_context) for k in keys]).astype(np.float32)
        own = place[keys] >= 0
        met[np.flatnonzero(own), place[keys][own]] = 0  # that a key meets itself says nothing
        with np.errstate(divide="ignore"):
            bits = np.log2(met / (counts[keys][:, None] * chance))
        # A single meeting is half believed.
        return np.where(met > 0, np.maximum(bits, 0) * (met / (met + 1)), 0).astype(np.float32)

    products = np.zeros((len(chosen), len(chosen)))
    ample = np.flatnonzero((counts >= _AMPLE) & (counts < _COMMON * contexts))
    for at in range(0, len(ample), _BLOCK):
        rows = unit(described(ample[at : at + _BLOCK]))
        products += rows.T @ rows
    values, directions = np.linalg.eigh(products)
    leading = slice(None, -size - 1, -1)
    # Between plain projection and whitening: the first directions count less than their variance.
    axes = (directions[:, leading] * np.maximum(values[leading], 1e-9) ** -0.25).astype(np.float32)
    found = np.zeros((len(counts), axes.shape[1]), np.float32)
    known = np.flatnonzero((counts >= 2) & (counts < _COMMON * contexts))
    for at in range(0, len(known), _BLOCK):
        found[known[at : at + _BLOCK]] = described(known[at : at + _BLOCK]) @ axes
    return unit(found)


def fit_map(source: Floats, target: Floats, weights: NDArray[np.floating], ridge: float = 1e-3) -> Floats:
    """The matrix that brings rows of one space nearest to those of another, by weighted ridge regression.

    >>> turned = fit_map(np.eye(2, dtype=np.float32), np.eye(2, dtype=np.float32)[::-1], np.ones(2), 0.0)
    >>> turned.round(3).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    weighted = source * weights[:, None]
    square = weighted.T @ source
    square += ridge * np.trace(square) / len(square) * np.eye(len(square))
    found: Floats = np.linalg.solve(square, weighted.T @ target).astype(np.float32)
    return found


def unit(rows: Floats) -> Floats:
    """Rows of length 1; zero rows stay.

    >>> unit(np.array([[3, 4], [0, 0]], np.float32)).round(3).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Floats = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return found
