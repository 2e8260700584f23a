"""Leaf words of WordNet with the volumes along their hypernyms: what the experiments on t-plausibility draw from."""

from __future__ import annotations

import random
from dataclasses import dataclass

from taciturn.knowledge.taxonomies import PackedTaxonomy

__all__ = ["LeafWord", "leaf_words"]


@dataclass(frozen=True, slots=True)
class LeafWord:
    """A word and its chain: the labels from the word up to "entity", and how many leaves lie under each."""

    labels: tuple[str, ...]
    volumes: tuple[int, ...]


def leaf_words(taxonomy: PackedTaxonomy, size: int, seed: int, height: int = 8, tolerance: int = 1) -> list[LeafWord]:
    """Words drawn at random among the leaves whose way up to the root has ``height`` steps, give or take ``tolerance``.

    The paper's set-up: a word stands for its first sense and follows first hypernyms. The same seed draws the same
    words, whatever the size: a shorter list is the beginning of a longer one.
    """
    heights: list[int] = []
    fitting = []
    for number in range(len(taxonomy)):
        above = taxonomy.parent_numbers(number)
        heights.append(heights[above[0]] + 1 if above else 0)
        if abs(heights[number] - height) <= tolerance and not taxonomy.child_numbers(number):
            node = taxonomy.node(number)
            if taxonomy.sense_numbers(node.key)[0] == number:
                fitting.append(node)
    if size > len(fitting):
        raise ValueError(f"{size} words are asked for, but only {len(fitting)} leaves have a height of about {height}")
    fitting.sort(key=lambda node: node.key)  # node numbers change from pack to pack
    random.Random(seed).shuffle(fitting)
    chains = [taxonomy.chain(node) for node in fitting[:size]]
    return [LeafWord(tuple(n.label for n in c), tuple(taxonomy.volume(n) for n in c)) for c in chains]
