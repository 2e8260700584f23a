"""Adversaries that use a pack or an entity base, and add up the evidence of each expression of a text.

With n(c) contexts of a candidate c, n(c, t) of them with the term t, and p(t) the share of all contexts with t, the
evidence of t for c is log2 P(t|c)/p(t). The two ways differ in P(t|c) and in the prior:

- ``pmi``: P(t|c) = (n(c, t) + m p(t)) / (n(c) + m), mutual information shrunk towards nothing for candidates of whom
  little is known (m contexts' worth); all candidates are as likely beforehand.
- ``bayes``: P(t|c) = (1 - l) n(c, t)/n(c) + l p(t), a mixture with what is said of anything; beforehand a candidate is
  as likely as it is often spoken of.

Both add up the bits of all terms, which counts terms that go together twice: the order of the guesses is better founded
than their probability. An entity base is read as counts in which each entity has one context, its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document
from taciturn.knowledge import EntityBase, Knowledge, UnknownTermError
from taciturn.lab.attack.guesses import Attack, ranked
from taciturn.language import Analysis, Key, analyze, key
from taciturn.models import KSafe
from taciturn.models.ksafe.evidence import connections
from taciturn.reading import readings
from taciturn.report.guesses import chances

__all__ = ["BaseAdversary", "PackAdversary", "Way", "attack"]

Way = Literal["pmi", "bayes"]
SHRINKAGE = 5.0
"""Contexts' worth of doubt: a candidate with as many contexts has half its own evidence."""
MIXTURE = 0.5
"""How much of what is said of a candidate is said of anything."""
_TOGETHER = 32  # candidates asked for at once
_SHOWN = 5  # terms of evidence that a guess quotes

Bits = NDArray[np.float64]


@dataclass(frozen=True)
class PackAdversary:
    """Who knows the counts of a pack, and has candidates that stand in it.

    >>> from taciturn.knowledge import ContextCounts
    >>> contexts = [{"rome", "pope"}] * 4 + [{"paris", "tower"}] * 4 + [{"tower"}, {"river"}]
    >>> adversary = PackAdversary(["Rome", "Paris"], Knowledge(ContextCounts(contexts)))
    >>> [(g.name, g.evidence) for g in adversary("He saw the tower.").guesses]
    [('Paris', (('tower', 0.53),)), ('Rome', ())]
    """

    candidates: Sequence[str]
    knowledge: Knowledge = field(repr=False)
    way: Way = "pmi"
    shown: int = _SHOWN
    shrinkage: float = SHRINKAGE

    def __post_init__(self) -> None:
        _check(self.way, self.shrinkage)
        if not self._known:
            raise ValueError("the knowledge knows none of the candidates; check their spelling, or name others")

    @property
    def name(self) -> str:
        return self.way

    def called(self, name: str) -> str | None:
        return name if name in self._known else None

    @cached_property
    def _known(self) -> dict[str, Key]:
        """The candidates that the counts know, with their keys."""
        names = list(dict.fromkeys(self.candidates))
        keys = [key(name) for name in names]
        there = self.knowledge.counts.table([], keys)[0] > 0
        return {name: k for name, k, here in zip(names, keys, there.tolist(), strict=True) if k and here}

    @cached_property
    def _contexts(self) -> tuple[list[Key], Bits]:
        """The distinct keys of the candidates, and in how many contexts each stands."""
        keys = list(dict.fromkeys(self._known.values()))
        return keys, self.knowledge.counts.table([], keys)[0].astype(np.float64)

    def __call__(self, text: str | Document) -> Attack:
        """Rank the candidates by what a text says of each."""
        counts = self.knowledge.counts
        terms = _evidence_keys(analyze(Document.of(text) if isinstance(text, str) else text), self.knowledge)
        keys, own = self._contexts
        bits = np.zeros((len(keys), len(terms)))
        for start in range(0, len(keys) if terms else 0, _TOGETHER):
            part = slice(start, start + _TOGETHER)
            table = counts.table(keys[part], terms).astype(np.float64)
            bits[part] = _bits(self.way, table[1:], own[part, None], table[0] / counts.total, self.shrinkage)
        row = {k: i for i, k in enumerate(keys)}
        rows = [row[k] for k in self._known.values()]
        sums = bits.sum(axis=1)[rows]
        if self.way == "bayes":
            sums = sums + np.log2(own[rows] / own.max())
        unknown = tuple(n for n in dict.fromkeys(self.candidates) if n not in self._known)
        evidence = (_best(bits[r], terms, self.shown) for r in rows)
        return ranked(list(self._known), sums, chances(sums), evidence, unknown, len(terms))


