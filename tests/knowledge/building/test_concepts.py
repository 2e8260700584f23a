"""Subsumption over any taxonomies, against brute force and against the identities of MODELS.md."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.knowledge.building.concepts import circles, key_graph
from taciturn.knowledge.building.merge import Vocabulary
from taciturn.knowledge.building.writing import write_counts
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.storage.pack import finish_pack
from taciturn.knowledge.taxonomies import Concept, PackedTaxonomy, build_taxonomy

WORDS = [f"w{i}" for i in range(9)]


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    n = draw(st.integers(1, 8))
    return draw(st.lists(st.lists(st.integers(0, n - 1), max_size=4), min_size=n, max_size=n))


def reach(below: list[list[int]], start: int) -> set[int]:
    seen, work = {start}, [start]
    while work:
        for other in below[work.pop()]:
            if other not in seen:
                seen.add(other)
                work.append(other)
    return seen


@given(graphs())
def test_circles_are_the_strong_components_lowest_first(below: list[list[int]]) -> None:
    found = circles(below)
    assert sorted(v for c in found for v in c) == list(range(len(below)))
    place = {v: i for i, c in enumerate(found) for v in c}
    for v in range(len(below)):
        for w in range(len(below)):
            assert (place[v] == place[w]) == (w in reach(below, v) and v in reach(below, w))
        assert all(place[w] <= place[v] for w in below[v])


@st.composite
def taxonomies(draw: st.DrawFn) -> list[PackedTaxonomy]:
    made = []
    for t in range(draw(st.integers(1, 2))):
        concepts = []
        for i in range(draw(st.integers(1, 7))):
            parents = draw(st.lists(st.integers(0, i - 1), max_size=2)) if i else []
            names = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 2)), max_size=2))
            label = draw(st.sampled_from(WORDS))
            concepts.append(Concept(str(i), label, tuple(map(str, dict.fromkeys(parents))), tuple(names)))
        made.append(PackedTaxonomy(f"t{t}", build_taxonomy(concepts, str)))
    return made


@st.composite
def occurrences(draw: st.DrawFn) -> dict[str, set[int]]:
    return {w: draw(st.sets(st.integers(0, 11), max_size=5)) for w in WORDS}


def counts_of(folder: Path, sets: dict[str, set[int]], trees: list[PackedTaxonomy], most_pieces: int) -> PackCounts:
    seen = {w: sorted(s) for w, s in sets.items() if s}
    vocabulary = Vocabulary(
        list(seen),
        np.array([len(s) for s in seen.values()], dtype=np.int64),
        np.array([n for s in seen.values() for n in s], dtype=np.uint32),
    )
    pack = folder / "made"
    pack.mkdir()
    write_counts(pack, [vocabulary], 12, trees, most_pieces, 1000, folder, lambda *_: None)
    return PackCounts(finish_pack(pack, folder / "pack", {"parameters": {}}))


@settings(max_examples=60, deadline=None)
@given(taxonomies(), occurrences(), st.sampled_from([1, 2, 64]))
def test_counts_are_unions_over_the_graph_and_keep_the_identities(
    trees: list[PackedTaxonomy], sets: dict[str, set[int]], most_pieces: int
) -> None:
    if not any(sets.values()):
        return
    graph = key_graph(trees)
    with TemporaryDirectory() as name:
        counts = counts_of(Path(name), sets, trees, most_pieces)
        whole = {}
        for key in WORDS:
            if key in graph.keys:
                below = reach(graph.below, graph.keys.index(key))
                names = [graph.keys[v] for v in below if v < len(graph.keys)]
                whole[key] = set().union(*(sets[n] for n in names))
            else:
                whole[key] = sets[key]
            assert set(counts.contexts(key)) == whole[key]
        pairs = [(a, b) for a in WORDS for b in WORDS]
        assert counts.count_many(pairs).tolist() == [len(whole[a] & whole[b]) for a, b in pairs]
        # With few entities their contexts are looked through, with many whole sets are compared: it is all the same.
        for entities in (WORDS[:1], WORDS[1:3], WORDS):
            expected = [[len(whole[k]) for k in WORDS], *([len(whole[e] & whole[k]) for k in WORDS] for e in entities)]
            for asked in (WORDS[:2], WORDS):
                assert counts.table(entities, asked).tolist() == [row[: len(asked)] for row in expected]
        triples = [(a, b, c) for a in WORDS[:3] for b in WORDS for c in WORDS]
        assert counts.count_many(triples).tolist() == [len(whole[a] & whole[b] & whole[c]) for a, b, c in triples]
        first = {}  # the taxonomy that a key belongs to: the first that knows it
        for tree in reversed(trees):
            first.update(dict.fromkeys(tree.key_table, tree))
        for c, tree in first.items():
            if not whole[c]:
                continue
            node = tree.senses(c)[0]
            for g in tree.ancestors(node):
                if tree.senses(g.key)[0] == g:
                    assert counts.pmi(c, g.key) == counts.ic(g.key)
            for below in (node, *tree.descendants(node)):
                for s in tree.keys(below):
                    if tree.senses(s)[0] == below and first[s] is tree and whole[s]:
                        assert counts.pmi(c, s) == counts.ic(c)


def test_an_ambiguous_word_counts_for_its_first_sense_only(tmp_path: Path) -> None:
    concepts = [
        Concept("1", "animal"),
        Concept("2", "horse", ("1",), (("horse", 0),)),
        Concept("3", "drug"),
        Concept("4", "heroin", ("3",), (("horse", 1),)),
    ]
    tree = PackedTaxonomy("t", build_taxonomy(concepts, str))
    counts = counts_of(tmp_path, {"horse": {1, 2}, "heroin": {3}}, [tree], 64)
    assert (counts.count("animal"), counts.count("drug"), counts.count("animal", "drug")) == (2, 1, 0)


def test_a_date_counts_for_its_year_its_decade_and_its_century(tmp_path: Path) -> None:
    counts = counts_of(tmp_path, {"march 1984": {1}, "1984": {2}, "1987": {3}, "1899": {4}, "47": {5}}, [], 64)
    asked = [["march 1984"], ["1984"], ["1980s"], ["20th century"], ["march 1984", "20th century"], ["forties"]]
    assert counts.count_many(asked).tolist() == [1, 2, 3, 3, 1, 0]
