"""Concepts with names and parents in, the arrays of a lexicon out.

The same concepts in the same order give the same arrays. Parents may be given before or after their children; links
that would close a circle are left out, those added last first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.lexicon.base import HOWS, KINDS
from taciturn.knowledge.storage.strings import pack_strings

__all__ = ["LexiconBuilder"]

ORDINARY = 0x80  # the bit beside a name's how
_MOST_SOURCES = 32


class LexiconBuilder:
    """Collects concepts and writes them as arrays.

    >>> builder = LexiconBuilder(["tiny"], str.lower)
    >>> disease = builder.add("disease", "condition", ["tiny"])
    >>> asthma = builder.add("asthma", "condition", ["tiny"], [disease])
    >>> builder.name(asthma, "asthmatic", "derived", ["tiny"])
    >>> sorted(builder.arrays())[:3]
    ['concept_sources', 'kinds', 'labels.blob']
    """

    def __init__(self, sources: Iterable[str], key: Callable[[str], str]) -> None:
        self.sources = list(sources)
        if len(self.sources) > _MOST_SOURCES:
            raise ValueError(f"a lexicon has at most {_MOST_SOURCES} sources, not {len(self.sources)}")
        self._key = key
        self._bits = {source: 1 << i for i, source in enumerate(self.sources)}
        self._labels: list[str] = []
        self._kinds: list[int] = []
        self._sources: list[int] = []
        self._parents: list[dict[int, None]] = []
        self._names: dict[str, dict[int, tuple[int, int]]] = {}  # key -> concept -> (how, sources)
        self._ordinary: set[str] = set()
        self._uses: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, label: str, kind: str, sources: Iterable[str], parents: Iterable[int] = ()) -> int:
        """A new concept; returns its number."""
        number = len(self._labels)
        self._labels.append(label)
        self._kinds.append(KINDS.index(kind))
        self._sources.append(self.mask(sources))
        self._parents.append(dict.fromkeys(parents))
        self.name(number, label, "label", sources)
        return number

    def put_under(self, concept: int, parents: Iterable[int]) -> None:
        """Further parents of a concept, after those that it has."""
        self._parents[concept].update(dict.fromkeys(parents))

    def mask(self, sources: Iterable[str]) -> int:
        """The bits of some sources."""
        bits = 0
        for source in sources:
            bits |= self._bits[source]
        return bits

    def name(self, concept: int, text: str, how: str, sources: Iterable[str]) -> None:
        """A name of a concept; the most direct way of naming is kept, the sources are joined."""
        name, number = self._key(text), HOWS.index(how)
        if not name:
            return
        of_name = self._names.setdefault(name, {})
        before, known = of_name.get(concept, (number, 0))
        of_name[concept] = (min(before, number), known | self.mask(sources))

    def ordinary(self, text: str) -> None:
        """Mark a name as an everyday word too."""
        self._ordinary.add(self._key(text))

    def used(self, concept: int, paragraphs: int) -> None:
        """How many paragraphs of a corpus speak of a concept itself; those of its kinds are added."""
        self._uses[concept] = paragraphs

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of a :class:`~taciturn.knowledge.lexicon.packed.Lexicon`."""
        keys = sorted(self._names, key=str.encode)
        at = {k: i for i, k in enumerate(keys)}
        counts, concepts, hows, sources = [], [], [], []
        for k in keys:
            ranked = sorted(self._names[k].items(), key=lambda item: (item[1][0], -item[1][1].bit_count(), item[0]))
            counts.append(len(ranked))
            flag = ORDINARY if k in self._ordinary else 0
            for concept, (how, mask) in ranked:
                concepts.append(concept)
                hows.append(how | flag)
                sources.append(mask)
        preferred = [at[self._key(label)] for label in self._labels]
        own = sorted({label for label, k in zip(self._labels, preferred, strict=True) if keys[k] != label})
        own_at = {label: i for i, label in enumerate(own)}
        parents = without_circles(self._parents)
        return {
            "kinds": np.array(self._kinds, np.uint8),
            "concept_sources": np.array(self._sources, np.uint32),
            "preferred": np.array(preferred, np.int32),
            "own_labels": np.array([own_at.get(label, -1) for label in self._labels], np.int32),
            "uses": _with_kinds(self._uses, parents),
            "parent_counts": np.array([len(p) for p in parents], np.uint16),
            "parents": np.array([p for of in parents for p in of], np.int32),
            "sense_counts": np.array(counts, np.uint16),
            "sense_concepts": np.array(concepts, np.int32),
            "sense_hows": np.array(hows, np.uint8),
            "sense_sources": np.array(sources, np.uint32),
            **_prefixed("names", pack_strings(keys)),
            **_prefixed("labels", pack_strings(own or [""])),
        }


def _with_kinds(uses: Mapping[int, int], parents: list[list[int]]) -> NDArray[np.uint32]:
    """The uses of each concept and of everything below it."""
    total = np.zeros(len(parents), np.uint32)
    for concept, paragraphs in uses.items():
        above, seen = [concept], {concept}
        for node in above:
            new = [p for p in parents[node] if p not in seen]
            seen.update(new)
            above += new
        total[above] += np.uint32(paragraphs)
    return total


def _prefixed(name: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {f"{name}.{part}": array for part, array in arrays.items()}


def without_circles(parents: list[dict[int, None]]) -> list[list[int]]:
    """The links upwards without those that close a circle: a depth-first walk upwards leaves out what leads back.

    >>> without_circles([{}, {0: None}, {1: None}, {3: None}])
    [[], [0], [1], []]
    >>> without_circles([{1: None}, {0: None}])
    [[1], []]
    """
    kept: list[list[int]] = [[] for _ in parents]
    done = bytearray(len(parents))  # 0 not yet seen, 1 on the way, 2 finished
    for root in range(len(parents)):
        if done[root]:
            continue
        done[root] = 1
        way = [(root, iter(parents[root]))]
        while way:
            node, above = way[-1]
            for parent in above:
                if done[parent] == 1:
                    continue
                kept[node].append(parent)
                if not done[parent]:
                    done[parent] = 1
                    way.append((parent, iter(parents[parent])))
                    break
            else:
                done[node] = 2
                way.pop()
    return kept
