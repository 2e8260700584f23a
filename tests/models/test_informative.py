from __future__ import annotations

import pytest

from taciturn.document import Document
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.language import analyze
from taciturn.models import Informative, Related
from taciturn.release import check, sanitize
from tests.fixtures import PAPER_IC, PAPER_PMI, PAPER_TEXT, SYNDROME, paper_knowledge, tiny_knowledge

PAPER = paper_knowledge()


def test_the_fixture_has_the_papers_figures() -> None:
    for key, bits in PAPER_IC.items():
        assert PAPER.counts.ic(key) == pytest.approx(bits, abs=1e-6)
    for key, bits in PAPER_PMI.items():
        assert PAPER.counts.pmi(SYNDROME, key) == pytest.approx(bits, abs=1e-4)


def test_s1_hides_the_syndrome_alone() -> None:
    release = sanitize(PAPER_TEXT, Informative(protect=SYNDROME, unknown="keep"), PAPER)
    assert [e.original for e in release.edits] == [SYNDROME]


def test_s2_adds_blood_transfusion_and_immune_system() -> None:
    model = Related(beta=SYNDROME, w=0.6, unknown="keep")
    beta, tau = model.limits(PAPER)
    assert (round(beta, 2), round(tau, 3)) == (14.33, 8.598)
    release = sanitize(PAPER_TEXT, model, PAPER)
    assert [e.original for e in release.edits] == [SYNDROME, "blood transfusion", "immune system"]
    assert release.text == (
        "The patient suffers from [REDACTED] because of [REDACTED]. "
        "He was diagnosed when his [REDACTED] responded poorly to influenza."
    )


def test_s2_alone_takes_any_sensitive_terms() -> None:
    model = Related(protect=[SYNDROME], w=0.6, unknown="keep")
    assert [e.original for e in sanitize(PAPER_TEXT, model, PAPER).edits] == [
        SYNDROME, "blood transfusion", "immune system",
    ]  # fmt: skip


def test_unknown_terms_are_redacted_by_default() -> None:
    assert sanitize("A frobnicator came.", Informative(beta=5.0), PAPER).text == "A [REDACTED] came."


def test_generalizing_takes_a_rung_below_beta() -> None:
    knowledge = tiny_knowledge()
    release = sanitize("The zidovudine was stopped.", Informative(protect="zidovudine", action="generalize"), knowledge)
    assert release.text in ("The antiviral drug was stopped.", "The drug was stopped.")


def test_the_check_of_a_bound_model_knows_what_was_hidden() -> None:
    model = Related(beta=SYNDROME, w=0.6, unknown="keep").bind(analyze(Document.of(PAPER_TEXT)), PAPER)
    assert model.hidden == (SYNDROME,)
    leaky = "The patient suffers from [REDACTED] because of blood transfusion."
    certificate = check(leaky, model, PAPER)
    assert not certificate.holds
    assert "'blood transfusion'" in certificate.violations[0].message


def test_the_check_judges_a_phrase_by_its_end_as_the_plan_does() -> None:
    model = Related(beta=SYNDROME, w=0.6, unknown="keep").bind(analyze(Document.of(PAPER_TEXT)), PAPER)
    assert not PAPER.counts.count("massive blood transfusion")
    planned = model.plan(analyze(Document.of("It came of a massive blood transfusion.")), PAPER)
    assert [e.original for e in planned.edits] == ["massive blood transfusion"]
    certificate = check("It came of a massive blood transfusion.", model, PAPER)
    assert "'massive blood transfusion'" in certificate.violations[0].message


def test_the_check_of_a_release_is_against_what_was_hidden_and_not_against_betas_term() -> None:
    """I is what S1 finds in the document: where it found nothing, nothing can be related to it."""
    free = "He had blood transfusion."
    bound = Related(beta=SYNDROME, w=0.6, unknown="keep").bind(analyze(Document.of(free)), PAPER)
    assert bound.hidden == ()
    assert check(free, bound, PAPER).holds
    assert sanitize(free, Related(beta=SYNDROME, w=0.6, unknown="keep"), PAPER).text == free
    assert not check(free, Related(beta=SYNDROME, w=0.6, unknown="keep"), PAPER).holds, "of no document: beta's term"


def test_a_term_that_is_to_be_hidden_fails_the_check_however_little_it_says() -> None:
    model = Related(beta=14.0, protect=["patient"], w=1.0, unknown="keep")
    assert PAPER.counts.ic("patient") < model.limits(PAPER)[1]
    assert not check("The patient left.", model, PAPER).holds
    assert "patient" not in sanitize("The patient left.", model, PAPER).text


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Informative(beta=-1.0), "beta is -1.0"),
        (lambda: Informative(beta="HIV"), "beta is 'HIV', but must be a number, more than 0"),  # type: ignore[arg-type]
        (lambda: Informative(), "nothing to protect: the model 'informative' needs protect or beta"),
        (lambda: Informative(protect="HIV", beta=1.0), "give protect or beta, not both"),
        (lambda: Informative(beta=1.0, action="eat"), "action is 'eat'"),
        (lambda: Related(), "needs beta or protect"),
        (lambda: Related(beta=1.0, w=2), "w is 2"),
    ],
)
def test_impossible_parameters_are_refused(build: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()  # type: ignore[operator]


def test_a_mention_that_says_much_is_hidden_beside_one_that_says_little() -> None:
    text = "The Human Rights Commission (“the Commission”) met. The Commission ended."
    contexts = [*[{"commission"}] * 8, {"human right commission"}, {"human rights commission"}, *[{"other"}] * 54]
    knowledge = Knowledge(ContextCounts(contexts))
    terms = analyze(Document.of(text)).terms
    assert len({t.mention for t in terms if "Commission" in t.text}) == 1, "both are one thing"
    release = sanitize(text, Informative(beta=5.0), knowledge)
    assert "Rights" not in release.text


def test_where_nothing_is_protected_by_name_and_nothing_was_hidden_the_check_holds() -> None:
    certificate = check("The patient has a disease.", Related(beta=40.0, unknown="keep"), PAPER)
    assert certificate.holds
