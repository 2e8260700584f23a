"""The tagger's arrays give what the definition says, however the text is laid out."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.language import tagger
from taciturn.language.tagger import LABELS, KnownSentences, _decode, load_weights, tag
from taciturn.language.tokens import Tokens, tokenize
from tests.loops import in_both_ways, loops, needs_compiler

WORDS = ["The", "liver", "cancer", "of", "Anna", "Smith", ",", "1994", "grows", "HIV", "-", "positive", "zxqv"]

LEGAL = {"O": "OBS", "B": "IE", "I": "IE", "E": "OBS", "S": "OBS"}


def _of(sentences: list[list[str]]) -> tuple[Tokens, np.ndarray]:
    words = [w for s in sentences for w in s]
    types = list(dict.fromkeys(words))
    ids = np.array([types.index(w) for w in words], np.int64)
    ended = np.zeros(len(words), np.bool_)
    ended[np.cumsum([len(s) for s in sentences]) - 1] = True
    places = np.arange(len(words))
    return Tokens(places * 10, places * 10 + 5, ids, types), ended


@needs_compiler
@given(
    lengths=st.lists(st.integers(1, 40), min_size=1, max_size=12), seed=st.integers(0, 2**32 - 1), steps=st.booleans()
)
def test_compiled_decoding_is_the_same_in_ties_too(lengths: list[int], seed: int, steps: bool) -> None:
    rng = np.random.default_rng(seed)
    transitions = rng.standard_normal((len(LABELS), len(LABELS))).astype(np.float32)
    scores = rng.standard_normal((sum(lengths), len(LABELS))).astype(np.float32)
    if steps:
        transitions, scores = np.round(transitions), np.round(scores)
    lasts = np.cumsum(lengths) - 1
    with loops(tagger, False):
        expected = _decode(scores, lasts, transitions)
    assert np.array_equal(_decode(scores, lasts, transitions), expected)


@needs_compiler
def test_sentences_that_do_not_fit_the_scores_are_refused() -> None:
    scores, transitions = np.zeros((4, len(LABELS)), np.float32), np.zeros((len(LABELS), len(LABELS)), np.float32)
    for lasts in ([1], [1, 0, 3], [1, 4], [-1, 3], [3, 3]):
        with pytest.raises(ValueError, match="do not fit"):
            _decode(scores, np.array(lasts), transitions)
    with pytest.raises(ValueError, match="do not fit"):
        _decode(scores[:, :4], np.array([3]), transitions)


@in_both_ways
@settings(max_examples=40)
@given(lengths=st.lists(st.integers(1, 5), min_size=1, max_size=4), seed=st.integers(0, 2**32 - 1))
def test_decoding_finds_the_best_legal_sequence(compiled: bool, lengths: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    transitions = rng.standard_normal((len(LABELS), len(LABELS))).astype(np.float32)
    scores = rng.standard_normal((sum(lengths), len(LABELS))).astype(np.float32)
    lasts = np.cumsum(lengths) - 1
    with loops(tagger, compiled):
        found = _decode(scores, lasts, transitions)

    def value(path: tuple[int, ...], begin: int) -> float:
        if LABELS[path[0]] in "IE" or LABELS[path[-1]] in "BI":
            return -np.inf
        total = sum(float(scores[begin + i, label]) for i, label in enumerate(path))
        if any(LABELS[b] not in LEGAL[LABELS[a]] for a, b in pairwise(path)):
            return -np.inf
        return total + sum(float(transitions[a, b]) for a, b in pairwise(path))

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


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=1, max_size=8), max_size=4))
def test_known_sentences_are_recalled_as_they_were_found(documents: list[list[list[str]]]) -> None:
    known = KnownSentences()
    for sentences in documents:
        recalled, computed = tag(*_of(sentences), known=known), tag(*_of(sentences))
        assert np.array_equal(recalled.firsts, computed.firsts)
        assert np.array_equal(recalled.lasts, computed.lasts)
        assert np.allclose(recalled.kinds, computed.kinds, atol=1e-4)


def test_a_known_sentence_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    network = tagger._network

    def count(weights: tagger.Weights, tokens: Tokens, ids: np.ndarray, lasts: np.ndarray) -> object:
        asked.append(len(ids))
        return network(weights, tokens, ids, lasts)

    monkeypatch.setattr(tagger, "_network", count)
    known = KnownSentences()
    old, new = ["The", "liver", "cancer", "grows"], ["Anna", "Smith"]
    tag(*_of([old, old]), known=known)
    phrases = tag(*_of([new, old, old]), known=known)
    assert asked == [8, 2]
    assert phrases.firsts.tolist() == [0, 3, 7]


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
