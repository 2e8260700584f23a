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
from functools import lru_cache
from importlib.resources import files
from itertools import repeat
from typing import IO

import numpy as np
from numpy.typing import NDArray

from tacit.language.tokens import Ints, Tokens
from tacit.language.words import describe

__all__ = ["KINDS", "LABELS", "Phrases", "Weights", "describe_tokens", "load_weights", "read_weights", "tag"]

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

Floats = NDArray[np.float32]
_LEGAL = {"O": "OBS", "B": "IE", "I": "IE", "E": "OBS", "S": "OBS"}
_CHUNK = 1024  # tokens whose layers fit the processor's cache
_NEVER = np.float32(-1e9)


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
    with (files("tacit.language") / "data" / "tagger.npz").open("rb") as file:
        return read_weights(file)


def read_weights(file: IO[bytes]) -> Weights:
    """The weights that ``training/network.py`` stored in a file."""
    with np.load(file) as stored:
        words = stored["words"].tobytes().decode("utf-8", "surrogatepass").split("\n")
        arrays = {name: stored[name] for name in stored.files if name != "words"}
    arrays = {name: a.astype(np.float32) if a.dtype == np.float16 else a for name, a in arrays.items()}
    return Weights(rows={word: row for row, word in enumerate(words, 1)}, **arrays)


def legal() -> Floats:
    """0 for each pair of labels that may follow each other, a great negative number for the others."""
    matrix = np.full((len(LABELS), len(LABELS)), _NEVER, np.float32)
    for label, followers in _LEGAL.items():
        for follower in followers:
            matrix[LABELS.index(label), LABELS.index(follower)] = 0
    return matrix


def tag(tokens: Tokens, ended: NDArray[np.bool_], weights: Weights | None = None) -> Phrases:
    """The noun phrases of sentences; ``ended`` marks the last token of each sentence."""
    weights = weights or load_weights()
    if not len(tokens):
        none = np.zeros(0, np.int64)
        return Phrases(none, none, np.zeros((0, len(KINDS)), np.float32))
    lasts = np.flatnonzero(ended)
    hidden = describe_tokens(tokens, ended, weights)
    labels = _decode(hidden @ weights.labels + weights.labels_bias, lasts, weights.transitions)
    begins = np.flatnonzero((labels == LABELS.index("B")) | (labels == LABELS.index("S")))
    finishes = np.flatnonzero((labels == LABELS.index("E")) | (labels == LABELS.index("S")))
    sums = np.zeros((len(tokens) + 1, len(KINDS)))
    np.cumsum(hidden @ weights.kinds, axis=0, out=sums[1:])
    kinds = (sums[finishes + 1] - sums[begins]) / (finishes + 1 - begins)[:, None] + weights.kinds_bias
    return Phrases(begins, finishes, kinds.astype(np.float32))


def describe_tokens(tokens: Tokens, ended: NDArray[np.bool_], weights: Weights | None = None) -> Floats:
    """What the network makes of every token in its sentence: its last layer, one row a token."""
    weights = weights or load_weights()
    if not len(tokens):
        return np.zeros((0, weights.first.shape[2]), np.float32)
    return _hidden(weights, _projected(weights, tokens.types), tokens.ids, np.flatnonzero(ended))


def _projected(weights: Weights, types: list[str]) -> Floats:
    """What each word type adds to the first layer at each place of its window, and a last row of zeros for gaps."""
    forms, numbers = describe(types)
    rows = np.fromiter(map(weights.rows.get, forms, repeat(0)), np.int64, len(types))
    vectors = weights.table[rows] * weights.table_scale[rows, None]
    vectors += weights.shapes[numbers[:, 0]]
    tails = numbers[:, 1:] % weights.ends.shape[1]
    for table, scale, column in zip(weights.ends, weights.ends_scale, tails.T, strict=True):
        vectors += table[column] * scale[column, None]
    np.maximum(vectors, 0, out=vectors)
    window, size, width = weights.first.shape
    projected = np.zeros((len(types) + 1, window, width), np.float32)
    flat = weights.first.transpose(1, 0, 2).reshape(size, window * width)
    np.matmul(vectors, flat, out=projected[:-1].reshape(len(types), window * width))
    return projected


def _hidden(weights: Weights, projected: Floats, ids: Ints, lasts: Ints) -> Floats:
    """The last layer for every token: sentences laid out with gaps between them that no window can cross."""
    window, width = projected.shape[1:]
    gap = window // 2
    result = np.empty((len(ids), width), np.float32)
    firsts = np.concatenate(([0], lasts[:-1] + 1))
    # Cut at the last sentence end before each multiple of the chunk; a sentence is shorter than a chunk.
    cuts = np.unique(np.searchsorted(lasts, np.arange(_CHUNK, len(ids) + _CHUNK, _CHUNK) - 1, side="right"))
    cuts[-1] = len(lasts)
    begin = 0
    for cut in np.unique(cuts).tolist():
        if cut == begin:
            continue
        first, last = int(firsts[begin]), int(lasts[cut - 1])
        lengths = lasts[begin:cut] - firsts[begin:cut] + 1
        places = np.arange(last - first + 1) + gap * np.repeat(np.arange(1, cut - begin + 1), lengths)
        padded = np.full(last - first + 1 + gap * (cut - begin + 1), len(projected) - 1)
        padded[places] = ids[first : last + 1]
        empty = np.ones(len(padded), np.bool_)
        empty[places] = False
        result[first : last + 1] = _layers(weights, projected, padded, np.flatnonzero(empty))[places]
        begin = cut
    return result


def _layers(weights: Weights, projected: Floats, padded: Ints, empty: Ints) -> Floats:
    """The layers over one layout; ``empty`` are its gaps, kept at zero."""
    n, window = len(padded), projected.shape[1]
    reach = window // 2
    hidden = np.zeros((n, projected.shape[2]), np.float32)
    inner = hidden[reach : n - reach]
    for k in range(window):
        inner += projected[padded[k : n - window + 1 + k], k]
    hidden += weights.first_bias
    np.maximum(hidden, 0, out=hidden)
    hidden[empty] = 0
    change, shifted = np.empty_like(hidden), np.empty_like(hidden)
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


def _decode(scores: Floats, lasts: Ints, transitions: Floats) -> Ints:
    """The best legal sequence of labels for every sentence: Viterbi, one step for all sentences at once."""
    firsts = np.concatenate(([0], lasts[:-1] + 1))
    lengths = lasts - firsts + 1
    order = np.argsort(-lengths, kind="stable")
    firsts, lengths = firsts[order], lengths[order]
    steps = int(lengths[0])
    active = np.searchsorted(-lengths, -np.arange(steps), side="left")  # sentences longer than each step
    allowed = transitions + legal()
    start = np.zeros(len(LABELS), np.float32)
    start[[LABELS.index("I"), LABELS.index("E")]] = _NEVER
    finish = np.zeros(len(LABELS), np.float32)
    finish[[LABELS.index("B"), LABELS.index("I")]] = _NEVER
    best = scores[firsts] + start
    pointers = []
    for step in range(1, steps):
        n = active[step]
        through = best[:n, :, None] + allowed
        pointer = through.argmax(axis=1)
        pointers.append(pointer.astype(np.int8))
        best[:n] = through.max(axis=1) + scores[firsts[:n] + step]
    labels = np.zeros(len(scores), np.int64)
    current = (best + finish).argmax(axis=1)
    for step in range(steps - 1, -1, -1):
        n = active[step]
        labels[firsts[:n] + step] = current[:n]
        if step:
            current[:n] = pointers[step - 1][np.arange(n), current[:n]]
    return labels
