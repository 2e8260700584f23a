from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge import EdgeTaxonomy
from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.knowledge.taxonomies import Concept, PackedTaxonomy, build_taxonomy


@st.composite
def dags(draw: st.DrawFn) -> dict[str, list[str]]:
    """Node -> parents, in an order drawn at random, names n0 n1 ..., edges from higher to lower numbers."""
    size = draw(st.integers(1, 14))
    parents = {
        f"n{i}": [f"n{j}" for j in draw(st.lists(st.integers(0, i - 1), max_size=3)) if i] for i in range(1, size)
    }
    parents["n0"] = []
    return {name: parents[name] for name in draw(st.permutations(sorted(parents)))}


def packed(parents: dict[str, list[str]]) -> PackedTaxonomy:
    concepts = [Concept(n, n.upper(), tuple(dict.fromkeys(p))) for n, p in parents.items()]
    return PackedTaxonomy("t", build_taxonomy(concepts, str.lower))


def below(parents: dict[str, list[str]], node: str) -> set[str]:
    found = {node}
    while more := {n for n, ps in parents.items() if n not in found and found & set(ps)}:
        found |= more
    return found


@given(dags())
def test_volumes_depths_and_descendants_against_brute_force(parents: dict[str, list[str]]) -> None:
    tree = packed(parents)
    inner = {p for ps in parents.values() for p in ps}
    longest = dict.fromkeys(parents, 0)
    for _ in parents:
        longest = {n: max((longest[p] + 1 for p in parents[n]), default=0) for n in parents}
    for name in parents:
        node = tree.senses(name)[0]
        under = below(parents, name)
        assert {n.key for n in tree.descendants(node)} == under - {name}
        assert tree.volume(node) == len(under - inner)
        assert tree.depth(node) == longest[name]
        for depth in range(len(parents)):
            assert tree.volume_at(node, depth) == sum(1 for n in under if longest[n] == depth)
        assert tree.volume_at(node, tree.depth(node)) == 1


@given(dags())
def test_agrees_with_the_plain_taxonomy(parents: dict[str, list[str]]) -> None:
    tree = packed(parents)
    edges = [(n, p) for n, ps in parents.items() for p in dict.fromkeys(ps)]
    plain = EdgeTaxonomy("t", edges, {n: [] for n in parents})
    for name in parents:
        a, b = tree.senses(name)[0], plain.senses(name)[0]
        assert [n.key for n in tree.parents(a)] == [n.key for n in plain.parents(b)]
        assert {n.key for n in tree.children(a)} == {n.key for n in plain.children(b)}
        assert [n.key for n in tree.generalizations(name)] == [n.key for n in plain.generalizations(name)]
        assert [n.key for n in tree.chain(a)] == [n.key for n in plain.chain(b)]
        assert (tree.volume(a), tree.depth(a)) == (plain.volume(b), plain.depth(b))


@given(dags())
def test_nothing_comes_before_what_it_is_above(parents: dict[str, list[str]]) -> None:
    tree = packed(parents)
    for name in parents:
        ladder = [n.key for n in tree.generalizations(name)]
        assert all(a not in below(parents, b) for i, b in enumerate(ladder) for a in ladder[i + 1 :])


def test_names_senses_and_labels() -> None:
    concepts = [
        Concept("top", "entity", readable=False),
        Concept("city", "city", ("top",)),
        Concept("ny", "New York", ("city",), (("New York City", 0), ("NYC", 0))),
        Concept("bird", "turkey", ("top",), (("turkey", 1),)),
        Concept("tr", "Turkey", ("top",), (("Turkey", 0), ("Republic of Turkey", 0))),
        Concept("pd", "Parkinson's Disease (PD)", ("top",)),
    ]
    tree = PackedTaxonomy("t", build_taxonomy(concepts, lambda text: text if text.isupper() else text.lower()))
    assert [n.label for n in tree.senses("turkey")] == ["Turkey", "turkey"]
    assert tree.synonyms("NYC") == ("new york", "new york city")
    assert tree.senses("NYC")[0].label == "New York"
    assert tree.senses("parkinson's disease (pd)")[0].label == "Parkinson's Disease (PD)"
    assert [n.label for n in tree.generalizations("new york")] == ["city"]
    assert [n.label for n in tree.ancestors(tree.senses("new york")[0])] == ["city", "entity"]
    assert tree.senses("york") == () == tree.generalizations("york")


def test_an_ancestor_with_the_terms_own_name_is_no_generalization() -> None:
    concepts = [
        Concept("a", "disease"),
        Concept("b", "malaria", ("a",)),
        Concept("c", "malaria", ("b",), (("ague", 0),)),
    ]
    tree = PackedTaxonomy("t", build_taxonomy(concepts, str.lower))
    assert [n.label for n in tree.generalizations("ague")] == ["disease"]


@pytest.mark.parametrize(
    ("concepts", "message"),
    [
        ([Concept("a", "a"), Concept("a", "b")], "'a' is given twice"),
        ([Concept("a", "a", ("x",))], "under 'x', which is not given"),
        ([Concept("a", "a", ("b",)), Concept("b", "b", ("a",))], "runs in a circle through 'a'"),
    ],
)
def test_bad_concepts_are_refused(concepts: list[Concept], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_taxonomy(concepts, str.lower)


def test_file_round_trip_and_damage(tmp_path: Path) -> None:
    built = build_taxonomy([Concept("a", "animal"), Concept("d", "dog", ("a",))], str.lower)
    digest = PackedTaxonomy.write(tmp_path / "t.taxonomy", "animals", built, {"licence": "none"})
    tree = PackedTaxonomy.open(tmp_path / "t.taxonomy")
    assert (tree.name, tree.digest, tree.source) == ("animals", digest, {"licence": "none"})
    assert [n.label for n in tree.generalizations("dog")] == ["animal"]
    data = bytearray((tmp_path / "t.taxonomy").read_bytes())
    data[data.rindex(b"animal")] ^= 1
    (tmp_path / "t.taxonomy").write_bytes(data)
    with pytest.raises(DamagedFileError, match="damaged"):
        PackedTaxonomy.open(tmp_path / "t.taxonomy").senses("dog")
