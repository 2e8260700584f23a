"""Paragraphs and sentences, found over a document's tokens in whole-array steps.

A paragraph ends at a blank line and at a segment's end. A sentence ends at a full stop, question or exclamation mark
that the text after it confirms, and at a line's end that is not merely wrapped: before a bullet, after a short line,
after a section head. No sentence is longer than :data:`LONGEST` tokens, so that a text without any mark stays
bounded.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span
from taciturn.language.lexicon import LEXICON
from taciturn.language.tokens import Ints, Tokens
from taciturn.language.wordtable import WordTable

__all__ = ["LONGEST", "WIDEST", "break_after", "first_tokens", "line_edges"]

LONGEST = 400
"""Tokens in a sentence, at most."""

WIDEST = 132
"""Characters in a line that was wrapped by hand or program, at most."""

_SEEN = 40  # characters of a token that are looked at; nothing of use stands later, and the cache stays small

_NEVER = LEXICON.word_set("abbreviations.leads-on")
"""Abbreviations that lead on to what they abbreviate a title or a number of; they never end a sentence."""

_OPENERS = LEXICON.word_set("function.opener")
"""Words that, with a capital after an abbreviation, open a sentence."""

(
    _STOP,
    _ENDS,
    _CLOSER,
    _BULLET,
    _COLON,
    _UPPER,
    _LOWER,
    _DIGIT,
    _LETTER,
    _SHORT,
    _LEADS,
    _OPENER,
    _CAPITALS,
    _WIDE,
    _COMMA,
) = (1 << i for i in range(15))
_MARKS = {".": _STOP, "?": _ENDS, "!": _ENDS, "…": _ENDS, "...": _ENDS, ":": _COLON, ",": _COMMA}
_MARKS |= dict.fromkeys("\"'”’)]»", _CLOSER) | dict.fromkeys("-*•·▪◦–—○●■", _BULLET) | dict.fromkeys("。！？", _WIDE)


def _traits(token: str) -> int:
    """What matters of a token for sentence ends, as bits."""
    mark = _MARKS.get(token)
    if mark is not None:
        return mark
    first = token[0]
    traits = 0
    if first.isdigit():
        traits = _DIGIT
    elif first.islower():
        traits = _LOWER
    elif first.isalpha():
        # A script without case counts as upper case: its sentence may begin there.
        traits = _UPPER | (_LETTER if len(token) == 1 else 0)
    if token.endswith(".") and len(token) > 1:
        word = token[:-1].lower()
        traits |= _SHORT | (_LEADS if word in _NEVER else 0)
    elif len(token) < 9 and token.lower() in _OPENERS:
        traits |= _OPENER
    if token.isupper() and len(token) > 1:
        traits |= _CAPITALS
    return traits


_TRAITS = WordTable(lambda words: np.fromiter(map(_traits, words), np.int64, len(words)), 1 << 16, _SEEN)


def first_tokens(tokens: Tokens, edges: Ints) -> NDArray[np.bool_]:
    """Which tokens are the first at or after one of the ``edges`` (places in the text)."""
    first = np.zeros(len(tokens), np.bool_)
    at = np.searchsorted(tokens.starts, edges)
    first[at[at < len(tokens)]] = True
    return first


def line_edges(text: str, spans: Iterable[Span]) -> tuple[Ints, Ints]:
    """Where lines begin, and where paragraphs begin: with each span, after a blank line, around a line too long to
    be a wrapped one.

    >>> lines, paragraphs = line_edges("One\\ntwo\\n\\nthree", [(0, 14)])
    >>> lines.tolist(), paragraphs.tolist()
    ([0, 4, 8, 9], [0, 9])
    """
    lines: list[int] = []
    paragraphs: list[int] = []
    for start, end in spans:
        at = start
        paragraphs.append(start)
        for line in text[start:end].splitlines(keepends=True):
            lines.append(at)
            after = at + len(line)
            if line.isspace():
                paragraphs.append(after)
            elif len(line) > WIDEST:
                paragraphs += (at, after)
            at = after
    return np.array(lines, np.int64), np.array(paragraphs, np.int64)


def break_after(tokens: Tokens, new_line: NDArray[np.bool_], new_paragraph: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which tokens end a sentence; ``new_line`` and ``new_paragraph`` mark the tokens that begin one."""
    n = len(tokens)
    ended = np.zeros(n, np.bool_)
    if not n:
        return ended
    traits = _TRAITS.rows(tokens.types)[tokens.ids]
    following = np.append(traits[1:], 0)
    gap = np.append(tokens.starts[1:] - tokens.ends[:-1], 1) > 0

    ended |= _stops(traits, following, gap, new_line | new_paragraph)
    ended[:-1] |= _lines(tokens, traits, new_line, new_paragraph)[1:]
    ended |= _heads(traits, new_line | new_paragraph)
    ended[:-1] |= new_paragraph[1:]
    ended[-1] = True
    return _bounded(ended)


