"""The outsider: an adversary without a pack, who has a text on each candidate, such as an article or an old letter.

The released text and the background texts are bags of words with TF-IDF weights. Candidates are ranked by cosine
similarity. The "posterior" of a candidate is its share of all similarities. It serves to compare texts before and after
a release and is no probability.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import log2, sqrt
from pathlib import Path

import numpy as np

from taciturn.document import Document
from taciturn.generalize.writing import MARK
from taciturn.knowledge.storage.files import KnowledgeFileError, read_text
from taciturn.lab.attack.guesses import Attack, ranked

__all__ = ["Outsider", "read_background"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True)
class Outsider:
    """Who has a background text for each candidate, by name.

    >>> outsider = Outsider({"Rome": "The pope lives there.", "Paris": "There is a tower."})
    >>> found = outsider("He saw the tower.")
    >>> [(g.name, [t for t, _ in g.evidence]) for g in found.guesses]
    [('Paris', ['tower']), ('Rome', ['the'])]
    """

    texts: Mapping[str, str] = field(repr=False)
    shown: int = 5

    def __post_init__(self) -> None:
        if not self.texts:
            raise ValueError("no background text is given; the outsider needs one for each candidate")

    @property
    def name(self) -> str:
        return "tf-idf"

    def called(self, name: str) -> str | None:
        return name if name in self.texts else None

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """log2((N + 1) / n) of the words of background texts: a little for a word that all of them have."""
        n = Counter(word for text in self.texts.values() for word in set(_words(text)))
        return {word: log2((len(self.texts) + 1) / often) for word, often in n.items()}

    @cached_property
    def _vectors(self) -> dict[str, dict[str, float]]:
        return {name: self._vector(text) for name, text in self.texts.items()}

    def _vector(self, text: str) -> dict[str, float]:
        """The weights of the words that background texts know, of length 1."""
        often = Counter(w for w in _words(text) if w in self._rarity)
        weights = {word: (1 + log2(n)) * self._rarity[word] for word, n in often.items()}
        length = sqrt(sum(v * v for v in weights.values())) or 1.0
        return {word: v / length for word, v in weights.items()}

    def __call__(self, text: str | Document) -> Attack:
        """Rank the candidates by how near their texts are. ``bits`` of a guess is the cosine."""
        vector = self._vector(text if isinstance(text, str) else text.text)
        names = list(self.texts)
        shared = [
            {w: v * vector[w] for w, v in self._vectors[name].items() if w in vector} for name in names
        ]  # fmt: skip
        near = np.array([sum(products.values()) for products in shared])
        whole = near.sum()
        shares = near / whole if whole else np.full(len(names), 1 / len(names))

        def evidence() -> Iterator[tuple[tuple[str, float], ...]]:
            for products in shared:
                best = sorted(products.items(), key=lambda pair: (-pair[1], pair[0]))[: self.shown]
                yield tuple((word, round(v, 3)) for word, v in best)

        return ranked(names, near, shares, evidence(), (), len(vector))


def _words(text: str) -> list[str]:
    """The words of a text in small letters; redaction marks are no words."""
    return [w.lower() for w in _WORD.findall(MARK.sub(" ", text))]


def read_background(path: Path) -> dict[str, str]:
    """Background texts by candidate: a folder of ``NAME.txt``, or JSON lines with ``name`` (or ``title``) and ``text``.

    Several texts of one candidate are joined.
    """
    if path.is_dir():
        texts = {p.stem.replace("_", " "): read_text(p) for p in sorted(path.glob("*.txt"))}
        if not texts:
            raise KnowledgeFileError(f"{path}: no file NAME.txt in this folder; put one there for each candidate")
        return texts
    found: dict[str, list[str]] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            name, text = row.get("name") or row["title"], row["text"]
        except (ValueError, KeyError, AttributeError) as error:
            raise KnowledgeFileError(
                f'{path}, line {number}: no background text; write {{"name": ..., "text": ...}}'
            ) from error
        found.setdefault(str(name), []).append(str(text))
    if not found:
        raise KnowledgeFileError(f"{path}: no background text in this file")
    return {name: "\n\n".join(texts) for name, texts in found.items()}
