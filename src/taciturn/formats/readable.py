"""Passages as people read them: a word broken at a line's end is one word, a letter and its accent are one letter.

What a format stores stays as it is unless an edit covers it: an edit of the readable text is translated to the stored
one. "Kowal-\\nczyk" is read as "Kowalczyk", and "u" with a combining diaeresis as the letter that it shows.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from taciturn.formats.base import Change, Passage, Slot

__all__ = ["View", "readable", "translated"]

_BROKEN = r"(?<=[^\W\d_])[-\u2010\u00ad][ \t]*\r?\n[ \t>]*(?=[^\W\d_])"
_COMPOSED = "[^\\W\\d_][\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+|[\u1100-\u11ff]{2,}"
_EITHER = re.compile(f"(?P<broken>{_BROKEN})|(?P<letter>{_COMPOSED})")
_LINE_END = re.compile(r"[-\u2010\u00ad][ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class View:
    """A passage with its readable text. ``starts[i]`` is where the i-th stretch begins in the readable text,
    ``stored[i]`` where it begins in the stored one; odd stretches were changed, and are covered whole or not at all."""

    passage: Passage
    starts: tuple[int, ...]
    stored: tuple[int, ...]

    def to_stored(self, at: int, *, is_end: bool) -> int:
        i = bisect_right(self.starts, at) - 1
        if is_end and i and at == self.starts[i]:
            i -= 1
        if i % 2:
            return self.stored[i + 1] if is_end and at > self.starts[i] else self.stored[i]
        return self.stored[i] + at - self.starts[i]


def readable(passage: Passage) -> View | None:
    """The readable view of a passage; None if it is stored as it is read.

    >>> view = readable(Passage("text", (Slot("Ann Kowal-\\nczyk left"),)))
    >>> view.passage.text
    'Ann Kowalczyk left'
    >>> translated([[(4, 13, "X")]], [view])
    (((4, 15, 'X'),),)
    """
    text = passage.text
    if not (_LINE_END.search(text) if text.isascii() else not unicodedata.is_normalized("NFC", text) or "\n" in text):
        return None
    pieces: list[str] = []
    starts, stored = [0], [0]
    at = made = 0
    for found in _EITHER.finditer(text):
        if found["broken"] and not text[found.end()].islower():
            continue
        new = "" if found["broken"] else unicodedata.normalize("NFC", found.group())
        if new == found.group():
            continue
        pieces += (text[at : found.start()], new)
        made += found.start() - at
        starts += (made, made + len(new))
        stored += (found.start(), found.end())
        made += len(new)
        at = found.end()
    if not at:
        return None
    pieces.append(text[at:])
    return View(Passage(passage.place, (Slot("".join(pieces)),)), tuple(starts), tuple(stored))


def translated(changes: Sequence[Sequence[Change]], views: Sequence[View | None]) -> tuple[tuple[Change, ...], ...]:
    """Changes of readable texts as changes of the stored ones."""
    return tuple(
        tuple(edits)
        if view is None
        else tuple((view.to_stored(a, is_end=False), view.to_stored(b, is_end=True), new) for a, b, new in edits)
        for edits, view in zip(changes, views, strict=True)
    )
