"""Words in and around each word: what is seen, that it is the same each time, and that a network adds it up rightly."""

from __future__ import annotations

import time

import numpy as np

from taciturn.document import Document
from taciturn.language import analyze
from taciturn.models.person.contexts import AROUND, SLOTS, Contexts
from taciturn.models.person.figures import Words, read_words
from taciturn.models.person.model import Network, known_rows, load_network
from tests.fixtures import tiny_knowledge

TEXT = "The Norwegian court sat in Oslo on 3 May 1951. Norway sent a lawyer. In Norway the court sat on 3 May 1951."


def _read(text: str) -> Words:
    return read_words(analyze(Document.of(text)), tiny_knowledge(), ["Anna Evans"], contexts=True)


def _contexts(words: Words) -> Contexts:
    assert words.contexts is not None
    return words.contexts


def _at(words: Words, text: str, shown: str) -> list[int]:
    return [i for i, (s, e) in enumerate(zip(words.starts, words.ends, strict=True)) if text[s:e] == shown]


def test_contexts_are_read_only_where_asked_for() -> None:
    assert read_words(analyze(Document.of(TEXT)), tiny_knowledge(), ["Anna Evans"]).contexts is None
    seen = _contexts(_read(TEXT))
    assert seen.numbers.shape[1] == SLOTS
    assert seen.around.shape[1] == AROUND
    assert seen.around.max() < len(seen.vectors)
    assert not seen.vectors[-1].any()


def test_words_in_the_same_place_have_the_same_numbers_and_no_other_sentence_is_seen() -> None:
    words = _read(TEXT)
    numbers = _contexts(words).numbers
    first, second = _at(words, TEXT, "1951")
    assert set(numbers[first]) & set(numbers[second])
    last, other = _at(words, TEXT, "Norway")
    assert set(numbers[last]) != set(numbers[other])
    alone = _read("Norway sent a lawyer.")
    assert numbers[last].tolist() == _contexts(alone).numbers[0].tolist()  # nor is a heading over either


def test_words_under_one_heading_share_its_number() -> None:
    text = "PROCEDURE\n\nThe court sat.\n\nII. THE FACTS\n\nShe left Oslo.\n\nShe came back."
    words = _read(text)
    heading = _contexts(words).numbers[:, -1]
    left, back = _at(words, text, "left")[0], _at(words, text, "back")[0]
    assert heading[left] == heading[back] != heading[_at(words, text, "sat")[0]]
    assert heading[0] == heading[_at(words, text, "sat")[0]]


def test_a_country_and_its_people_are_related() -> None:
    words = _read(TEXT)
    relations = _contexts(words).relations
    assert relations[_at(words, TEXT, "Norwegian")[0], 1] == 1
    assert relations[_at(words, TEXT, "Norway")[0], 1] == 1
    assert relations[_at(words, TEXT, "Oslo")[0], 1] == 0


def test_the_network_adds_up_what_the_rows_say() -> None:
    words = _read(TEXT)
    seen, rng = _contexts(words), np.random.default_rng(3)
    hidden = 5
    numbers = np.unique(seen.numbers[seen.numbers >= 0])[::3]
    first = rng.normal(size=(2, words.figures.shape[1], hidden)).astype(np.float32)
    near = rng.normal(size=(2, seen.rows().shape[1], hidden)).astype(np.float32)
    rows = rng.normal(size=(2, len(numbers) + 1, hidden)).astype(np.float32)
    rows[:, -1] = 0
    bias, second = rng.normal(size=(2, hidden)).astype(np.float32), rng.normal(size=(2, hidden)).astype(np.float32)
    network = Network(first, bias, second, np.array([1, 2], np.float32), 0.0, near, numbers, rows)
    expected = np.zeros(len(words.starts))
    row_of = {n: i for i, n in enumerate(numbers.tolist())}
    for net in range(2):
        for i in range(len(expected)):
            layer = words.figures[i] @ first[net] + seen.rows()[i] @ near[net] + bias[net]
            layer = layer + sum(rows[net][row_of[n]] for n in seen.numbers[i].tolist() if n in row_of)
            expected[i] += (np.maximum(layer, 0) @ second[net] + net + 1) / 2
    assert np.allclose(network(words), expected, rtol=1e-3, atol=1e-3)


def test_unknown_numbers_have_the_last_row() -> None:
    known = load_network("court").numbers
    assert known is not None
    assert (np.diff(known) > 0).all()
    found = known_rows(np.array([[-1, known[0], known[-1]]]), known)
    assert found.tolist() == [[len(known), 0, len(known) - 1]]


def test_a_text_without_words_has_no_contexts() -> None:
    assert _read("").contexts is None
    assert load_network("court")(_read("")).shape == (0,)


def test_time_grows_with_the_text() -> None:
    def cost(text: str) -> float:
        analysis, best = analyze(Document.of(text)), np.inf
        for _ in range(3):
            start = time.process_time()
            read_words(analysis, tiny_knowledge(), ["Anna Evans"], contexts=True)
            best = min(best, time.process_time() - start)
        return best

    assert cost((TEXT + "\n") * 400) < 12 * cost((TEXT + "\n") * 100)
