from __future__ import annotations

import pytest

from taciturn.document import Term
from taciturn.generalize.writing import Marks, is_mark, write_mark, write_phrase


@pytest.mark.parametrize(
    ("text", "original", "label", "expected"),
    [
        ("He has an AIDS diagnosis.", "AIDS diagnosis", "diagnosis", "He has a diagnosis."),
        ("He had a stroke.", "stroke", "attack", "He had an attack."),
        ("Sacramento is far away.", "Sacramento", "state capital", "A state capital is far away."),
        ("They live in Sacramento.", "Sacramento", "state capital", "They live in a state capital."),
        ("Several liver cancers were found.", "liver cancers", "cancer", "Several cancers were found."),
        ("The virus's genome is known.", "virus's", "organism", "The organism's genome is known."),
        ("His AIDS progressed quickly then.", "AIDS", "disease", "His disease progressed quickly then."),
        ("Diagnosis: AIDS", "AIDS", "disease", "Diagnosis: disease"),
        ("He suffers from syphilis and gout.", "syphilis", "disease", "He suffers from a disease and gout."),
        ("She felt angina all the day.", "angina", "pain", "She felt pain all the day."),
        ("Zidovudine was given to him.", "Zidovudine", "drug", "A drug was given to him."),
        ("An ulcer was seen.", "ulcer", "pain", "Pain was seen."),
        ("He was sent for HIV testing today.", "HIV testing", "testing", "He was sent for testing today."),
        ("DIAGNOSES:", "DIAGNOSES", "finding", "FINDINGS:"),
        ("They gave the baby breast milk today.", "breast milk", "milk", "They gave the baby milk today."),
        ("She suffers from bipolar disorder now.", "bipolar disorder", "disorder", "She suffers from a disorder now."),
        ("All gay people came.", "gay people", "people", "All people came."),
        ("He met Catholics in town.", "Catholics", "Christian", "He met Christians in town."),
        ("Newly diagnosed lymphoma was seen.", "diagnosed lymphoma", "lymphoma", "Lymphoma was seen."),
        ("It is a sexually transmitted infection.", "transmitted infection", "illness", "It is an illness."),
        ("Leg movements woke him.", "Leg movements", "event during sleep", "Events during sleep woke him."),
        ("His most recent sexual partner left.", "recent sexual partner", "partner", "His partner left."),
        (
            "COMPLAINT: , Vaginal discharge with pain.",
            "Vaginal discharge",
            "disease",
            "COMPLAINT: , A disease with pain.",
        ),
        ("It was in the 1980s.", "1980s", "the 20th century", "It was in the 20th century."),
        ("She lives in a more rural area now.", "rural area", "area", "She lives in an area now."),
        ("His 38 y/o sister came today.", "sister", "relative", "His 38 y/o relative came today."),
        ("We landed at Mercy Airport late.", "Mercy Airport", "airport", "We landed at an airport late."),
        (
            "The history of the Catholic Church is long.",
            "history of the Catholic Church",
            "history of the church",
            "The history of the church is long.",
        ),
    ],
)
def test_phrases_read_as_english(text: str, original: str, label: str, expected: str) -> None:
    start = text.index(original)
    kind = {"Sacramento": "place", "Catholics": "person"}.get(original, "other")
    written = write_phrase(label, Term(start, start + len(original), original, "k", kind), text, (0, len(text)))
    assert text[: written.start] + written.text + text[written.end :] == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [("California", "They live in California."), ("United States", "They live in the United States.")],
)
def test_names_take_no_a(label: str, expected: str) -> None:
    text = "They live in Sacramento."
    written = write_phrase(label, Term(13, 23, "Sacramento", "k", "place"), text, (0, len(text)), is_name=True)
    assert text[: written.start] + written.text + text[written.end :] == expected


def test_marks_do_not_tell_the_length_or_the_first_letter() -> None:
    block = Marks("block")
    long, short = Term(0, 12, "tuberculosis", "tuberculosis"), Term(0, 2, "TB", "TB")
    assert block.mark(long) == block.mark(short)
    written = write_mark("[REDACTED]", Term(11, 15, "AIDS", "AIDS"), "This is an AIDS case.")
    assert (written.start, written.text) == (8, "a [REDACTED]")


def test_marks_leave_no_adverb_hanging() -> None:
    written = write_mark(
        "[REDACTED]", Term(16, 37, "transmitted infection", "k"), "He had sexually transmitted infection."
    )
    assert (written.start, written.text) == (7, "[REDACTED]")
    daily = "He had a daily recurring fever."
    assert write_mark("[REDACTED]", Term(15, 30, "recurring fever", "k"), daily).start == 15, "an adjective"


def test_marks_are_consistent_and_start_anew() -> None:
    one, two = Term(0, 3, "Ann", "ann", "person", 7), Term(9, 13, "Anna", "anna", "person", 7)
    marks = Marks("kind")
    assert marks.mark(one) == marks.mark(two) == "[PERSON 1]"
    assert Marks("kind").mark(two) == "[PERSON 1]"
    assert all(is_mark(Marks(style).mark(one)) for style in ("redacted", "numbered", "kind", "block"))
    with pytest.raises(ValueError, match="'hole'"):
        Marks("hole")  # type: ignore[arg-type]
