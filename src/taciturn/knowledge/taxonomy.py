"""Taxonomies: what a term generalizes to, and how many base terms lie under a node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Node", "Taxonomy"]


@dataclass(frozen=True, slots=True)
class Node:
    """A concept of a taxonomy. ``label`` is the phrase a reader gets ("state capital"), ``key`` its key."""

    taxonomy: str
    id: str
    label: str
    key: str


class Taxonomy(ABC):
    """An is-a hierarchy (a DAG) with terms at its nodes.

    A source implements the abstract methods; walking up and down is common to all.
    """

    name: str

    @property
    @abstractmethod
    def digest(self) -> str:
        """A digest of the nodes, terms and links, quoted by certificates."""

    @abstractmethod
    def senses(self, key: str) -> tuple[Node, ...]:
        """The nodes that a key names, the likeliest first; empty for an unknown key."""

    def knows(self, keys: Sequence[str]) -> list[bool]:
        """Of each key: does it name a node? Sources that can look up many at a time do."""
        return [bool(self.senses(key)) for key in keys]

    @abstractmethod
    def parents(self, node: Node) -> tuple[Node, ...]:
        """The nodes directly above, the principal one first."""

    @abstractmethod
    def children(self, node: Node) -> tuple[Node, ...]:
        """The nodes directly below."""

    @abstractmethod
    def keys(self, node: Node) -> tuple[str, ...]:
        """The keys that name a node: its synonyms, the preferred one first."""

    @abstractmethod
    def volume(self, node: Node) -> int:
        """How many leaves lie under a node, itself counted if it is one; at least 1."""

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

    def synonyms(self, key: str) -> tuple[str, ...]:
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

    def generalizations(self, term: str | Node) -> tuple[Node, ...]:
        """What may stand in for a term (its likeliest sense) or a node: the readable ancestors, most specific first.

        Specific means a small volume, then a great depth, so nothing comes before what it is above. An ancestor that
        shares a key with the term is left out: it would put back the word that was to go.
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
