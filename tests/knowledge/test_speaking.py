"""Names and relations as witnesses: what they say alone, and what C-sanitized makes of it."""

from __future__ import annotations

from math import log2

import pytest

from taciturn import CSanitized, Knowledge, check, sanitize
from taciturn.knowledge import ContextCounts
from taciturn.knowledge.lexicon import Lexicon, LexiconBuilder
from taciturn.knowledge.matter import concepts_named, parts
from taciturn.knowledge.relations import RelationRow, Relations, pack_relations
from taciturn.knowledge.relations.shares import Shares, pack_shares, pack_words
from taciturn.knowledge.speaking import speaking
from taciturn.language import key


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    builder = LexiconBuilder(["tiny"], key)
    fibrosis = builder.add("cystic fibrosis", "condition", ["tiny"])
    builder.name(fibrosis, "CF", "abbreviation", ["tiny"])
    builder.name(fibrosis, "E84.0", "code", ["tiny"])
    failure = builder.add("cardiac failure", "condition", ["tiny"])
    builder.name(failure, "CF", "abbreviation", ["tiny"])
    builder.add("elexacaftor", "medication", ["tiny"])
    builder.add("Trikafta", "medication", ["tiny"])
    builder.add("pancrelipase", "medication", ["tiny"])
    builder.add("pancreatitis", "condition", ["tiny"])
    builder.add("arm pain", "condition", ["tiny"])
    return Lexicon(builder.arrays(), ["tiny"])


@pytest.fixture(scope="module")
def knowledge(lexicon: Lexicon) -> Knowledge:
    rows = [
        RelationRow(2, "treats", 0, 1, 1.0),
        RelationRow(3, "contains", 2, 1, 1.0),
        RelationRow(4, "treats", 0, 1, 1.0),
        RelationRow(4, "treats", 5, 1, 1.0),
    ]
    relations = Relations(pack_relations(rows, len(lexicon)), ["tiny"], lexicon)
    # Of the condition one context of sixteen tells: four bits. Its drugs were never counted.
    contexts = [{"cystic fibrosis", "patient"}, *({"patient", "note"} for _ in range(15))]
    shares = Shares(pack_shares(relations, range(len(lexicon))) | pack_words(lexicon), ["tiny"], lexicon)
    return Knowledge(ContextCounts(contexts), lexicon=lexicon, relations=shares)


def test_a_name_says_all_and_a_shared_abbreviation_its_share(knowledge: Knowledge) -> None:
    said = knowledge.witnesses.speaking(key("cystic fibrosis"))
    assert said["cystic fibrosis"].bits == 4.0
    assert said["E84.0"].bits == 4.0
    assert said["CF"].bits == 4.0 - 1.0


def test_a_relation_says_the_share_among_what_the_expression_is_related_to(knowledge: Knowledge) -> None:
    said = knowledge.witnesses.speaking(key("cystic fibrosis"))
    assert (said["elexacaftor"].bits, said["elexacaftor"].says) == (4.0, "treats")
    assert said["pancrelipase"].bits == pytest.approx(4.0 + log2(1 / 2), abs=0.01)
    assert said["trikafta"].bits == 4.0, "a brand speaks by what it contains"
    assert said["elexacaftor"].sources == ("tiny",)


def test_a_word_of_its_name_says_the_share_among_conditions_that_have_it(knowledge: Knowledge) -> None:
    said = knowledge.witnesses.speaking(key("cystic fibrosis"))
    assert (said["cystic"].says, said["cystic"].bits) == ("a word of its name", 4.0 + log2(1 / 2))
    assert "pain" not in said


def test_nothing_speaks_without_relations_but_names(lexicon: Lexicon) -> None:
    assert set(speaking("cystic fibrosis", [0], 4.0, lexicon)) == {"cystic fibrosis", "CF", "E84.0", "E840"}


@pytest.mark.parametrize("text", ["He takes Trikafta.", "Dx: E84.0, stable.", "Diagnosis: CYSTIC FIBROSIS."])
def test_what_speaks_is_hidden_and_found_by_the_check(text: str, knowledge: Knowledge) -> None:
    model = CSanitized(protect=["cystic fibrosis"], alpha=1.2)
    assert not check(text, model, knowledge).holds
    release = sanitize(text, model, knowledge)
    assert release.certificate.holds
    assert not any(word in release.text.lower() for word in ("trikafta", "e84", "fibrosis"))


def test_what_the_counts_never_saw_can_be_protected(knowledge: Knowledge) -> None:
    release = sanitize("He has left arm pain.", CSanitized(protect=["left arm pain"]), knowledge)
    assert "arm pain" not in release.text


def test_a_phrase_is_understood_in_parts_in_any_order_or_by_its_head(lexicon: Lexicon) -> None:
    assert parts("cystic fibrosis / arm pain (chronic)") == ("cystic fibrosis", "arm pain", "chronic")
    assert concepts_named("fibrosis, cystic", lexicon).concepts == (0,)
    assert concepts_named("left arm pain", lexicon).rests == "a more general name"
    assert concepts_named("zyx", lexicon).concepts == ()
