"""Known phrases in running text: the longest match of a vocabulary's keys, however the text inflects them.

A phrase of the text matches a key when their words have the same keys one by one (:func:`taciturn.language.key`), so
that number and case may differ at every word. Words join across white space, across a mark that touches both of them
("nail-patella", "absent/small", "46,XY") and a possessive 's; other marks, blank lines and ends of segments part them.
A word in capitals is found in small letters as well, unless those make an ordinary word ("hiv", but not "aids").
Chinese and Japanese are matched character by character, for words have no spaces there.

The keys are a trie whose steps are sorted numbers (state, word) -> state. All places of a text take each step at once
in numpy: O(words * longest key) with a small constant, whatever the size of the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document, Key
from taciturn.language.keys import is_ordinary, key
from taciturn.language.tokens import Ints, tokenize

__all__ = ["Match", "VocabularyIndex"]

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n|[\f\u2029]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_PIECE = re.compile(rf"{_UNSPACED.pattern}|(?:(?!{_UNSPACED.pattern})[\s\S])+")
_POSSESSIVE = frozenset(("'s", "’s", "'S", "’S"))
_WORD, _MARK, _NOTHING = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase of a text, and the keys of the vocabulary that it may stand for, those in small letters first."""

    start: int
    end: int
    keys: tuple[Key, ...]


