"""Records of many sources become concepts: the same thing once, with every source's names and parents.

A record joins a concept that has its id; else the one concept of its group with the same label; else the one that has
the label as a synonym, or two of its names. What fits several concepts alike joins none, and neither does what its own
source tells apart: a wrong join makes false evidence, a missed one only leaves some out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from taciturn.knowledge.lexicon.base import HOWS
from training.concepts.records import GROUPS, Record, name_key

__all__ = ["Joined", "Joiner"]

_STRONG = ("label", "synonym")
_CAUSED = re.compile(r"(.+?) (infection|infectious disease|virus infection)")
_AILMENT = re.compile(r"(.+) (disease|disorder)")
_SPECTRUM = re.compile(r"(.+) spectrum (?:disorder|disease)")
_TAKING = ("use disorder", "use", "abuse", "dependence", "addiction", "misuse")
_TAKEN = re.compile(rf"(.+) (?:{'|'.join(_TAKING)})")
_INFECTED = re.compile(r"(.+?) (?:infection|infectious disease|disease|disorder)")


@dataclass(slots=True)
class Joined:
    """A concept in the making; ``names`` by key: how, and the sources; ``schemes`` begin the ids of its records."""

    kind: str
    label: str
    sources: set[str] = field(default_factory=set)
    names: dict[str, tuple[str, set[str]]] = field(default_factory=dict)
    parents: list[str] = field(default_factory=list)
    definitions: list[tuple[str, str]] = field(default_factory=list)
    schemes: set[str] = field(default_factory=set)


class Joiner:
    """Joins records as they come; the order of sources is the order of trust.

    >>> joiner = Joiner()
    >>> joiner.add_all([
    ...     Record("A", "A:1", "condition", "measles infection", [("measles", "synonym")]),
    ...     Record("B", "B:1", "condition", "measles disease", [("morbilli", "synonym")]),
    ...     Record("B", "B:2", "organism", "measles"),
    ... ])
    >>> joiner.unite()
    1
    >>> sorted(joiner.concepts[0].names), joiner.by_id
    (['measles', 'measles disease', 'measles infection', 'morbilli'], {'A:1': 0, 'B:1': 0, 'B:2': 1})
    """

    def __init__(self) -> None:
        self.concepts: list[Joined] = []
        self.by_id: dict[str, int] = {}
        self._labels: dict[tuple[str, str], list[int]] = {}
        self._strong: dict[tuple[str, str], list[int]] = {}

    def add_all(self, records: Iterable[Record]) -> None:
        """Join records one after the other."""
        for record in records:
            self.add(record)

    def add(self, record: Record) -> int | None:
        """The concept that a record is, made if there is none; None if the record only adds to known ones."""
        number = self._find(record)
        if number is None:
            if record.known:
                return None
            number = len(self.concepts)
            self.concepts.append(Joined(record.kind, record.label))
            self._labels.setdefault((GROUPS[record.kind], name_key(record.label)), []).append(number)
        self.by_id.setdefault(record.id, number)
        concept = self.concepts[number]
        concept.sources.add(record.source)
        concept.schemes.add(_scheme(record))
        own = "label" if concept.label == record.label else "synonym"
        strong = self._labels.get((GROUPS[concept.kind], name_key(record.label)), [number])
        self._name(number, record.label, own if number in strong or len(strong) == 1 else "synonym", record.source)
        for text, how in record.names:
            self._name(number, text, how, record.source)
        concept.parents += (p for p in record.parents if p not in concept.parents)
        if record.definition:
            concept.definitions.append((record.source, record.definition))
        return number

    def _find(self, record: Record) -> int | None:
        for id_ in (record.id, *record.same):
            if id_ in self.by_id:
                return self.by_id[id_]
        group, label = GROUPS[record.kind], name_key(record.label)
        for table in (self._labels, self._strong):
            found = table.get((group, label), ())
            if len(found) == 1 and _scheme(record) not in self.concepts[found[0]].schemes:
                return found[0]
        # Two names in common, one of them of several words.
        votes = Counter(
            c
            for k in dict.fromkeys(name_key(t) for t, how in record.names if how in _STRONG)
            if " " in k
            for c in self._strong.get((group, k), ())
            if _scheme(record) not in self.concepts[c].schemes
        )
        best = votes.most_common(2)
        if best and best[0][1] >= 2 and (len(best) == 1 or best[1][1] < best[0][1]):
            return best[0][0]
        return None

    def _name(self, number: int, text: str, how: str, source: str) -> None:
        key = name_key(text)
        if len(key) < 2:
            return
        concept = self.concepts[number]
        before, sources = concept.names.setdefault(key, (how, set()))
        if HOWS.index(how) < HOWS.index(before):
            concept.names[key] = (how, sources)
        sources.add(source)
        if how in _STRONG:
            known = self._strong.setdefault((GROUPS[concept.kind], key), [])
            if number not in known:
                known.append(number)

    def resolve(self, name: str, groups: str = "CDKRPAFSOGX") -> int | None:
        """The concept of an id or a name, labels before synonyms, by the groups in order; of several concepts with a
        name the one that most sources call so."""
        if name in self.by_id:
            return self.by_id[name]
        key = name_key(name)
        for table in (self._labels, self._strong):
            for group in groups:
                if found := [n for n in table.get((group, key), ()) if key in self.concepts[n].names]:
                    return min(found, key=lambda n: (-len(self.concepts[n].names[key][1]), n))
        return None

    def shorten(self) -> None:
        """What else people say: the organism for its infection, "disease" for "disorder", "use disorder" for "abuse" of
        a drug, unless it means another condition."""
        for number, concept in enumerate(self.concepts):
            if GROUPS[concept.kind] != "C":
                continue
            for key, (how, sources) in list(concept.names.items()):
                if how not in _STRONG:
                    continue
                if match := _SPECTRUM.fullmatch(key):
                    # "autism" is said for the whole spectrum, whatever else has that name.
                    self._name(number, match[1], "synonym", min(sources))
                for other in self._variants(key):
                    if len(other) > 2 and ("C", name_key(other)) not in self._strong:
                        for source in sorted(sources):
                            self._name(number, other, "synonym", source)

    def _variants(self, key: str) -> list[str]:
        if (match := _CAUSED.fullmatch(key)) and ("O", match[1]) in self._strong:
            return [match[1]]
        if match := _AILMENT.fullmatch(key):
            return [f"{match[1]} {'disease' if match[2] == 'disorder' else 'disorder'}"]
        if (match := _TAKEN.fullmatch(key)) and any((g, match[1]) in self._strong for g in "DK"):
            return [f"{match[1]} {head}" for head in _TAKING]
        return []

    def drop_borrowed(self) -> None:
        """Take the names of organs and tests from the signs and conditions found there: "kidney" is no infection."""
        for concept in self.concepts:
            if GROUPS[concept.kind] == "C":
                for key, (how, _) in list(concept.names.items()):
                    if how != "label" and any((g, key) in self._strong for g in "AFP") and len(key) > 3:
                        del concept.names[key]

    def unite(self) -> int:
        """Make one of conditions that no source tells apart: the label of one is a name of exactly one other, or both
        are called after one organism ("HIV disease", "HIV infection"). Returns how many went."""
        into: dict[int, int] = {}
        grown: set[int] = set()
        for number, concept in enumerate(self.concepts):
            if GROUPS[concept.kind] != "C" or number in into or number in grown:
                continue
            for keys in self._same_names(concept):
                others = {n for k in keys for n in self._strong.get(("C", k), ())}
                others = {into.get(n, n) for n in others} - {number}
                if len(others) == 1 and not self.concepts[other := others.pop()].schemes & concept.schemes:
                    first, second = sorted((number, other))
                    self._absorb(first, second)
                    into |= {n: first for n, to in into.items() if to == second} | {second: first}
                    grown.add(first)
                    break
        self._renumber(into)
        return len(into)

    def _same_names(self, concept: Joined) -> Iterator[list[str]]:
        yield [name_key(concept.label)]
        for key, (how, _) in concept.names.items():
            if how in _STRONG and (match := _INFECTED.fullmatch(key)) and ("O", match[1]) in self._strong:
                yield [match[1], f"{match[1]} infection", f"{match[1]} infectious disease"]

    def _absorb(self, kept: int, gone: int) -> None:
        to, of = self.concepts[kept], self.concepts[gone]
        if to.kind == "sign" and of.kind == "condition":
            to.kind = "condition"
        to.sources |= of.sources
        to.schemes |= of.schemes
        for key, (how, sources) in of.names.items():
            for source in sorted(sources):
                self._name(kept, key, "synonym" if how == "label" else how, source)
        to.parents += (p for p in of.parents if p not in to.parents)
        to.definitions += of.definitions

    def _renumber(self, into: dict[int, int]) -> None:
        """Take out the concepts that went into others."""
        left = [n for n in range(len(self.concepts)) if n not in into]
        new = {n: i for i, n in enumerate(left)}
        new |= {n: new[other] for n, other in into.items()}
        self.concepts = [self.concepts[n] for n in left]
        self.by_id = {id_: new[n] for id_, n in self.by_id.items()}
        for table in (self._labels, self._strong):
            for at, numbers in table.items():
                table[at] = list(dict.fromkeys(new[n] for n in numbers))


def _scheme(record: Record) -> str:
    """What a source's ids begin with."""
    return record.id.partition(":")[0]
