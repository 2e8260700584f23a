"""Chunks: every run between white space, and tokens that are the same as if the whole text had been cut."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.language.chunks import chunk, find_in, occurrences
from taciturn.language.tokens import _WITH_MAIL, ABBREVIATIONS, tokenize

ANY = st.text(alphabet=st.characters(codec=None), max_size=80)
MARKED = st.text(alphabet="ab AB.Mrco'’s-12,@\n\t\x1c\u2003\u3000é\ud800😀東w:/_=*\u00ad", max_size=60)


def cut_whole(text: str) -> list[tuple[int, int]]:
    """The tokens of a text by one pass over all of it: the definition."""
    spans: list[tuple[int, int]] = []
    at = 0
    for piece in _WITH_MAIL.findall(text):
        before = text[slice(*spans[-1])] if spans and spans[-1][1] == at else ""
        if piece == "." and before.lower() in ABBREVIATIONS:
            spans[-1] = (spans[-1][0], at + 1)
        elif not piece.isspace():
            spans.append((at, at + len(piece)))
        at += len(piece)
    return spans


@settings(max_examples=300, deadline=None)
@given(st.one_of(ANY, MARKED))
def test_chunks_are_the_runs_between_white_space(text: str) -> None:
    found = chunk(text)
    runs = [(m.start(), m.group()) for m in re.finditer(r"\S+", text)]
    assert list(zip(found.starts.tolist(), [found.types[i] for i in found.ids], strict=True)) == runs
    assert found.types == list(found.numbers)


@settings(max_examples=300, deadline=None)
@given(st.one_of(ANY, MARKED))
def test_tokens_of_chunks_are_those_of_the_whole(text: str) -> None:
    tokens = tokenize(text)
    assert list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)) == cut_whole(text)
    for start, end, number in zip(tokens.starts, tokens.ends, tokens.ids, strict=True):
        assert tokens.types[number] == text[start:end]


@settings(max_examples=200, deadline=None)
@given(MARKED, st.lists(st.integers(0, 60), min_size=6, max_size=6))
def test_spans_are_cut_as_if_they_stood_alone(text: str, cuts: list[int]) -> None:
    edges = sorted(min(cut, len(text)) for cut in cuts)
    spans = list(zip(edges[::2], edges[1::2], strict=True))
    tokens = tokenize(text, spans)
    alone = [(start + a, start + b) for start, end in spans for a, b in cut_whole(text[start:end])]
    assert list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)) == alone


@settings(max_examples=200, deadline=None)
@given(MARKED)
def test_what_is_found_in_types_is_carried_to_every_occurrence(text: str) -> None:
    found = chunk(text)
    pattern = re.compile(r"[A12@]")
    hits = [(number, at, what) for number, here in enumerate(find_in(found.types, pattern)) for at, what in here]
    assert occurrences(found, hits) == [(m.start(), m.group()) for m in pattern.finditer(text)]


def test_many_spans_cost_no_more_than_their_text() -> None:
    text = "ab " * 50_000
    spans = [(at, at + 2) for at in range(0, len(text), 3)]
    assert np.array_equal(chunk(text, spans).starts, chunk(text).starts)
