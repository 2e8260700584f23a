"""Which expressions speak of a concept, by its names and by its relations to other things.

Two witnesses testify here on the scale of mutual information, PMI(c; e) = IC(c) + log2 P(c | e) bits:

- *names*: a synonym, an abbreviation, a code or a kind of the concept says all of it; a name that also means other
  things says it by its share of the meanings.
- *relations*: a drug, a test or a clinic says the concept by the share that the concept has among everything the drug
  treats, the test measures, the clinic sees.

The other witnesses, counts and vectors, testify for any pair of keys; they are asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2
from typing import NamedTuple

from taciturn.knowledge.lexicon import Lexicon, Name
from taciturn.knowledge.relations.shares import Shares
from taciturn.language.keys import Key, key

__all__ = ["PART_OF_NAME", "Testimony", "speaking"]

PART_OF_NAME = "a word of its name"

_WEAK = 0.25  # of all there is to know: who says less is not heard, for no limit is as low as that


class Testimony(NamedTuple):
    """What one witness says: how many bits of a concept an expression tells, and on whose word.

    ``says`` is the way of naming ("synonym", "code") or the relation ("treats").
    """

    bits: float
    witness: str
    says: str
    sources: tuple[str, ...]


def speaking(
    text: str, concepts: Sequence[int], ic: float, lexicon: Lexicon, relations: Shares | None = None
) -> dict[Key, Testimony]:
    """For each key that names or relations know to speak of some concepts: the strongest testimony.

    The concepts and everything below them in the lexicon are one matter, with ``ic`` bits of information content;
    ``text`` is what the user calls it.
    """
    matter = dict.fromkeys(c for concept in concepts for c in (concept, *lexicon.descendants(concept)))
    found: dict[Key, Testimony] = {}
    for concept in matter:
        for name in lexicon.names(concept):
            if name.others:  # those that mean the matter as well are no other meanings
                name = replace(name, others=sum(s.concept not in matter for s in lexicon.lookup(key(name.text))))
            _add(found, name, ic, 1.0, "name", name.how, name.sources)
    if relations is not None:
        for expression, told in relations.speaking(concepts).items():
            if ic + log2(told.share) < _WEAK * ic:
                continue
            for name in lexicon.names(expression):
                _add(found, name, ic, told.share, "relation", told.predicate, told.sources)
        own = [n.text for c in concepts for n in lexicon.names(c) if n.how in ("label", "synonym")]
        for word, share in relations.words([*own, text], concepts).items():
            _hear(found, Key(word), Testimony(ic + log2(share), "name", PART_OF_NAME, ()))
    return found


def _add(
    found: dict[Key, Testimony], name: Name, ic: float, share: float, witness: str, says: str, sources: tuple[str, ...]
) -> None:
    is_derived = name.how == "derived"  # "asthmatic" is an ordinary word that means nothing but asthma
    if name.ordinary and name.how != "label" and " " not in name.text and not is_derived:
        return  # "aids", "clap": where they mean the disease, the search for names decides by what else is said
    if written := key(name.text):
        meant = share / (1 + name.others + (name.ordinary and not is_derived))
        _hear(found, written, Testimony(ic + log2(meant), witness, says, sources))


def _hear(found: dict[Key, Testimony], written: Key, told: Testimony) -> None:
    """Keep the strongest testimony for a key."""
    if told.bits > 0 and (written not in found or found[written].bits < told.bits):
        found[written] = told
