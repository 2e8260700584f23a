"""The cheapest choices after which enough others fit a text as well as what it must not give away.

A text has *things*, each with a few *options* (keep it, say something wider, remove it); an option has a cost and says
something of every candidate, in bits. Choices are k-indistinct if, for each protected candidate, at least k of its
others have a sum over all things that is no less than the protected one's, less a slack. The first option of a thing
is to keep it, at no cost.

Finding the cheapest is NP-hard: with one other it is the knapsack problem, with many the choice of k of them as well.

- :func:`fewest_changes` is exact. It finds good choices greedily, bounds the cost of each other from below, leaves out
  the others that no better choices can satisfy, and gives the rest to an integer program (HiGHS).
- :func:`greedy_changes` is the fast way, with the bound.
- :func:`fitting` is the definition, and shares no code with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Choices", "Task", "fewest_changes", "fitting", "greedy_changes"]

Floats = NDArray[np.float64]

ROUNDING = 1e-9
"""Bits by which a sum may fall short through the order of additions."""
_MOST = 400  # others that are given to the integer program


@dataclass(frozen=True)
class Task:
    """What there is to choose from.

    ``costs``: for each thing the cost of each option, 0 for the first. ``leads``: for each protected candidate and
    each thing an array of options by others: how much more the option says of the other than of the protected one.
    """

    costs: Sequence[Floats]
    leads: Sequence[Sequence[Floats]]
    k: int
    slack: float = 0.0

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ValueError(f"k is {self.k}, but must be 1 or more")
        if self.slack < 0:
            raise ValueError(f"slack is {self.slack}, but must be 0 or more")
        if any(len(c) == 0 or c[0] != 0 or (c < 0).any() for c in self.costs):
            raise ValueError("the first option of each thing costs nothing, and none less than that")
        if any(len(lead) != len(self.costs) for lead in self.leads):
            raise ValueError("each protected candidate needs its leads for every thing")


@dataclass(frozen=True, slots=True)
class Choices:
    """The option chosen for each thing, what that costs, and a cost that no choices are below.

    ``witnesses`` are, for each protected candidate, others that fit as well; k of them, or fewer if there are not
    enough others at all: then the choices are the best that there are, and not ``feasible``.
    """

    chosen: tuple[int, ...]
    cost: float
    bound: float
    feasible: bool
    witnesses: tuple[tuple[int, ...], ...] = field(default=(), repr=False)

    @property
    def optimal(self) -> bool:
        return self.cost <= self.bound + 1e-6


def fitting(task: Task, chosen: Sequence[int]) -> list[list[int]]:
    """For each protected candidate the others that fit the choices as well: the definition.

    >>> lead = [np.array([[-2.0, 1.0], [0.0, 0.0]]), np.array([[0.5, 0.0]])]
    >>> fitting(Task([np.array([0.0, 1.0]), np.zeros(1)], [lead], k=1), [0, 0])
    [[1]]
    """
    found = []
    for lead in task.leads:
        total = sum((thing[o] for thing, o in zip(lead, chosen, strict=True)), np.zeros(_width(lead)))
        found.append([int(i) for i in np.flatnonzero(total >= -task.slack - ROUNDING)])
    return found


def greedy_changes(task: Task) -> Choices:
    """Good choices: the option that brings the nearest others on for its cost, one after the other, then back again
    whatever need not have changed.

    >>> lead = [np.array([[-2.0, 1.0], [0.0, 0.0]]), np.array([[-1.0, -0.5], [0.0, 0.0]])]
    >>> greedy_changes(Task([np.array([0.0, 3.0]), np.array([0.0, 1.0])], [lead], k=2)).chosen
    (1, 1)
    """
    chosen = _greedy(task)
    return _result(task, chosen, _bound(task)[0])


def fewest_changes(task: Task, time_limit: float | None = None) -> Choices:
    """The cheapest choices; after ``time_limit`` seconds of processor time the best found, with the bound reached.

    >>> lead = [np.array([[-2.0, 1.0], [0.0, 0.0]]), np.array([[-1.0, -0.5], [0.0, 0.0]])]
    >>> fewest_changes(Task([np.array([0.0, 3.0]), np.array([0.0, 1.0])], [lead], k=2)).chosen
    (1, 1)
    """
    deadline = thread_time() + time_limit if time_limit is not None else inf
    chosen = _greedy(task)
    bound, least = _bound(task)
    found = _result(task, chosen, bound)
    if not found.feasible or found.optimal:
        return found
    # Another that costs more than the choices in hand, whatever else is chosen, is no witness of better ones.
    kept = [np.flatnonzero(low < found.cost - 1e-9) for low in least]
    complete = True
    for block, low in enumerate(least):
        if len(kept[block]) > _MOST:
            kept[block] = kept[block][np.argsort(low[kept[block]], kind="stable")[:_MOST]]
            complete = False
    left = deadline - thread_time()
    if left <= 0 or any(len(some) < task.k for some in kept):
        # Fewer than k others can do with less: the choices in hand are the best.
        return found if left <= 0 or not complete else _with_bound(found, found.cost)
    options, proven = _integer_program(task, kept, found.cost, left)
    if options is not None:
        better = _result(task, options, bound)
        if better.feasible and better.cost < found.cost - 1e-9:
            found = better
    return _with_bound(found, min(max(proven, bound), found.cost)) if complete else found


def _with_bound(found: Choices, bound: float) -> Choices:
    return Choices(found.chosen, found.cost, bound, found.feasible, found.witnesses)


def _width(lead: Sequence[Floats]) -> int:
    return lead[0].shape[1] if lead else 0


def _cost(task: Task, chosen: Sequence[int]) -> float:
    return float(sum(costs[o] for costs, o in zip(task.costs, chosen, strict=True)))


def _result(task: Task, chosen: Sequence[int], bound: float) -> Choices:
    fit = fitting(task, chosen)
    feasible = all(len(some) >= task.k for some in fit)
    cost = _cost(task, chosen)
    return Choices(
        tuple(chosen), cost, min(bound, cost) if feasible else bound, feasible, tuple(tuple(s[: task.k]) for s in fit)
    )


# Greedy


def _greedy(task: Task) -> list[int]:
    """Choices after which enough others fit; those of the largest sums if they never do."""
    chosen = [0] * len(task.costs)
    totals = [sum((thing[0] for thing in lead), np.zeros(_width(lead))) for lead in task.leads]
    while True:
        needs = [_nearest(total, task) for total in totals]
        if all(not need.any() for _, need in needs):
            break
        best: tuple[float, int, int] | None = None
        for thing, costs in enumerate(task.costs):
            now = chosen[thing]
            for option in range(len(costs)):
                if option == now or costs[option] < costs[now]:
                    continue
                gain = 0.0
                for (some, need), lead in zip(needs, task.leads, strict=True):
                    step = lead[thing][option, some] - lead[thing][now, some]
                    gain += float(np.minimum(step, need).sum())
                if gain > ROUNDING:
                    rate = gain / max(costs[option] - costs[now], 1e-9)
                    if best is None or rate > best[0] + 1e-12:
                        best = rate, thing, option
        if best is None:
            break
        _, thing, option = best
        for total, lead in zip(totals, task.leads, strict=True):
            total += lead[thing][option] - lead[thing][chosen[thing]]
        chosen[thing] = option
    return _put_back(task, chosen, totals)


def _nearest(total: Floats, task: Task) -> tuple[NDArray[np.int64], Floats]:
    """The k others that lack least, and what each lacks."""
    lacks = np.maximum(-task.slack - total, 0.0)
    lacks[lacks <= ROUNDING] = 0.0
    some = np.argsort(lacks, kind="stable")[: task.k]
    return some, lacks[some]


def _put_back(task: Task, chosen: list[int], totals: list[Floats]) -> list[int]:
    """The same choices with cheaper options wherever enough others still fit, the dearest first."""

    def fit(change: Sequence[Floats]) -> bool:
        return all(
            int((total + step >= -task.slack - ROUNDING).sum()) >= task.k
            for total, step in zip(totals, change, strict=True)
        )

    if not fit([np.zeros(len(total)) for total in totals]):
        return chosen
    for thing in sorted(range(len(chosen)), key=lambda t: -float(task.costs[t][chosen[t]])):
        costs = task.costs[thing]
        for option in np.argsort(costs, kind="stable").tolist():
            if costs[option] >= costs[chosen[thing]]:
                break
            change = [lead[thing][option] - lead[thing][chosen[thing]] for lead in task.leads]
            if fit(change):
                for total, step in zip(totals, change, strict=True):
                    total += step
                chosen[thing] = option
                break
    return chosen


# Bounds


def _bound(task: Task) -> tuple[float, list[Floats]]:
    """A cost that no choices are below, and for each protected candidate one for each of its others to fit.

    For one other to fit, the things must bring it what it lacks. A thing brings at most its best option's gain, at no
    better than its best rate of gain to cost: filled up at the best rates first, that is the knapsack's linear bound.
    To have k others fit costs no less than the k-th cheapest of them.
    """
    least: list[Floats] = []
    for lead in task.leads:
        width = _width(lead)
        total = sum((thing[0] for thing in lead), np.zeros(width))
        lack = np.maximum(-task.slack - total - ROUNDING, 0.0)
        gains = np.zeros((len(task.costs), width))
        rates = np.zeros((len(task.costs), width))
        for thing, costs in enumerate(task.costs):
            for option in range(1, len(costs)):
                gain = lead[thing][option] - lead[thing][0]
                gains[thing] = np.maximum(gains[thing], gain)
                rates[thing] = np.maximum(rates[thing], np.maximum(gain, 0.0) / max(costs[option], 1e-12))
        order = np.argsort(-rates, axis=0, kind="stable")
        gains = np.take_along_axis(gains, order, axis=0)
        rates = np.take_along_axis(rates, order, axis=0)
        before = np.cumsum(gains, axis=0) - gains
        used = np.clip(lack - before, 0.0, gains)
        with np.errstate(divide="ignore", invalid="ignore"):
            low = np.where(used > 0, used / rates, 0.0).sum(axis=0)
        reached = gains.sum(axis=0) >= lack - ROUNDING
        least.append(np.where(reached, low, inf))
    kth = [np.sort(low)[task.k - 1] if len(low) >= task.k else inf for low in least]
    return float(max(kth, default=0.0)), least


# The integer program


def _untyped(thing: Any) -> Any:
    return thing


def _integer_program(
    task: Task, kept: Sequence[NDArray[np.int64]], most: float, seconds: float
) -> tuple[list[int] | None, float]:
    """The cheapest choices with witnesses among ``kept``, and the bound that was proven."""
    import highspy

    solver: Any = _untyped(highspy.Highs)()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("random_seed", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 1e-7)
    solver.setOptionValue("mip_feasibility_tolerance", ROUNDING)
    solver.setOptionValue("primal_feasibility_tolerance", ROUNDING)
    if seconds < inf:
        solver.setOptionValue("time_limit", max(seconds, 0.01))
    solver.setOptionValue("objective_bound", most)
    places: list[list[int]] = []
    columns = 0
    for costs in task.costs:
        places.append(list(range(columns, columns + len(costs))))
        for cost in costs.tolist():
            solver.addVar(0.0, 1.0)
            solver.changeColCost(columns, cost)
            solver.changeColIntegrality(columns, highspy.HighsVarType.kInteger)
            columns += 1
        if len(costs) > 1:
            solver.addRow(1.0, 1.0, len(costs), np.array(places[-1], np.int32), np.ones(len(costs)))
        else:
            solver.changeColBounds(columns - 1, 1.0, 1.0)
    for lead, some in zip(task.leads, kept, strict=True):
        first = columns
        flat = np.concatenate([thing[:, some] for thing in lead], axis=0)
        lowest = sum((thing[:, some].min(axis=0) for thing in lead), np.zeros(len(some)))
        for at in range(len(some)):
            solver.addVar(0.0, 1.0)
            solver.changeColIntegrality(columns, highspy.HighsVarType.kInteger)
            # sum >= -slack if the other is a witness, and no less than it can be anyhow if it is not.
            floor = min(float(lowest[at]), -task.slack)
            used = np.flatnonzero(flat[:, at])
            index = np.concatenate([used, [columns]]).astype(np.int32)
            values = np.concatenate([flat[used, at], [floor + task.slack]])
            solver.addRow(floor, highspy.kHighsInf, len(index), index, values)
            columns += 1
        ones = np.arange(first, columns, dtype=np.int32)
        solver.addRow(float(task.k), highspy.kHighsInf, len(ones), ones, np.ones(len(ones)))
    solver.run()
    info = solver.getInfo()
    status = solver.getModelStatus()
    if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kObjectiveBound):
        return None, most  # nothing is cheaper
    proven = float(info.mip_dual_bound)
    if not np.isfinite(info.objective_function_value) or info.primal_solution_status != 2:
        return None, proven if np.isfinite(proven) else 0.0
    values = np.array(solver.getSolution().col_value)
    chosen = [int(np.argmax(values[place])) for place in places]
    return chosen, proven if np.isfinite(proven) else 0.0
