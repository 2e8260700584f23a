"""Taxonomies: the hypernyms of a term, and the number of leaves under a node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from taciturn.language.keys import Key

__all__ = ["Node", "Taxonomy"]


@dataclass(frozen=True, slots=True)
class Node:
    """A concept of a taxonomy. ``label`` is the phrase a reader gets ("state capital"), ``key`` its key."""

    taxonomy: str
    id: str
    label: str
    key: Key


class Taxonomy(ABC):
    """An is-a hierarchy (a DAG) with terms at its nodes.

    A source implements the abstract methods; walking up and down is common to all.
    """

    name: str
    flags: frozenset[str] = frozenset()
    """What kind of taxonomy it is: see :mod:`taciturn.knowledge.taxonomies.flags`."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """A digest of the nodes, terms and links, quoted by certificates."""

    @abstractmethod
    def senses(self, key: Key) -> tuple[Node, ...]:
        """The nodes that a key names, the likeliest first; empty for an unknown key."""

    def knows(self, keys: Sequence[Key]) -> list[bool]:
        """Of each key: does it name a node? Sources that can look up many at a time do."""
        return [bool(self.senses(key)) for key in keys]

    @abstractmethod
    def parents(self, node: Node) -> tuple[Node, ...]:
        """The nodes directly above, the principal one first."""

    @abstractmethod
    def children(self, node: Node) -> tuple[Node, ...]:
        """The nodes directly below."""

    @abstractmethod
    def keys(self, node: Node) -> tuple[Key, ...]:
        """The keys that name a node: its synonyms, the preferred one first."""

    def starting(self, prefix: str) -> Iterable[Key]:
        """The keys that begin with some letters, as far as the source can list them; for suggestions."""
        return ()

    @abstractmethod
    def volume(self, node: Node) -> int:
        """The number of leaves under a node; 1 for a leaf."""

    def readable(self, node: Node) -> bool:
        """Does the label help a reader? The tops of large taxonomies ("entity", "abstraction") do not."""
        return True

    def depth(self, node: Node) -> int:
        """The length of the longest way up to a root, so that a node always lies deeper than what is above it."""
        return 1 + max((self.depth(p) for p in self.parents(node)), default=-1)

    def volume_at(self, node: Node, depth: int) -> int:
        """How many nodes at a depth lie under a node, itself counted: the base values at a word's own level.

        1 for a node at that very depth, 0 for one below it.
        """
        return sum(1 for n in (node, *self.descendants(node)) if self.depth(n) == depth)

    def synonyms(self, key: Key) -> tuple[Key, ...]:
        """The other keys of the likeliest sense."""
        senses = self.senses(key)
        return tuple(k for k in self.keys(senses[0]) if k != key) if senses else ()

    def chain(self, node: Node) -> tuple[Node, ...]:
        """The node and what is above it by the principal parent, up to the root, readable or not."""
        chain, seen = [node], {node.id}
        while (above := self.parents(chain[-1])) and above[0].id not in seen:
            chain.append(above[0])
            seen.add(above[0].id)
        return tuple(chain)

    def ancestors(self, node: Node) -> tuple[Node, ...]:
        """Every node above, each once: by distance, then by rank."""
        above: list[Node] = []
        seen, level = {node.id}, [node]
        while level:
            following: list[Node] = []
            for parent in (p for n in level for p in self.parents(n)):
                if parent.id not in seen:
                    seen.add(parent.id)
                    following.append(parent)
            above += following
            level = following
        return tuple(above)

    def generalizations(self, term: Key | Node) -> tuple[Node, ...]:
        """The readable hypernyms of a node, or of a term in its likeliest sense, most specific first.

        They are ordered by volume, smallest first, then by depth, deepest first, so no hypernym comes before its own
        hyponyms. A hypernym that shares a key with the term is left out: it would repeat the word that is replaced.
        """
        own = {term} if isinstance(term, str) else set()
        senses = self.senses(term) if isinstance(term, str) else (term,)
        if not senses:
            return ()
        own.update(self.keys(senses[0]))
        above = [n for n in self.ancestors(senses[0]) if self.readable(n) and n.key not in own]
        return tuple(sorted(above, key=lambda n: (self.volume(n), -self.depth(n))))

    def descendants(self, node: Node) -> Iterator[Node]:
        """Every node below, each once."""
        seen, level = {node.id}, [node]
        while level:
            following: list[Node] = []
            for child in (c for n in level for c in self.children(n)):
                if child.id not in seen:
                    seen.add(child.id)
                    following.append(child)
                    yield child
            level = following
