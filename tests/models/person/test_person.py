"""The model that hides a person: what is always hidden, the check on texts that it did not plan, the dial."""

from __future__ import annotations

import numpy as np
import pytest

from taciturn.document import Document
from taciturn.lab.evaluate import load_cases, run_model, score
from taciturn.language import analyze
from taciturn.models import PersonRelease
from taciturn.models.person.figures import read_words
from taciturn.models.person.model import Network, load_network, spoken_scores
from taciturn.release import check, sanitize
from tests.fixtures import tiny_knowledge
from tests.shared_data import SHARED, needs_shared

TEXT = (
    "Mrs Anna Evans (“the applicant”) was born on 3 May 1951 and lives in Warsaw. Her lawyer, Mr John Miller, wrote to "
    "the court. Evans said that the letter had come late. Mr Miller agreed with EVANS."
)


def _still() -> Network:
    """A network that hides nothing, so that only names are left to hide."""
    width = read_words(analyze(Document.of("One word.")), tiny_knowledge(), ["X"]).figures.shape[1]
    zeros = np.zeros((1, width, 1), np.float32)
    return Network(zeros, np.zeros((1, 1), np.float32), np.zeros((1, 1), np.float32), np.array([-9], np.float32), 0.0)


def test_names_of_the_person_are_hidden_whatever_the_network_says() -> None:
    model = PersonRelease(protect=["Anna Evans"], style="court", network=_still())
    release = sanitize(TEXT, model, tiny_knowledge())
    assert "evans" not in release.text.lower()
    assert "Anna" not in release.text
    assert "Mr John Miller" in release.text
    assert "1951" in release.text


def test_a_word_written_small_is_no_name() -> None:
    model = PersonRelease(protect=["Mark Will"], network=_still())
    assert sanitize("They will mark it.", model, tiny_knowledge()).text == "They will mark it."


def test_a_release_hides_names_dates_and_places_and_keeps_the_rest() -> None:
    release = sanitize(TEXT, PersonRelease(protect=["Anna Evans"], style="court"), tiny_knowledge())
    for gone in ("Evans", "1951", "Miller", "John"):
        assert gone not in release.text
    assert "said that the letter had come late" in release.text
    assert release.certificate.holds


def test_the_check_finds_what_was_left() -> None:
    model = PersonRelease(protect=["Anna Evans"], style="court")
    found = check(TEXT, model, tiny_knowledge())
    assert not found.holds
    assert found.margin < 0
    quoted = " ".join(v.message for v in found.violations)
    assert "'Evans' names the person" in quoted
    assert "'1951' scores" in quoted
    public = str(found.to_json())
    assert "Evans" not in public


def test_recall_is_a_dial() -> None:
    knowledge = tiny_knowledge()
    models = [PersonRelease(protect=["Anna Evans"], style="court", recall=r) for r in (0.02, 0.5, 0.98)]
    hidden = []
    for model in models:
        edits = model.plan(analyze(Document.of(TEXT)), knowledge).edits
        hidden.append({i for e in edits for i in range(e.start, e.end) if TEXT[i].isalnum()})
    assert hidden[0] <= hidden[1] <= hidden[2]
    assert hidden[0] < hidden[2]


def test_mentions_of_one_thing_share_their_score() -> None:
    analysis = analyze(Document.of(TEXT))
    words = read_words(analysis, tiny_knowledge(), ["Anna Evans"], contexts=True)
    network = load_network("court")
    alone, shared = network(words), spoken_scores(words, analysis, network)
    at = [i for i, (s, e) in enumerate(zip(words.starts, words.ends, strict=True)) if TEXT[s:e] == "Miller"]
    assert len(at) == 2
    assert abs(shared[at[0]] - shared[at[1]]) < abs(alone[at[0]] - alone[at[1]]) + 1e-9


@pytest.mark.parametrize("text", ["", " ", "\n\n", "?!", "[REDACTED]", "[REDACTED] [REDACTED]."])
def test_texts_without_words(text: str) -> None:
    release = sanitize(text, PersonRelease(protect=["Anna Evans"]), tiny_knowledge())
    assert release.text == text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"protect": []}, "nothing to protect"),
        ({"protect": ["12"]}, "name the person"),
        ({"protect": ["A B"], "style": "novel"}, "'general' or 'court' or 'biography'"),
        ({"protect": ["A B"], "recall": 1.0}, "more than 0 and less than 1"),
    ],
)
def test_wrong_parameters_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        PersonRelease(**wrong)  # type: ignore[arg-type]


@needs_shared
def test_every_release_of_a_sample_holds_and_hides_each_direct_name() -> None:
    cases = load_cases(SHARED / "data" / "tab" / "echr-dev.jsonl.xz")[:4]
    masking = run_model("p", lambda c: PersonRelease(protect=c.protect, style="court"), cases, tiny_knowledge())
    found = score(cases, masking)
    assert masking.refused == 0
    assert found.recall_direct is not None
    assert found.recall_direct > 0.9


@needs_shared
@pytest.mark.parametrize("number", [3, 9, 11])
def test_a_second_release_changes_nothing(number: int) -> None:
    case = load_cases(SHARED / "data" / "tab" / "echr-dev.jsonl.xz")[number]  # one reading leaves a second some words
    model = PersonRelease(protect=case.protect, style="court")
    first = sanitize(case.text, model)
    assert first.edits
    assert sanitize(first.text, model).text == first.text


LETTER = """Dear Ms. Okafor,

Re: Anna Evans, born 3 May 1951, 12 Oak Lane, Warsaw Heights

Mrs. Evans told Sgt. Whitcomb on 4/5 that the letter had come late. Ring me on 617-555-0143 about case no. 4471-22.

Yours sincerely,
Tom Page
"""


def test_the_style_for_any_text_hides_what_identifies_by_itself() -> None:
    model = PersonRelease(protect=["Anna Evans"], network=_still())
    assert model.style == "general"
    release = sanitize(LETTER, model)
    for gone in ("Okafor", "Evans", "3 May", "Oak Lane", "Whitcomb", "555-0143", "4471-22", "Page"):
        assert gone not in release.text
    assert "told Sgt. " in release.text
    assert "that the letter had come late" in release.text
    found = check(LETTER, model)
    assert not found.holds
    assert "'Okafor' identifies somebody by itself" in " ".join(v.message for v in found.violations)


def test_the_style_is_chosen_and_the_certificate_names_it() -> None:
    judgment = "Anna Evans lodged an appeal with the court. The court heard the applicant, and the judge dismissed it."
    for style in ("general", "court", "biography"):
        release = sanitize(judgment, PersonRelease(protect=["Anna Evans"], style=style), tiny_knowledge())
        assert release.certificate.guarantees[0].parameters["style"] == style
