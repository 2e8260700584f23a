"""A text as the search sees it: its atoms, their letters run together, and what stands between them."""

from __future__ import annotations

import re
from itertools import accumulate

from taciturn.secondreader.forms import canonical
from taciturn.secondreader.letters import Atom, Plain

__all__ = ["Text", "between_words"]

_SENTENCE_END = re.compile(r"[.!?;]\s")
_LONGEST_GAP = 8


class Text:
    """A plain text, its atoms, and their letters run together: atom i has ``letters[offsets[i] : offsets[i + 1]]``."""

    def __init__(self, view: Plain, found: list[Atom], *, spelled: bool = True) -> None:
        self.text = view.text
        self.atoms = found
        self.words = [canonical(a[2]) if spelled else a[2] for a in found]
        self.letters = "".join(self.words)
        self.offsets = list(accumulate(map(len, self.words), initial=0))

    def gap(self, i: int) -> str:
        """What stands between an atom and the next one."""
        return self.text[self.atoms[i][1] : self.atoms[i + 1][0]]

    def is_apart(self, i: int) -> bool:
        """Does a separator stand before an atom?"""
        return not i or self.atoms[i - 1][1] < self.atoms[i][0]

    def shown(self, first: int, last: int) -> str:
        return self.text[self.atoms[first][0] : self.atoms[last][1]]

    def is_alone(self, i: int) -> bool:
        """Is an atom a whole word in small letters?"""
        start, end, word = self.atoms[i]
        return self.text[start:end] == word and self.is_apart(i) and (i + 1 == len(self.atoms) or self.is_apart(i + 1))


def between_words(gap: str) -> bool:
    """May this stand between two words of one form? Blanks, marks, line ends and cell borders; no end of a sentence."""
    return len(gap) <= _LONGEST_GAP and gap.count("\n") <= 2 and not _SENTENCE_END.search(gap)
