"""From the sources to matters and relations, step by step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from training.topics.contexts import FEWEST, Ints, count_contexts, named_paragraphs
from training.topics.families import Family
from training.topics.leads import Lead
from training.topics.matters import Matter, wordnet_matters
from training.topics.merge import Registry, folded, headings, is_member
from training.topics.priors import Names, Prior, head_kind, lead_priors, short_form_priors, wordnet_priors
from training.topics.stream import Stream, usual_case
from training.topics.synsets import WordNet
from training.topics.weigh import Weights, lines_of, naming_rates, with_descendants

__all__ = ["Relation", "collect_matters", "promote", "relate"]

LEAST = 0.1  # the least share that is kept
COMPANY = 0.4  # of the company that sure names keep, what a word must keep to become one
LEAST_COMPANY = 0.15
CONTEXT = "Wikipedia contexts"


@dataclass(frozen=True, slots=True)
class Relation:
    """An expression, what sort of thing it is, what it has to do with a matter, who says so, P(matter | expression)."""

    expression: str
    kind: str
    predicate: str
    matter: str
    source: str
    weight: float


def collect_matters(
    families: Sequence[Family],
    wordnet: WordNet,
    mesh: Sequence[Sequence[str]],
    leads: Sequence[Lead],
    stream: Stream,
) -> dict[str, Matter]:
    """The matters of all sources by id. Headings and titles begin with capitals; the corpus says which are meant."""
    members = [(family, lead) for lead in leads for family in families if is_member(family, lead)]
    titles = [n for _, lead in members for n in (lead.title, *(other for other, _ in lead.others))]
    registry = Registry(
        (matter for family in families for matter in wordnet_matters(wordnet, family)),
        usual_case(stream, [*headings(families, mesh), *titles]),
    )
    for family in families:
        registry.add_mesh(family, mesh)
    for family, lead in members:
        registry.add_lead(family, lead)
    return registry.matters


def other_phrases(wordnet: WordNet, matters: Mapping[str, Matter]) -> list[str]:
    """WordNet's phrases that hold a name of a matter and mean something else: "rugby union"."""
    own = {s for m in matters.values() for s in m.synsets}
    single = {folded(n) for m in matters.values() for n in m.names if " " not in n}
    every = {folded(n) for m in matters.values() for n in m.names}
    names = Names(matters)
    found = set()
    for synset in wordnet.synsets.values():
        for word in synset.words:
            parts = folded(word).split()
            other = len(parts) > 1 and synset.id not in own and folded(word) not in every
            if other and single & set(parts) and not names.counts(synset.gloss):
                found.add(word)
    return sorted(found)


def promote(stream: Stream, matters: Mapping[str, Matter], own: Mapping[str, Ints], others: Sequence[str]) -> int:
    """Make unsure names sure where the corpus has them with sure names often enough; returns how many.

    A word that means the matter stands in a paragraph with another of its names, or one below it, about as often as a
    sure name does.
    """
    full = with_descendants(own, lines_of(matters))
    unsure = {f"{m.id}\t{n}": [n] for m in matters.values() for n in m.unsure}
    alone, _ = named_paragraphs(stream, unsure, others)
    rate = _company(stream, matters, others)
    count = int(stream.paragraphs[-1]) + 1
    promoted = 0
    for key, paragraphs in sorted(alone.items()):
        id_, name = key.split("\t")
        matter = matters[id_]
        known = full.get(id_, np.zeros(0, np.int64))
        both = len(np.intersect1d(paragraphs, known, assume_unique=True))
        kept = (both - both**0.5) / max(len(paragraphs), 1) - len(known) / count
        if both >= 3 and kept >= max(COMPANY * rate[matter.family], LEAST_COMPANY):
            matter.names[name] = matter.unsure.pop(name)
            promoted += 1
    for matter in matters.values():
        if matter.unsure and not matter.names:  # better its own label than no name at all
            name = matter.label if matter.label in matter.unsure else next(iter(matter.unsure))
            matter.names[name] = matter.unsure.pop(name)
            promoted += 1
    return promoted


