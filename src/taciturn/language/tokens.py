"""Words, numbers and marks with exact offsets.

No token reaches over white space, so the tokens of a chunk (a run between white space) are the same wherever it
stands: only the different chunks are cut. One regular expression that matches *every* character cuts them, so the
offsets are the running sum of the lengths: no match objects, and nothing can be lost. Each alternative consumes what it
scanned, or scans a bounded number of characters, so the time is linear in the text whatever it holds.

Words are cut where a noun phrase can begin or end: at hyphens, slashes and possessives ("15-year term",
"Norton's"), but not inside contractions ("don't"), initialisms ("U.S."), numbers ("18,403.5") or abbreviations
("Inc."), whose full stop belongs to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, compress

import numpy as np

from taciturn.document import Span
from taciturn.language.chunks import Chunks, Interner, Ints, chunk, spread
from taciturn.language.letters import JOINED
from taciturn.language.lexicon import LEXICON, any_word
from taciturn.language.wordtable import WordMemo

__all__ = ["ABBREVIATIONS", "Ints", "Tokens", "tokenize", "tokens_of"]

ABBREVIATIONS = LEXICON.word_set("abbreviations.all")
"""Words whose following full stop is part of them, in lower case. An error costs one mark in one phrase."""

_CLITIC = any_word(form for clitic in LEXICON.words("closed.clitic") for form in (clitic, clitic.upper()))
_WORD = rf"[^\W\d_][\w{JOINED}]*(?:['’](?!{_CLITIC}\b)\w+)*"
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
_REST = (
    r"\s+"
    r"|(?:https?://|www\.)[^\s<>\"]*[\w/]"
    r"|(?:[^\W\d_]\.){2,}(?![^\W\d_])"
    rf"|{_WORD}"
    rf"|\d+(?:[.,]\d+)*(?:(?:{LEXICON.any_of('numbers.ordinal-ending')}|s)(?!\w))?"
    rf"|['’]{_CLITIC}\b"
    r"|\.{2,}|-{2,}|={2,}|\*{2,}|_{2,}|#{2,}|~{2,}"
    r"|[\s\S]"
)
_PLAIN = re.compile(_REST)
_WITH_MAIL = re.compile(rf"{_MAIL}|{_REST}")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: where each starts and ends, and which of the ``types`` it is.

    ``types`` holds every different token once, so whatever depends on the word alone is computed once for each.
    """

    starts: Ints
    ends: Ints
    ids: Ints
    types: list[str]

    def __len__(self) -> int:
        return len(self.ids)


def tokenize(text: str, spans: Iterable[Span] | None = None) -> Tokens:
    """The tokens of ``text``, or of the given spans of it; no token crosses the end of a span.

    >>> text = "Norton's 15-year term at Acme Inc. isn't over."
    >>> tokens = tokenize(text)
    >>> [text[s:e] for s, e in zip(tokens.starts, tokens.ends)]
    ['Norton', "'s", '15', '-', 'year', 'term', 'at', 'Acme', 'Inc.', "isn't", 'over', '.']
    """
    return tokens_of(chunk(text, None if spans is None else list(spans)))


def tokens_of(chunks: Chunks) -> Tokens:
    """The tokens of a text that is cut into chunks already."""
    if not len(chunks):
        none = np.zeros(0, np.int64)
        return Tokens(none, none, none, [])
    # A chunk of letters is one word; the words stand before what the others are cut into.
    is_word = np.ones(len(chunks.types), np.bool_)
    is_word[chunks.mixed] = False
    words = list(compress(chunks.types, is_word.tolist()))
    cut = _CUT.of([chunks.types[number] for number in chunks.mixed])
    shares = np.fromiter(map(len, cut), np.int64, len(cut))
    interner = Interner()
    pieces = chain.from_iterable(cut)
    ids = np.fromiter(map(interner.__getitem__, chain(words, pieces)), np.int64, len(words) + int(shares.sum()))
    types = list(interner)
    lengths = np.fromiter(map(len, types), np.int64, len(types))
    first = np.empty(len(chunks.types), np.int64)
    first[is_word] = np.arange(len(words))
    first[~is_word] = len(words) + np.cumsum(shares) - shares
    counts = np.ones(len(chunks.types), np.int64)
    counts[~is_word] = shares
    # The pieces of a chunk cover it, so the running sum of their lengths, less what it was before, are their ends.
    sums = np.concatenate(([0], np.cumsum(lengths[ids])))
    inside = sums[1:].copy()
    inside[: len(words)] = lengths[ids[: len(words)]]
    inside[len(words) :] -= np.repeat(sums[first[~is_word]], counts[~is_word])
    owners, places = spread(first, counts, chunks.ids)
    ids = ids[places]
    ends = chunks.starts[owners] + inside[places]
    return Tokens(ends - lengths[ids], ends, ids, types)


def _cut(words: list[str]) -> list[tuple[str, ...]]:
    """The tokens of each of many chunks. The full stop that touches an abbreviation is given to it."""
    text = "\n".join(words)
    pattern = _WITH_MAIL if "@" in text else _PLAIN
    found: list[tuple[str, ...]] = []
    pieces: list[str] = []
    for piece in (*pattern.findall(text), "\n"):
        if piece == "\n":
            found.append(tuple(pieces))
            pieces = []
        elif piece == "." and pieces and pieces[-1].lower() in ABBREVIATIONS:
            pieces[-1] += "."
        else:
            pieces.append(piece)
    return found


_CUT = WordMemo(_cut, 1 << 15)
