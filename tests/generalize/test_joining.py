"""Sentences stay sentences: what belongs to a replacement, lists, and one thing told from another."""

from __future__ import annotations

import pytest

from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized
from taciturn.release import sanitize


@pytest.mark.parametrize(
    ("protect", "text", "released"),
    [
        ("depression", "She takes Zoloft (sertraline) 50 mg daily.", "She takes a medication daily."),
        ("HIV", "CD4 count 340 at intake, work is fine.", "[test result] at intake, work is fine."),
        ("hepatitis B", "There is no cirrhosis and he works.", "There is no [condition] and he works."),
        ("asthma", "He denies asthma. He runs.", "He denies [condition]. He runs."),
    ],
)
def test_a_sentence_stays_one(protect: str, text: str, released: str) -> None:
    assert sanitize(text, CSanitized(protect=[protect]), Knowledge.default()).text == released


def test_a_list_of_things_is_one_phrase_and_things_are_told_apart() -> None:
    knowledge = Knowledge.default()
    model = CSanitized(protect=["HIV"])
    one = sanitize("He takes zidovudine, darunavir and lamivudine with food.", model, knowledge)
    assert one.text == "He takes three medications with food."
    two = sanitize("He takes zidovudine with food. Darunavir was added. He likes zidovudine.", model, knowledge)
    assert two.text == "He takes a medication with food. Another medication was added. He likes a medication."


def test_no_phrase_takes_the_place_of_a_heading() -> None:
    text = "ASTHMA MEDICATION:\nHe walks every day."
    released = sanitize(text, CSanitized(protect=["asthma"]), Knowledge.default()).text
    assert released.splitlines()[0] in ("[medication]:", "[condition] MEDICATION:", "MEDICATION:"), released
