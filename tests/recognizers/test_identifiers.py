"""Identifiers: the table of examples, properties for any text, and linear time on hostile input."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.language.lexicon import any_word
from taciturn.recognizers import FAMILY, KINDS, Identifier, amounts, contacts, find_identifiers, places, times
from taciturn.recognizers.examples import as_markdown, examples, unmark

TABLE = examples()
KNOWN_FAILURES: dict[str, str] = {
    # Text, and what a person would have found. A fix must remove its line.
    "over a year": "duration",
    "NJA 2005 p. 884": "case-number",
    "three brothers": "quantity",
    "the postcode SW1A1AA": "postal-code",
    "the third of the fifth": "date",
}


def test_every_kind_has_examples_and_counterexamples() -> None:
    assert [row.kind for row in TABLE] == list(KINDS)
    assert all(len(row.examples) >= 2 and len(row.counterexamples) >= 3 for row in TABLE)
    assert set(FAMILY.values()) <= {"code", "place", "time", "quantity"}


@pytest.mark.parametrize(("kind", "example"), [(row.kind, e) for row in TABLE for e in row.examples])
def test_examples_are_found(kind: str, example: str) -> None:
    text, spans = unmark(example)
    assert [(i.start, i.end) for i in find_identifiers(text) if i.kind == kind] == spans


@pytest.mark.parametrize(("kind", "text"), [(row.kind, e) for row in TABLE for e in row.counterexamples])
def test_counterexamples_are_not_found(kind: str, text: str) -> None:
    assert [i for i in find_identifiers(text) if i.kind == kind] == []


@pytest.mark.parametrize(("text", "kind"), KNOWN_FAILURES.items())
def test_known_failures_still_fail(text: str, kind: str) -> None:
    assert kind not in {i.kind for i in find_identifiers(text)}


def test_the_documentation_says_the_same() -> None:
    page = Path(__file__).resolve().parents[2] / "docs/identifiers.md"
    assert page.read_text("utf-8") == as_markdown(), "run python -m taciturn.recognizers.examples"


PIECES = st.sampled_from(
    [unmark(e)[0] for row in TABLE for e in row.examples]
    + [e for row in TABLE for e in row.counterexamples]
    + ["\ud800", "\x00", "\u202e", "日本 2003年", "é", "\n", " ", "1", "@", "://", "(", "no. ", "-", "/", "'s"]
)


@settings(max_examples=300)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=12).map(" ".join), st.lists(PIECES, max_size=12).map("".join)))
def test_spans_are_in_order_and_true_to_the_text(text: str) -> None:
    at = 0
    for found in find_identifiers(text):
        assert found.start >= at
        assert text[found.start : found.end] == found.value
        assert found.kind in FAMILY
        assert found.value == found.value.strip()
        at = found.end


@given(st.lists(PIECES, max_size=6).map(" ".join), st.integers(0, 60), st.integers(0, 60))
def test_a_part_is_searched_alone(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    for found in find_identifiers(text, start, end):
        assert start <= found.start < found.end <= end


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=6).map(" ".join), st.lists(PIECES, max_size=6).map("".join)))
def test_the_first_look_at_digits_rules_out_nothing_that_a_pattern_finds(text: str) -> None:
    end = len(text)
    for run in re.finditer(r"\d+", text):
        at, stop = run.span()
        digits = (text, at, end, stop)
        assert set(amounts.at_digit(*digits)) == {*amounts.at_number(*digits[:3]), *times.at_span(*digits[:3])}
        assert set(places.at_digit(*digits)) == set(places._addresses(*digits[:3]))
        assert set(contacts.at_digit(*digits)) == {*contacts.at_colons(*digits[:3]), *contacts.at_phone(*digits[:3])}
        assert set(times.at_digit(*digits)) >= set(times._dates_and_times(*digits[:3]))


UNITS = (
    "1|1 |1.|1-|1/|1:|A1|AB12 |a@|a@b.|http://|www.|(1)|+1 |$1|no. 1/9, |twenty |12 May |1 to |case no. |::|fe80:|1 Aa "
    "|rue de la |.com|2000-|1 x |\ud800"
).split("|")


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_text_only(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        best = 9e9
        for _ in range(3):
            start = time.process_time()
            find_identifiers(text)
            best = min(best, time.process_time() - start)
        return best

    seconds(1000)
    assert seconds(32_000) < 9 * max(seconds(8_000), 0.002)


def test_an_identifier_fits_its_span() -> None:
    with pytest.raises(ValueError, match="'abc' does not fit"):
        Identifier(0, 2, "email", "abc")


def test_a_trie_matches_exactly_its_words() -> None:
    words = ["a", "an", "and", "May", "March", "no", "nos", "no.", "x+y"]
    pattern = re.compile(any_word(words))
    assert all(pattern.fullmatch(w) for w in words)
    assert not any(pattern.fullmatch(w) for w in ["", "M", "Ma", "andy", "xxy", "nox", "anda"])
