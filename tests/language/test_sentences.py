"""Sentences end where a reader would say so, in prose, notes and lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.language import analyze
from taciturn.language.sentences import LONGEST


def sentences(text: str) -> list[str]:
    return [text[s:e] for s, e in analyze(Document.of(text)).sentences]


@pytest.mark.parametrize(
    "expected",
    [
        ["Pt. c/o SOB x3 d.", "Hx of HTN.", "Denies CP."],
        ["The case (no. 18403/91) v. Turkey.", "See No. 18403/91 and No. 5."],
        ["Mr. J. Smith met Dr. A. B. Jones in Washington, D.C.", "He left."],
        ["He weighs 3.5 kg.", "It was 5 p.m.", "The end."],
        ['He said "Go."', "Then he left.", "(It was late.)", "Yes!", "no way?", "ok"],
        ["Vitamin C.", "It is good."],
        ["Acme Inc.", "The company fell."],
        ["Acme Inc. fell by 3.5 percent in the U.S. last year."],
        ["She works for St. Mary Hospital in Mt. Vernon."],
    ],
)
def test_sentences_on_a_line(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "expected",
    [
        ["PAST MEDICAL HISTORY:", "HTN", "DM type 2", "- lisinopril", "- metformin"],
        ["1. Introduction", "2. Methods", "We did things."],
        ["Summary", "The patient is well."],
        ["See\nthe list:", "apples", "Pears"],
    ],
)
def test_lines_are_sentences_of_their_own(expected: list[str]) -> None:
    assert sentences("\n".join(expected)) == expected


def test_a_head_in_capitals_ends_at_its_colon() -> None:
    assert sentences("MEDICATIONS: Aspirin daily.") == ["MEDICATIONS:", "Aspirin daily."]


def test_a_wrapped_line_goes_on() -> None:
    text = (
        "The quick brown fox jumps over the lazy dog and then went home to see\n"
        "John Smith and his wife, who had been waiting there for a very long\ntime. The end."
    )
    assert len(sentences(text)) == 2


def test_a_text_without_an_end_is_cut() -> None:
    assert [len(s.split()) for s in sentences("word " * (2 * LONGEST + 7))] == [LONGEST, LONGEST, 7]


def test_paragraphs_end_at_blank_lines_and_around_long_lines() -> None:
    long = "It goes on. " * 20
    text = f"One.\nTwo.\n\nThree.\n{long}\nFour."
    found = [text[s:e] for s, e in analyze(Document.of(text)).paragraphs]
    assert found == ["One.\nTwo.", "Three.", long.strip(), "Four."]


@given(st.text(alphabet='aB1.?!:,;-"() \n。', max_size=120))
def test_every_token_lies_in_one_sentence(text: str) -> None:
    found = analyze(Document.of(text))
    assert "".join("".join(text[s:e].split()) for s, e in found.sentences) == "".join(text.split())
    assert "".join("".join(text[s:e].split()) for s, e in found.paragraphs) == "".join(text.split())
