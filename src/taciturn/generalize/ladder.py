"""What a term can be replaced by: phrases that say less, from the most specific to the most general.

A *rung* is one such phrase. A name that professionals know is called by its plain categories
(:mod:`taciturn.generalize.categories`) and by nothing else. Other rungs come from the term itself (an "acute
infection" is an "infection"), from the taxonomies in order of priority, and last from its kind (a "person"). Choosing
one is the model's business; which would mislead a reader, or tell him nothing, is decided here and in
:mod:`taciturn.generalize.sense`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile

from taciturn.document import Term
from taciturn.generalize.categories import Called, called
from taciturn.generalize.phrasebook import phrasebook
from taciturn.generalize.sense import fitting_sense, is_empty, is_plain, names_a_thing, readers_take
from taciturn.generalize.writing import is_shouted, write_phrase
from taciturn.knowledge import Knowledge
from taciturn.knowledge.cache import KnowledgeCache
from taciturn.knowledge.taxonomies.flags import GENERAL, PLACES, PROFESSIONAL, STANDARD, VALUES
from taciturn.language import Key, key
from taciturn.language.inflection import is_plural
from taciturn.language.lexicon import LEXICON
from taciturn.reading import NAMES, Reading

__all__ = ["CATEGORY", "KIND", "Rung", "is_known", "ladder", "looks_like_a_name"]

CATEGORY, KIND = "its category", "its kind"
"""The sources of a rung that is a plain category, and of one that is no more than the kind of a name."""

_KIND_PHRASES = {
    "person": "person",
    "organization": "organization",
    "place": "place",
    "time": "date",
    "date": "date",
}
_NO_HEADS = LEXICON.word_set("generalize.no-head")
_HANGING = LEXICON.word_set("generalize.hanging")
_RELATIVE = LEXICON.word_set("generalize.relative")
_SAYABLE = LEXICON.word_set("generalize.sayable")
_UNTOLD = frozenset(("topic",))
_WORD = re.compile(r"[^\W\d_]{2}")
_OF = re.compile(r" of (?:the |an? )?(?!.* of )")
_EPONYMS = LEXICON.words("generalize.eponym")
_WHOLE = frozenset((VALUES, PLACES))  # know whole expressions only, not what a longer one ends in
_OFTEN = 10  # paragraphs that speak of a disease from which its name alone is taken for it
_CATEGORY = 10  # the tier of the first category, after what the term itself and its taxonomies say
_LAST = 90  # the tier of what is taken only where nothing else fits


@dataclass(frozen=True, slots=True)
class Rung:
    """A more general phrase: what the reader gets, the key it is judged by, and where it comes from.

    A rung of a lower ``tier`` is preferred whatever it says: the first taxonomy that knows a term is the likeliest to
    mean the same thing ("thrush" is no bird in a clinical note), and its principal line before side lines. A label
    that ``is_written`` stands in the text as it is; it is judged by the key at its end, as the term was.
    ``flags`` are those of the taxonomy that it comes from, ``node`` the class that it stands for: what that says is
    said by the rung, too.
    """

    label: str
    key: Key
    source: str
    tier: int = 0
    is_written: bool = False
    flags: frozenset[str] = frozenset()
    node: Key | None = None

    @property
    def is_name(self) -> bool:
        """Is it a name, such as "California", and not a kind of thing?"""
        return PLACES in self.flags and self.label[:1].isupper()

    @property
    def is_relative(self) -> bool:
        """Does it need a mark for the word that is gone: "[REDACTED] use"?"""
        return self.source == "its head" and (self.key in _RELATIVE or is_empty(self.key))


# Texts repeat their terms. These take some 10 MB.
_LADDERS: KnowledgeCache[tuple[object, ...], tuple[Rung, ...]] = KnowledgeCache(most=1 << 13)


def ladder(reading: Reading, known: Key | None, knowledge: Knowledge) -> tuple[Rung, ...]:
    """The rungs above an expression, each key once, most specific first within each source.

    ``known`` is the key that stands for it as a whole (its own, or the longest known phrase at its end).
    """
    asked = (reading.text, reading.keys, reading.kind, reading.role, known)
    return _LADDERS.get(knowledge, asked, lambda: _ladder(reading, known, knowledge))


def _ladder(reading: Reading, known: Key | None, knowledge: Knowledge) -> tuple[Rung, ...]:
    """The same, worked out anew: first the heads, then what the taxonomies say of the longest part that they know."""
    own, text = reading.keys[0], reading.text
    words = text.split()
    kind = "other" if _is_acronym(text) else reading.kind
    rungs: dict[Key, Rung] = {}

    def add(label: str, source: str, tier: int = 0, flags: frozenset[str] = frozenset()) -> None:
        name = key(label)
        if name and name != own:
            rungs.setdefault(name, Rung(label, name, source, tier, flags=flags))

    category = called(own, knowledge)
    is_title = _is_title(words[-1])
    # "Crohn", "Lyme": who is named after whom does not matter where the disease is known.
    if len(words) == 1 and is_title and kind in ("person", "place") and not category.mark:
        named = [k for e in _EPONYMS if _is_spoken_of(k := Key(f"{own} {e}"), knowledge)]
        category = called(named[0], knowledge) if named else category
    tails, heads = _ends(text, kind, knowledge) if reading.role == "term" else ([], [])
    heads = [h for h in heads if _says_what(h, reading, category, knowledge)]
    # What a professional vocabulary knows is called by its category: an appendix is no writing. A user's own taxonomy
    # knows better.
    users = [t for t in knowledge.taxonomies if t.name not in STANDARD]
    of = _OF.search(text) if reading.role != "word" and not is_known(own, knowledge) else None
    if of and not any(t.senses(own) for t in knowledge.taxonomies):
        return _of_phrase(reading, of, knowledge)
    if (category.mark or is_known(own, knowledge)) and not any(t.senses(own) for t in users):
        for head in heads if words[-1].lower() not in _NO_HEADS else ():
            add(head, "its head")
        return (*rungs.values(), *(r for r in _categories(reading, category) if r.key not in rungs))
    # Outside noun phrases a word of the general vocabulary may be no noun ("gay").
    taxonomies = [
        t
        for t in knowledge.taxonomies
        if not (reading.role == "word" and GENERAL in t.flags)
        and not (knowledge.lexicon is not None and PROFESSIONAL in t.flags and t.name in STANDARD)
    ]
    source = next((t for t in taxonomies if t.senses(own)), None)
    if reading.role == "term" and words[-1].lower() in _NO_HEADS:
        return ()
    for head in heads if source is None or not is_title else ():
        # A head that the source of the whole does not know is something else: "heart failure" is no "failure".
        add(head, "its head", 0 if source is None or source.senses(head) else 1)
    names = dict.fromkeys(n for n in (own, known, *tails) if n and (n == own or n in tails))
    # "Crohn", "Lyme": who is named after whom does not matter where the disease is known.
    is_eponym = len(words) == 1 and is_title and kind in ("person", "place")
    eponyms = [Key(f"{own} {e}") for e in _EPONYMS] if is_eponym else []
    names = dict.fromkeys([*eponyms, *names])
    tier = 0
    for name in names:
        if tier:
            break  # what is known of the whole is nearer to the truth than what is known of its head
        for taxonomy in taxonomies:
            is_part = name in tails and name != own
            if is_part and not taxonomy.flags.isdisjoint(_WHOLE):
                continue  # the 2 of "type 2" is no age, the "Times" no town in Norway
            if is_part and GENERAL in taxonomy.flags and kind not in NAMES and knowledge.lexicon is not None:
                continue  # the end of a phrase has a sense of its own: "second cousin", "sodium channel"
            sense = fitting_sense(taxonomy, name, kind, is_title=is_title, is_part=is_part and name not in heads)
            if sense is None:
                continue
            line = {node.id for node in taxonomy.chain(sense)}
            above = taxonomy.generalizations(sense)
            if GENERAL in taxonomy.flags and knowledge.lexicon is not None:
                above = tuple(n for n in above if is_plain(taxonomy, name, n))
            for node in above:
                if name in eponyms and node.key != _EPONYMS[0]:
                    continue  # one who gave a disease his name gave it to signs and tests, too
                if node.key in heads or readers_take(taxonomy, node):
                    add(node.label, taxonomy.name, tier if node.id in line else tier + 1, taxonomy.flags)
            tier += 2
    if not rungs and (phrase := _KIND_PHRASES.get(kind)) and (kind not in NAMES or _is_a_name(reading, knowledge)):
        add(phrase, KIND)  # a guess, so only where nothing better is known
    return tuple(rungs.values())


def is_known(name: Key, knowledge: Knowledge) -> bool:
    """Does a professional vocabulary know a name, under any of its senses?

    >>> knowledge = Knowledge.default()
    >>> is_known(key("appendix"), knowledge), is_known(key("red chair"), knowledge)
    (True, False)
    """
    lexicon = knowledge.lexicon
    return lexicon is not None and any(lexicon.kind(s.concept) not in _UNTOLD for s in lexicon.senses(name))


def _is_spoken_of(name: Key, knowledge: Knowledge) -> bool:
    """Is a name known and used? A town that gave a rare disease its name is a town."""
    lexicon = knowledge.lexicon
    return lexicon is not None and any(lexicon.uses(s.concept) >= _OFTEN for s in lexicon.senses(name))


def _says_what(head: Key, reading: Reading, category: Called, knowledge: Knowledge) -> bool:
    """Does the end of an expression say what the whole is?

    Not a part of a body, which says where it is ("bruise left ankle"), nor the end of a name that is known as a whole,
    unless the vocabulary has the whole below it ("plaque psoriasis", but not "heart failure") or it is what has the
    name ("Mercy Hospital").
    """
    lexicon = knowledge.lexicon
    if lexicon is None:
        return True
    last = lexicon.senses(head.rsplit(" ", 1)[-1])
    if any(lexicon.kind(s.concept) == "anatomy" for s in last) or _splits(head, reading.text, knowledge):
        return False
    if category.mark and (head in _RELATIVE or is_empty(head)):
        return False
    if category.mark == "condition" and head in phrasebook().heads:
        return False  # "a disorder" says no more than "a condition", and is less usual
    if category.mark in ("specialty", "organism"):
        return False  # "medicine" for addiction medicine, a disease for what causes it
    words = reading.text.split()
    dropped = words[: len(words) - len(head.split(" "))]
    if not is_known(reading.keys[0], knowledge) or _is_title(words[-1]) or all(w.lower() in _SAYABLE for w in dropped):
        return True
    whole = {s.concept for s in lexicon.senses(reading.keys[0])}
    return any(any(lexicon.is_a(c, s.concept) for c in whole) for s in lexicon.senses(head))


def _splits(head: Key, text: str, knowledge: Knowledge) -> bool:
    """Does the end of an expression begin inside a known phrase, as "floor training" in "pelvic floor training"?"""
    words = text.split()
    at = len(words) - len(head.split(" "))
    if at <= 0 or at >= len(words) - 1:
        return False
    before, after = words[at - 1 : at + 1]
    if before[0].isupper() and after[0].isupper() and not is_shouted(text):
        return True
    joint = key(f"{before} {after}")
    return is_known(joint, knowledge) or any(t.senses(joint) for t in knowledge.taxonomies if GENERAL in t.flags)


def _categories(reading: Reading, category: Called) -> Iterator[Rung]:
    """The categories of a term as rungs, with what its own first words say of time and degree, and without."""
    words = reading.text.lower().split()
    said = " ".join(takewhile(_SAYABLE.__contains__, words[:-1]))
    for tier, (label, node) in enumerate(category.phrases):
        for at, phrase in enumerate((f"{said} {label}", label) if said else (label,)):
            yield Rung(phrase, key(phrase), CATEGORY, _CATEGORY + 2 * tier + at, node=node)


def _ends(text: str, kind: str, knowledge: Knowledge) -> tuple[list[Key], list[Key]]:
    """The keys of what an expression ends in, longest first: all of them, and those that say what it is."""
    words = text.split()
    # Cut between words and not inside hyphenated ones: an "AIDS-related disorder" is no "related disorder".
    ends = [" ".join(words[first:]) for first in range(1, len(words)) if words[first].lower() not in _HANGING]
    in_capitals = is_shouted(text)
    tails = [key(end.lower() if in_capitals else end) for end in ends if _WORD.search(end)]
    if words[-1][0].islower() or in_capitals:
        return tails, tails
    if tails and kind != "person" and _is_title(words[-1]):
        is_thing = names_a_thing(tails[-1], knowledge, is_plural(words[-1]))
        return tails, tails[-1:] if is_thing else []  # "St. Mary's Hospital" is a hospital
    return tails, []


def _of_phrase(reading: Reading, of: re.Match[str], knowledge: Knowledge) -> tuple[Rung, ...]:
    """The rungs of "history of the Catholic Church": "history of the church", and last what stands before "of"."""
    text = reading.text
    at = of.end()
    inner = Term(at, len(text), text[at:], key(text[at:]))
    rungs: dict[str, Rung] = {}
    if inner.key:
        part = Reading(inner.text, (inner.key,), "other", 0, "term", ())
        for rung in ladder(part, inner.key, knowledge):
            if not rung.is_written and not rung.is_relative:
                written = write_phrase(rung.label, inner, text, (0, len(text)), is_name=rung.is_name)
                label = text[: written.start] + written.text
                rungs.setdefault(label, replace(rung, label=label, is_written=True))
    head = text[: of.start()].split()
    if head[-1].lower() not in _NO_HEADS:
        for first in range(len(head)):
            if (tail := key(" ".join(head[first:]))) and head[first].lower() not in _HANGING:
                rungs.setdefault(tail, Rung(tail, tail, "its head", _LAST))
    return tuple(rungs.values())


def _is_title(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()


def _is_acronym(text: str) -> bool:
    """Is it one short word in capitals? What kind of name it is cannot be seen in it: "HSV" is no person."""
    return text.isupper() and text.isalnum() and len(text) <= 6


def looks_like_a_name(text: str) -> bool:
    """Has every word of an expression a capital, and are not all of them acronyms?

    >>> looks_like_a_name("Anna Roe"), looks_like_a_name("CBT-E"), looks_like_a_name("swab NAAT")
    (True, False, False)
    """
    words = text.split()
    return all(word[0].isupper() and _WORD.search(word) for word in words) and any(map(_is_title, words))


def _is_a_name(reading: Reading, knowledge: Knowledge) -> bool:
    """Does it look like a name, and does no taxonomy know it, or a disease or drug in it, as something common?"""
    if not looks_like_a_name(reading.text):
        return False
    for taxonomy in knowledge.taxonomies:
        if GENERAL in taxonomy.flags:
            if any(sense.label[0].islower() for sense in taxonomy.senses(reading.keys[0])):
                return False
        elif taxonomy.flags.isdisjoint(_WHOLE) and any(taxonomy.knows(reading.keys)):
            return False
    return True
