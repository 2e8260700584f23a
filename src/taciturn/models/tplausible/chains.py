"""The hypernyms of a sensitive term, each with its volume: the number of base values that it stands for.

The volume is computed as a *reader* can: the phrase is looked up in the first taxonomy that has it, in its likeliest
sense, whichever node the plan took it from. So the check finds the same number from the released text alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import log2
from typing import Literal

from taciturn.knowledge import Knowledge, Node, Taxonomy
from taciturn.knowledge.taxonomies.flags import PLACES
from taciturn.language import Key, key
from taciturn.language.keys import tails
from taciturn.models.tplausible.likely import entropy, reader_entropy
from taciturn.reading import phrases

__all__ = ["Base", "Paths", "Step", "chain_of", "reader_volume", "sense_of", "word_of"]

Base = Literal["leaves", "level"]
Paths = Literal["first", "best"]


@dataclass(frozen=True, slots=True)
class Step:
    """One generalization: the phrase that a reader gets, its volume, and the taxonomy it comes from, with its flags.

    ``bits`` is its entropy (Equation 2): log2 of the volume where base values are alike.
    """

    label: str
    volume: int
    source: str
    flags: frozenset[str] = frozenset()
    bits: float = 0.0

    @property
    def is_name(self) -> bool:
        """Is it a name, such as "California", and not a kind of thing?"""
        return PLACES in self.flags and self.label[:1].isupper()


def sense_of(name: Key, knowledge: Knowledge, meaning: str = "") -> tuple[Taxonomy, Node] | None:
    """The node that stands for a key: by the first taxonomy that knows it, in its likeliest sense.

    A key that no taxonomy knows stands for the longest known phrase at its end ("severe liver cancer" is a liver
    cancer). With a ``meaning`` ("drug") the first sense counts that has it among its generalizations.
    """
    for tail in tails(name):
        for taxonomy in knowledge.taxonomies:
            for node in taxonomy.senses(tail) if meaning else taxonomy.senses(tail)[:1]:
                if not meaning or any(key(meaning) in taxonomy.keys(n) for n in taxonomy.ancestors(node)):
                    return taxonomy, node
    return None


def chain_of(
    name: Key,
    knowledge: Knowledge,
    base: Base = "leaves",
    paths: Paths = "first",
    meanings: Mapping[str, str] | None = None,
    unsaid: Collection[Key] = (),
    counted: bool = False,
) -> tuple[Step, ...]:
    """The generalizations of a key with growing volumes, most specific first; empty if no taxonomy knows it.

    ``paths="first"`` follows first hypernyms, ``"best"`` takes every ancestor. Phrases that do not help a reader are
    left out, and those that say a key of ``unsaid`` ("tuberculosis drug" where "tuberculosis" is sensitive); of phrases
    with equal volumes the first one stays. ``counted``: base values are as likely as the knowledge counts them.

    >>> from taciturn.knowledge import EdgeTaxonomy, TableCounts
    >>> drugs = EdgeTaxonomy("drugs", [("marijuana", "soft drug"), ("khat", "soft drug"), ("soft drug", "drug"),
    ...                                ("aspirin", "drug")])
    >>> [(s.label, s.volume) for s in chain_of("marijuana", Knowledge(TableCounts(1, {}), (drugs,)))]
    [('soft drug', 2), ('drug', 3)]
    """
    found = sense_of(name, knowledge, (meanings or {}).get(name, ""))
    if found is None:
        return ()
    steps = list(_steps(name, *found, knowledge, base, paths, {name, *unsaid}, counted))
    if paths == "best":
        steps.sort(key=lambda s: s.volume)
    growing: list[Step] = []
    for step in steps:
        # Taxonomies may disagree: a step with fewer base values than the one before it is of no use.
        if step.volume > (growing[-1].volume if growing else 1):
            growing.append(step)
    return tuple(growing)


def _steps(
    name: Key,
    taxonomy: Taxonomy,
    node: Node,
    knowledge: Knowledge,
    base: Base,
    paths: Paths,
    unsaid: set[Key],
    counted: bool,
) -> Iterator[Step]:
    above = taxonomy.chain(node)[1:] if paths == "first" else taxonomy.generalizations(node)
    own, depth = taxonomy.keys(node), taxonomy.depth(node)
    # A phrase that is known by its head only has the head as its first generalization.
    for n in above if name in own else (node, *above):
        written = key(n.label)
        if taxonomy.readable(n) and (n == node or written not in own) and not _says(n.label, written, unsaid):
            # A reader may take the phrase for another concept; the smaller figure holds for both.
            own_volume = taxonomy.volume(n) if base == "leaves" else taxonomy.volume_at(n, depth)
            volume = min(own_volume, reader_volume(written, knowledge, base))
            bits = log2(max(volume, 1))
            if counted:
                bits = min(bits, entropy(knowledge, taxonomy, n), reader_entropy(written, knowledge))
            yield Step(n.label, volume, taxonomy.name, taxonomy.flags, bits)


def _says(label: str, written: Key, unsaid: set[Key]) -> bool:
    return written in unsaid or not unsaid.isdisjoint(phrases(label, written))


def reader_volume(written: Key, knowledge: Knowledge, base: Base = "leaves") -> int:
    """The number of base values that a key stands for, as far as a reader can tell; at least 1.

    Leaves under the node, or, where base values lie at the level of the original word, nodes at any level below: the
    level is not told to the reader.
    """
    taxonomy = knowledge.taxonomy_of(written)
    if taxonomy is None:
        return 1
    node = taxonomy.senses(written)[0]
    below = taxonomy.volume(node) if base == "leaves" else sum(1 for _ in taxonomy.descendants(node))
    return max(below, 1)


def word_of(name: Key, knowledge: Knowledge, meanings: Mapping[str, str]) -> Key:
    """The key that speaks for a key: the preferred one of its node, so that synonyms are one word.

    A key stands for itself where it is not known as a whole, or where its preferred synonym would be read otherwise.
    """
    found = sense_of(name, knowledge, meanings.get(name, ""))
    if found is None or meanings.get(name):
        return name
    taxonomy, node = found
    keys = taxonomy.keys(node)
    return keys[0] if name in keys and sense_of(keys[0], knowledge) == found else name
