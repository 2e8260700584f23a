"""The corpus as one array of word numbers, cut into paragraphs; phrases are found in it by rolling numbers.

Words keep their capitals, for "Mass" and "mass" say different things, except at the start of a sentence, where a
capital says nothing: there a word is read as the rest of the corpus writes it. Plurals are read as their singular.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.language.inflection import singular
from taciturn.language.tokens import tokenize

__all__ = ["Stream", "find_phrases", "read_stream", "usual_case"]

Ids = NDArray[np.int32]
_STEP = np.uint64(0x9E3779B97F4A7C15)  # odd, so that multiplying by it loses nothing
_ENDS = frozenset('.?!:;"“”()[]•–')


@dataclass(frozen=True)
class Stream:
    """``ids`` of all tokens, ``paragraphs`` with the paragraph of each, and the words that the ids stand for.

    ``numbers`` has the id of a word as it is read, ``is_word`` says which ids are words and not marks.
    """

    ids: Ids
    paragraphs: Ids
    words: list[str]
    numbers: dict[str, int]
    is_word: NDArray[np.bool_]

    def encode(self, text: str) -> list[int]:
        """The ids of a text's tokens, read as inside a sentence; -1 for a word that the corpus does not have."""
        tokens = tokenize(text)
        return [self.numbers.get(_folded(tokens.types[i]), -1) for i in tokens.ids.tolist()]

    def read(self, text: str) -> list[tuple[int, int, int]]:
        """The tokens of a new text as (id, start, end), the first word of a sentence read as in the corpus."""
        tokens = tokenize(text)
        found, first = [], True
        for i, start, end in zip(tokens.ids.tolist(), tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
            word = _folded(tokens.types[i])
            if first:
                word = self._usual(word)
            found.append((self.numbers.get(word, -1), start, end))
            first = tokens.types[i] in _ENDS or "\n" in text[end : end + 2]
        return found

    def _usual(self, word: str) -> str:
        """A word at the start of a sentence: with its capital only if no other word of the corpus is so without it."""
        low = word[:1].lower() + word[1:]
        return low if low in self.numbers else word


def _folded(word: str) -> str:
    """A word in the singular, if it has one; capitals stay."""
    if len(word) < 4 or not word.endswith("s") or word.isupper():
        return word
    found = singular(word.lower())
    return word[0] + found[1:] if word[0].isupper() and found[:1] == word[0].lower() else found


def read_stream(texts: Iterable[str], rare: int = 3) -> Stream:
    """The stream of texts whose paragraphs stand on lines of their own; words seen less than ``rare`` times are -1."""
    numbers: dict[str, int] = {}
    folded: dict[str, int] = {}
    parts: list[Ids] = []
    lines: list[Ids] = []
    paragraph = 0
    for text in texts:
        for line in text.split("\n"):
            tokens = tokenize(line)
            if len(tokens):
                here = [
                    folded[t] if t in folded else folded.setdefault(t, numbers.setdefault(_folded(t), len(numbers)))
                    for t in tokens.types
                ]
                parts.append(np.array(here, np.int32)[tokens.ids])
                lines.append(np.full(len(tokens), paragraph, np.int32))
            paragraph += 1
    ids = np.concatenate(parts)
    paragraphs = np.concatenate(lines)
    words = list(numbers)
    ids = _without_first_capitals(ids, paragraphs, words, numbers)
    counts = np.bincount(ids, minlength=len(words))
    kept = np.flatnonzero(counts >= rare)
    place = np.full(len(words), -1, np.int32)
    place[kept] = np.arange(len(kept))
    words = [words[i] for i in kept.tolist()]
    is_word = np.array([any(c.isalpha() for c in w) for w in words], np.bool_)
    return Stream(place[ids], paragraphs, words, {w: i for i, w in enumerate(words)}, is_word)


def _without_first_capitals(ids: Ids, paragraphs: Ids, words: list[str], numbers: dict[str, int]) -> Ids:
    """The ids with the first word of each sentence as the corpus writes it inside sentences."""
    ends = np.array([w in _ENDS for w in words], np.bool_)
    first = np.ones(len(ids), np.bool_)
    first[1:] = ends[ids[:-1]] | (paragraphs[1:] != paragraphs[:-1])
    inside = np.bincount(ids[~first], minlength=len(words))
    usual = np.arange(len(words), dtype=np.int32)
    for word, number in numbers.items():
        low = numbers.get(word[:1].lower() + word[1:])
        if low is not None and low != number and inside[low] > inside[number]:
            usual[number] = low
    return np.where(first, usual[ids], ids)


def rolled(ids: NDArray[np.int64], length: int) -> NDArray[np.uint64]:
    """A number for each run of ``length`` tokens, different for different runs but for rare accidents (64 bits)."""
    count = len(ids) - length + 1
    found = np.zeros(max(count, 0), np.uint64)
    for i in range(length):
        found = found * _STEP + (ids[i : i + count].astype(np.uint64) + np.uint64(1))
        found ^= found >> np.uint64(29)
    return found


def find_phrases(stream: Stream, phrases: Sequence[Sequence[int]]) -> Iterator[tuple[NDArray[np.int64], Ids]]:
    """Where phrases (ids of their words) stand in the stream: places and the phrases' numbers, one length at a time."""
    by_length: dict[int, list[int]] = {}
    for number, phrase in enumerate(phrases):
        if phrase and -1 not in phrase:
            by_length.setdefault(len(phrase), []).append(number)
    ids = stream.ids.astype(np.int64)
    for length, numbers in sorted(by_length.items()):
        wanted = np.concatenate([rolled(np.array(phrases[n], np.int64), length) for n in numbers])
        order = np.argsort(wanted, kind="stable")
        wanted, owners = wanted[order], np.array(numbers, np.int32)[order]
        for start in range(0, len(ids), 1 << 22):
            here = rolled(ids[start : start + (1 << 22) + length - 1], length)
            at = np.searchsorted(wanted, here)
            at[at == len(wanted)] = 0
            hit = np.flatnonzero(wanted[at] == here)
            within = stream.paragraphs[start + hit] == stream.paragraphs[start + hit + length - 1]
            hit = hit[within]
            yield start + hit, owners[at[hit]]


def usual_case(stream: Stream, names: Iterable[str]) -> dict[str, str]:
    """Names as the corpus writes them inside sentences: as they stand, or without capitals if that is more frequent."""
    forms = sorted({form for name in names for form in (name, name.lower())})
    counts = np.zeros(len(forms), np.int64)
    for _, numbers in find_phrases(stream, [stream.encode(form) for form in forms]):
        counts += np.bincount(numbers, minlength=len(forms))
    count = dict(zip(forms, counts.tolist(), strict=True))
    return {name: name.lower() if count[name.lower()] > count[name] else name for name in names}
