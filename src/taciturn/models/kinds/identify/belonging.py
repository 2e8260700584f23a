"""What belongs to a name that was found: initials, particles and suffixes beside it, and initials that stand for it.

The network judges words; a single letter beside a name, the "III" after it or the "rb" of "CL/rb" says little by
itself, and is a part of the name where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from taciturn.language.lexicon import LEXICON
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.pieces import Pieces

__all__ = ["SHORT", "add_belonging", "foreign_words"]

SHORT = 5
"""Words of fewer letters are initials or abbreviations as a rule."""

_PERSON = CLASSES.index("PERSON")
_BETWEEN = 2  # points and commas between initials and a name
_POINTS = (".", ",", "-", "'", "’")
_FEW = 0.5  # of the words of a text
_SUFFIXES = frozenset(word.lower().rstrip(".") for word in LEXICON.words("names.suffix"))
_DICTATED = re.compile(r"(?<![\w/])([A-Z]{2,3})[/:]([a-z]{2,3})(?![\w/])")
_SIGNED = re.compile(r"(?m)^[>\s]*((?:[^\W\d_]\.?){2,4})[ \t]*$")


def add_belonging(
    pieces: Pieces, words: list[str], best: NDArray[np.int64], likely: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The classes of the pieces, with those of what belongs to a name; ``likely`` says what may be a part of one."""
    found = best.copy()
    suffixes = np.array([word.lower() in _SUFFIXES for word in words], np.bool_)
    short = np.array([len(word) < SHORT for word in words], np.bool_)
    for at in np.flatnonzero((likely & short | suffixes) & (found != _PERSON)).tolist():
        _join(pieces, words, found, at, (-1,) if suffixes[at] else (-1, 1))
    for at in reversed(np.flatnonzero(likely & short & (found != _PERSON)).tolist()):
        _join(pieces, words, found, at, (1,))
    for at in range(1, len(words) - 3):
        if words[at] == "(" and words[at + 2] == ")" and found[at - 1] == found[at + 3] == _PERSON:
            found[at : at + 3] = _PERSON  # "Priyanka (Pri) Deshpande"
    for match in _DICTATED.finditer(pieces.text):
        both = [_at(pieces, match.start(group)) for group in (1, 2)]
        if any(found[at] == _PERSON for at in both):
            found[both] = _PERSON
    _join_foreign(pieces, words, found)
    initials = set(_initials(words, found))
    for match in _SIGNED.finditer(pieces.text):
        if "".join(filter(str.isalpha, match[1])).casefold() in initials:
            found[_at(pieces, match.start(1)) : _at(pieces, match.end(1) - 1) + 1] = _PERSON
    return found


def _join(pieces: Pieces, words: list[str], found: NDArray[np.int64], at: int, steps: tuple[int, ...]) -> None:
    """Join a piece to the name on one of its sides, with the points between them, if there is one on the same line."""
    for step in steps:
        other = at + step
        while 0 <= other < len(words) and abs(other - at) <= _BETWEEN and words[other] in _POINTS:
            other += step
        if not 0 <= other < len(words) or found[other] != _PERSON:
            continue
        first, last = min(at, other), max(at, other)
        if "\n" not in pieces.text[pieces.tokens.ends[first] : pieces.tokens.starts[last]]:
            found[first : last + 1] = _PERSON


def _join_foreign(pieces: Pieces, words: list[str], found: NDArray[np.int64]) -> None:
    """In a Latin text the words of another script beside a name in that script belong to it."""
    foreign = foreign_words(words)
    if not foreign.any():
        return
    tokens = pieces.tokens
    for step in (1, -1):
        for at in range(len(words))[::step]:
            before = at - step
            if not (0 <= before < len(words) and foreign[at] and foreign[before] and found[before] == _PERSON):
                continue
            first = min(at, before)
            if pieces.text[tokens.ends[first] : tokens.starts[first + 1]] in ("", " "):
                found[at] = _PERSON


def foreign_words(words: list[str]) -> NDArray[np.bool_]:
    """Which words of a Latin text are of another script; none where half of the words or more are.

    >>> foreign_words(["Dr", "שרה", "has", "seen", "β"]).tolist()
    [False, True, False, False, False]
    """
    found = np.array([len(w) > 1 and w[0].isalpha() and not _is_latin(w[0]) for w in words], np.bool_)
    return found if found.sum() < _FEW * len(words) else np.zeros_like(found)


def _is_latin(letter: str) -> bool:
    return ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00


def _at(pieces: Pieces, offset: int) -> int:
    """The number of the piece at an offset."""
    return int(np.searchsorted(pieces.tokens.starts, offset, side="right")) - 1


def _initials(words: list[str], found: NDArray[np.int64]) -> Iterator[str]:
    """The initials of those who are named by two names or more, in small letters: all of them, and first and last."""
    run: list[str] = []
    for word, label in zip([*words, ""], [*found.tolist(), 0], strict=True):
        if label == _PERSON:
            run += [word[0].casefold()] if word[0].isalpha() else []
            continue
        if len(run) > 1:
            yield "".join(run)
            yield run[0] + run[-1]
        run = []
