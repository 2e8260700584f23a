"""The entity base of diseases: which terms belong to a context, by what sources say and by their kinds."""

from __future__ import annotations

from training.diseases import names_of, related_terms

from taciturn.knowledge.lexicon import Lexicon, LexiconBuilder
from taciturn.knowledge.relations import RelationRow, Relations, pack_relations
from taciturn.language import key


def test_a_term_belongs_to_a_context_if_a_source_says_so_and_its_kind_fits() -> None:
    builder = LexiconBuilder(["names", "DO"], key)
    aids = builder.add("AIDS", "condition", ["DO"])
    builder.name(aids, "B20", "code", ["DO"])
    hiv = builder.add("HIV", "organism", ["DO"])
    sweat = builder.add("night sweats", "sign", ["DO"])
    keyboard = builder.add("keyboard", "device", ["DO"])
    drug = builder.add("unspecified", "medication", ["DO"])
    lexicon = Lexicon(builder.arrays(), builder.sources)
    names, do = 1, 2
    rows = [
        RelationRow(hiv, "caused by", aids, do, 1.0),
        RelationRow(sweat, "sign of", aids, do | names, 1.0),
        RelationRow(keyboard, "sign of", aids, do, 1.0),  # a device is no symptom
        RelationRow(drug, "treats", aids, names, 1.0),  # only its own name says so
        RelationRow(drug, "located in", aids, do, 1.0),  # no relation of a context
    ]
    relations = Relations(pack_relations(rows, len(lexicon)), builder.sources, lexicon)
    assert related_terms(lexicon, relations) == {aids: {hiv, sweat}}
    assert names_of(aids, lexicon) == ["AIDS"]
