from __future__ import annotations

from taciturn.document import Document
from taciturn.models import CSanitized
from taciturn.report.explain import explain_document, explain_term
from tests.fixtures import tiny_knowledge

TINY = tiny_knowledge()
MODEL = CSanitized(protect=["HIV"], alpha=1.5, support=3)


def test_a_risky_term_has_its_figures_ladder_and_counterfactual() -> None:
    one = explain_term("zidovudine", MODEL, TINY)
    row = one.rows[0]
    counts = TINY.counts
    assert (row.count_entity, row.count_term) == (counts.count("HIV"), counts.count("zidovudine"))
    assert row.pmi == counts.pmi("HIV", "zidovudine")
    assert one.risky
    assert [(s.label, s.safe) for s in one.steps] == [("antiviral drug", False), ("drug", True)]
    assert one.verdict.startswith("shown as 'drug'")
    assert "whatever alpha" in one.verdict


def test_the_counterfactual_alpha_is_where_the_decision_turns() -> None:
    one = explain_term("virus", MODEL, TINY)
    turn = one.rows[0].kept_up_to
    assert not explain_term("virus", CSanitized(protect=["HIV"], alpha=turn * 0.999), TINY).risky
    assert explain_term("virus", CSanitized(protect=["HIV"], alpha=turn * 1.001), TINY).risky


def test_unknown_and_harmless_terms_say_so() -> None:
    assert explain_term("frobnicator", MODEL, TINY).verdict.startswith("unknown")
    assert explain_term("table", MODEL, TINY).verdict == "kept; it says nothing of what is protected"


def test_a_document_is_ranked_and_groups_are_told() -> None:
    text = "He has AIDS. He reports fatigue and weight loss at the table."
    ranked = explain_document(Document.of(text), MODEL, TINY)
    assert ranked[0].text == "AIDS"
    grouped = {e.text: e.verdict for e in ranked if e.groups}
    assert set(grouped) == {"fatigue", "weight loss"}
    assert grouped["fatigue"].startswith("kept if 'weight loss' goes")
    assert [e.text for e in explain_document(Document.of(text), MODEL, TINY, most=2)] == [e.text for e in ranked[:2]]
    assert ranked[0].to_json()["risky"] is True
