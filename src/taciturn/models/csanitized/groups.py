"""Groups of terms that together reveal too much of an entity.

Support is anti-monotone: a group cannot occur with an entity more often than its parts do. So groups grow level by
level from supported parts (Apriori), and each risky group that is found is minimal: none of its parts is risky.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from taciturn.knowledge import Counts
from taciturn.knowledge.witnesses import Witnesses
from taciturn.language.keys import Key
from taciturn.reading import ROUNDING

__all__ = ["RiskyGroup", "minimal_risky_groups"]


@dataclass(frozen=True, slots=True)
class RiskyGroup:
    """Keys of one context that together reveal too much of an entity, and no part of them does."""

    keys: frozenset[Key]
    entity: Key
    pmi: float
    support: int


def minimal_risky_groups(
    contexts: Iterable[frozenset[Key]],
    entity: Key,
    threshold: float,
    witnesses: Witnesses,
    size: int,
    support: int,
    asked: dict[tuple[Key, ...], int] | None = None,
) -> list[RiskyGroup]:
    """Every minimal group of 2 to ``size`` keys inside one context with PMI(entity; group) >= threshold.

    Only groups that occur with the entity in at least ``support`` contexts of the corpus count as evidence.
    One batch of counts a level, whatever the number of contexts. Keys that are risky alone must not be passed in.
    ``asked`` keeps the counts of groups from one search in a document to the next.
    """
    asked = asked if asked is not None else {}
    counts, counted = witnesses.counts, witnesses.counted(entity)
    if counted is None:
        return []
    contexts = [c for c in contexts if len(c) > 1]
    distinct = sorted(set().union(*contexts)) if contexts else []
    joint = _counted([(counted, k) for k in distinct], counts, asked)
    alive: set[tuple[Key, ...]] = {(k,) for k, n in zip(distinct, joint, strict=True) if n >= support}
    found: list[RiskyGroup] = []
    risky: set[tuple[Key, ...]] = set()
    for length in range(2, size + 1):
        candidates: set[tuple[Key, ...]] = set()
        for context in contexts:
            candidates.update(_grow(context, alive, length))
        candidates -= risky
        groups = sorted(candidates)
        if not groups:
            break
        together = _counted([(counted, *g) for g in groups], counts, asked)
        supported = [(g, n) for g, n in zip(groups, together, strict=True) if n >= support]
        pmi = witnesses.of_groups(entity, [g for g, _ in supported], [n for _, n in supported])
        alive = set()
        for (group, n), bits in zip(supported, pmi, strict=True):
            if bits >= threshold - ROUNDING:
                found.append(RiskyGroup(frozenset(group), entity, bits, n))
                risky.add(group)
            else:
                alive.add(group)
    return found


def _counted(groups: list[tuple[Key, ...]], counts: Counts, asked: dict[tuple[Key, ...], int]) -> list[int]:
    """The counts of groups, those not asked for before in one batch."""
    if new := [g for g in groups if g not in asked]:
        asked.update(zip(new, counts.count_many(new).tolist(), strict=True))
    return [asked[g] for g in groups]


def _grow(context: frozenset[Key], alive: set[tuple[Key, ...]], length: int) -> Iterable[tuple[Key, ...]]:
    """The groups of a context of the given length all of whose parts are alive."""
    if length == 2:
        return combinations(sorted(k for k in context if (k,) in alive), 2)
    parts = (
        [g for g in combinations(sorted(context), length - 1) if g in alive]
        if len(context) < 40
        else sorted(g for g in alive if context.issuperset(g))
    )
    return _join(parts, alive)


def _join(parts: Sequence[tuple[Key, ...]], alive: set[tuple[Key, ...]]) -> Iterable[tuple[Key, ...]]:
    by_prefix: dict[tuple[Key, ...], list[Key]] = {}
    for part in parts:
        by_prefix.setdefault(part[:-1], []).append(part[-1])
    for prefix, lasts in by_prefix.items():
        for a, b in combinations(sorted(lasts), 2):
            group = (*prefix, a, b)
            if all(group[:i] + group[i + 1 :] in alive for i in range(len(prefix))):
                yield group
