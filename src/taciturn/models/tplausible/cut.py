"""A cut of the taxonomies: every word under it has one phrase, and at least k words have the same one.

Choosing for each word the best step of its own chain tells a reader who knows the method which words it cannot have
been: those for which another step would have been better. A cut does not choose. It is made of the taxonomy and of k
alone, from the leaves upward: as soon as k leaves that have no phrase yet lie under a node that can be written, all of
them get its label. So exactly the leaves of a class would have been released as its label, and a class has k or more.

**Proof.** Let d be a text with m distinct sensitive words and d' one that has other leaves of the same classes in their
places, all distinct. k follows from t and from how many distinct words stand in which unit, which d and d' share;
whether a label can be written follows from the taxonomies of the words, which they share as well. No leaf of a class
stands in the rest of the text, which d and d' share: so d' has no mention that d has not. So d and d' get the same cut,
each word of d' the label that its counterpart has, and the two are released as the same text. There are at least t such
d', because :func:`~taciturn.solvers.plausibility.alike.least_class` takes k so.

**What the proof leaves open.** The second reader searches a release for more written forms of a word than a taxonomy
has keys: codes, abbreviations, look-alikes, slips of a letter. If such a form of a leaf stands in the rest of the text
or in a label, the text that has this leaf is marked or refused, and counts here all the same.

The tree that is cut follows first hypernyms. A leaf counts only if its name is read as that very leaf. What is left
over under the tops, fewer than k leaves each, has no phrase: then nothing is released.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import log2

from taciturn.knowledge import Knowledge, Node, Taxonomy
from taciturn.language import Key, key
from taciturn.models.tplausible.chains import Step, sense_of
from taciturn.reading import phrases

__all__ = ["Cut", "cut_of"]


@lru_cache(maxsize=16)
def cut_of(
    knowledge: Knowledge,
    k: int,
    of: frozenset[str],
    meanings: tuple[tuple[str, str], ...] = (),
    standing: frozenset[Key] = frozenset(),
) -> Cut:
    """The cut, made once for all documents that ask for the same: large classes take a walk through a taxonomy."""
    return Cut(knowledge, k, of, dict(meanings), standing)


@dataclass
class Cut:
    """The classes of at least ``k`` leaves. ``of`` are the names of the taxonomies that the sensitive words are from,
    ``standing`` the keys of what stands elsewhere in the text: such leaves are in no class.

    >>> from taciturn.knowledge import EdgeTaxonomy, TableCounts
    >>> drugs = EdgeTaxonomy("drugs", [("marijuana", "soft drug"), ("khat", "soft drug"), ("soft drug", "drug"),
    ...                                ("aspirin", "drug"), ("codeine", "drug")])
    >>> cut = Cut(Knowledge(TableCounts(1, {}), (drugs,)), 2, {"drugs"})
    >>> [cut.step(word).label for word in ("khat", "aspirin", "codeine")]
    ['soft drug', 'drug', 'drug']
    >>> cut.step("khat").volume, cut.size("drug"), Cut(cut.knowledge, 3, {"drugs"}).step("khat").volume
    (2, 2, 4)
    """

    knowledge: Knowledge
    k: int
    of: Collection[str]
    meanings: Mapping[str, str] = field(default_factory=dict)
    standing: frozenset[Key] = frozenset()

    def __post_init__(self) -> None:
        self._left: dict[tuple[str, str], int] = {}
        self._sizes: dict[tuple[str, str], int] = {}

    def step(self, name: Key) -> Step | None:
        """What a word is shown as: the label of its class. None if it has none, or no taxonomy knows it."""
        found = sense_of(name, self.knowledge, self.meanings.get(name, ""))
        if found is None:
            return None
        taxonomy, node = found
        if not self.standing.isdisjoint(taxonomy.keys(node)):
            return None
        # A phrase that is known by its head only may be shown as the head.
        above = taxonomy.chain(node)[1 if name in taxonomy.keys(node) else 0 :]
        for n in above:
            if size := self._size(taxonomy, n):
                return Step(n.label, size, taxonomy.name, taxonomy.flags, log2(size))
        return None

    def size(self, written: Key) -> int:
        """How many leaves would be shown as this phrase, as a reader counts them; 0 if it is no label of the cut."""
        found = sense_of(written, self.knowledge)
        return self._size(*found) if found is not None and key(found[1].label) == written else 0

    def largest(self, name: Key) -> int:
        """The largest k for which a word has a class: the leaves under the highest label above it."""
        found = sense_of(name, self.knowledge, self.meanings.get(name, ""))
        if found is None:
            return 0
        taxonomy, node = found
        whole, above = Cut(self.knowledge, 1 << 62, self.of, self.meanings, self.standing), taxonomy.chain(node)[1:]
        usable = [n for n in above if whole._usable(taxonomy, n)]
        return max((whole._leaves(taxonomy, n) for n in usable), default=0)

    def _size(self, taxonomy: Taxonomy, node: Node) -> int:
        self._leaves(taxonomy, node)
        return self._sizes.get((taxonomy.name, node.id), 0)

    def _leaves(self, taxonomy: Taxonomy, top: Node) -> int:
        """The leaves under a node that no label below it has; 0 if the node is a label itself."""
        stack: list[tuple[Node, tuple[Node, ...] | None]] = [(top, None)]
        while stack:
            node, below = stack.pop()
            at = (taxonomy.name, node.id)
            if at in self._left:
                continue
            if below is None:
                below = tuple(c for c in taxonomy.children(node) if taxonomy.parents(c)[0].id == node.id)
                stack.append((node, below))
                stack += [(c, None) for c in below]
                continue
            left = sum(self._left[taxonomy.name, c.id] for c in below)
            if not taxonomy.children(node):
                left = int(self._reads_as_itself(taxonomy, node))
            elif left >= self.k and self._usable(taxonomy, node):
                self._sizes[at], left = left, 0
            self._left[at] = left
        return self._left[taxonomy.name, top.id]

    def _reads_as_itself(self, taxonomy: Taxonomy, leaf: Node) -> bool:
        """Would the leaf's name, written into the text, be taken for this leaf?"""
        return self.standing.isdisjoint(taxonomy.keys(leaf)) and self._reads(
            leaf.key, taxonomy, leaf, self.meanings.get(leaf.key, "")
        )

    def _reads(self, name: Key, taxonomy: Taxonomy, node: Node, meaning: str = "") -> bool:
        found = sense_of(name, self.knowledge, meaning)
        return found is not None and found[0] is taxonomy and found[1].id == node.id

    def _usable(self, taxonomy: Taxonomy, node: Node) -> bool:
        """Can the label be shown for all? It is read as this node, and says nothing of what the other words may be.

        "Tuberculosis drug" names a disease: where diseases are sensitive as well, it is no label.
        """
        if not taxonomy.readable(node) or not self._reads(key(node.label), taxonomy, node):
            return False
        own = {k for n in (node, *taxonomy.ancestors(node)) for k in taxonomy.keys(n)}
        for said in phrases(node.label, node.key):
            if said not in own:
                read = sense_of(said, self.knowledge)
                if read is not None and read[0].name in self.of and said in read[0].keys(read[1]):
                    return False
        return True
