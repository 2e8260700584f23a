"""The adversary: whom does a text speak of, by what it still says?

Given candidates, each expression of the text is evidence for those in whose contexts it is more common than elsewhere.
With n contexts of a candidate c, n(c, t) of them with the term t, and p(t) the share of all contexts with t, the
evidence of t for c is log2 P(t|c)/p(t), where P(t|c) = (n(c, t) + m p(t)) / (n(c) + m): mutual information, shrunk
towards nothing for candidates of whom little is known (m contexts' worth). The bits of all terms are added up (naive
Bayes), which counts terms that go together twice: the order of the guesses is better founded than their probability.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.document import Document
from tacit.knowledge import Knowledge
from tacit.language import Analysis, analyze, key
from tacit.models.reading import readings

__all__ = ["Attack", "Guess", "attack", "reidentified"]

SHRINKAGE = 5.0
"""Contexts' worth of doubt: a candidate with as many contexts has half its own evidence."""

_TOGETHER = 32  # candidates asked for at once


@dataclass(frozen=True, slots=True)
class Guess:
    """A candidate with the bits that the text gives for it, its posterior, and the terms that speak most for it."""

    name: str
    bits: float
    posterior: float
    evidence: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Attack:
    """The candidates, the likeliest first; ``unknown`` are those of whom the knowledge knows nothing."""

    guesses: tuple[Guess, ...]
    unknown: tuple[str, ...]
    terms: int

    def rank(self, name: str) -> float | None:
        """The place of a candidate, from 1; equal bits share the mean of their places. None if it is unknown."""
        bits = next((g.bits for g in self.guesses if g.name == name), None)
        if bits is None:
            return None
        better = sum(g.bits > bits for g in self.guesses)
        return better + (1 + sum(g.bits == bits for g in self.guesses)) / 2

    def posterior(self, name: str) -> float | None:
        """The probability of a candidate among all of them, before which each was as likely."""
        return next((g.posterior for g in self.guesses if g.name == name), None)


def attack(
    text: str | Document,
    candidates: Sequence[str],
    knowledge: Knowledge,
    *,
    shown: int = 5,
    shrinkage: float = SHRINKAGE,
) -> Attack:
    """Rank the candidates by what a text says of each.

    >>> from tacit.knowledge import ContextCounts
    >>> contexts = [{"rome", "pope"}] * 4 + [{"paris", "tower"}] * 4 + [{"tower"}, {"river"}]
    >>> found = attack("He saw the tower.", ["Rome", "Paris"], Knowledge(ContextCounts(contexts)))
    >>> [(g.name, g.evidence) for g in found.guesses]
    [('Paris', (('tower', 0.53),)), ('Rome', ())]
    """
    if shrinkage <= 0:
        raise ValueError(f"shrinkage is {shrinkage}, but must be more than 0 contexts")
    counts, total = knowledge.counts, knowledge.counts.total
    names = list(dict.fromkeys(candidates))
    known = {name: k for name in names if (k := key(name)) and counts.count(k)}
    if not known:
        raise ValueError("the knowledge knows none of the candidates; check their spelling, or name others")
    analysis = analyze(Document.of(text) if isinstance(text, str) else text)
    terms = _evidence_keys(analysis, knowledge)
    keys = list(dict.fromkeys(known.values()))
    own = counts.table([], keys)[0].astype(np.float64)
    bits = np.zeros((len(keys), len(terms)))
    for start in range(0, len(keys), _TOGETHER):
        table = counts.table(keys[start : start + _TOGETHER], terms).astype(np.float64)
        share = table[0] / total
        n = own[start : start + _TOGETHER, None]
        bits[start : start + _TOGETHER] = np.log2((table[1:] + shrinkage * share) / (n + shrinkage) / share)
    sums = bits.sum(axis=1)
    row = {k: i for i, k in enumerate(keys)}
    chances = np.exp2(sums - sums.max())
    each = chances[[row[k] for k in known.values()]]
    each = each / each.sum()
    guesses = []
    for (name, k), chance in zip(known.items(), each.tolist(), strict=True):
        of_terms = bits[row[k]]
        best = np.argsort(-of_terms, kind="stable")[:shown].tolist()
        evidence = tuple((terms[i], round(float(of_terms[i]), 2)) for i in best if of_terms[i] > 0)
        guesses.append(Guess(name, round(float(sums[row[k]]), 6), chance, evidence))
    guesses.sort(key=lambda g: (-g.bits, g.name))
    return Attack(tuple(guesses), tuple(n for n in names if n not in known), len(terms))


def _evidence_keys(analysis: Analysis, knowledge: Knowledge) -> list[str]:
    """The distinct keys that a text shows: of each expression its own, or, if unknown, the known ones inside it."""
    found = readings(analysis)
    every = list(dict.fromkeys(k for r in found for k in r.keys))
    there: Mapping[str, bool] = dict(zip(every, (knowledge.counts.table([], every)[0] > 0).tolist(), strict=True))
    keys: dict[str, None] = {}
    for r in found:
        for k in r.keys[:1] if there[r.keys[0]] else r.keys[1:]:
            if there[k]:
                keys[k] = None
    return list(keys)


def reidentified(attacks: Sequence[tuple[Attack, str]], ranks: Sequence[int] = (1, 5, 10)) -> dict[int, float]:
    """Of texts attacked, with the truth for each: the share for which the truth came at each rank or better."""
    if not attacks:
        raise ValueError("no attacks to count")
    places = [a.rank(truth) for a, truth in attacks]
    return {r: sum(p is not None and p <= r for p in places) / len(places) for r in ranks}
