"""The tagger's arrays give what the definition says, however the text is laid out."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.language.tagger import LABELS, _decode, legal, load_weights, tag
from tacit.language.tokens import Tokens, tokenize

WORDS = ["The", "liver", "cancer", "of", "Anna", "Smith", ",", "1994", "grows", "HIV", "-", "positive", "zxqv"]


def _of(sentences: list[list[str]]) -> tuple[Tokens, np.ndarray]:
    words = [w for s in sentences for w in s]
    types = list(dict.fromkeys(words))
    ids = np.array([types.index(w) for w in words], np.int64)
    ended = np.zeros(len(words), np.bool_)
    ended[np.cumsum([len(s) for s in sentences]) - 1] = True
    places = np.arange(len(words))
    return Tokens(places * 10, places * 10 + 5, ids, types), ended


@settings(max_examples=40)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_decoding_finds_the_best_legal_sequence(lengths: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    transitions = rng.standard_normal((len(LABELS), len(LABELS))).astype(np.float32)
    scores = rng.standard_normal((sum(lengths), len(LABELS))).astype(np.float32)
    lasts = np.cumsum(lengths) - 1
    found = _decode(scores, lasts, transitions)
    allowed = transitions + legal()

    def value(path: tuple[int, ...], begin: int) -> float:
        if LABELS[path[0]] in "IE" or LABELS[path[-1]] in "BI":
            return -np.inf
        total = sum(float(scores[begin + i, label]) for i, label in enumerate(path))
        return total + sum(float(allowed[a, b]) for a, b in pairwise(path))

    begin = 0
    for length in lengths:
        best = max(value(path, begin) for path in product(range(len(LABELS)), repeat=length))
        assert abs(value(tuple(found[begin : begin + length].tolist()), begin) - best) < 1e-3
        begin += length


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=8))
def test_a_sentence_is_tagged_alike_alone_and_among_others(sentences: list[list[str]]) -> None:
    together = tag(*_of(sentences))
    found = list(zip(together.firsts.tolist(), together.lasts.tolist(), strict=True))
    expected = []
    begin = 0
    for sentence in sentences:
        alone = tag(*_of([sentence]))
        expected += [(begin + a, begin + b) for a, b in zip(alone.firsts.tolist(), alone.lasts.tolist(), strict=True)]
        begin += len(sentence)
    assert found == expected


def test_many_chunks_give_what_one_gives() -> None:
    tokens = tokenize("The old doctor of Nicosia treats liver cancer . " * 600)
    ended = np.array([tokens.types[i] == "." for i in tokens.ids])
    phrases = tag(tokens, ended)
    places = phrases.firsts.reshape(600, -1) - np.arange(600)[:, None] * 9
    assert (places == places[0]).all()


def test_the_weights_are_small_and_finite() -> None:
    weights = load_weights()
    total = sum(getattr(weights, name).nbytes for name in ("table", "ends"))
    assert total < 8_000_000
    assert len(weights.rows) + 1 == len(weights.table)
    for name in ("table_scale", "ends_scale", "shapes", "first", "layers", "labels", "kinds", "transitions"):
        assert np.isfinite(getattr(weights, name)).all()
