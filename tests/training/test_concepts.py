"""From records to concepts, names and relations, on a handful of records."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from training.concepts import clinical, codes, drugs, encyclopedia, link, mesh, ontologies, topics
from training.concepts.contexts import Article, read_contexts
from training.concepts.families import FAMILIES, add_families
from training.concepts.forms import is_everyday, respelled, spelling_pairs, wordnet_words
from training.concepts.inputs import Folders
from training.concepts.join import Joiner
from training.concepts.records import Record, Related, plain_names
from training.topics import files
from training.topics.build import Relation
from training.topics.leads import read_lead
from training.topics.matters import Matter

from taciturn.knowledge import ContextCounts
from taciturn.knowledge.relations import RelationRow


def joined(*records: Record) -> Joiner:
    joiner = Joiner()
    joiner.add_all(records)
    return joiner


def condition(source: str, id_: str, label: str, *names: str, parents: tuple[str, ...] = ()) -> Record:
    return Record(source, id_, "condition", label, [(n, "synonym") for n in names], list(parents))


def relations(rows: list[RelationRow] | object, joiner: Joiner) -> set[tuple[str, str, str]]:
    assert isinstance(rows, list)
    return {(joiner.concepts[r.expression].label, r.predicate, joiner.concepts[r.matter].label) for r in rows}


# Joining


def test_a_record_joins_by_id_then_by_label_then_by_two_names() -> None:
    joiner = joined(
        condition("A", "A:1", "kidney stone", "renal calculus", "kidney calculus"),
        Record("B", "B:1", "condition", "stone", same=["A:1"]),
        condition("C", "C:1", "Kidney Stones"),
        condition("D", "D:1", "nephrolith", "renal calculus", "kidney calculus"),
        condition("E", "E:1", "gallstone"),
    )
    assert [joiner.by_id[i] for i in ("A:1", "B:1", "C:1", "D:1", "E:1")] == [0, 0, 0, 0, 1]


def test_a_record_of_another_group_does_not_join() -> None:
    joiner = joined(condition("A", "A:1", "measles"), Record("B", "B:1", "organism", "measles"))
    assert len(joiner.concepts) == 2


def test_conditions_that_no_source_tells_apart_are_united() -> None:
    joiner = joined(
        Record("M", "M:o", "organism", "human immunodeficiency virus"),
        condition("A", "A:1", "HIV infectious disease", "human immunodeficiency virus infection"),
        Record("I", "I:B20", "condition", "human immunodeficiency virus disease", [("B20", "code")]),
    )
    joiner.shorten()
    assert joiner.unite() == 1
    assert joiner.by_id["I:B20"] == joiner.by_id["A:1"]
    assert "B20" in joiner.concepts[joiner.by_id["A:1"]].names


def test_what_one_source_tells_apart_stays_apart() -> None:
    joiner = joined(condition("A", "A:1", "autism spectrum disorder", "autism"), condition("A", "A:2", "autism"))
    assert joiner.unite() == 0
    assert len(joiner.concepts) == 2


def test_the_name_before_spectrum_disorder_is_said_for_it() -> None:
    joiner = joined(condition("A", "A:1", "autism spectrum disorder"), condition("A", "A:2", "autism"))
    joiner.shorten()
    assert joiner.concepts[0].names["autism"][0] == "synonym"


def test_the_organism_is_said_for_its_infection_unless_it_means_another_condition() -> None:
    joiner = joined(
        condition("A", "A:1", "scabies infection"),
        condition("A", "A:2", "lung infection"),
        condition("A", "A:3", "measles infection"),
        condition("A", "A:4", "measles"),
        Record("B", "B:1", "organism", "scabies"),
        Record("B", "B:2", "organism", "measles"),
    )
    joiner.shorten()
    assert "scabies" in joiner.concepts[0].names
    assert "lung" not in joiner.concepts[1].names, "a lung is no organism"
    assert "measles" not in joiner.concepts[2].names


def test_the_ways_to_say_that_somebody_takes_a_drug() -> None:
    joiner = joined(condition("A", "A:1", "cannabis abuse"), Record("B", "B:1", "medication", "cannabis"))
    joiner.shorten()
    assert {"cannabis use disorder", "cannabis use", "cannabis dependence"} <= set(joiner.concepts[0].names)


def test_conditions_do_not_keep_the_names_of_organs() -> None:
    joiner = joined(condition("A", "A:1", "pyelonephritis", "kidney"), Record("B", "B:1", "anatomy", "kidney"))
    joiner.drop_borrowed()
    assert set(joiner.concepts[0].names) == {"pyelonephritis"}


def test_of_several_concepts_with_a_name_the_one_of_most_sources_is_meant() -> None:
    joiner = joined(
        condition("A", "A:1", "first", "cold"), condition("A", "A:2", "second", "cold"), condition("B", "A:2", "cold")
    )
    assert joiner.resolve("cold") == 1
    assert joiner.resolve("nothing") is None


def test_families_stand_above_their_members() -> None:
    joiner = joined(condition("A", "MONDO:0004992", "malignant growth"))
    missing = add_families(joiner)
    assert "family:cancer" in joiner.concepts[0].parents
    assert any(line.startswith("cancer: ") for line in missing)
    assert joiner.resolve("malignancy") == joiner.by_id["family:cancer"]
    assert set(FAMILIES) <= {c.label for c in joiner.concepts}


# Names and parts of names


def test_names_hold_conditions_organs_and_drugs() -> None:
    joiner = joined(
        condition("A", "A:1", "obsessive-compulsive disorder"),
        condition("A", "A:2", "benzodiazepine dependence"),
        condition("A", "A:3", "liver cancer"),
        Record("B", "B:1", "score", "Yale-Brown Obsessive Compulsive Scale"),
        Record("B", "B:2", "medication class", "benzodiazepine"),
        Record("B", "B:3", "anatomy", "liver"),
        Record("B", "B:4", "specialty", "liver clinic"),
    )
    mentions = link.Mentions(joiner.concepts, (), lambda name: name != "brown")
    found = relations(list(link.by_name_parts(joiner.concepts, mentions, 1)), joiner)
    assert found == {
        ("Yale-Brown Obsessive Compulsive Scale", "measures", "obsessive-compulsive disorder"),
        ("benzodiazepine", "caused by", "benzodiazepine dependence"),
        ("liver", "located in", "liver cancer"),
        ("liver clinic", "about", "liver"),
    }


def test_an_abbreviation_of_two_things_alike_means_neither() -> None:
    joiner = joined(
        *(Record(s, "A:1", "condition", "multiple sclerosis", [("MSX", "abbreviation")]) for s in "AB"),
        *(Record(s, "A:2", "condition", "mitral stenosis", [("MSX", "abbreviation")]) for s in "AB"),
        *(Record(s, "A:3", "condition", "gastric ectasia", [("GAVE", "abbreviation")]) for s in "AB"),
    )
    mentions = link.Mentions(joiner.concepts, ())
    assert list(mentions.find(["known MSX", "mitral stenosis"])) == [[], [(0, (1,))]]
    assert list(mentions.find(["GAVE", "gave"])) == [[(0, (2,))], []], "abbreviations are in capitals"


def test_the_first_words_say_what_a_thing_is_for() -> None:
    joiner = joined(condition("A", "A:1", "cataract"), Record("B", "B:1", "procedure", "phacoemulsification"))
    mentions = link.Mentions(joiner.concepts, ())
    opening = [(1, "Surgery in which a cataract is broken up.", 1), (0, "A cataract clouds the lens.", 1)]
    found = relations(list(link.by_openings(joiner.concepts, opening, mentions, 0.4)), joiner)
    assert found == {("phacoemulsification", "procedure for", "cataract")}


def test_relations_are_linked_by_name_and_the_rest_is_counted() -> None:
    joiner = joined(condition("A", "A:1", "asthma"), Record("B", "drug:x", "medication", "salbutamol"))
    told = [Related("drug:x", "treats", "asthma", "S"), Related("drug:x", "treats", "gout", "S")]
    rows, lost = link.by_sources(told, joiner, {"S": 4})
    assert rows == [RelationRow(1, "treats", 0, 4, 1.0)]
    assert lost == Counter({"S": 1})


# Contexts


def test_a_share_is_the_part_of_paragraphs_and_one_is_no_proof() -> None:
    joiner = joined(
        condition("A", "A:1", "gout"),
        condition("A", "A:2", "asthma"),
        Record("B", "B:1", "medication", "colchicine"),
        Record("B", "B:2", "medication", "salbutamol"),
    )
    mentions = link.Mentions(joiner.concepts, ())
    articles = [
        Article(0, "Colchicine helps.\nColchicine again.\nColchicine and asthma.", 1),
        *(Article(None, "asthma asthma", 2) for _ in range(20)),
        Article(None, "salbutamol for asthma", 2),
    ]
    contexts = read_contexts(articles, joiner.concepts, mentions)
    assert contexts.uses().tolist() == [3, 22, 3, 1]
    found = {(r.expression, r.matter): r for r in contexts.rows("described with", least=0.01)}
    # Two paragraphs are about gout alone, in the third it heads the article: 1 + 1 + 2/3 of 3, and 2 unseen ones.
    usual = (1 + 1 + 2 / 3) / 24
    assert found[2, 0].weight == pytest.approx((8 / 3) / 5 - usual)
    assert found[2, 0].sources == 1
    assert (3, 1) not in found, "salbutamol stands with asthma once, and nearly every paragraph is about asthma"


# Sources


def test_codes_name_their_conditions_and_what_several_have_in_common_their_category() -> None:
    xml = b"""<ICD><chapter><name>5</name><desc>Mental disorders (F01-F99)</desc><section id="F10-F19">
      <desc>Substance use (F10-F19)</desc><diag><name>F12</name><desc>Cannabis related disorders</desc>
      <diag><name>F12.1</name><desc>Cannabis abuse</desc>
       <inclusionTerm><note>Cannabis use disorder, mild</note></inclusionTerm></diag>
      <diag><name>F12.2</name><desc>Cannabis dependence</desc>
       <inclusionTerm><note>Cannabis use disorder, severe</note></inclusionTerm></diag>
      </diag><diag><name>Z85</name><desc>Personal history of gout</desc></diag></section></chapter></ICD>"""
    joiner = joined(*codes.icd10(xml))
    number = joiner.resolve("cannabis use disorder")
    assert number == joiner.by_id["ICD10:F12"]
    assert joiner.by_id["ICD10:F12.1"] != number
    assert "name:gout" in joiner.concepts[joiner.by_id["ICD10:Z85"]].parents


def test_combinations_contain_their_ingredients_and_salts_go() -> None:
    rows = [["", "", "", "", "", "ADVAIR DISKUS 100/50", "FLUTICASONE PROPIONATE; SALMETEROL XINAFOATE"]]
    found = list(drugs.fda_products(rows))
    assert Related("drug:fluticasone/salmeterol", "contains", "drug:salmeterol", "Drugs@FDA") in found
    (brand,) = [r for r in found if isinstance(r, Record) and r.names]
    assert brand.names == [("Advair", "brand")]


def test_a_vaccine_is_not_called_by_what_it_is_against() -> None:
    row = {
        "Category": "Human", "International non-proprietary name (INN) / common name": "hepatitis B",
        "Active substance": "", "Medicine name": "Fendrix", "ATC code": "J07BC01", "Therapeutic area": "Hepatitis B",
    }  # fmt: skip
    labels = [r.label for r in drugs.ema([row]) if isinstance(r, Record)]
    assert labels == ["hepatitis b vaccine"]


def test_mesh_kinds_come_from_tree_numbers() -> None:
    rows = [
        ["D1", "Eye Diseases", "", "C11"], ["D2", "Cataract", "Cataracts", "C11.510"],
        ["D3", "Cataract Extraction", "", "E04.540"], ["D4", "Granite", "", "D01.578"],
    ]  # fmt: skip
    found = {r.label: r for r in mesh.headings(rows)}
    assert found["Cataract"].kind == "condition"
    assert found["Cataract"].parents == ["MESH:D1"]
    assert found["Cataract Extraction"].kind == "procedure"
    assert found["Granite"].known, "chemistry only adds names to what others list"


def test_abbreviations_with_several_meanings_are_cut() -> None:
    assert list(clinical.abbreviations([("AB", "abortion; antibody", "list"), ("x", "left out", "list")])) == [
        ("AB", "abortion", "list"), ("AB", "antibody", "list"),
    ]  # fmt: skip


def test_an_encyclopedia_has_scales_that_no_list_has() -> None:
    joiner = joined(condition("A", "A:1", "Huntington's disease"))
    text = "The Motor Rating Scale (MRS) is a rating scale for Huntington's disease in adults of all ages."
    other = "The Great Hall is a rating scale for hotels and inns that stand on both banks of the river."
    leads = [read_lead("Motor Rating Scale", text), read_lead("Great Hall", other)]
    (record,) = encyclopedia.described(leads, joiner.concepts, link.Mentions(joiner.concepts, ()))
    assert (record.kind, record.label, record.names) == ("score", "Motor Rating Scale", [("MRS", "abbreviation")])


def test_short_forms_count_where_texts_agree() -> None:
    forms = {"ABC": Counter({"a b c": 2, "another": 1}), "XYZ": Counter({"x y z": 1})}
    assert list(encyclopedia.agreed(forms)) == [("ABC", "a b c"), ("XYZ", "x y z")]


def test_everyday_words_are_told_from_terms() -> None:
    words = {"half": {"03", "r"}, "asthma": {"26"}}
    assert [is_everyday(w, words) for w in ("half", "asthma", "half life", "Trikafta")] == [True, False, False, False]


def test_british_and_american_spellings_are_names_of_each_other() -> None:
    british = spelling_pairs(["anaemia", "anemia", "iron"])
    assert list(respelled("iron anemia", british)) == ["iron anaemia"]
    assert list(respelled("iron anaemia", british)) == ["iron anemia"]


def test_names_that_nobody_writes_are_left_out() -> None:
    assert plain_names("Fracture, unspecified") == []
    assert plain_names("Pain NOS") == []


def test_a_changed_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text("other", "utf-8")
    folders = Folders(tmp_path, tmp_path, tmp_path, tmp_path, tmp_path)
    with pytest.raises(ValueError, match="not the pinned file"):
        folders.checked("data.noun")
    with pytest.raises(ValueError, match="none of the folders"):
        folders.checked("data.adj")


# Matters beyond medicine


def _matter(id_: str, label: str, *names: str) -> Matter:
    family, _, own = id_.partition("/")
    return Matter(id_, label, family, {family} if own else set(), dict.fromkeys(names or (label,), "noun"))


def test_relations_beyond_medicine_are_cut() -> None:
    found = {
        m.id: m
        for m in (
            _matter("religion", "religion"), _matter("religion/x", "Catholicism"), _matter("service", "service"),
            _matter("service/y", "army"), Matter("debt/z", "point", "debt", {"debt"}, {}),
            Matter("religion/w", "Western Church", "religion", {"religion/x"}, {"Western Church": "noun"}),
        )
    }  # fmt: skip
    company, lead = "Wikipedia contexts", "Wikipedia lead"
    told = [
        Relation("scapular", "word", "goes with", "religion/x", company, 0.5),
        Relation("mill", "word", "goes with", "religion/x", company, 0.1),
        Relation("rosary", "word", "goes with", "religion/x", company, 0.9),
        Relation("he", "word", "goes with", "religion/x", company, 0.9),
        Relation("scapular", "word", "goes with", "religion", company, 0.9),
        Relation("thurible", "word", "goes with", "religion/x", company, 0.5),
        Relation("thurible", "word", "goes with", "religion/w", company, 0.45),
        Relation("bugler", "word", "goes with", "service/y", company, 0.9),
        Relation("bugler", "word", "goes with", "service", company, 0.9),
        Relation("regiment", "group", "described by", "service/y", f"{lead} + {company}", 0.9),
        Relation("Jane Doe", "person", "described by", "religion/x", lead, 0.9),
        Relation("tangent", "word", "goes with", "debt/z", company, 0.9),
    ]
    counts = ContextCounts([{"rosary"} for _ in range(8)])
    assert [(r.expression, r.matter) for r in topics.kept(told, found, counts)] == [
        ("bugler", "service"),
        ("regiment", "service/y"),
        ("scapular", "religion/x"),
        ("thurible", "religion/w"),
    ]


def test_adjectives_with_a_capital_are_no_everyday_words(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text("00000001 18 n 01 Kurd 0 000 | one of a people\n", "utf-8")
    adjectives = ["00000002 01 a 01 Kurdish 0 000 | of Kurds", "00000003 00 s 01 asleep(p) 0 000 | resting"]
    (tmp_path / "data.adj").write_text("\n".join(adjectives) + "\n", "utf-8")
    for part in ("verb", "adv"):
        (tmp_path / f"index.{part}").write_text("", "utf-8")
    words = wordnet_words(tmp_path)
    assert [is_everyday(w, words) for w in ("kurdish", "asleep")] == [False, True]


def test_words_of_many_senses_name_no_matter(tmp_path: Path) -> None:
    point, loan = _matter("debt/n1", "point"), _matter("debt/n2", "loan")
    catholic = Matter(
        "religion/n3", "Catholicism", "religion", {"religion"}, {"Catholicism": "noun", "Catholic": "adjective"}
    )
    files.write(tmp_path, {m.id: m for m in (point, loan, catholic)}, [])
    found = topics.matters(tmp_path, {"point": 26, "loan": 2})
    assert not found["debt/n1"].names
    records = {r.id: r for r in topics.records(found)}
    assert set(records) == {"TOPIC:debt/n2", "TOPIC:religion/n3"}
    assert records["TOPIC:religion/n3"].kind == "religion"
    assert ("Catholic", "derived") in records["TOPIC:religion/n3"].names


# Operations, signs by frequency, codes that an edition left out


def test_operations_are_about_the_organ_in_their_stem() -> None:
    joiner = joined(
        Record("A", "A:1", "anatomy", "tonsil"),
        Record("A", "A:2", "anatomy", "testis"),
        condition("A", "A:3", "orchitis"),
        Record("A", "A:4", "procedure", "tonsillectomy"),
        Record("A", "A:5", "procedure", "orchiopexy"),
        Record("A", "A:6", "procedure", "bypass"),
    )
    located = RelationRow(joiner.by_id["A:2"], "located in", joiner.by_id["A:3"], 1, 1.0)
    found = relations(list(link.by_operations(joiner.concepts, [located], 1)), joiner)
    assert found == {("tonsillectomy", "about", "tonsil"), ("orchiopexy", "about", "testis")}


def test_signs_are_weighed_by_the_patients_who_have_them() -> None:
    def row(sign: str, frequency: str, qualifier: str = "", aspect: str = "P") -> list[str]:
        return ["OMIM:1", "Gout", qualifier, sign, "", "", "", frequency, "", "", aspect, ""]

    rows = [row("HP:1", "1/4"), row("HP:1", "HP:0040281"), row("HP:2", "10%", "NOT"), row("HP:3", "", aspect="I")]
    assert list(ontologies.hpo_annotations(rows)) == [Related("HP:1", "sign of", "Gout", "HPO", 0.9)]


def test_categories_that_the_american_edition_left_out_belong_to_the_section_before() -> None:
    xml = b"""<tabular><chapter><name>1</name><desc>Infections (A00-B99)</desc>
      <section id="B20-B20"><desc>HIV (B20)</desc><diag><name>B20</name><desc>HIV disease</desc></diag></section>
      <section id="B25-B34"><desc>Other</desc><diag><name>B25</name><desc>Measles</desc></diag></section>
    </chapter></tabular>"""
    found = {name for r in codes.icd10(xml) if r.id == "ICD10:B20-B20" for name, how in r.names if how == "code"}
    assert found == {"B21", "B22", "B23", "B24"}


def test_a_product_of_one_ingredient_is_one_whatever_it_is_made_of() -> None:
    row = ["1", "1", "CAPSULE", "", "0", "CREON", "PANCRELIPASE (AMYLASE;LIPASE;PROTEASE)", "0"]
    (record,) = drugs.fda_products([row])
    assert isinstance(record, Record)
    assert (record.label, record.names) == ("pancrelipase", [("Creon", "brand")])
