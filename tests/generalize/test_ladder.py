"""What a reader gets in the place of a term, with the embedded knowledge: read, then written down here."""

from __future__ import annotations

import pytest

from taciturn.document import Document
from taciturn.generalize.ladder import Rung, ladder
from taciturn.generalize.sense import readers_take
from taciturn.knowledge import EdgeTaxonomy, Knowledge
from taciturn.language import analyze, key
from taciturn.models import CSanitized
from taciturn.reading import Reading, phrases
from taciturn.release import sanitize


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge.default()


def rungs(text: str, knowledge: Knowledge, kind: str = "other") -> dict[str, Rung]:
    name = key(text)
    reading = Reading(text, (name, *phrases(text, name)), kind, 0, "term", (0,))
    return {r.label: r for r in ladder(reading, knowledge.resolve(name), knowledge)}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Albuterol p.r.n.", "person"),  # a drug in it, and no name
        ("glucose 211", "other"),
        ("low-salt", "other"),  # an adjective
        ("tests negative", "other"),
        ("transfusion", "other"),  # WordNet's "insertion" is read as something else
        ("Weight", "other"),  # a "property"
        ("hemostasis", "other"),  # a "stop"
        ("smoking", "other"),  # a gerund; WordNet's "breathing"
    ],
)
def test_what_would_mislead_or_tell_nothing_is_no_rung(text: str, kind: str, knowledge: Knowledge) -> None:
    assert rungs(text, knowledge, kind) == {}


@pytest.mark.parametrize(
    ("text", "kind", "some", "never"),
    [
        ("HSV", "person", "virus", "person"),  # the kind of an acronym is a guess
        ("HIV 1", "other", "virus", "number"),
        ("type 2", "other", "condition", "number"),
        ("Lyme", "place", "condition", "New Hampshire"),
        ("Crohn", "person", "condition", "person"),
        ("Romberg", "person", "condition", "composer"),
        ("Queens", "place", None, "person"),
        ("Mercy Hospital", "organization", "hospital", "organization"),
        ("LaGuardia Airport", "place", "airport", "place"),
        ("Southern California", "place", "American state", "california"),
        ("New York Times", "organization", None, "Norway"),
        ("Long Beach", "place", "city", "beach"),
        ("elderly female", "other", "female", "animal"),
        ("heart failure", "other", "condition", "failure"),
        ("current STD", "other", "condition", None),
        ("AIDS related conditions", "other", "condition", "related condition"),
        ("liver cancer", "other", "cancer", None),
        ("Sacramento", "place", "state capital", None),
        ("zidovudine", "other", "medication", "drug"),
        ("Catholic Church", "organization", "church", None),
        ("oral sex", "other", "sex", "perversion"),
    ],
)
def test_the_kind_of_a_term_decides_its_sense(
    text: str, kind: str, some: str | None, never: str | None, knowledge: Knowledge
) -> None:
    found = rungs(text, knowledge, kind)
    assert some is None or some in found
    assert never not in found


def test_the_end_of_a_known_name_stands_for_it_if_it_is_what_it_is(knowledge: Knowledge) -> None:
    assert "failure" not in rungs("heart failure", knowledge)
    found = rungs("chronic headache", knowledge)
    assert found["headache"].tier < min(r.tier for label, r in found.items() if label != "headache")


def test_what_stands_before_of_stays(knowledge: Knowledge) -> None:
    found = rungs("critics of the Catholic Church", knowledge)
    assert found["critics of the church"].key == "church"
    assert "church" not in found, "a critic is no church"
    assert found["critic"].tier > found["critics of the church"].tier


def test_the_widest_words_stay_behind_a_mark(knowledge: Knowledge) -> None:
    assert rungs("postal system", knowledge)["system"].is_relative
    assert "system" not in rungs("immune system", knowledge), "its category says what it is"
    assert not rungs("massive heart disease", knowledge)["heart disease"].is_relative


def test_no_noun_takes_the_place_of_an_adjective(knowledge: Knowledge) -> None:
    text = "She is pregnant. The homosexual man is homosexual."
    release = sanitize(text, CSanitized(protect=["homosexuality", "pregnancy"], alpha=1.5, groups=1), knowledge)
    assert release.text.startswith("She is [REDACTED]."), release.text
    assert release.text.endswith("is [REDACTED]."), release.text


def test_labels_that_hold_two_things_are_left_out(knowledge: Knowledge) -> None:
    assert not [label for label in rungs("lisinopril", knowledge) if " and " in label]


def test_other_taxonomies_than_wordnet_may_call_a_thing_what_they_like() -> None:
    own = EdgeTaxonomy("mine", [("spanner", "device")])
    assert readers_take(own, own.generalizations("spanner")[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He denies any illicit drug use.", "He denies any illicit drug use."),
        ("His viral load was less than 50.", "His [test] was less than 50."),
        ("She was seen for a newly diagnosed HIV infection.", "She was seen for an infection."),
        ("There is no history of HIV exposure in him.", "There is no history of exposure in him."),
        ("He worked with HIV-infected patients for years.", "He worked with patients for years."),
        ("He is HIV positive and quit smoking.", "He is [test result] and quit smoking."),
        ("He had a blood transfusion in the war.", "He had treatment in the war."),
    ],
)
def test_a_note_reads_well_after_it(text: str, expected: str, knowledge: Knowledge) -> None:
    model = CSanitized(protect=["HIV"], groups=1)
    release = sanitize(text, model, knowledge)
    assert release.text == expected
    assert sanitize(release.text, model, knowledge).edits == ()


@pytest.mark.parametrize(
    ("text", "entity", "expected"),
    [
        ("He takes Trikafta daily.", "cystic fibrosis", "He takes a medication daily."),
        ("She was started on Advate.", "hemophilia", "She was started on a medication."),
        ("Cystoscopy was done.", "bladder cancer", "An endoscopy was done."),
        ("The appendix was removed.", "appendicitis", "The [body part] was removed."),
    ],
)
def test_a_name_of_the_profession_is_no_person_and_no_piece_of_writing(
    text: str, entity: str, expected: str, knowledge: Knowledge
) -> None:
    assert sanitize(text, CSanitized(protect=[entity]), knowledge).text == expected


def test_words_around_another_form_of_the_name_stay(knowledge: Knowledge) -> None:
    text = "The king adopted Catholicism. Pupils read the history of the Catholic Church."
    release = sanitize(text, CSanitized(protect=["Catholicism"], alpha=1.5, groups=1), knowledge)
    assert "The king adopted a " in release.text
    assert "Pupils read the history of the " in release.text
    assert not any("atholic" in t.text for t in analyze(Document.of(release.text)).terms)
