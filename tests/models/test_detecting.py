"""Terms of another detector: seen in the plan and in the check, whatever they overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn import Document, Kinds, check, sanitize
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.language import analyze
from taciturn.models import Detecting

KNOWLEDGE = Knowledge(ContextCounts([{"cat"}, {"dog"}]))
HIDE = Kinds(hide=["code"])


def badges(text: str) -> Iterator[tuple[int, int, str]]:
    return ((m.start(), m.end(), "code") for m in re.finditer(r"B-[a-z]+", text))


def test_every_segment_is_looked_at_and_the_check_looks_again() -> None:
    document = Document.join([("title", "Badge B-red"), ("body", "He has B-blue. She has a cat.")])
    model = Detecting(model=HIDE, detect=badges)
    release = sanitize(document, model, KNOWLEDGE)
    assert release.text == "Badge [code]\n\nHe has [code]. She has a cat."
    assert [e.kind for e in release.edits] == ["code", "code"]
    assert not check("He has B-blue.", model, KNOWLEDGE).holds
    assert check("He has B-blue.", HIDE, KNOWLEDGE).holds


def test_what_is_found_inside_other_terms_and_across_sentences_is_hidden_whole() -> None:
    text = "The old cat sat. Wild dogs ran."
    start, end = text.index("cat"), text.index("dogs")
    model = Detecting(model=HIDE, detect=lambda t: [(start, end, "code")] if t == text else [])
    assert sanitize(text, model, KNOWLEDGE).text == "The old [code] [code] dogs ran."


def test_spans_that_cannot_be_are_errors() -> None:
    for found, message in (((0, 99, "code"), "0-99"), ((3, 3, "code"), "3-3"), ((0, 3, "badge"), "'badge'")):
        with pytest.raises(ValueError, match=message):
            sanitize("A text.", Detecting(model=HIDE, detect=lambda _, f=found: [f]), KNOWLEDGE)  # type: ignore[misc]


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6))
def test_terms_stay_in_order_without_overlap(spans: list[tuple[int, int]]) -> None:
    text = "Dr. Ann Lee of Boston wrote to ann@example.org on 3 May 2020. Her cat sat [REDACTED] by.\n\nThe dog ran."
    found = [(a, min(a + n, len(text)), "person") for a, n in spans]
    seen = Detecting(model=HIDE, detect=lambda t: found if t == text else [])._seen(analyze(Document.of(text)))
    seen.verify()
    assert all("[REDACTED]" not in t.text for t in seen.terms)
    covered = {i for t in seen.terms if t.kind == "person" for i in range(t.start, t.end)}
    mark = range(text.index("[REDACTED]"), text.index("[REDACTED]") + 10)
    letters = {i for a, b, _ in found for i in range(a, b) if text[i].isalnum() and i not in mark}
    # A function word alone ("of", "to") says nothing and has no key; everything else that was found is a term.
    said = {i for i in letters if len(re.findall(r"\w+", text[max(i - 3, 0) : i + 4])) == 1}
    assert said <= covered
