"""Cut a text into chunks: the runs of characters between white space, with each distinct chunk stored once.

Tokens, trigger words and the first words of names never contain white space. So they are searched in the *distinct*
chunks of a text only, which are a third of its characters or less. The hits are then copied to every occurrence of the
chunk with array operations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span

__all__ = ["Chunks", "Interner", "Ints", "chunk", "find_in", "occurrences", "spread"]

Ints = NDArray[np.int64]
T = TypeVar("T")

_LAST_SPACE = 0x3000  # the last character that is white space, in any plane
_IS_SPACE = np.fromiter((chr(code).isspace() for code in range(_LAST_SPACE + 2)), np.bool_, _LAST_SPACE + 2)


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of a text: where each starts, and which of the ``types`` it is.

    ``numbers`` has the number of each type. ``mixed`` are the types that are not letters of ASCII and nothing else:
    what patterns have to search, the others being plain words.
    """

    starts: Ints
    ids: Ints
    types: list[str]
    numbers: dict[str, int]
    mixed: list[int]

    def __len__(self) -> int:
        return len(self.ids)


class Interner(dict[str, int]):
    """A number for every different string, in order of first use.

    >>> numbers = Interner()
    >>> [numbers[word] for word in ("a", "b", "a")]
    [0, 1, 0]
    """

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


def chunk(text: str, spans: Sequence[Span] | None = None) -> Chunks:
    """The chunks of ``text``, or of the given spans of it, in order; no chunk crosses the end of a span.

    >>> found = chunk("to be  or not to be")
    >>> found.starts.tolist(), found.ids.tolist(), found.types
    ([0, 3, 7, 10, 14, 17], [0, 1, 2, 3, 0, 1], ['to', 'be', 'or', 'not'])
    """
    spans = [(0, len(text))] if spans is None else spans
    interner = Interner()
    pieces: list[str] = []
    for start, end in spans:
        pieces += text[start:end].split()
    ids = np.fromiter(map(interner.__getitem__, pieces), np.int64, len(pieces))
    types = list(interner)
    mixed = [number for number, written in enumerate(types) if not (written.isascii() and written.isalpha())]
    return Chunks(_starts(text, spans), ids, types, interner, mixed)


def find_in(words: list[str], pattern: re.Pattern[str]) -> list[list[tuple[int, str]]]:
    """What a pattern that matches no white space finds in each of many words: its place there, and its text.

    >>> find_in(["5.5", "to", "x5"], re.compile("5"))
    [[(0, '5'), (2, '5')], [], [(1, '5')]]
    """
    found: list[list[tuple[int, str]]] = [[] for _ in words]
    number, begin = -1, 0
    finish = 0
    for match in pattern.finditer("\n".join(words)):
        at = match.start()
        while at >= finish:
            number += 1
            begin, finish = finish, finish + len(words[number]) + 1
        found[number].append((at - begin, match.group()))
    return found


def occurrences(chunks: Chunks, hits: Sequence[tuple[int, int, T]]) -> list[tuple[int, T]]:
    """Where in the text things stand, in order, that stand in types: number of the type, place in it, what it is.

    >>> occurrences(chunk("to be or not to be"), [(1, 1, "e"), (0, 0, "t"), (0, 1, "o")])
    [(0, 't'), (1, 'o'), (4, 'e'), (13, 't'), (14, 'o'), (17, 'e')]
    """
    if not hits:
        return []
    table = np.array([hit[:2] for hit in hits], np.int64)
    order = np.lexsort(table.T[::-1])
    counts = np.bincount(table[:, 0], minlength=len(chunks.types))
    owners, places = spread(np.cumsum(counts) - counts, counts, chunks.ids)
    places = order[places]
    starts = chunks.starts[owners] + table[places, 1]
    return [(start, hits[place][2]) for start, place in zip(starts.tolist(), places.tolist(), strict=True)]


def _starts(text: str, spans: Sequence[Span]) -> Ints:
    """Where in the spans a character that is no white space follows white space or the start of its span."""
    if not spans:
        return np.zeros(0, np.int64)
    begin, finish = spans[0][0], spans[-1][1]
    part = text[begin:finish]
    codes: NDArray[np.uint8] | NDArray[np.uint32]
    if part.isascii():
        codes = np.frombuffer(part.encode("ascii"), np.uint8)
    else:
        codes = np.frombuffer(part.encode("utf-32-le", "surrogatepass"), np.uint32)
    solid = ~_IS_SPACE.take(codes, mode="clip")
    first = solid.copy()
    first[1:] &= ~solid[:-1]
    if len(spans) > 1:
        bounds = np.array(spans, np.int64) - begin
        inside = np.zeros(len(solid) + 1, np.int64)
        np.add.at(inside, bounds[:, 0], 1)
        np.subtract.at(inside, bounds[:, 1], 1)
        at = bounds[bounds[:, 0] < bounds[:, 1], 0]
        first[at] = solid[at]
        first &= np.cumsum(inside[:-1]) > 0
    return np.flatnonzero(first) + begin


def spread(first: Ints, counts: Ints, ids: Ints) -> tuple[Ints, Ints]:
    """The things of types, ``counts`` of them from place ``first`` on for each, carried to the occurrences ``ids``.

    Gives for each thing of each occurrence the number of the occurrence, and the place of the thing.

    >>> owners, places = spread(np.array([0, 9, 2]), np.array([2, 0, 1]), np.array([2, 0, 1, 0]))
    >>> owners.tolist(), places.tolist()
    ([0, 1, 1, 3, 3], [2, 0, 1, 0, 1])
    """
    here = counts[ids]
    shift = first[ids] - (np.cumsum(here) - here)
    owners = np.repeat(np.arange(len(ids)), here)
    return owners, np.arange(len(owners)) + shift[owners]
