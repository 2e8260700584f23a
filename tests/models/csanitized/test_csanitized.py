from __future__ import annotations

from math import inf
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.errors import NotReleasedError
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
from taciturn.language import analyze
from taciturn.models import CSanitized, UnknownTermError
from taciturn.release import check, sanitize
from tests.fixtures import SYNDROME, tiny_knowledge

TINY = tiny_knowledge()


def released(text: str, **parameters: object) -> str:
    return sanitize(text, CSanitized(**{"protect": ["HIV"], "alpha": 1.5, **parameters}), TINY).text


def test_what_reveals_is_generalized_and_nothing_else_changes() -> None:
    text = "The patient suffers from AIDS. He had influenza and took aspirin."
    assert released(text) == "The patient suffers from a disease. He had influenza and took aspirin."


def test_redaction_leaves_marks() -> None:
    assert released("He has AIDS.", action="redact") == "He has [REDACTED]."
    assert released("An AIDS case.", action="redact", mark="block") == "A ████████."
    assert released("HIV, AIDS and HIV.", action="redact", mark="numbered") == (
        "[REDACTED 1], [REDACTED 2] and [REDACTED 1]."
    )


def test_synonyms_specializations_and_parts_of_phrases_are_found() -> None:
    assert "immunodeficiency" not in released(f"A case of {SYNDROME}.")
    assert released("She is an HIV carrier.").count("HIV") == 0
    assert "zidovudine" not in released("Zidovudine was started.").lower()


def test_the_most_specific_safe_rung_is_taken() -> None:
    assert released("He takes zidovudine.") == "He takes a drug."
    # "antiviral drug" is as telling as zidovudine in this knowledge; "drug" is not.


def test_terms_that_reveal_only_together_are_broken_up() -> None:
    text = "He reports fatigue and weight loss."
    pair = CSanitized(protect=["HIV"], alpha=1.5, groups=2, support=3)
    alone = CSanitized(protect=["HIV"], alpha=1.5, groups=1)
    assert sanitize(text, alone, TINY).text == text
    certificate = check(text, pair, TINY)
    assert not certificate.holds
    assert "'fatigue' and 'weight loss'" in certificate.violations[0].message
    release = sanitize(text, pair, TINY)
    assert len(release.edits) == 1, "one member is enough"
    assert release.certificate.holds
    assert sanitize("He reports fatigue. Later, weight loss.", pair, TINY).edits == (), "other sentence"
    wide = CSanitized(protect=["HIV"], alpha=1.5, groups=2, context="document", support=3)
    assert len(sanitize("He reports fatigue. Later, weight loss.", wide, TINY).edits) == 1


def test_thresholds_by_alpha_and_by_word() -> None:
    ic = TINY.counts.ic("HIV")
    assert CSanitized(protect=["HIV"], alpha=2).thresholds(TINY) == {"HIV": ic / 2}
    limits = CSanitized(protect=["HIV"], reveal="virus").thresholds(TINY)
    assert limits == {"HIV": pytest.approx(TINY.counts.ic("virus"))}
    assert limits["HIV"] > TINY.counts.ic("virus")  # what "virus" says is allowed
    assert CSanitized(protect=["hiv"]).thresholds(TINY) == {"HIV": ic / TINY.calibrated("alpha")}
    with pytest.raises(ValueError, match="more general"):
        CSanitized(protect=["HIV"], reveal="zidovudine").thresholds(TINY)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"protect": []}, "nothing to protect"),
        ({"protect": ["HIV"], "alpha": 0.5}, "alpha is 0.5"),
        ({"protect": ["HIV"], "alpha": float("nan")}, "alpha is nan"),
        ({"protect": ["HIV"], "alpha": 2, "reveal": "virus"}, "not both"),
        ({"protect": ["HIV"], "groups": 9}, "groups is 9"),
        ({"protect": ["HIV"], "context": "page"}, "context is 'page'"),
        ({"protect": ["HIV"], "action": "burn"}, "action is 'burn'"),
    ],
)
def test_impossible_parameters_are_refused_with_their_value(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CSanitized(**parameters)


def test_an_unknown_entity_is_an_error_not_a_guarantee() -> None:
    with pytest.raises(UnknownTermError, match="'Zanzibar fever'"):
        sanitize("He has Zanzibar fever.", CSanitized(protect=["Zanzibar fever"]), TINY)


def test_unknown_terms_are_kept_and_counted_or_redacted() -> None:
    kept = sanitize("A frobnicator.", CSanitized(protect=["HIV"]), TINY)
    assert kept.text == "A frobnicator."
    assert kept.certificate.guarantees[0].figures["terms unknown"] == 1
    assert released("A frobnicator.", unknown="redact") == "A [REDACTED]."


def test_tightest_is_the_largest_alpha_that_holds() -> None:
    document = analyze(Document.of("He had influenza, a virus."))
    model = CSanitized(protect=["HIV"])
    best = model.tightest(document, TINY)
    assert 1 < best < inf
    assert check(document.document, CSanitized(protect=["HIV"], alpha=best), TINY).holds
    assert not check(document.document, CSanitized(protect=["HIV"], alpha=best * 1.001), TINY).holds


WORDS = [
    "HIV",
    "AIDS",
    "influenza",
    "virus",
    "fatigue",
    "weight loss",
    "zidovudine",
    "aspirin",
    "patient",
    "sacramento",
]
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True), min_size=1, max_size=3).map(
    lambda lines: " ".join("He has " + " and ".join(words) + "." for words in lines)
)
MODELS = st.builds(
    CSanitized,
    protect=st.lists(st.sampled_from(["HIV", "influenza", "cancer"]), min_size=1, max_size=2, unique=True),
    alpha=st.sampled_from([1.0, 1.2, 1.5, 2.0, 3.0]),
    groups=st.integers(1, 3),
    context=st.sampled_from(["sentence", "document"]),
    action=st.sampled_from(["generalize", "redact"]),
    support=st.integers(1, 3),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SENTENCES, MODELS)
