"""Minimum hitting sets against brute force, and the promises of the result."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers import hitting
from taciturn.solvers.bitsets import antichain, bits
from taciturn.solvers.hitting import minimum_hitting_set

FAMILIES = st.lists(st.frozensets(st.integers(0, 9), min_size=1, max_size=5), max_size=14)


def least_cost(sets: list[frozenset[int]], weights: list[float] | None) -> float:
    elements = sorted(set().union(*sets))
    best = float("inf")
    for size in range(len(elements) + 1):
        for chosen in combinations(elements, size):
            if all(s.intersection(chosen) for s in sets):
                best = min(best, sum(weights[e] for e in chosen) if weights else size)
    return best


@settings(max_examples=300, deadline=None)
@given(FAMILIES)
def test_least_number_of_elements_as_by_brute_force(sets: list[frozenset[int]]) -> None:
    found = minimum_hitting_set(sets)
    assert all(s.intersection(found.chosen) for s in sets)
    assert found.optimal
    assert found.cost == found.bound == len(found.chosen) == least_cost(sets, None)


@settings(max_examples=200, deadline=None)
@given(FAMILIES, st.lists(st.sampled_from([0.5, 1.0, 1.3, 2.0, 7.25]), min_size=10, max_size=10))
def test_least_weight_as_by_brute_force(sets: list[frozenset[int]], weights: list[float]) -> None:
    found = minimum_hitting_set(sets, weights)
    assert all(s.intersection(found.chosen) for s in sets)
    assert found.optimal
    assert found.cost == pytest.approx(least_cost(sets, weights))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("weighted", [False, True])
def test_the_search_by_cores_agrees_with_branch_and_bound(
    seed: int, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    sets = [random.sample(range(24), random.randint(2, 4)) for _ in range(45)]
    weights = [random.randint(10, 30) / 10 for _ in range(24)] if weighted else None
    monkeypatch.setattr(hitting, "WORK", 10**9)
    searched = minimum_hitting_set(sets, weights)
    monkeypatch.setattr(hitting, "WORK", 0)
    by_cores = minimum_hitting_set(sets, weights)
    assert by_cores.optimal
    assert searched.optimal
    assert by_cores.cost == pytest.approx(searched.cost)
    assert all(set(s) & set(by_cores.chosen) for s in sets)


def test_a_time_limit_still_gives_a_choice_and_a_true_bound() -> None:
    random = Random(5)
    sets = [random.sample(range(150), 3) for _ in range(900)]
    found = minimum_hitting_set(sets, time_limit=0.0)
    assert all(set(s) & set(found.chosen) for s in sets)
    assert not found.optimal
    assert 0 < found.bound < found.cost


@pytest.mark.parametrize("sets", [[], [{3}], [{3}, {3, 4}], [{1, 2}, {1, 2}]])
def test_trivial_families(sets: list[set[int]]) -> None:
    found = minimum_hitting_set(sets)
    assert found.optimal
    assert found.cost == min(len(sets), 1)


def test_bad_input_is_refused_with_the_value() -> None:
    with pytest.raises(ValueError, match="empty set"):
        minimum_hitting_set([{1}, set()])
    with pytest.raises(ValueError, match="element 4 has no weight"):
        minimum_hitting_set([{1, 4}], weights=[1, 1])
    for weight in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="positive numbers"):
            minimum_hitting_set([{0}], weights=[weight])


@given(st.lists(st.integers(1, 255), max_size=30))
def test_an_antichain_holds_the_minimal_masks_and_no_other(rows: list[int]) -> None:
    expected = {r for r in rows if not any(o != r and o & r == o for o in rows)}
    found = antichain(rows)
    assert set(found) == expected
    assert len(found) == len(expected)


@given(st.sets(st.integers(0, 300)))
def test_bits_are_the_places_of_ones(places: set[int]) -> None:
    assert list(bits(sum(1 << p for p in places))) == sorted(places)


def test_small_families_load_no_solver_library() -> None:
    code = (
        "import sys; from taciturn.solvers.hitting import minimum_hitting_set as m;"
        "m([{i, i + 1, (i * 7) % 12} for i in range(12)]); assert 'pysat' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_many_separate_families_cost_in_proportion() -> None:
    def seconds(n: int) -> float:
        sets = [{5 * i + a, 5 * i + (a + 1) % 5} for i in range(n) for a in range(5)]
        start = process_time()
        assert minimum_hitting_set(sets).cost == 3 * n
        return process_time() - start

    seconds(20)
    assert seconds(400) < 40 * max(seconds(40), 0.005)