def _stops(traits: Ints, following: Ints, gap: NDArray[np.bool_], line_start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Ends at full stops and their like, moved behind closing quotes and brackets."""
    n = len(traits)
    before = np.concatenate(([0], traits))[:n]
    before2 = np.concatenate(([0, 0], traits))[:n]
    opens = ((following & _OPENER) > 0) & ((following & _UPPER) > 0)
    stop = (traits & _STOP) > 0
    # "J. Smith", "A. B. Smith": a capital before the full stop that a name goes on from.
    initial = stop & ((before & _LETTER) > 0) & ((before2 & (_UPPER | _STOP | _SHORT)) > 0) & ~opens
    # "1. Introduction": the number of a list, not the end of a sentence; the 2 of "F10.2." touches what is before it.
    apart = np.concatenate(([True, True], gap))[:n]
    listed = np.concatenate(([True], line_start))[:n] | (((before2 & (_STOP | _ENDS)) > 0) & apart)
    numbered = stop & ((before & _DIGIT) > 0) & listed
    mark = (stop & ~initial & ~numbered) | ((traits & (_ENDS | _WIDE)) > 0)
    # Closers that touch the mark belong to its sentence: two are enough for .") and its like.
    at = np.flatnonzero(mark)
    hard = (traits[at] & (_ENDS | _WIDE)) > 0
    free = (traits[at] & _WIDE) > 0  # no space follows a full stop in Chinese or Japanese
    for _ in range(2):
        at = at + (~gap[at] & ((following[at] & _CLOSER) > 0))
    # ".,": lines that an export joined with commas, as collections of clinical notes have them.
    joined = stop[at] & ~gap[at] & ((following[at] & _COMMA) > 0)
    at = at + joined
    goes_on = (following[at] & _LOWER) > 0
    ended = np.zeros(n, np.bool_)
    ended[at[(gap[at] | free | joined) & (~goes_on | hard)]] = True
    # An abbreviation ends a sentence only where a word follows that opens one.
    ended |= ((traits & _SHORT) > 0) & ((traits & _LEADS) == 0) & gap & opens
    return ended


def _lines(
    tokens: Tokens, traits: Ints, new_line: NDArray[np.bool_], new_paragraph: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which tokens begin a sentence because they begin a line that is not the wrapped rest of the line before.

    A line is wrapped if its next word would not have fitted into the width of the paragraph, and that width is one
    that people wrap at.
    """
    n = len(tokens)
    begins = np.zeros(n, np.bool_)
    heads = np.flatnonzero(new_line | new_paragraph)
    if not len(heads):
        return begins
    heads = heads if heads[0] == 0 else np.concatenate(([0], heads))
    lasts = np.append(heads[1:], n) - 1
    width = tokens.ends[lasts] - tokens.starts[heads]
    paragraph = np.cumsum(new_paragraph[heads])
    order = np.concatenate(([0], np.flatnonzero(np.diff(paragraph)) + 1))
    widest = np.maximum.reduceat(width, order)[np.searchsorted(paragraph[order], paragraph)]
    word = tokens.ends[heads[1:]] - tokens.starts[heads[1:]]
    wrapped = (width[:-1] + 1 + word > widest[:-1]) & (widest[:-1] >= 50) & (widest[:-1] <= WIDEST)
    first, last = traits[heads[1:]], traits[lasts[:-1]]
    bullet = (first & _BULLET) > 0
    goes_on = ((first & _LOWER) > 0) & ((last & _COLON) == 0)
    begins[heads[1:]] = bullet | ~(wrapped | goes_on)
    return begins


def _heads(traits: Ints, line_start: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The colons that close a section head in capitals at a line's start ("HISTORY OF PRESENT ILLNESS:")."""
    n = len(traits)
    start = line_start.copy()
    start[0] = True
    first = np.maximum.accumulate(np.where(start, np.arange(n), 0))
    other = np.concatenate(([0], np.cumsum((traits & (_CAPITALS | _LETTER)) == 0)))
    at = np.flatnonzero((traits & _COLON) > 0)
    plain = (other[at] == other[first[at]]) & (at > first[at]) & (at - first[at] <= 8)
    ended = np.zeros(n, np.bool_)
    ended[at[plain]] = True
    return ended


def _bounded(ended: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The ends, and one more wherever a sentence would be longer than :data:`LONGEST` tokens."""
    lasts = np.flatnonzero(ended)
    firsts = np.concatenate(([0], lasts[:-1] + 1))
    place = np.arange(len(ended)) - np.repeat(firsts, lasts - firsts + 1)
    ended |= place % LONGEST == LONGEST - 1
    return ended
