"""Caches for results that depend on a word alone. They live from document to document and are bounded."""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["WordMemo", "WordTable"]

Kind = TypeVar("Kind", bound=np.generic)
Value = TypeVar("Value")


class WordTable(Generic[Kind]):
    """A cache of array rows by word: it takes a batch of words and returns one array with a row for each.

    A dictionary of rows would cost one Python object for each word and one concatenation for each document. The table
    keeps at most ``size`` words. When a document brings more, the table is emptied first, so its memory is bounded. It
    holds single words, never texts. Only the first ``longest`` characters of a word are used.

    >>> table = WordTable(lambda words: np.array([len(word) for word in words]), size=100)
    >>> table.rows(["to", "be", "not", "to"]).tolist()
    [2, 2, 3, 2]
    """

    def __init__(self, work_out: Callable[[list[str]], NDArray[Kind]], size: int, longest: int = 40) -> None:
        self._work_out = work_out
        self._size = size
        self._longest = longest
        self._places: dict[str, int] = {}
        self._kept: NDArray[Kind] | None = None
        self._lock = Lock()

    def rows(self, words: list[str]) -> NDArray[Kind]:
        """A row for each of the words."""
        if words and max(map(len, words)) > self._longest:
            words = [word[: self._longest] for word in words]
        with self._lock:
            places = np.fromiter(map(self._places.get, words, repeat(-1)), np.int64, len(words))
            absent = np.flatnonzero(places < 0)
            if self._kept is not None and not len(absent):
                return self._kept.take(places, axis=0)
            new = list(dict.fromkeys(words[place] for place in absent.tolist()))
            if len(self._places) + len(new) > self._size:
                self._places, self._kept = {}, None
                new = list(dict.fromkeys(words))
                if len(new) > self._size:
                    return self._work_out(words)
            figures = self._work_out(new)
            if self._kept is None:
                self._kept = np.empty((self._size, *figures.shape[1:]), figures.dtype)
            begin = len(self._places)
            self._kept[begin : begin + len(new)] = figures
            self._places.update(zip(new, range(begin, begin + len(new)), strict=True))
            places = np.fromiter(map(self._places.__getitem__, words), np.int64, len(words))
            return self._kept.take(places, axis=0)


class WordMemo(Generic[Value]):
    """A cache of Python values by word: like :class:`WordTable`, for values that do not fit into an array.

    >>> memo = WordMemo(lambda words: [word.split("-") for word in words], size=100)
    >>> memo.of(["to-do", "be", "to-do"])
    [['to', 'do'], ['be'], ['to', 'do']]
    """

    def __init__(self, work_out: Callable[[list[str]], list[Value]], size: int, longest: int = 40) -> None:
        self._work_out = work_out
        self._size = size
        self._longest = longest
        self._kept: dict[str, Value] = {}
        self._lock = Lock()

    def of(self, words: list[str]) -> list[Value]:
        """The value of each word. Words longer than ``longest`` are computed every time and not kept."""
        with self._lock:
            kept = self._kept
            new = [word for word in dict.fromkeys(words) if word not in kept]
            if not new:
                return [kept[word] for word in words]
            found = dict(zip(new, self._work_out(new), strict=True))
            here = [found[word] if word in found else kept[word] for word in words]
            if len(kept) + len(new) > self._size:
                self._kept = kept = {}
            if len(new) <= self._size:
                kept.update((word, value) for word, value in found.items() if len(word) <= self._longest)
            return here
