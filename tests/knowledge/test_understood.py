"""What is understood by a protected text is what the models are told of it."""

from __future__ import annotations

import json

import pytest

from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge
from taciturn.knowledge.understood import OWN_WORDS, Understood, understood

KNOWLEDGE = Knowledge.default()


def one(text: str, knowledge: Knowledge = KNOWLEDGE) -> Understood:
    [found] = understood(text, knowledge)
    return found


def number(found: Understood, what: str) -> int:
    return next((c.number for c in found.covered if c.what == what), 0)


@pytest.mark.parametrize(
    ("text", "label", "other"),
    [
        ("aids", "AIDS", "the noun 'aid'"),
        ("tb", "tuberculosis", "terabyte"),
        ("ms", "multiple sclerosis", "mitral valve stenosis"),
        ("als", "amyotrophic lateral sclerosis", "advanced life support"),
    ],
)
def test_a_short_form_is_a_condition_and_its_other_meanings_are_told(text: str, label: str, other: str) -> None:
    found = one(text)
    assert found.labels[0] == label
    assert found.kind == "condition"
    assert {"MONDO", "MeSH"} <= set(found.sources)
    assert found.rests == ("counts", "names", "relations")
    assert min(number(found, what) for what in ("names", "abbreviations", "codes", "kinds", "related expressions")) > 0
    assert any(other in told for told in found.others)
    [sentence] = found.advice
    assert sentence.startswith("did you mean something else?")
    assert not found.better


def test_a_meaning_that_hardly_anybody_has_in_mind_is_not_told() -> None:
    assert one("HIV").others == ()
    assert len(KNOWLEDGE.lexicon.senses("HIV") if KNOWLEDGE.lexicon else ()) > len(one("HIV").labels)


def test_a_family_is_understood_by_another_name_and_has_thousands_of_kinds() -> None:
    found = one("psychiatric diagnosis")
    assert found.labels == ("mental disorder",)
    assert number(found, "kinds") > 1000 < number(found, "codes")


def test_what_no_text_mentions_rests_on_names_and_relations() -> None:
    found = one("cervical dysplasia")
    assert found.labels == ("cervical dysplasia", "cervical intraepithelial neoplasia")
    assert (found.contexts, found.rests) == (0, ("names", "relations"))
    assert "CIN" in next(c.examples for c in found.covered if c.what == "abbreviations")


def test_a_short_form_of_one_name_only_stands_for_it() -> None:
    assert one("hep c").labels == ("hepatitis C",)


def test_a_thin_wording_is_answered_with_a_better_one() -> None:
    found = one("syphillis")
    assert found.is_thin
    assert not found.labels
    assert found.better[0] == "syphilis"
    assert "did you mean 'syphilis'" in found.line
    assert not one(found.better[0]).is_thin
    assert one("flarg kidney").better == ("kidney",)
    assert one("flarg diabetes").by == "the matters in it"


def test_an_unknown_phrase_says_that_nothing_is_known_of_it() -> None:
    found = one("frobnicated wug")
    assert found.rests == (OWN_WORDS,)
    assert (found.labels, found.sources, found.better, found.contexts) == ((), (), (), 0)
    assert "of which no source has a concept" in found.line
    assert "nothing but its own words" in found.line


def test_things_side_by_side_are_understood_one_by_one() -> None:
    texts = [found.text for found in understood("tb / frobnicated wug", KNOWLEDGE)]
    assert texts == ["tb", "frobnicated wug"]


def test_everything_that_is_counted_is_what_the_witnesses_say() -> None:
    found = one("tb")
    told = KNOWLEDGE.witnesses.speaking(found.entity)
    assert number(found, "related expressions") == sum(t.witness == "relation" for t in told.values())
    examples = {k for c in found.covered if c.what != "kinds" for k in c.examples}
    assert examples <= told.keys()
    dotted = {k.replace(".", "") for k, t in told.items() if t.says == "code" and t.witness == "name"}
    assert number(found, "codes") == len(dotted)


def test_without_a_lexicon_counts_and_taxonomies_answer() -> None:
    diseases = EdgeTaxonomy("diseases", [("AIDS", "disease"), ("flu", "disease")], flags=["professional"])
    knowledge = Knowledge(ContextCounts([{"AIDS"}, {"disease"}], [diseases]), (diseases,))
    found = one("disease", knowledge)
    assert (found.labels, found.sources, found.rests) == (("disease",), ("diseases",), ("counts", "names"))
    assert [(c.what, c.number) for c in found.covered] == [("names", 1), ("kinds", 2)]
    assert one("wug", knowledge).is_thin


def test_json_holds_all_of_it() -> None:
    found = one("aids")
    data = json.loads(json.dumps(found.to_json()))
    assert data["labels"][0] == "AIDS"
    assert data["advice"] == list(found.advice)
    assert {c["what"]: c["number"] for c in data["covered"]} == {c.what: c.number for c in found.covered}
