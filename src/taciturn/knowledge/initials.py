"""Abbreviations that no list explains: "PDSS" in a note on panic disorder can hardly be anything but one of its scales.

Scales, clinics and programmes are named after what they are for, and are written by their initials. An unknown
abbreviation that begins with the initials of an entity, or has them after its first letter ("UHDRS" for Huntington's
disease), says as much of the entity as such an accident is improbable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import log2

from taciturn.language.lexicon import LEXICON

__all__ = ["initials", "spelled"]

_LINKS = LEXICON.word_set("function.link")
_PART = re.compile(r"[^\W\d_]+")
_ACRONYM = re.compile(r"[A-Z]{4,8}")
_LETTERS = 16  # that initials are as good as drawn from: some are much more frequent than others
_MEANT = 0.5  # how often an abbreviation around what an entity is called has its initials
_SHORTEST = 2


def initials(names: Iterable[str]) -> frozenset[str]:
    """The initials of names of several words.

    >>> sorted(initials(["obsessive-compulsive disorder", "loss of appetite", "asthma"]))
    ['LA', 'OC', 'OCD']
    """
    found = set()
    for name in names:
        letters = "".join(w[0].upper() for w in _PART.findall(name.replace("'s", "")) if w not in _LINKS)
        # The last word is often only what kind of thing it is: a disorder, a disease.
        found |= {part for part in (letters, letters[:-1]) if len(part) >= _SHORTEST}
    return frozenset(found)


def spelled(abbreviation: str, meant: frozenset[str]) -> float:
    """The bits that an abbreviation says of what has some initials: 0 if it has none of them, or no letter besides.

    >>> hd = initials(["Huntington disease"])
    >>> [round(spelled(a, hd), 1) for a in ("UHDRS", "HDRS", "MRSA", "HD")]
    [6.0, 6.0, 0.0, 0.0]
    """
    if not _ACRONYM.fullmatch(abbreviation):
        return 0.0
    found = (part for part in meant if part in (abbreviation[: len(part)], abbreviation[1 : len(part) + 1]))
    longest = max((len(part) for part in found if len(part) < len(abbreviation)), default=0)
    return log2(_MEANT * _LETTERS**longest / 2) if longest else 0.0
