"""Contexts learned from counts: for any set of entities, the terms that go with each.

A term belongs to an entity's context if it occurs with it more often than a few chance meetings explain and says much
of it: PMI(entity; term), discounted for small counts, is at least a share of IC(entity). The discount (Pantel and Lin)
multiplies PMI by n/(n+1) * m/(m+1), where n is the joint count and m the lesser of the two single ones.

Counting each pair by itself would be slow. Instead an index from contexts to candidates is built once; an entity's
joint counts with all candidates are then a sum over its own contexts. This is linear in the size of the index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from taciturn.language.keys import Key

__all__ = ["ContextSource", "learn_contexts"]


class ContextSource(Protocol):
    """Counts that can say in which contexts a key occurs."""

    @property
    def total(self) -> int:
        """The number of contexts."""

    def contexts(self, key: Key) -> Iterable[int]:
        """The numbers of the contexts that hold a key, ascending, from 0 up to ``total``."""


def learn_contexts(
    counts: ContextSource,
    entities: Mapping[str, Sequence[Key]],
    candidates: Iterable[Key],
    *,
    share: float = 0.4,
    least: int = 3,
    most: int = 40,
) -> dict[str, list[frozenset[Key]]]:
    """Entity -> the concepts that go with it, each the set of its keys: its own names first, then the candidates that
    say at least ``share`` of it, at most ``most`` of them. They are ordered by joint count times PMI: of two with the
    same PMI, the one that co-occurs more often comes first. :func:`~taciturn.knowledge.entities.base.write_base` takes
    the result.

    ``entities`` gives the keys of each; one that occurs in fewer than ``least`` contexts, or has no term, is left out.
    ``least`` is also the least number of contexts that entity and term must share. Candidates with the same contexts
    are one concept; one that occurs wherever the entity does, and elsewhere, is a generalization and left out.
    The same input gives the same base.

    >>> from taciturn.knowledge import ContextCounts
    >>> contexts = [{"HIV", "syphilis", "lues"}] * 4 + [{"HIV", "table"}] + [{"table"}] * 11
    >>> base = learn_contexts(ContextCounts(contexts), {"HIV": ["HIV"]}, ["syphilis", "lues", "table"])
    >>> [sorted(concept) for concept in base["HIV"]]
    [['HIV'], ['lues', 'syphilis']]
    """
    concepts, sets = _concepts(counts, candidates)
    alone = np.array([len(s) for s in sets])
    starts, members = _by_context(sets, counts.total)
    learned: dict[str, list[frozenset[Key]]] = {}
    for entity in sorted(entities):
        own = frozenset(entities[entity])
        here = np.unique(np.concatenate([_contexts(counts, k) for k in sorted(own)]))
        if len(here) < least:
            continue
        joint = np.bincount(_gathered(starts, members, here), minlength=len(concepts))
        told = _told(joint, alone, len(here), counts.total)
        told[(joint < least) | ((joint == len(here)) & (alone > joint))] = -np.inf
        enough = share * log2(counts.total / len(here))
        good = np.flatnonzero(told >= enough)
        best = (concepts[i] for i in good[np.argsort(-joint[good] * told[good], kind="stable")].tolist())
        if found := [concept for concept in best if not concept & own][:most]:
            learned[entity] = [own, *found]
    return learned


def _contexts(counts: ContextSource, key: Key) -> NDArray[np.int64]:
    return np.fromiter(counts.contexts(key), dtype=np.int64)


def _concepts(counts: ContextSource, candidates: Iterable[Key]) -> tuple[list[frozenset[Key]], list[NDArray[np.int64]]]:
    """Candidates by their contexts: those with the same are one."""
    alike: dict[bytes, list[Key]] = {}
    for key in sorted(set(candidates)):
        alike.setdefault(_contexts(counts, key).tobytes(), []).append(key)
    alike.pop(b"", None)
    return [frozenset(keys) for keys in alike.values()], [np.frombuffer(s, dtype=np.int64) for s in alike]


def _by_context(sets: Sequence[NDArray[np.int64]], total: int) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Terms by context: where each context's begin, and their numbers."""
    contexts = np.concatenate([np.zeros(0, dtype=np.int64), *sets])
    terms = np.repeat(np.arange(len(sets), dtype=np.int32), [len(s) for s in sets])
    starts = np.concatenate([[0], np.cumsum(np.bincount(contexts, minlength=total))])
    return starts, terms[np.argsort(contexts, kind="stable")]


def _gathered(starts: NDArray[np.intp], members: NDArray[Any], contexts: NDArray[np.int64]) -> NDArray[Any]:
    sizes = starts[contexts + 1] - starts[contexts]
    offsets = np.repeat(starts[contexts] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return members[offsets + np.arange(len(offsets))]


def _told(joint: NDArray[np.intp], alone: NDArray[np.intp], entity: int, total: int) -> NDArray[np.float64]:
    """Discounted PMI of each term with an entity, in bits."""
    told = np.full(len(joint), -np.inf)
    (met,) = np.nonzero(joint)
    n, lesser = joint[met].astype(np.float64), np.minimum(alone[met], entity)
    told[met] = np.log2(n * total / (alone[met] * float(entity))) * (n / (n + 1)) * (lesser / (lesser + 1))
    return told
