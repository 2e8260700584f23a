"""The check of C-sanitized: written plainly, from the released text and the knowledge alone.

It has a search of its own: each term, each phrase inside a term and each other word is looked up one by one, and groups
are grown depth first, context by context. It shares with planning what a reader takes from a text
(:mod:`taciturn.reading`), which is the definition of the guarantee, the limits in bits, and the knowledge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import inf

import numpy as np

from taciturn.document import Span
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key
from taciturn.language.keys import tails
from taciturn.models.base import Guarantee, Violation
from taciturn.reading import NAMES, ROUNDING, Reading, is_empty, locate, read

__all__ = ["recheck"]


class _Asked:
    """Counts, each asked for once."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._counts = knowledge.counts
        self._known: dict[tuple[Key, ...], int] = {}

    def told(self, keys: Iterable[Key], entities: Sequence[Key]) -> dict[Key, dict[Key, float]]:
        """For each entity, PMI(entity; k) of each key that is known: by the counts, or by a name or a relation."""
        distinct = list(dict.fromkeys(keys))
        counted, bits = self._knowledge.witnesses.told(entities, distinct)
        known = [i for i, n in enumerate(counted.tolist()) if n or np.isfinite(bits[:, i]).any()]
        return {e: {distinct[i]: float(row[i]) for i in known} for e, row in zip(entities, bits, strict=True)}

    def fill(self, groups: Iterable[tuple[Key, ...]]) -> None:
        """Ask for many groups in one go."""
        new = [g for g in dict.fromkeys(groups) if g not in self._known]
        self._known.update(zip(new, self._counts.count_many(new).tolist(), strict=True))

    def count(self, *group: Key) -> int:
        known = self._known.get(group)
        if known is None:
            self.fill([group])
            known = self._known[group]
        return known

    def full(self, entity: Key) -> float:
        """IC(entity)."""
        return self._knowledge.witnesses.information(entity)


def recheck(
    analysis: Analysis,
    knowledge: Knowledge,
    limits: Mapping[Key, float],
    *,
    groups: int,
    context: str,
    support: int,
    unknown: str,
) -> Guarantee:
    """Is every protected entity safe from every term and every group of a released text?"""
    asked = _Asked(knowledge)
    found = read(analysis, knowledge, list(limits), located=False)
    told = asked.told((k for r in found for k in r.keys), list(limits))
    known = told[next(iter(limits))].keys()
    offending: list[Reading] = []
    worst = dict.fromkeys(limits, -inf)
    checked = nothing_known = looked_at = 0
    for reading in found:
        shown = [k for k in reading.keys if k in known]
        if not shown:
            if reading.role == "term":
                checked += 1
                nothing_known += 1
                if unknown == "redact":
                    offending.append(reading)
            continue
        checked += 1
        for entity, limit in limits.items():
            says = told[entity]
            for k in shown:
                bits = says[k]
                if bits <= worst[entity] and bits < limit - ROUNDING:
                    continue  # whether it is visible makes no difference
                if _visible(reading, k, shown, bits, asked.full(entity)):
                    worst[entity] = max(worst[entity], bits)
                    if bits >= limit - ROUNDING:
                        offending.append(reading)
    violations: list[Violation] = []
    for reading in locate(list(dict.fromkeys(offending)), analysis):
        shown = [k for k in reading.keys if k in known]
        if not shown:
            violations.append(Violation(_spans([reading]), f"nothing is known of {reading.text!r}"))
        for entity, limit in limits.items():
            for k in shown:
                bits = told[entity][k]
                if bits >= limit - ROUNDING and _visible(reading, k, shown, bits, asked.full(entity)):
                    violations.append(_violation([reading], (k,), entity, bits, limit))
    if groups > 1:
        contexts = [
            {name: r for r in reversed(members) if (name := _standing(r, known))}
            for members in _contexts(analysis, context, [r for r in found if r.role == "term"])
        ]
        for entity, limit in limits.items():
            counted = knowledge.witnesses.counted(entity)
            if counted is None:
                continue
            _ask_for_groups([sorted(standing) for standing in contexts], counted, groups, support, asked)
            found_here = [list(_supported(sorted(standing), counted, groups, support, asked)) for standing in contexts]
            distinct = list(dict.fromkeys(g for here in found_here for g in here))
            together = [asked.count(counted, *g) for g in distinct]
            says_of = dict(zip(distinct, knowledge.witnesses.of_groups(entity, distinct, together), strict=True))
            for standing, here in zip(contexts, found_here, strict=True):
                for group in here:
                    looked_at += 1
                    bits = says_of[group]
                    worst[entity] = max(worst[entity], bits)
                    if bits >= limit - ROUNDING:
                        violations.append(_violation([standing[k] for k in group], group, entity, bits, limit))
    figures: dict[str, float | int | str] = {
        "terms checked": checked,
        "terms unknown": nothing_known,
        "groups checked": looked_at,
    }
    largest = {e: max(worst[e] / asked.full(e), 0.0) for e in limits}
    for number, (entity, limit) in enumerate(limits.items(), 1):
        figures[f"largest share of entity {number}"] = round(largest[entity], 6)
        figures[f"allowed share of entity {number}"] = round(limit / asked.full(entity), 6)
    margin = min((limit / asked.full(e) - largest[e] for e, limit in limits.items()), default=inf)
    return Guarantee("", "", not violations, margin, figures=figures, violations=tuple(violations))


