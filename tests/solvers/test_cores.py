"""The parts of the hitting set solver, each against what it promises."""

from __future__ import annotations

from itertools import product
from math import inf

from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers.bitsets import bits, columns
from taciturn.solvers.cores import cheapest_cover
from taciturn.solvers.swaps import greedy_cover, improved_cover

ROWS = st.lists(st.integers(1, 2**9 - 1), min_size=1, max_size=25)
COSTS = st.lists(st.integers(1, 6), min_size=9, max_size=9)


def meets(mask: int, rows: list[int]) -> bool:
    return all(row & mask for row in rows)


def paid(mask: int, cost: list[int]) -> int:
    return sum(cost[e] for e in bits(mask))


@settings(max_examples=300, deadline=None)
@given(ROWS, COSTS)
def test_cores_prove_the_least_cost(rows: list[int], cost: list[int]) -> None:
    mask, least = cheapest_cover(rows, cost, 2**9 - 1, inf)
    assert meets(mask, rows)
    assert paid(mask, cost) == least == min(paid(m, cost) for m in range(2**9) if meets(m, rows))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([(1 << a) | (1 << b) for a, b in product(range(9), repeat=2)]), min_size=1), COSTS)
def test_cores_prove_the_least_cost_where_cliques_abound(rows: list[int], cost: list[int]) -> None:
    mask, least = cheapest_cover(rows, cost, 2**9 - 1, inf)
    assert meets(mask, rows)
    assert paid(mask, cost) == least == min(paid(m, cost) for m in range(2**9) if meets(m, rows))


@settings(max_examples=100, deadline=None)
@given(ROWS, COSTS)
def test_a_passed_deadline_leaves_a_true_bound(rows: list[int], cost: list[int]) -> None:
    mask, least = cheapest_cover(rows, cost, 2**9 - 1, 0.0)
    assert meets(mask, rows)
    assert least <= min(paid(m, cost) for m in range(2**9) if meets(m, rows))


@settings(max_examples=200, deadline=None)
@given(ROWS, COSTS)
def test_greedy_and_local_search_meet_every_row_and_never_get_worse(rows: list[int], cost: list[int]) -> None:
    start = greedy_cover(rows, cost)
    assert meets(start, rows)
    assert not any(meets(start & ~(1 << e), rows) for e in bits(start))
    better = improved_cover(rows, cost, start, 30)
    assert meets(better, rows)
    assert paid(better, cost) <= paid(start, cost)
    assert better == improved_cover(rows, cost, start, 30)


@given(st.lists(st.integers(0, 2**70), max_size=20))
def test_columns_are_the_transposed_rows(rows: list[int]) -> None:
    found = columns(rows)
    for e in range(72):
        assert found.get(e, 0) == sum(1 << i for i, row in enumerate(rows) if row >> e & 1)
