"""What terms generalize to in the embedded taxonomies, as a reader would accept it."""

import json
from pathlib import Path

import pytest

import taciturn
from taciturn.knowledge.taxonomies import PRIORITY, PackedTaxonomy, open_taxonomies
from taciturn.language import key

PACK = Path(taciturn.__file__).parent / "packs" / "en"
LADDERS = json.loads((Path(__file__).parent / "ladders.json").read_text(encoding="utf-8"))


def holds(case: dict[str, object]) -> bool:
    k = key(str(case["term"]))
    first = next((t for t in open_taxonomies(PACK) if t.senses(k)), None)
    if first is None or first.name != case["taxonomy"]:
        return False
    labels = iter([n.label for n in first.generalizations(k)])
    ladder = case["ladder"]
    assert isinstance(ladder, list)
    return all(label in labels for label in ladder)


def test_exactly_the_known_ladders_fail() -> None:
    assert sorted(c["term"] for c in LADDERS["cases"] if not holds(c)) == LADDERS["known_failures"]


@pytest.fixture(scope="module")
def wordnet() -> PackedTaxonomy:
    return PackedTaxonomy.open(PACK / "wordnet.taxonomy")


def test_the_taxonomies_stand_in_order() -> None:
    assert tuple(t.name for t in open_taxonomies(PACK)) == PRIORITY


def test_wordnet_has_its_figures(wordnet: PackedTaxonomy) -> None:
    wordnet.verify()
    assert len(wordnet) == 82_115
    (entity,) = (wordnet.node(n) for n in range(len(wordnet)) if not wordnet.parent_numbers(n))
    assert entity.label == "entity"
    leaves = sum(1 for n in range(len(wordnet)) if not wordnet.child_numbers(n))
    assert wordnet.volume(entity) == leaves
    assert not wordnet.readable(entity)


def test_volumes_grow_along_every_chain(wordnet: PackedTaxonomy) -> None:
    for number in range(0, len(wordnet), 97):
        chain = wordnet.chain(wordnet.node(number))
        volumes = [wordnet.volume(n) for n in chain]
        assert volumes == sorted(volumes)
        assert [wordnet.depth(n) for n in chain] == sorted((wordnet.depth(n) for n in chain), reverse=True)
        if not wordnet.child_numbers(number):
            assert volumes[0] == 1


def test_volumes_are_the_leaves_counted_one_by_one(wordnet: PackedTaxonomy) -> None:
    for name in ("state capital", "disease", "dog", "drug", "person", "physicist"):
        node = wordnet.senses(name)[0]
        below = wordnet.descendant_numbers(int(node.id)).tolist()
        assert wordnet.volume(node) == sum(1 for n in below if not wordnet.child_numbers(n))


@pytest.mark.parametrize("name", [n for n in PRIORITY if n != "values"])
def test_every_file_says_where_it_came_from(name: str) -> None:
    taxonomy = PackedTaxonomy.open(PACK / f"{name}.taxonomy")
    taxonomy.verify()
    assert all(i["licence"] and i["sha256"] and i["origin"] for i in taxonomy.source["inputs"])
    for number in range(0, len(taxonomy), 501):
        node = taxonomy.node(number)
        assert node in taxonomy.senses(node.key)
        assert all(taxonomy.depth(p) < taxonomy.depth(node) for p in taxonomy.parents(node))


def test_no_place_below_a_state_passes_for_one() -> None:
    places = PackedTaxonomy.open(PACK / "places.taxonomy")
    for town in ("Sacramento", "Rancho Cordova", "Springfield", "Los Angeles", "Sacramento County"):
        (node, *_) = places.senses(key(town))
        assert places.depth(node) > 3
        allowed = [n.label for n in places.generalizations(node) if places.depth(n) <= 3]
        assert allowed[1:] == ["United States", "North America", "place"]
