"""Plain categories: what people call a thing when they do not say which one it is.

A name that professionals know is linked to a concept of the lexicon. Its kind gives the mark ("[medication]"), the
nodes above it give the phrases that are true of it ("antibiotic", "medication"). The phrases and their nodes are data:
``language/en/categories.toml``. What the vocabularies disagree about gets no phrase, and where they disagree about the
kind, no mark either: what is written is true, or it says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from taciturn.generalize.phrasebook import RESULT, Table, phrasebook
from taciturn.knowledge import Knowledge, Taxonomy
from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.lexicon import Lexicon, Sense
from taciturn.knowledge.taxonomies.flags import DISEASES, DRUGS, GENERAL
from taciturn.language import Key, key
from taciturn.language.lexicon import LEXICON

__all__ = ["Called", "Phrase", "called", "differ"]

_APPROVED = frozenset(("DrugCentral", "EMA", "Drugs@FDA", "FDA labels", "LabeledIn", "PharmacotherapyDB"))
"""Sources that list what is given as a medication. Others have any substance of a body among them."""
_MEASURED = frozenset(("CDISC", "EFO"))
"""Sources that list what can be measured."""
_AGAINST_CANCER = frozenset(("antineoplastic agents", "antineoplastic agent"))
_TAKEN = LEXICON.words("generalize.taken")
_DIRECT = frozenset(("label", "brand"))
_INDIRECT = frozenset(("abbreviation", "translation"))
_RESULTS = LEXICON.word_set("generalize.result")
_LINKS = LEXICON.word_set("closed.link")
_AFTER = LEXICON.word_set("generalize.no-head")
_UNTOLD = frozenset(("topic", "society", "function", "event"))
_WORD = re.compile(r"\w{4,}")
_SURE = 0.85  # the chance from which an abbreviation is taken for one kind of thing


class Phrase(NamedTuple):
    """A phrase that is true of a thing, and the class of the vocabulary that it stands for."""

    label: str
    node: Key | None


class Called(NamedTuple):
    """What a thing may be called.

    ``mark`` is its category, empty where it is in doubt. ``concept`` is the same for all names of one thing, None where
    it is not certain which one is meant. ``is_everyday``: the name is an ordinary English word too.
    """

    mark: str = ""
    phrases: tuple[Phrase, ...] = ()
    concept: int | None = None
    is_everyday: bool = False


_CALLED: KnowledgeCache[Key, Called] = KnowledgeCache(most=1 << 13)


def called(name: Key, knowledge: Knowledge) -> Called:
    """What the thing with a name may be called, by the professional vocabularies.

    >>> knowledge = Knowledge.default()
    >>> antibiotic = called(key("doxycycline"), knowledge)
    >>> antibiotic.mark, [phrase.label for phrase in antibiotic.phrases]
    ('medication', ['antibiotic', 'medication'])
    >>> called(key("HBeAg negative"), knowledge).mark, called(key("red chair"), knowledge).mark
    ('test result', '')
    """
    return _CALLED.get(knowledge, name, lambda: _called(name, knowledge))


def differ(one: int, other: int, knowledge: Knowledge) -> bool:
    """Are two concepts certainly not the same thing? Neither is a kind of the other, and no word is in both names.

    >>> knowledge = Knowledge.default()
    >>> concepts = [called(key(name), knowledge).concept for name in ("warfarin", "metformin", "Coumadin")]
    >>> differ(concepts[0], concepts[1], knowledge), differ(concepts[0], concepts[2], knowledge)
    (True, False)
    """
    if (lexicon := knowledge.lexicon) is None or lexicon.is_a(one, other) or lexicon.is_a(other, one):
        return False
    words = (set(_WORD.findall(lexicon.label(c).lower())) for c in (one, other))
    return set.isdisjoint(*words)


def _called(name: Key, knowledge: Knowledge) -> Called:
    if (lexicon := knowledge.lexicon) is None:
        return Called()
    if found := _senses(name, knowledge, lexicon):
        return _of_senses(name, found, knowledge, lexicon)
    words = name.split(" ")
    if len(words) > 1 and words[-1] in _RESULTS:
        return Called(RESULT)
    # What a phrase is stands before "of" or "with": "cancer of the liver".
    count = next((at for at, word in enumerate(words) if at and word in _LINKS), len(words))
    while count > 1 and (words[count - 1] in _AFTER or any(map(str.isdigit, words[count - 1]))):
        count -= 1
    # English phrases end in what they are: "acute hepatitis B". Of that only the kind is certain.
    for first in range(count):
        tail = Key(" ".join(words[first:count]))
        if mark := phrasebook().heads.get(tail):
            plain = phrasebook().tables[mark].plain
            return Called(mark, (Phrase(plain, None),) if plain else ())
        found = [s for s in _senses(tail, knowledge, lexicon) if not s.ordinary or (first == 0 and len(s.sources) > 1)]
        if found:
            return _of_senses(tail, found, knowledge, lexicon)._replace(concept=None)
    return Called()


def _senses(name: Key, knowledge: Knowledge, lexicon: Lexicon) -> list[Sense]:
    """The professional senses of a name: the most direct ones, for of the others more may be meant."""
    found = [s for s in lexicon.senses(name) if lexicon.kind(s.concept) not in _UNTOLD and _is_sound(s, lexicon)]
    if found and all(len(s.sources) == 1 and s.how != "label" and s.ordinary for s in found):
        # One list alone says so of an everyday word. It may be trusted if the dictionary has no other sense either.
        senses = [n for t in knowledge.taxonomies if GENERAL in t.flags for n in t.senses(name)]
        found = found if len(senses) == 1 else []
    if any(_is_measured(s, lexicon) for s in found) and any(
        t.senses(name) for t in knowledge.taxonomies if GENERAL in t.flags
    ):
        found = [s for s in found if not _is_measured(s, lexicon)]
    direct = [s for s in found if s.how in _DIRECT]
    named = [s for s in found if s.how not in _INDIRECT]
    chosen = direct or named or found
    if named and name.isupper() and all(lexicon.kind(s.concept) == "organism" for s in chosen):
        return [s for s in named if lexicon.kind(s.concept) == "condition"] or chosen  # who "has HIV" has the disease
    return chosen


def _is_sound(sense: Sense, lexicon: Lexicon) -> bool:
    """Can a sense be trusted? Lists of drugs have much among them that is none."""
    kind = lexicon.kind(sense.concept)
    return kind != "medication" or not _APPROVED.isdisjoint(lexicon.concept(sense.concept).sources)


def _is_measured(sense: Sense, lexicon: Lexicon) -> bool:
    """Is a test known only by what it measures? That has the name first: "gait"."""
    return lexicon.kind(sense.concept) == "test" and _MEASURED.issuperset(lexicon.concept(sense.concept).sources)


def _of_senses(name: Key, senses: Sequence[Sense], knowledge: Knowledge, lexicon: Lexicon) -> Called:
    data = phrasebook()
    marks = {data.kinds.get(lexicon.kind(s.concept), "") for s in senses}
    everyday = all(s.ordinary for s in senses)
    concept = senses[0].concept if len({s.concept for s in senses}) == 1 else None
    if all(s.how == "code" for s in senses):
        return Called("code", (), concept)
    if len(marks) > 1 and marks <= {"condition", "finding", "organism"}:
        marks = {"condition"}
    if len(marks) > 1:
        return Called(_likeliest(name, lexicon), (), None, everyday)
    (mark,) = marks
    if all(s.how in _INDIRECT for s in senses):
        if len(senses) < len(lexicon.senses(name)):
            return Called(_likeliest(name, lexicon), (), None, everyday)
        if len({source for s in senses for source in s.sources}) == 1:
            return Called()  # one list has one meaning of it, and there may be others
    if mark not in data.tables:
        return Called()
    if mark == "medication" and any(lexicon.lookup(Key(f"{name} {abuse}")) for abuse in _TAKEN):
        return Called("substance", (), concept, everyday)  # who takes it need not be treated with it
    own = [s for s in senses if data.kinds.get(lexicon.kind(s.concept)) == mark] or list(senses)
    table = data.tables[mark]
    phrases = tuple(_phrases(name, own, table, knowledge, lexicon))
    if table.within:
        above = set().union(*(_above(name, s, table, knowledge, lexicon) for s in own))
        narrower = next((n for node, n in table.within.items() if node in above), mark)
        if narrower != mark and narrower in data.tables:
            plain = data.tables[narrower].plain
            phrases = (*(p for p in phrases if p.node), *((Phrase(plain, None),) if plain else ()))
        mark = narrower
    return Called(mark, phrases, concept, everyday)


def _likeliest(name: Key, lexicon: Lexicon) -> str:
    """The mark of a name that may mean things of several kinds, if one is much likelier; else none."""
    chances: dict[str, float] = {}
    sound = {s.concept for s in lexicon.senses(name) if _is_sound(s, lexicon)}
    for number, chance in lexicon.meanings(name):
        mark = phrasebook().kinds.get(lexicon.kind(number), "") if number in sound else ""
        chances[mark] = chances.get(mark, 0.0) + chance
    best = max(chances, key=lambda m: chances[m])
    return best if chances[best] >= _SURE * sum(chances.values()) else ""


def _phrases(
    name: Key, senses: Sequence[Sense], table: Table, knowledge: Knowledge, lexicon: Lexicon
) -> Iterator[Phrase]:
    """The phrases of a table that are true of every sense, in the table's order."""
    shared: dict[int, str] | None = None
    for sense in senses:
        labels = _above(name, sense, table, knowledge, lexicon)
        above = {table.nodes[label]: label for label in labels if label in table.nodes}
        shared = above if shared is None else {at: label for at, label in shared.items() if at in above}
    if table.source == DRUGS and any(_fights_cancer(s, lexicon) for s in senses):
        shared = {at: label for at, label in (shared or {}).items() if "cancer" in label}  # bleomycin is no antibiotic
    for at, label in sorted((shared or {}).items()):
        yield Phrase(table.phrases[at], key(label))
    if table.plain and not (table.by_label and any(s.how != "label" for s in senses)):
        yield Phrase(table.plain, None)


def _fights_cancer(sense: Sense, lexicon: Lexicon) -> bool:
    return not _AGAINST_CANCER.isdisjoint(lexicon.label(a).lower() for a in lexicon.ancestors(sense.concept))


def _above(name: Key, sense: Sense, table: Table, knowledge: Knowledge, lexicon: Lexicon) -> Iterable[str]:
    """The labels of the classes that a concept belongs to, in small letters."""
    if table.source == "lexicon":
        return [lexicon.label(a).lower() for a in (sense.concept, *lexicon.ancestors(sense.concept))]
    flag = DISEASES if table.source == DISEASES else DRUGS
    for taxonomy in knowledge.taxonomies:
        if flag in taxonomy.flags:
            for known in dict.fromkeys((name, key(lexicon.label(sense.concept)))):
                for node in taxonomy.senses(known):
                    # A taxonomy may know something else by that name.
                    if any(s.concept == sense.concept for s in lexicon.senses(node.label)):
                        return _labels(taxonomy, node.id, known)
    return ()


def _labels(taxonomy: Taxonomy, node_id: str, known: Key) -> list[str]:
    node = next(n for n in taxonomy.senses(known) if n.id == node_id)
    return [n.label.lower() for n in (node, *taxonomy.ancestors(node))]
