"""The smallest parts of a text that can be an identifier or a part of one: words, numbers and marks.

The tokens of the language layer are for reading prose. Identifiers also stand inside them: a name in a file name
("scan_Doe_0412.pdf"), digits after letters. So a word here ends at an underscore as well, and within a file name
where a capital follows a small letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span
from taciturn.generalize.writing import MARK
from taciturn.language.chunks import Interner
from taciturn.language.letters import LETTER
from taciturn.language.lexicon import LEXICON, any_word
from taciturn.language.sentences import break_after, first_tokens, line_edges
from taciturn.language.tokens import Tokens

__all__ = ["Pieces", "read_pieces"]

_CLITIC = any_word(form for clitic in LEXICON.words("closed.clitic") for form in (clitic, clitic.upper()))
_PIECE = re.compile(rf"(?P<mark>{MARK.pattern})|[^\W_](?:{LETTER})*(?:['’](?!{_CLITIC}\b){LETTER}+)*|\S")
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_FILE = re.compile(r"\S*_\S*|\S+\.[a-z][a-z0-9]{1,4}(?!\w)")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces of a text as tokens, which of them end a sentence, and which are marks that a release has written."""

    text: str
    tokens: Tokens
    ended: NDArray[np.bool_]
    marks: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.tokens)


def read_pieces(text: str, spans: Sequence[Span] | None = None) -> Pieces:
    """The pieces of a text, or of spans of it that no piece crosses.

    >>> found = read_pieces("Mr. नेहा O'Neil's scan_DoeJane.pdf [PERSON 1]")
    >>> [found.tokens.types[i] for i in found.tokens.ids]
    ['Mr', '.', 'नेहा', "O'Neil", "'", 's', 'scan', '_', 'Doe', 'Jane', '.', 'pdf', '[PERSON 1]']
    """
    spans = [(0, len(text))] if spans is None else spans
    starts: list[int] = []
    ends: list[int] = []
    marks: list[bool] = []
    for start, end in spans:
        files = [m.span() for m in _FILE.finditer(text, start, end)]
        file = 0
        for found in _PIECE.finditer(text, start, end):
            first, last = found.span()
            while file < len(files) and files[file][1] <= first:
                file += 1
            cuts = [first]
            if file < len(files) and files[file][0] <= first and found["mark"] is None:
                cuts += [first + m.start() for m in _CAMEL.finditer(found.group())]
            starts += cuts
            ends += [*cuts[1:], last]
            marks += [found["mark"] is not None] * len(cuts)
    interner = Interner()
    ids = np.fromiter((interner[text[s:e]] for s, e in zip(starts, ends, strict=True)), np.int64, len(starts))
    tokens = Tokens(np.array(starts, np.int64), np.array(ends, np.int64), ids, list(interner))
    lines, gaps = line_edges(text, spans)
    ended = break_after(tokens, first_tokens(tokens, lines), first_tokens(tokens, gaps))
    return Pieces(text, tokens, ended, np.array(marks, np.bool_))
