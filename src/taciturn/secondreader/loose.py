"""Names of several words that are not written in one piece: "hepatitis B and C", "pain in the left arm"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from taciturn.secondreader.forms import Forms
from taciturn.secondreader.text import Text, between_words
from taciturn.secondreader.words import word_set

__all__ = ["apart", "coordinated"]

_AND = word_set("words and")
_JOINT = re.compile(r"\s*(?:[/&,+]|&amp;)\s*")
_OF = word_set("words of")
_BARS = word_set("words bars")
_BLANK = re.compile(r"[ \t]*[-\n]?[ \t]*")
_LEFT = 4  # words before the joint that are looked at
_RIGHT = 2  # words that end the name
_OTHER = 3  # words of the other thing that is named with it
_INSERTED = 2  # words between two of a name
_ALIKE = 5  # letters that two forms of a word have in common
_ENDING = 2  # letters in which they differ at the end

Found = tuple[int, int, str]


def coordinated(text: Text, begins: Sequence[bool], forms: Forms) -> Iterator[Found]:
    """Entries of several words that share one of them with another thing: the first and last atom, and the letters.

    "Hepatitis B and C" has hepatitis C, "breast and ovarian cancer" breast cancer. ``begins`` says of each atom
    whether it may begin an entry.
    """
    words = text.words
    for i in range(len(words) - 1):
        if words[i] in _AND:
            left, right = i - 1, i + 1
        elif _JOINT.fullmatch(text.gap(i)):
            left, right = i, i + 1
            right += words[right] in _AND
        else:
            continue
        for first in range(left, max(left - _LEFT, -1), -1):
            if first < left and not between_words(text.gap(first)):
                break
            if begins[first]:
                yield from _shared_start(text, first, left, right, forms)
                yield from _shared_end(text, first, left, right, forms)


def _shared_start(text: Text, first: int, left: int, right: int, forms: Forms) -> Iterator[Found]:
    """ "hepatitis [B and] C" """
    words = text.words
    for end in range(first + 1, left + 1):
        head = "".join(words[first:end])
        if not forms.begins(head):
            return
        for last in range(right, min(right + _RIGHT, len(words))):
            # What is shared out is alike: "hepatitis profile, C3 and C" names no hepatitis C.
            if last == right and len(words[right]) == 1 < max(map(len, words[end : left + 1])):
                continue
            yield from _entry(head, words[right : last + 1], first, last, forms)


def _shared_end(text: Text, first: int, left: int, right: int, forms: Forms) -> Iterator[Found]:
    """ "breast [and ovarian] cancer" """
    words = text.words
    head = "".join(words[first : left + 1])
    if not forms.begins(head):
        return
    for start in range(right + 1, min(right + 1 + _OTHER, len(words))):
        if not between_words(text.gap(start - 1)):
            return
        if not words[start].isdigit():
            for last in range(start, min(start + _RIGHT, len(words))):
                yield from _entry(head, words[start : last + 1], first, last, forms)


def _entry(head: str, tail: Sequence[str], first: int, last: int, forms: Forms) -> Iterator[Found]:
    letters = head + "".join(tail)
    if any(e.words >> len(head) & 1 for e in forms.table.get(letters, ())):
        yield first, last, letters


def apart(text: Text, names: Sequence[tuple[int, tuple[str, ...]]]) -> Iterator[tuple[int, int, int]]:
    """Names whose words stand apart, in order with a few words between them or the last one first with "of" after it:
    the first and last atom, and the number of the name.

    Words count in their other forms too: "a mass of the epiglottis" is an epiglottic mass.
    """
    for number, name in names:
        starts = (name[0][:_ALIKE], name[-1][:_ALIKE])
        for i, word in enumerate(text.words):
            if not word.startswith(starts):
                continue
            if _same(word, name[0]):
                end = _in_order(text, i, name[1:], _INSERTED, _BARS)
                if end is not None and end - i >= len(name):
                    yield i, end, number
            if _same(word, name[-1]):
                for link in range(i + 1, min(i + 2 + _INSERTED, len(text.words))):
                    if not _BLANK.fullmatch(text.gap(link - 1)):
                        break
                    if text.words[link] in _OF:
                        end = _in_order(text, link, name[:-1], _INSERTED, frozenset())
                        if end is not None:
                            yield i, end, number
                        break


def _in_order(text: Text, at: int, name: Sequence[str], inserted: int, barred: frozenset[str]) -> int | None:
    """Where some words end that follow an atom in order, with at most a few others between two of them."""
    for wanted in name:
        for k in range(at + 1, min(at + 2 + inserted, len(text.words))):
            if not _BLANK.fullmatch(text.gap(k - 1)):
                return None
            if _same(text.words[k], wanted):
                at = k
                break
            if text.words[k] in barred:
                return None
        else:
            return None
    return at


def _same(word: str, other: str) -> bool:
    """Is one word another form of the other one? "epiglottis" of "epiglottic"."""
    if word == other:
        return True
    if word[:_ALIKE] != other[:_ALIKE] or len(word) < _ALIKE or abs(len(word) - len(other)) > _ENDING:
        return False
    common = 0
    for a, b in zip(word, other, strict=False):
        if a != b:
            break
        common += 1
    return max(len(word), len(other)) - common <= _ENDING
