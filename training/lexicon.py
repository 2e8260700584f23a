"""The word table of the tagger and what is known of each word beside its vector: capitals, parts of speech, names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taciturn.language.words import ends, normal, shape
from training.names import first_senses, shares
from training.vectors import Vectors

BUCKETS = 4096
KEPT = 2  # how often a word must occur in the treebanks to enter the table without a vector
SENSES = 29  # WordNet's lexicographer files, of which nouns have some
TRAITS = 7 + 3 + SENSES
PARTS = ("noun", "verb", "adj", "adv")
# WordNet's own rules of detachment.
ENDINGS = {
    "noun": [("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("ies", "y")],
    "verb": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "adj": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "adv": [],
}


def parts_of_speech(wordnet: Path) -> dict[str, set[str]]:
    """WordNet's words, and the irregular forms of them, by the word."""
    found: dict[str, set[str]] = {part: set() for part in PARTS}
    for part in PARTS:
        for name in (f"index.{part}", f"{part}.exc"):
            for line in (wordnet / name).read_text("utf-8").splitlines():
                if not line.startswith(" "):
                    found[part].add(line.split(" ", 1)[0])
    return found


def has_part(word: str, part: str, wordnet: dict[str, set[str]]) -> bool:
    """Whether WordNet knows a word, or the word that it is a form of, as a part of speech."""
    words = wordnet[part]
    return word in words or any(
        len(word) > len(end) + 1 and word.endswith(end) and word[: -len(end)] + base in words
        for end, base in ENDINGS[part]
    )


class Lexicon:
    """Numbers for words: row 0 is a gap, row 1 any unknown word, then the table."""

    def __init__(self, vectors: Vectors, sentences: Iterable[list[str]], names: dict[str, str], wordnet: Path) -> None:
        self.count = Counter(normal(word) for words in sentences for word in words)
        known = set(vectors.words)
        extra = [word for word, count in self.count.items() if count >= KEPT and word not in known]
        self.words = [*vectors.words, *extra]
        self.rows = {word: row for row, word in enumerate(self.words, 2)}
        size = len(self.words) + 2
        learned = slice(2, 2 + len(vectors.words))
        self.vectors: NDArray[np.float32] = np.zeros((size, vectors.vectors.shape[1]), np.float32)
        self.vectors[learned] = vectors.vectors
        self.traits: NDArray[np.float32] = np.zeros((size, TRAITS), np.float32)
        self.traits[learned, 0] = vectors.capitals
        self.traits[learned, 1] = 1
        parts = parts_of_speech(wordnet)
        of_names, senses = shares(names), first_senses(wordnet)
        for word, row in self.rows.items():
            self.traits[row, 2:6] = [has_part(word, part, parts) for part in PARTS]
            self.traits[row, 6] = not self.traits[row, 2:6].any()
            self.traits[row, 7:10] = of_names.get(word, (0, 0, 0))
            sense = senses.get(word) or senses.get(word.removesuffix("s"))
            if sense:
                self.traits[row, 10 + sense[0]] = 1
        self._known: dict[str, tuple[int, ...]] = {}

    def features(self, word: str) -> tuple[int, ...]:
        """The row of a word, its shape and its four ends; 0 is kept for gaps in each."""
        found = self._known.get(word)
        if found is None:
            form = normal(word)
            found = (self.rows.get(form, 1), shape(word) + 1, *(end % BUCKETS + 1 for end in ends(form)))
            self._known[word] = found
        return found
