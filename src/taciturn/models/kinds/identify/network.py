"""The network that says of each piece of a text what kind of identifier it belongs to, in plain numpy.

First look (the mean of several networks): a window of seven pieces, with the figures of their words and of what stands
around the middle one, then two layers that see their neighbours. Second look: the rest of the document.
``training/people`` makes the weights and cross-validates them; ``data/identifiers.npz`` holds them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from taciturn.models.kinds.identify.document import second_figures
from taciturn.models.kinds.identify.figures import Read

__all__ = ["Weights", "load_weights", "shares"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Weights:
    """The matrices of both looks; the first axis of those of the first look is the number of the network.

    ``words`` and ``layers`` have a matrix for each place of their window.
    """

    words: Floats
    words_bias: Floats
    around: Floats
    layers: Floats
    layer_biases: Floats
    out: Floats
    out_bias: Floats
    second: Floats
    second_bias: Floats
    final: Floats
    final_bias: Floats


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """The weights in the package, read once."""
    with files("taciturn.models.kinds").joinpath("data/identifiers.npz").open("rb") as file, np.load(file) as stored:
        return Weights(**{name: stored[name].astype(np.float32) for name in stored.files})


def shares(reading: Read, weights: Weights | None = None) -> Floats:
    """The probability of each class for each piece, one row a piece."""
    weights = weights or load_weights()
    if not len(reading):
        return np.zeros((0, len(weights.final_bias)), np.float32)
    looks = [_look(reading, weights, number) for number in range(len(weights.words))]
    first: Floats = np.mean(looks, axis=0, dtype=np.float32)
    inner = np.maximum(second_figures(reading, first) @ weights.second + weights.second_bias, 0)
    logits = first + inner @ weights.final + weights.final_bias
    found: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    found /= found.sum(axis=1, keepdims=True)
    return found


def _look(reading: Read, weights: Weights, number: int) -> Floats:
    """What one of the first looks says of each piece."""
    ids = reading.pieces.tokens.ids
    words = weights.words[number]
    hidden: Floats = reading.around @ weights.around[number] + weights.words_bias[number]
    for place in range(len(words)):
        _add_shifted(hidden, (reading.words @ words[place])[ids], place - len(words) // 2)
    np.maximum(hidden, 0, out=hidden)
    for matrix, bias in zip(weights.layers[number], weights.layer_biases[number], strict=True):
        change = np.broadcast_to(bias, hidden.shape).copy()
        for place in range(len(matrix)):
            _add_shifted(change, hidden @ matrix[place], place - len(matrix) // 2)
        hidden = hidden + np.maximum(change, 0)
    scores: Floats = hidden @ weights.out[number] + weights.out_bias[number]
    return scores


def _add_shifted(total: Floats, rows: Floats, by: int) -> None:
    """Add to each row what stands ``by`` places after it."""
    n = len(total)
    if abs(by) >= n:
        return
    if by >= 0:
        total[: n - by] += rows[by:]
    else:
        total[-by:] += rows[:by]
