"""Rivals: what an expression says of many concepts at once is what the witnesses say of each."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from taciturn.knowledge import Counts, Knowledge
from taciturn.knowledge.rivals import ConceptRivals, are_others, kind_of, rivals_under
from taciturn.knowledge.rivals.joint import JointCounts
from taciturn.language import Key, key

NAMES = ["HIV", "asthma", "gout", "syphilis", "tuberculosis", "multiple sclerosis"]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge.default()


@pytest.mark.parametrize("name", NAMES)
def test_names_and_relations_are_those_that_explain_shows(name: str, knowledge: Knowledge) -> None:
    witnesses = knowledge.witnesses
    entity = knowledge.entity(name)
    told = witnesses.speaking(entity)
    full, left = witnesses.information(entity), witnesses._left(entity)
    strong = [k for k, t in told.items() if t.witness in ("name", "relation") and t.bits > 0.5 * full][::37]
    found = ConceptRivals([name], knowledge, number=3000).shares(strong)[:, 0]
    for k, share in zip(strong, found.tolist(), strict=True):
        assert share >= 2 ** (-left * (1 - told[k].bits / full)) - 0.01, (k, told[k])


def test_an_unrelated_expression_says_nothing(knowledge: Knowledge) -> None:
    assert ConceptRivals(NAMES, knowledge).shares(["airplane", "zyxzyx"]).max() < 0.2


def test_joint_counts_by_contexts_are_those_of_the_table(knowledge: Knowledge) -> None:
    class Unlisted(Counts):
        total, digest = knowledge.counts.total, ""

        def count_many(self, groups: object) -> object:  # type: ignore[override]
            return knowledge.counts.count_many(groups)  # type: ignore[arg-type]

    rivals, keys = [knowledge.entity(n) for n in NAMES], [Key(k) for k in ("fever", "zidovudine", "inhaler", "zyxzyx")]
    field = knowledge.witnesses.field_of(rivals[0])
    first, second = (list(JointCounts(rivals, field, c).with_keys(keys)) for c in (knowledge.counts, Unlisted()))
    for (alone, met, often), (alone2, met2, often2) in zip(first, second, strict=True):
        assert alone == alone2
        assert dict(zip(met.tolist(), often.tolist(), strict=True)) == dict(
            zip(met2.tolist(), often2.tolist(), strict=True)
        )


def test_no_rival_is_a_kind_of_another(knowledge: Knowledge) -> None:
    rivals = rivals_under("disease", knowledge)
    lexicon = knowledge.lexicon
    assert lexicon is not None
    above = {w for concepts in rivals.concepts for c in concepts for w in lexicon.ancestors(c)}
    assert all(above.isdisjoint(concepts) for concepts in rivals.concepts)
    assert "rare disease" not in rivals.names


def test_kin_are_no_others(knowledge: Knowledge) -> None:
    own = ConceptRivals(["HIV"], knowledge)
    rivals = ConceptRivals(["AIDS", "AIDS related lymphoma", "viral infection", "asthma"], knowledge)
    assert are_others(own, rivals, knowledge).tolist() == [[False, False, False, True]]


def test_each_thing_has_its_kind(knowledge: Knowledge) -> None:
    top = kind_of(knowledge.entity("HIV"), knowledge)
    assert top == kind_of(knowledge.entity("gout"), knowledge)
    assert kind_of(key("left arm pain"), knowledge) == top


def test_a_prior_is_a_share_of_the_field(knowledge: Knowledge) -> None:
    rivals = ConceptRivals(NAMES, knowledge)
    own = knowledge.counts.count(key("HIV"))
    assert rivals.prior[0] <= log2(own / knowledge.counts.count(key("disease"))) + 2
    assert np.all(rivals.prior <= 0)
