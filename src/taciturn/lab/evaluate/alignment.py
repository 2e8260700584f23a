"""Which parts of a text does its later version lack?"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from taciturn.document import Span

__all__ = ["removed_spans"]

_WORD = re.compile(r"\w+")


def removed_spans(before: str, after: str) -> list[Span]:
    """The spans of ``before`` whose words ``after`` does not have in their place, neighbouring words as one span.

    Words are compared in order, the longest common runs first, so that a name that stays in one place and goes in
    another is told apart. Quadratic in the words that differ at worst, which evaluation can afford: common beginnings
    and ends are cut off first.

    >>> removed_spans("Ann Lee of Rome met Ann.", "[PERSON 1] of Rome met [PERSON 1].")
    [(0, 7), (20, 23)]
    """
    words = [m.span() for m in _WORD.finditer(before)]
    old, new = [before[a:b] for a, b in words], _WORD.findall(after)
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    matcher = SequenceMatcher(None, old[first : len(old) - last], new[first : len(new) - last], autojunk=False)
    kept = [False] * (len(old) - first - last)
    for at, _, size in matcher.get_matching_blocks():
        kept[at : at + size] = [True] * size
    spans: list[Span] = []
    joined = False
    for (start, end), stays in zip(words[first : len(words) - last], kept, strict=True):
        if not stays and joined:
            spans[-1] = (spans[-1][0], end)
        elif not stays:
            spans.append((start, end))
        joined = not stays
    return spans
