"""Indistinct on tiny knowledge: the definition, what the plan changes, and what the check sees by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

import taciturn
from taciturn import Document, Indistinct, NotReleasedError
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, EntityBase, Knowledge, UnknownTermError
from taciturn.language import analyze
from taciturn.models.indistinct.speaking import fit_as_well, spoken

DISEASES = EdgeTaxonomy("diseases", [(d, "disease") for d in ("gout", "asthma", "mumps", "croup", "scurvy", "ague")])
PEOPLE = EntityBase(
    "people",
    {
        "Ann Lee": frozenset({"ann lee", "nurse", "boston", "violin"}),
        "Bea Fox": frozenset({"bea fox", "nurse", "boston", "chess"}),
        "Cy Gray": frozenset({"cy gray", "nurse", "boston"}),
        "Dee Hall": frozenset({"dee hall", "pilot", "boston"}),
        "Eve Ives": frozenset({"eve ives", "pilot", "chess"}),
    },
)


def knowledge() -> Knowledge:
    """Colchicine and a swollen toe go with gout, a cough with three other diseases, fever with all."""
    contexts = [{"gout", "colchicine", "toe"}] * 6 + [{"asthma", "cough"}, {"croup", "cough"}, {"mumps", "cough"}] * 5
    contexts += [{d, "fever"} for d in ("gout", "asthma", "mumps", "croup", "scurvy", "ague")] * 3
    contexts += [{"table"}, {"chair"}, {"river"}] * 20
    return Knowledge(ContextCounts(contexts, [DISEASES]), (DISEASES,))


def model(**more: object) -> Indistinct:
    return replace(Indistinct(protect=["gout"], among="disease", k=3), **more)


def test_what_tells_the_entity_from_others_goes_and_what_does_not_stays() -> None:
    release = taciturn.sanitize("He took colchicine for the toe. He had a fever.", model(), knowledge())
    assert "colchicine" not in release.text
    assert "fever" in release.text
    assert release.certificate.holds


def test_the_check_is_the_definition() -> None:
    k = knowledge()
    analysis = analyze(Document.of("His toe hurt, and he had a cough."))
    [contest] = model().contests(k)
    said = spoken(analysis, [contest], k)
    total = dict(zip(contest.candidates, said.bits[0].sum(axis=0), strict=True))
    assert total["gout"] > 0 < total["asthma"]
    fit = [name for name in contest.candidates[1:] if total[name] >= total["gout"]]
    assert [contest.candidates[1 + i] for i in fit_as_well(said, 0, contest, 0.0, "none")] == fit
    for wanted in (1, 3, 5):
        assert model(k=wanted).check(analysis, k).holds == (len(fit) >= wanted)


def test_slack_lets_others_fit_that_lack_a_little() -> None:
    k, analysis = knowledge(), analyze(Document.of("A nurse from Boston."))
    asked = Indistinct(protect=["Ann Lee"], among=PEOPLE, k=3)  # Dee Hall is from Boston, but no nurse
    assert not asked.check(analysis, k).holds
    assert replace(asked, slack=1.5).check(analysis, k).holds


def test_a_text_that_names_the_entity_fails_whoever_fits() -> None:
    found = model(k=1, slack=100.0).check(analyze(Document.of("He has gout.")), knowledge())
    assert not found.holds
    assert "gives 'gout' away" in found.violations[0].message


def test_what_the_text_names_openly_is_nobody_to_hide_among() -> None:
    k = knowledge()
    [contest] = model().contests(k)
    said = spoken(analyze(Document.of("Asthma, croup and mumps.")), [contest], k)
    openly = {n for n, unsaid in zip(contest.candidates[1:], said.unsaid[0], strict=True) if not unsaid}
    assert openly == {"asthma", "croup", "mumps"}
    assert model(k=2).check(analyze(Document.of("Asthma, croup, mumps.")), k).holds  # scurvy and ague are left
    assert not model(k=3).check(analyze(Document.of("Asthma, croup, mumps.")), k).holds


def test_one_thing_counts_once_and_a_little_more_if_it_is_repeated() -> None:
    k = knowledge()
    [contest] = model().contests(k)

    def bits(text: str) -> float:
        return float(spoken(analyze(Document.of(text)), [contest], k).bits[0][:, 0].sum())

    once = bits("The toe hurts.")
    assert bits("The toe hurts. The toe hurts.") == pytest.approx(2 * once)
    assert bits("The toe hurts. The toe hurts. The toe hurts. The toe hurts.") == pytest.approx(3 * once)


def test_more_others_are_asked_for_than_there_are() -> None:
    with pytest.raises(NotReleasedError):
        taciturn.sanitize("He took colchicine.", model(k=50), knowledge())


def test_greedy_is_never_cheaper_and_holds_too() -> None:
    text = "He took colchicine for the toe, and had a cough and a fever."
    costs = []
    for method in ("exact", "greedy"):
        release = taciturn.sanitize(text, model(method=method), knowledge())
        costs.append(sum(len(e.original.split()) for e in release.edits))
    assert costs[0] <= costs[1]


def test_a_person_is_hidden_among_people_of_a_base() -> None:
    asked = Indistinct(protect=["Ann Lee"], among=PEOPLE, k=2)
    release = taciturn.sanitize("The nurse from Boston plays the violin.", asked, knowledge())
    assert "violin" not in release.text
    assert "nurse" in release.text
    assert not asked.check(analyze(Document.of("A nurse plays the violin.")), knowledge()).holds
    assert asked.check(analyze(Document.of("A nurse from Boston.")), knowledge()).holds


def test_no_member_of_a_family_stands_out() -> None:
    links = [("gout", "joint disease"), ("scurvy", "joint disease"), ("joint disease", "disease")]
    diseases = EdgeTaxonomy("diseases", [*links, *((d, "disease") for d in ("asthma", "mumps", "croup", "ague"))])
    k = replace(knowledge(), taxonomies=(diseases,))
    asked = Indistinct(branches=["joint disease"], among="disease", k=2)
    assert [c.entity for c in asked.contests(k)] == ["gout", "scurvy"]
    assert all("scurvy" not in c.candidates[1:] for c in asked.contests(k))
    release = taciturn.sanitize("He took colchicine and had a cough.", asked, k)
    assert "colchicine" not in release.text
    assert "cough" in release.text


def test_with_priors_what_is_seldom_spoken_of_is_seldom_thought_of() -> None:
    k, analysis = knowledge(), analyze(Document.of("He is at home."))
    assert model(k=5).check(analysis, k).holds
    assert not model(k=5, prior="counts").check(analysis, k).holds  # gout is spoken of more than most


def test_without_a_kind_the_user_is_asked_for_others() -> None:
    with pytest.raises(UnknownTermError, match="among"):
        Indistinct(protect=["table"]).contests(knowledge())
    listed = Indistinct(protect=["gout"], among=["asthma", "gout", "croup"]).contests(knowledge())
    assert listed[0].candidates == ("gout", "asthma", "croup")


def test_redacting_writes_marks_only() -> None:
    release = taciturn.sanitize("He took colchicine for the toe.", model(action="redact"), knowledge())
    assert "[REDACTED]" in release.text


@pytest.mark.parametrize(("name", "value"), [("k", 0), ("slack", -1), ("method", "lucky"), ("prior", "mine")])
def test_parameters_are_checked(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        model(**{name: value})


def test_the_embedded_knowledge_hides_hiv_among_others() -> None:
    text = "He has HIV and takes Atripla. His CD4 count is low. He has hypertension and takes lisinopril."
    release = taciturn.sanitize(text, Indistinct(protect=["HIV"]))
    assert "Atripla" not in release.text
    assert "hypertension" in release.text
    kin = Indistinct(protect=["HIV"]).contests(Knowledge.default())[0].candidates[1:]
    assert not any("AIDS" in name or "HIV" in name for name in kin)
