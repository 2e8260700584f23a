"""K-safety on rare diseases: exact and greedy against the paper's level-wise search and two peers.

Bars: 30 terms over 2,645 diseases exact in .1 s; 100 terms over all diseases, 5,000 protected, exact in 10 s, within
2 s a removal at most 2 terms above the proven bound, greedy in .1 s. Peers solve the same minimal unsafe sets as a
covering program: HiGHS and CP-SAT, where they are installed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

import taciturn
from taciturn.knowledge.entities.base import open_bases
from taciturn.lab.reproduce.erase import Contexts, case_document, draw_base, signs, usual_document
from taciturn.solvers.bitsets import bits
from taciturn.solvers.safety import fewest_removals, greedy_removals, levelwise_removals, violations
from taciturn.solvers.unsafe import View, minimal_unsafe_sets

LIMIT = 900
SIZES = ((2645, 550, 30), (20_000, 5000, 30), (20_000, 550, 100), (20_000, 5000, 100))
DOCUMENTS = 5
PEER_SECONDS = 10.0


def main(documents: int = DOCUMENTS, gaps: int = 200) -> list[dict[str, object]]:
    contexts = signs(open_bases(Path(taciturn.__file__).parent / "packs" / "en")["rare-diseases"])
    rows: list[dict[str, object]] = []
    for row in _rows(contexts, documents, gaps):
        rows.append(row)
        print(
            "  ".join(
                f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in row.items()
            )
        )
    return rows


def _rows(contexts: Contexts, documents: int, gaps: int) -> Iterator[dict[str, object]]:
    for size in SIZES:
        for kind in ("usual", "case"):
            for k in (1, 3, 10):
                yield _row(contexts, size, kind, k, documents)
    for k in (1, 3, 10):
        yield _gap(contexts, k, gaps)
    yield from _peers(contexts)


def _draw(
    contexts: Contexts, size: tuple[int, int, int], kind: str, seed: int
) -> tuple[Contexts, list[str], list[str]]:
    random = Random(seed)
    base, protected = draw_base(contexts, size[0], size[1], random)
    if kind == "usual":
        return base, protected, usual_document(base, size[2], random)
    return base, protected, case_document(base, protected, size[2], random)


def _row(contexts: Contexts, size: tuple[int, int, int], kind: str, k: int, documents: int) -> dict[str, object]:
    exact, short, greedy, gap2, optimal, costs, greedy_costs = [], [], [], [], 0, [], []
    for seed in range(documents):
        base, protected, terms = _draw(contexts, size, kind, seed)
        start = process_time()
        best = fewest_removals(base, protected, terms, k, time_limit=10)
        exact.append(process_time() - start)
        assert not violations(base, protected[:40], set(terms) - set(best.removed), k)
        optimal += best.optimal
        costs.append(best.cost)
        start = process_time()
        greedy_costs.append(greedy_removals(base, protected, terms, k).cost)
        greedy.append(process_time() - start)
        if exact[-1] > 2:
            start = process_time()
            fast = fewest_removals(base, protected, terms, k, time_limit=2)
            short.append(process_time() - start)
            gap2.append(fast.cost - fast.bound)
        else:
            gap2.append(best.cost - best.bound)
    return {
        "diseases": len(base),
        "protected": size[1],
        "terms": size[2],
        "document": kind,
        "K": k,
        "exact s": fmean(exact),
        "exact worst s": max(exact),
        "proven": f"{optimal}/{documents}",
        "worst gap in 2 s": max(gap2),
        "greedy s": fmean(greedy),
        "greedy worst s": max(greedy),
        "removed": fmean(costs),
        "greedy removed": fmean(greedy_costs),
    }


def _gap(contexts: Contexts, k: int, documents: int) -> dict[str, object]:
    """Greedy's distance from the optimum over random documents of the paper's size."""
    gaps = []
    for seed in range(documents):
        base, protected, terms = _draw(contexts, SIZES[0], "usual", 1000 + seed)
        best = fewest_removals(base, protected, terms, k)
        gaps.append(greedy_removals(base, protected, terms, k).cost - best.cost)
    return {
        "greedy's gap, K": k,
        "documents": documents,
        "mean": fmean(gaps),
        "worst": max(gaps),
        "no gap": f"{sum(not g for g in gaps)}/{documents}",
    }


def _peers(contexts: Contexts) -> Iterator[dict[str, object]]:
    """The paper's search, and two solvers, on documents of growing size."""
    for size in ((2645, 550, 10), (2645, 550, 15), (2645, 550, 30), (20_000, 5000, 100)):
        base, protected, terms = _draw(contexts, size, "usual", 0)
        row: dict[str, object] = {"peers: terms": size[2], "protected": size[1], "K": 1}
        start = process_time()
        best = fewest_removals(base, protected, terms, 1, time_limit=10)
        row |= {"exact s": process_time() - start, "removed": best.cost, "proven": best.optimal}
        start = process_time()
        level = levelwise_removals(base, protected, terms, 1, time_limit=PEER_SECONDS)
        row |= {"level-wise s": process_time() - start, "level-wise proven": level.optimal}
        sets = _sets(base, protected, terms)
        for name, solve in (("HiGHS", _highs), ("CP-SAT", _cpsat)):
            if importlib.util.find_spec({"HiGHS": "highspy", "CP-SAT": "ortools"}[name]):
                # Each in a process of its own: both bring a copy of HiGHS, and the copies clash.
                with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                    cost, proven, seconds = pool.submit(_timed, solve, sets, len(terms)).result()
                row |= {f"{name} s": seconds, f"{name} removed": cost, f"{name} proven": proven}
        yield row


def _timed(solve: Callable[[list[int], int], tuple[float, bool]], sets: list[int], n: int) -> tuple[float, bool, float]:
    start = process_time()
    cost, proven = solve(sets, n)
    return cost, proven, process_time() - start


def _sets(base: Contexts, protected: Sequence[str], terms: Sequence[str]) -> list[int]:
    guarded = set(protected)
    masks = ((sum(1 << i for i, t in enumerate(terms) if t in c), e in guarded) for e, c in base.items())
    return minimal_unsafe_sets(View.of(masks, len(terms), 1), 10**7, 10**7)[0]


def _highs(sets: list[int], n: int) -> tuple[float, bool]:
    import highspy

    solver: Any = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("time_limit", PEER_SECONDS)
    chosen = [solver.addBinary() for _ in range(n)]
    for s in sets:
        solver.addConstr(sum(chosen[t] for t in bits(s)) >= 1)
    solver.minimize(sum(chosen))
    proven = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return round(solver.getInfo().objective_function_value), proven


def _cpsat(sets: list[int], n: int) -> tuple[float, bool]:
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    chosen = [model.new_bool_var(str(t)) for t in range(n)]
    for s in sets:
        model.add_bool_or([chosen[t] for t in bits(s)])
    model.minimize(sum(chosen))
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PEER_SECONDS
    solver.parameters.optimize_with_core = True
    status = solver.solve(model)
    return round(solver.objective_value), status == cp_model.OPTIMAL


if __name__ == "__main__":
    main()
