"""Masks against brute force: regular expressions over the list, every pattern of a word."""

from __future__ import annotations

import pickle
import re
from collections import deque
from itertools import combinations
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers import closed_masks, masks
from taciturn.solvers.masks import MARK, Mask, MaskIndex
from taciturn.solvers.paper_masks import pair_sets, paper_dictionary

LETTERS = "abcé*森 \u0308😀"
exact = settings(deadline=None)  # the machine that runs the tests may be busy
lists = st.lists(st.text(LETTERS, min_size=1, max_size=7), max_size=40)
words = st.text(LETTERS, min_size=1, max_size=7)


def brute_count(strings: list[str], pattern: str) -> int:
    expression = re.compile("".join("." if c == MARK else re.escape(c) for c in pattern), re.DOTALL)
    return sum(1 for s in {normalize("NFC", s) for s in strings} if expression.fullmatch(s))


def brute_dictionary(strings: list[str], word: str) -> list[tuple[str, int, int]]:
    """Every pattern once, ordered as MODELS.md has it: fewest masked, larger k, leftmost mask."""
    word = normalize("NFC", word)
    places = [i for i, c in enumerate(word) if c != MARK]
    found = []
    for size in range(1, len(places) + 1):
        for kept in combinations(places, size):
            pattern = "".join(c if i in kept else MARK for i, c in enumerate(word))
            if size < len(word):
                hidden = [i for i in range(len(word)) if i not in kept]
                found.append((len(hidden), -brute_count(strings, pattern), hidden, pattern))
    return [(pattern, -k, masked) for masked, k, _, pattern in sorted(found)]


def brute_mask(strings: list[str], word: str, k: int) -> tuple[str, int, int]:
    word = normalize("NFC", word)
    everything = MARK * len(word)
    found = (row for row in brute_dictionary(strings, word) if row[1] >= k)
    return next(found, (everything, brute_count(strings, everything), len(word)))


@exact
@given(lists, words)
def test_dictionary_is_exact(strings: list[str], word: str) -> None:
    dictionary = MaskIndex(strings).dictionary(word)
    assert [tuple(m)[:3] for m in dictionary] == brute_dictionary(strings, word)
    assert len(dictionary) == len(list(dictionary))


@exact
@given(lists, words, st.integers(2, 8))
def test_mask_is_exact(strings: list[str], word: str, k: int) -> None:
    assert tuple(MaskIndex(strings).mask(word, k))[:3] == brute_mask(strings, word, k)


@exact
@given(lists, words, st.integers(2, 8))
def test_search_for_long_words_is_exact(strings: list[str], word: str, k: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masks, "SUMS", 0)
        found = MaskIndex(strings).mask(word, k)
    assert found.optimal
    assert tuple(found)[:3] == brute_mask(strings, word, k)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.integers(21, 60))
def test_search_agrees_with_sums_on_long_words(seed: int, k: int, length: int) -> None:
    """A long word is a short one with a tail that no other string shares: both methods must say the same of it."""
    generator = np.random.default_rng(seed)
    heads = ["".join(generator.choice(list("abc"), 12)) for _ in range(200)]
    word = heads[0]
    short = MaskIndex(heads).mask(word, k)
    tail = "x" * (length - 12)
    long = MaskIndex([heads[0] + tail, *(h + "y" * (length - 12) for h in heads[1:])]).mask(word + tail, k)
    assert (long.pattern[:12], long.k) == (short.pattern, short.k)
    assert long.masked == short.masked + len(tail)


def test_search_that_stops_says_so_with_a_true_bound() -> None:
    generator = np.random.default_rng(7)
    agree = (generator.random((200, 30)) < 0.35).astype(np.uint8)
    proven = closed_masks.largest_shared(agree, 10)
    assert proven.bound == len(proven.columns)
    stopped = closed_masks.largest_shared(agree, 10, limit=3)
    assert len(stopped.columns) <= len(proven.columns) <= stopped.bound
    assert stopped.bound > len(stopped.columns)
    strings = ["".join("a" if cell else "b" for cell in row) for row in agree]
    found = MaskIndex(strings).mask("a" * 30, 10, limit=3)
    assert not found.optimal
    assert found.bound is not None
    assert found.bound <= 30 - len(proven.columns) <= found.masked
    assert MaskIndex(strings).count(found.pattern) == found.k >= 10


