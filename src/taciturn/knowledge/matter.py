"""What a user means by the words that name what must stay unsaid.

"HPV / cervical dysplasia" names two things, "heroin use in remission (methadone)" a thing and its treatment. Each part
is looked for in the lexicon: as it stands, with its words in another order ("hemorrhage, postoperative" for
"postoperative hemorrhage"), then without the modifiers on its left as long as two words remain ("arm pain" for "left
arm pain"). Who says "Kurdish origin", "Labour Party membership" or "being transgender" names a matter with words that
only say how a person stands to it: the matters in the phrase are meant, whatever the other words are. A part that
nothing knows is still protected by its own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from taciturn.knowledge.counts.base import first_of
from taciturn.knowledge.lexicon import OF_PEOPLE, Lexicon
from taciturn.language.keys import Key, key

__all__ = ["Matter", "concepts_named", "parts"]

_BETWEEN = re.compile(r"\s*(?:[/;()\[\]]|,\s)\s*")
_MOST_WORDS = 5  # of a phrase whose words are tried in every order
_INDIRECT = frozenset({"abbreviation", "code", "brand", "translation"})
_OF_LIFE = frozenset({"condition", "procedure", "function", "event", "topic"})

Rests = Literal["name", "words in another order", "a more general name", "the matters in it", "its own words"]


@dataclass(frozen=True, slots=True)
class Matter:
    """What was understood: the concepts of the lexicon, and on what that rests."""

    text: str
    concepts: tuple[int, ...]
    rests: Rests


def parts(text: str) -> tuple[str, ...]:
    """The things that a phrase names side by side.

    >>> parts("HPV / cervical dysplasia"), parts("criminal record (burglary)"), parts("HIV")
    (('HPV', 'cervical dysplasia'), ('criminal record', 'burglary'), ('HIV',))
    """
    return tuple(dict.fromkeys(part for part in _BETWEEN.split(text.strip()) if part)) or (text,)


def concepts_named(text: str, lexicon: Lexicon) -> Matter:
    """The concepts that a phrase without parts names; of names that are put together, those of the first."""
    text = first_of(Key(text))
    if found := _meant(text, lexicon):
        return Matter(text, found, "name")
    words = key(text).split()
    if 2 <= len(words) <= _MOST_WORDS:
        for order in permutations(words):
            if found := _meant(" ".join(order), lexicon):
                return Matter(text, found, "words in another order")
    for first in range(1, len(words) - 1):
        if found := _meant(" ".join(words[first:]), lexicon):
            before = _within(words[:first], lexicon, OF_PEOPLE)
            return Matter(text, tuple(dict.fromkeys((*found, *before))), "a more general name")
    for kinds in (OF_PEOPLE, _OF_LIFE):
        if found := _within(words, lexicon, kinds):
            return Matter(text, found, "the matters in it")
    return Matter(text, (), "its own words")


def _within(words: Sequence[str], lexicon: Lexicon, kinds: Collection[str]) -> tuple[int, ...]:
    """The concepts of some kinds that parts of a phrase name, the longest part first from each word on."""
    found: dict[int, None] = {}
    at = 0
    while at < len(words):
        for last in range(len(words), at, -1):
            named = [c for c in _meant(" ".join(words[at:last]), lexicon) if lexicon.kind(c) in kinds]
            if named:
                found |= dict.fromkeys(named)
                at = last - 1
                break
        at += 1
    return tuple(found)


def _meant(text: str, lexicon: Lexicon) -> tuple[int, ...]:
    """Every concept that a name names directly, else the one that it most often abbreviates."""
    senses = lexicon.senses(text)
    direct = tuple(s.concept for s in senses if s.how not in _INDIRECT)
    return direct or tuple(s.concept for s in senses[:1])
