"""K-safety on texts: the paper's illustration, every mention, generalizations that stay safe, and an honest check."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.document import Document
from tacit.knowledge import ContextCounts, EdgeTaxonomy, EntityBase, Knowledge
from tacit.language import analyze, key
from tacit.models import UnknownEntityError
from tacit.models.ksafe import KSafe
from tacit.release import check, sanitize

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
    release = sanitize(LETTER, KSafe(BASE, protected), KNOWLEDGE)
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
    release = sanitize(text, KSafe(BASE, "HIV"), KNOWLEDGE)
    assert release.text == "[REDACTED]. No [REDACTED] since May; the [REDACTED]'s cause is open. Fatigue."


def test_a_protected_name_and_its_synonyms_go() -> None:
    release = sanitize("A human immunodeficiency virus test, or hiv test.", KSafe(BASE, ["HIV"]), KNOWLEDGE)
    assert release.text == "A [REDACTED] test, or [REDACTED] test."


def test_the_report_names_whom_it_protected_and_who_fits_now() -> None:
    release = sanitize("Weight loss, sweating and fatigue.", KSafe(BASE, ["HIV"], weights={"sweating": 0.5}), KNOWLEDGE)
    (edit,) = release.edits
    assert edit.original == "sweating"
    assert "'HIV' and only 0 others" in edit.reason
    assert "'diabetes'" in edit.reason
    assert edit.figures["witnesses"] == "diabetes"
    assert edit.figures["least possible"] == 0.5


def test_the_certificate_names_no_term_and_no_entity() -> None:
    release = sanitize(LETTER, KSafe(BASE, ["HIV", "gonorrhea"], k=2), KNOWLEDGE)
    public = json.dumps(release.certificate.to_json())
    for secret in (*BASE.vocabulary, *BASE.contexts):
        assert secret not in public


def test_the_check_fails_on_the_original_and_says_where() -> None:
    found = check(LETTER, KSafe(BASE, ["HIV"]), KNOWLEDGE)
    assert not found.holds
    assert found.margin == -1
    (violation,) = found.violations
    assert {LETTER[s:e].lower() for s, e in violation.spans} == {
        "weight loss", "sweating", "fatigue", "headaches", "hiv"
    }  # fmt: skip


def test_the_margin_is_the_least_number_of_others_beyond_k() -> None:
    assert check("Fatigue.", KSafe(BASE, ["HIV"], k=2), KNOWLEDGE).margin == 5 - 2
    assert check("A chair.", KSafe(BASE, ["HIV"], k=2), KNOWLEDGE).margin == 8 - 2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(BASE.vocabulary)), max_size=12),
    st.lists(st.sampled_from(sorted(BASE.contexts)), min_size=1, unique=True),
    st.integers(1, 3),
    st.sampled_from(["exact", "greedy"]),
)
def test_every_release_is_safe_by_plain_search(words: list[str], protected: list[str], k: int, search: str) -> None:
    text = "".join(f"There is {w}. " for w in words)
    release = sanitize(text, KSafe(BASE, protected, k, search=search), KNOWLEDGE)  # type: ignore[arg-type]
    assert is_safe(release.text, protected, k)
    assert all(e.replacement == "[REDACTED]" for e in release.edits)


class TestGeneralize:
    def test_an_ancestor_that_enough_others_fit_stands_in(self) -> None:
        release = sanitize("He has jaundice.", KSafe(BASE, ["hepatitis B"], 1, action="generalize"), KNOWLEDGE)
        assert release.text == "He has jaundice."  # two have it already
        release = sanitize("He has HIV.", KSafe(BASE, ["HIV"], 1, action="generalize"), KNOWLEDGE)
        assert release.text == "He has a sexually transmitted disease."
        release = sanitize("He has HIV.", KSafe(BASE, ["HIV"], 2, action="generalize"), KNOWLEDGE)
        assert release.text == "He has an infection."
        assert release.certificate.holds

    def test_an_ancestor_of_one_entity_only_does_not(self) -> None:
        release = sanitize("He has thrush.", KSafe(BASE, ["HIV"], action="generalize"), KNOWLEDGE)
        assert release.text == "He has [REDACTED]."

    def test_an_ancestor_is_judged_together_with_what_is_kept(self) -> None:
        text = "He has HIV and weight loss."
        release = sanitize(text, KSafe(BASE, ["HIV"], action="generalize", weights={"weight loss": 9}), KNOWLEDGE)
        # "infection" and "weight loss" fit HIV alone, so nothing may stand in for HIV beside weight loss.
        assert release.text == "He has [REDACTED] and weight loss."
        assert release.certificate.holds

    def test_a_general_word_of_the_original_counts_for_all_its_kinds(self) -> None:
        found = check("An STD with weight loss.", KSafe(BASE, ["HIV"], action="generalize"), KNOWLEDGE)
        assert not found.holds


class TestProtected:
    def test_a_branch_is_everything_under_a_term(self) -> None:
        model = KSafe(BASE, branch="STD", k=1)
        assert model.resolve(KNOWLEDGE)[1] == ("HIV", "gonorrhea")
        release = sanitize("Discharge and jaundice.", model, KNOWLEDGE)
        assert release.text == "[REDACTED] and jaundice."

    def test_names_are_found_by_key_and_by_synonym(self) -> None:
        for name in ("HIV", "hiv", "Human Immunodeficiency Virus"):
            assert KSafe(BASE, name).resolve(KNOWLEDGE)[1] == ("HIV",)

    def test_the_base_that_holds_most_of_the_protected_is_taken(self) -> None:
        other = EntityBase("another", {"oak": frozenset({"oak", "leaf"})})
        knowledge = Knowledge(KNOWLEDGE.counts, (STD,), {"tiny": BASE, "another": other})
        assert KSafe(None, ["HIV"]).resolve(knowledge)[0] is BASE
        assert KSafe(None, ["oak"]).resolve(knowledge)[0] is other
        assert KSafe("tiny", ["HIV"]).resolve(knowledge)[0] is BASE

    def test_what_no_base_holds_is_refused_by_name(self) -> None:
        with pytest.raises(UnknownEntityError, match="no entity 'measles'"):
            sanitize("x", KSafe(BASE, ["measles"]), KNOWLEDGE)
        for branch in ("mammal", "liver sign"):
            with pytest.raises(UnknownEntityError, match=f"no entity under '{branch}'"):
                sanitize("x", KSafe(BASE, branch=[branch]), KNOWLEDGE)
        with pytest.raises(UnknownEntityError, match="no entity base 'big'; it has tiny"):
            sanitize("x", KSafe("big", ["HIV"]), KNOWLEDGE)
        with pytest.raises(UnknownEntityError, match="holds no entity base"):
            sanitize("x", KSafe(None, ["HIV"]), Knowledge(KNOWLEDGE.counts))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({}, "nothing to protect"),
            ({"protected": ["HIV"], "k": 0}, "k is 0"),
            ({"protected": ["HIV"], "search": "fast"}, "search is 'fast'"),
            ({"protected": ["HIV"], "action": "hide"}, "action is 'hide'"),
            ({"protected": ["HIV"], "weights": "length"}, "weights is 'length'"),
        ],
    )
    def test_bad_parameters_are_refused_with_the_value(self, options: dict[str, object], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            KSafe(BASE, **options)  # type: ignore[arg-type]


def test_k_above_the_base_leaves_nothing_of_the_protected() -> None:
    release = sanitize(LETTER, KSafe(BASE, ["HIV"], k=50), KNOWLEDGE)
    assert not shown(release.text) & BASE.contexts["HIV"]
    assert release.certificate.holds


def test_the_least_informative_term_goes_by_information() -> None:
    counts = ContextCounts([{"fatigue"}, {"fatigue"}, {"fatigue", "weight loss"}, {"sweating", "fatigue"}])
    knowledge = Knowledge(counts, (), {"tiny": BASE})
    release = sanitize("Weight loss, sweating, fatigue.", KSafe(BASE, ["HIV"], weights="information"), knowledge)
    assert [e.original for e in release.edits] == ["fatigue"]


def test_other_scripts_and_punctuation() -> None:
    base = EntityBase("other", {"a": frozenset({"発熱", "α-1 (type b)"}), "b": frozenset({"発熱"}), "c": frozenset()})
    release = sanitize("患者は発熱がある。 α-1 type b.", KSafe(base, ["a"]), Knowledge(KNOWLEDGE.counts))
    assert release.text == "患者は発熱がある。 [REDACTED]."


def test_marks_of_other_models_are_not_read() -> None:
    base = EntityBase("marks", {"a": frozenset({"redacted", "person"}), "b": frozenset({"x"})})
    assert check("[REDACTED] and [PERSON 1]", KSafe(base, ["a"]), Knowledge(KNOWLEDGE.counts)).holds


def test_the_same_release_for_any_order_of_the_base() -> None:
    turned = EntityBase("tiny", {e: BASE.contexts[e] for e in reversed(list(BASE.contexts))})
    first = sanitize(LETTER, KSafe(BASE, ["hepatitis B", "HIV"], k=2), KNOWLEDGE)
    again = sanitize(LETTER, KSafe(turned, ["HIV", "hepatitis B"], k=2), KNOWLEDGE)
    assert first.text == again.text
    assert [e.reason for e in first.edits] == [e.reason for e in again.edits]


def test_plan_of_a_safe_text_is_empty() -> None:
    analysis = analyze(Document.of("Nothing of note."))
    assert KSafe(BASE, ["HIV"]).plan(analysis, KNOWLEDGE).edits == ()
