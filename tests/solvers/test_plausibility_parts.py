"""The parts of the least product's search, each forced to do the work alone, and the sieve against plain division."""

from __future__ import annotations

import itertools
import math
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers.plausibility import least_product
from taciturn.solvers.plausibility.smooth import Smooth, coprime_base

exact = import_module("taciturn.solvers.plausibility.exact")

CHAINS = st.lists(
    st.lists(st.integers(1, 60), max_size=3).map(lambda volumes: [1, *sorted(volumes)]), min_size=1, max_size=5
)
HUGE = st.lists(
    st.lists(st.integers(1, 2**70), max_size=2).map(lambda volumes: [1, *sorted(volumes)]), min_size=1, max_size=5
)


def expected(chains: list[list[int]], t: int) -> tuple[int, tuple[int, ...]]:
    places = itertools.product(*(range(len(c)) for c in chains))
    choices = ((math.prod(c[i] for c, i in zip(chains, p, strict=True)), p) for p in places)
    return min(choice for choice in choices if choice[0] >= t)


@pytest.mark.parametrize(
    "limits",
    [
        # Lists that hold a few products only: all but a few words are enumerated around them; counting up is out of it.
        {"_FIRST_LIST": 6, "_LONGEST_LIST": 6, "_LONGEST_COUNT": 0},
        # The lists alone, without counting up.
        {"_FIRST_COUNT": 0, "_LONGEST_COUNT": 0},
        # Counting up alone, in steps that use the sieve.
        {"_FIRST_COUNT": 4096, "_LONGEST_COUNT": 4096, "_FIRST_LIST": 0, "_LONGEST_LIST": 2},
    ],
    ids=["around", "lists", "sieve"],
)
@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_each_search_alone_finds_the_least_product(limits: dict[str, int], data: st.DataObject) -> None:
    chains = data.draw(CHAINS if limits.get("_FIRST_COUNT") else st.one_of(CHAINS, HUGE))
    t = data.draw(st.integers(1, math.prod(c[-1] for c in chains)))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(exact, name, value)
        found = least_product(chains, t)
    assert (found.product, found.choice) == expected(chains, t)
    assert found.optimal


NUMBERS = st.one_of(
    st.lists(st.integers(2, 200), min_size=1, max_size=6),
    st.lists(st.integers(2, 2**70), min_size=1, max_size=4),
    st.lists(st.sampled_from([1009 * 1013, 1013 * 1019, 1009**2, 2**61 - 1, (2**61 - 1) * 1009, 6]), min_size=1),
)


def is_smooth(n: int, numbers: list[int]) -> bool:
    """Is every prime factor of n one of the numbers' factors?"""
    for m in numbers:
        while (g := math.gcd(n, m)) > 1:
            n //= g
    return n == 1


@settings(max_examples=300, deadline=None)
@given(NUMBERS, st.integers(1, 10**6), st.integers(0, 600))
def test_short_intervals_hold_exactly_the_smooth_numbers(numbers: list[int], low: int, length: int) -> None:
    found = Smooth(numbers).between(low, low + min(length, 400))
    assert found == [n for n in range(low, low + min(length, 400)) if is_smooth(n, numbers)]


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.one_of(st.integers(2, 10**4), st.integers(2, 2**80)))
def test_the_sieve_misses_no_product(numbers: list[int], low: int) -> None:
    found = set(Smooth(numbers).between(low, low + 1500))
    base = coprime_base(numbers)

    def made_of_base(n: int) -> bool:
        for b in base:
            while n % b == 0:
                n //= b
        return n == 1

    assert found == {n for n in range(low, low + 1500) if made_of_base(n)}


@settings(max_examples=300, deadline=None)
@given(NUMBERS)
def test_a_coprime_base_makes_up_every_number(numbers: list[int]) -> None:
    base = coprime_base(numbers)
    assert all(math.gcd(a, b) == 1 for a, b in itertools.combinations(base, 2))
    for n in numbers:
        for b in base:
            while n % b == 0:
                n //= b
        assert n == 1
