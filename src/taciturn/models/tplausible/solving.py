"""What planning chooses: for each sensitive word of a document the phrase that it is shown as."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from taciturn.document import Span, Term
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key, key
from taciturn.models.tplausible.chains import Step, chain_of, sense_of
from taciturn.models.tplausible.cut import Cut, cut_of
from taciturn.models.tplausible.sensitive import standing_keys
from taciturn.models.tplausible.solved import NotPlausibleError, Solved
from taciturn.models.tplausible.units import Units
from taciturn.solvers.plausibility import (
    Choice,
    Infeasible,
    entropy_cost,
    esearch_prune,
    least_entropy_cost,
    least_product,
    lub_search,
    uniform,
    uniform_esearch_prune,
)
from taciturn.solvers.plausibility.alike import base_texts, least_class

if TYPE_CHECKING:
    from taciturn.models.tplausible.model import TPlausible

__all__ = ["cut_for", "solve"]

_Words = Mapping[int, Collection[Key]]


def solve(
    model: TPlausible, terms: Sequence[Term], words: Mapping[Key, Key], units: Units, analysis: Analysis,
    knowledge: Knowledge,
) -> Solved:  # fmt: skip
    """Choose unit by unit; a term of several units is shown everywhere as the most general of its choices.

    ``words`` has for each sensitive key the word that it is: two names of one node are one word, and repeated mentions
    count once, for they are the same unknown.
    """
    named = {key(name) for name in model.named}
    unsaid = {k for pair in words.items() if not named.isdisjoint(pair) for k in pair}
    here: dict[int, dict[Key, None]] = {}
    for term in terms:
        here.setdefault(units.number(term.start), {})[words[term.key]] = None
    unknown = {k for k, w in words.items() if sense_of(w, knowledge, model.meanings.get(w, "")) is None}
    if model.against == "algorithm":
        spans = [(t.start, t.end) for t in terms]
        labels = _labels(model, here, units, cut_for(model, here, units, analysis, spans, knowledge), knowledge)
        shown = {k: labels[w] for k, w in words.items() if k not in unknown}
        return Solved(MappingProxyType(shown), frozenset(unknown), 0.0, 0.0, False, False)
    chains = {
        w: chain_of(w, knowledge, model.base, model.paths, model.meanings, unsaid, model.words == "counts")
        for w in sorted(set(words.values()))
    }
    choices = _choices(model, here, units, chains)
    places: dict[Key, int] = {}
    shared = False
    for unit, choice in choices.items():
        for word, place in zip(here[unit], choice.choice, strict=True):
            shared |= places.get(word, place) != place
            places[word] = max(places.get(word, 0), place)
    shown = {k: chains[w][places[w] - 1] if places[w] else None for k, w in words.items()}
    found = choices.values()
    return Solved(
        MappingProxyType(shown),
        frozenset(unknown),
        math.fsum(c.cost for c in found),
        math.fsum(c.cost - c.bound if model.uniform else math.log2(c.product) - math.log2(c.bound) for c in found),
        all(c.optimal for c in found),
        shared,
    )


def cut_for(
    model: TPlausible, words: _Words, units: Units, analysis: Analysis, spans: Sequence[Span], knowledge: Knowledge
) -> Cut:
    """The cut for these units of words. What stands outside the ``spans`` of sensitive words is in no class: a text
    that had it in the place of such a word would name it twice."""
    found = {w: sense_of(w, knowledge, model.meanings.get(w, "")) for unit in words.values() for w in unit}
    known = {w for w, f in found.items() if f}
    sizes = [
        least_class(units.t_of(number, model.ts or ()), here, len(known) - here)
        for number, unit in words.items()
        if (here := sum(1 for w in unit if w in known))
    ]
    of = frozenset(f[0].name for f in found.values() if f)
    taxonomies = [t for t in knowledge.taxonomies if t.name in of]
    standing = frozenset(k for k in standing_keys(analysis, spans) if any(t.senses(k) for t in taxonomies))
    return cut_of(knowledge, max(sizes, default=1), of, tuple(sorted(model.meanings.items())), standing)


def _labels(model: TPlausible, words: _Words, units: Units, cut: Cut, knowledge: Knowledge) -> dict[Key, Step | None]:
    """What the cut shows each word as; words that no taxonomy knows have no label."""
    labels = {w: cut.step(w) for unit in words.values() for w in unit}
    for number, unit in words.items():
        known = [w for w in unit if sense_of(w, knowledge, model.meanings.get(w, ""))]
        t = units.t_of(number)
        if any(labels[w] is None for w in known) or (not known and t > 1):
            k = min((cut.largest(w) for u in words.values() for w in u if sense_of(w, knowledge)), default=0)
            most = base_texts([(k, len(known), 0)]) if known else 1
            raise NotPlausibleError(model.segment, number + 1, len(unit), t, most, min(most, t - 1))
    return labels


def _choices(
    model: TPlausible, words: Mapping[int, Iterable[Key]], units: Units, chains: Mapping[Key, tuple[Step, ...]]
) -> dict[int, Choice]:
    found = {}
    largest = {u: math.prod(chains[w][-1].volume if chains[w] else 1 for w in unit) for u, unit in words.items()}
    for number, unit in words.items():
        t, steps = units.t_of(number), [chains[w] for w in unit]
        try:
            if model.weighs:
                found[number] = _weighed(model, t, list(unit), steps)
            else:
                found[number] = _search(model, t, [[1, *(s.volume for s in chain)] for chain in steps])
        except Infeasible as error:
            everywhere = min(error.largest, *largest.values())
            raise NotPlausibleError(model.segment, number + 1, len(steps), t, error.largest, everywhere) from None
    return found


def _search(model: TPlausible, t: int, chains: list[list[int]]) -> Choice:
    if not model.uniform:
        solver = least_product if model.search == "exact" else esearch_prune
        return solver(chains, t, model.time_limit)
    if model.search == "lub":
        return lub_search(chains, t, model.alpha)
    search = uniform if model.search == "exact" else uniform_esearch_prune
    return search(chains, t, model.alpha, model.time_limit)


def _weighed(model: TPlausible, t: int, words: Sequence[Key], chains: Sequence[Sequence[Step]]) -> Choice:
    """The choice where base values differ in likelihood, or words in sensitivity."""
    entropies = [[0.0, *(s.bits for s in chain)] for chain in chains]
    weights = [model.sensitivity.get(w, 1.0) for w in words]
    shares = [w / math.fsum(weights) for w in weights]
    bits = math.log2(t)
    places = least_entropy_cost(entropies, bits, model.alpha, shares)
    volumes = [[1, *(s.volume for s in chain)][at] for chain, at in zip(chains, places, strict=True)]
    price = entropy_cost([e[at] for e, at in zip(entropies, places, strict=True)], bits, model.alpha, shares)
    return Choice(places, tuple(volumes), math.prod(volumes), price, True, price)
