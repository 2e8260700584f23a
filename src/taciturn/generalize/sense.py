"""Decide which hypernyms of a term a reader would accept: in the sense that the term has here, and informative.

A taxonomy lists the senses of a word, but not the sense that it has in a text. Three rules are certain enough:

- The sense must agree with the kind that the tagger found (a place is no person).
- A reader takes a general word in its likeliest sense ("an insertion" is put into a text; it is no transfusion).
- The most general words ("a phenomenon") say nothing.

A hypernym that fails is not used. A redaction mark is more honest, and little is lost, for such words carry few bits.
"""

from __future__ import annotations

from taciturn.knowledge import Knowledge, Node, Taxonomy
from taciturn.knowledge.taxonomies.flags import GENERAL, PLACES
from taciturn.language.keys import Key
from taciturn.language.lexicon import LEXICON

__all__ = ["fitting_sense", "is_empty", "is_plain", "names_a_thing", "readers_take"]

_EMPTY = LEXICON.word_set("generalize.empty")
_BASIC = LEXICON.word_set("generalize.basic")
_UNKIND = LEXICON.word_set("generalize.unkind")
_NAMED = LEXICON.word_set("generalize.named")
_SENSES = 3  # of a word at the end of a name that are looked at
(_PERSON,), (_ANIMAL,) = LEXICON.words("generalize.person"), LEXICON.words("generalize.animal")
_ACTS = LEXICON.words("generalize.act")
_GERUNDS = LEXICON.words("generalize.gerund")


def fitting_sense(taxonomy: Taxonomy, name: Key, kind: str, *, is_title: bool, is_part: bool) -> Node | None:
    """The likeliest sense of a key that agrees with the kind of the term; None if there is none.

    ``is_title``: the term ends in a word with a capital, as names do. ``is_part``: the key is no more than its end,
    which need not be what it is.
    """
    if PLACES in taxonomy.flags and kind not in ("place", "organization"):
        return None
    senses = taxonomy.senses(name)
    if not senses or GENERAL not in taxonomy.flags:
        return senses[0] if senses else None
    first = senses[0]
    if is_title and is_part and not (kind == "place" and first.label[0].isupper()):
        return None  # "Mercy Press" is not urgent; but "Northern Italy" is in Italy
    if is_title and kind in ("place", "organization"):
        return next((s for s in senses if not _below(taxonomy, s, _PERSON)), None)
    if is_title and kind == "person" and any(_below(taxonomy, s, _PERSON) for s in senses):
        # A name that WordNet gives to one person is borne by many: "a person" is all that is certain.
        return first if _below(taxonomy, first, _PERSON) and taxonomy.children(first) else None
    if name.endswith(_GERUNDS) and " " not in name and any(_below(taxonomy, first, act) for act in _ACTS):
        return None  # a gerund has the place of a verb: "he quit smoking"
    if len(senses) > 1 and any(p.key == _ANIMAL for p in taxonomy.parents(first)):
        # What is said of any animal ("female", "adult") is said of people, if it can be.
        return next((s for s in senses if _below(taxonomy, s, _PERSON)), first)
    return first


def is_empty(name: Key) -> bool:
    """Is a key one of the widest words, which tell nothing alone?

    >>> is_empty("phenomenon"), is_empty("disease")
    (True, False)
    """
    return name in _EMPTY


def is_plain(taxonomy: Taxonomy, name: Key, node: Node) -> bool:
    """Is a hypernym what people call such things, in whatever sense the name is meant?

    >>> from taciturn.language import key
    >>> wordnet = next(t for t in Knowledge.default().taxonomies if GENERAL in t.flags)
    >>> [is_plain(wordnet, key(word), wordnet.senses(key(wide))[0])
    ...     for word, wide in (("Sacramento", "city"), ("smear", "mistake"), ("poodle", "dog"))]
    [True, False, True]
    """
    if node.key not in _BASIC:
        return False
    return all(any(n.id == node.id for n in taxonomy.ancestors(sense)) for sense in taxonomy.senses(name))


def names_a_thing(name: Key, knowledge: Knowledge, strict: bool) -> bool:
    """Does the last word of a name say what it is the name of, as in "Mercy Hospital"?

    ``strict`` looks at the likeliest sense alone: teams have plurals for names ("Nets").
    """
    return any(
        sense.label[0].islower() and any(n.key in _NAMED for n in taxonomy.ancestors(sense))
        for taxonomy in knowledge.taxonomies
        if GENERAL in taxonomy.flags
        for sense in taxonomy.senses(name)[: 1 if strict else _SENSES]
    )


def readers_take(taxonomy: Taxonomy, node: Node) -> bool:
    """Does the label of a node tell a reader what was meant?

    Its likeliest sense must be the node, or have something in common with it that is not empty itself.
    """
    if " and " in node.label:
        return False  # read as two terms
    if GENERAL not in taxonomy.flags:
        return True
    if node.key in _EMPTY or node.key in _UNKIND:
        return False
    senses = taxonomy.senses(node.key)
    if not senses or senses[0].id == node.id:
        return True
    return not _says(taxonomy, node).isdisjoint(_says(taxonomy, senses[0]))


def _says(taxonomy: Taxonomy, node: Node) -> set[str]:
    above = (n for n in (node, *taxonomy.ancestors(node)) if taxonomy.readable(n) and n.key not in _EMPTY)
    return {n.id for n in above}


def _below(taxonomy: Taxonomy, node: Node, name: str) -> bool:
    return any(n.key == name for n in taxonomy.ancestors(node))
