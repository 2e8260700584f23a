"""The loader of word lists: entries, references, differences, and errors that say what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.language.lexicon import LEXICON, Lexicon, any_word

LISTS = """\
# A comment.

article: a an the
short: half_a
    @article !an
"""


@pytest.fixture
def lexicon(tmp_path: Path) -> Lexicon:
    (tmp_path / "one.txt").write_text(LISTS, "utf-8")
    (tmp_path / "two.txt").write_text("all: some @one.short", "utf-8")
    return Lexicon(tmp_path)


def test_entries_references_and_differences(lexicon: Lexicon) -> None:
    assert lexicon.words("one.short") == ("half a", "a", "the")
    assert lexicon.words("two.all") == ("some", "half a", "a", "the")
    assert lexicon.words("one.article", "two.all") == ("a", "an", "the", "some", "half a")
    assert lexicon.word_set("one.article") == {"a", "an", "the"}
    assert lexicon.lists("one") == {"article": ("a", "an", "the"), "short": ("half a", "a", "the")}


def test_a_space_in_an_entry_is_any_white_space(lexicon: Lexicon) -> None:
    assert re.fullmatch(lexicon.any_of("one.short"), "half\na")


def test_a_list_that_is_missing_is_named(lexicon: Lexicon) -> None:
    with pytest.raises(KeyError, match=r"no word list 'one\.many'; add it to one\.txt"):
        lexicon.words("one.many")


def test_what_is_taken_out_must_be_in(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("short: a !an", "utf-8")
    with pytest.raises(KeyError, match="an"):
        Lexicon(tmp_path).words("one.short")


def test_two_lists_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("a: x\na: y", "utf-8")
    with pytest.raises(ValueError, match="two word lists have the name 'a'"):
        Lexicon(tmp_path).words("one.a")


def test_every_list_of_english_resolves() -> None:
    folder = LEXICON.file("")
    names = [Path(str(f)).stem for f in folder.iterdir() if f.name.endswith(".txt")]
    written = [name for name in names if name not in ("inflection", "keys")]  # tables, written by training scripts
    for name in written:
        for short, entries in LEXICON.lists(name).items():
            assert entries, f"{name}.{short} is empty"


@given(st.sets(st.text("abc' .", min_size=1, max_size=5), min_size=1), st.text("abc' .", max_size=6))
def test_the_trie_matches_the_words_and_nothing_else(words: set[str], text: str) -> None:
    pattern = re.compile(any_word(words))
    assert all(pattern.fullmatch(word) for word in words)
    assert bool(pattern.fullmatch(text)) == (text in words)