class VocabularyIndex:
    """A vocabulary to search texts for.

    >>> index = VocabularyIndex(["weight loss", "loss", "night sweat", "HIV"])
    >>> text = "Weight-loss, night sweats; hiv. A loss."
    >>> [(text[m.start : m.end], m.keys[0]) for m in index.find(Document.of(text))]
    [('Weight-loss', 'weight loss'), ('night sweats', 'night sweat'), ('hiv', 'HIV'), ('loss', 'loss')]
    """

    def __init__(self, keys: Iterable[Key]) -> None:
        self._keys = sorted({k for k in keys if k.strip()})
        self._words: dict[str, int] = {}
        # Keys of one line each: a key never holds a line break, and a blank line parts matches.
        found = _read(Document.of("\n\n".join(self._keys)), self._number)
        ends = np.cumsum([len(k) + 2 for k in self._keys])
        owner = np.searchsorted(ends, found.starts, side="right")
        self._build(owner, found.words)

    def _number(self, form: str) -> int:
        """A number for every word of the vocabulary, the same for a word in capitals and in small letters if it may."""
        small = form.lower()
        if small != form and not is_ordinary(small):
            number = self._words.setdefault(small, len(self._words))
            return self._words.setdefault(form, number)
        return self._words.setdefault(form, len(self._words))

    def _known(self, form: str) -> int:
        number = self._words.get(form, -1)
        if number < 0 and not is_ordinary(small := form.lower()):
            return self._words.get(small, -1)
        return number

    def _build(self, owner: Ints, words: Ints) -> None:
        """The steps of the trie, level by level: the states of a level are the different (state, word) before it."""
        n = len(self._keys)
        self._width = max(len(self._words), 1)
        counts = np.bincount(owner, minlength=n)
        first = np.concatenate([[0], np.cumsum(counts)[:-1]]) if n else np.zeros(0, np.int64)
        states = np.zeros(n, np.int64)
        self._steps: list[tuple[Ints, int]] = []
        made = 1
        for depth in range(int(counts.max(initial=0))):
            alive = np.flatnonzero(counts > depth)
            codes = states[alive] * self._width + words[first[alive] + depth]
            distinct, place = np.unique(codes, return_inverse=True)
            self._steps.append((distinct, made))
            states[alive] = made + place
            made += len(distinct)
        meant: dict[int, list[Key]] = {}
        for state, text, count in zip(states.tolist(), self._keys, counts.tolist(), strict=True):
            if count:
                meant.setdefault(state, []).append(text)
        self._meant = {state: tuple(sorted(t, key=lambda k: (k != k.lower(), k))) for state, t in meant.items()}
        self._final = np.zeros(made, np.bool_)
        self._final[list(meant)] = True

    def find(self, document: Document) -> tuple[Match, ...]:
        """The longest phrases of a document that the vocabulary knows, in order, without overlap."""
        found = _read(document, self._known)
        n = len(found.words)
        length = np.zeros(n, np.int64)
        best = np.zeros(n, np.int64)
        place = np.flatnonzero(found.words >= 0)
        states = np.zeros(len(place), np.int64)
        for depth, (codes, made) in enumerate(self._steps):
            at = place + depth
            fits = at < n
            fits[fits] &= (found.runs[at[fits]] == found.runs[place[fits]]) & (found.words[at[fits]] >= 0)
            place, states = place[fits], states[fits]
            wanted = states * self._width + found.words[place + depth]
            step = np.searchsorted(codes, wanted)
            step[step == len(codes)] = 0
            known = codes[step] == wanted
            place, states = place[known], made + step[known]
            if not len(place):
                break
            final = self._final[states]
            length[place[final]] = depth + 1
            best[place[final]] = states[final]
        matches = []
        after = 0
        for i in np.flatnonzero(length).tolist():
            if i >= after:
                after = i + int(length[i])
                matches.append(Match(int(found.starts[i]), int(found.ends[after - 1]), self._meant[int(best[i])]))
        return tuple(matches)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text: where they stand, their numbers, and the run (of words that may join) each belongs to."""

    starts: Ints
    ends: Ints
    words: Ints
    runs: Ints


def _read(document: Document, number: Callable[[str], int]) -> _Words:
    text = document.text
    tokens = tokenize(text, [(s.start, s.end) for s in document.segments])
    starts, ends, ids, types = tokens.starts, tokens.ends, tokens.ids, tokens.types
    if _UNSPACED.search(text):
        starts, ends, ids, types = _spelled(starts, ends, ids, types)
    kinds = np.fromiter((_kind(t) for t in types), np.int64, len(types))
    numbers = np.fromiter((number(key(t)) if _kind(t) == _WORD else -1 for t in types), np.int64, len(types))
    kind = kinds[ids]
    # A mark that touches its neighbours joins them, another one parts them.
    touching = np.zeros(len(ids), np.bool_)
    if len(ids) > 2:
        touching[1:-1] = (starts[1:-1] == ends[:-2]) & (ends[1:-1] == starts[2:])
    parts = np.cumsum((kind == _MARK) & ~touching)
    blanks = np.fromiter((m.start() for m in _BLANK_LINE.finditer(text)), np.int64)
    segments = np.fromiter((s.start for s in document.segments), np.int64)
    at = np.flatnonzero(kind == _WORD)
    runs = parts[at] + np.searchsorted(blanks, starts[at]) + np.searchsorted(segments, starts[at], side="right")
    return _Words(starts[at], ends[at], numbers[ids[at]], runs)


def _kind(token: str) -> int:
    if token in _POSSESSIVE:
        return _NOTHING
    return _WORD if any(map(str.isalnum, token)) else _MARK


def _spelled(starts: Ints, ends: Ints, ids: Ints, types: list[str]) -> tuple[Ints, Ints, Ints, list[str]]:
    """The tokens with those of scripts without spaces cut into characters."""
    pieces = {i: _PIECE.findall(t) for i, t in enumerate(types) if _UNSPACED.search(t)}
    numbers: dict[str, int] = {t: i for i, t in enumerate(types)}
    rows: list[tuple[int, int, int]] = []
    for start, end, i in zip(starts.tolist(), ends.tolist(), ids.tolist(), strict=True):
        if i not in pieces:
            rows.append((start, end, i))
            continue
        for piece in pieces[i]:
            rows.append((start, start + len(piece), numbers.setdefault(piece, len(numbers))))
            start += len(piece)
    table: NDArray[np.int64] = np.array(rows, np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2], list(numbers)
