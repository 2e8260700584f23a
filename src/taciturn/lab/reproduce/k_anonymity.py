"""The experiment of "Fast text anonymization using k-anonymity" (Maeda et al. 2016) made again: Figures 2 and 3.

The paper's set-up: a list of 1,617,400 titles, 100 of them of length 3 to 15 drawn at random, and the time to make the
anonymization dictionary of each: accumulated over the words (Figure 2) and against their length (Figure 3). The paper
times only the fetching of candidates; here both methods make the whole dictionary, every pattern with its k, from
candidates that are at hand. Times are processor time.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from time import process_time

from taciturn.lab.reproduce.titles import PAPER_SIZE, SEED, read_titles, synthetic_titles
from taciturn.lab.reproduce.writing import as_csv
from taciturn.report.plots import Section, Table, line_chart, page
from taciturn.solvers.masks import MaskIndex
from taciturn.solvers.paper_masks import pair_sets, paper_dictionary

__all__ = ["Measure", "measure", "run"]

WORDS = 100
SHORTEST, LONGEST = 3, 15
PAPER, OURS = "set intersections (paper)", "superset sums (ours)"
KS = (2, 5, 10, 20, 50, 100, 500)


@dataclass(frozen=True, slots=True)
class Measure:
    """The time of both methods for one word, in seconds; ``agree``: they give every pattern the same k."""

    length: int
    candidates: int
    paper: float
    ours: float
    agree: bool


def measure(index: MaskIndex, word: str) -> Measure:
    """Make the dictionary of one word by both methods, and compare them."""
    sets = pair_sets(index, word)
    start = process_time()
    theirs = paper_dictionary(sets)
    middle = process_time()
    ours = index.dictionary(word)
    end = process_time()
    bits = {int(b): int(k) for b, k in zip(ours.kept, ours.k, strict=True)}
    top = len(word) - 1
    agree = all(bits[sum(1 << (top - p) for p in kept)] == k for kept, k in theirs.items())
    return Measure(len(word), sum(map(len, sets)), middle - start, end - middle, agree)


def run(folder: Path, titles: Path | None = None, size: int = PAPER_SIZE, words: int = WORDS) -> list[Measure]:
    """Measure and write ``k-anonymity.html`` and ``k-anonymity.csv``; without ``titles`` a list is made up."""
    strings = read_titles(titles, size) if titles else synthetic_titles(size)
    index = MaskIndex(strings)
    pool = sorted(w for w in strings if SHORTEST <= len(w) <= LONGEST and "*" not in w)
    chosen = random.Random(SEED).sample(pool, min(words, len(pool)))
    del strings, pool
    if not chosen:
        raise ValueError(f"the list holds no title of {SHORTEST} to {LONGEST} characters; give another one")
    index.dictionary(chosen[0])  # fills the caches that every word shares
    found = [measure(index, w) for w in chosen]
    kept = {k: fmean(1 - m.masked / len(m.pattern) for m in index.mask_many(chosen, k, workers=1)) for k in KS}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "k-anonymity.csv").write_text(as_csv(found), encoding="utf-8")
    source = (
        f"{len(index):,} titles of the list that was given"
        if titles
        else f"{len(index):,} made-up titles (no list was given: pass one with --titles), seed {SEED}"
    )
    (folder / "k-anonymity.html").write_text(_page(found, kept, source), encoding="utf-8")
    return found


def _page(found: list[Measure], kept: dict[int, float], source: str) -> str:
    times = {PAPER: [m.paper for m in found], OURS: [m.ours for m in found]}
    accumulated = {}
    for name, values in times.items():
        total, points = 0.0, []
        for number, value in enumerate(values, 1):
            total += value
            points.append((float(number), max(total, 1e-7)))
        accumulated[name] = points
    by_length: dict[int, list[Measure]] = defaultdict(list)
    for m in found:
        by_length[m.length].append(m)
    lengths = sorted(by_length)
    against = {
        PAPER: [(float(n), max(fmean(m.paper for m in by_length[n]), 1e-7)) for n in lengths],
        OURS: [(float(n), max(fmean(m.ours for m in by_length[n]), 1e-7)) for n in lengths],
    }
    rows = tuple(
        (name, 1000 * fmean(values), 1000 * pstdev(values), 1000 * max(values)) for name, values in times.items()
    )
    detail = tuple(
        (n, len(by_length[n]), fmean(m.candidates for m in by_length[n]), 1000 * p, 1000 * o, p / o)
        for n, (_, p), (_, o) in zip(lengths, against[PAPER], against[OURS], strict=True)
    )
    same = "give every pattern the same k" if all(m.agree for m in found) else "DO NOT AGREE"
    return page(
        "k-anonymous strings: Figures 2 and 3",
        [
            Section(
                "Set-up",
                f"{len(found)} words of {SHORTEST} to {LONGEST} characters, drawn from {source}. "
                f"The two methods {same}.\n\nThe paper reports 520 ms a word on average (deviation 470 ms, at most "
                "1,880 ms) on its machine, for fetching the candidates alone. The figures here are for the whole "
                "dictionary; the paper's method breaks off at the level where no pattern reaches k = 2.",
                tables=(Table(("method", "mean ms", "deviation ms", "most ms"), rows),),
            ),
            Section(
                "Figure 2: accumulated time",
                figures=(line_chart("Accumulated time", accumulated, "words", "s", log_y=True),),
            ),
            Section(
                "Figure 3: time against length",
                "The mean of the words of each length. As the paper found, time follows the number of candidates as "
                "well as the length.",
                figures=(line_chart("Time against length", against, "characters", "s", log_y=True, x_ticks=lengths),),
                tables=(Table(("length", "words", "candidates", "paper ms", "ours ms", "times faster"), detail),),
            ),
            Section(
                "What is kept",
                "The share of the characters that stay, against k: the trade-off that the paper leaves to future work.",
                figures=(
                    line_chart(
                        "Characters kept", {"mean": [(float(k), s) for k, s in kept.items()]}, "k", "share", log_x=True
                    ),
                ),
            ),
        ],
    )
