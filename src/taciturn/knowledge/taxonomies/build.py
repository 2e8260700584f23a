"""From concepts to the arrays of a packed taxonomy.

Volumes are exact on the DAG: a node's volume is the number of distinct leaves under it. Each leaf adds one to each of
its ancestors, once; ancestor sets are shared between siblings. That is linear in the number of (leaf, ancestor) pairs,
about a million for WordNet, where uniting leaf sets bottom-up would hold them all in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.storage.strings import pack_strings
from taciturn.language.keys import Key

__all__ = ["Arrays", "Concept", "build_taxonomy", "leaf_volumes", "parents_first", "smallest"]

Arrays = dict[str, NDArray[Any]]

PLAIN, FIRST, TITLE, OWN = 0, 1, 2, 3  # how a label follows from its key: as it is, first letter, each word, not at all
_BETWEEN = re.compile(r"[^\w']+")
HIDDEN = 128  # the label is of no use to a reader


@dataclass(frozen=True, slots=True)
class Concept:
    """A node of a taxonomy to be built: a source's own identifier, the label, all names, what is directly above.

    ``names`` are texts with the rank of this concept among those that the text names, 0 for the likeliest; the label is
    a name of rank 0 unless it is listed. ``parents`` are identifiers, the principal one first.
    """

    id: str
    label: str
    parents: tuple[str, ...] = ()
    names: tuple[tuple[str, int], ...] = ()
    readable: bool = True


def build_taxonomy(concepts: Iterable[Concept], key: Callable[[str], Key]) -> Arrays:
    """The arrays of a packed taxonomy; ``key`` makes keys of labels and names. Nodes are numbered by
    :func:`parents_first`, which says what is refused.

    Among the senses of a key those come first that are spelled like it: "bank" is no botanist named Banks.
    """
    ordered = parents_first(concepts)
    number = {concept.id: i for i, concept in enumerate(ordered)}
    parents = [[number[p] for p in dict.fromkeys(c.parents)] for c in ordered]
    named: dict[Key, list[tuple[bool, int, int]]] = {}
    preferred = []
    for i, concept in enumerate(ordered):
        names = dict(reversed(concept.names))
        names.setdefault(concept.label, 0)
        preferred.append(key(concept.label) or Key(concept.label))
        for name, rank in names.items():
            if k := preferred[-1] if name == concept.label else key(name):
                named.setdefault(k, []).append((_spelling(name) != _spelling(k), rank, i))
    keys = sorted(named, key=str.encode)
    key_number = {k: i for i, k in enumerate(keys)}
    senses = [list(dict.fromkeys(node for _, _, node in sorted(named[k]))) for k in keys]
    labels, own_labels = _label_forms([c.label for c in ordered], preferred)
    hidden = np.array([0 if c.readable else HIDDEN for c in ordered], dtype=np.uint8)
    return {
        **{f"keys.{part}": array for part, array in pack_strings(keys).items()},
        **{f"labels.{part}": array for part, array in pack_strings(sorted(set(own_labels), key=str.encode)).items()},
        "sense_counts": smallest([len(s) for s in senses]),
        "senses": smallest([node for s in senses for node in s]),
        "parent_counts": smallest([len(p) for p in parents]),
        "parents": smallest([p for ps in parents for p in ps]),
        "preferred": smallest([key_number[k] for k in preferred]),
        "flags": labels | hidden,
        "own_labels": smallest(_positions(own_labels)),
        "volumes": smallest(leaf_volumes(parents)),
        "depths": smallest(_depths(parents)),
    }


def parents_first(concepts: Iterable[Concept]) -> list[Concept]:
    """Concepts in the order of their numbers: parents before children, and otherwise as given.

    Raises ``ValueError`` for two concepts with one identifier, a parent that is not there, and a circle.
    """
    given = {}
    for concept in concepts:
        if concept.id in given:
            raise ValueError(f"the concept {concept.id!r} is given twice; give each once, with all its parents")
        given[concept.id] = concept
    children: dict[str, list[str]] = {}
    waiting = {}
    for concept in given.values():
        waiting[concept.id] = len(set(concept.parents))
        for parent in set(concept.parents):
            if parent not in given:
                raise ValueError(f"{concept.id!r} ({concept.label!r}) lies under {parent!r}, which is not given")
            children.setdefault(parent, []).append(concept.id)
    ordered = [c for c in given.values() if not waiting[c.id]]
    for concept in ordered:
        for child in children.get(concept.id, ()):
            waiting[child] -= 1
            if not waiting[child]:
                ordered.append(given[child])
    if len(ordered) < len(given):
        bad = min(name for name, n in waiting.items() if n)
        raise ValueError(f"the taxonomy runs in a circle through {bad!r}; remove one of its links")
    return ordered


def _spelling(text: str) -> str:
    return _BETWEEN.sub(" ", text.lower())


def _label_forms(labels: Sequence[str], keys: Sequence[Key]) -> tuple[NDArray[np.uint8], list[str]]:
    """How each label follows from its key, and the labels that do not."""
    forms, own = np.zeros(len(labels), dtype=np.uint8), []
    for i, (label, key) in enumerate(zip(labels, keys, strict=True)):
        ways = (key, key[:1].upper() + key[1:], title(key))
        forms[i] = ways.index(label) if label in ways else OWN
        if forms[i] == OWN:
            own.append(label)
    return forms, own


def title(key: Key) -> str:
    """A key with a capital at each word."""
    return " ".join(w[:1].upper() + w[1:] for w in key.split(" "))


def _positions(strings: Sequence[str]) -> list[int]:
    position = {s: i for i, s in enumerate(sorted(set(strings), key=str.encode))}
    return [position[s] for s in strings]


def leaf_volumes(parents: Sequence[Sequence[int]]) -> list[int]:
    """For nodes with their parents, parents first: how many distinct leaves lie under each; a leaf counts itself.

    >>> leaf_volumes([[], [0], [0], [1, 2], [2]])
    [2, 1, 2, 1, 1]
    """
    has_child = [False] * len(parents)
    for above in parents:
        for p in above:
            has_child[p] = True
    volumes = [0] * len(parents)
    memo: dict[tuple[int, ...], frozenset[int]] = {}

    def over(above: tuple[int, ...]) -> frozenset[int]:
        """The parents given and everything above them. Parents come first, so the memo is filled top-down."""
        if above not in memo:
            memo[above] = frozenset(above).union(*(memo[tuple(parents[p])] for p in above))
        return memo[above]

    for node, above in enumerate(parents):
        ancestors = over(tuple(above))
        if not has_child[node]:
            volumes[node] = 1
            for a in ancestors:
                volumes[a] += 1
    return volumes


def _depths(parents: Sequence[Sequence[int]]) -> list[int]:
    depths: list[int] = []
    for above in parents:
        depths.append(1 + max((depths[p] for p in above), default=-1))
    return depths


def smallest(numbers: Sequence[int]) -> NDArray[Any]:
    """Numbers from 0 up, in the smallest unsigned type that holds them."""
    top = max(numbers, default=0)
    kind = np.uint8 if top < 1 << 8 else np.uint16 if top < 1 << 16 else np.uint32 if top < 1 << 32 else np.uint64
    return np.array(numbers, dtype=kind)
