"""Knowledge held in memory: small, exact and plain. What tests and a user's own few figures need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.counts.base import BETWEEN, Counts
from taciturn.knowledge.taxonomies.base import Node, Taxonomy
from taciturn.language.keys import Key

__all__ = ["ContextCounts", "EdgeTaxonomy", "TableCounts"]


class TableCounts(Counts):
    """Counts from a table: groups of keys and the number of contexts that hold them; what is not listed is 0.

    >>> counts = TableCounts(1000, {("HIV",): 10, ("virus",): 50, ("HIV", "virus"): 10})
    >>> counts.pmi("HIV", "virus") == counts.ic("virus")
    True
    """

    def __init__(self, total: int, table: Mapping[tuple[str, ...], int]) -> None:
        self._total = total
        self._table = {frozenset(keys): n for keys, n in table.items()}
        if bad := [keys for keys, n in table.items() if not 0 <= n <= total]:
            raise ValueError(f"the count of {bad[0]!r} is not between 0 and the total, {total}")

    @classmethod
    def from_information(cls, total: int, ic: Mapping[str, float], pmi: Mapping[tuple[str, str], float]) -> TableCounts:
        """The table behind given figures in bits, for papers that print IC and PMI instead of counts."""
        table: dict[tuple[str, ...], int] = {(key,): round(total * 2**-bits) for key, bits in ic.items()}
        for (entity, key), bits in pmi.items():
            table[(entity, key)] = round(total * 2 ** (bits - ic[entity] - ic[key]))
        return cls(total, table)

    @property
    def total(self) -> int:
        return self._total

    @cached_property
    def digest(self) -> str:
        rows = sorted(("\x1f".join(sorted(keys)), n) for keys, n in self._table.items())
        return sha256(repr((self._total, rows)).encode()).hexdigest()

    def starting(self, prefix: str) -> Iterable[Key]:
        return [Key(k) for k in sorted(set().union(*self._table)) if k.startswith(prefix)]

    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        found = [self._table.get(frozenset[str](g), 0) if g else self._total for g in groups]
        return np.array(found, dtype=np.int64)


class ContextCounts(Counts):
    """Counts over contexts that are at hand as sets of keys, by subsumption over given taxonomies.

    >>> contexts = [{"zidovudine", "HIV"}, {"drug"}, {"table"}]
    >>> drugs = EdgeTaxonomy("drugs", [("zidovudine", "drug")])
    >>> ContextCounts(contexts).count("drug"), ContextCounts(contexts, [drugs]).count("drug")
    (1, 2)
    """

    def __init__(self, contexts: Iterable[Iterable[str]], taxonomies: Iterable[Taxonomy] = ()) -> None:
        self._contexts = [frozenset(c) for c in contexts]
        self._taxonomies = tuple(taxonomies)
        self._sets: dict[str, frozenset[int]] = {}

    @property
    def total(self) -> int:
        return len(self._contexts)

    @cached_property
    def digest(self) -> str:
        rows = sorted("\x1f".join(sorted(c)) for c in self._contexts)
        return sha256(repr((rows, [t.digest for t in self._taxonomies])).encode()).hexdigest()

    def starting(self, prefix: str) -> Iterable[Key]:
        return [Key(k) for k in sorted(set().union(*self._contexts)) if k.startswith(prefix)]

    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        counts = []
        for group in groups:
            sets = sorted((self._set(key) for key in group), key=len)
            counts.append(len(sets[0].intersection(*sets[1:])) if sets else self.total)
        return np.array(counts, dtype=np.int64)

    def united(self, keys: Sequence[Key]) -> Key | None:
        known = [k for k in dict.fromkeys(keys) if self._set(k)]
        if len(known) < 2:
            return known[0] if known else None
        name = Key(BETWEEN.join(known))
        self._sets[name] = frozenset[int]().union(*map(self._set, known))
        return name

    def contexts(self, key: Key) -> list[int]:
        """The numbers of the contexts that hold a key, ascending."""
        return sorted(self._set(key))

    def listed(self, key: Key) -> NDArray[np.int64]:
        return np.array(self.contexts(key), dtype=np.int64)

    def _set(self, key: Key) -> frozenset[int]:
        if key not in self._sets:
            names = {key}
            for taxonomy in self._taxonomies:
                for sense in taxonomy.senses(key)[:1]:
                    for node in (sense, *taxonomy.descendants(sense)):
                        names.update(taxonomy.keys(node))
            self._sets[key] = frozenset(i for i, c in enumerate(self._contexts) if names & c)
        return self._sets[key]


class EdgeTaxonomy(Taxonomy):
    """A taxonomy from an edge list of (term, more general term), with optional synonyms; nodes are named by their key.

    >>> tree = EdgeTaxonomy("t", [("liver cancer", "cancer"), ("lung cancer", "cancer"), ("cancer", "disease")])
    >>> [n.label for n in tree.generalizations("liver cancer")], tree.volume(tree.senses("cancer")[0])
    (['cancer', 'disease'], 2)
    """

    def __init__(
        self,
        name: str,
        edges: Iterable[tuple[str, str]],
        synonyms: Mapping[str, Sequence[str]] | None = None,
        flags: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.flags = frozenset(flags)
        self._parents: dict[str, list[str]] = {}
        self._children: dict[str, list[str]] = {}
        for child, parent in edges:
            self._parents.setdefault(child, []).append(parent)
            self._children.setdefault(parent, []).append(child)
            self._parents.setdefault(parent, [])
            self._children.setdefault(child, [])
        self._synonyms = {node: (node, *names) for node, names in (synonyms or {}).items()}
        self._named = {name: node for node, names in self._synonyms.items() for name in names}
        self._volumes: dict[str, int] = {}
        for node in self._synonyms:
            self._parents.setdefault(node, [])
            self._children.setdefault(node, [])
        self._refuse_cycles()

    def _refuse_cycles(self) -> None:
        left = {node: len(parents) for node, parents in self._parents.items()}
        free = [node for node, n in left.items() if not n]
        while free:
            for child in self._children[free.pop()]:
                left[child] -= 1
                if not left[child]:
                    free.append(child)
        if bad := sorted(node for node, n in left.items() if n):
            raise ValueError(f"the taxonomy {self.name!r} runs in a circle through {bad[0]!r}; remove one of its links")

    @cached_property
    def digest(self) -> str:
        rows: list[object] = [sorted(self._parents.items()), sorted(self._synonyms.items())]
        if self.flags:
            rows.append(sorted(self.flags))
        return sha256(repr(rows).encode()).hexdigest()

    def _node(self, name: str) -> Node:
        return Node(self.name, name, name, Key(name))

    def senses(self, key: Key) -> tuple[Node, ...]:
        name = self._named.get(key, key)
        return (self._node(name),) if name in self._parents else ()

    def parents(self, node: Node) -> tuple[Node, ...]:
        return tuple(self._node(p) for p in self._parents[node.id])

    def children(self, node: Node) -> tuple[Node, ...]:
        return tuple(self._node(c) for c in self._children[node.id])

    def keys(self, node: Node) -> tuple[Key, ...]:
        return tuple(map(Key, self._synonyms.get(node.id, (node.id,))))

    def starting(self, prefix: str) -> Iterable[Key]:
        return [Key(name) for name in sorted({*self._parents, *self._named}) if name.startswith(prefix)]

    def volume(self, node: Node) -> int:
        if node.id not in self._volumes:
            below = [n.id for n in (node, *self.descendants(node))]
            self._volumes[node.id] = sum(1 for name in below if not self._children[name])
        return self._volumes[node.id]