def test_short_words_are_proven_even_when_the_search_stops() -> None:
    generator = np.random.default_rng(3)
    strings = ["".join(row) for row in generator.choice(list("ab"), (300, 18))]
    stopped, full = MaskIndex(strings).mask(strings[0], 5, limit=1), MaskIndex(strings).mask(strings[0], 5)
    assert stopped == full
    assert full == next(m for m in MaskIndex(strings).dictionary(strings[0]) if m.k >= 5)


TABLE_2 = {  # the paper's Table 2, all the patterns of "crew" that it prints
    "cr*w": 2, "*rew": 2, "cre*": 3, "c**w": 4, "*r*w": 7, "**ew": 8, "c*e*": 13, "*re*": 28, "cr**": 35,
    "***w": 92, "**e*": 400, "*r**": 419, "c***": 628,
}  # fmt: skip


def test_table_2_of_the_paper() -> None:
    """A list with the paper's figures: add strings until every pattern of the table has its k."""
    need = dict(TABLE_2)
    strings = ["crew"]
    fillers = iter(chr(c) for c in range(0x4E00, 0x9FFF))
    have = dict.fromkeys(need, 1)
    for pattern in need:  # few masked characters first: a string made for one pattern matches those that mask more
        while have[pattern] < need[pattern]:
            made = "".join(next(fillers) if c == MARK else c for c in pattern)
            strings.append(made)
            for other in need:
                have[other] += all(o in (MARK, m) for o, m in zip(other, made, strict=True))
    assert have == need
    dictionary = MaskIndex(strings).dictionary("crew")
    assert len(dictionary) == 14
    found = {m.pattern: m.k for m in dictionary}
    assert {p: found[p] for p in need} == need
    assert MaskIndex(strings).mask("crew", 3).pattern == "cre*"
    assert MaskIndex(strings).mask("crew", 30).pattern == "cr**"
    assert dictionary.best() == [(1, 3), (2, 35), (3, 628)]


def test_crew_has_fourteen_patterns() -> None:
    patterns = {m.pattern for m in MaskIndex(["crew"]).dictionary("crew")}
    assert patterns == set(
        "*rew c*ew cr*w cre* **ew c**w cr** *r*w *re* c*e* ***w c*** *r** **e*".split()
    )  # as the paper lists them


@exact
@given(lists, words, st.integers(2, 4))
def test_paper_method_agrees(strings: list[str], word: str, threshold: int) -> None:
    word = normalize("NFC", word.replace(MARK, "b"))
    index = MaskIndex(strings)
    found = paper_dictionary(pair_sets(index, word), threshold)
    for pattern, k, _ in brute_dictionary(strings, word):
        kept = tuple(i for i, c in enumerate(pattern) if c != MARK)
        assert found.get(kept, k) == k
        assert kept in found or k < threshold


def test_edges() -> None:
    empty = MaskIndex([])
    assert empty.mask("crew", 2) == Mask("****", 0, 4)
    assert (len(empty), list(empty), empty.lengths, "x" in empty) == (0, [], (), False)
    assert len(empty.dictionary("crew")) == 14
    one = MaskIndex(["a", "b", "c"])
    assert one.mask("a", 2) == Mask("*", 3, 1)
    assert list(one.dictionary("a")) == []
    assert one.mask("a", 10) == Mask("*", 3, 1)
    assert one.mask("a", 10).bare
    assert len(MaskIndex(["ab", "ab", "ab", "ac"])) == 2
    assert MaskIndex(["ab"] * 5).mask("ab", 2).bare
    assert MaskIndex(["e\u0301t", "ét", "at"]).mask("e\u0301t", 2) == Mask("*t", 2, 1)
    assert MaskIndex(["", "a"]).lengths == (1,)
    assert MaskIndex(["a\0", "b\0"]).mask("a\0", 2).pattern == "*\0"
    assert [m.pattern for m in MaskIndex(["\0\0"]).dictionary("\0\0")] == ["*\0", "\0*"]
    assert MaskIndex(["😀森a", "😀林a"]).mask("😀森a", 2).pattern == "😀*a"
    assert MaskIndex(["x\ud800", "y\ud800"]).mask("x\ud800", 2).pattern == "*\ud800"


