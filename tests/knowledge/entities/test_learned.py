from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge import ContextCounts
from taciturn.knowledge.entities.learned import learn_contexts

KEYS = [f"k{i}" for i in range(6)]
corpora = st.lists(st.sets(st.sampled_from(KEYS), max_size=4), min_size=1, max_size=40)


@given(corpora, st.floats(0, 1), st.integers(1, 3), st.integers(1, 4))
def test_against_the_definition(contexts: list[set[str]], share: float, least: int, most: int) -> None:
    counts = ContextCounts(contexts)
    entities = {"one": ["k0"], "two": ["k1", "k2"]}
    learned = learn_contexts(counts, entities, KEYS, share=share, least=least, most=most)
    where = {k: frozenset(i for i, c in enumerate(contexts) if k in c) for k in KEYS}
    concepts = {frozenset(k for k in KEYS if where[k] == there) for there in where.values() if there}
    for entity, own in entities.items():
        here = frozenset().union(*(where[k] for k in own))
        told, weight = {}, {}
        for concept in concepts:
            there = where[min(concept)]
            joint, lesser = len(here & there), min(len(here), len(there))
            if joint >= least and len(here) >= least and not concept & set(own) and not here < there:
                pmi = log2(joint * len(contexts) / (len(there) * len(here)))
                told[concept] = pmi * joint / (joint + 1) * lesser / (lesser + 1)
                weight[concept] = joint * told[concept]
        enough = share * log2(len(contexts) / len(here)) if here else 0
        sure = {c for c, bits in told.items() if bits > enough + 1e-9}
        first, *found = learned.get(entity, [frozenset(own)])
        assert first == set(own)
        assert len(found) == len(set(found)) <= most
        assert all(c in told and told[c] >= enough - 1e-9 for c in found)
        assert len(found) >= min(len(sure), most)
        assert all(weight[c] <= min((weight[f] for f in found), default=0) + 1e-9 for c in sure - set(found))


def test_unknown_entities_are_left_out() -> None:
    assert learn_contexts(ContextCounts([{"a"}]), {"x": ["unseen"]}, ["a"]) == {}


@pytest.mark.parametrize("most", [1, 2])
def test_the_best_terms_stay(most: int) -> None:
    contexts = [{"HIV", "AIDS", "sex"}] * 5 + [{"HIV", "table"}] + [{"sex"}] * 3 + [{"table"}] * 40
    base = learn_contexts(ContextCounts(contexts), {"HIV": ["HIV"]}, ["AIDS", "sex", "table"], most=most)
    assert base["HIV"] == [{"HIV"}, {"AIDS"}, {"sex"}][: most + 1]


def test_generalizations_are_no_context() -> None:
    contexts = [{"HIV", "virus"}] * 5 + [{"virus"}] + [{"table"}] * 40
    assert learn_contexts(ContextCounts(contexts), {"HIV": ["HIV"]}, ["virus", "table"]) == {}
