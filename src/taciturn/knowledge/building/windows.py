"""Contexts: windows of about a paragraph, cut at sentences.

In a whole article too many terms co-occur, in a single sentence too few. A window closes at the end of a paragraph once
it has ``shortest`` words, and at the end of a sentence once it has ``longest``; shorter paragraphs (headings, list
items, one-line remarks) are joined with what follows them in the same article, so that windows are of about one size
and their counts can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

from taciturn.document import Span

__all__ = ["cut_windows"]


def cut_windows(text: str, sentences: Sequence[Span], end: int, shortest: int, longest: int) -> list[int]:
    """Where each window of an article ends, which has these sentences and ends at ``end`` itself.

    >>> text = "One two three. Four five six.\\nSeven.\\nEight nine."
    >>> cut_windows(text, [(0, 14), (15, 29), (30, 36), (37, 48)], 48, shortest=2, longest=4)
    [30, 48]
    """
    ends: list[int] = []
    words = 0
    for number, (first, last) in enumerate(sentences):
        following = sentences[number + 1][0] if number + 1 < len(sentences) else end
        words += text.count(" ", first, last) + 1
        if words >= longest or (words >= shortest and "\n" in text[last - 1 : following]):
            ends.append(following)
            words = 0
    if words or not ends:
        # What is left over at the end is too short to stand alone: it joins the window before it.
        if ends and words < shortest // 2:
            ends.pop()
        ends.append(end)
    ends[-1] = end
    return ends
