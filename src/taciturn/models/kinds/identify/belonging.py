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

__all__ = ["SHORT", "add_belonging", "foreign_words", "initials_of"]

SHORT = 5
"""Words of fewer letters are initials or abbreviations as a rule."""

_PERSON = CLASSES.index("PERSON")
_BETWEEN = 2  # points and commas between initials and a name
_POINTS = (".", ",", "-", "'", "’")
_FEW = 0.5  # of the words of a text
_SUFFIXES = frozenset(word.lower().rstrip(".") for word in LEXICON.words("names.suffix"))
_PARTICLES = LEXICON.word_set("names.particle") - {"y", "al", "el"}
_DICTATED = re.compile(r"(?<![\w/])(\w{2,3})[/:](\w{2,3})(?![\w/])")
_DOTTED = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){2,4}")
_BROKEN = re.compile(r"(?<=[^\W\d_])-\n[ \t]*(?=[^\W\d_])")
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
    for at in range(len(words) - 2):
        if _is_initial(pieces, words, at) and found[at + 2] == _PERSON and found[at] != _PERSON:
            _join(pieces, words, found, at, (1,))
    for at in reversed(np.flatnonzero(likely & short & (found != _PERSON)).tolist()):
        _join(pieces, words, found, at, (1,))
    for at in range(len(words) - 2, -1, -1):
        if found[at + 1] == _PERSON and found[at] != _PERSON and words[at] in _PARTICLES:
            _join(pieces, words, found, at, (1,))  # "ap Rhys"
    for at in range(1, len(words)):
        if found[at - 1] == _PERSON and _is_last_initial(pieces, words, at):
            found[at] = _PERSON
    for at in range(1, len(words) - 3):
        if words[at] == "(" and words[at + 2] == ")" and found[at - 1] == found[at + 3] == _PERSON:
            found[at : at + 3] = _PERSON  # "Priyanka (Pri) Deshpande"
    for match in _BROKEN.finditer(pieces.text):
        before, after = _at(pieces, match.start() - 1), _at(pieces, match.end())
        if _PERSON in (found[before], found[after]) and words[after].islower() == words[before][1:].islower():
            found[before : after + 1] = _PERSON  # a name that the end of a line has cut
    _join_foreign(pieces, words, found)
    _join_initials(pieces, found, set(initials_of(words, found)))
    return found


def _join_initials(pieces: Pieces, found: NDArray[np.int64], initials: set[str]) -> None:
    """Initials that sign or stand for somebody who is named: "CL/rb", a line "J.R.", "N.P." anywhere."""
    for match in _DICTATED.finditer(pieces.text):
        both = [_at(pieces, match.start(group)) for group in (1, 2)]
        named = match[1].isupper() and match[1].casefold() in initials
        if named or (match[1].isupper() and match[2].islower() and any(found[at] == _PERSON for at in both)):
            found[both] = _PERSON
    for match in (*_SIGNED.finditer(pieces.text), *_DOTTED.finditer(pieces.text)):
        start = match.start(1) if match.re is _SIGNED else match.start()
        if "".join(filter(str.isalpha, match.group())).casefold() in initials:
            found[_at(pieces, start) : _at(pieces, match.end() - 1) + 1] = _PERSON


def _is_initial(pieces: Pieces, words: list[str], at: int) -> bool:
    """Whether a letter with a point stands before a word of its case, after a gap: "t. nakagawa", not "b/l. abd"."""
    letter, name, start = words[at], words[at + 2], int(pieces.tokens.starts[at])
    alone = start == 0 or pieces.text[start - 1].isspace() or pieces.text[start - 1] in "(,."
    return (
        len(letter) == 1
        and letter.isalpha()
        and words[at + 1] == "."
        and alone
        and letter.isupper() == name[0].isupper()
    )


def _is_last_initial(pieces: Pieces, words: list[str], at: int) -> bool:
    """Whether a capital ends a line or a cell after a name: "OKAFOR,ADA J"."""
    tokens, text = pieces.tokens, pieces.text
    alone = len(words[at]) == 1 and words[at].isupper() and text[tokens.ends[at - 1] : tokens.starts[at]] == " "
    return alone and re.match(r"[ \t]{2,}|[ \t]*(?:\n|\Z)", text[tokens.ends[at] :]) is not None


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


def initials_of(words: list[str], found: NDArray[np.int64]) -> Iterator[str]:
    """The initials of those who are named by two names or more, in small letters: all of them, and first and last."""
    run: list[str] = []
    named = False  # by more than letters
    for word, label in zip([*words, ""], [*found.tolist(), 0], strict=True):
        if label == _PERSON:
            run += [word[0].casefold()] if word[0].isalpha() and word.lower() not in _SUFFIXES else []
            named = named or len(word) > 2
            continue
        if len(run) > 1 and named:
            yield "".join(run)
            yield run[0] + run[-1]
        run, named = [], False
