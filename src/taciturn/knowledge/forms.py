"""Derived forms of an entity's name that no taxonomy lists: "Catholic" of "Catholicism", "pregnant" of "pregnancy"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from taciturn.knowledge.counts.base import Counts
from taciturn.language.keys import Key
from taciturn.language.lexicon import LEXICON

__all__ = ["forms"]

_DERIVED = re.compile(rf"{LEXICON.any_of('morphology.derived')}$")
_ENDINGS = rf"(?:{LEXICON.any_of('morphology.deriving')})?"
_SHORTEST = 6  # letters of a base that is told apart from others
# What one is who has it: by the end of the noun, the ends of its adjectives and participles.
_ADJECTIVES = {
    end: tuple(ending.removeprefix("-") for ending in endings) for end, endings in LEXICON.lists("adjectives").items()
}
_ADJECTIVE = 5  # letters of an adjective that is told apart from other words


def forms(entities: Sequence[Key], counts: Counts) -> dict[Key, re.Pattern[str]]:
    """A pattern of the derived forms of each entity whose name is one word; entities without such forms are left out.

    Two rules make the forms. A name that is derived itself ("Catholicism") gives its base with the usual endings, if
    the counts know the base as a word: so "communism" does not claim "community". A noun gives the adjectives of who
    has it ("pregnancy", "pregnant"), unless the counts know the adjective as a noun of its own.

    >>> from taciturn.knowledge import ContextCounts
    >>> found = forms(["catholicism", "communism"], ContextCounts([{"catholic", "catholicism", "communism"}]))
    >>> [bool(found["catholicism"].search(w)) for w in ("catholic church", "catholics", "cathode")]
    [True, True, False]
    >>> found = forms(["pregnancy", "depression", "blindness"], ContextCounts([{"pregnancy", "depression", "blind"}]))
    >>> [bool(f.search(w)) for f, w in zip(found.values(), ("was pregnant", "severely depressed", "blind"))]
    [True, True, True]
    """
    return {entity: form for entity in entities if (form := _form(entity, counts)) is not None}


def _form(entity: Key, counts: Counts) -> re.Pattern[str] | None:
    if not (entity.isalpha() and entity.islower()):
        return None  # of several words, or an acronym
    words: list[str] = []
    base = Key(_DERIVED.sub("", entity))
    if base != entity and len(base) >= _SHORTEST and counts.count(base):
        words.append(re.escape(base) + _ENDINGS)
    end = next((end for end in _ADJECTIVES if entity.endswith(end)), "")
    made = [Key(entity.removesuffix(end) + other) for other in _ADJECTIVES.get(end, ())]
    made = [word for word in made if len(word) >= _ADJECTIVE or (end == "ness" and len(word) >= _ADJECTIVE - 1)]
    known = counts.table([], made)[0].tolist() if made else []
    words += [word for word, n in zip(made, known, strict=True) if not n or end == "ness"]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE) if words else None
