"""What a single word says about being an identifier: its shape, its counts as a name, what it announces, what it is.

Everything here depends on the word alone. Lists of announcing words come from ``language/en``; that a word is a drug, a
condition, a place or a common noun comes from the knowledge.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taciturn.generalize.writing import is_mark
from taciturn.knowledge import Knowledge
from taciturn.knowledge.taxonomies.flags import DRUGS, GENERAL, PLACES, PROFESSIONAL
from taciturn.language.keys import keys_of
from taciturn.language.lexicon import LEXICON
from taciturn.language.people import CAPITAL, FEMALE, GIVEN, MALE, SMALL, SURNAME, clinical_table, name_table
from taciturn.language.tagger import load_weights
from taciturn.language.words import SHAPES, normal, shape

__all__ = ["TRAITS", "folded", "word_traits"]

Floats = NDArray[np.float32]

_SIGNS = ".,:;/-()\"'#@_|&+*<>\\–—"
_MARKED = ("PERSON", "TIME", "CODE", "PLACE", "ORGANIZATION", "QUANTITY")
_TAXONOMIES = (DRUGS, PROFESSIONAL, GENERAL, PLACES)
_OWN = 21
_STATES = LEXICON.table("places.state")


def _cues() -> list[frozenset[str]]:
    """Sets of words in small letters, each a trait."""
    lists = [
        ("names.title-male", "names.title-female"),
        ("names.title",),
        ("names.suffix",),
        ("names.particle",),
        ("names.credential",),
        ("names.role",),
        ("names.kin",),
        ("names.same",),
        ("names.eponym-head",),
        ("times.month", "times.month-short"),
        ("times.weekday",),
        ("times.season",),
        ("times.before-day", "times.before-month", "times.before-year"),
        ("times.after-fraction",),
        ("places.street",),
        ("places.unit",),
        ("places.zip",),
        ("contacts.phone",),
        ("codes.between",),
        *((f"announced.{kind}",) for kind in LEXICON.lists("announced")),
    ]
    found = [frozenset(part for word in LEXICON.words(*names) for part in word.lower().split()) for names in lists]
    holidays = frozenset(part for word in LEXICON.words("times.holiday") for part in word.lower().split())
    return [*found, holidays, frozenset(code.lower() for code in _STATES)]


_CUES = _cues()
TRAITS = SHAPES + _OWN + len(_SIGNS) + len(_MARKED) + len(_CUES) + len(_TAXONOMIES)
"""How many figures describe a word."""


def folded(word: str) -> str:
    """A word without case and accents, as it may be written elsewhere in the document.

    >>> folded("Dębicka"), folded("JÓNSSON")
    ('debicka', 'jonsson')
    """
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).replace("ł", "l").replace("ø", "o")


def word_traits(words: Sequence[str], knowledge: Knowledge) -> Floats:
    """A row of :data:`TRAITS` figures for each word."""
    words = list(words)
    rows = np.zeros((len(words), TRAITS), np.float32)
    tagger = load_weights()
    names = name_table().figures(words)
    clinical = clinical_table().figures(words)
    for at, word in enumerate(words):
        row = rows[at]
        if is_mark(word):
            label = word.strip("[]").split()[0]
            row[SHAPES + _OWN + len(_SIGNS) + (_MARKED.index(label) if label in _MARKED else 0)] = 1
            names[at] = 0
            continue
        row[shape(word)] = 1
        own = row[SHAPES:]
        own[0] = min(len(word), 20) / 10
        given, surname, small = names[at, GIVEN], names[at, SURNAME], names[at, SMALL]
        own[1:6] = given, surname, small, names[at, CAPITAL], names[at, FEMALE] - names[at, MALE]
        own[6] = float(names[at].any())
        own[7] = max(given, surname) - small
        known = tagger.rows.get(normal(word), 0)
        own[8] = float(known > 0)
        own[9] = tagger.capitals[known] / 255 if known else 0
        own[10] = float(any(c.isalpha() and ord(c) > 0x24F and not 0x1E00 <= ord(c) < 0x1F00 for c in word))
        own[11] = float(not word.isascii())
        own[12] = sum(map(str.isdigit, word)) / len(word)
        own[13] = float(len(word) == 1 and word.isalpha())
        own[14] = float(len(word) < 4 and word.isupper())
        own[15] = float(len(word) < 4 and word.islower())
        own[16:19] = clinical[at]
        own[19] = max(clinical[at, 1:]) - max(given, surname)
        own[20] = float(not clinical[at].any())
        if word in _SIGNS:
            own[_OWN + _SIGNS.index(word)] = 1
        lower = word.lower()
        for number, cue in enumerate(_CUES):
            if lower in cue:
                row[SHAPES + _OWN + len(_SIGNS) + len(_MARKED) + number] = 1
    keys = keys_of([word.lower() for word in words])
    for number, wanted in enumerate(_TAXONOMIES):
        for taxonomy in knowledge.taxonomies:
            if wanted in taxonomy.flags and (wanted == DRUGS or DRUGS not in taxonomy.flags):
                rows[:, TRAITS - len(_TAXONOMIES) + number] += np.array(taxonomy.knows(keys), np.float32)
    rows[:, TRAITS - len(_TAXONOMIES) :] = np.minimum(rows[:, TRAITS - len(_TAXONOMIES) :], 1)
    return rows
