"""t-plausibility on WordNet leaf words: ours, exact, beside the paper's searches in the same run.

CPU milliseconds, means over five draws of words; the paper's searches stop after a time limit, and where one did its
time is a lower bound. The bars are what was promised; ``met`` says whether they hold here.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path

from taciturn.knowledge.taxonomies import PackedTaxonomy
from taciturn.lab.reproduce.leaf_words import leaf_words
from taciturn.solvers.plausibility import (
    Choice,
    esearch_prune,
    least_product,
    lub_search,
    uniform,
    uniform_esearch_prune,
)

DRAWS = 5
_SEARCH_LIMIT = 20.0
ALPHAS = (0.0, 0.5, 0.9, 0.99, 1.0)
Chains = Sequence[Sequence[int]]


def timed(solve: Callable[[Chains], Choice], draws: Sequence[Chains]) -> tuple[list[Choice], float, float]:
    """The choices, the mean and the worst CPU time in milliseconds."""
    found, times = [], []
    for chains in draws:
        start = time.process_time()
        found.append(solve(chains))
        times.append((time.process_time() - start) * 1e3)
    return found, math.fsum(times) / len(times), max(times)


def main() -> list[dict[str, object]]:
    taxonomy = PackedTaxonomy.open(Path(str(files("taciturn"))) / "packs/en/wordnet.taxonomy")
    words = leaf_words(taxonomy, 5000, seed=2009)
    draws = {m: [[w.volumes for w in words[k * m : (k + 1) * m]] for k in range(DRAWS)] for m in (20, 50, 100, 1000)}
    least_product(draws[50][0], 97)  # the first call loads code
    rows: list[dict[str, object]] = []

    def row(what: str, m: int, t: str, solve: Callable[[Chains], Choice], bar: float | None = None) -> float:
        found, mean, worst = timed(solve, draws[m])
        rows.append(
            {
                "solver": what,
                "words": m,
                "t": t,
                "mean ms": mean,
                "worst ms": worst,
                "proven": f"{sum(c.optimal for c in found)}/{DRAWS}",
                "mean cost": math.fsum(c.cost for c in found) / DRAWS,
                "bar ms": "" if bar is None else bar,
                "met": "" if bar is None else "yes" if worst <= bar else "NO",
            }
        )
        print(rows[-1], flush=True)
        return mean

    ours = row("least_product", 50, "16384", lambda c: least_product(c, 16384), 2.0)
    paper = row("esearch_prune (paper)", 50, "16384", lambda c: esearch_prune(c, 16384, _SEARCH_LIMIT))
    rows.append({"solver": "ratio esearch_prune : least_product", "words": 50, "t": "16384", "mean ms": paper / ours,
                 "bar ms": "at least 50", "met": "yes" if paper >= 50 * ours else "NO"})  # fmt: skip
    row("least_product", 50, "16381", lambda c: least_product(c, 16381))
    row("least_product", 20, "2^40", lambda c: least_product(c, 2**40))
    row("least_product", 1000, "2^50", lambda c: least_product(c, 2**50), 1000.0)
    row("least_product", 1000, "10^15 + 37", lambda c: least_product(c, 10**15 + 37), 1000.0)
    for m, t, name, bar in ((50, 16384, "16384", 20.0), (1000, 2**50, "2^50", 1000.0), (1000, 2**800, "2^800", None)):
        for alpha in ALPHAS if t < 2**800 else ALPHAS[:-1]:
            row(f"uniform, alpha {alpha:g}", m, name, lambda c, t=t, a=alpha: uniform(c, t, a), bar)  # type: ignore[misc]
    row(
        "uniform_esearch_prune (paper), alpha 0.5",
        20,
        "16384",
        lambda c: uniform_esearch_prune(c, 16384, 0.5, _SEARCH_LIMIT),
    )
    row(
        "uniform_esearch_prune (paper), alpha 0.5",
        50,
        "16384",
        lambda c: uniform_esearch_prune(c, 16384, 0.5, _SEARCH_LIMIT),
    )
    row("uniform, alpha 0.5", 100, "2^20", lambda c: uniform(c, 2**20, 0.5))
    for m, t, name in ((50, 16384, "16384"), (100, 2**20, "2^20"), (1000, 2**50, "2^50")):
        row("lub_search (paper), alpha 0.5", m, name, lambda c, t=t: lub_search(c, t, 0.5))  # type: ignore[misc]
    return rows


if __name__ == "__main__":
    main()
