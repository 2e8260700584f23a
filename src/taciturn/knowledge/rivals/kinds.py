"""Which concepts are of one kind with a protected one: its rivals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.concept import UnknownTermError
from taciturn.knowledge.rivals.concepts import ConceptRivals
from taciturn.knowledge.taxonomies.base import Node, Taxonomy
from taciturn.knowledge.taxonomies.flags import PROFESSIONAL
from taciturn.language.keys import Key, key, tails

if TYPE_CHECKING:
    from taciturn.knowledge.base import Knowledge

__all__ = ["are_others", "kind_of", "rivals_under", "under_branch"]

_MANY = 200  # concepts of a kind, from which there are enough to hide among
_KIN = 0.5  # of what there is to know: a concept whose name says as much of another is no other thing
_RIVALS: KnowledgeCache[str, ConceptRivals] = KnowledgeCache(most=16)


def under_branch(branch: str, knowledge: Knowledge, truth: str | None = None) -> list[str]:
    """The most specific concepts under a term that the counts know, by the first taxonomy that has something there.

    A concept of which a kind is among them is left out: an occurrence of the kind is an occurrence of the concept, so
    they do not compete. The ``truth`` always stands among them; what it is a kind of and its own kinds do not, for such
    a guess is neither right nor wrong.

    >>> from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
    >>> links = [("flu", "infection"), ("HIV", "infection"), ("infection", "disease"), ("gout", "disease")]
    >>> diseases = EdgeTaxonomy("diseases", links)
    >>> knowledge = Knowledge(ContextCounts([{"flu"}, {"HIV"}, {"gout"}], [diseases]), (diseases,))
    >>> under_branch("disease", knowledge)
    ['HIV', 'flu', 'gout']
    """
    for taxonomy in knowledge.taxonomies:
        for top in taxonomy.senses(key(branch))[:1]:
            if not (candidates := _specific(taxonomy, top, knowledge)):
                continue
            related: set[str] = set()
            same: set[str] = set()
            for node in taxonomy.senses(key(truth))[:1] if truth else ():
                related = {node.id, *(n.id for n in (*taxonomy.ancestors(node), *taxonomy.descendants(node)))}
                same = set(taxonomy.keys(node))
            names = {n.key for n in candidates if n.id not in related} - same
            return sorted(names | ({truth} if truth else set()))
    raise UnknownTermError(f"no taxonomy has anything under {branch!r} that the counts know; name another branch")


def _specific(taxonomy: Taxonomy, top: Node, knowledge: Knowledge) -> list[Node]:
    """The most specific concepts under a node that the counts know."""
    nodes = {node.id: node for node in taxonomy.descendants(top)}
    known = knowledge.counts.table([], [n.key for n in nodes.values()])[0] > 0 if nodes else ()
    counted = {i: n for (i, n), here in zip(nodes.items(), known, strict=True) if here}
    above = {n.id for node in counted.values() for n in taxonomy.ancestors(node)}
    return [n for i, n in counted.items() if i not in above]


def kind_of(name: Key, knowledge: Knowledge) -> str:
    """The branch whose concepts are of one kind with a concept: everything of its profession ("condition" for HIV), or
    the nearest branch above it with many concepts that the counts know.

    A phrase that no taxonomy has is of the kind of its last words. Raises :class:`UnknownTermError` if there is none.

    >>> from taciturn.knowledge import Knowledge
    >>> kind_of(key("HIV"), Knowledge.default())
    'condition'
    """
    for part in tails(name):
        for taxonomy in knowledge.taxonomies:
            for sense in taxonomy.senses(part)[:1]:
                above = taxonomy.ancestors(sense)
                if PROFESSIONAL in taxonomy.flags:
                    above = tuple(reversed(above))
                for node in (*above, sense):
                    if len(_specific(taxonomy, node, knowledge)) >= _MANY:
                        return str(node.label)
    raise UnknownTermError(
        f"no taxonomy says what kind of thing {name!r} is, so nothing tells what it could be taken for; name the "
        "others with `among`: a branch, an entity base or a list"
    )


def rivals_under(branch: str, knowledge: Knowledge) -> ConceptRivals:
    """The concepts under a term that compete, none of them a kind of another by the lexicon either; made once.

    >>> from taciturn.knowledge import Knowledge
    >>> names = rivals_under("disease", Knowledge.default()).names
    >>> "pertussis" in names, "rare disease" in names
    (True, False)
    """
    return _RIVALS.get(knowledge, branch, lambda: _made(branch, knowledge))


def _made(branch: str, knowledge: Knowledge) -> ConceptRivals:
    every = ConceptRivals(under_branch(branch, knowledge), knowledge)
    lexicon = knowledge.lexicon
    if lexicon is None:
        return every
    above = {wide for concepts in every.concepts for c in concepts for wide in lexicon.ancestors(c)}
    kept = [n for n, concepts in zip(every.names, every.concepts, strict=True) if above.isdisjoint(concepts)]
    return ConceptRivals(kept, knowledge, field=every.field)


def are_others(protected: ConceptRivals, rivals: ConceptRivals, knowledge: Knowledge) -> NDArray[np.bool_]:
    """Which rivals (columns) are other things than each protected one (rows).

    Neither what it is a kind of, nor a kind of it, nor anything whose name says most of it: "AIDS-related lymphoma"
    stands under another branch than HIV, but to guess it is to have guessed HIV.

    >>> from taciturn.knowledge import Knowledge
    >>> knowledge = Knowledge.default()
    >>> rivals = ConceptRivals(["AIDS related lymphoma", "asthma"], knowledge)
    >>> are_others(ConceptRivals(["HIV"], knowledge), rivals, knowledge).tolist()
    [[False, True]]
    """
    _, bits = knowledge.witnesses.told(protected.keys, rivals.keys)
    full = np.array([knowledge.witnesses.information(e) for e in protected.keys])[:, None]
    others = bits < _KIN * full
    for row, name, concepts in zip(others, protected.keys, protected.concepts, strict=True):
        near = _kin_by_taxonomies(name, knowledge)
        lines = _line(concepts, knowledge)
        for at, (k, of) in enumerate(zip(rivals.keys, rivals.concepts, strict=True)):
            if k == name or k in near or not lines.isdisjoint(of):
                row[at] = False
    return others


def _kin_by_taxonomies(name: Key, knowledge: Knowledge) -> set[Key]:
    """The keys of what a key is a kind of, of its synonyms and of its kinds."""
    found: set[Key] = set()
    for taxonomy in knowledge.taxonomies:
        for node in taxonomy.senses(name)[:1]:
            for kin in (node, *taxonomy.ancestors(node), *taxonomy.descendants(node)):
                found.update(taxonomy.keys(kin))
    return found


def _line(concepts: Iterable[int], knowledge: Knowledge) -> set[int]:
    lexicon = knowledge.lexicon
    if lexicon is None:
        return set()
    return {kin for c in concepts for kin in (c, *lexicon.ancestors(c), *lexicon.descendants(c))}
