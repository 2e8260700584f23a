"""Tokens cover every visible character, at the right place, in linear time."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.language.tokens import tokenize

ANY = st.text(alphabet=st.characters(codec=None), max_size=200)  # lone surrogates and controls included


def words(text: str) -> list[str]:
    tokens = tokenize(text)
    return [text[s:e] for s, e in zip(tokens.starts, tokens.ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Norton's 15-year term", ["Norton", "'s", "15", "-", "year", "term"]),
        ("I don't know; they’re out", ["I", "don't", "know", ";", "they", "’re", "out"]),
        ("O'Brien of the U.S. Navy", ["O'Brien", "of", "the", "U.S.", "Navy"]),
        ("Mr. J. Smith, Acme Inc.", ["Mr.", "J", ".", "Smith", ",", "Acme", "Inc."]),
        ("1,234.5 mg and the 1990s", ["1,234.5", "mg", "and", "the", "1990s"]),
        ("10am, 3rd, 5kg", ["10", "am", ",", "3rd", ",", "5", "kg"]),
        ("mail a.b@c.org or https://x.org/a?b=1.", ["mail", "a.b@c.org", "or", "https://x.org/a?b=1", "."]),
        ("HIV/AIDS (CD4+)", ["HIV", "/", "AIDS", "(", "CD4", "+", ")"]),
        ("cafe\u0301s — na\u00efve", ["cafe\u0301s", "—", "na\u00efve"]),
        ("wait... what--no", ["wait", "...", "what", "--", "no"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_examples(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(ANY)
def test_tokens_are_exactly_what_is_not_white_space(text: str) -> None:
    tokens = tokenize(text)
    at = 0
    for start, end, number in zip(tokens.starts, tokens.ends, tokens.ids, strict=True):
        assert at <= start < end
        assert not text[at:start].strip()
        assert text[start:end] == tokens.types[number]
        at = int(end)
    assert not text[at:].strip()


@given(ANY, st.lists(st.integers(0, 200), max_size=6))
def test_spans_are_tokenized_as_if_alone(text: str, cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(c for c in cuts if c <= len(text))})
    spans = list(itertools.pairwise(edges))
    tokens = tokenize(text, spans)
    together = [(int(s), int(e)) for s, e in zip(tokens.starts, tokens.ends, strict=True)]
    for start, end in spans:
        alone = tokenize(text[start:end])
        inside = [(s - start, e - start) for s, e in together if start <= s < end]
        assert inside == [(int(s), int(e)) for s, e in zip(alone.starts, alone.ends, strict=True)]


@pytest.mark.parametrize(
    "unit",
    ["a", "a.", "a'", "a-", "www.!", "@", "a@", "a.b@c", "1,", "1.", "。", "\x00", "\ud800", "'s", "http://", " "],
)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def cost(n: int) -> float:
        text = unit * (n // len(unit))
        best = 1e9
        for _ in range(3):
            begin = time.process_time()
            tokenize(text)
            best = min(best, time.process_time() - begin)
        return best

    small, large = cost(20_000), cost(160_000)
    assert large < 8 * 4 * small + 0.05  # eight times the text; quadratic time would be sixty-four times