def _visible(reading: Reading, k: str, shown: Sequence[str], bits: float, full: float) -> bool:
    """Does a reader take a known key from a reading? A name known as a whole hides all but full disclosures."""
    is_name = reading.kind in NAMES and shown[0] == reading.keys[0]
    return not is_name or k == shown[0] or bits >= full - ROUNDING


def _standing(reading: Reading, known: Collection[Key]) -> Key | None:
    """The key that stands for a reading in groups: its own, or the longest known phrase at its end; no empty one."""
    found = next((tail for tail in tails(reading.keys[0]) if tail in reading.keys and tail in known), None)
    return None if found is None or is_empty(found) else found


def _contexts(analysis: Analysis, context: str, found: Sequence[Reading]) -> Iterator[list[Reading]]:
    """The readings of each context, each once, in order."""
    if context == "document":
        yield list(found)
        return
    spans: Sequence[Span] = analysis.sentences if context == "sentence" else analysis.paragraphs
    places = sorted((start, number) for number, r in enumerate(found) for start in r.starts)
    at = 0
    for _, end in spans:
        members: dict[int, None] = {}
        while at < len(places) and places[at][0] < end:
            members[places[at][1]] = None
            at += 1
        yield [found[number] for number in members]


def _ask_for_groups(contexts: Sequence[Sequence[Key]], entity: Key, size: int, support: int, asked: _Asked) -> None:
    """Ask together for the groups that :func:`_supported` will come upon in any context, the smaller ones first."""
    alive = [[k for k in keys if asked.count(entity, k) >= support] for keys in contexts]
    grown: list[list[tuple[Key, ...]]] = [[(k,) for k in keys] for keys in alive]
    for _ in range(2, size + 1):
        # A group grows by the keys that come after its last one.
        grown = [
            [(*g, k) for g in groups for k in keys[keys.index(g[-1]) + 1 :]]
            for groups, keys in zip(grown, alive, strict=True)
        ]
        asked.fill((entity, *g) for groups in grown for g in groups)
        grown = [[g for g in groups if asked.count(entity, *g) >= support] for groups in grown]


def _supported(keys: Sequence[Key], entity: Key, size: int, support: int, asked: _Asked) -> Iterator[tuple[Key, ...]]:
    """Every group of 2 to ``size`` keys that the corpus shows with the entity often enough, depth first."""
    alive = [k for k in keys if asked.count(entity, k) >= support]

    def grow(group: tuple[Key, ...], first: int) -> Iterator[tuple[Key, ...]]:
        for i in range(first, len(alive)):
            larger = (*group, alive[i])
            if len(larger) > 1:
                if asked.count(entity, *larger) < support:
                    continue
                yield larger
            if len(larger) < size:
                yield from grow(larger, i + 1)

    yield from grow((), 0)


def _spans(members: Sequence[Reading]) -> tuple[Span, ...]:
    return tuple((s, s + len(r.text)) for r in members for s in r.starts)


def _violation(members: Sequence[Reading], group: tuple[Key, ...], entity: Key, bits: float, limit: float) -> Violation:
    says = " and ".join(repr(k) for k in group)
    message = f"{says} reveal{'s' * (len(group) == 1)} {bits:.2f} bits of {entity!r}; the limit is {limit:.2f}"
    return Violation(_spans(members), message, {"entity": entity, "pmi": round(bits, 3), "limit": round(limit, 3)})
