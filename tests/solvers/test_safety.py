"""K-safety: exact against brute force on thousands of small bases, safe by the definition, and defined on bad bases."""

from __future__ import annotations

from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers import safety
from taciturn.solvers.safety import fewest_removals, greedy_removals, levelwise_removals, violations
from taciturn.solvers.unsafe import View, minimal_unsafe_sets

TERMS = "abcdefg"
BASES = st.dictionaries(st.sampled_from([f"e{i}" for i in range(9)]), st.frozensets(st.sampled_from(TERMS)), min_size=1)
Base = dict[str, frozenset[str]]


def random_base(random: Random, entities: int, terms: str, most: int) -> Base:
    return {f"e{i}": frozenset(random.sample(terms, random.randint(0, most))) for i in range(entities)}


def safe(base: Base, protected: list[str], terms: frozenset[str] | set[str], k: int) -> bool:
    """The definition in MODELS.md, word by word."""
    for e in protected:
        shown = base[e] & terms
        if shown and sum(1 for f in base if f != e and base[f] >= shown) < k:
            return False
    return True


def least(base: Base, protected: list[str], terms: str, k: int, weights: dict[str, float] | None) -> float:
    best = float("inf")
    for size in range(len(terms) + 1):
        for removed in combinations(terms, size):
            if safe(base, protected, set(terms) - set(removed), k):
                best = min(best, sum(weights[t] for t in removed) if weights else size)
    return best


@pytest.mark.parametrize("seed", range(20))
def test_exact_as_by_brute_force_on_thousands_of_bases(seed: int) -> None:
    random = Random(seed)
    for _ in range(120):
        base = random_base(random, random.randint(1, 14), TERMS, random.randint(1, 7))
        protected = random.sample(sorted(base), random.randint(1, len(base)))
        k = random.choice([1, 1, 2, 3])
        weights = {t: random.choice([0.5, 1, 2, 3.75]) for t in TERMS} if random.random() < 0.4 else None
        found = fewest_removals(base, protected, TERMS, k, weights)
        assert found.optimal
        assert found.cost == found.bound == pytest.approx(least(base, protected, TERMS, k, weights))
        assert safe(base, protected, set(TERMS) - set(found.removed), k)


