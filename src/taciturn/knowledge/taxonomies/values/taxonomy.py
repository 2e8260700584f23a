"""The taxonomy of values: nodes are read from the text of a key and made on the fly."""

from __future__ import annotations

import re

from taciturn.knowledge.taxonomies.base import Node, Taxonomy
from taciturn.knowledge.taxonomies.flags import VALUES
from taciturn.knowledge.taxonomies.values.ages import NAMED, Ages
from taciturn.knowledge.taxonomies.values.amounts import Amounts
from taciturn.knowledge.taxonomies.values.dates import Dates
from taciturn.knowledge.taxonomies.values.kind import ValueKind
from taciturn.knowledge.taxonomies.values.postal import PostalCodes
from taciturn.language.keys import Key

__all__ = ["ValueTaxonomy"]

_VERSION = 1
_FIGURE = re.compile(r"\d")
_LONGEST = 60  # characters of a text that can be a value


class ValueTaxonomy(Taxonomy):
    """Dates, ages, postal codes and amounts.

    A bare number of up to three figures is an age first and an amount second; one of four a year, one of five a ZIP
    code. Who knows better asks :meth:`sense` with the kind.

    >>> values = ValueTaxonomy()
    >>> [n.label for n in values.generalizations("12 March 1984")]
    ['March 1984', '1984', 'the 1980s', 'the 20th century']
    >>> [n.label for n in values.generalizations("47")], [n.label for n in values.generalizations("02138")]
    (['forties', 'adult'], ['021**'])
    """

    name = "values"
    flags = frozenset({VALUES})

    def __init__(self) -> None:
        kinds: tuple[ValueKind, ...] = (Dates(), PostalCodes(), Ages(), Amounts())
        self._kinds = {kind.name: kind for kind in kinds}

    @property
    def digest(self) -> str:
        return f"values {_VERSION}"

    def sense(self, text: str, kind: str) -> Node | None:
        """What a text is as a value of one kind: "date", "age", "postal code", "amount"."""
        if kind not in self._kinds:
            raise ValueError(f"{kind!r} is no kind of value; use one of {', '.join(self._kinds)}")
        value = self._kinds[kind].read(text.lower()) if len(text) <= _LONGEST else None
        return None if value is None else self._node(kind, value)

    def senses(self, key: Key) -> tuple[Node, ...]:
        if not _FIGURE.search(key) and key.lower() not in NAMED:
            return ()  # what most keys come to
        return tuple(node for kind in self._kinds if (node := self.sense(key, kind)))

    def _node(self, kind: str, value: str) -> Node:
        of = self._kinds[kind]
        return Node(self.name, f"{kind}:{value}", of.label(value), Key(of.forms(value)[0]))

    def _of(self, node: Node) -> tuple[ValueKind, str]:
        kind, value = node.id.split(":", 1)
        return self._kinds[kind], value

    def parents(self, node: Node) -> tuple[Node, ...]:
        kind, value = self._of(node)
        above = kind.above(value)
        return () if above is None else (self._node(kind.name, above),)

    def ancestors(self, node: Node) -> tuple[Node, ...]:
        return self.chain(node)[1:]  # a value has one node above it, or none

    def depth(self, node: Node) -> int:
        kind, value = self._of(node)
        depth = 0
        while (above := kind.above(value)) is not None:
            value, depth = above, depth + 1
        return depth

    def children(self, node: Node) -> tuple[Node, ...]:
        kind, value = self._of(node)
        return tuple(self._node(kind.name, below) for below in kind.below(value))

    def keys(self, node: Node) -> tuple[Key, ...]:
        kind, value = self._of(node)
        return tuple(dict.fromkeys(map(Key, kind.forms(value))))

    def volume(self, node: Node) -> int:
        kind, value = self._of(node)
        return kind.volume(value)
