"""Relations turned round, for one question: which expressions and words speak of a matter, and how much?

For every expression and predicate, the share of each matter is worked out when the file is built
(:meth:`Relations.shares`). The rows are sorted by matter, so that all that speaks of a matter and its kinds is read
with a few operations on arrays: a family such as "mental disorder" has thousands of kinds.

A word of a matter's name speaks of it too, by the share of the matter among all conditions whose names have the word:
"scapholunate" says nearly all of "scapholunate ligament tear", "disease" says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.lexicon.packed import Lexicon
from taciturn.knowledge.relations.base import MENTIONED, PREDICATES, SHARES, Evidence
from taciturn.knowledge.relations.packed import Relations, part_of
from taciturn.knowledge.storage.arrayfile import ArrayFile, write_arrays
from taciturn.knowledge.storage.strings import StringTable, pack_strings
from taciturn.language.keys import key

__all__ = ["Shares", "name_words", "pack_shares", "pack_words"]

_KIND = "shares"
_SCALE = 255
_LEAST = 5 / _SCALE  # a smaller share of one matter says too little of it to matter
_FEW_MASKS = 1 << 16  # that two bytes can number
_SHORTEST = 4
_NAMED_BY_WORDS = ("condition", "sign")
_WORDED = ("label", "synonym", "entry term", "spelling")


def pack_shares(relations: Relations, expressions: Iterable[int]) -> dict[str, NDArray[Any]]:
    """The arrays of :class:`Shares`: each share of a matter among what an expression is related to by one predicate."""
    rows = sorted(row for e in expressions for row in _testifying(relations.shares(e)) if row[3] >= _LEAST)
    return _packed(rows, len(relations.lexicon))


def _packed(rows: Sequence[tuple[int, int, int, float, int]], concepts: int) -> dict[str, NDArray[Any]]:
    """Sorted rows (matter, expression, predicate, share, sources) as arrays over a lexicon of so many concepts."""
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), 5)
    matters = columns[:, 0].astype(np.int64)
    masks, which = np.unique(columns[:, 4].astype(np.uint32), return_inverse=True)
    return {
        "counts": np.bincount(matters, minlength=concepts).astype(np.uint32),
        "expressions": columns[:, 1].astype(np.uint32),
        "predicates": columns[:, 2].astype(np.uint8),
        "shares": np.maximum(np.rint(columns[:, 3] * _SCALE), 1).astype(np.uint8),
        "sources": which.astype(np.uint16 if len(masks) <= _FEW_MASKS else np.uint32),
        "masks": masks,
    }


def _testifying(rows: Sequence[tuple[int, int, int, float, int]]) -> Iterable[tuple[int, int, int, float, int]]:
    """The rows of one expression that can be heard: a drug says what it treats, not in which articles it stands."""
    if all(row[2] != PREDICATES.index("treats") for row in rows):
        return rows
    return (row for row in rows if row[2] != PREDICATES.index(MENTIONED))


def pack_words(lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    """Arrays that list, for each word in the names of conditions and signs, the concepts that have it in a name."""
    having: dict[str, set[int]] = {}
    for concept in range(len(lexicon)):
        if lexicon.kind(concept) in _NAMED_BY_WORDS:
            for name in lexicon.names(concept):
                if name.how in _WORDED:
                    for word in name_words(key(name.text)):
                        having.setdefault(word, set()).add(concept)
    words = sorted(having)
    owners = [c for word in words for c in sorted(having[word])]
    return {
        **{f"words.{part}": array for part, array in pack_strings(words).items()},
        "word_counts": np.array([len(having[word]) for word in words], np.uint32),
        "word_concepts": np.array(owners, np.uint32),
    }


def name_words(text: str) -> list[str]:
    """The words of a name that can tell: of four letters and more."""
    return [word for word in text.split(" ") if len(word) >= _SHORTEST and word.isalpha()]


class Shares:
    """What speaks of a matter."""

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]] | ArrayFile,
        sources: Sequence[str],
        lexicon: Lexicon,
        digest: str | None = None,
    ) -> None:
        self._arrays = arrays
        self._sources = tuple(sources)
        self.lexicon = lexicon
        self.digest = digest
        self._starts = np.concatenate([[0], np.cumsum(arrays["counts"], dtype=np.int64)])

    @classmethod
    def open(cls, path: Path, lexicon: Lexicon) -> Shares:
        """The shares in a file, memory-mapped, over the lexicon that they were built with."""
        file = ArrayFile(path, _KIND)
        if lexicon.digest != file.meta["lexicon"]:
            raise ValueError(f"{path} was built with another lexicon; open the files of one build")
        return cls(file, file.meta["sources"], lexicon, file.digest)

    @staticmethod
    def write(path: Path, relations: Relations, sources: Sequence[str], origin: Any) -> str:
        """Write the shares of all relations to a file that :meth:`open` reads."""
        lexicon = relations.lexicon
        arrays = pack_shares(relations, range(len(lexicon))) | pack_words(lexicon)
        meta = {"sources": list(sources), "lexicon": lexicon.digest, "origin": origin}
        return write_arrays(path, _KIND, meta, arrays)

    @cached_property
    def _words(self) -> StringTable[str]:
        return StringTable({part: self._arrays[f"words.{part}"] for part in ("blob", "starts", "heads", "length")})

    @cached_property
    def _word_starts(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(self._arrays["word_counts"], dtype=np.int64)])

    def has_word(self, word: str) -> bool:
        """Does a word, of four letters or more, stand in the name of a condition or a sign?"""
        return self._words.find(word) >= 0

    def having(self, word: str) -> list[int]:
        """The conditions and signs with a word in one of their names."""
        at = self._words.find(word)
        starts = self._word_starts
        return self._arrays["word_concepts"][starts[at] : starts[at + 1]].tolist() if at >= 0 else []

    def words(self, names: Iterable[str], matters: Sequence[int]) -> dict[str, float]:
        """For each word of some names, the share of the matters and their kinds among what has it in its name.

        A word that no condition has in its name is the matter's own, and half of it for what we do not know.
        """
        family = {d for m in matters for d in (m, *self.lexicon.descendants(m))}
        asked = sorted({word for name in names for word in name_words(name)})
        found: dict[str, float] = {}
        for word, at in zip(asked, self._words.find_many(asked).tolist() if asked else (), strict=True):
            having: set[int] = set()
            if at >= 0:
                starts = self._word_starts
                having = set(self._arrays["word_concepts"][starts[at] : starts[at + 1]].tolist())
            found[word] = max(len(having & family), 1) / (len(having) + 1)
        return found

    def named_with(self, word: str) -> list[int]:
        """The conditions and signs that have a word in a name."""
        at = self._words.find(word)
        starts = self._word_starts
        return self._arrays["word_concepts"][starts[at] : starts[at + 1]].tolist() if at >= 0 else []

    @cached_property
    def _by_expression(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the rows of each expression begin in the second array, which has them expression by expression."""
        every = self._arrays["expressions"]
        starts = np.concatenate([[0], np.cumsum(np.bincount(every, minlength=len(self.lexicon)), dtype=np.int64)])
        return starts, np.argsort(every, kind="stable")

    def of_expression(self, expression: int) -> list[tuple[int, str, float]]:
        """What an expression speaks of: each matter, the predicate, and the matter's share by it."""
        starts, order = self._by_expression
        rows = order[starts[expression] : starts[expression + 1]]
        matters = np.searchsorted(self._starts, rows, side="right") - 1
        predicates, shares = self._arrays["predicates"][rows], self._arrays["shares"][rows] / _SCALE
        return [
            (m, PREDICATES[p], s)
            for m, p, s in zip(matters.tolist(), predicates.tolist(), shares.tolist(), strict=True)
        ]

    def speaking(self, matters: Sequence[int]) -> dict[int, Evidence]:
        """For each expression that speaks of some matters or their kinds, the predicate that says most of them."""
        weights = self._weights(matters)
        found = {
            wide: Evidence(part, "wider than", wide, self.lexicon.concept(wide).sources)
            for wide, part in weights.items()
            if part < 1 and part > 0
        }
        starts = self._starts
        ids = np.array(sorted(weights), dtype=np.int64)
        sizes = starts[ids + 1] - starts[ids]
        rows = np.repeat(starts[ids] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(sizes.sum())
        if not len(rows):
            return found
        a = self._arrays
        told = a["shares"][rows] / _SCALE * np.repeat([weights[i] for i in ids.tolist()], sizes)
        pair = a["expressions"][rows].astype(np.int64) * len(PREDICATES) + a["predicates"][rows]
        pairs, where = np.unique(pair, return_inverse=True)
        share = np.minimum(np.bincount(where, told), 1.0)
        # What stands in articles on many kinds of the matter stands in the same texts: these shares do not add up.
        overlapping = np.isin(pairs % len(PREDICATES), [PREDICATES.index(p) for p in sorted(SHARES)])
        largest = np.zeros(len(pairs))
        np.maximum.at(largest, where, told)
        share[overlapping] = largest[overlapping]
        masks = np.zeros(len(pairs), np.uint32)
        np.bitwise_or.at(masks, where, a["masks"][a["sources"][rows]])
        strongest = np.repeat(ids, sizes)[np.lexsort((told, where))][np.cumsum(np.bincount(where)) - 1]
        for code, s, mask, matter in zip(
            pairs.tolist(), share.tolist(), masks.tolist(), strongest.tolist(), strict=True
        ):
            expression, predicate = divmod(code, len(PREDICATES))
            if expression not in found or found[expression].share < s:
                sources = tuple(name for i, name in enumerate(self._sources) if mask >> i & 1)
                found[expression] = Evidence(s, PREDICATES[predicate], matter, sources)
        return found

    def _weights(self, matters: Sequence[int]) -> dict[int, float]:
        """The concepts that speak of the matters: they and their kinds in full, what is above them in part."""
        lexicon = self.lexicon
        weights: dict[int, float] = {}
        for matter in matters:
            for wide in lexicon.ancestors(matter):
                weights[wide] = max(weights.get(wide, 0.0), part_of(matter, wide, lexicon))
        for matter in matters:
            weights |= dict.fromkeys((matter, *lexicon.descendants(matter)), 1.0)
        return weights