@pytest.mark.parametrize("seed", range(6))
def test_sets_found_as_needed_give_the_same_optimum(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    monkeypatch.setattr(safety, "NODES", 2)
    for _ in range(60):
        base = random_base(random, random.randint(2, 14), TERMS, random.randint(1, 7))
        protected = random.sample(sorted(base), random.randint(1, len(base)))
        k = random.choice([1, 2, 3])
        weights = {t: random.choice([0.5, 1, 2, 3.75]) for t in TERMS} if random.random() < 0.4 else None
        found = fewest_removals(base, protected, TERMS, k, weights)
        assert found.optimal
        assert found.cost == pytest.approx(least(base, protected, TERMS, k, weights))
        assert not violations(base, protected, set(TERMS) - set(found.removed), k)


@settings(max_examples=200, deadline=None)
@given(BASES, st.data(), st.integers(1, 3))
def test_every_way_is_safe_and_none_beats_the_exact_one(base: Base, data: st.DataObject, k: int) -> None:
    protected = data.draw(st.lists(st.sampled_from(sorted(base)), unique=True))
    exact = fewest_removals(base, protected, TERMS, k)
    greedy = greedy_removals(base, protected, TERMS, k)
    level = levelwise_removals(base, protected, TERMS, k)
    assert level.optimal
    assert level.cost == exact.cost <= greedy.cost
    assert greedy.bound <= exact.cost
    for found in (exact, greedy, level):
        kept = set(TERMS) - set(found.removed)
        assert not violations(base, protected, kept, k)
        assert set(found.witnesses) == {e for e in protected if base[e] & kept}
        for entity, others in found.witnesses.items():
            assert len(set(others) - {entity}) == k
            assert all(base[o] >= base[entity] & kept for o in others)
    for back in greedy.removed:
        assert violations(base, protected, set(TERMS) - set(greedy.removed) | {back}, k)


@settings(max_examples=200, deadline=None)
@given(BASES, st.data(), st.integers(1, 3))
def test_parts_of_a_safe_set_are_safe(base: Base, data: st.DataObject, k: int) -> None:
    protected = data.draw(st.lists(st.sampled_from(sorted(base)), unique=True))
    whole = data.draw(st.frozensets(st.sampled_from(TERMS)))
    part = data.draw(st.frozensets(st.sampled_from(sorted(whole)))) if whole else whole
    if not violations(base, protected, whole, k):
        assert not violations(base, protected, part, k)


@settings(max_examples=200, deadline=None)
@given(BASES, st.data(), st.integers(1, 3))
def test_violations_are_the_definition(base: Base, data: st.DataObject, k: int) -> None:
    protected = data.draw(st.lists(st.sampled_from(sorted(base)), unique=True))
    terms = data.draw(st.frozensets(st.sampled_from(TERMS)))
    found = violations(base, protected, terms, k)
    assert bool(found) != safe(base, protected, terms, k)
    for d in found:
        assert d.terms == base[d.entity] & terms
        assert set(d.others) == {f for f in base if f != d.entity and base[f] >= d.terms}


@settings(max_examples=200, deadline=None)
@given(BASES, st.data(), st.integers(1, 3))
def test_minimal_unsafe_sets_are_all_of_them_and_minimal(base: Base, data: st.DataObject, k: int) -> None:
    protected = data.draw(st.lists(st.sampled_from(sorted(base)), unique=True))
    masks = {e: sum(1 << TERMS.index(t) for t in base[e]) for e in base}
    view = View.of([(masks[e], e in protected) for e in base], len(TERMS), k)
    found, complete = minimal_unsafe_sets(view, 10**6, 10**6)
    bad = [
        {t for i, t in enumerate(TERMS) if m >> i & 1}
        for m in range(1, 2 ** len(TERMS))
        if not safe(base, protected, {t for i, t in enumerate(TERMS) if m >> i & 1}, k)
    ]
    expected = {frozenset(b) for b in bad if not any(o < b for o in bad)}
    assert complete
    assert {frozenset(t for i, t in enumerate(TERMS) if m >> i & 1) for m in found} == expected
    assert len(found) == len(expected)


def test_the_illustration_of_the_paper_costs_one_of_three_symptoms() -> None:
    base = {
        "HIV": {"weight loss", "sweating", "fatigue", "headache"},
        "influenza": {"sweating", "fatigue", "headache"},
        "diabetes": {"weight loss", "fatigue", "headache"},
        "tuberculosis": {"weight loss", "sweating", "headache"},
        "insomnia": {"insomnia", "fatigue", "headache"},
        "indigestion": {"digestive problem", "weight loss"},
    }
    terms = ["weight loss", "insomnia", "sweating", "fatigue", "digestive problem", "headache"]
    found = fewest_removals(base, ["HIV"], terms)
    assert len(found.removed) == 1
    assert found.removed[0] in {"weight loss", "sweating", "fatigue"}
    light = fewest_removals(base, ["HIV"], terms, weights={"weight loss": 2, "fatigue": 2})
    assert light.removed == ("sweating",)
    assert light.witnesses == {"HIV": ("diabetes",)}


class TestBadBases:
    def test_entities_with_equal_contexts_hide_each_other(self) -> None:
        base = {"a": {"x", "y"}, "b": {"y", "x"}}
        assert fewest_removals(base, ["a", "b"], ["x", "y"]).removed == ()
        assert set(fewest_removals(base, ["a", "b"], ["x", "y"], k=2).removed) == {"x", "y"}

    def test_empty_contexts_are_never_touched_and_fit_nothing(self) -> None:
        base: dict[str, set[str]] = {"a": {"x"}, "b": set(), "c": set()}
        assert fewest_removals(base, ["b"], ["x"]).removed == ()
        assert fewest_removals(base, ["a"], ["x"]).removed == ("x",)

    def test_an_entity_that_the_base_does_not_hold_is_refused_by_name(self) -> None:
        for way in (fewest_removals, greedy_removals, levelwise_removals, violations):
            with pytest.raises(ValueError, match="no entity 'HIV'"):
                way({"flu": {"fever"}}, ["HIV"], ["fever"])

    def test_a_text_for_a_list_is_refused(self) -> None:
        with pytest.raises(ValueError, match="put it in a list"):
            fewest_removals({"HIV": {"fever"}}, "HIV", ["fever"])

    def test_k_above_the_base_leaves_nothing_of_the_protected(self) -> None:
        base = {"a": {"x", "y"}, "b": {"x", "z"}}
        found = fewest_removals(base, ["a"], ["x", "y", "z"], k=5)
        assert found.removed == ("x", "y")
        assert found.optimal
        assert found.witnesses == {}

    @pytest.mark.parametrize("k", [0, -3])
    def test_k_below_one_is_refused(self, k: int) -> None:
        with pytest.raises(ValueError, match=f"not {k}"):
            fewest_removals({"a": {"x"}}, ["a"], ["x"], k=k)

    @pytest.mark.parametrize("weight", [0.0, -1.0, float("inf"), float("nan")])
    def test_weights_that_are_not_positive_numbers_are_refused(self, weight: float) -> None:
        with pytest.raises(ValueError, match="positive numbers"):
            fewest_removals({"a": {"x"}}, ["a"], ["x"], weights={"x": weight})

    def test_any_text_is_a_term(self) -> None:
        base = {"a": {"発熱", "α-1, type (b)", ""}, "b": {"発熱"}}
        assert fewest_removals(base, ["a"], ["発熱", "α-1, type (b)", "", "発熱"]).removed == ("α-1, type (b)", "")

    def test_nothing_to_do(self) -> None:
        assert fewest_removals({}, [], []).removed == ()
        assert fewest_removals({"a": {"x"}}, [], ["x"]).removed == ()
        assert fewest_removals({"a": {"x"}}, ["a"], ["unheard of"]).removed == ()


def test_order_of_entities_does_not_change_the_answer() -> None:
    random = Random(3)
    base = random_base(random, 60, "abcdefghijkl", 6)
    entities = sorted(base)
    protected = entities[:20]
    first = fewest_removals(base, protected, list("abcdefghijkl"))
    random.shuffle(entities)
    again = fewest_removals({e: base[e] for e in entities}, protected[::-1], list("abcdefghijkl"))
    assert again == first


def test_long_contexts_that_many_share_cost_little() -> None:
    """2 ** n sets are safe, but few of them are free."""

    def seconds(n: int) -> float:
        terms = [f"t{i}" for i in range(n)]
        base = {f"e{i}": set(terms) for i in range(3)} | {f"f{i}": {terms[i]} for i in range(n)}
        start = process_time()
        assert fewest_removals(base, ["e0"], terms, k=2).removed == ()
        return process_time() - start

    seconds(40)
    assert seconds(80) < 40 * max(seconds(40), 0.001)


def test_a_time_limit_gives_a_safe_removal_and_a_bound() -> None:
    random = Random(1)
    terms = [f"t{i}" for i in range(60)]
    base = {f"e{i}": frozenset(random.sample(terms, 12)) for i in range(600)}
    protected = [f"e{i}" for i in range(300)]
    found = fewest_removals(base, protected, terms, time_limit=0.0)
    assert not violations(base, protected, set(terms) - set(found.removed))
    assert 0 <= found.bound <= found.cost
    stopped = levelwise_removals(base, protected, terms, time_limit=0.01)
    assert not stopped.optimal
    assert not violations(base, protected, set(terms) - set(stopped.removed))
