"""Names in the place of names: of the same sex, of the same part of the world, and in the same script."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from taciturn.language.lexicon import LEXICON
from taciturn.language.people import FEMALE, GIVEN, MALE, SURNAME, name_table

__all__ = ["Part", "all_names", "is_name", "names_like"]

Part = Literal["f", "m", "s"]
"""A woman's given name, a man's, a surname."""

_DEFAULT = "en_US"
_FEWEST = 8  # names to choose from


@dataclass(frozen=True, slots=True)
class _Cultures:
    """The names of each locale by part, and the locales in whose lists a name stands, the most frequent there first."""

    lists: dict[tuple[str, Part], tuple[str, ...]]
    places: dict[str, tuple[tuple[int, str, Part], ...]]


@lru_cache(maxsize=1)
def _cultures() -> _Cultures:
    with LEXICON.file("cultures.npz").open("rb") as file, np.load(file) as stored:
        lines = stored["lists"].tobytes().decode("utf-8").split("\n")
    lists: dict[tuple[str, Part], tuple[str, ...]] = {}
    places: dict[str, list[tuple[int, str, Part]]] = {}
    for line in lines:
        locale, part, names = line.split("\t")
        role: Part = "f" if part == "f" else "m" if part == "m" else "s"
        lists[locale, role] = tuple(names.split())
        for rank, name in enumerate(lists[locale, role]):
            places.setdefault(name.casefold(), []).append((rank, locale, role))
    return _Cultures(lists, {name: tuple(sorted(found)) for name, found in places.items()})


def names_like(word: str, beside: tuple[str, ...] = (), *, first: bool = False) -> tuple[str, ...]:
    """The names that may stand for a name: those of its locale, its sex, its part of a full name and its script.

    ``beside`` are the other words of the full name, which tell the locale where the word itself does not; ``first``
    says that the word stands where a given name does.

    >>> "Balogun" in names_like("Okafor"), "Smith" in names_like("Okafor"), names_like("नेहा")[0]
    (True, False, 'अंजली')
    """
    known = _cultures()
    part, script = _part(word, first), _script(word)
    votes: Counter[str] = Counter()  # by language: "Smith" is in most English lists, and in one of Quebec
    ranks: dict[str, int] = {}
    for other in dict.fromkeys((word, *beside)):
        for rank, locale, _ in known.places.get(other.casefold(), ()):
            votes[locale[:2]] += 1
            ranks[locale] = min(rank, ranks.get(locale, rank))
    order = sorted(ranks, key=lambda locale: (-votes[locale[:2]], ranks[locale], locale))
    rest = sorted({locale for locale, _ in known.lists}) if script else []
    for locale in (*order, *rest):
        fitting = tuple(name for name in known.lists[locale, part] if _script(name) == script)
        if len(fitting) >= _FEWEST:
            return fitting
    return known.lists[_DEFAULT, part]


@lru_cache(maxsize=1)
def all_names() -> frozenset[str]:
    """Every name that a surrogate can be, in small letters.

    >>> "balogun" in all_names()
    True
    """
    return frozenset(_cultures().places)


def is_name(word: str) -> bool:
    """Whether a word is known as a name; if not, two or three letters are initials.

    >>> is_name("Ann"), is_name("JRK")
    (True, False)
    """
    return bool(name_table().figures([word]).any()) or word.casefold() in _cultures().places


def _part(word: str, first: bool) -> Part:
    counts = name_table().figures([word])[0]
    listed = _cultures().places.get(word.casefold(), ())
    if counts.any():
        if counts[SURNAME] > counts[GIVEN] and not (first and counts[GIVEN] > 0):
            return "s"
        return "f" if counts[FEMALE] > counts[MALE] else "m"
    if listed:
        return listed[0][2]
    return "m" if first else "s"


def _script(word: str) -> int:
    """The script of a word, coarsely: 0 for Latin letters, else the block of its first letter."""
    code = ord(word[0])
    return 0 if code < 0x370 or 0x1E00 <= code < 0x1F00 else code >> 8 if code < 0x2E80 else 0x4E
