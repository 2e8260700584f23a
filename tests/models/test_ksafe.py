"""K-safety on texts: the paper's illustration, every mention, generalizations that stay safe, and an honest check."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, EntityBase, Knowledge
from taciturn.language import analyze, key
from taciturn.models import UnknownTermError
from taciturn.models.ksafe.evidence import MOST_KINDS, connections, kinds_below
from taciturn.models.ksafe.model import KSafe
from taciturn.release import check, sanitize

SIGNS = {
    "HIV": "HIV|human immunodeficiency virus|weight loss|sweating|fatigue|headache|thrush",
    "gonorrhea": "gonorrhea|the clap|discharge|fever",
    "hepatitis B": "hepatitis B|jaundice|fatigue|digestive problem",
    "hepatitis A": "hepatitis A|jaundice|fatigue|digestive problem|fever",
    "influenza": "influenza|flu|sweating|fatigue|headache|fever",
    "diabetes": "diabetes|weight loss|fatigue|headache",
    "tuberculosis": "tuberculosis|weight loss|sweating|headache",
    "depression": "depression|insomnia|fatigue|headache|digestive problem",
    "menopause": "menopause|insomnia|sweating|headache",
}
BASE = EntityBase("tiny", {e: frozenset(map(key, row.split("|"))) for e, row in SIGNS.items()})
STD = EdgeTaxonomy(
    "diseases",
    [
        ("HIV", "sexually transmitted disease"),
        ("gonorrhea", "sexually transmitted disease"),
        ("sexually transmitted disease", "infection"),
        ("hepatitis b", "infection"),
        ("influenza", "infection"),
        ("thrush", "mouth complaint"),
        ("headache", "pain"),
        ("jaundice", "liver sign"),
    ],
    {"HIV": ["human immunodeficiency virus"], "sexually transmitted disease": ["STD"]},
)
KNOWLEDGE = Knowledge(ContextCounts([{"fatigue"}, {"fatigue", "weight loss"}, {"sweating"}]), (STD,), {"tiny": BASE})
LETTER = (
    "I hear that you lost sleep: insomnia, then weight loss, sweating and fatigue, digestive problems and headaches. "
    "You may have met gonorrhea, hepatitis B or HIV. The sweating need not mean HIV."
)


def ksafe(base: EntityBase | str | None, protect: str | Sequence[str] = (), k: int = 1, **given: Any) -> KSafe:
    """As in the paper: one other entity is enough, and terms are redacted."""
    return KSafe(base, protect, k, **{"action": "redact", **given})


def shown(text: str) -> set[str]:
    """The terms of the tiny base in a text, by plain search for words: no code of the model."""
    plain = f" {text.lower()} ".translate(str.maketrans(".,;:!?", "      "))
    words = " ".join(plain.split())
    return {t for t in BASE.vocabulary if f" {t.lower()} " in f" {words} " or f" {t.lower()}s " in f" {words} "}


def is_safe(text: str, protected: list[str], k: int) -> bool:
    terms = shown(text)
    for e in protected:
        here = BASE.contexts[e] & terms
        if here and sum(1 for f in BASE.contexts if f != e and BASE.contexts[f] >= here) < k:
            return False
    return True


def test_the_illustration_of_the_paper_names_go_and_one_of_three_symptoms() -> None:
    protected = ["HIV", "gonorrhea", "hepatitis B"]
    release = sanitize(LETTER, ksafe(BASE, protected), KNOWLEDGE)
    gone = shown(LETTER) - shown(release.text)
    assert {"gonorrhea", "HIV", "hepatitis b"} <= gone
    assert len(gone & {"weight loss", "sweating", "fatigue"}) == 1
    assert gone <= {"gonorrhea", "HIV", "hepatitis b", "weight loss", "sweating", "fatigue"}
    assert is_safe(release.text, protected, 1)
    assert release.certificate.holds
    smallest = min(
        n
        for n in range(len(shown(LETTER)) + 1)
        for removed in combinations(sorted(shown(LETTER)), n)
        if is_safe(" . ".join(sorted(shown(LETTER) - set(removed))), protected, 1)
    )
    assert len(gone) == smallest == 4


def test_every_mention_goes_however_it_is_written() -> None:
    text = "Thrush. No THRUSH since May; the thrush's cause is open. Fatigue."
    release = sanitize(text, ksafe(BASE, "HIV"), KNOWLEDGE)
    assert release.text == "[REDACTED]. No [REDACTED] since May; the [REDACTED]'s cause is open. Fatigue."


def test_a_protected_name_and_its_synonyms_go() -> None:
    release = sanitize("A human immunodeficiency virus test, or hiv test.", ksafe(BASE, ["HIV"]), KNOWLEDGE)
    assert release.text == "A [REDACTED] test, or [REDACTED] test."


def test_the_report_names_whom_it_protected_and_who_fits_now() -> None:
    release = sanitize("Weight loss, sweating and fatigue.", ksafe(BASE, ["HIV"], weights={"sweating": 0.5}), KNOWLEDGE)
    (edit,) = release.edits
    assert edit.original == "sweating"
    assert "'HIV' and only 0 others" in edit.reason
    assert "'diabetes'" in edit.reason
    assert edit.figures["witnesses"] == "diabetes"
    assert edit.figures["least possible"] == 0.5


def test_the_certificate_names_no_term_and_no_entity() -> None:
    release = sanitize(LETTER, ksafe(BASE, ["HIV", "gonorrhea"], k=2), KNOWLEDGE)
    public = json.dumps(release.certificate.to_json())
    for secret in (*BASE.vocabulary, *BASE.contexts):
        assert secret not in public


def test_the_check_fails_on_the_original_and_says_where() -> None:
    found = check(LETTER, ksafe(BASE, ["HIV"]), KNOWLEDGE)
    assert not found.holds
    assert found.margin == -1
    violation, *written = found.violations
    assert ["written form" in w.message for w in written] == [True, True]
    assert {LETTER[s:e].lower() for s, e in violation.spans} == {
        "weight loss", "sweating", "fatigue", "headaches", "hiv"
    }  # fmt: skip


def test_the_margin_is_the_least_number_of_others_beyond_k() -> None:
    assert check("Fatigue.", ksafe(BASE, ["HIV"], k=2), KNOWLEDGE).margin == 5 - 2
    assert check("A chair.", ksafe(BASE, ["HIV"], k=2), KNOWLEDGE).margin == 8 - 2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(BASE.vocabulary)), max_size=12),
    st.lists(st.sampled_from(sorted(BASE.contexts)), min_size=1, unique=True),
    st.integers(1, 3),
    st.sampled_from(["exact", "greedy"]),
)
def test_every_release_is_safe_by_plain_search(words: list[str], protected: list[str], k: int, search: str) -> None:
    text = "".join(f"There is {w}. " for w in words)
    release = sanitize(text, ksafe(BASE, protected, k, search=search), KNOWLEDGE)  # type: ignore[arg-type]
    assert is_safe(release.text, protected, k)
    assert all(e.replacement == "[REDACTED]" for e in release.edits)


class TestGeneralize:
    def test_an_ancestor_that_enough_others_fit_stands_in(self) -> None:
        release = sanitize("He has jaundice.", ksafe(BASE, ["hepatitis B"], 1, action="generalize"), KNOWLEDGE)
        assert release.text == "He has jaundice."  # two have it already
        release = sanitize("He has HIV.", ksafe(BASE, ["HIV"], 1, action="generalize"), KNOWLEDGE)
        assert release.text == "He has a sexually transmitted disease."
        release = sanitize("He has HIV.", ksafe(BASE, ["HIV"], 2, action="generalize"), KNOWLEDGE)
        assert release.text == "He has an infection."
        assert release.certificate.holds

    def test_an_ancestor_of_one_entity_only_does_not(self) -> None:
        release = sanitize("He has thrush.", ksafe(BASE, ["HIV"], action="generalize"), KNOWLEDGE)
        assert release.text == "He has [REDACTED]."

    def test_an_ancestor_is_judged_together_with_what_is_kept(self) -> None:
        text = "He has HIV and weight loss."
        release = sanitize(text, ksafe(BASE, ["HIV"], action="generalize", weights={"weight loss": 9}), KNOWLEDGE)
        # "infection" and "weight loss" fit HIV alone, so nothing may stand in for HIV beside weight loss.
        assert release.text == "He has [REDACTED] and weight loss."
        assert release.certificate.holds

    def test_a_general_word_of_the_original_counts_for_all_its_kinds(self) -> None:
        found = check("An STD with weight loss.", ksafe(BASE, ["HIV"], action="generalize"), KNOWLEDGE)
        assert not found.holds


class TestProtected:
    def test_a_branch_is_everything_under_a_term(self) -> None:
        model = ksafe(BASE, branches="STD", k=1)
        assert model.resolve(KNOWLEDGE)[1] == ("HIV", "gonorrhea")
        release = sanitize("Discharge and jaundice.", model, KNOWLEDGE)
        assert release.text == "[REDACTED] and jaundice."

    def test_names_are_found_by_key_and_by_synonym(self) -> None:
        for name in ("HIV", "hiv", "Human Immunodeficiency Virus"):
            assert ksafe(BASE, name).resolve(KNOWLEDGE)[1] == ("HIV",)

    def test_the_base_that_holds_most_of_the_protected_is_taken(self) -> None:
        other = EntityBase("another", {"oak": frozenset({"oak", "leaf"})})
        knowledge = Knowledge(KNOWLEDGE.counts, (STD,), {"tiny": BASE, "another": other})
        assert ksafe(None, ["HIV"]).resolve(knowledge)[0] is BASE
        assert ksafe(None, ["oak"]).resolve(knowledge)[0] is other
        assert ksafe("tiny", ["HIV"]).resolve(knowledge)[0] is BASE

    def test_what_no_base_holds_is_refused_by_name(self) -> None:
        with pytest.raises(UnknownTermError, match="no entity 'measles'"):
            sanitize("x", ksafe(BASE, ["measles"]), KNOWLEDGE)
        for branch in ("mammal", "liver sign"):
            with pytest.raises(UnknownTermError, match=f"no entity under '{branch}'"):
                sanitize("x", ksafe(BASE, branches=[branch]), KNOWLEDGE)
        with pytest.raises(UnknownTermError, match="no entity base 'big'; it has tiny"):
            sanitize("x", ksafe("big", ["HIV"]), KNOWLEDGE)
        with pytest.raises(UnknownTermError, match="holds no entity base"):
            sanitize("x", ksafe(None, ["HIV"]), Knowledge(KNOWLEDGE.counts))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({}, "nothing to protect"),
            ({"protect": ["HIV"], "k": 0}, "k is 0"),
            ({"protect": ["HIV"], "search": "fast"}, "search is 'fast'"),
            ({"protect": ["HIV"], "action": "hide"}, "action is 'hide'"),
            ({"protect": ["HIV"], "weights": "length"}, "weights is 'length'"),
        ],
    )
    def test_bad_parameters_are_refused_with_the_value(self, options: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            ksafe(BASE, **options)  # type: ignore[arg-type]


def test_k_above_the_base_leaves_nothing_of_the_protected() -> None:
    release = sanitize(LETTER, ksafe(BASE, ["HIV"], k=50), KNOWLEDGE)
    assert not shown(release.text) & BASE.contexts["HIV"]
    assert release.certificate.holds


def test_the_least_informative_term_goes_by_information() -> None:
    counts = ContextCounts([{"fatigue"}, {"fatigue"}, {"fatigue", "weight loss"}, {"sweating", "fatigue"}])
    knowledge = Knowledge(counts, (), {"tiny": BASE})
    release = sanitize("Weight loss, sweating, fatigue.", ksafe(BASE, ["HIV"], weights="information"), knowledge)
    assert [e.original for e in release.edits] == ["fatigue"]


def test_other_scripts_and_punctuation() -> None:
    base = EntityBase("other", {"a": frozenset({"発熱", "α-1 (type b)"}), "b": frozenset({"発熱"}), "c": frozenset()})
    release = sanitize("患者は発熱がある。 α-1 type b.", ksafe(base, ["a"]), Knowledge(KNOWLEDGE.counts))
    assert release.text == "患者は発熱がある。 [REDACTED]."


def test_marks_of_other_models_are_not_read() -> None:
    base = EntityBase("marks", {"a": frozenset({"redacted", "person"}), "b": frozenset({"x"})})
    assert check("[REDACTED] and [PERSON 1]", ksafe(base, ["a"]), Knowledge(KNOWLEDGE.counts)).holds


def test_the_same_release_for_any_order_of_the_base() -> None:
    turned = EntityBase("tiny", {e: BASE.contexts[e] for e in reversed(list(BASE.contexts))})
    first = sanitize(LETTER, ksafe(BASE, ["hepatitis B", "HIV"], k=2), KNOWLEDGE)
    again = sanitize(LETTER, ksafe(turned, ["HIV", "hepatitis B"], k=2), KNOWLEDGE)
    assert first.text == again.text
    assert [e.reason for e in first.edits] == [e.reason for e in again.edits]


def test_plan_of_a_safe_text_is_empty() -> None:
    analysis = analyze(Document.of("Nothing of note."))
    assert ksafe(BASE, ["HIV"]).plan(analysis, KNOWLEDGE).edits == ()


def test_the_check_counts_the_protected_entities_that_a_text_touches() -> None:
    figures = (
        check("Fatigue and fever.", ksafe(BASE, ["HIV", "gonorrhea", "menopause"]), KNOWLEDGE).guarantees[0].figures
    )
    assert figures["touched"] == 2
    assert (figures["least others"], figures["closest entity"]) == (2, 2)  # two others have a fever


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Thrush.", "alone, it fits 'HIV' and only 0 others; now nothing of it is shown"),
        ("Weight loss, sweating and fatigue.", "with 'fatigue', 'weight loss', it fits 'HIV' and only 0 others; now"),
    ],
)
def test_the_reason_says_with_what_a_term_tells(text: str, reason: str) -> None:
    (edit,) = sanitize(text, ksafe(BASE, "HIV", weights={"sweating": 0.5}), KNOWLEDGE).edits
    assert edit.reason.startswith(reason)


def test_a_phrase_around_a_term_of_the_base_is_no_second_term() -> None:
    found = connections(analyze(Document.of("A bad headache, then an infection.")), BASE, KNOWLEDGE, True)
    assert {name: [t.text for t in terms] for name, terms in found.places.items()} == {
        "headache": ["headache"],
        "infection": ["infection"],
    }


def test_a_kind_of_nearly_everything_tells_nothing() -> None:
    assert kinds_below(key("pain"), KNOWLEDGE, most=2) == {"pain", "headache"}
    assert kinds_below(key("infection"), KNOWLEDGE, most=2) == frozenset()


def test_what_is_too_general_to_tell_is_not_written() -> None:
    edges = [("jaundice", "complaint"), *((f"complaint {n}", "complaint") for n in range(MOST_KINDS))]
    knowledge = Knowledge(KNOWLEDGE.counts, (EdgeTaxonomy("complaints", edges),))
    assert sanitize("Jaundice.", KSafe(BASE, "hepatitis B", 2), knowledge).text == "[REDACTED]."
    few = Knowledge(KNOWLEDGE.counts, (EdgeTaxonomy("complaints", [*edges[:1], ("fatigue", "complaint")]),))
    assert sanitize("Jaundice.", KSafe(BASE, "hepatitis B", 2), few).text == "Complaint."
