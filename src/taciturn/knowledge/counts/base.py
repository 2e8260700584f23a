"""Counts: how often keys occur in contexts, alone and together, and the information that follows from them.

A backend gives the number of all contexts, and of those that hold every key of a group. Information content and mutual
information are computed from these numbers. All logarithms are base 2.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from taciturn.language.keys import Key

__all__ = ["BETWEEN", "Counts", "first_of"]

BETWEEN = "\n"  # of keys that stand together for one thing; no key of a text has a line break


class Counts(ABC):
    """The figures that information content and mutual information are computed from.

    A count is by subsumption: an occurrence of a synonym or a specialization is an occurrence of the concept, as far
    as the backend has a taxonomy. An unknown key has count 0: no evidence, which is not evidence of safety.
    """

    @property
    @abstractmethod
    def total(self) -> int:
        """N, the number of contexts."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """A digest of the figures, quoted by certificates."""

    @abstractmethod
    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        """For each group of keys, the number of contexts that hold all of them."""

    def starting(self, prefix: str) -> Iterable[Key]:
        """The keys that begin with some letters, as far as the backend can list them; for suggestions."""
        return ()

    def united(self, keys: Sequence[Key]) -> Key | None:
        """A key whose contexts are those that hold any of some keys; None if nothing holds one.

        Its text has the keys line by line, the first one first (:func:`first_of`). A backend that cannot unite sets
        takes the most frequent key.
        """
        found = self.count_many([(k,) for k in keys]).tolist() if keys else []
        best = max(found, default=0)
        return keys[found.index(best)] if best else None

    def listed(self, key: Key) -> NDArray[np.int64] | None:
        """The numbers of the contexts that hold a key, ascending; None where the backend does not list them."""
        return None

    def table(self, entities: Sequence[Key], keys: Sequence[Key]) -> NDArray[np.int64]:
        """Counts of single keys: in the first row alone, in the following rows together with each entity.

        A document is judged by this table, so backends make it fast.
        """
        groups: list[tuple[Key, ...]] = [(k,) for k in keys]
        groups += [(e, k) for e in entities for k in keys]
        return self.count_many(groups).reshape(1 + len(entities), len(keys))

    def count(self, *keys: Key) -> int:
        """The number of contexts that hold every key; N for no key at all."""
        return int(self.count_many([keys])[0])

    def ic(self, *keys: Key) -> float:
        """Information content in bits: -log p. Infinite for what never occurs."""
        n = self.count(*keys)
        return log2(self.total / n) if n else inf

    def pmi(self, entity: Key, *keys: Key) -> float:
        """What the keys, together, say of the entity, in bits; -inf when they never occur together.

        At most ``ic(entity)``, reached when the keys never occur without it.
        """
        return float(self.pmi_many([entity], [keys])[0, 0])

    def ic_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.float64]:
        """:meth:`ic` of each group."""
        return information(self.count_many(groups), self.total)

    def pmi_many(self, entities: Sequence[Key], groups: Sequence[Sequence[Key]]) -> NDArray[np.float64]:
        """:meth:`pmi` of each entity (rows) and each group of keys (columns)."""
        singles = [(e,) for e in entities]
        joint = [(e, *g) for e in entities for g in groups]
        n = self.count_many([*singles, *groups, *joint])
        of_entity, of_group = n[: len(entities)], n[len(entities) : len(entities) + len(groups)]
        together = n[len(entities) + len(groups) :].reshape(len(entities), len(groups))
        return mutual_information(together, of_entity, of_group, self.total)


def first_of(united: Key) -> Key:
    """The first of the keys that :meth:`Counts.united` has put together; any other key itself.

    >>> first_of(Key("islam\\nmuslim")), first_of(Key("HIV"))
    ('islam', 'HIV')
    """
    return Key(united.partition(BETWEEN)[0])


def information(counts: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """-log2(n/N), infinite where n is 0."""
    with np.errstate(divide="ignore"):
        return np.log2(total / counts.astype(np.float64))


def mutual_information(
    together: NDArray[np.int64], of_entity: NDArray[np.int64], of_group: NDArray[np.int64], total: int
) -> NDArray[np.float64]:
    """PMI from counts of entities (rows), groups (columns) and both; -inf where they never occur together.

    The estimator is the plain ratio of counts. Thin data errs on the safe side: one accidental meeting of two rare keys
    gives a *high* PMI (the term is called risky), and no smoothing pulls it down; that two keys never met is reported
    as no evidence, not as a low figure.

    >>> mutual_information(np.array([[2, 0]]), np.array([4]), np.array([2, 8]), 64).tolist()
    [[4.0, -inf]]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # The order of the divisions makes the identities exact in floating point: PMI(c;s) is IC(c), not nearly so.
        ratio = (together / of_group[None, :]) * (total / of_entity[:, None])
        ratio = np.where(together == of_entity[:, None], total / of_group[None, :], ratio)
        figures: NDArray[np.float64] = np.where(together > 0, np.log2(ratio), -np.inf)
    return figures
