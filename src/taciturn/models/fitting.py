"""Which generalizations a reader would accept: in the sense that the term has here, and saying something.

A taxonomy knows what a word can mean, not what it means in a text. Three things are certain enough to act on: the kind
that the tagger saw (a place is no person), that a reader takes a general word in its likeliest sense ("an insertion"
is something put into a text, not a transfusion), and that the widest words ("a phenomenon") tell nothing. Where a rung
fails, a mark is more honest; it costs little, for these words say few bits.
"""

from __future__ import annotations

from tacit.knowledge import Knowledge, Node, Taxonomy

__all__ = ["fitting_sense", "is_empty", "names_a_thing", "readers_take"]

# WordNet's words for how things hang together rather than what they are.
_EMPTY = frozenset(
    "ability, accomplishment, action, activity, arrangement, asset, attempt, auditory communication, beginning, "
    "being, bodily process, bodily property, body, boundary, causing, change, change of integrity, change of "
    "location, change of magnitude, chemical, cognitive factor, cognitive process, collection, commodity, common "
    "fraction, communication, complex number, compound, concept, covering, creation, datum, decision making, device, "
    "difficulty, digit, discovery, end, environment, event, evidence, fact, field, force, freedom, generality, group "
    "action, higher cognitive process, humanistic discipline, idea, importance, indefinite quantity, indication, "
    "influence, information, integer, interaction, interference, kind, knowledge domain, large integer, linear unit, "
    "magnitude, magnitude relation, message, moment, motion, movement, natural object, natural process, number, "
    "obstacle, ordering, organic process, orientation, part, perceiver, phenomenon, physical property, power, "
    "prevention, process, product, property, provision, rank, rational number, real number, repetition, "
    "representation, response, shape, signal, small indefinite quantity, social unit, space, spatial relation, speech "
    "act, standard, start, stop, system, system of measurement, thing, time interval, time unit, trait, transferred "
    "property, undertaking, unit of measurement, visual communication, work, written communication".split(", ")
)
# WordNet's judgements of people and what they do, which nobody wants to read in a release.
_UNKIND = frozenset(
    "bad person, cripple, degenerate, deviate, fool, freak, misfit, perversion, pervert, savage, simpleton, "
    "unpleasant person, unwelcome person, wrongdoer".split(", ")
)
# What has a name that ends in what it is: "Mercy Hospital", "Long Island".
_NAMED = frozenset(
    "social group, structure, geographical area, body of water, facility, way, geological formation, dry land, "
    "geographic point, publication, print media, military action".split(", ")
)
_SENSES = 3  # of a word at the end of a name that are looked at
_PERSON, _ANIMAL = "person", "animal"
_ACTS = ("event", "physical process")


def fitting_sense(taxonomy: Taxonomy, name: str, kind: str, *, is_title: bool, is_part: bool) -> Node | None:
    """The likeliest sense of a key that agrees with the kind of the term; None if there is none.

    ``is_title``: the term ends in a word with a capital, as names do. ``is_part``: the key is no more than its end,
    which need not be what it is.
    """
    if taxonomy.name == "places" and kind not in ("place", "organization"):
        return None
    senses = taxonomy.senses(name)
    if not senses or taxonomy.name != "wordnet":
        return senses[0] if senses else None
    first = senses[0]
    if is_title and is_part and not (kind == "place" and first.label[0].isupper()):
        return None  # "Mercy Press" is not urgent; but "Northern Italy" is in Italy
    if is_title and kind in ("place", "organization"):
        return next((s for s in senses if not _below(taxonomy, s, _PERSON)), None)
    if is_title and kind == "person" and any(_below(taxonomy, s, _PERSON) for s in senses):
        # A name that WordNet gives to one person is borne by many: "a person" is all that is certain.
        return first if _below(taxonomy, first, _PERSON) and taxonomy.children(first) else None
    if name.endswith("ing") and " " not in name and any(_below(taxonomy, first, act) for act in _ACTS):
        return None  # a gerund has the place of a verb: "he quit smoking"
    if len(senses) > 1 and any(p.key == _ANIMAL for p in taxonomy.parents(first)):
        # What is said of any animal ("female", "adult") is said of people, if it can be.
        return next((s for s in senses if _below(taxonomy, s, _PERSON)), first)
    return first


def is_empty(name: str) -> bool:
    """Is a key one of the widest words, which tell nothing alone?

    >>> is_empty("phenomenon"), is_empty("disease")
    (True, False)
    """
    return name in _EMPTY


def names_a_thing(name: str, knowledge: Knowledge, strict: bool) -> bool:
    """Does the last word of a name say what it is the name of, as in "Mercy Hospital"?

    ``strict`` looks at the likeliest sense alone: teams have plurals for names ("Nets").
    """
    taxonomy = next((t for t in knowledge.taxonomies if t.name == "wordnet"), None)
    senses = taxonomy.senses(name) if taxonomy else ()
    return taxonomy is not None and any(
        sense.label[0].islower() and any(n.key in _NAMED for n in taxonomy.ancestors(sense))
        for sense in senses[: 1 if strict else _SENSES]
    )


def readers_take(taxonomy: Taxonomy, node: Node) -> bool:
    """Does the label of a node tell a reader what was meant?

    Its likeliest sense must be the node, or have something in common with it that is not empty itself.
    """
    if " and " in node.label:
        return False  # read as two terms
    if taxonomy.name != "wordnet":
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
