"""Equation 1 over entropies, against brute force."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers.plausibility import Infeasible, cost, entropy_cost, least_entropy_cost, uniform

# Entropies on the grid, so that brute force sees what the solver sees.
BITS = st.integers(0, 6 * 64).map(lambda n: n / 64)
CHAINS = st.lists(st.lists(BITS, max_size=4).map(lambda steps: [0.0, *steps]), min_size=1, max_size=5)


@settings(max_examples=300, deadline=None)
@given(CHAINS, st.floats(0, 12), st.floats(0, 1), st.data())
def test_no_choice_costs_less(chains: list[list[float]], bits: float, alpha: float, data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.floats(0.1, 9), min_size=len(chains), max_size=len(chains)))
    shares = [w / math.fsum(weights) for w in weights]
    reaching = [c for c in product(*chains) if math.fsum(c) >= bits - 1e-12]
    if not reaching:
        with pytest.raises(Infeasible):
            least_entropy_cost(chains, bits, alpha, shares)
        return
    chosen = [c[i] for c, i in zip(chains, least_entropy_cost(chains, bits, alpha, shares), strict=True)]
    assert math.fsum(chosen) >= bits - 1e-9
    best = min(entropy_cost(c, bits, alpha, shares) for c in reaching)
    assert entropy_cost(chosen, bits, alpha, shares) <= best + 1e-9


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(1, 40), max_size=3), min_size=1, max_size=4), st.integers(1, 60))
def test_with_words_alike_it_is_the_exact_search(steps: list[list[int]], t: int) -> None:
    chains = [[1, *sorted(s)] for s in steps]
    if math.prod(c[-1] for c in chains) < t:
        return
    best = uniform(chains, t, 0.5).cost
    entropies = [[math.log2(v) for v in c] for c in chains]
    shares = [1 / len(chains)] * len(chains)
    chosen = least_entropy_cost(entropies, math.log2(t), 0.5, shares)
    volumes = [c[i] for c, i in zip(chains, chosen, strict=True)]
    assert math.prod(volumes) >= t
    assert cost(volumes, t, 0.5) <= best + 0.005


def test_a_long_text_takes_a_coarser_grid_and_still_reaches_its_bits() -> None:
    chains = [[0.0, 0.37, 1.91, 6.03]] * 400
    chosen = least_entropy_cost(chains, 700.0, 0.5, [1 / 400] * 400)
    bits = [chains[0][i] for i in chosen]
    assert math.fsum(bits) >= 700
    assert entropy_cost(bits, 700.0, 0.5, [1 / 400] * 400) <= entropy_cost([1.91] * 400, 700.0, 0.5, [1 / 400] * 400)


def test_what_is_out_of_reach_says_how_far_it_goes() -> None:
    with pytest.raises(Infeasible, match="t = 32 cannot be reached") as error:
        least_entropy_cost([[0.0, 2.0], [0.0, 2.5]], 5.0, 0.5, [0.5, 0.5])
    assert error.value.largest == 22
    with pytest.raises(ValueError, match="between 0 and 1, not 2"):
        least_entropy_cost([[0.0]], 0.0, 2, [1.0])
    assert least_entropy_cost([], 0.0, 0.5, []) == ()
