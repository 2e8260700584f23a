"""The exact solvers against brute force, the paper's examples, and the edges: t = 1, t at the top, huge volumes."""

from __future__ import annotations

import itertools
import math
import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers.plausibility import (
    Choice,
    Infeasible,
    cost,
    esearch_prune,
    least_product,
    lub_search,
    uniform,
    uniform_esearch_prune,
)

Chain = list[int]


def chain(largest: int) -> st.SearchStrategy[Chain]:
    return st.lists(st.integers(1, largest), max_size=3).map(lambda volumes: [1, *sorted(volumes)])


# Small volumes make ties, products of primes make gaps, and volumes beyond 2^63 overflow whatever is not an integer.
CHAINS = st.one_of(
    st.lists(chain(4), min_size=1, max_size=6),
    st.lists(chain(40), min_size=1, max_size=5),
    st.lists(chain(2**70), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from([1, 2, 4, 8, 16]), max_size=3).map(lambda v: [1, *sorted(v)]), max_size=6),
)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Chain], int]:
    chains = draw(CHAINS)
    largest = math.prod(c[-1] for c in chains)
    t = draw(st.one_of(st.integers(1, largest), st.just(1), st.just(largest), st.integers(1, min(largest, 100))))
    return chains, t


def every_choice(chains: list[Chain]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All (indices, volumes), in dictionary order of the indices."""
    places = itertools.product(*(range(len(c)) for c in chains))
    return [(p, tuple(c[i] for c, i in zip(chains, p, strict=True))) for p in places]


def consistent(found: Choice, chains: list[Chain], t: int, alpha: float) -> bool:
    return (
        found.volumes == tuple(c[i] for c, i in zip(chains, found.choice, strict=True))
        and found.product == math.prod(found.volumes) >= t
        and found.cost == cost(found.volumes, t, alpha)
    )


@settings(max_examples=2000, deadline=None)
@given(problems())
def test_least_product_is_what_brute_force_finds(problem: tuple[list[Chain], int]) -> None:
    chains, t = problem
    least = min((math.prod(v), p) for p, v in every_choice(chains) if math.prod(v) >= t)
    found = least_product(chains, t)
    assert (found.product, found.choice) == least
    assert found.optimal
    assert found.bound == found.product
    assert consistent(found, chains, t, 1.0)


@settings(max_examples=2000, deadline=None)
@given(problems(), st.sampled_from([0.0, 0.1, 0.5, 0.9, 0.99, 1.0]))
def test_uniform_is_what_brute_force_finds(problem: tuple[list[Chain], int], alpha: float) -> None:
    chains, t = problem
    priced = [(cost(v, t, alpha), math.prod(v), p) for p, v in every_choice(chains) if math.prod(v) >= t]
    least = min(priced)[0]
    found = uniform(chains, t, alpha)
    assert consistent(found, chains, t, alpha)
    assert found.optimal
    assert found.cost == pytest.approx(least, rel=1e-11, abs=1e-12)
    assert found.bound <= found.cost
    # Ties: the least product, then the first indices; what differs by less than rounding may fall either way.
    tied = [(product, p) for price, product, p in priced if price <= least + 1e-13 * (1 + least)]
    near = [(product, p) for price, product, p in priced if price <= least + 1e-10 * (1 + least)]
    if len(tied) == len(near):
        assert (found.product, found.choice) == min(tied)


@settings(max_examples=300, deadline=None)
@given(problems(), st.sampled_from([0.0, 0.5, 0.99]))
def test_the_papers_searches_agree_where_they_are_exact(problem: tuple[list[Chain], int], alpha: float) -> None:
    chains, t = problem
    assert esearch_prune(chains, t).product == least_product(chains, t).product
    exact = uniform(chains, t, alpha)
    pruned = uniform_esearch_prune(chains, t, alpha)
    heuristic = lub_search(chains, t, alpha)
    assert pruned.optimal
    assert pruned.cost == pytest.approx(exact.cost, rel=1e-11, abs=1e-12)
    assert heuristic.cost >= exact.cost - 1e-12
    assert consistent(pruned, chains, t, alpha)
    assert consistent(heuristic, chains, t, alpha)


def random_chains(words: int, seed: int, largest: int = 60_000) -> list[Chain]:
    """Chains that grow by factors, as volumes along hypernyms do."""
    draw = random.Random(seed)
    chains = []
    for _ in range(words):
        chain = [1]
        while chain[-1] < largest and len(chain) < 9:
            chain.append(chain[-1] * draw.randint(1, 6) + draw.randint(0, 5))
        chains.append(chain)
    return chains


@pytest.mark.parametrize("seed", range(5))
def test_both_searches_of_the_least_product_give_the_same_answer(seed: int) -> None:
    # Few words: counting up takes long, the lists decide. Doubling the words by copies that stay at 1 changes nothing.
    chains = random_chains(6, seed)
    t = random.Random(seed).randint(10**6, 10**9)
    alone = least_product(chains, t)
    padded = least_product([[1]] * 20 + chains, t)
    assert alone.product == padded.product
    assert padded.choice == (0,) * 20 + alone.choice
    assert alone.product == min(math.prod(v) for v in itertools.product(*chains) if math.prod(v) >= t)


def test_many_words_beyond_the_lists_are_solved_by_counting_up() -> None:
    found = least_product(random_chains(400, 1), 2**64 + 1)
    assert found.optimal
    assert found.product > 2**64


def test_powers_of_two_are_solved_by_the_lists_where_counting_up_would_not_end() -> None:
    found = least_product([[1, 2, 8, 64]] * 200, 2**500 + 1)
    assert (found.product, found.optimal) == (2**501, True)
    assert found.choice[:-84] == (0,) * (200 - 84)


def test_uniform_with_a_thousand_words_is_proven_for_every_alpha() -> None:
    chains = random_chains(1000, 2)
    for alpha in (0, 0.5, 0.9, 0.99, 1):
        found = uniform(chains, 2**50, alpha)
        assert found.optimal
        assert found.product >= 2**50


def test_feasibility_is_decided_by_integers() -> None:
    # 2^60 and 2^60 + 1 have the same logarithm in floating point.
    chains = [[1, 2**60, 2**60 + 1]]
    assert math.log2(2**60) == math.log2(2**60 + 1)
    assert least_product(chains, 2**60 + 1).choice == (2,)
    assert uniform(chains, 2**60 + 1, 0.5).choice == (2,)
    assert lub_search(chains, 2**60 + 1, 0.5).choice == (2,)
    assert uniform_esearch_prune(chains, 2**60 + 1, 0.5).choice == (2,)


def test_the_costs_of_the_papers_example() -> None:
    assert round(cost((32, 1, 1, 1), t=32, alpha=0.5), 2) == 2.34  # the paper rounds it to 2.33
    assert round(cost((4, 2, 2, 2), t=32, alpha=0.5), 3) == 0.094


def test_example_2_prefers_words_protected_alike() -> None:
    # Figure 2: capital 32, state capital 4; drug, pain and carcinoma 2 each.
    chains = [[1, 4, 32], [1, 2], [1, 2], [1, 2]]
    even = uniform(chains, 32, alpha=0.5)
    assert even.volumes == (4, 2, 2, 2)
    assert even.cost < cost((32, 1, 1, 1), 32, 0.5)
    assert least_product(chains, 32).product == 32


@pytest.mark.parametrize(
    "solve",
    [
        least_product,
        esearch_prune,
        lambda c, t: uniform(c, t, 0.5),
        lambda c, t: uniform_esearch_prune(c, t, 0.5),
        lambda c, t: lub_search(c, t, 0.5),
    ],
)
def test_edges_are_the_same_for_every_solver(solve: object) -> None:
    assert callable(solve)
    assert solve([[1, 2], [1, 3, 3]], 1).choice == (0, 0)
    assert solve([[1, 2], [1, 3, 3]], 6).choice == (1, 1)
    assert solve([], 1).product == 1
    with pytest.raises(Infeasible, match=r"t = 7 cannot be reached.* 6 base texts") as error:
        solve([[1, 2], [1, 3, 3]], 7)
    assert error.value.largest == 6
    with pytest.raises(Infeasible):
        solve([], 2)
    with pytest.raises(ValueError, match="1 or more, not 0"):
        solve([[1]], 0)
    for bad in ([], [2, 3], [1, 3, 2]):
        with pytest.raises(ValueError, match="chain 1 starts with 1"):
            solve([[1], bad], 1)


def test_what_is_not_a_weight_or_a_time_is_refused() -> None:
    with pytest.raises(ValueError, match=r"not 1\.5"):
        uniform([[1]], 1, 1.5)
    with pytest.raises(ValueError, match="not -1"):
        least_product([[1]], 1, time_limit=-1)


@pytest.mark.parametrize("t", [10**9 + 7, 2**80 + 13])
def test_a_time_limit_gives_the_best_found_and_a_proven_bound(t: int) -> None:
    chains = random_chains(12, 5)
    exact = least_product(chains, t, 0)
    assert not exact.optimal
    assert t <= exact.bound <= exact.product
    rushed = uniform(chains, t, 0.5, time_limit=0)
    proven = uniform(chains, t, 0.5)
    assert proven.optimal
    assert rushed.product >= t
    assert rushed.bound <= proven.cost <= rushed.cost
    pruned = esearch_prune(random_chains(40, 6), 10**12 + 39, time_limit=0)
    assert (pruned.optimal, pruned.bound) == (False, 10**12 + 39)
    assert not uniform_esearch_prune(random_chains(60, 6), 2**200, 0.5, time_limit=0).optimal


def test_another_process_gives_the_same_choice() -> None:
    code = (
        "from taciturn.solvers.plausibility import *; "
        "c = [[1, 2, 4, 12], [1, 3, 12], [1, 2, 6, 36]] * 4; "
        "print(least_product(c, 1000).choice, uniform(c, 1000, .5).choice)"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(runs) == 1
