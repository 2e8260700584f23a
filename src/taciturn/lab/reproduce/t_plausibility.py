"""The experiment of "t-Plausibility" (Jiang et al. 2009) made again: Figures 3(a) to 3(f), with exact solvers beside.

The paper's set-up: words drawn among WordNet's leaves of height 8 +- 1, the first 10 to 50 of them as the text d, and t
from 1,024 to 16,384. EP is the pruned search for the least product, UEP its uniform twin, LUBS the heuristic. Every
figure is a mean over several draws; times are processor time, and a search that was cut short counts with the time it
had, which is less than it needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pvariance
from time import process_time

from taciturn.knowledge.storage.pack import embedded_pack
from taciturn.knowledge.taxonomies import PackedTaxonomy, open_taxonomies
from taciturn.knowledge.taxonomies.flags import GENERAL
from taciturn.lab.reproduce.leaf_words import leaf_words
from taciturn.lab.reproduce.writing import as_csv
from taciturn.report.plots import Section, Table, line_chart, page
from taciturn.solvers.plausibility import (
    Choice,
    cost,
    esearch_prune,
    least_product,
    lub_search,
    uniform,
    uniform_esearch_prune,
)

__all__ = ["Measure", "gaps", "measure", "run", "utility"]

SEED = 2009
ALPHA = 0.5
EP, UEP, LUBS = "EP (paper)", "UEP (paper)", "LUBS (paper)"
LEAST, UNIFORM = "least product (ours)", "uniform (ours)"
Chains = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Measure:
    """One search on one text: time, product, cost (Equation 1, alpha = .5), and how its words are protected.

    ``variance`` and ``maximum`` are of the words' entropies in bits, ``utility`` is the similarity to the original,
    ``proven`` says that the search ended and is exact.
    """

    way: str
    words: int
    t: int
    draw: int
    seconds: float
    product: int
    cost: float
    variance: float
    maximum: float
    utility: float
    proven: bool


def utility(volumes: Sequence[int]) -> float:
    """The paper's similarity between a text of sensitive words and its release: a term of volume v keeps 1/v.

    It is the dot product of frequency vectors, the general term's frequency shared among its base values. A text in
    which the words are suppressed has 0.

    >>> utility([1, 2])
    0.75
    """
    return math.fsum(1 / v for v in volumes) / len(volumes)


def measure(way: str, chains: Chains, t: int, draw: int, limit: float) -> Measure:
    """Run one search and look at what it found."""
    searches: dict[str, Callable[[], Choice]] = {
        EP: lambda: esearch_prune(chains, t, limit),
        UEP: lambda: uniform_esearch_prune(chains, t, ALPHA, limit),
        LUBS: lambda: lub_search(chains, t, ALPHA),
        LEAST: lambda: least_product(chains, t, limit),
        UNIFORM: lambda: uniform(chains, t, ALPHA, limit),
    }
    start = process_time()
    found = searches[way]()
    seconds = process_time() - start
    entropies = [math.log2(v) for v in found.volumes]
    return Measure(
        way,
        len(chains),
        t,
        draw,
        seconds,
        found.product,
        cost(found.volumes, t, ALPHA),
        pvariance(entropies),
        max(entropies),
        utility(found.volumes),
        found.optimal,
    )


def _wordnet() -> PackedTaxonomy:
    packed = (t for t in open_taxonomies(embedded_pack()) if isinstance(t, PackedTaxonomy))
    return next(t for t in packed if GENERAL in t.flags)


def run(
    folder: Path,
    sizes: Sequence[int] = (10, 20, 30, 40, 50),
    ts: Sequence[int] = (1024, 2048, 4096, 8192, 16384),
    draws: int = 5,
    limit: float = 10.0,
    taxonomy: PackedTaxonomy | None = None,
) -> list[Measure]:
    """Measure all searches and write ``t-plausibility.csv``, Figures 3a to 3f as SVG, and ``t-plausibility.html``.

    ``limit``: seconds for one search. The default takes about a minute.
    """
    words = leaf_words(taxonomy or _wordnet(), max(sizes) * draws, SEED)
    chains = [[w.volumes for w in words[d * max(sizes) : (d + 1) * max(sizes)]] for d in range(draws)]
    least_product(chains[0][: min(sizes)], 2)  # the first call loads code
    measures = [
        measure(way, chains[draw][:size], t, draw, limit)
        for t in ts
        for size in sizes
        for draw in range(draws)
        for way in (EP, UEP, LUBS, LEAST, UNIFORM)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    charts = _charts(measures, sizes, ts)
    for name, svg in charts.items():
        (folder / f"t-plausibility-{name}.svg").write_text(svg, "utf-8")
    (folder / "t-plausibility.csv").write_text(as_csv(measures), "utf-8")
    (folder / "t-plausibility.html").write_text(_page(measures, charts, draws, limit), "utf-8")
    return measures


def _mean(measures: Sequence[Measure], figure: str, way: str, words: int, t: int) -> float:
    return fmean(getattr(m, figure) for m in measures if (m.way, m.words, m.t) == (way, words, t))


def _charts(measures: Sequence[Measure], sizes: Sequence[int], ts: Sequence[int]) -> dict[str, str]:
    """Figures 3(a) to 3(f), by name."""
    middle, largest = ts[len(ts) // 2], ts[-1]

    def over_sizes(figure: str, way: str, t: int) -> list[tuple[float, float]]:
        # A clock of microseconds may show 0, which a logarithmic axis cannot.
        least = 1e-6 if figure == "seconds" else -math.inf
        return [(size, max(_mean(measures, figure, way, size, t), least)) for size in sizes]

    def chart(title: str, lines: dict[str, tuple[str, int]], figure: str, label: str, log: bool = False) -> str:
        series = {name: over_sizes(figure, way, t) for name, (way, t) in lines.items()}
        return line_chart(title, series, "sensitive words |d|", label, log_y=log, x_ticks=sizes)

    every = {"optimum = UEP (ours)": UNIFORM, "LUBS (paper)": LUBS, "EP (paper)": EP}
    at_middle = {name: (way, middle) for name, way in every.items()}
    return {
        "3a": chart(
            "3(a) Time for the least product",
            {f"EP, t = {t}": (EP, t) for t in ts} | {f"ours, t = {largest}": (LEAST, largest)},
            "seconds",
            "seconds of processor time",
            log=True,
        ),
        "3b": chart(
            "3(b) Time for the uniform variant",
            {f"UEP, t = {t}": (UEP, t) for t in ts}
            | {f"LUBS, t = {largest}": (LUBS, largest), f"ours, t = {largest}": (UNIFORM, largest)},
            "seconds",
            "seconds of processor time",
            log=True,
        ),
        "3c": chart(f"3(c) Cost (Equation 1), t = {middle}", at_middle, "cost", "cost", log=True),
        "3d": chart(f"3(d) Variance of the words' entropies, t = {middle}", at_middle, "variance", "bits squared"),
        "3e": chart(f"3(e) Largest entropy of a word, t = {middle}", at_middle, "maximum", "bits"),
        "3f": line_chart(
            "3(f) Similarity to the original, uniform variant",
            {f"t = {t}": over_sizes("utility", UNIFORM, t) for t in ts}
            | {"suppressed": [(size, 0.0) for size in sizes]},
            "sensitive words |d|",
            "similarity",
            x_ticks=sizes,
        ),
    }


def gaps(measures: Sequence[Measure]) -> list[tuple[str, int, int, float, float]]:
    """How far each of the paper's searches lies above the proven optimum, over all texts and t.

    (search, texts, texts above the optimum, mean gap, worst gap); gaps in per cent of the optimum's cost.
    """
    best = {(m.words, m.t, m.draw): m.cost for m in measures if m.way == UNIFORM and m.proven}
    rows = []
    for way in (UEP, LUBS, EP):
        found = [(m.cost, best[text]) for m in measures if m.way == way and (text := (m.words, m.t, m.draw)) in best]
        above = [100 * (cost / optimum - 1) for cost, optimum in found if optimum > 0]
        rows.append((way, len(above), sum(gap > 1e-7 for gap in above), round(fmean(above), 2), round(max(above), 2)))
    return rows


def _gaps(measures: Sequence[Measure]) -> Table:
    columns = ("search", "texts", "above the optimum", "mean gap %", "worst gap %", "cut short")
    cut = {way: sum(not m.proven for m in measures if m.way == way) if way != LUBS else 0 for way in (UEP, LUBS, EP)}
    return Table(columns, tuple((*row, cut[row[0]]) for row in gaps(measures)))


def _times(measures: Sequence[Measure]) -> Table:
    rows: list[tuple[object, ...]] = []
    for t in sorted({m.t for m in measures}):
        for words in sorted({m.words for m in measures}):
            seconds = {w: _mean(measures, "seconds", w, words, t) * 1e3 for w in (EP, LEAST, UEP, LUBS, UNIFORM)}
            rows.append((words, t, *seconds.values()))
    return Table(("words", "t", *(f"{w}, ms" for w in (EP, LEAST, UEP, LUBS, UNIFORM))), tuple(rows))


def _page(measures: Sequence[Measure], charts: dict[str, str], draws: int, limit: float) -> str:
    exact = [m for m in measures if m.way in (LEAST, UNIFORM)]
    proven = sum(m.proven for m in exact)
    hit = [m for m in measures if m.way == LEAST]
    reached = sum(m.product == m.t for m in hit)
    text = (
        f"Words are drawn among WordNet's leaves of height 8 +- 1 under entity, {draws} draws; means are shown. "
        f"A search is cut short after {limit:g} seconds. Ours proved {proven} of {len(exact)} answers optimal. "
        f"The least product is t itself in {reached} of {len(hit)} texts.\n\n"
        "Times are processor time of one core, in Python for all searches."
    )
    return page(
        "t-Plausibility (Jiang et al. 2009), made again",
        [
            Section("What was measured", text),
            Section("Running time", "", (charts["3a"], charts["3b"])),
            Section(
                "Cost",
                "EP minimizes the product only, so its cost is high; LUBS is close to the optimum and often misses it.",
                (charts["3c"],),
                (_gaps(measures),),
            ),
            Section("How evenly words are protected", "", (charts["3d"], charts["3e"])),
            Section(
                "Utility",
                "The paper's similarity between a text of sensitive words and its release: a word of volume v keeps "
                "1/v. Suppressed words keep nothing.",
                (charts["3f"],),
            ),
            Section("All times", "Milliseconds, means.", (), (_times(measures),)),
        ],
    )
