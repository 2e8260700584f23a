"""Candidates from a taxonomy: all hyponyms of a term, such as all diseases."""

from __future__ import annotations

from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.language import key

__all__ = ["under_branch"]


def under_branch(branch: str, knowledge: Knowledge, truth: str | None = None) -> list[str]:
    """The most specific concepts under a term that the counts know, by the first taxonomy that has something there.

    A concept of which a kind is a candidate is left out: an occurrence of the kind is an occurrence of the concept, so
    they do not compete. The ``truth`` always stands among the candidates; what it is a kind of and its own kinds do
    not, for such a guess is neither right nor wrong.

    >>> from taciturn.knowledge import ContextCounts, EdgeTaxonomy
    >>> links = [("flu", "infection"), ("HIV", "infection"), ("infection", "disease"), ("gout", "disease")]
    >>> diseases = EdgeTaxonomy("diseases", links)
    >>> knowledge = Knowledge(ContextCounts([{"flu"}, {"HIV"}, {"gout"}], [diseases]), (diseases,))
    >>> under_branch("disease", knowledge)
    ['HIV', 'flu', 'gout']
    """
    for taxonomy in knowledge.taxonomies:
        for top in taxonomy.senses(key(branch))[:1]:
            nodes = {node.id: node for node in taxonomy.descendants(top)}
            known = knowledge.counts.table([], [n.key for n in nodes.values()])[0] > 0 if nodes else ()
            candidates = {i: n for (i, n), here in zip(nodes.items(), known, strict=True) if here}
            if not candidates:
                continue
            related: set[str] = set()
            same: set[str] = set()
            for node in taxonomy.senses(key(truth))[:1] if truth else ():
                related = {node.id, *(n.id for n in (*taxonomy.ancestors(node), *taxonomy.descendants(node)))}
                same = set(taxonomy.keys(node))
            above = {n.id for node in candidates.values() for n in taxonomy.ancestors(node)}
            names = {n.key for i, n in candidates.items() if i not in above and i not in related} - same
            return sorted(names | ({truth} if truth else set()))
    raise UnknownTermError(f"no taxonomy has anything under {branch!r} that the counts know; name another branch")
