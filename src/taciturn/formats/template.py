"""Formats that are text with holes: only the holes that an edit touches are written anew, every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from taciturn.formats.base import Slot

__all__ = ["Hole", "pieces", "splice", "visible"]


class Hole(NamedTuple):
    """A span of the source that holds the text of one slot, and how new text is written there."""

    start: int
    end: int
    encode: Callable[[str], str]


def splice(
    source: str,
    holes: Sequence[Hole],
    filled: Mapping[int, str],
    between: Callable[[str], str] | None = None,
) -> str:
    """The source with new text in some of its holes, which stand in order; ``between`` cleans what is in no hole.

    >>> splice("a=b", [Hole(0, 1, str), Hole(2, 3, str.upper)], {1: "c"})
    'a=C'
    """
    return "".join(pieces(source, holes, filled, between))


def pieces(
    source: str,
    holes: Sequence[Hole],
    filled: Mapping[int, str],
    between: Callable[[str], str] | None = None,
) -> list[str]:
    """The pieces that :func:`splice` joins: what is outside, a hole, what is outside, a hole, and so on."""
    made: list[str] = []
    at = 0
    for number, hole in enumerate(holes):
        outside = source[at : hole.start]
        made.append(between(outside) if between and outside else outside)
        made.append(hole.encode(filled[number]) if number in filled else source[hole.start : hole.end])
        at = hole.end
    rest = source[at:]
    made.append(between(rest) if between and rest else rest)
    return made


_SPACES = re.compile(r"([ \t\r\n\f]+)")
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


def visible(text: str, holder: int, *, collapse: bool, after_space: bool = False) -> list[Slot]:
    """The slots of stored text as a reader sees it: white space collapsed, soft hyphens and the like unseen.

    >>> [slot.text for slot in visible("An\\u00adna\\n   Karenina", 0, collapse=True)]
    ['A', 'n', 'na', ' ', 'Karenina']
    """
    slots: list[Slot] = []
    for piece in _SPACES.split(text) if collapse else [text]:
        if not piece:
            continue
        if collapse and piece.isspace() and _SPACES.fullmatch(piece):
            slots.append(Slot("" if after_space else " ", holder, piece))
            after_space = True
            continue
        after_space = False
        at = 0
        for found in _INVISIBLE.finditer(piece):
            if found.start() == at:
                # Nothing stands before it to carry it: it is dropped if the holder is ever written.
                at = found.end()
                continue
            if found.start() - 1 > at:
                slots.append(Slot(piece[at : found.start() - 1], holder))
            slots.append(Slot(piece[found.start() - 1], holder, piece[found.start() - 1 : found.end()]))
            at = found.end()
        if at < len(piece):
            slots.append(Slot(piece[at:], holder))
    return slots