def test_bad_input_is_refused() -> None:
    index = MaskIndex(["crew"])
    with pytest.raises(ValueError, match="k = 1 protects nothing"):
        index.mask("crew", 1)
    with pytest.raises(ValueError, match="empty word"):
        index.mask("", 2)
    with pytest.raises(ValueError, match="21 characters"):
        index.dictionary("a" * 21)
    with pytest.raises(TypeError, match="one string"):
        MaskIndex("crew")
    with pytest.raises(ValueError, match="2000 characters"):
        MaskIndex(["a" * 2000])


@exact
@given(st.lists(st.text(max_size=6), max_size=40))
def test_strings_come_back_and_order_leaves_no_trace(strings: list[str]) -> None:
    index = MaskIndex(strings)
    expected = {normalize("NFC", s) for s in strings} - {""}
    assert sorted(index) == sorted(expected)
    assert all(s in index for s in expected)
    assert MaskIndex(sorted(strings, reverse=True)).digest == index.digest


def test_strings_that_share_a_hash_stay_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    from taciturn.solvers import mask_arrays

    def poor(hashes: np.ndarray, following: np.ndarray) -> np.ndarray:
        return hashes ^ (following & np.uint32(1))

    monkeypatch.setattr(mask_arrays, "extend_hash", poor)
    monkeypatch.setattr(masks, "extend_hash", poor)
    strings = ["aa", "cc", "aa", "ee", "bb", "cc", "ab", "aa"]
    index = MaskIndex(strings)
    assert sorted(index) == sorted(set(strings))
    assert all(s in index for s in strings)
    assert "gg" not in index


@pytest.mark.parametrize("bits", [1, 2, 5, 9])
def test_dictionary_indexing(bits: int) -> None:
    word = "abcdefghi"[:bits]
    dictionary = MaskIndex([word]).dictionary(word)
    everything = deque(dictionary)
    assert [dictionary[i] for i in range(len(dictionary))] == list(everything)
    if everything:
        assert dictionary[-1] == everything[-1]
        assert dictionary[1:3] == list(everything)[1:3]
    with pytest.raises(IndexError):
        dictionary[len(dictionary)]


def test_many_masks_in_processes_are_the_masks_one_by_one() -> None:
    generator = np.random.default_rng(5)
    strings = ["".join(row) for row in generator.choice(list("abcdef"), (5000, 6))]
    index = MaskIndex(strings)
    one_by_one = [index.mask(w, 4) for w in strings]
    assert index.mask_many(strings, 4, workers=2) == one_by_one
    assert index.mask_many(strings[:50], 4) == one_by_one[:50]
    assert index.mask_many([], 4) == []
    copy = pickle.loads(pickle.dumps(index))
    assert copy.digest == index.digest
    assert copy.mask_many(strings[:50], 4) == one_by_one[:50]


def test_work_grows_with_what_agrees_not_with_the_list() -> None:
    """A word costs its postings: strings that share nothing with it add nothing but the zeroed table of rows."""
    index = MaskIndex(["crew", "brew", *(f"{a}{b}{c}z" for a in "ijkl" for b in "mnop" for c in "stuv")])
    from taciturn.solvers.mask_arrays import code_points

    assert sum(rows.size for rows in index.postings(code_points("crew"))) == 7
