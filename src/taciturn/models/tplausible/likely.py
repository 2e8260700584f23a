"""How likely the base values under a phrase are, and the entropy of the phrase (Equation 2).

P(w | phrase) is the share of the base value w in the counts of all base values under the phrase, each counted once more
than it was met: what a corpus never met is still possible.
"""

from __future__ import annotations

import math
from functools import lru_cache

from taciturn.knowledge import Knowledge, Node, Taxonomy
from taciturn.language import Key

__all__ = ["entropy", "reader_entropy"]


@lru_cache(maxsize=1 << 14)
def entropy(knowledge: Knowledge, taxonomy: Taxonomy, node: Node) -> float:
    """The entropy of a node in bits, over the leaves under it: at most log2 of their number.

    >>> from taciturn.knowledge import EdgeTaxonomy, TableCounts
    >>> drugs = EdgeTaxonomy("drugs", [("aspirin", "drug"), ("khat", "drug")])
    >>> even, uneven = TableCounts(100, {}), TableCounts(100, {("aspirin",): 62})
    >>> [round(entropy(Knowledge(c, (drugs,)), drugs, drugs.senses("drug")[0]), 2) for c in (even, uneven)]
    [1.0, 0.12]
    """
    leaves = [n.key for n in (node, *taxonomy.descendants(node)) if not taxonomy.children(n)]
    met = [n + 1 for n in knowledge.counts.count_many([[k] for k in leaves]).tolist()]
    total = sum(met)
    bits: float = math.log2(total) - math.fsum(n * math.log2(n) for n in met) / total
    return max(bits, 0.0)


def reader_entropy(written: Key, knowledge: Knowledge) -> float:
    """The entropy of a phrase as far as a reader can tell: in the first taxonomy that has it, as it is read there."""
    taxonomy = knowledge.taxonomy_of(written)
    return entropy(knowledge, taxonomy, taxonomy.senses(written)[0]) if taxonomy is not None else 0.0
