"""What a reader is taken to read: acronyms however they are written, and nothing in function words."""

from __future__ import annotations

import pytest

import taciturn
from taciturn.document import Document
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.language import analyze
from taciturn.reading import readings


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("He died of Aids in 1995.", "He died of an infection in 1995."),
        ("She is a carrier of hiv and works.", "She is a carrier of an infection and works."),
        ("Hearing Aids and glasses help.", "Hearing Aids and glasses help."),
        ("She aids the poor with hearing aids.", "She aids the poor with hearing aids."),
        ("The Who played in May with Will.", "The Who played in May with Will."),
    ],
)
def test_an_acronym_is_read_however_it_is_written(text: str, released: str) -> None:
    assert taciturn.sanitize(text, taciturn.CSanitized(protect=["HIV"])).text == released


def test_names_of_things_that_differ_stay_apart() -> None:
    release = taciturn.sanitize("The Aids virus killed Aids patients.", taciturn.CSanitized(protect=["HIV"]))
    assert "aids" not in release.text.lower()
    assert release.text == "The [organism] killed patients."


def test_function_words_inside_a_term_say_nothing() -> None:
    text = "He takes 40 mg per day."
    assert taciturn.sanitize(text, taciturn.CSanitized(protect=["HIV"])).text == text


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("A sexually transmitted infection.", ["sexually transmitted infection"]),
        ("He openly drinks wine.", ["drinks wine"]),
        ("He has the wine.", []),
        ("The wine is good.", []),
        ("An infection of the lung.", ["infection of the lung"]),
    ],
)
def test_a_term_is_read_with_the_word_before_it(text: str, phrases: list[str]) -> None:
    assert [r.text for r in readings(analyze(Document.of(text))) if r.role == "phrase"] == phrases


def test_a_phrase_that_only_the_word_before_completes_is_hidden() -> None:
    contexts = [*[{"syphilis", "shared needle"}] * 3, *[{"needle"}] * 5, *[{"shared"}] * 5, *[{"syphilis"}] * 3]
    knowledge = Knowledge(ContextCounts([*contexts, *[{"table"}] * 40]))
    model = taciturn.CSanitized(protect=["syphilis"], alpha=1.5, groups=1)
    assert taciturn.check("He had a needle.", model, knowledge).holds
    found = taciturn.check("They often shared needles.", model, knowledge)
    assert [v.message.split(" bits")[0] for v in found.violations] == ["'shared needle' reveals 3.22"]
    assert "shared needles" not in taciturn.sanitize("They often shared needles.", model, knowledge).text
