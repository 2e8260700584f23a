"""What a reader is taken to read: acronyms however they are written, and nothing in function words."""

from __future__ import annotations

import pytest

import tacit


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("He died of Aids in 1995.", "He died of a disease in 1995."),
        ("She is a carrier of hiv and works.", "She is a carrier of a disease and works."),
        ("Hearing Aids and glasses help.", "Hearing Aids and glasses help."),
        ("She aids the poor with hearing aids.", "She aids the poor with hearing aids."),
        ("The Who played in May with Will.", "The Who played in May with Will."),
    ],
)
def test_an_acronym_is_read_however_it_is_written(text: str, released: str) -> None:
    assert tacit.sanitize(text, tacit.CSanitized(protect=["HIV"])).text == released


def test_names_of_things_that_differ_stay_apart() -> None:
    release = tacit.sanitize("The Aids virus killed Aids patients.", tacit.CSanitized(protect=["HIV"]))
    assert "aids" not in release.text.lower()
    assert "microorganism" in release.text
    assert release.text.endswith((" patients.", " people."))


def test_function_words_inside_a_term_say_nothing() -> None:
    text = "He takes 40 mg per day."
    assert tacit.sanitize(text, tacit.CSanitized(protect=["HIV"])).text == text
