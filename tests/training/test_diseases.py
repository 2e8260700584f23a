"""The entity base of diseases: which terms belong to a context, by what sources say and by their kinds."""

from __future__ import annotations

from training.diseases import contexts, names_of, related_terms

from taciturn.knowledge import EntityBase, Knowledge, TableCounts
from taciturn.knowledge.lexicon import Lexicon, LexiconBuilder
from taciturn.knowledge.relations import RelationRow, Relations, pack_relations
from taciturn.language import key


def test_a_term_belongs_to_a_context_if_a_source_says_so_and_its_kind_fits() -> None:
    builder = LexiconBuilder(["names", "DO", "NCIt"], key)
    aids = builder.add("AIDS", "condition", ["DO"])
    builder.name(aids, "B20", "code", ["DO"])
    hiv = builder.add("HIV", "organism", ["DO"])
    sweat = builder.add("night sweats", "sign", ["DO"])
    keyboard = builder.add("keyboard", "device", ["DO"])
    drug = builder.add("unspecified", "medication", ["DO"])
    course = builder.add("course of disease", "sign", ["NCIt"])
    lexicon = Lexicon(builder.arrays(), builder.sources)
    names, do, ncit = 1, 2, 4
    rows = [
        RelationRow(hiv, "caused by", aids, do, 1.0),
        RelationRow(sweat, "sign of", aids, do | names, 1.0),
        RelationRow(keyboard, "sign of", aids, do, 1.0),  # a device is no symptom
        RelationRow(course, "sign of", aids, ncit, 1.0),  # a pathologist's remark is none either
        RelationRow(drug, "treats", aids, names, 1.0),  # only its own name says so
        RelationRow(drug, "located in", aids, do, 1.0),  # no relation of a context
    ]
    relations = Relations(pack_relations(rows, len(lexicon)), builder.sources, lexicon)
    assert related_terms(lexicon, relations) == {aids: {hiv, sweat}}
    assert names_of(aids, lexicon) == ["AIDS"]


def test_a_symptom_of_many_is_no_disease_and_the_name_of_a_disease_is_its_own() -> None:
    builder = LexiconBuilder(["DO", "MeSH"], key)
    symptoms = builder.add("Signs and Symptoms", "condition", ["MeSH"])
    cough = builder.add("coughing fit", "condition", ["DO"], [symptoms])
    others = [builder.add(f"trait {i}", "condition", ["DO"], [symptoms]) for i in range(4)]
    diseases = [builder.add(f"disease {i}", "condition", ["DO"]) for i in range(12)]
    lexicon = Lexicon(builder.arrays(), builder.sources)
    rows = [RelationRow(e, "sign of", d, 1, 1.0) for d in diseases for e in (cough, *others)]
    rows += [RelationRow(diseases[0], "sign of", diseases[1], 1, 1.0)]  # a complication
    rows += [RelationRow(e, "sign of", cough, 1, 1.0) for e in others]
    relations = Relations(pack_relations(rows, len(lexicon)), builder.sources, lexicon)
    knowledge = Knowledge(TableCounts(1, {}), entities={"rare-diseases": EntityBase("rare-diseases", {})})
    made = contexts(lexicon, relations, knowledge)
    assert sorted(made) == sorted(f"disease {i}" for i in range(12))
    assert all(frozenset({"coughing fit"}) in groups for groups in made.values())
    assert frozenset({"disease 0"}) not in made["disease 1"]
