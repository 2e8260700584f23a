"""A taxonomy over arrays: in a memory-mapped file, or just built.

Opening costs a header; nothing is turned into Python objects before it is asked for. Nodes are numbered with parents
before children; ``Node.id`` is that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays
from taciturn.knowledge.storage.strings import StringTable
from taciturn.knowledge.taxonomies.base import Node, Taxonomy
from taciturn.knowledge.taxonomies.build import FIRST, HIDDEN, OWN, TITLE, Arrays, title
from taciturn.knowledge.taxonomies.flags import STANDARD
from taciturn.language.keys import Key

__all__ = ["PackedTaxonomy"]

_KIND = "taxonomy"
_CACHED = 1 << 15
Numbers = NDArray[np.intp]


class PackedTaxonomy(Taxonomy):
    """A taxonomy over the arrays that :func:`build_taxonomy` makes.

    >>> from taciturn.knowledge.taxonomies.build import Concept, build_taxonomy
    >>> concepts = [Concept("d", "disease"), Concept("c", "cancer", ("d",)), Concept("l", "liver cancer", ("c",))]
    >>> tree = PackedTaxonomy("tiny", build_taxonomy(concepts, str.lower))
    >>> [n.label for n in tree.generalizations("liver cancer")]
    ['cancer', 'disease']
    """

    def __init__(
        self,
        name: str,
        arrays: Mapping[str, NDArray[Any]] | ArrayFile,
        digest: str | None = None,
        flags: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.flags = frozenset(flags)
        self._arrays = arrays
        self._digest = digest
        self._nodes: dict[int, Node] = {}
        self._senses: dict[Key, tuple[int, ...]] = {}
        self._generalized: dict[Key | Node, tuple[Node, ...]] = {}

    @classmethod
    def open(cls, path: Path) -> PackedTaxonomy:
        """The taxonomy in a file, memory-mapped. The files of our own pack may be older than flags."""
        file = ArrayFile(path, _KIND)
        name = file.meta["name"]
        return cls(name, file, file.digest, file.meta.get("flags", STANDARD.get(name, ())))

    @staticmethod
    def write(path: Path, name: str, arrays: Arrays, source: Mapping[str, Any], flags: Iterable[str] = ()) -> str:
        """Write built arrays to a file that :meth:`open` reads; ``source`` says where they came from.

        ``flags`` says what kind of taxonomy it is (:mod:`~taciturn.knowledge.taxonomies.flags`).
        """
        meta = {"name": name, "source": dict(source), "flags": sorted(flags)}
        return write_arrays(path, _KIND, meta, arrays)

    @property
    def source(self) -> Mapping[str, Any]:
        """Where the taxonomy came from, as the file says; empty for one just built."""
        return self._arrays.meta["source"] if isinstance(self._arrays, ArrayFile) else {}

    @cached_property
    def digest(self) -> str:
        if self._digest is not None:
            return self._digest
        figure = sha256(self.name.encode())
        if self.flags:
            figure.update(repr(sorted(self.flags)).encode())
        assert not isinstance(self._arrays, ArrayFile)
        for part in sorted(self._arrays):
            figure.update(f"\n{part}\n".encode() + self._arrays[part].tobytes())
        return figure.hexdigest()

    def verify(self) -> None:
        """Read every array; raise :class:`DamagedFileError` if one is not as written."""
        if isinstance(self._arrays, ArrayFile):
            self._arrays.verify()

    # The arrays, by number of node or key. Counts and solvers that want whole arrays take these.

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self._flags)

    @cached_property
    def key_table(self) -> StringTable[Key]:
        """Every key that names a node, sorted."""
        return self._table("keys")

    @cached_property
    def _labels(self) -> StringTable[str]:
        return self._table("labels")

    def _table(self, name: str) -> StringTable[Any]:
        return StringTable({part: self._arrays[f"{name}.{part}"] for part in ("blob", "starts", "heads", "length")})

    @cached_property
    def _flags(self) -> NDArray[np.uint8]:
        return self._arrays["flags"]

    @cached_property
    def _sense_starts(self) -> Numbers:
        return _starts(self._arrays["sense_counts"])

    @cached_property
    def _parent_starts(self) -> Numbers:
        return _starts(self._arrays["parent_counts"])

    @cached_property
    def _below(self) -> tuple[Numbers, NDArray[Any]]:
        """Children: where each node's begin, and their numbers in ascending order."""
        counts = self._arrays["parent_counts"]
        child = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        return _transposed(self._arrays["parents"], child, len(counts))

    @cached_property
    def _names(self) -> tuple[Numbers, NDArray[Any]]:
        """Keys by node: where each node's begin, and their numbers in ascending order."""
        counts = self._arrays["sense_counts"]
        key = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        return _transposed(self._arrays["senses"], key, len(self))

    def sense_numbers(self, key: Key) -> Sequence[int]:
        """The numbers of the nodes that a key names, the likeliest first."""
        if key not in self._senses:
            if len(self._senses) >= _CACHED:
                self._senses.clear()
            at, starts = self.key_table.find(key), self._sense_starts
            self._senses[key] = tuple(self._arrays["senses"][starts[at] : starts[at + 1]].tolist()) if at >= 0 else ()
        return self._senses[key]

    def generalizations(self, term: Key | Node) -> tuple[Node, ...]:
        """As any taxonomy's; kept, for texts repeat their words."""
        if (found := self._generalized.get(term)) is None:
            found = super().generalizations(term)
            if len(self._generalized) >= _CACHED:
                self._generalized.clear()
            self._generalized[term] = found
        return found

    def first_senses(self) -> NDArray[np.int64]:
        """The number of the likeliest node of each key, in the order of :attr:`key_table`."""
        return self._arrays["senses"][self._sense_starts[:-1]].astype(np.int64)

    def hidden(self) -> NDArray[np.bool_]:
        """Of each node: is its label of no use to a reader?"""
        return (self._flags & HIDDEN) > 0

    def links(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Every link as (numbers of parents, numbers of children)."""
        counts = self._arrays["parent_counts"]
        return self._arrays["parents"].astype(np.int64), np.repeat(np.arange(len(counts)), counts)

    def parent_numbers(self, number: int) -> list[int]:
        """The numbers of the nodes directly above, the principal one first."""
        starts = self._parent_starts
        numbers: list[int] = self._arrays["parents"][starts[number] : starts[number + 1]].tolist()
        return numbers

    def child_numbers(self, number: int) -> list[int]:
        """The numbers of the nodes directly below."""
        starts, below = self._below
        numbers: list[int] = below[starts[number] : starts[number + 1]].tolist()
        return numbers

    def key_numbers(self, number: int) -> list[int]:
        """The numbers (in :attr:`key_table`) of a node's keys, the preferred one first."""
        starts, names = self._names
        first = int(self._arrays["preferred"][number])
        return [first, *(k for k in names[starts[number] : starts[number + 1]].tolist() if k != first)]

    def descendant_numbers(self, number: int) -> NDArray[np.intp]:
        """The numbers of a node and everything below it, ascending: one sweep a level, on arrays."""
        starts, below = self._below
        seen = np.zeros(len(self), dtype=bool)
        seen[number] = True
        level = np.array([number])
        while len(level):
            sizes = starts[level + 1] - starts[level]
            offsets = np.repeat(starts[level] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
            following = np.unique(below[offsets + np.arange(len(offsets))])
            level = following[~seen[following]]
            seen[level] = True
        return np.flatnonzero(seen)

    # The protocol

    def node(self, number: int) -> Node:
        """The node with a number."""
        if number not in self._nodes:
            if len(self._nodes) >= _CACHED:
                self._nodes.clear()
            key = self.key_table[int(self._arrays["preferred"][number])]
            self._nodes[number] = Node(self.name, str(number), self._label(number, key), key)
        return self._nodes[number]

    def _label(self, number: int, key: Key) -> str:
        form = int(self._flags[number]) & ~HIDDEN
        if form == OWN:
            return self._labels[int(self._arrays["own_labels"][self._own_ranks[number]])]
        return title(key) if form == TITLE else key[:1].upper() + key[1:] if form == FIRST else key

    @cached_property
    def _own_ranks(self) -> Numbers:
        own = (self._flags & ~np.uint8(HIDDEN)) == OWN
        return np.cumsum(own) - 1

    def _all(self, numbers: Iterable[int]) -> tuple[Node, ...]:
        return tuple(self.node(n) for n in numbers)

    def senses(self, key: Key) -> tuple[Node, ...]:
        return self._all(self.sense_numbers(key))

    def knows(self, keys: Sequence[Key]) -> list[bool]:
        known: list[bool] = (self.key_table.find_many(keys) >= 0).tolist()
        return known

    def parents(self, node: Node) -> tuple[Node, ...]:
        return self._all(self.parent_numbers(int(node.id)))

    def children(self, node: Node) -> tuple[Node, ...]:
        return self._all(self.child_numbers(int(node.id)))

    def keys(self, node: Node) -> tuple[Key, ...]:
        return tuple(self.key_table[k] for k in self.key_numbers(int(node.id)))

    def starting(self, prefix: str) -> Iterator[Key]:
        return self.key_table.starting(prefix)

    def volume(self, node: Node) -> int:
        return int(self._arrays["volumes"][int(node.id)])

    def readable(self, node: Node) -> bool:
        return not self._flags[int(node.id)] & HIDDEN

    def depth(self, node: Node) -> int:
        return int(self._arrays["depths"][int(node.id)])

    def volume_at(self, node: Node, depth: int) -> int:
        below = self.descendant_numbers(int(node.id))
        return int(np.count_nonzero(self._arrays["depths"][below] == depth))

    def descendants(self, node: Node) -> Iterator[Node]:
        for number in self.descendant_numbers(int(node.id)).tolist():
            if number != int(node.id):
                yield self.node(number)


def _starts(counts: NDArray[Any]) -> Numbers:
    return np.concatenate([[0], np.cumsum(counts, dtype=np.intp)])


def _transposed(targets: NDArray[Any], sources: NDArray[Any], size: int) -> tuple[Numbers, NDArray[Any]]:
    order = np.argsort(targets, kind="stable")
    return _starts(np.bincount(targets, minlength=size)), sources[order]
