"""What rivals can be asked, and the entities of a base as rivals.

Rivals are things of one kind, of which a text may speak: diseases, or the people of a list. An expression points to
some of them; the *share* of a rival is the chance that it is the one, P(e | x), for a reader to whom all are as likely
beforehand. It is the same scale for all of them, however often texts speak of each. (Mutual information with a corpus,
by which the models of single terms go, gives a rare concept more bits than a common one for the same certainty.)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.entities.base import EntityBase
from taciturn.language.keys import Key

__all__ = ["BaseRivals", "Floats", "Rivals"]

Floats = NDArray[np.float64]


class Rivals(Protocol):
    """Things of one kind, of which a text may speak."""

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called, each once."""

    @property
    def chance(self) -> float:
        """The share of each rival in what an expression points to that tells nothing."""

    @property
    def prior(self) -> Floats:
        """How often texts speak of each, as log2 of its share among all rivals."""

    def shares(self, keys: Sequence[Key]) -> Floats:
        """The share of each rival (column) in what each key (row) points to, from 0 to 1."""


class BaseRivals:
    """The entities of a base: a key points alike to all that have it.

    >>> base = EntityBase("b", {"flu": frozenset({"flu", "fever"}), "gout": frozenset({"gout"}),
    ...                         "cold": frozenset({"cold", "fever"})})
    >>> rivals = BaseRivals(base)
    >>> rivals.names
    ('cold', 'flu', 'gout')
    >>> rivals.shares(["fever", "gout", "table"]).tolist()
    [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    """

    def __init__(self, base: EntityBase) -> None:
        self.base = base

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.base.contexts))

    @cached_property
    def chance(self) -> float:
        return 1 / max(len(self.names), 1)

    @cached_property
    def prior(self) -> Floats:
        return np.full(len(self.names), -np.log2(max(len(self.names), 1)))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.names)}

    def shares(self, keys: Sequence[Key]) -> Floats:
        rows = {k: at for at, k in enumerate(dict.fromkeys(keys))}
        held = np.zeros((len(rows), len(self.names)))
        for entity, shown in self.base.touching(frozenset(rows)).items():
            for k in shown:
                held[rows[k], self._places[entity]] = 1.0
        held /= np.maximum(held.sum(axis=1, keepdims=True), 1.0)
        found: Floats = held[[rows[k] for k in keys]]
        return found
