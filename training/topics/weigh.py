"""P(matter | expression): what definitions say, corrected by how often the corpus has the two together.

A definition gives a prior. The corpus gives n, the paragraphs with the expression, and k, those of them that name the
matter. Not every paragraph about a matter names it: the *naming rate* of a family is k/n for expressions that belong to
a member beyond doubt. So P = (K * prior + k' / rate) / (K + n), where k' is k less its own error and less what chance
gives; an expression that the corpus has often goes by the corpus, a rare one by its definition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.topics.contexts import Contexts, Ints
from training.topics.matters import Matter

__all__ = ["PRIOR", "Weights", "lines_of", "naming_rates", "with_descendants"]

PRIOR = 8.0  # paragraphs that a definition counts for
LEAST = 3  # paragraphs that must have both, where nothing defines the expression
CERTAIN = 0.85  # the prior of an expression that belongs to a matter beyond doubt
RATES = (0.25, 0.9)  # what a naming rate may be


def lines_of(matters: Mapping[str, Matter]) -> dict[str, set[str]]:
    """For each matter, itself and everything above it."""
    found: dict[str, set[str]] = {}

    def up(one: str) -> set[str]:
        if one not in found:
            found[one] = {one}
            for parent in matters[one].parents:
                if parent in matters:
                    found[one] |= up(parent)
        return found[one]

    for matter in matters:
        up(matter)
    return found


def with_descendants(own: Mapping[str, Ints], lines: Mapping[str, set[str]]) -> dict[str, Ints]:
    """The paragraphs that name a matter or one below it."""
    parts: dict[str, list[Ints]] = defaultdict(list)
    for matter, paragraphs in own.items():
        for above in lines[matter]:
            parts[above].append(paragraphs)
    return {matter: np.unique(np.concatenate(found)) for matter, found in sorted(parts.items())}


def naming_rates(
    contexts: Contexts,
    numbers: Mapping[str, int],
    full: Mapping[str, Ints],
    priors: Mapping[str, Mapping[str, float]],
    families: Mapping[str, str],
) -> dict[str, float]:
    """For each family, the median of k/n over expressions of a certain prior that the corpus has often enough."""
    rates: dict[str, list[float]] = defaultdict(list)
    for matter, of_matter in sorted(priors.items()):
        if matter not in full:
            continue
        counts = contexts.with_matter(full[matter])
        for text, prior in of_matter.items():
            at = numbers.get(text)
            if prior >= CERTAIN and at is not None and contexts.totals[at] >= PRIOR:
                rates[families[matter]].append(float(counts[at] / contexts.totals[at]))
    return {
        family: min(max(float(np.median(found)), RATES[0]), RATES[1]) if len(found) >= 5 else 0.5
        for family, found in rates.items()
    }


@dataclass(frozen=True)
class Weights:
    """What the corpus knows of expressions, the naming rates of the families, and the expressions' numbers."""

    contexts: Contexts
    rates: Mapping[str, float]
    numbers: Mapping[str, int]

    def of(
        self, paragraphs: Ints | None, priors: Mapping[str, float], family: str, least: float
    ) -> Iterator[tuple[str, float, int, int]]:
        """(expression, P, k, n) for one matter and its paragraphs, if P is at least ``least``."""
        totals = self.contexts.totals
        if paragraphs is None:
            counts: NDArray[np.float64] = np.zeros(len(totals))
        else:
            counts = self.contexts.with_matter(paragraphs).astype(np.float64)
        share = (len(paragraphs) if paragraphs is not None else 0) / (len(self.contexts.starts) - 1)
        sure = np.maximum(counts - np.sqrt(counts) - share * totals, 0.0)
        sure[counts < LEAST] = 0.0
        sure = np.minimum(sure / self.rates.get(family, 0.5), totals)
        plain = sure / (PRIOR + totals)
        seen = set()
        for at in np.flatnonzero(plain >= least).tolist():
            text = self.contexts.texts[at]
            seen.add(text)
            p = min((PRIOR * priors.get(text, 0.0) + sure[at]) / (PRIOR + totals[at]), 1.0)
            yield text, float(p), int(counts[at]), int(totals[at])
        for text, prior in sorted(priors.items()):
            if text not in seen:
                at = self.numbers.get(text, -1)
                total, k, s = (totals[at], counts[at], sure[at]) if at >= 0 else (0, 0, 0.0)
                p = min((PRIOR * prior + s) / (PRIOR + total), 1.0)
                if p >= least:
                    yield text, float(p), int(k), int(total)
