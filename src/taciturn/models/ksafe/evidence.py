"""Which terms of a text occur in the contexts of an entity base, and for which entities.

Terms are found by the base's vocabulary, longest match first. With *subsumption*, a context also holds the hypernyms of
its terms: the word "seizure" in a text matches every entity whose context has a hyponym of it, such as "febrile
seizure". Generalizations are judged that way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from taciturn.document import Document, Span, Term
from taciturn.generalize.writing import MARK
from taciturn.knowledge import EntityBase, Knowledge, Node
from taciturn.language import Analysis, Key, key
from taciturn.language.keys import tails
from taciturn.language.vocabulary import VocabularyIndex

__all__ = ["Connections", "connections", "entity_names", "kinds_below", "nodes_above", "shown_by"]

MOST_KINDS = 3000  # what has more kinds than this says nothing of any of them


@dataclass(frozen=True)
class Connections:
    """The terms that a text shows, by key, with their places and the entities that hold them."""

    places: Mapping[Key, tuple[Term, ...]]
    holders: Mapping[Key, frozenset[str]]
    contexts: Mapping[str, frozenset[Key]] = field(init=False)

    def __post_init__(self) -> None:
        contexts: dict[str, set[Key]] = {}
        for term in self.places:
            for entity in self.holders[term]:
                contexts.setdefault(entity, set()).add(term)
        object.__setattr__(self, "contexts", {e: frozenset(contexts[e]) for e in sorted(contexts)})

    def fitting(self, terms: Iterable[Key]) -> frozenset[str]:
        """The entities that hold all of some terms (at least one)."""
        first, *others = sorted((self.holders[t] for t in terms), key=len)
        return first.intersection(*others)


def connections(analysis: Analysis, base: EntityBase, knowledge: Knowledge, subsumption: bool) -> Connections:
    """What a text shows of a base, in order of first appearance."""
    document = analysis.document
    marks = [m.span() for m in MARK.finditer(document.text)]
    found: list[tuple[Term, tuple[Key, ...]]] = []
    for match in vocabulary_index(base).find(document):
        if not _inside((match.start, match.end), marks):
            text = document.text[match.start : match.end]
            found.append((Term(match.start, match.end, text, match.keys[0]), match.keys))
    if subsumption:
        found += _general_terms(analysis, knowledge, [(t.start, t.end) for t, _ in found] + marks)
        found.sort(key=lambda pair: pair[0].start)
    places: dict[Key, list[Term]] = {}
    keys: dict[Key, tuple[Key, ...]] = {}
    for term, names in found:
        places.setdefault(term.key, []).append(term)
        keys[term.key] = names
    holders = _holders(keys, base, knowledge, subsumption)
    held = {name: tuple(terms) for name, terms in places.items() if holders[name]}
    return Connections(held, {name: holders[name] for name in held})


@lru_cache(maxsize=8)
def vocabulary_index(base: EntityBase) -> VocabularyIndex:
    """The index of a base's vocabulary, made once for each base."""
    return VocabularyIndex(base.vocabulary)


@lru_cache(maxsize=8)
def entity_names(base: EntityBase) -> Mapping[Key, tuple[str, ...]]:
    """The entities of a base by the keys of their names."""
    names: dict[Key, list[str]] = {}
    for entity in base.contexts:
        names.setdefault(key(entity), []).append(entity)
    return {name: tuple(sorted(entities)) for name, entities in names.items()}


def kinds_below(name: Key, knowledge: Knowledge, most: int = MOST_KINDS) -> frozenset[Key]:
    """The keys of everything that is a kind of what a key names, itself included, in every taxonomy that knows it.

    Empty where that is more than ``most`` things: what is a kind of nearly everything tells nothing.
    """
    kinds = {name}
    for taxonomy in knowledge.taxonomies:
        for node in taxonomy.senses(name)[:1]:
            if taxonomy.volume(node) > most:
                return frozenset()
            kinds.update(*(taxonomy.keys(n) for n in (node, *taxonomy.descendants(node))))
    return frozenset(kinds)


def nodes_above(name: Key, knowledge: Knowledge) -> list[Node]:
    """What a key generalizes to in every taxonomy that knows it, most specific first within each."""
    return [node for t in knowledge.taxonomies for node in t.generalizations(name) if t.readable(node)]


def shown_by(phrase: str, base: EntityBase, knowledge: Knowledge) -> Mapping[Key, frozenset[str]]:
    """What a phrase would show in a text, with the entities that hold each: its own key, and known phrases in it."""
    keys = {m.keys[0]: m.keys for m in vocabulary_index(base).find(Document.of(phrase))}
    keys.setdefault(key(phrase), (key(phrase),))
    return {name: held for name, held in _holders(keys, base, knowledge, True).items() if held}


def _general_terms(analysis: Analysis, knowledge: Knowledge, taken: list[Span]) -> list[tuple[Term, tuple[Key, ...]]]:
    """The noun phrases outside all matches that a taxonomy knows, whole or without what stands before their head."""
    taken = sorted(taken)
    found: list[tuple[Term, tuple[Key, ...]]] = []
    for term in analysis.terms:
        if _touches((term.start, term.end), taken):
            continue
        for name in tails(term.key):
            if any(t.senses(name) for t in knowledge.taxonomies):
                found.append((Term(term.start, term.end, term.text, name, term.kind), (name,)))
                break
    return found


def _holders(
    keys: Mapping[Key, tuple[Key, ...]], base: EntityBase, knowledge: Knowledge, subsumption: bool
) -> dict[Key, frozenset[str]]:
    meant: dict[Key, frozenset[Key]] = {}
    for name, names in keys.items():
        kinds = frozenset(names)
        if subsumption:
            # An entity's name says that entity: who has another thing by one of its nicknames ("pox") does not fit it.
            general = (n for n in names if n not in entity_names(base))
            kinds = kinds.union(*(kinds_below(n, knowledge) for n in general)) & base.vocabulary
        meant[name] = kinds
    owners: dict[Key, set[str]] = {}
    for entity, shared in base.touching(frozenset().union(*meant.values())).items():
        for name in shared:
            owners.setdefault(name, set()).add(entity)
    return {name: frozenset().union(*(owners.get(k, ()) for k in kinds)) for name, kinds in meant.items()}


def _inside(span: Span, others: Iterable[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in others)


def _touches(span: Span, ordered: list[Span]) -> bool:
    at = bisect_right(ordered, (span[1], -1))
    return any(start < span[1] and span[0] < end for start, end in ordered[max(0, at - 2) : at])
