from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.knowledge import ContextCounts
from tacit.knowledge.learned import learn_contexts

KEYS = [f"k{i}" for i in range(6)]
corpora = st.lists(st.sets(st.sampled_from(KEYS), max_size=4), min_size=1, max_size=40)


@given(corpora, st.floats(0, 1), st.integers(1, 3), st.integers(1, 4))
def test_against_the_definition(contexts: list[set[str]], share: float, least: int, most: int) -> None:
    counts = ContextCounts(contexts)
    entities = {"one": ["k0"], "two": ["k1", "k2"]}
    learned = learn_contexts(counts, entities, KEYS, share=share, least=least, most=most)
    for entity, own in entities.items():
        here = [c for c in contexts if c & set(own)]
        told = {}
        for term in set(KEYS) - set(own):
            joint, alone = sum(term in c for c in here), counts.count(term)
            if joint >= least and len(here) >= least:
                lesser = min(alone, len(here))
                pmi = log2(joint * len(contexts) / (alone * len(here)))
                told[term] = pmi * joint / (joint + 1) * lesser / (lesser + 1)
        enough = share * log2(len(contexts) / len(here)) if here else 0
        good = {t for t, bits in told.items() if bits >= enough - 1e-9}
        found = learned.get(entity, frozenset(own)) - set(own)
        assert found <= good
        assert len(found) <= most
        sure = {t for t in good if told[t] > enough + 1e-9}
        assert len(found) >= min(len(sure), most)
        assert all(told[t] <= min((told[f] for f in found), default=0) + 1e-9 for t in sure - found)


def test_unknown_entities_are_left_out() -> None:
    assert learn_contexts(ContextCounts([{"a"}]), {"x": ["unseen"]}, ["a"]) == {}


@pytest.mark.parametrize("most", [1, 2])
def test_the_best_terms_stay(most: int) -> None:
    contexts = [{"HIV", "AIDS", "sex"}] * 5 + [{"sex"}] * 3 + [{"table"}] * 40
    base = learn_contexts(ContextCounts(contexts), {"HIV": ["HIV"]}, ["AIDS", "sex", "table"], most=most)
    assert base["HIV"] == {"HIV", *["AIDS", "sex"][:most]}
