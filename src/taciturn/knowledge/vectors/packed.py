"""Vectors in a file, opened by memory map: keys by number, codes by row, and what similarity is worth in bits.

A key of the corpus has a vector of its own, drawn towards that of its words where its contexts are few; a word that
the corpus lacks has one by its use elsewhere; any other phrase has the mean of its words' vectors, rare words counting
more. How much a key says of an entity, at a given similarity, is a distribution over shares of the entity's
information, fitted on contexts that the vectors had not seen: its mean predicts, its spread is the error. Vectors of
rarer keys are vaguer, so distributions were fitted by support: how many contexts stand behind a key's vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.counts.estimate import moments
from taciturn.knowledge.storage.arrayfile import ArrayFile
from taciturn.knowledge.storage.strings import StringTable
from taciturn.knowledge.vectors.learn import unit
from taciturn.knowledge.vectors.quantize import decode
from taciturn.language.keys import Key

__all__ = ["SUPPORTS", "VECTORS_KIND", "Vectors", "priors_at", "support_class"]

VECTORS_KIND = "vectors"
SUPPORTS = (0, 5, 30)
"""Contexts behind a vector, up to which it is of the first, second, third class of support; beyond, of the fourth."""
_NONE = -1
Floats = NDArray[np.float64]


def support_class(contexts: NDArray[np.integer]) -> NDArray[np.int64]:
    """The class of support of vectors with some contexts behind them.

    >>> support_class(np.array([0, 1, 5, 6, 31])).tolist()
    [0, 1, 1, 2, 3]
    """
    return np.searchsorted(SUPPORTS, contexts, side="left")


def priors_at(similarity: Floats, support: NDArray[np.int64], at: Floats, priors: Floats) -> Floats:
    """Priors of pairs of some similarity and class of support, between those of the two nearest of the points ``at``.

    ``priors`` has a row of weights for each class of support and point.

    >>> ends = np.array([[[1.0, 0.0], [0.0, 1.0]]])
    >>> priors_at(np.array([0.25, 2.0]), np.array([0, 0]), np.array([0.0, 1.0]), ends).tolist()
    [[0.75, 0.25], [0.0, 1.0]]
    """
    above = np.clip(np.searchsorted(at, similarity), 1, len(at) - 1)
    part = np.clip((np.nan_to_num(similarity) - at[above - 1]) / (at[above] - at[above - 1]), 0.0, 1.0)[:, None]
    rows: Floats = (1 - part) * priors[support, above - 1] + part * priors[support, above]
    return rows


class Vectors:
    """Vectors of keys, and the mutual information that their similarity predicts."""

    def __init__(self, file: ArrayFile) -> None:
        self._file = file
        self._keys: StringTable[Key] = StringTable(
            {part: file[f"keys.{part}"] for part in ("blob", "starts", "heads", "length")}
        )
        self._rows, self._codes, self._books = file["rows"], file["codes"], file["books"]
        self._support, self._plainness = file["support"], file["plainness"]
        self._at: Floats = file["prior.similarity"].astype(np.float64)
        self._priors: Floats = file["prior.weights"].astype(np.float64)
        self.unknown: Floats = file["prior.unknown"].astype(np.float64)
        """The prior of a pair of which vectors say nothing: that of all pairs."""
        self._total = int(file.meta["contexts"])

    @classmethod
    def open(cls, path: str | Path) -> Vectors:
        """The vectors in a file that ``training.phrase_vectors`` has written.

        Raises :class:`taciturn.knowledge.storage.arrayfile.DamagedFileError` for any other file.
        """
        return cls(ArrayFile(Path(path), VECTORS_KIND))

    @property
    def digest(self) -> str:
        """A digest of the figures, quoted by certificates."""
        return self._file.digest

    def __len__(self) -> int:
        """The number of keys."""
        return len(self._keys)

    def of(self, key: Key) -> NDArray[np.float32] | None:
        """The unit vector of a key, or None if none of its words is known."""
        found, _ = self.of_many([key])
        return found[0] if found[0].any() else None

    def of_many(self, keys: Sequence[Key]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The vectors of keys, zero for unknown ones, and the contexts behind each: 0 for words and means of words."""
        places = self._find(keys)
        rows = np.where(places >= 0, self._rows[places], 0)
        known = places >= 0
        found = np.where(known[:, None], decode(self._codes[rows], self._books), np.float32(0))
        behind = np.where(known, self._support[rows], 0).astype(np.int64)
        missing = np.flatnonzero(~known).tolist()
        if missing:
            words = [keys[i].split(" ") for i in missing]
            owners = np.repeat(missing, [len(w) for w in words])
            at = self._find([Key(word) for several in words for word in several])
            owners, inner = owners[at >= 0], self._rows[at[at >= 0]]
            weighted = decode(self._codes[inner], self._books) * self._plainness[inner, None].astype(np.float32)
            np.add.at(found, owners, weighted)
        return unit(found), behind

    def _find(self, keys: Sequence[Key]) -> NDArray[np.int64]:
        """The places of keys as they are or, failing that, in small letters; -1 for unknown ones."""
        places = self._keys.find_many(keys)
        capital = [i for i in np.flatnonzero(places < 0).tolist() if not keys[i].islower()]
        if capital:
            places[capital] = self._keys.find_many([Key(keys[i].lower()) for i in capital])
        return places

    def information(self, key: Key) -> float | None:
        """The information content of a key of the corpus, in bits; None for any other."""
        place = self._keys.find(key)
        contexts = int(self._support[self._rows[place]]) if place != _NONE else 0
        return float(np.log2(self._total / contexts)) if contexts else None

    def similarity(self, entity: Key, keys: Sequence[Key]) -> Floats:
        """The cosine of an entity's vector with each key's; not a number where either is unknown."""
        return self._similarity(entity, keys)[0]

    def _similarity(self, entity: Key, keys: Sequence[Key]) -> tuple[Floats, NDArray[np.int64]]:
        found, behind = self.of_many([entity, *keys])
        cosines = (found[1:] @ found[0]).astype(np.float64)
        return np.where(found[1:].any(axis=1) & found[0].any(), cosines, np.nan), behind[1:]

    def priors(self, entity: Key, keys: Sequence[Key]) -> Floats:
        """For each key the prior weight of each share of the entity's information, as :func:`estimate` takes it."""
        return self.priors_of(*self._similarity(entity, keys))

    def priors_of(self, cosines: Floats, behind: NDArray[np.int64]) -> Floats:
        """The same for pairs of known similarity (not a number if unknown), with the contexts behind each key."""
        rows = priors_at(cosines, support_class(behind), self._at, self._priors)
        return np.where(np.isnan(cosines)[:, None], self.unknown, rows)

    def predict(self, entity: Key, keys: Sequence[Key], information: float | None = None) -> tuple[Floats, Floats]:
        """What each key says of an entity, in bits of PMI, and the standard error; at most the entity's information.

        ``information`` is the entity's information content, needed for one that the corpus lacks. Of keys without a
        vector it predicts what holds of any pair, with the error of that.
        """
        full = self.information(entity) if information is None else information
        if full is None:
            raise ValueError(f"{entity!r} is no key of these vectors; give its information content in bits")
        mean, spread = moments(self.priors(entity, keys))
        return mean * full, spread * full
