"""Taxonomies: what a term generalizes to, and how many base terms lie under a node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
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

    def synonyms(self, key: str) -> tuple[str, ...]:
        """The other keys of the likeliest sense."""
        senses = self.senses(key)
        return tuple(k for k in self.keys(senses[0]) if k != key) if senses else ()

    def chain(self, node: Node) -> tuple[Node, ...]:
        """The node and what is above it by the principal parent, up to the root."""
        chain, seen = [node], {node.id}
        while (above := self.parents(chain[-1])) and above[0].id not in seen:
            chain.append(above[0])
            seen.add(above[0].id)
        return tuple(chain)

    def generalizations(self, term: str | Node) -> tuple[Node, ...]:
        """Every node above a term (its likeliest sense) or a node, most specific first: by distance, then by rank."""
        if isinstance(term, str):
            senses = self.senses(term)
            if not senses:
                return ()
            term = senses[0]
        above: list[Node] = []
        seen, level = {term.id}, [term]
        while level:
            following: list[Node] = []
            for parent in (p for node in level for p in self.parents(node)):
                if parent.id not in seen:
                    seen.add(parent.id)
                    following.append(parent)
            above += following
            level = following
        return tuple(above)

    def descendants(self, node: Node) -> Iterator[Node]:
        """Every node below, each once, nearest first."""
        seen, level = {node.id}, [node]
        while level:
            following: list[Node] = []
            for child in (c for n in level for c in self.children(n)):
                if child.id not in seen:
                    seen.add(child.id)
                    following.append(child)
                    yield child
            level = following
