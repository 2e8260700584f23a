from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.document import Document, Term
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
from taciturn.language import analyze
from taciturn.models import Kinds
from taciturn.models.excepting import Excepting
from taciturn.models.kinds.levels import is_allowed, shown
from taciturn.models.matching import Matcher
from taciturn.recognizers.examples import Examples, examples, unmark
from taciturn.release import check, sanitize

PLACES = EdgeTaxonomy(
    "my places",
    [
        ("boston", "suffolk county"), ("suffolk county", "massachusetts"), ("massachusetts", "united states"),
        ("united states", "north america"), ("north america", "place"), ("paris", "ile de france"),
        ("ile de france", "france"), ("france", "europe"), ("europe", "place"),
    ],
    flags=["places"],
)  # fmt: skip
KNOWLEDGE = Knowledge(ContextCounts([]), (PLACES,))
LAW = Kinds(
    hide=["person", "organization", "code", "address", "time"],
    keep={"date": "year", "age": "under 90", "place": "state", "postal-code": "three digits", "duration": "all"},
)
NOTE = (
    "Mr. John A. Smith, a 93-year-old man, was admitted on March 12, 2014. Smith's wife Mary called (617) 555-0143. "
    "He is 47 years old, takes 5 mg of aspirin and stayed for three years. Write to j.smith@example.org."
)


def test_every_mention_is_hidden_and_the_rest_stays() -> None:
    release = sanitize(NOTE, LAW, KNOWLEDGE)
    for gone in ("Smith", "John", "Mary", "555", "March", "93", "@"):
        assert gone not in release.text
    for kept in ("90 or older", "in 2014", "47 years old", "5 mg of aspirin", "three years"):
        assert kept in release.text
    assert release.certificate.holds
    figures = release.certificate.guarantees[0].figures
    assert figures["kept: age as under 90"] == 1, "the age of 47; what takes the place of the other is none"
    assert figures["kept: date as year"] == 1
    edit = next(e for e in release.edits if e.kind == "email")
    assert edit.figures["rule"] == "kind email"


def test_the_check_needs_no_original_and_sees_what_is_left() -> None:
    certificate = check(NOTE, LAW, KNOWLEDGE)
    assert not certificate.holds
    assert certificate.margin == -len(certificate.violations) < 0
    assert not check("It was in March 2014.", Kinds(keep={"date": "year"}), KNOWLEDGE).holds
    assert check("It was in 2014.", Kinds(keep={"date": "year"}), KNOWLEDGE).holds


def test_the_check_looks_for_the_names_of_the_original() -> None:
    bound = Kinds(hide=["person"]).bind(analyze(Document.of("Dr. Rosalind Franklin came.")), KNOWLEDGE)
    assert bound.names
    left = analyze(Document.of("franklin ROSALIND, see Dr. Rosalind Franklin."))
    assert not bound.check(left, KNOWLEDGE).holds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 March 1984", "1984"),
        ("03/12/1921", "1921"),
        ("12/03/84", "'84"),
        ("2010-03-12T14:30", "2010"),
        ("2-5 March 1984", "1984"),
        ("1980s", "1980s"),
        ("20th century", "20th century"),
        ("2010", "2010"),
        ("2010-11", "2010"),
        ("Monday", "Monday"),
        ("12 March", None),
        ("Christmas", None),
    ],
)
def test_dates_show_their_year(text: str, expected: str | None) -> None:
    assert shown(Term(0, len(text), text, text, "date"), "date", "year", KNOWLEDGE) == expected
    assert is_allowed(text, "date", "year", KNOWLEDGE) == (expected == text)
    assert expected is None or is_allowed(expected, "date", "year", KNOWLEDGE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("89", "89"),
        ("90", "90 or older"),
        ("aged 104", "aged 90 or older"),
        ("ninety-three years old", "90 or older"),
        ("96 months old", "96 months old"),
        ("6-month-old", "6-month-old"),
    ],
)
def test_ages_stay_below_90(text: str, expected: str) -> None:
    assert shown(Term(0, len(text), text, text, "age"), "age", "under 90", KNOWLEDGE) == expected
    assert is_allowed(text, "age", "under 90", KNOWLEDGE) == (expected == text)
    assert is_allowed(expected, "age", "under 90", KNOWLEDGE)


