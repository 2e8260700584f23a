"""Words as people write them find their concept; unknown ones say so."""

from math import inf

import pytest

from taciturn import CSanitized, Knowledge, sanitize
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, UnknownTermError
from taciturn.knowledge.concept import candidates, find, similar
from taciturn.knowledge.taxonomies.flags import GENERAL

KNOWLEDGE = Knowledge.default()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Catholicism", "catholicism"),
        ("hiv", "HIV"),
        ("The HIV", "HIV"),
        ("liver cancers", "liver cancer"),
        ("copd", "COPD"),
        ("hearing aids", "hearing aid"),
        ("aid", "aid"),
        ("cat", "cat"),
        ("us", "us"),
        ("pain", "pain"),
    ],
)
def test_a_text_finds_its_key(text: str, key: str) -> None:
    assert find(text, KNOWLEDGE) == key == KNOWLEDGE.concept(text).key
    assert KNOWLEDGE.count(text) == KNOWLEDGE.counts.count(find(text, KNOWLEDGE)) > 0
    assert KNOWLEDGE.ic(text) < inf


@pytest.mark.parametrize(
    ("text", "label", "other"),
    [
        ("aids", "AIDS", "the noun 'aid'"),
        ("Aids", "AIDS", "the noun 'aid'"),
        ("tb", "tuberculosis", "the noun 'tb' (terbium)"),
        ("ms", "multiple sclerosis", "the noun 'ms'"),
        ("als", "amyotrophic lateral sclerosis", "the word 'als'"),
        ("std", "sexually transmitted disease", "the word 'std'"),
        ("add", "attention deficit hyperactivity disorder, inattentive type", "the word 'add'"),
    ],
)
def test_a_condition_comes_before_an_everyday_word_and_the_other_reading_is_told(
    text: str, label: str, other: str
) -> None:
    concept = KNOWLEDGE.concept(text)
    assert (concept.label, concept.key) == (label, text.upper())
    assert any(other in note for note in concept.notes)


def test_a_plain_reading_is_told_nothing_else() -> None:
    concept = KNOWLEDGE.concept("Catholicism")
    assert concept.notes == ()
    assert (concept.label, concept.source, concept.count) == ("Catholicism", "wordnet", KNOWLEDGE.count("Catholicism"))


def test_a_concept_knows_its_synonyms_and_kinds() -> None:
    tree = EdgeTaxonomy("t", [("lues", "disease"), ("neurosyphilis", "lues")], {"lues": ["syphilis"]})
    concept = Knowledge(ContextCounts([{"syphilis"}, {"neurosyphilis"}], [tree]), (tree,)).concept("Syphilis")
    assert (concept.label, concept.source, concept.synonyms) == ("lues", "t", ("lues",))
    assert (concept.kinds, concept.count) == (1, 2)


def test_what_only_a_taxonomy_knows_can_be_named_but_not_weighed() -> None:
    tree = EdgeTaxonomy("t", [("darunavir", "drug")])
    knowledge = Knowledge(ContextCounts([{"drug"}]), (tree,))
    assert knowledge.count("Darunavir") == 0
    assert [n.label for n in knowledge.generalizations("Darunavir")] == ["drug"]
    message = r"no figures for 'Darunavir': its corpus never mentions it; name a more general entity \('drug'\), or"
    with pytest.raises(UnknownTermError, match=message):
        knowledge.ic("Darunavir")


@pytest.mark.parametrize("text", ["", "  "])
def test_a_text_without_a_word_names_nothing(text: str) -> None:
    knowledge = Knowledge(ContextCounts([{"drug"}]))
    for ask in (knowledge.count, knowledge.ic, knowledge.concept, knowledge.generalizations, knowledge.find):
        with pytest.raises(UnknownTermError, match="has no word that could be looked up; name a term"):
            ask(text)


def test_unknown_words_say_so_and_name_similar_ones() -> None:
    for ask in (KNOWLEDGE.count, KNOWLEDGE.ic, KNOWLEDGE.concept, KNOWLEDGE.generalizations, KNOWLEDGE.find):
        with pytest.raises(UnknownTermError, match=r"'Syphillis' \(did you mean 'syphilis'"):
            ask("Syphillis")
    with pytest.raises(UnknownTermError, match="'Syphillis'"):
        KNOWLEDGE.pmi("HIV", "Syphillis")
    assert similar("hep c", KNOWLEDGE)[0] == "hepatitis c"
    assert similar("", KNOWLEDGE) == similar("qqqqqq", KNOWLEDGE) == ()


def test_pmi_takes_words() -> None:
    hiv, drug = KNOWLEDGE.find("HIV"), KNOWLEDGE.find("zidovudine")
    assert KNOWLEDGE.pmi("hiv", "Zidovudine") == KNOWLEDGE.counts.pmi(hiv, drug)


def test_everyday_capitals_do_not_win() -> None:
    general = EdgeTaxonomy("words", [("cat", "animal"), ("CAT", "imaging")], flags=[GENERAL])
    assert candidates("cat", Knowledge(ContextCounts([{"cat"}, {"CAT"}]), (general,)))[0] == "cat"


def test_who_protects_aids_protects_the_disease() -> None:
    released = sanitize("She has AIDS and two hearing aids.", CSanitized(protect=["aids"])).text
    assert "AIDS" not in released
    assert "hearing aids" in released
