"""Indistinct: exact against brute force, the bound below it, greedy above it, and K-safety as a case of it."""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.solvers.indistinct import Task, fewest_changes, fitting, greedy_changes
from taciturn.solvers.safety import fewest_removals

BITS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.5, 3.0])


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    things, others, protected = draw(st.integers(0, 5)), draw(st.integers(1, 5)), draw(st.integers(1, 2))
    costs, leads = [], [[] for _ in range(protected)]
    for _ in range(things):
        options = draw(st.integers(1, 3))
        costs.append(np.array([0.0, *(draw(st.sampled_from([0.5, 1.0, 2.0, 3.5])) for _ in range(options - 1))]))
        for lead in leads:
            said = np.array([[draw(BITS) for _ in range(others + 1)] for _ in range(options)])
            lead.append(said[:, 1:] - said[:, :1])
    if not things:
        costs, leads = [np.zeros(1)], [[np.zeros((1, others))] for _ in range(protected)]
    return Task(costs, leads, draw(st.integers(1, 4)), draw(st.sampled_from([0.0, 0.5])))


def brute_force(task: Task) -> float:
    """The least cost of choices after which k others fit each protected candidate, by trying all."""
    best = inf
    for chosen in product(*(range(len(c)) for c in task.costs)):
        enough = True
        for lead in task.leads:
            sums = [
                sum(float(thing[o, w]) for thing, o in zip(lead, chosen, strict=True)) for w in range(len(lead[0][0]))
            ]
            enough &= sum(s >= -task.slack - 1e-9 for s in sums) >= task.k
        if enough:
            best = min(best, sum(float(c[o]) for c, o in zip(task.costs, chosen, strict=True)))
    return best


@given(tasks())
@settings(max_examples=250, deadline=None)
def test_exact_as_by_brute_force(task: Task) -> None:
    least = brute_force(task)
    found, fast = fewest_changes(task), greedy_changes(task)
    assert found.feasible == (least < inf) or not found.feasible
    if found.feasible:
        assert found.cost == pytest.approx(least)
        assert found.optimal
        assert all(len(fit) >= task.k for fit in fitting(task, found.chosen))
    if fast.feasible:
        assert fast.bound <= least + 1e-9 <= fast.cost + 2e-9


@given(tasks())
@settings(max_examples=100, deadline=None)
def test_more_others_never_cost_less(task: Task) -> None:
    more = fewest_changes(Task(task.costs, task.leads, task.k + 1, task.slack))
    if more.feasible:
        assert fewest_changes(task).cost <= more.cost + 1e-9


def test_where_greedy_is_dearer_the_program_finds_better() -> None:
    # Greedy takes the best rate first and needs the second as well; the third alone is enough and cheaper than both.
    lead = [np.array([[-4.0], [-1.0]]), np.array([[-2.0], [0.0]]), np.array([[-6.0], [-0.0]])]
    costs = [np.array([0.0, 1.0]), np.array([0.0, 3.0]), np.array([0.0, 3.0])]
    task = Task(costs, [lead], 1, slack=6.0)
    assert fewest_changes(task).cost == brute_force(task) == 3.0


def test_the_bound_is_told_when_time_is_up() -> None:
    random = np.random.default_rng(3)
    said = np.where(random.random((60, 400)) < 0.1, random.random((60, 400)) * 3, 0.0)
    own = np.where(random.random(60) < 0.5, random.random(60) * 3, 0.0)
    lead = [np.array([row - c, np.zeros(400)]) for row, c in zip(said, own, strict=True)]
    task = Task([np.array([0.0, float(c)]) for c in random.integers(1, 9, 60)], [lead], 5)
    hurried, exact = fewest_changes(task, time_limit=0.0), fewest_changes(task)
    assert exact.optimal
    assert hurried.bound <= exact.cost <= hurried.cost
    assert not hurried.optimal or hurried.cost == exact.cost


@pytest.mark.parametrize("seed", range(8))
def test_k_safety_is_the_case_of_evidence_0_or_1(seed: int) -> None:
    """Others count for what the protected entity has as well: then to fit as well is to have all of it."""
    random = Random(seed)
    for _ in range(25):
        terms = "abcdef"
        base = {f"e{i}": frozenset(random.sample(terms, random.randint(0, 6))) for i in range(random.randint(2, 9))}
        k = random.choice([1, 2])
        entity, *others = sorted(base)
        own = base[entity]
        lead = [
            np.array([[(t in base[o] and t in own) - float(t in own) for o in others], [0.0] * len(others)])
            for t in terms
        ]  # fmt: skip
        found = fewest_changes(Task([np.array([0.0, 1.0])] * len(terms), [lead], k))
        expected = fewest_removals(base, [entity], terms, k)
        if len(others) >= k:
            assert found.feasible
            assert found.cost == pytest.approx(expected.cost)


@pytest.mark.parametrize(
    ("costs", "k", "slack", "told"),
    [
        ([np.array([1.0])], 1, 0.0, "costs nothing"),
        ([np.zeros(1)], 0, 0.0, "k is 0"),
        ([np.zeros(1)], 1, -1.0, "slack"),
    ],
)
def test_what_is_no_task_is_refused(costs: list[np.ndarray], k: int, slack: float, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Task(costs, [[np.zeros((1, 1))]], k, slack)
