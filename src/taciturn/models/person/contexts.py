"""Lexical features of each word: the word itself and its neighbours.

Two views of the same neighbourhood: the tagger's vectors of a few words (the word itself, the last word of its term,
the words before and after the term), and numbers for the word, its term, what stands beside them, and the heading
above. A number is a hash; the model keeps a row of weights for the numbers that several texts share, and knows nothing
of any other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span, Term
from taciturn.language.tagger import word_vectors
from taciturn.language.tokens import Tokens
from taciturn.language.words import normal

__all__ = ["AROUND", "SLOTS", "Contexts", "read_contexts"]

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

AROUND = 4  # words whose vectors are seen
SLOTS = 25  # numbers of a word, at most
_NO_WORD = "^"
_LINE = re.compile(r"[^\n]+")
_COUNTED = re.compile(r"^[\W\dIVXA-H]{1,5}\.\s*")  # "II.", "A.", "3."
_RELATED = 4  # letters that a name and its adjective share, as a country and its people do
_HEADING = 90  # characters of a line without a full stop at its end that may be a heading
_LONGEST = 4  # words of a term with digits that is numbered as it is written


@dataclass(frozen=True, slots=True)
class Contexts:
    """For each word: ``numbers`` of what stands in and around it (-1: none), and ``relations`` to names in the text.

    ``vectors`` has a row for each distinct word and a last one of zeros; ``around`` says which rows each word sees.
    """

    numbers: Ints
    relations: Floats
    vectors: Floats
    around: Ints

    def rows(self) -> Floats:
        """Relations and the vectors of all words seen, side by side: what a network learns from."""
        seen = [self.vectors[self.around[:, i]] for i in range(AROUND)]
        return np.concatenate([self.relations, *seen], axis=1)


def read_contexts(text: str, tokens: Tokens, term: Ints, terms: Sequence[Term], sentences: Sequence[Span]) -> Contexts:
    """The contexts of every word, in time linear in the text. ``term`` numbers the term of each word (-1: none)."""
    n = len(tokens)
    ends = np.array([end for _, end in sentences], np.int64)
    sentence = np.searchsorted(ends, tokens.starts, side="right")
    place = np.arange(n)
    own = term >= 0
    begins = own & np.concatenate(([True], term[1:] != term[:-1]))
    finishes = own & np.concatenate((term[1:] != term[:-1], [True]))
    first = np.where(own, np.maximum.accumulate(np.where(begins, place, 0)), place)
    last = np.where(own, np.minimum.accumulate(np.where(finishes, place, n)[::-1])[::-1], place)
    vectors = word_vectors(tokens.types)
    vectors = np.vstack([vectors, np.zeros_like(vectors[:1])])
    ids = np.append(tokens.ids, len(tokens.types))

    def near(at: Ints) -> Ints:
        """Places in the text, or n where another sentence begins."""
        inside = np.clip(at, 0, n - 1)
        return np.where((at == inside) & (sentence[inside] == sentence), at, n)

    around = np.stack([ids[place], ids[last], ids[near(first - 1)], ids[near(last + 1)]], axis=1)
    forms = [*map(normal, tokens.types), _NO_WORD]
    beside = {by: [forms[i] for i in ids[near(place + by)].tolist()] for by in (-2, -1, 1, 2)}
    before = [[forms[i] for i in ids[near(first - by)].tolist()] for by in (1, 2, 3)]
    after = [[forms[i] for i in ids[near(last + by)].tolist()] for by in (1, 2)]
    numbers = np.full((n, SLOTS), -1, np.int64)
    of_term: dict[int, list[int]] = {}
    firsts, lasts, numbered = first.tolist(), last.tolist(), term.tolist()
    written = [tokens.types[i] for i in tokens.ids.tolist()]
    for i, word in enumerate(forms[j] for j in tokens.ids.tolist()):
        shared = of_term.get(numbered[i])
        if shared is None:
            shared = _term_numbers(
                forms[ids[firsts[i]]],
                forms[ids[lasts[i]]],
                [column[i] for column in before],
                [column[i] for column in after],
                terms[numbered[i]] if numbered[i] >= 0 else None,
                written[firsts[i] : lasts[i] + 1][: _LONGEST + 1],
            )
            if numbered[i] >= 0:
                of_term[numbered[i]] = shared
        left, right = beside[-1][i], beside[1][i]
        small = written[i].lower()
        found = (
            *_numbers(
                f"w={word}",
                f"w-1={left}",
                f"w+1={right}",
                f"w-2={beside[-2][i]}",
                f"w+2={beside[2][i]}",
                f"b-={left} {word}",
                f"b+={word} {right}",
                f"c-={beside[-2][i]} {left}",
                f"c+={right} {beside[2][i]}",
                f"s={small[-3:]}",
                f"p={small[:4]}",
                f"t={left} {word} {right}",
            ),
            *shared,
        )
        numbers[i, : len(found)] = found
    numbers[:, -1] = _headings(text, tokens)
    return Contexts(numbers, _relations(tokens), vectors, around)


def _headings(text: str, tokens: Tokens) -> Ints:
    """The number of the last heading at or above each word: a short line that ends without a full stop."""
    starts, found, heading = [0], _numbers("h="), ""
    for line in _LINE.finditer(text):
        shown = line.group().strip()
        if len(shown) < _HEADING and not shown.endswith("."):
            heading = _COUNTED.sub("", shown).lower()
        starts.append(line.start())
        found += _numbers(f"h={heading}")
    return np.array(found, np.int64)[np.searchsorted(np.array(starts), tokens.starts, side="right") - 1]


def _numbers(*texts: str) -> list[int]:
    """CRC-32: the same in every process and on every machine."""
    return [crc32(text.encode("utf-8", "surrogatepass")) for text in texts]


def _term_numbers(
    first: str, last: str, before: Sequence[str], after: Sequence[str], term: Term | None, words: Sequence[str]
) -> list[int]:
    """What all words of a term share: its ends, what stands beside it, its key, a short date or amount as written."""
    kind = term.kind if term else "-"
    texts = [
        f"T-1={before[0]}",
        f"T-2={before[1]} {before[0]}",
        f"T+1={after[0]}",
        f"T+2={after[0]} {after[1]}",
        f"T-3={before[2]} {before[1]} {before[0]}",
        f"Th={last}/{kind}",
        f"Tf={first}/{kind}",
        f"K={kind}|{before[0]}",
        f"Ka={kind}|{after[0]}",
        f"k={term.key if term else last}",
        f"K2={last}|{before[0]}",
    ]
    if len(words) <= _LONGEST and any(c.isdigit() for word in words for c in word):
        texts.append("d=" + " ".join(words).lower())
    return _numbers(*texts)


def _relations(tokens: Tokens) -> Floats:
    """Does another name of the text begin alike, as "Norwegian" and "Norway" do, and where did the first one stand?"""
    stems = [
        t[:_RELATED].lower() if t[:1].isupper() and len(t) >= _RELATED and t.isalpha() else "" for t in tokens.types
    ]
    often = np.bincount(tokens.ids, minlength=len(stems)).tolist()
    of_stem, of_word = Counter[str](), Counter[str]()
    for stem, kind, count in zip(stems, tokens.types, often, strict=True):
        if stem:
            of_stem[stem] += count
            of_word[kind.lower()] += count
    first: dict[str, int] = {}
    rows = np.zeros((len(tokens), 5), np.float32)
    for i, j in enumerate(tokens.ids.tolist()):
        if stems[j]:
            others = of_stem[stems[j]] - of_word[tokens.types[j].lower()]
            at = first.setdefault(stems[j], i)
            rows[i] = (np.log1p(others), others > 0, at == i, np.log1p(i - at) / 8, np.exp(-at / 60))
    return rows
