"""Whom a protected entity is hidden among: its rivals, and which of them are other things than it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import EntityBase, Knowledge
from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.rivals import BaseRivals, ConceptRivals, Rivals, are_others, kind_of, rivals_under, under_branch
from taciturn.language import Key, key
from taciturn.models.ksafe import KSafe
from taciturn.models.ksafe.evidence import entity_names

__all__ = ["Among", "Contest", "contest_among", "contests", "rivals_among"]

Floats = NDArray[np.float64]
Among = EntityBase | str | Sequence[str] | None

WEIGHT = 8.0
"""How much more than chance an expression must say to count a bit for it. Weak hints that add up weigh more with a
larger figure, plain words with a smaller one; chosen on texts whose subject is known (benchmarks/indistinct.py)."""
_ALL = 0.999


@dataclass(frozen=True, eq=False)
class Contest:
    """One protected entity and its rivals, of which ``others`` are other things than it.

    ``names`` are the keys that name the entity. The columns of :meth:`evidence` are the entity, then the others.
    """

    entity: str
    names: frozenset[Key]
    own: Rivals
    rivals: Rivals
    others: NDArray[np.int64]

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """The entity, then its others."""
        return (self.entity, *(self.rivals.names[i] for i in self.others.tolist()))

    @cached_property
    def prior(self) -> Floats:
        """log2 of how often texts speak of each candidate."""
        return np.concatenate([self.own.prior[:1], self.rivals.prior[self.others]])

    def evidence(self, keys: Sequence[Key]) -> Floats:
        """What each key (row) says for each candidate (column), in bits: log2(1 + WEIGHT (P - 1/N)).

        P is the share of the candidate in what the key points to, and 1/N what it would be by chance: a key that
        leaves all as likely as before says nothing, one that names a candidate says log2(1 + WEIGHT).
        """
        shares = np.concatenate([self.own.shares(keys)[:, :1], self.rivals.shares(keys)[:, self.others]], axis=1)
        bits: Floats = np.log2(1 + WEIGHT * np.maximum(shares - self.rivals.chance, 0.0))
        return bits

    @cached_property
    def all_of_it(self) -> float:
        """The bits from which an expression points to one candidate and to nothing else."""
        return log2(1 + WEIGHT * (_ALL - self.rivals.chance))

    def gives_away(self, keys: Sequence[Key]) -> bool:
        """Does one of some keys name the entity, or point to nothing else?"""
        return not self.names.isdisjoint(keys) or bool((self.own.shares(keys)[:, 0] >= _ALL).any())


def contest_among(rivals: Rivals) -> Contest:
    """A contest in which nobody is protected: all rivals are candidates."""
    return Contest(rivals.names[0], frozenset(), _Column(rivals, 0), rivals, np.arange(1, len(rivals.names)))


_CONTESTS: KnowledgeCache[object, tuple[Contest, ...]] = KnowledgeCache(most=64)


def contests(
    protect: Sequence[str], branches: Sequence[str], among: Among, knowledge: Knowledge
) -> tuple[Contest, ...]:
    """The contests of protected entities, and of every member of protected branches."""
    asked = (tuple(protect), tuple(branches), _question(among))
    return _CONTESTS.get(knowledge, asked, lambda: _made(protect, branches, among, knowledge))


def _question(among: Among) -> object:
    if isinstance(among, EntityBase):
        return among.name, among.digest
    return among if among is None or isinstance(among, str) else tuple(among)


def _made(protect: Sequence[str], branches: Sequence[str], among: Among, knowledge: Knowledge) -> tuple[Contest, ...]:
    if not isinstance(among, EntityBase | str | None) and len(among) == 1:
        among = among[0]  # one name is no list of candidates, but what they are found under
    if isinstance(among, str) and among in knowledge.entities:
        among = knowledge.entities[among]
    if isinstance(among, EntityBase):
        return _in_base(among, protect, branches, knowledge)
    entities = dict.fromkeys(e for name in protect for e in knowledge.entities_named(name))
    found = [_of_entity(e, rivals_among(among or kind_of(e, knowledge), knowledge), knowledge) for e in entities]
    for branch in branches:
        rivals = rivals_among(among or kind_of(knowledge.entity(branch), knowledge), knowledge)
        found += _of_family(branch, rivals, knowledge)
    return tuple(found)


def rivals_among(among: str | Sequence[str], knowledge: Knowledge) -> ConceptRivals:
    """The concepts under a term, or those of a list."""
    return rivals_under(among, knowledge) if isinstance(among, str) else ConceptRivals(list(among), knowledge)


def _of_entity(entity: Key, rivals: ConceptRivals, knowledge: Knowledge) -> Contest:
    own = ConceptRivals([entity], knowledge, len(rivals.names) + 1, rivals.field)
    others = np.flatnonzero(are_others(own, rivals, knowledge)[0])
    return Contest(entity, frozenset(own.keys), own, rivals, others)


def _of_family(branch: str, rivals: ConceptRivals, knowledge: Knowledge) -> list[Contest]:
    """A contest for each member of a branch, with everything outside the branch."""
    members = set(under_branch(branch, knowledge))
    outside = np.array([i for i, name in enumerate(rivals.names) if name not in members], dtype=np.int64)
    number = len(rivals.names) + 1
    found = []
    for name in sorted(members):
        own = ConceptRivals([name], knowledge, number, rivals.field)
        found.append(Contest(name, frozenset(own.keys), own, rivals, outside))
    return found


@dataclass(frozen=True, eq=False)
class _Column:
    """One rival of several."""

    rivals: Rivals
    at: int

    @property
    def names(self) -> tuple[str, ...]:
        return (self.rivals.names[self.at],)

    @property
    def chance(self) -> float:
        return self.rivals.chance

    @property
    def prior(self) -> Floats:
        return self.rivals.prior[[self.at]]

    def shares(self, keys: Sequence[Key]) -> Floats:
        return self.rivals.shares(keys)[:, [self.at]]


def _in_base(
    base: EntityBase, protect: Sequence[str], branches: Sequence[str], knowledge: Knowledge
) -> tuple[Contest, ...]:
    rivals = BaseRivals(base)
    names = entity_names(base)
    single = set(KSafe(base, protect=tuple(protect)).resolve(knowledge)[1]) if protect else set()
    family = set(KSafe(base, branches=tuple(branches)).resolve(knowledge)[1]) if branches else set()
    found = []
    for entity in sorted(single | family):
        hidden = family if entity in family else {entity}
        others = np.array([i for i, n in enumerate(rivals.names) if n not in hidden and n != entity], dtype=np.int64)
        called = frozenset(k for k, of in names.items() if of == (entity,)) | {key(entity)}
        found.append(Contest(entity, called, _Column(rivals, rivals.names.index(entity)), rivals, others))
    return tuple(found)
