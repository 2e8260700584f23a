"""Relations over the concepts of a lexicon, and the share of a matter among what an expression is related to.

P(c | e), how likely a reader who sees the expression e takes the matter to be c, is the share of c among the matters
that e stands in one relation to, each weighted by the sources that agree and by how usual it is in texts. Kinds count
for what they are kinds of: a drug of "hemophilia A" speaks for hemophilia, and for "genetic disease". A matter and its
ancestor, listed by two sources, are one matter. A matter above c speaks for c by as much as c is what is meant by it:
by the part of c in the uses of the wider one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.lexicon.packed import Lexicon
from taciturn.knowledge.relations.base import LINKS, PREDICATES, SHARES, Evidence, Relation, weight_of
from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays

__all__ = ["Relations", "part_of"]

_KIND = "relations"
_CACHED = 1 << 14
_HOPS = 2  # links that are followed: a brand's combination, its ingredients
_MOST_KINDS = 60  # a class with more members than this is asked only for its own relations
_FOUND_IN_PEOPLE = ("condition", "sign", "anatomy")  # a narrower one says other things than what it is a kind of
_WHOLES, _LESS = 2, 0.3  # steps from a part of the body to its wholes, and what each leaves of a relation's weight
_AGAINST = frozenset(("treats", "measures", "monitors", "procedure for", "device for"))
_CLEAR = 0.1  # the share from which a sign speaks for what it is a sign of
_DUE = 0.5  # how often a sign is due to one of the diseases that are listed with it
_USUAL = 0.5  # how much more is said of a matter that texts speak of more: the power of its uses

Weights = dict[int, float]


class Relations:
    """Who is related to what.

    >>> from taciturn.knowledge.lexicon import LexiconBuilder
    >>> from taciturn.knowledge.relations import RelationRow, pack_relations
    >>> builder = LexiconBuilder(["tiny"], str.lower)
    >>> hemophilia = builder.add("hemophilia", "condition", ["tiny"])
    >>> kind_a = builder.add("hemophilia a", "condition", ["tiny"], [hemophilia])
    >>> advate = builder.add("advate", "medication", ["tiny"])
    >>> rows = [RelationRow(advate, "treats", kind_a, 1, 1.0)]
    >>> relations = Relations(pack_relations(rows, 3), ["tiny"], Lexicon(builder.arrays(), ["tiny"]))
    >>> relations.evidence(hemophilia, advate)
    Evidence(share=1.0, predicate='treats', matter=1, sources=('tiny',))
    """

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]] | ArrayFile,
        sources: Sequence[str],
        lexicon: Lexicon,
        digest: str | None = None,
    ) -> None:
        self._arrays = arrays
        self._sources = tuple(sources)
        self.lexicon = lexicon
        self.digest = digest
        self._related: dict[int, tuple[Relation, ...]] = {}
        self._reached: dict[int, tuple[Relation, ...]] = {}
        self._above: dict[int, frozenset[int]] = {}
        self._shares: dict[int, list[tuple[str, Weights, list[Relation]]]] = {}

    @classmethod
    def open(cls, path: Path, lexicon: Lexicon) -> Relations:
        """The relations in a file, memory-mapped, over the lexicon that they were built with."""
        file = ArrayFile(path, _KIND)
        if lexicon.digest != file.meta["lexicon"]:
            raise ValueError(
                f"{path} was built with another lexicon than the one given; open the two files of one build"
            )
        return cls(file, file.meta["sources"], lexicon, file.digest)

    @staticmethod
    def write(path: Path, arrays: Mapping[str, NDArray[Any]], sources: Sequence[str], lexicon: str, origin: Any) -> str:
        """Write packed rows to a file that :meth:`open` reads; ``lexicon`` is the digest of their lexicon."""
        return write_arrays(path, _KIND, {"sources": list(sources), "lexicon": lexicon, "origin": origin}, arrays)

    @property
    def sources(self) -> tuple[str, ...]:
        """Who says it: the names behind the bits of a row."""
        return self._sources

    def __len__(self) -> int:
        """The number of relations."""
        return len(self._arrays["matters"])

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self._arrays["counts"], dtype=np.int64)])

    @cached_property
    def _by_matter(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        matters = self._arrays["matters"]
        counts = np.bincount(matters, minlength=len(self._starts))
        return np.concatenate([[0], np.cumsum(counts)]), np.argsort(matters, kind="stable")

    def _relation(self, expression: int, row: int) -> Relation:
        a = self._arrays
        mask = int(a["sources"][row])
        sources = tuple(s for i, s in enumerate(self._sources) if mask >> i & 1)
        predicate = PREDICATES[int(a["predicates"][row])]
        weight = weight_of(predicate, int(a["weights"][row]))
        return Relation(expression, predicate, int(a["matters"][row]), sources, weight)

    def related(self, expression: int) -> tuple[Relation, ...]:
        """What a concept itself is related to."""
        if (found := self._related.get(expression)) is None:
            if len(self._related) >= _CACHED:
                self._related.clear()
            rows = range(int(self._starts[expression]), int(self._starts[expression + 1]))
            found = self._related[expression] = tuple(self._relation(expression, row) for row in rows)
        return found

    def expressions(self, matter: int, kinds: bool = True) -> tuple[Relation, ...]:
        """The relations to a matter and, unless ``kinds`` is false, to its kinds: what would speak for it."""
        starts, rows = self._by_matter
        wanted = (matter, *self.lexicon.descendants(matter)) if kinds else (matter,)
        found: list[Relation] = []
        for m in wanted:
            mine = rows[starts[m] : starts[m + 1]]
            owners = np.searchsorted(self._starts, mine, side="right") - 1
            pairs = zip(owners.tolist(), mine.tolist(), strict=True)
            found += (self._relation(e, row) for e, row in pairs)
        return tuple(found)

    def reached(self, expression: int) -> tuple[Relation, ...]:
        """What a concept is related to, itself or by what it contains or is about, or by its kinds if it is a class;
        where it has no relation of some predicate, what it is a kind of speaks for it."""
        if (found := self._reached.get(expression)) is not None:
            return found
        here, seen, level = list(self.related(expression)), {expression}, [expression]
        if self.lexicon.kind(expression) == "medication class":
            members = self.lexicon.descendants(expression)
            if len(members) <= _MOST_KINDS:
                here += (r for m in members for r in self.related(m))
        elif self.lexicon.kind(expression) == "anatomy":
            here += self._of_wholes(expression)
        elif self.lexicon.kind(expression) not in _FOUND_IN_PEOPLE:
            own = {r.predicate for r in here}
            above = (p for p in self.lexicon.parents(expression) if len(self.lexicon.children(p)) <= _MOST_KINDS)
            here += (r for p in above for r in self.related(p) if r.predicate not in own - {"caused by"})
        for _ in range(_HOPS):
            level = [r.matter for e in level for r in self.related(e) if r.predicate in LINKS and r.matter not in seen]
            seen.update(level)
            here += (r for e in level for r in self.related(e))
        if len(self._reached) >= _CACHED:
            self._reached.clear()
        found = self._reached[expression] = tuple(here)
        return found

    def _of_wholes(self, part: int) -> list[Relation]:
        """What is found in the wholes that a part of the body belongs to, each step up counting less."""
        here, seen, level, less = list[Relation](), {part}, [part], 1.0
        for _ in range(_WHOLES):
            level = list(dict.fromkeys(p for n in level for p in self.lexicon.parents(n) if p not in seen))
            seen.update(level)
            less *= _LESS
            here += (
                replace(r, weight=r.weight * less)
                for n in level
                for r in self.related(n)
                if r.predicate == "located in"
            )
        return here

    def share(self, matter: int, expression: int) -> float:
        """P(matter | expression), 0 where no relation speaks of it."""
        found = self.evidence(matter, expression)
        return found.share if found else 0.0

    def evidence(self, matter: int, expression: int) -> Evidence | None:
        """The relation that says most of a matter, or None: its share, the predicate and who says so."""
        best: Evidence | None = None
        if (part := self._part(matter, expression)) > 0:
            best = Evidence(part, "wider than", expression, self.lexicon.concept(expression).sources)
        for predicate, weights, relations in self._by_predicate(expression):
            total = 1.0 if predicate in SHARES else sum(weights.values())
            told = {m: w * self._speaks(m, matter) for m, w in weights.items()}
            share = sum(told.values()) / total
            if share > 0 and (best is None or share > best.share):
                strongest = max(sorted(told), key=lambda m: told[m])
                sources = dict.fromkeys(
                    s
                    for r in relations
                    if told.get(r.matter) or self.lexicon.is_a(strongest, r.matter)
                    for s in r.sources
                )
                best = Evidence(min(share, 1.0), predicate, strongest, tuple(sources))
        return best

    def shares(self, expression: int) -> list[tuple[int, int, int, float, int]]:
        """Rows (matter, expression, predicate, share, sources) of everything that an expression speaks of."""
        rows = []
        for predicate, weights, relations in self._by_predicate(expression):
            total = 1.0 if predicate in SHARES else sum(weights.values())
            masks: dict[int, int] = {}
            for r in relations:
                masks[r.matter] = masks.get(r.matter, 0) | sum(1 << self._sources.index(s) for s in r.sources)
            found = {matter: weight / total for matter, weight in weights.items()}
            through = self._through_signs(found) if predicate in _AGAINST else {}
            every = reduce(or_, masks.values())
            for matter, share in (through | found).items():
                rows.append((matter, expression, PREDICATES.index(predicate), share, masks.get(matter, every)))
        return rows

    def _through_signs(self, shares: Weights) -> Weights:
        """The matters whose signs an expression is against: who takes enzymes for a weak pancreas may have cystic
        fibrosis, of which that is a sign."""
        found: Weights = {}
        for sign, share in shares.items():
            if share < _CLEAR:
                continue
            for predicate, weights, _ in self._by_predicate(sign):
                if predicate == "sign of":
                    total = sum(weights.values())
                    for matter, weight in weights.items():
                        if weight >= _CLEAR * total:
                            found[matter] = found.get(matter, 0.0) + share * weight / total * _DUE
        return found

    def _by_predicate(self, expression: int) -> list[tuple[str, Weights, list[Relation]]]:
        if (found := self._shares.get(expression)) is None:
            groups: dict[str, list[Relation]] = {}
            for relation in self.reached(expression):
                if relation.predicate not in LINKS:
                    groups.setdefault(relation.predicate, []).append(relation)
            if len(self._shares) >= _CACHED:
                self._shares.clear()
            found = self._shares[expression] = [(p, self._distinct(rs), rs) for p, rs in groups.items()]
        return found

    def _distinct(self, relations: Sequence[Relation]) -> Weights:
        """The matters with their weights; one that is above others gives its weight to those, in equal parts.

        What several parts of a combination have in common counts for each of them, and as often again.
        """
        weights: Weights = {}
        parts: dict[int, set[int]] = {}
        for r in relations:
            weights[r.matter] = max(weights.get(r.matter, 0.0), r.weight)
            parts.setdefault(r.matter, set()).add(r.expression)
        if relations[0].predicate in SHARES:
            return weights
        for m in weights:
            weights[m] *= (1 + self.lexicon.uses(m)) ** _USUAL * len(parts[m]) ** 2
        under: dict[int, list[int]] = {}
        for m in weights:
            for wide in self._ancestors(m) & weights.keys():
                under.setdefault(wide, []).append(m)
        for wide in sorted(under, key=lambda m: (-len(self._ancestors(m)), m)):
            if below := [m for m in under[wide] if m in weights]:
                part = weights.pop(wide) / len(below)
                for m in below:
                    weights[m] += part
        return weights

    def _ancestors(self, concept: int) -> frozenset[int]:
        if (found := self._above.get(concept)) is None:
            if len(self._above) >= _CACHED:
                self._above.clear()
            found = self._above[concept] = frozenset(self.lexicon.ancestors(concept))
        return found

    def _speaks(self, told: int, matter: int) -> float:
        """How much of a matter is said by one that an expression is related to: all of it if it is a kind of it."""
        if told == matter or matter in self._ancestors(told):
            return 1.0
        return self._part(matter, told)

    def _part(self, matter: int, wide: int) -> float:
        """The part that a matter has in what is meant by a wider one: its uses among those of the wider one's kinds."""
        return part_of(matter, wide, self.lexicon) if wide in self._ancestors(matter) else 0.0


def part_of(matter: int, wide: int, lexicon: Lexicon) -> float:
    """How much of what is said of a wider concept is said of one of its kinds: by their uses in texts."""
    return (1 + lexicon.uses(matter)) / (1 + len(lexicon.children(wide)) + lexicon.uses(wide))
