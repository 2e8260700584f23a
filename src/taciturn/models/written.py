"""The written forms of what is protected: what taxonomies and the lexicon call it and its kinds, and what is made of
these names.

A name that means something else as well, as far as the knowledge can tell, is a homograph: the second reader points at
it, and the document decides (:func:`taciturn.models.floor.find`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from taciturn.knowledge import Knowledge, Taxonomy, UnknownTermError
from taciturn.knowledge.concept import similar
from taciturn.knowledge.lexicon import Lexicon, Name
from taciturn.knowledge.matter import concepts_named
from taciturn.knowledge.taxonomies.base import Node
from taciturn.knowledge.taxonomies.flags import GENERAL
from taciturn.language.keys import Key, is_ordinary, key
from taciturn.language.tagger import load_weights
from taciturn.secondreader import Form, How, form_of, forms_of, read
from taciturn.secondreader.derived import derived, head_first

__all__ = ["concept_forms"]

_TOO_SHORT = 2  # letters of a name that may always be something else
_INITIALS = 3  # letters of an abbreviation that stands for too many things
_VOUCHED = 3  # sources that vouch for one
_SHORT = 5  # letters from which a key in small letters is no abbreviation
_MOSTLY = 0.5  # of the meanings of a name, or of the things with a word in their names
_CAPITALS = 128  # of 255 parts of a word's mentions that have a capital
_TELLING = 4  # letters of a word that can tell
_SELDOM = 0.05  # of the things with a word in their names: below it, the word alone names none of them
_LONG = 7  # letters of a word that is cut short
_CUT = (3, 4, 5)  # letters that are left of it
_LARGE = 1000  # concepts of a family in whose names every qualifier is frequent
_ROMAN = re.compile("[ivx]+", re.IGNORECASE)
_POSSESSIVE = re.compile(r"'s\b")
_ICD_9 = "ICD 9 "
_CALLED = ("persons", "topic")
_TITLED = ("written", "in a list of several")
_MANY = 3000  # things with a word in their names from which it is no sign of any
_CATEGORY = re.compile("[A-Z][0-9]{2}")
_NAMES = ("label", "synonym", "entry term", "spelling")


def is_frequent(word: str) -> bool:
    """Is it a frequent word of English, and mostly written in small letters?

    >>> is_frequent("method"), is_frequent("thalassemic"), is_frequent("hiv")
    (True, False, False)
    """
    weights = load_weights()
    row = weights.rows.get(word)
    return row is not None and bool(weights.capitals[row] < _CAPITALS)


def concept_forms(text: str, knowledge: Knowledge, *, kinds: bool) -> Iterator[Form]:
    """The written forms of the concept that a text names, and with ``kinds`` of everything below it.

    >>> found = {f.text: f.how for f in concept_forms("HIV", Knowledge.default(), kinds=True)}
    >>> found["B20"], found["AIDS virus"], found["ARC"], found["VIH"]
    ('code', 'name', 'homograph', 'abbreviation')
    """
    try:
        own = knowledge.entity(text)
    except UnknownTermError:
        own = key(text)
    # Who says "aids" and means the disease does not mean hearing aids.
    is_meant = own == key(text) or not is_ordinary(key(text))
    yield form_of(text, text) if is_meant else Form(text, "homograph", (text,))
    if own != key(text):
        yield form_of(own, text)
    yield from (Form(short, "name", (text,)) for short in _shortened(own, knowledge))
    known: set[Key] = set()
    families: list[_Family] = []
    if knowledge.lexicon is not None:
        for entity in knowledge.entities_named(text):
            family = _family(text, entity, knowledge.lexicon, knowledge, kinds=kinds)
            families.append(family)
            for form in family.forms():
                known.add(key(form.text))
                yield form
    for taxonomy in knowledge.taxonomies:
        sense = _sense(own, taxonomy, known)
        for node in (sense, *(taxonomy.descendants(sense) if kinds else ())) if sense is not None else ():
            for name in taxonomy.keys(node):
                if name not in known or (GENERAL not in taxonomy.flags and all(f.tells(name) for f in families)):
                    yield _taxonomy_form(_as_written(name), text, node, taxonomy, knowledge, is_own=node is sense)


def _shortened(own: Key, knowledge: Knowledge) -> Iterator[str]:
    """A name of two words with the first one cut short, where texts mean nothing else as often: "hep c"."""
    first, _, rest = own.partition(" ")
    if len(first) >= _LONG and rest and " " not in rest:
        for size in _CUT:
            short = f"{first[:size]} {rest}"
            meant = [k for k in similar(short, knowledge) if k.endswith(f" {rest}")]
            if max(meant, key=knowledge.counts.count, default=None) == own:
                yield short


def _sense(own: Key, taxonomy: Taxonomy, known: set[Key]) -> Node | None:
    """What a taxonomy means by the key of the concept whose names are known: in the general vocabulary a sense that
    has another one of these names if there is one, for "stroke" is first of all something that a player does."""
    senses = taxonomy.senses(own)
    if GENERAL in taxonomy.flags and known:
        senses = (*(s for s in senses if any(k != own and k in known for k in taxonomy.keys(s))), *senses)
    return senses[0] if senses else None


def _taxonomy_form(name: Key, text: str, node: Node, taxonomy: Taxonomy, knowledge: Knowledge, *, is_own: bool) -> Form:
    form = form_of(name, text, node.label)
    short = not is_own and form.how == "abbreviation" and len(name) <= _INITIALS and is_ordinary(name.lower())
    if short or _is_homograph(name, node, taxonomy, knowledge):
        # What a kind may be called is decided by that kind's other names, not by its relatives'.
        return Form(name, "homograph", form.of if is_own else (node.label,))
    return form


def _as_written(text: Key) -> Key:
    """A short key in the capitals that texts write it with: "psa" is PSA."""
    if " " in text or len(text) >= _SHORT or not text.islower():
        return text
    return text if text not in load_weights().rows or is_frequent(text) else Key(text.upper())


def _is_homograph(form: Key, node: Node, own: Taxonomy, knowledge: Knowledge) -> bool:
    if sum(map(str.isalnum, form)) <= _TOO_SHORT:
        return True
    if " " in form or not form.islower():
        return False
    if is_ordinary(form):
        return True
    return any(s.id != node.id for s in own.senses(form)[:1]) or any(
        s.label != node.label and not set(t.keys(s)) & set(own.keys(node))
        for t in knowledge.taxonomies
        if t is not own
        for s in t.senses(form)[:1]
    )


@dataclass(frozen=True)
class _Family:
    """The concepts that a text names (``own``), and those with everything below them (``members``)."""

    text: str
    entity: Key
    own: frozenset[int]
    members: dict[int, None]
    names: dict[int, tuple[Name, ...]]
    lexicon: Lexicon
    knowledge: Knowledge
    keys: set[str] = field(default_factory=set)
    shares: dict[str, float] = field(default_factory=dict)

    def forms(self) -> Iterator[Form]:
        for concept, names in self.names.items():
            of = (self.text, self.lexicon.label(concept))
            for name in names:
                how = self._how(name, is_own=concept in self.own)
                if how == "code":
                    yield from (Form(code, "code", of) for code in self._codes(name.text))
                    continue
                # What a kind may be called is decided by that kind's other names, not by its relatives'.
                yield Form(name.text, how, of if how != "homograph" or concept in self.own else of[1:])
                yield from self._made(name, how, of, is_own=concept in self.own)
        for concept in self.own if len(self.members) == len(self.own) else ():
            for kind in self.lexicon.descendants(concept):
                of = (self.text, self.lexicon.label(kind))
                yield from (
                    Form(n.text.removeprefix(_ICD_9), "code", of) for n in self.lexicon.names(kind) if n.how == "code"
                )
        if self.own:
            yield from self._words()
            yield from self._coded()
        if self.text.isalpha() and key(self.text) == self.entity:
            yield from self._derived(self.text, (self.text,))

    def _how(self, name: Name, *, is_own: bool) -> How:
        """How strictly a name is searched for."""
        text = name.text
        if name.how == "code":
            return "code"
        size = sum(map(str.isalnum, text))
        if size <= _TOO_SHORT or self._share(name) < _MOSTLY:
            return "homograph"
        if name.how == "abbreviation" or (text.isupper() and " " not in text):
            small = text.lower()
            known = size > _INITIALS or name.how == "label" or len(name.sources) >= _VOUCHED
            sure = is_own or (known and not is_ordinary(small) and not (text == small and is_frequent(small)))
            return "abbreviation" if sure else "homograph"
        if name.how == "derived":
            other = (not is_own and is_frequent(text)) or self._is_thing(text)
            return "homograph" if other else "derived"
        if not self.tells(key(text)):
            return "homograph"
        if " " in text or (is_own and key(text) == self.entity):
            return "name"
        other = is_ordinary(text.lower()) or (is_frequent(text.lower()) and not is_own)
        return "homograph" if (name.ordinary and other) or self._means_other(text) else "name"

    def _codes(self, code: str) -> Iterator[str]:
        """A code, without the name of its classification, and the categories after it that this edition has not:
        where others divide more finely ("B24"), they stand for the same."""
        yield (code := code.removeprefix(_ICD_9))
        if _CATEGORY.fullmatch(code):
            for number in range(int(code[1:]) + 1, 100):
                if self.lexicon.lookup(Key(following := f"{code[0]}{number:02}")):
                    break
                yield following

    def tells(self, name: Key) -> bool:
        """Has a name a word that other things seldom have in theirs? "Type 2" and "generalized" are what is left of
        longer names."""
        if (word := _only_word(name)) is None:
            return True
        return self.shares.get(word, 1.0) >= (_SELDOM if len(self.members) < _LARGE else _MOSTLY)

    def _share(self, name: Name) -> float:
        """How much of what a name means belongs to the family."""
        if not name.others and name.how != "abbreviation":
            return 1.0
        meanings = self.lexicon.meanings(name.text.upper() if name.how == "abbreviation" else name.text)
        total = sum(chance for _, chance in meanings)
        return sum(chance for concept, chance in meanings if concept in self.members) / total if total else 1.0

    def _is_thing(self, word: str) -> bool:
        """Does a derived word name something else outright? Who is called by it ("alcoholics") is nothing else."""
        return any(
            s.how != "derived" and s.concept not in self.members and self.lexicon.kind(s.concept) not in _CALLED
            for s in self.lexicon.senses(word)
        )

    def _means_other(self, word: str) -> bool:
        """Does the general vocabulary take a word for something else first?"""
        for taxonomy in self.knowledge.taxonomies:
            if GENERAL in taxonomy.flags and (senses := taxonomy.senses(own := key(word))):
                return len(senses) > 1 and not any(k != own and k in self.keys for k in taxonomy.keys(senses[0]))
        return False

    def _made(self, name: Name, how: How, of: tuple[str, ...], *, is_own: bool) -> Iterator[Form]:
        """The adjectives and persons of a name, and its initials in other languages."""
        if how == "abbreviation":
            other = head_first(name.text)
            if is_own and name.text.isalpha() and other != name.text and not is_ordinary(other.lower()):
                yield Form(other, "abbreviation", of)
        elif how == "name" and name.text.isalpha() and name.how in _NAMES:
            yield from self._derived(name.text, of)

    def _derived(self, word: str, of: tuple[str, ...]) -> Iterator[Form]:
        for made in dict.fromkeys(derived(word)):
            if self._is_thing(made):
                continue
            is_organ = word.endswith("itis") and not made.endswith("itic")
            if is_organ and (self.lexicon.senses(made) or is_frequent(made) or self.knowledge.counts.count(key(made))):
                continue  # "hepatic" speaks of the liver, well or ill
            yield Form(made, "homograph" if is_ordinary(made) else "derived", of)

    def _coded(self) -> Iterator[Form]:
        """The codes of things that no source puts below these concepts, but whose titles name them: "Unspecified
        dementia", "Malignant neoplasm of bronchus and lung"."""
        if (relations := self.knowledge.relations) is None:
            return
        own = [n.text for c in sorted(self.own) for n in self.names[c] if self._how(n, is_own=True) == "name"]
        forms = forms_of(Form(text) for text in (self.text, *own))
        words = {w for text in (self.text, *own) for w in key(text).split(" ")}
        listed = (found for w in sorted(words) if len(found := relations.having(w)) <= _MANY)
        others = dict.fromkeys(c for found in listed for c in found if c not in self.members)
        for concept in filter(self.lexicon.has_code, others):
            codes = [n.text for n in self.lexicon.names(concept) if n.how == "code"]
            title = self.lexicon.label(concept)
            if any(h.way in _TITLED and not h.ambiguous for h in read(title, forms)):
                yield from (Form(code.removeprefix(_ICD_9), "code", (self.text, title)) for code in codes)

    def _words(self) -> Iterator[Form]:
        """Words that stand in the names of these concepts and in hardly any other: "schizoaffective"."""
        relations = self.knowledge.relations
        names = [n.text for c in sorted(self.own) for n in self.names[c] if n.how in ("label", "synonym")]
        given = _POSSESSIVE.sub("", key(self.text)).split(" ")
        words = (
            relations.words((*map(key, (*names, self.text)), " ".join(given)), sorted(self.own))
            if relations is not None
            else {}
        )
        for word, share in words.items():
            if share < _MOSTLY or not word.islower() or is_ordinary(word):
                continue
            if is_frequent(word) and not (word in given and relations is not None and relations.has_word(word)):
                continue
            if word in given or all(s.concept in self.members for s in self.lexicon.senses(word)):
                yield Form(word, "name", (self.text,))
                yield from self._derived(word, (self.text,))


def _family(text: str, entity: Key, lexicon: Lexicon, knowledge: Knowledge, *, kinds: bool) -> _Family:
    own = concepts_named(entity, lexicon).concepts
    below = [c for concept in own for c in lexicon.descendants(concept)] if kinds else []
    members = dict.fromkeys((*own, *below))
    names = {concept: lexicon.names(concept) for concept in members}
    keys: set[str] = {key(n.text) for several in names.values() for n in several if n.how in _NAMES}
    words = sorted(filter(None, set(map(_only_word, keys))))
    shares = knowledge.relations.words(words, own) if knowledge.relations is not None and own else {}
    return _Family(text, entity, frozenset(own), members, names, lexicon, knowledge, keys, shares)


def _only_word(name: str) -> str | None:
    """The word of a name that has no other one, but for numbers and single letters; None if there are several."""
    words = [w for w in name.split(" ") if len(w) > _TOO_SHORT and not w.isdigit() and not _ROMAN.fullmatch(w)]
    return words[0] if len(words) == 1 and len(words[0]) >= _TELLING and words[0].isalpha() else None
