"""A word table gives what its function gives, whatever it has forgotten."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from taciturn.language.wordtable import WordMemo, WordTable

WORDS = st.text(alphabet="abc", max_size=5)


def figures(words: list[str]) -> NDArray[np.int64]:
    return np.array([[len(word), word.count("a")] for word in words], np.int64).reshape(len(words), 2)


@given(st.lists(st.lists(WORDS, max_size=12), max_size=8), st.integers(1, 10))
def test_rows_are_those_of_the_words(documents: list[list[str]], size: int) -> None:
    table = WordTable(figures, size, longest=4)
    for words in documents:
        assert np.array_equal(table.rows(words), figures([word[:4] for word in words]))
        assert len(table._places) <= size


def test_a_word_is_worked_out_once() -> None:
    asked: list[str] = []

    def count(words: list[str]) -> NDArray[np.int64]:
        asked.extend(words)
        return figures(words)

    table = WordTable(count, 100)
    table.rows(["to", "be", "to"])
    table.rows(["be", "or"])
    assert asked == ["to", "be", "or"]


@given(st.lists(st.lists(WORDS, max_size=12), max_size=8), st.integers(1, 10))
def test_a_memo_gives_what_is_found_in_the_words(documents: list[list[str]], size: int) -> None:
    memo = WordMemo(lambda words: [word[::-1] for word in words], size, longest=4)
    for words in documents:
        assert memo.of(words) == [word[::-1] for word in words]
        assert len(memo._kept) <= size
        assert all(len(word) <= 4 for word in memo._kept)
