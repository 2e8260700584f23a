"""A document as the characters that entries of a list are looked for in: NFC, with offsets that map back.

An entry is looked for between boundaries: where the script parts words by spaces, a match may not cut a word in two;
where it does not (Han, kana, Thai ...), it may start and end anywhere. Korean words carry their particles, so an
entry may end inside a word there. No match starts between a letter and its combining mark.
"""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import category, is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document, Span
from taciturn.generalize.writing import MARK
from taciturn.solvers.list_matches import Bounds
from taciturn.solvers.mask_arrays import code_points

__all__ = ["Characters", "characters"]

_OTHER, _WORD, _HANGUL, _FREE, _COMBINING = range(5)
_SCRIPTS = (  # (first, last, kind): scripts without spaces between words, and Hangul
    (0x0E00, 0x0FFF, _FREE),  # Thai, Lao, Tibetan
    (0x1000, 0x109F, _FREE),  # Burmese
    (0x1100, 0x11FF, _HANGUL),
    (0x1780, 0x17FF, _FREE),  # Khmer
    (0x3005, 0x3007, _FREE),
    (0x3040, 0x312F, _FREE),  # kana, Bopomofo
    (0x3130, 0x318F, _HANGUL),
    (0x31A0, 0x31FF, _FREE),
    (0x3400, 0x9FFF, _FREE),  # Han
    (0xAC00, 0xD7FF, _HANGUL),
    (0xF900, 0xFAFF, _FREE),
    (0xFF66, 0xFF9F, _FREE),
    (0x20000, 0x3FFFF, _FREE),
)


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of a document after NFC, where matches may lie, and where each character came from."""

    points: NDArray[np.uint32]
    bounds: Bounds
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def span(self, start: int, end: int) -> Span:
        """The span of the document behind some characters."""
        return int(self.starts[start]), int(self.ends[end - 1])

    def text(self, start: int, end: int) -> str:
        """The characters themselves, composed."""
        return self.points[start:end].tobytes().decode("utf-32-le", "surrogatepass")


def characters(document: Document) -> Characters:
    """The characters of a document; linear in its length.

    >>> read = characters(Document.of("Re\\u0301my"))
    >>> read.text(0, 4), read.span(1, 2)
    ('Rémy', (1, 3))
    """
    text = document.text
    if is_normalized("NFC", text):
        points = code_points(text)
        starts = np.arange(points.size, dtype=np.int64)
        ends = starts + 1
    else:
        points, starts, ends = _composed(text)
    return Characters(points, _bounds(points, starts, document), starts, ends)


def _composed(text: str) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    """NFC a cluster at a time: a character and what may compose with it. A cluster that changes is indivisible."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for i in range(1, len(text) + 1):
        if i < len(text) and _composes(text[i]):
            continue
        cluster = text[at:i]
        composed = cluster if cluster.isascii() else normalize("NFC", cluster)
        pieces.append(composed)
        if composed == cluster:
            starts += range(at, i)
            ends += range(at + 1, i + 1)
        else:
            starts += [at] * len(composed)
            ends += [i] * len(composed)
        at = i
    return code_points("".join(pieces)), np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)


def _composes(character: str) -> bool:
    """May a character compose with the one before it? Marks, and the vowels and finals of Hangul."""
    return not character.isascii() and (category(character)[0] == "M" or "\u1160" <= character <= "\u11ff")


def _kind(point: int) -> int:
    character = chr(point)
    if category(character)[0] == "M":
        return _COMBINING
    for first, last, kind in _SCRIPTS:
        if first <= point <= last:
            return kind
    return _WORD if character.isalnum() else _OTHER


def _bounds(points: NDArray[np.uint32], starts: NDArray[np.int64], document: Document) -> Bounds:
    size = points.size
    seen = np.zeros(int(points.max(initial=0)) + 1, dtype=bool)
    seen[points] = True
    kinds = np.zeros(seen.size, dtype=np.uint8)
    for point in np.flatnonzero(seen).tolist():
        kinds[point] = _kind(point)
    kind = kinds[points]
    combining = kind == _COMBINING
    if combining.any():  # a mark belongs to what it stands on
        base = np.maximum.accumulate(np.where(combining, 0, np.arange(size)))
        kind = kind[base]
    apart = ~combining
    in_word = (kind == _WORD) | (kind == _HANGUL)
    cut = np.zeros(size + 1, dtype=bool)
    cut[1:-1] = in_word[1:] & in_word[:-1]
    can_start = ~cut[:-1] & apart
    both_hangul = np.zeros(size + 1, dtype=bool)
    both_hangul[1:-1] = (kind[1:] == _HANGUL) & (kind[:-1] == _HANGUL)
    can_end = ~cut | both_hangul
    can_end[:-1] &= apart
    limits = np.zeros(size, dtype=np.int64)
    for segment in document.segments:
        first, last = np.searchsorted(starts, (segment.start, segment.end)).tolist()
        limits[first:last] = last
    for mark in MARK.finditer(document.text):  # a redaction mark is no text of the document
        first, last = np.searchsorted(starts, mark.span()).tolist()
        limits[first:last] = 0
    return Bounds(can_start & (limits > 0), can_end, limits)
