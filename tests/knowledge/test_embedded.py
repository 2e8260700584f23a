"""The pack that ships inside: sound, small, and with figures that make sense."""

import random

import pytest

from taciturn.knowledge import Knowledge
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.storage.pack import embedded_pack, open_pack, verify_pack

KNOWLEDGE = Knowledge.default()
COUNTS = KNOWLEDGE.counts


def test_it_is_as_built_and_small() -> None:
    pack = open_pack(embedded_pack())
    verify_pack(pack)
    assert sum(f["size"] for f in pack.manifest["files"].values()) <= 90_000_000
    assert all(entry.get("licence") for s in pack.manifest["sources"] for entry in s.get("inputs", [s]))


@pytest.mark.parametrize(
    ("term", "low", "high"),
    [
        ("AIDS", 0.8, 1.0),
        ("antiretroviral therapy", 0.85, 1.0),
        ("syphilis", 0.6, 0.85),
        ("blood transfusion", 0.45, 0.7),
        ("immune system", 0.45, 0.7),
        ("influenza", 0.4, 0.65),
        ("gay", 0.3, 0.55),
        ("patient", 0.2, 0.45),
        ("table", -1.0, 0.1),
        ("london", -1.0, 0.1),
    ],
)
def test_what_terms_say_of_hiv(term: str, low: float, high: float) -> None:
    assert low <= COUNTS.pmi("HIV", term) / COUNTS.ic("HIV") <= high


def test_identities_hold_for_what_is_offered_as_a_generalization() -> None:
    assert isinstance(COUNTS, PackCounts)
    keys = random.Random(5).sample(list(COUNTS.keys()), 300)
    checked = 0
    for key in keys:
        taxonomy = KNOWLEDGE.taxonomy_of(key)
        if taxonomy is None or taxonomy.name == "values":
            continue
        for node in taxonomy.generalizations(key):
            if taxonomy.senses(node.key)[0] == node:
                assert COUNTS.pmi(key, node.key) == COUNTS.ic(node.key), (key, node)
                checked += 1
        # What names the unreadable tops of a taxonomy counts as a word, see building/concepts.py.
        for synonym in taxonomy.synonyms(key) if taxonomy.readable(taxonomy.senses(key)[0]) else ():
            own = KNOWLEDGE.taxonomy_of(synonym)
            if own is taxonomy and taxonomy.senses(synonym)[0] == taxonomy.senses(key)[0]:
                assert COUNTS.pmi(key, synonym) == COUNTS.ic(key), (key, synonym)
                checked += 1
    assert checked > 200


def test_ambiguous_words_do_not_count_for_their_rarer_senses() -> None:
    assert COUNTS.count("horse", "heroin") < 0.2 * COUNTS.count("heroin")
    assert COUNTS.count("drug") < COUNTS.total / 10


def test_joint_counts_are_those_of_whole_sets() -> None:
    """Codes are looked through for an entity's contexts; the sets themselves say the same, unions and phrases too."""
    counts = Knowledge.open(embedded_pack()).counts
    assert isinstance(counts, PackCounts)
    keys = [*random.Random(6).sample(list(counts.keys()), 150), "disease", "blood transfusion", "patient", "zyxzyx"]
    sets = {k: counts.contexts(k) for k in keys}
    for entity in ("HIV", "new york city"):
        whole = counts.contexts(entity)
        assert counts.table([entity], keys)[1].tolist() == [len(whole & sets[k]) for k in keys]
        groups = [(entity, a, b) for a, b in zip(keys, reversed(keys), strict=True)]
        assert counts.count_many(groups).tolist() == [len(whole & sets[a] & sets[b]) for _, a, b in groups]


def test_pairs_with_an_entity_are_counted_like_whole_sets() -> None:
    counts = Knowledge.default().counts
    terms = ["patient", "virus", "infection", "HIV", "AIDS", "no such key", "city", "city", "blood", "viruses", "table"]
    groups = [("HIV", a, b) for a in terms for b in terms]
    counts.table(["HIV"], ["patient"])  # now the neighbours of the entity are known
    whole = [len(counts.contexts(e) & counts.contexts(a) & counts.contexts(b)) for e, a, b in groups]
    assert counts.count_many(groups).tolist() == whole
    assert sum(n > 0 for n in whole) > 50
