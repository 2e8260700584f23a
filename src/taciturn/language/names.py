"""Names of persons: their parts, and which of them can be the same person's within one document."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from taciturn.language.lexicon import LEXICON, any_word

__all__ = ["TITLES", "TITLE_BEFORE", "Name", "Persons", "parse_name"]

_SEXES = {"names.title-male": "m", "names.title-female": "f", "names.title": ""}
_TITLES = {word: sex for titles, sex in _SEXES.items() for word in LEXICON.words(titles)}
_SUFFIXES = LEXICON.word_set("names.suffix")
_PARTICLES = LEXICON.word_set("names.particle")
_WORD = re.compile(r"[^\W\d_](?:[\w-]|['’](?!s\b))*")
_POSSESSIVE = re.compile(r"['’]s?$")
_MANY = 64

TITLES = tuple(_TITLES)
"""The words that may stand before a name, without a full stop."""

TITLE_BEFORE = re.compile(r"(?<!\w)(?:" + any_word(_TITLES) + r")\.?\s$")
"""A title that stands right before a name."""


@dataclass(frozen=True, slots=True)
class Name:
    """The words of a person's name without title, and what the title says of the sex ("m", "f" or nothing)."""

    words: tuple[str, ...]
    sex: str = ""


def parse_name(text: str) -> Name | None:
    """The parts of a person's name, or ``None`` where a text is no name.

    >>> parse_name("Ms Voight's"), parse_name("Mr A. Smith").words, parse_name("the patient")
    (Name(words=('Voight',), sex='f'), ('A', 'Smith'), None)
    """
    sex = ""
    words: list[str] = []
    for word in _WORD.findall(_POSSESSIVE.sub("", text)):
        if not words and word in _TITLES:
            sex = sex or _TITLES[word]
        elif word[0].isupper() or (words and word in _PARTICLES):
            if word not in _SUFFIXES:
                words.append(word)
        else:
            return None
    if not words or all(len(w) == 1 for w in words) or any(map(str.isdigit, text)):
        return None
    if not text.isupper() and any(1 < len(w) < 6 and w.isupper() for w in words):
        return None  # "CSF Mekongi": an acronym is no part of a person's name.
    return Name(tuple(words), sex)


def _same_word(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def _is_short_for(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether the words of one name occur in the other in order, an initial standing for its word."""
    at = 0
    full = False
    for word in short:
        while at < len(long) and not _same_word(word, long[at]):
            at += 1
        if at == len(long):
            return False
        full = full or (len(word) > 1 and word == long[at])
        at += 1
    return full


@dataclass(slots=True)
class _Person:
    number: int
    names: list[tuple[str, ...]] = field(default_factory=list)
    sexes: set[str] = field(default_factory=set)


class Persons:
    """The persons of one document, told apart by their full names.

    A shorter name is a person's if its words occur in one of that person's names, in order, and in no other person's:
    with two Smiths in a document, a bare "Smith" is nobody's, unless a title tells them apart ("Mrs Smith").
    """

    def __init__(self, names: list[Name]) -> None:
        self._of: dict[Name, _Person] = {}
        self._by_word: dict[str, list[_Person]] = defaultdict(list)
        self._all: list[_Person] = []
        order = sorted(dict.fromkeys(names), key=lambda name: -len(name.words))
        full = [name for name in order if len(name.words) > 1]
        for name in full:
            person = self._find(name)
            if person is None:
                person = _Person(len(self._all))
                self._all.append(person)
            self._join(person, name)
        for name in order:
            if len(name.words) == 1 and name.words[0] not in self._by_word:
                person = _Person(len(self._all))
                self._all.append(person)
                self._join(person, name)

    def _join(self, person: _Person, name: Name) -> None:
        self._of[name] = person
        if name.words not in person.names:
            person.names.append(name.words)
        if name.sex:
            person.sexes.add(name.sex)
        for word in name.words:
            if (
                len(word) > 1
                and word not in _PARTICLES
                and person not in (who := self._by_word[word])
                and len(who) <= _MANY
            ):
                who.append(person)

    def _find(self, name: Name) -> _Person | None:
        """The one known person that a name can be short for."""
        candidates: list[_Person] = []
        for word in name.words:
            if len(word) > 1 and word not in _PARTICLES:
                known = self._by_word.get(word, [])
                if len(known) > _MANY:
                    return None
                candidates += [person for person in known if person not in candidates]
        fitting = [p for p in candidates if any(_is_short_for(name.words, known) for known in p.names)]
        if len(fitting) > 1 and name.sex:
            fitting = [p for p in fitting if p.sexes == {name.sex}]
        fitting = [p for p in fitting if not name.sex or not p.sexes or name.sex in p.sexes]
        return fitting[0] if len(fitting) == 1 else None

    def number(self, name: Name) -> int | None:
        """The number of the person that a name names, or ``None`` if it could be several or nobody."""
        person = self._of.get(name) or self._find(name)
        return person.number if person else None

    def is_known_well(self, number: int) -> bool:
        """Whether a person is known by two words or a title, and not by one word that may be no name at all."""
        person = self._all[number]
        return bool(person.sexes) or any(len(words) > 1 for words in person.names)

    def forms(self) -> dict[tuple[str, ...], int]:
        """Every form by which exactly one person may be called: full names, single words of them, dotted initials."""
        found: dict[tuple[str, ...], int] = {}
        taken: set[tuple[str, ...]] = set()
        for person in self._all:
            for words in person.names:
                forms = [words, *((w,) for w in words if len(w) > 2 and w not in _PARTICLES)]
                initials = tuple(w[0] for w in words if w not in _PARTICLES)
                if len(initials) > 1:
                    forms.append(initials)
                for form in forms:
                    if found.setdefault(form, person.number) != person.number:
                        taken.add(form)
        return {form: number for form, number in found.items() if form not in taken}
