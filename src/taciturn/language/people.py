"""How often a word is a given name, a surname, a word of medicine: the tables that ``training/people`` counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from taciturn.language.lexicon import LEXICON

__all__ = ["CAPITAL", "FEMALE", "GIVEN", "MALE", "SMALL", "SURNAME", "WordCounts", "clinical_table", "name_table"]

GIVEN, MALE, FEMALE, SURNAME, SMALL, CAPITAL = range(6)
"""The columns of the table: as a given name (of men, of women), as a surname, in small letters, with a capital."""


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Words with counts; a count is stored as twelve times the logarithm, to the base of two, of itself plus one."""

    rows: dict[str, int]
    counts: NDArray[np.uint8]

    def figures(self, words: list[str]) -> NDArray[np.float32]:
        """The counts of words on the scale from 0 to 1, one row each; an unknown word has zeros.

        >>> grace, dubois = name_table().figures(["Grace", "Dubois"])
        >>> bool(grace[GIVEN] > dubois[GIVEN]), bool(dubois[SURNAME] > grace[SURNAME]), bool(grace[SMALL] > 0)
        (True, True, True)
        """
        known = np.fromiter((self.rows.get(word.casefold(), -1) for word in words), np.int64, len(words))
        found: NDArray[np.float32] = self.counts[known].astype(np.float32)
        found /= 255
        found[known < 0] = 0
        return found


def _read(name: str) -> WordCounts:
    with LEXICON.file(name).open("rb") as file, np.load(file) as stored:
        words = stored["words"].tobytes().decode("utf-8").split("\n")
        return WordCounts({word: row for row, word in enumerate(words)}, stored["counts"])


@lru_cache(maxsize=1)
def name_table() -> WordCounts:
    """The names in the package, read once; the columns are those above."""
    return _read("people.npz")


@lru_cache(maxsize=1)
def clinical_table() -> WordCounts:
    """The words of medicine: in how many names of concepts, in prose in small letters, in prose with a capital."""
    return _read("clinical.npz")
