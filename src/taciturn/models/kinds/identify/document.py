"""The second look at a piece: what the rest of the document says of the same word.

A surname is hidden wherever it stands once one mention shows that it is one: "Whitcomb" in "Refer Whitcomb" after
"Mr. Whitcomb". The same holds for other spellings of it (accents, a plural, one or two wrong letters, two names written
as one), for the initials of a person who is named, and for cities and organizations.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from taciturn.language.people import GIVEN, SMALL, SURNAME, clinical_table, name_table
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.figures import Read
from taciturn.models.kinds.identify.traits import folded

__all__ = ["SECOND", "second_figures"]

Floats = NDArray[np.float32]

_PERSON, _STREET, _CITY, _ORGANIZATION = map(CLASSES.index, ("PERSON", "STREET", "CITY", "ORGANIZATION"))
_LINKED = (_PERSON, _CITY, _ORGANIZATION, _STREET)
_OWN = 26
SECOND = 3 * len(CLASSES) + _OWN
"""How many figures the second look has of a piece."""
_SURE = 0.6  # what the first look must say of a word for others to lean on it


def second_figures(reading: Read, logits: Floats) -> Floats:
    """A row of :data:`SECOND` figures for each piece, from what the first look says."""
    n = len(reading)
    rows = np.zeros((n, SECOND), np.float32)
    if not n:
        return rows
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    k = len(CLASSES)
    rows[1:, :k] = shares[:-1]
    rows[:, k : 2 * k] = shares
    rows[:-1, 2 * k : 3 * k] = shares[1:]
    own = rows[:, 3 * k :]
    tokens = reading.pieces.tokens
    forms_of_type = [folded(word) for word in tokens.types]
    names = name_table().figures(tokens.types)
    clinical = clinical_table().figures(tokens.types).max(axis=1)
    words = [tokens.types[i] for i in tokens.ids.tolist()]
    forms = [forms_of_type[i] for i in tokens.ids.tolist()]
    places: dict[str, list[int]] = defaultdict(list)
    for at, form in enumerate(forms):
        places[form].append(at)
    persons = shares[:, _PERSON]
    sure = _sure(forms, words, persons)
    starts, wholes = _initials(words, persons)
    near: dict[str, float] = {}
    for at, (word, form) in enumerate(zip(words, forms, strict=True)):
        row = own[at]
        if not word[0].isalpha():
            continue
        others = [i for i in places[form] if i != at]
        for column, kind in enumerate(_LINKED):
            row[column] = max((shares[i, kind] for i in others), default=0.0)
        row[4] = float(np.mean([persons[i] for i in others])) if others else 0.0
        row[5] = len(others) > 0
        if form not in near:
            near[form] = _near(form, sure)
        row[6] = near[form]
        row[7] = word.isupper()
        row[8] = word.islower()
        row[9] = word[0].isupper() and not word.isupper()
        row[10] = len(word) == 1
        row[11] = len(word) < 4
        row[12], row[13], row[14] = names[tokens.ids[at], [GIVEN, SURNAME, SMALL]]
        row[15] = len(word) < 5 and form in wholes
        row[16] = len(word) == 1 and form in starts
        row[17] = form in sure
        row[18] = row[0] * row[9]
        row[19] = row[0] * row[8]
        row[20] = row[0] * row[7]
        row[21] = row[0] * (names[tokens.ids[at], SMALL] < 0.3)
        row[22] = sum(persons[i] > _SURE for i in others) / 3
        row[23] = sum(persons[i] < 1 - _SURE for i in others) / 3
        row[24] = clinical[tokens.ids[at]]
        row[25] = row[0] * clinical[tokens.ids[at]]
    return rows


def _sure(forms: list[str], words: list[str], persons: Floats) -> dict[str, float]:
    """The words that are a person's somewhere, with how sure that is."""
    found: dict[str, float] = {}
    for form, word, share in zip(forms, words, persons.tolist(), strict=True):
        if share > _SURE and len(form) > 3 and word[0].isupper():
            found[form] = max(found.get(form, 0.0), share)
    return found


def _initials(words: list[str], persons: Floats) -> tuple[set[str], set[str]]:
    """The first letters of persons' names, and the initials of persons with several names, in small letters."""
    starts: set[str] = set()
    wholes: set[str] = set()
    run: list[str] = []
    for word, share in zip([*words, ""], [*persons.tolist(), 0.0], strict=True):
        if share > _SURE and word[:1].isalpha():
            run.append(folded(word)[:1])
        elif word in (".", "-", ",") and run:
            continue
        else:
            if run:
                starts.update(run)
            if len(run) > 1:
                joined = "".join(run)
                wholes.update((joined, joined[0] + joined[-1], joined[1:] + joined[0]))
            run = []
    return starts, wholes


def _near(form: str, sure: dict[str, float]) -> float:
    """How sure a person's name is of which a word is another spelling, a plural, or which it is made of."""
    best = 0.0
    if len(form) < 4:
        return best
    for other, share in sure.items():
        if share <= best or other == form:
            continue
        if (
            form in (other + "s", other + "es")
            or (len(other) > 3 and len(form) > len(other) and (form.startswith(other) or form.endswith(other)))
            or (len(form) > 4 and abs(len(form) - len(other)) < 3 and _close(form, other))
        ):
            best = share
    return best


def _close(one: str, other: str) -> bool:
    """Whether two words differ by a letter, long ones by two; the first letters agree."""
    allowed = 2 if min(len(one), len(other)) > 7 else 1
    if one[:1] != other[:1]:
        return False
    before = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
        if min(row) > allowed:
            return False
        before = row
    return before[-1] <= allowed