@pytest.mark.parametrize(
    ("text", "level", "expected"),
    [
        ("Boston", "state", "massachusetts"),
        ("Suffolk County", "state", "massachusetts"),
        ("Massachusetts", "state", "Massachusetts"),
        ("Massachusetts", "country", "united states"),
        ("France", "country", "France"),
        ("Atlantis", "state", None),
    ],
)
def test_places_show_their_state(text: str, level: str, expected: str | None) -> None:
    assert shown(Term(0, len(text), text, text.lower(), "place"), "place", level, KNOWLEDGE) == expected
    assert is_allowed(text, "place", level, KNOWLEDGE) == (expected == text)


@pytest.mark.parametrize(
    ("text", "expected"), [("02138", "021**"), ("02138-1234", "021**"), ("03601", "000**"), ("SW1A 1AA", None)]
)
def test_zip_codes_show_three_digits_by_the_population_rule(text: str, expected: str | None) -> None:
    assert shown(Term(0, len(text), text, text, "postal-code"), "postal-code", "three digits", KNOWLEDGE) == expected
    assert not is_allowed(text, "postal-code", "three digits", KNOWLEDGE)


def test_a_rule_for_a_kind_comes_before_its_family() -> None:
    assert LAW.level("duration") == "all"
    assert LAW.level("email") == "hidden"
    assert Kinds(keep={"place": "state"}).level("address") == "hidden"
    assert Kinds(hide=["email"]).level("phone") is None


@pytest.mark.parametrize(
    "parameters",
    [{}, {"hide": ["emial"]}, {"keep": {"date": "week"}}, {"hide": ["date"], "keep": {"date": "year"}}],
)
def test_impossible_parameters_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"nothing to protect|no kind|no level|give one"):
        Kinds(**parameters)


def test_numbers_of_marks_go_on_where_another_model_ended() -> None:
    release = sanitize(
        "Ann Lee wrote to j@example.org and k@example.org.",
        [Kinds(hide=["email"], mark="kind"), Kinds(hide=["person"], mark="kind")],
        KNOWLEDGE,
    )
    assert release.text == "[PERSON 3] wrote to [CODE 1] and [CODE 2]."


@pytest.mark.parametrize("table", examples(), ids=lambda e: e.kind)
def test_every_kind_of_identifier_can_be_hidden(table: Examples) -> None:
    model = Kinds(hide=[table.kind])
    for marked in table.examples:
        text, spans = unmark(marked)
        release = sanitize(text, model, KNOWLEDGE)
        for start, end in spans:
            assert any(e.start <= start and end <= e.end for e in release.edits), text
        assert not check(text, model, KNOWLEDGE).holds
        assert check(release.text, model, KNOWLEDGE).holds, "the release stands by itself"


@pytest.mark.parametrize(
    ("kind", "level"), [("date", "year"), ("date", "decade"), ("age", "under 90"), ("age", "decade")]
)
def test_plan_and_check_agree_on_every_example(kind: str, level: str) -> None:
    table = next(e for e in examples() if e.kind == kind)
    for marked in table.examples:
        text, _ = unmark(marked)
        assert sanitize(text, Kinds(keep={kind: level}), KNOWLEDGE).certificate.holds


@given(st.lists(st.sampled_from(["Ann Lee", "a@example.org", "b@example.org", "in 2014", "and", "told"]), max_size=12))
def test_what_is_allowed_is_never_touched_and_the_rest_is_hidden(words: list[str]) -> None:
    text = " ".join(words)
    model = Excepting(model=Kinds(hide=["email"]), allow=Matcher(exact=["a@example.org"]))
    release = sanitize(text, model, KNOWLEDGE)
    assert release.text.count("a@example.org") == words.count("a@example.org")
    assert "b@example.org" not in release.text
    assert release.certificate.guarantees[0].figures["mentions allowed"] == words.count("a@example.org")


def test_a_name_that_is_also_a_word_of_the_document_is_hidden_where_it_is_a_name_only() -> None:
    text = "Rose Smith called Will. He will write to Smith on Monday."
    bound = Kinds(hide=["person", "time"]).bind(analyze(Document.of(text)), KNOWLEDGE)
    assert {name for name, _ in bound.names} == {"Rose Smith", "Smith"}, "days are no names, and will is a word here"
    local = {e.original: e.local for e in bound.plan(analyze(Document.of(text)), KNOWLEDGE).edits}
    assert local == {"Rose Smith": False, "Will": True, "Smith": False, "Monday": False}
    assert Kinds(keep={"place": "state"}).bind(analyze(Document.of("In France.")), KNOWLEDGE).names == ()
