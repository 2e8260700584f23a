"""Matches in text against a plain search, and masks found again."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers import list_matches, mask_arrays, masks
from taciturn.solvers.list_matches import Bounds, glob_count, longest_matches, masked_windows
from taciturn.solvers.mask_arrays import code_points
from taciturn.solvers.masks import MARK, MaskIndex

LETTERS = "abé森 😀"
lists = st.lists(st.text(LETTERS, min_size=1, max_size=5), max_size=20)
texts = st.text(LETTERS, max_size=40)
flags = st.lists(st.booleans(), min_size=41, max_size=41)


def plain_search(strings: set[str], text: str, bounds: Bounds) -> list[tuple[int, int]]:
    found, at = [], 0
    while at < len(text):
        ends = [
            e
            for e in range(int(bounds.limits[at]), at, -1)
            if bounds.starts[at] and bounds.ends[e] and text[at:e] in strings
        ]
        if ends:
            found.append((at, ends[0]))
            at = ends[0]
        else:
            at += 1
    return found


def some_bounds(text: str, starts: list[bool], ends: list[bool], cut: int) -> Bounds:
    n = len(text)
    limits = np.where(np.arange(n) < cut, min(cut, n), n).astype(np.int64)
    return Bounds(np.array(starts[:n], dtype=bool), np.array(ends[: n + 1], dtype=bool), limits)


@settings(deadline=None)
@given(lists, texts, flags, flags, st.integers(0, 40), st.sets(st.integers(0, 19), max_size=3))
def test_longest_matches(
    strings: list[str], text: str, starts: list[bool], ends: list[bool], cut: int, without: set[int]
) -> None:
    bounds = some_bounds(text, starts, ends, cut)
    refused = frozenset(s for i, s in enumerate(strings) if i in without)
    found = longest_matches(MaskIndex(strings), code_points(text), bounds, refused)
    assert found == plain_search(set(strings) - refused, text, bounds)


def test_long_text_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    strings = ["ab", "abba", "a", "bab"]
    text = "abbaxbabab" * 50
    bounds = Bounds.everywhere(len(text))
    expected = plain_search(set(strings), text, bounds)
    monkeypatch.setattr(list_matches, "_BLOCK", 7)
    assert longest_matches(MaskIndex(strings), code_points(text), bounds) == expected


def test_shared_hashes_give_no_false_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def poor(hashes: np.ndarray, following: np.ndarray) -> np.ndarray:
        return hashes ^ (following & np.uint32(1))

    for module in (mask_arrays, masks, list_matches):
        monkeypatch.setattr(module, "extend_hash", poor)
    strings = ["aa", "cc", "ee", "b"]
    text = "gg cc aa bd ee"
    bounds = Bounds.everywhere(len(text))
    assert longest_matches(MaskIndex(strings), code_points(text), bounds) == plain_search(set(strings), text, bounds)


def brute_windows(strings: set[str], text: str, bounds: Bounds) -> list[tuple[int, int, int]]:
    def count(window: str) -> int:
        expression = re.compile("".join("." if c == MARK else re.escape(c) for c in window), re.DOTALL)
        return sum(1 for s in strings if expression.fullmatch(s))

    found: list[tuple[int, int, int]] = []
    free = 0
    for star in (i for i, c in enumerate(text) if c == MARK):
        if star < free:
            continue
        windows = [
            (s, e, count(text[s:e]))
            for s in range(free, star + 1)
            for e in range(int(bounds.limits[s]), star, -1)
            if bounds.starts[s] and bounds.ends[e]
        ]
        best = next((w for w in windows if w[2]), None)
        if best:
            found.append(best)
            free = best[1]
    return found


@settings(deadline=None)
@given(lists, st.text(LETTERS + MARK * 3, max_size=20), flags, flags, st.integers(0, 40))
def test_masked_windows(strings: list[str], text: str, starts: list[bool], ends: list[bool], cut: int) -> None:
    bounds = some_bounds(text, starts, ends, cut)
    found = masked_windows(MaskIndex(strings), code_points(text), bounds)
    assert found == brute_windows(set(strings), text, bounds)


@settings(deadline=None)
@given(lists, st.text("ab" + MARK, min_size=1, max_size=5), st.integers(1, 30))
def test_glob_count(strings: list[str], pattern: str, enough: int) -> None:
    expression = re.compile(re.sub(r"(\\\*)+", ".+", re.escape(pattern)), re.DOTALL)
    expected = sum(1 for s in set(strings) if expression.fullmatch(s))
    assert glob_count(MaskIndex(strings), pattern, enough) == min(expected, enough)


def test_time_is_linear_in_a_hostile_text() -> None:
    """A text of one letter and a list of that letter's runs: every start reads the longest entry, no more."""
    index = MaskIndex(["a" * n for n in range(1, 40)])
    text = "a" * 20_000
    found = longest_matches(index, code_points(text), Bounds.everywhere(len(text)))
    assert found[0] == (0, 39)
    assert len(found) == -(-20_000 // 39)
