"""Finds noun phrases and what they are, by a small convolutional network in plain numpy.

Every word type gets a vector from a table of 50,000 words (learned from which words stand beside which), its ends
and its shape. Three layers look at the neighbours of each token, and a five-label Viterbi pass picks the best legal
sequence of phrase boundaries. All that depends on a word alone, the widest layer included, is computed once for each
*different* word and gathered; the rest is a few matrix products over the whole text. ``training/chunker.py`` makes
the weights.

A linear model over hashed windows was the alternative: as fast, but .03 lower in F1. Recurrent networks are as good
as this one, and cannot be computed for all tokens at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import compress, repeat
from typing import IO

import numpy as np
from numpy.typing import NDArray

from taciturn.compiled import load_compiled
from taciturn.language.chunks import Interner, spread
from taciturn.language.lexicon import LEXICON
from taciturn.language.tokens import Ints, Tokens
from taciturn.language.words import describe
from taciturn.language.wordtable import WordTable

__all__ = [
    "KINDS",
    "LABELS",
    "KnownSentences",
    "Phrases",
    "Weights",
    "describe_tokens",
    "load_weights",
    "read_weights",
    "tag",
    "word_vectors",
]

LABELS = ("O", "B", "I", "E", "S")
"""Outside a phrase; its begin, inside, end; a phrase of a single token."""

KINDS = (
    "other",
    "person",
    "common person",
    "organization",
    "common organization",
    "place",
    "common place",
    "time",
    "event",
)
"""What the network tells apart. "common" are words for people and so on, as against their names."""

compiled = load_compiled("taciturn.language._labels")

Floats = NDArray[np.float32]
Labels = NDArray[np.int8]
_CHUNK = 1024  # tokens whose layers fit the processor's cache
_NEVER = np.float32(-1e9)
_WORDS = 1 << 15  # whose vectors are kept, 384 bytes each
_KEPT = 1 << 20  # tokens that are remembered of one document
_O, _B, _I, _E, _S = range(len(LABELS))
_ORDER = [_B, _O, _S, _E, _I]
_CLOSED, _OPEN, _STARTS, _GOES_ON = slice(1, 4), slice(0, 5, 4), slice(0, 3), slice(3, 5)  # in that order


@dataclass(frozen=True, slots=True)
class Weights:
    """The network: tables of bytes with a scale for each row, matrices of floats."""

    rows: dict[str, int]
    capitals: NDArray[np.uint8]
    table: NDArray[np.int8]
    table_scale: Floats
    ends: NDArray[np.int8]
    ends_scale: Floats
    shapes: Floats
    first: Floats
    first_bias: Floats
    layers: Floats
    layer_biases: Floats
    labels: Floats
    labels_bias: Floats
    kinds: Floats
    kinds_bias: Floats
    transitions: Floats


@dataclass(frozen=True, slots=True)
class Phrases:
    """Noun phrases: the first and last token of each, and a score for each of :data:`KINDS`."""

    firsts: Ints
    lasts: Ints
    kinds: Floats


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """The weights in the package, read once."""
    with LEXICON.file("tagger.npz").open("rb") as file:
        return read_weights(file)


def read_weights(file: IO[bytes]) -> Weights:
    """The weights that ``training/network.py`` stored in a file."""
    with np.load(file) as stored:
        words = stored["words"].tobytes().decode("utf-8", "surrogatepass").split("\n")
        arrays = {name: stored[name] for name in stored.files if name != "words"}
    arrays = {name: a.astype(np.float32) if a.dtype == np.float16 else a for name, a in arrays.items()}
    return Weights(rows={word: row for row, word in enumerate(words, 1)}, **arrays)


def tag(
    tokens: Tokens, ended: NDArray[np.bool_], weights: Weights | None = None, known: KnownSentences | None = None
) -> Phrases:
    """The noun phrases of sentences; ``ended`` marks the last token of each sentence.

    Sentences that ``known`` has seen before are not computed again, and new ones are remembered there.
    """
    weights = weights or load_weights()
    if not len(tokens):
        none = np.zeros(0, np.int64)
        return Phrases(none, none, np.zeros((0, len(KINDS)), np.float32))
    lasts = np.flatnonzero(ended)
    labels, kinds = known.recall(tokens, lasts, weights) if known else _network(weights, tokens, tokens.ids, lasts)
    begins = np.flatnonzero((labels == LABELS.index("B")) | (labels == LABELS.index("S")))
    finishes = np.flatnonzero((labels == LABELS.index("E")) | (labels == LABELS.index("S")))
    # Each phrase is summed by itself, so that its score does not depend on what stands before it in the document.
    edges = np.stack((begins, finishes + 1), axis=1).ravel()
    padded = np.concatenate((kinds, np.zeros((1, len(KINDS)), np.float32)))
    sums = np.add.reduceat(padded, edges, axis=0, dtype=np.float64)[::2] if len(edges) else padded[:0]
    means = sums / (finishes + 1 - begins)[:, None] + weights.kinds_bias
    return Phrases(begins, finishes, means.astype(np.float32))


class KnownSentences:
    """Sentences that were tagged, to be recalled when they occur again: the tagger sees a sentence and nothing around.

    It holds words of a document, so it should live no longer than the work on that document.
    """

    def __init__(self) -> None:
        self._words = Interner()
        self._places: dict[bytes, int] = {}
        self._labels = np.zeros(0, np.int8)
        self._kinds = np.zeros((0, len(KINDS)), np.float32)

    def recall(self, tokens: Tokens, lasts: Ints, weights: Weights) -> tuple[Labels, Floats]:
        """The labels and kinds of all tokens; only sentences that are new are computed."""
        words = np.fromiter(map(self._words.__getitem__, tokens.types), np.int64, len(tokens.types))[tokens.ids]
        lengths = np.diff(lasts, prepend=-1)
        ends = (lasts + 1).tolist()
        sentences = [words[end - length : end].tobytes() for end, length in zip(ends, lengths.tolist(), strict=True)]
        places = np.fromiter(map(self._places.get, sentences, repeat(-1)), np.int64, len(sentences))
        new = np.repeat(places < 0, lengths)
        labels = np.empty(len(words), np.int8)
        kinds = np.empty((len(words), len(KINDS)), np.float32)
        if new.any():
            fresh = np.flatnonzero(places < 0)
            computed = _network(weights, tokens, tokens.ids[new], np.cumsum(lengths[fresh]) - 1)
            labels[new], kinds[new] = computed
            if len(self._labels) + len(computed[0]) <= _KEPT:
                begins = len(self._labels) + np.cumsum(lengths[fresh]) - lengths[fresh]
                self._places.update(zip([sentences[at] for at in fresh.tolist()], begins.tolist(), strict=True))
                self._labels = np.concatenate((self._labels, computed[0]))
                self._kinds = np.concatenate((self._kinds, computed[1]))
        if not new.all():
            old = np.flatnonzero(places >= 0)
            _, sources = spread(places, np.where(places < 0, 0, lengths), old)
            labels[~new], kinds[~new] = self._labels[sources], self._kinds[sources]
        return labels, kinds


def _network(weights: Weights, tokens: Tokens, ids: Ints, lasts: Ints) -> tuple[Labels, Floats]:
    """The label of every token, and its scores for the kinds; ``lasts`` are the ends of the sentences of ``ids``."""
    types, ids = _used(tokens.types, ids)
    hidden = _hidden(weights, _projected(weights, types), ids, lasts)
    labels = _decode(hidden @ weights.labels + weights.labels_bias, lasts, weights.transitions)
    return labels, hidden @ weights.kinds


def _used(types: list[str], ids: Ints) -> tuple[list[str], Ints]:
    """The types that occur, and the occurrences numbered by these: of a text that is known but for a few sentences.

    >>> _used(["to", "be", "or"], np.array([2, 0]))
    (['to', 'or'], array([1, 0]))
    """
    used = np.zeros(len(types), np.bool_)
    used[ids] = True
    if used.all():
        return types, ids
    return list(compress(types, used.tolist())), (np.cumsum(used) - 1)[ids]


def describe_tokens(tokens: Tokens, ended: NDArray[np.bool_], weights: Weights | None = None) -> Floats:
    """What the network makes of every token in its sentence: its last layer, one row a token."""
    weights = weights or load_weights()
    if not len(tokens):
        return np.zeros((0, weights.first.shape[2]), np.float32)
    return _hidden(weights, _projected(weights, tokens.types), tokens.ids, np.flatnonzero(ended))


def word_vectors(types: list[str], weights: Weights | None = None) -> Floats:
    """What the network knows of words by themselves, one row each."""
    if weights is None or weights is load_weights():
        return _vectors().rows(types)
    return _embedded(weights, types)


def _projected(weights: Weights, types: list[str]) -> Floats:
    """What each word type adds to the first layer at each place of its window, and a last row of zeros for gaps."""
    vectors = word_vectors(types, weights)
    window, size, width = weights.first.shape
    flat = weights.first.transpose(1, 0, 2).reshape(size, window * width)
    projected = np.zeros((len(types) + 1, window, width), np.float32)
    np.matmul(vectors, flat, out=projected[:-1].reshape(len(types), window * width))
    return projected


@lru_cache(maxsize=1)
def _vectors() -> WordTable[np.float32]:
    """The vectors of the words that come again and again."""
    return WordTable(partial(_embedded, load_weights()), _WORDS)


def _embedded(weights: Weights, types: list[str]) -> Floats:
    """The vector of each word type: what the table knows of it, its shape, its ends."""
    forms, numbers = describe(types)
    rows = np.fromiter(map(weights.rows.get, forms, repeat(0)), np.int64, len(types))
    vectors: Floats = weights.table[rows] * weights.table_scale[rows, None]
    vectors += weights.shapes[numbers[:, 0]]
    tails = numbers[:, 1:] % weights.ends.shape[1]
    for table, scale, column in zip(weights.ends, weights.ends_scale, tails.T, strict=True):
        vectors += table[column] * scale[column, None]
    np.maximum(vectors, 0, out=vectors)
    return vectors


def _hidden(weights: Weights, projected: Floats, ids: Ints, lasts: Ints) -> Floats:
    """The last layer for every token: sentences laid out with a gap between them that no window can cross."""
    kinds, window, width = projected.shape
    reach = window // 2
    flat = projected.reshape(kinds * window, width)
    result = np.empty((len(ids), width), np.float32)
    lengths = np.diff(lasts, prepend=-1)
    sentence = np.repeat(np.arange(1, len(lasts) + 1), lengths)
    # For the first layer, as many empty places as its window reaches over before each sentence; for the others, one.
    wide = np.full(len(ids) + reach * (len(lasts) + 1), (kinds - 1) * window)
    centres = np.arange(len(ids)) + reach * sentence
    wide[centres] = ids * window
    places = np.arange(len(ids)) + sentence
    # Cut at the last sentence end before each multiple of the chunk; a sentence is shorter than a chunk.
    cuts = np.searchsorted(lasts, np.arange(_CHUNK, len(ids) + _CHUNK, _CHUNK) - 1, side="right")
    cuts[-1] = len(lasts)
    begin = 0
    for cut in np.unique(cuts).tolist():
        if cut == begin:
            continue
        first, last = int(lasts[begin] - lengths[begin]) + 1, int(lasts[cut - 1])
        here = places[first : last + 1] - (places[first] - 1)
        centre = np.full(len(here) + cut - begin + 1, reach - 1)
        centre[here] = centres[first : last + 1]
        empty = np.ones(len(centre), np.bool_)
        empty[here] = False
        rows = _layers(weights, flat, wide, centre, np.flatnonzero(empty))
        np.take(rows, here, axis=0, out=result[first : last + 1], mode="clip")
        begin = cut
    return result


def _layers(weights: Weights, flat: Floats, wide: Ints, centre: Ints, empty: Ints) -> Floats:
    """The layers over one layout; ``empty`` are its gaps, kept at zero."""
    window = weights.first.shape[0]
    hidden = np.empty((len(centre), flat.shape[1]), np.float32)
    change, shifted = np.empty_like(hidden), np.empty_like(hidden)
    for k in range(window):
        place = wide.take(centre + (k - window // 2), mode="clip") + k
        flat.take(place, axis=0, out=shifted if k else hidden, mode="clip")
        if k:
            hidden += shifted
    hidden += weights.first_bias
    np.maximum(hidden, 0, out=hidden)
    hidden[empty] = 0
    for matrix, bias in zip(weights.layers, weights.layer_biases, strict=True):
        np.matmul(hidden, matrix[1], out=change)
        np.matmul(hidden, matrix[0], out=shifted)
        change[1:] += shifted[:-1]
        np.matmul(hidden, matrix[2], out=shifted)
        change[:-1] += shifted[1:]
        change += bias
        np.maximum(change, 0, out=change)
        hidden += change
        hidden[empty] = 0
    return hidden


def _decode(scores: Floats, lasts: Ints, transitions: Floats) -> Labels:
    """The best legal sequence of labels for every sentence: Viterbi, one step for all sentences at once.

    After a token that is outside or ends a phrase comes one that is outside or begins one; after one that begins or
    goes on comes one that goes on or ends. So a step looks at 3 times 3 and 2 times 2 pairs of labels, each an array
    over the sentences that are long enough, the longest first. Of equal ways the one that stands first in
    :data:`LABELS` is taken.
    """
    if compiled is not None:
        best_labels = np.empty(len(scores), np.int8)
        compiled.decode(*map(np.ascontiguousarray, (scores, lasts, transitions)), best_labels)
        return best_labels
    lengths = np.diff(lasts, prepend=-1)
    order = np.argsort(-lengths, kind="stable")
    lengths, firsts = lengths[order], (lasts - lengths + 1)[order]
    steps = int(lengths[0])
    counts = np.searchsorted(-lengths, -np.arange(steps), side="left")  # sentences longer than each step
    begins = np.cumsum(counts) - counts
    # All tokens: the first ones of the sentences, then the second ones, and so on.
    step = np.repeat(np.arange(steps), counts)
    tokens = step + firsts[np.arange(len(step)) - begins[step]]
    ordered = scores[tokens].T[_ORDER]
    moves = transitions[np.ix_(_ORDER, _ORDER)]
    closing, opening = moves[_CLOSED, _STARTS, None], moves[_OPEN, _GOES_ON, None]
    best = ordered[:, : counts[0]].copy()
    best[_GOES_ON] += _NEVER
    ends_one, is_single = np.empty((2, 3, len(tokens)), np.bool_)
    goes_on = np.empty((2, len(tokens)), np.bool_)
    spans = list(zip(begins.tolist(), counts.tolist(), strict=True))
    for begin, n in spans[1:]:
        here = slice(begin, begin + n)
        outside, single, after = best[_CLOSED, None, :n] + closing
        begun, inside = best[_OPEN, None, :n] + opening
        np.greater(after, outside, out=ends_one[:, here])
        np.maximum(outside, after, out=outside)
        np.greater(single, outside, out=is_single[:, here])
        np.greater(inside, begun, out=goes_on[:, here])
        np.maximum(outside, single, out=best[_STARTS, :n])
        np.maximum(begun, inside, out=best[_GOES_ON, :n])
        best[:, :n] += ordered[:, here]
    # For each token and label, the place in the order of the label before it on the best way.
    before = np.empty((len(LABELS), len(tokens)), np.int64)
    before[_STARTS] = np.where(is_single, 2, np.where(ends_one, 3, 1))
    before[_GOES_ON] = np.where(goes_on, 4, 0)
    outside, single, after = best[_CLOSED]
    current = np.where(single > np.maximum(outside, after), 2, np.where(after > outside, 3, 1))
    found = np.empty(len(tokens), np.int64)
    numbers = np.arange(len(current))
    for begin, n in reversed(spans):
        found[begin : begin + n] = current[:n]
        current[:n] = before[current[:n], begin + numbers[:n]]
    labels = np.empty(len(scores), np.int8)
    labels[tokens] = np.array(_ORDER, np.int8)[found]
    return labels