def test_a_release_always_holds_and_releasing_it_again_changes_nothing(text: str, model: CSanitized) -> None:
    release = sanitize(text, model, TINY)
    assert release.certificate.holds
    assert check(release.text, model, TINY).holds
    assert sanitize(release.text, model, TINY).text == release.text


@settings(max_examples=40, deadline=None)
@given(SENTENCES, st.sampled_from([1.0, 1.3, 1.7]), st.sampled_from([1.1, 2.0]))
def test_more_alpha_or_more_entities_never_un_hide(text: str, alpha: float, factor: float) -> None:
    def hidden(protect: list[str], at: float) -> set[int]:
        model = CSanitized(protect=protect, alpha=at, groups=1)
        return {place for e in sanitize(text, model, TINY).edits for place in range(e.start, e.end)}

    little = hidden(["HIV"], alpha)
    assert little <= hidden(["HIV"], alpha * factor)
    assert little <= hidden(["HIV", "influenza"], alpha)


@settings(max_examples=40, deadline=None)
@given(SENTENCES, st.sampled_from([1.0, 1.5, 2.5]), st.integers(1, 2))
def test_generalizing_never_keeps_less_than_redacting(text: str, alpha: float, groups: int) -> None:
    kept = {
        action: sanitize(text, CSanitized(protect=["HIV"], alpha=alpha, groups=groups, action=action), TINY).report
        for action in ("generalize", "redact")
    }
    assert kept["generalize"].utility >= kept["redact"].utility - 1e-9


def test_a_plan_that_loses_an_edit_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = CSanitized.plan

    def forgetful(self: CSanitized, analysis: object, knowledge: Knowledge) -> object:
        whole = plan(self, analysis, knowledge)  # type: ignore[arg-type]
        return type(whole)(whole.document, whole.edits[1:])

    monkeypatch.setattr(CSanitized, "plan", forgetful)
    with pytest.raises(NotReleasedError, match="nothing is released") as failed:
        sanitize("He has AIDS. She has HIV.", CSanitized(protect=["HIV"]), TINY)
    assert not failed.value.certificate.holds


def test_a_plan_that_misses_its_span_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from taciturn.plan import Edit, Plan

    def shifted(self: CSanitized, analysis: object, knowledge: Knowledge) -> Plan:
        document = analysis.document  # type: ignore[attr-defined]
        return Plan(document, (Edit(0, 2, document.text[:2], "[REDACTED]"),))

    monkeypatch.setattr(CSanitized, "plan", shifted)
    with pytest.raises(NotReleasedError):
        sanitize("He has AIDS.", CSanitized(protect=["HIV"]), TINY)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Knowledge, str]:
    """Random contexts over a random tree, and a random text over its words."""
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    parent = {n: draw(st.sampled_from(names[:i])) for i, n in enumerate(names) if i}
    tree = EdgeTaxonomy("random", parent.items())
    contexts = draw(st.lists(st.sets(st.sampled_from(names), min_size=1, max_size=4), min_size=4, max_size=14))
    words = draw(st.lists(st.sampled_from(names), min_size=1, max_size=6))
    return Knowledge(ContextCounts(contexts, [tree]), (tree,)), "He saw " + ", the ".join(words) + "."


@settings(max_examples=80, deadline=None)
@given(worlds(), st.sampled_from([1.0, 1.5, 3.0]), st.integers(1, 3))
def test_every_world_gets_a_release_that_holds(world: tuple[Knowledge, str], alpha: float, groups: int) -> None:
    knowledge, text = world
    known = [n for n in ("theta", "zeta") if 0 < knowledge.counts.count(n) < knowledge.counts.total]
    if known:
        model = CSanitized(protect=known, alpha=alpha, groups=groups, support=1)
        assert sanitize(text, model, knowledge).certificate.holds


def test_time_grows_with_the_text_and_no_faster() -> None:
    """Text to checked release: eight times the text takes about eight times as long; a square would take 64 times."""
    model = CSanitized(protect=["HIV"], alpha=1.5)

    def seconds(times: int) -> float:
        text = " ".join(f"Patient {i} has AIDS and influenza; ward {i} gave aspirin." for i in range(times))
        best = inf
        for _ in range(3):
            start = process_time()
            sanitize(text, model, TINY)
            best = min(best, process_time() - start)
        return best

    seconds(50)
    assert seconds(800) < 24 * seconds(100)


@pytest.mark.parametrize("term", ["infection", "disease"])
def test_reveal_allows_what_it_names(term: str) -> None:
    text = f"He has {'an' if term[0] == 'i' else 'a'} {term}."
    assert sanitize(text, CSanitized(protect=["HIV"], reveal=term), Knowledge.default()).text == text


def test_a_function_word_is_no_member_of_a_group() -> None:
    together, apart = {"HIV", "other", "clinic"}, [{"other"}, {"clinic"}, {"table"}]
    knowledge = Knowledge(ContextCounts([together] * 10 + apart * 30))
    model = CSanitized(protect=["HIV"], alpha=1.5)
    text = "The others came to the clinic."
    assert {t.key for t in analyze(Document.of(text)).terms} == {"other", "clinic"}
    assert knowledge.counts.pmi("HIV", "other", "clinic") > model.thresholds(knowledge)["HIV"]
    assert check(text, model, knowledge).holds
    assert sanitize(text, model, knowledge).text == text