@dataclass(frozen=True)
class BaseAdversary:
    """Who knows an entity base: its entities are the candidates, and what they have is what is known of them.

    >>> base = EntityBase("b", {"flu": frozenset({"flu", "fever"}), "gout": frozenset({"gout", "pain"})})
    >>> from taciturn.knowledge import ContextCounts
    >>> [g.name for g in BaseAdversary(base, Knowledge(ContextCounts([])))("She had a fever.").guesses]
    ['flu', 'gout']
    """

    base: EntityBase
    knowledge: Knowledge = field(repr=False)
    way: Way = "pmi"
    shown: int = _SHOWN
    shrinkage: float = SHRINKAGE

    def __post_init__(self) -> None:
        _check(self.way, self.shrinkage)

    @property
    def name(self) -> str:
        return self.way

    def called(self, name: str) -> str | None:
        """The entity of the base that bears a name, synonyms included."""
        with suppress(UnknownTermError):
            return KSafe(self.base, [name]).resolve(self.knowledge)[1][0]
        return None

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self.base.contexts)

    def __call__(self, text: str | Document) -> Attack:
        """Rank the entities of the base by what a text says of each."""
        analysis = analyze(Document.of(text) if isinstance(text, str) else text)
        shown = connections(analysis, self.base, self.knowledge, subsumption=False)
        terms = list(shown.places)
        share = np.array([len(shown.holders[t]) for t in terms], dtype=np.float64) / len(self._names)
        one = np.ones(1)
        has, lacks = (
            _bits(self.way, np.full(len(terms), n), one, share, self.shrinkage) if terms else np.zeros(0)
            for n in (1.0, 0.0)
        )
        gain = dict(zip(terms, (has - lacks).tolist(), strict=True))
        nothing = float(lacks.sum())
        held = {e: [t for t in terms if t in there] for e, there in shown.contexts.items()}
        sums = np.array([nothing + sum(gain[t] for t in held.get(e, ())) for e in self._names])
        worth = dict(zip(terms, has.tolist(), strict=True))

        def evidence() -> Iterator[tuple[tuple[str, float], ...]]:
            for e in self._names:
                best = sorted(held.get(e, ()), key=lambda t: -worth[t])[: self.shown]
                yield tuple((t, round(worth[t], 2)) for t in best)

        return ranked(self._names, sums, chances(sums), evidence(), (), len(terms))


def attack(
    text: str | Document,
    candidates: Sequence[str],
    knowledge: Knowledge,
    *,
    way: Way = "pmi",
    shown: int = _SHOWN,
    shrinkage: float = SHRINKAGE,
) -> Attack:
    """Rank candidates by what one text says of each, by the counts of the knowledge.

    >>> from taciturn.knowledge import ContextCounts
    >>> knowledge = Knowledge(ContextCounts([{"rome", "pope"}, {"paris", "tower"}, {"river"}]))
    >>> attack("He saw the tower.", ["Rome", "Paris"], knowledge).rank("Paris")
    1.0
    """
    return PackAdversary(candidates, knowledge, way, shown, shrinkage)(text)


def _check(way: str, shrinkage: float) -> None:
    if way not in ("pmi", "bayes"):
        raise ValueError(f"no way {way!r} to weigh evidence; there are 'pmi' and 'bayes'")
    if shrinkage <= 0:
        raise ValueError(f"shrinkage is {shrinkage}, but must be more than 0 contexts")


def _bits(way: Way, together: Bits, own: Bits, share: Bits, shrinkage: float) -> Bits:
    """The evidence of terms for candidates, in bits; see the head of this module."""
    if way == "pmi":
        given = (together + shrinkage * share) / (own + shrinkage)
    else:
        given = (1 - MIXTURE) * together / own + MIXTURE * share
    bits: Bits = np.log2(given / share)
    return bits


def _best(bits: Bits, terms: Sequence[str], shown: int) -> tuple[tuple[str, float], ...]:
    """The terms that speak most for a candidate, with their bits."""
    best = np.argsort(-bits, kind="stable")[:shown].tolist()
    return tuple((terms[i], round(float(bits[i]), 2)) for i in best if bits[i] > 0)


def _evidence_keys(analysis: Analysis, knowledge: Knowledge) -> list[Key]:
    """The distinct keys that a text shows: of each expression its own, or, if unknown, the known ones inside it."""
    found = readings(analysis)
    every = list(dict.fromkeys(k for r in found for k in r.keys))
    there: Mapping[Key, bool] = dict(zip(every, (knowledge.counts.table([], every)[0] > 0).tolist(), strict=True))
    keys: dict[Key, None] = {}
    for r in found:
        for k in r.keys[:1] if there[r.keys[0]] else r.keys[1:]:
            if there[k]:
                keys[k] = None
    return list(keys)
