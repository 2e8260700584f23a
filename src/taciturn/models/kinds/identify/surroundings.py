"""What stands around each piece of a text: its line, its label, what recognizers and tagger say, its repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Term
from taciturn.knowledge.lexicon import Lexicon
from taciturn.language.keys import keys_of
from taciturn.language.tagger import describe_tokens, word_vectors
from taciturn.models.kinds.identify.pieces import Pieces
from taciturn.models.kinds.identify.traits import folded
from taciturn.recognizers.base import FAMILIES, KINDS

__all__ = ["SURROUNDINGS", "surroundings"]

Floats = NDArray[np.float32]

_KINDS = (*KINDS, *FAMILIES[:3], "other")  # the weights belong to this order
_OWN = 26
_LONGEST = 4  # words, hyphens among them, of a name that is looked up
_VECTOR = 96
SURROUNDINGS = _OWN + len(_KINDS) + 2 * _VECTOR
"""How many figures describe what stands around a piece."""


def surroundings(pieces: Pieces, terms: Sequence[Term], lexicon: Lexicon | None = None) -> Floats:
    """A row of :data:`SURROUNDINGS` figures for each piece; ``terms`` are those that the language layer found, the
    ``lexicon`` has names of more than one word that are no person's ("Jackson-Pratt drain")."""
    n = len(pieces)
    rows = np.zeros((n, SURROUNDINGS), np.float32)
    if not n:
        return rows
    text, starts, ends = pieces.text, pieces.tokens.starts, pieces.tokens.ends
    words = [pieces.tokens.types[i] for i in pieces.tokens.ids.tolist()]
    vectors = word_vectors(pieces.tokens.types)
    labels = np.zeros((n, _VECTOR), np.float32)
    _lines(text, starts.tolist(), ends.tolist(), words, rows, labels, vectors[pieces.tokens.ids])
    _repeats(words, rows)
    if lexicon is not None:
        _professional(text, starts.tolist(), ends.tolist(), words, rows, lexicon)
    kinds = {kind: number for number, kind in enumerate(_KINDS)}
    at = 0
    begins, finishes = starts.tolist(), ends.tolist()
    for term in terms:
        while at < n and finishes[at] <= term.start:
            at += 1
        here = at
        while here < n and begins[here] < term.end:
            rows[here, _OWN + kinds.get(term.kind, len(_KINDS) - 1)] = 1
            here += 1
    rows[:, _OWN + len(_KINDS) : _OWN + len(_KINDS) + _VECTOR] = labels
    rows[:, _OWN + len(_KINDS) + _VECTOR :] = describe_tokens(pieces.tokens, pieces.ended)
    return rows


def _lines(
    text: str, starts: list[int], ends: list[int], words: list[str], rows: Floats, labels: Floats, vectors: Floats
) -> None:
    """The place of each piece in its line and its cell, the brackets around it, and the label before it."""
    n = len(words)
    first = 0
    while first < n:
        stop = text.find("\n", starts[first])
        stop = len(text) if stop < 0 else stop
        last = first
        while last < n and starts[last] < stop:
            last += 1
        line_start = text.rfind("\n", 0, starts[first]) + 1
        letters = [c for c in text[line_start:stop] if c.isalpha()]
        shouted = bool(letters) and sum(map(str.isupper, letters)) > 0.8 * len(letters)
        alone = last - first
        blank_before = not text[text.rfind("\n", 0, max(line_start - 1, 0)) + 1 : line_start].strip()
        depth = quoted = 0
        label = np.zeros(_VECTOR, np.float32)
        has_label, cell, since = 0.0, 0, first
        for at in range(first, last):
            gap = starts[at] - (ends[at - 1] if at > first else line_start)
            after = starts[at + 1] - ends[at] if at + 1 < last else 9
            if gap > 1 and at > first:
                cell, since = cell + 1, at
                label, has_label = np.zeros(_VECTOR, np.float32), 0.0
            word = words[at]
            row = rows[at]
            row[0] = at == first
            row[1] = at == last - 1
            row[2] = gap == 0 and at > first
            row[3] = gap > 1
            row[4] = after == 0
            row[5] = after > 1
            row[6] = min(alone, 30) / 10
            row[7] = alone < 5
            row[8] = shouted
            row[9] = depth > 0
            row[10] = quoted
            row[11] = has_label
            row[12] = min(at - since, 10) / 5
            row[13] = min(cell, 4) / 2
            row[14] = blank_before
            row[15] = min(starts[at], 400) / 400
            row[16] = min(len(text) - ends[at], 400) / 400
            if has_label:
                labels[at] = label
            if word == "(":
                depth += 1
            elif word == ")":
                depth = max(depth - 1, 0)
            elif word in '"“”':
                quoted = 1 - quoted
            if word in (":", "|", "#") or (word == "." and gap == 0 and after == 0):
                if at > since and at - since < 6:
                    label = vectors[since:at].mean(axis=0)
                has_label = 1.0
                since = at + 1
        first = last


def _professional(
    text: str, starts: list[int], ends: list[int], words: list[str], rows: Floats, lexicon: Lexicon
) -> None:
    """Which pieces are part of a name of two words or more that professionals use, and not its last."""
    parts = [word[0].isalpha() or word in "-'’" for word in words]
    spans: list[tuple[int, int]] = []
    for first, word in enumerate(words):
        if not (word[0].isalpha() and len(word) > 1):
            continue
        last = first
        while last + 1 < min(first + _LONGEST, len(words)) and parts[last + 1] and starts[last + 1] - ends[last] < 2:
            last += 1
            if words[last][0].isalpha() and any(w[0].isupper() for w in words[first : last + 1]):
                spans.append((first, last))
    names = keys_of([text[starts[first] : ends[last]].replace("\n", " ") for first, last in spans])
    for (first, last), name, number in zip(spans, names, lexicon.key_table.find_many(names).tolist(), strict=True):
        if number >= 0 and " " in name:
            rows[first : last + 1, 23] = 1
            rows[first:last, 24] = 1


def _repeats(words: list[str], rows: Floats) -> None:
    """How often a word stands in the document, and how it is written there."""
    forms = [folded(word) for word in words]
    often: Counter[str] = Counter(forms)
    small: Counter[str] = Counter(form for form, word in zip(forms, words, strict=True) if word.islower())
    title: Counter[str] = Counter(form for form, word in zip(forms, words, strict=True) if word[:1].isupper())
    for at, form in enumerate(forms):
        total = often[form]
        rows[at, 17] = np.log1p(total) / 3
        rows[at, 18] = total > 1
        rows[at, 19] = small[form] > 0
        rows[at, 20] = title[form] > 0
        rows[at, 21] = title[form] / total
        rows[at, 22] = float(form + "s" in often or (form.endswith("s") and form[:-1] in often))