def _company(stream: Stream, matters: Mapping[str, Matter], others: Sequence[str]) -> dict[str, float]:
    """For each family, how often a paragraph with one sure name has another: the median over names."""
    single, _ = named_paragraphs(stream, {f"{m.id}\t{n}": [n] for m in matters.values() for n in m.names}, others)
    of_matter: dict[str, list[str]] = defaultdict(list)
    for key in single:
        of_matter[key.split("\t")[0]].append(key)
    rates: dict[str, list[float]] = defaultdict(list)
    for matter, keys in sorted(of_matter.items()):
        for key in keys:
            rest = [single[k] for k in keys if k != key]
            if len(single[key]) >= 20 and rest:
                both = len(np.intersect1d(single[key], np.unique(np.concatenate(rest)), assume_unique=True))
                rates[matters[matter].family].append(both / len(single[key]))
    return {m.family: float(np.median(rates[m.family])) if rates[m.family] else 0.3 for m in matters.values()}


def relate(
    stream: Stream,
    wordnet: WordNet,
    matters: Mapping[str, Matter],
    leads: Sequence[Lead],
    short_forms: Mapping[str, Mapping[str, int]],
) -> tuple[list[Relation], dict[str, float]]:
    """The relations of all matters, and the naming rates that their weights rest on."""
    others = other_phrases(wordnet, matters)
    own, _ = named_paragraphs(stream, {m.id: list(m.names) for m in matters.values()}, others)
    promote(stream, matters, own, others)
    own, covered = named_paragraphs(stream, {m.id: list(m.names) for m in matters.values()}, others)
    lines = lines_of(matters)
    full = with_descendants(own, lines)
    phrases = sorted({lead.title for lead in leads} | {w for s in wordnet.synsets.values() for w in s.words})
    contexts = count_contexts(stream, covered, phrases)
    names = Names(matters)
    priors: dict[str, dict[str, Prior]] = defaultdict(dict)
    for prior in _priors(wordnet, matters, lines, names, leads, short_forms):
        text = " ".join(stream.words[i] if i >= 0 else "\0" for i in stream.encode(prior.expression))
        text = prior.expression if "\0" in text else text
        if text not in priors[prior.matter] or priors[prior.matter][text].share < prior.share:
            priors[prior.matter][text] = prior
    numbers = {text: i for i, text in enumerate(contexts.texts)}
    shares = {m: {t: p.share for t, p in found.items()} for m, found in priors.items()}
    rates = naming_rates(contexts, numbers, full, shares, {m.id: m.family for m in matters.values()})
    weights = Weights(contexts, rates, numbers)
    relations = []
    named: dict[str, set[str]] = {}
    for matter in sorted(matters):
        for text, p, k, n in weights.of(full.get(matter), shares.get(matter, {}), matters[matter].family, LEAST):
            said = priors[matter].get(text)
            if text not in named:
                named[text] = {above for m, _, _ in names.within(text) for above in lines[m]}
            if matter in named[text]:
                continue  # a name says it already
            if said and matters[matter].family == "origin" and n < FEWEST and said.kind in ("person", "place"):
                continue  # nearly every article on a person or place names a country
            sources = ([said.source] if said else []) + ([CONTEXT] if k >= 3 else [])
            relations.append(
                Relation(
                    text,
                    said.kind if said else "word" if " " not in text else "phrase",
                    said.predicate if said else "goes with",
                    matter,
                    " + ".join(sources),
                    round(p, 3),
                )
            )
    return relations, rates


def _priors(
    wordnet: WordNet,
    matters: Mapping[str, Matter],
    lines: Mapping[str, set[str]],
    names: Names,
    leads: Iterable[Lead],
    short_forms: Mapping[str, Mapping[str, int]],
) -> Iterable[Prior]:
    yield from wordnet_priors(wordnet, matters, lines, names)
    for lead in leads:
        yield from lead_priors(lead, names, lines, matters, head_kind(lead, wordnet))
    yield from short_form_priors(short_forms, names, lines, matters)
