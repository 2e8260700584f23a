"""Build the entity base "diseases": each disease with its symptoms, tests, treatments and risk factors, as in ERASE.

    python -m training.diseases --lexicon FOLDER --pack src/taciturn/packs/en -o FOLDER

``--lexicon`` is what ``python -m training.concepts`` has made (``en.lexicon`` and ``en.relations``, with their sources
and licences). A term belongs to a context if a source other than its own name relates it to the disease, and if it is
of a kind that such terms have: a symptom is a sign or a condition that an ontology of phenotypes or diseases holds, a
test is a test, a treatment a medication or a procedure, a risk factor an organism, a condition, a substance, a gene or
a behaviour. Symptoms and behaviours are also taken from the pack's counts: those that paragraphs on a disease speak of
more often than others do. Diseases that texts speak of have the signs, too, that the Human Phenotype Ontology annotates
them with (the pack's base of rare diseases). So no context has a keyboard in it, or the course of a disease.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import log2
from pathlib import Path

import click

from taciturn.knowledge import Knowledge
from taciturn.knowledge.entities.base import ENTITIES_SUFFIX, write_base
from taciturn.knowledge.lexicon import Lexicon
from taciturn.knowledge.relations import Relations
from taciturn.language import Key, key

__all__ = ["CONTEXT_KINDS", "related_terms", "spoken_signs"]

NAME = "diseases"
CONTEXT_KINDS = {
    "sign of": ("sign", "condition"),
    "measures": ("test", "score", "substance"),
    "monitors": ("test", "score"),
    "treats": ("medication", "medication class", "regimen"),
    "procedure for": ("procedure",),
    "caused by": ("organism", "condition", "medication", "substance", "function", "society"),
    "gene of": ("gene",),
}
"""The kinds of the terms that stand in each relation: symptoms, tests, treatments and risk factors."""

_LEAST = 3  # terms of a context
_COMMON = 10  # diseases that have a symptom which is called a disease as well
_MOST = 60
_MOST_SPOKEN = 30
_BROAD = {"DO": 60, "MONDO": 300}  # diseases under what is a heading and no symptom or disease of its own
_LONGEST = 5  # words of a name; longer ones describe, nobody writes them
_MET = 3  # contexts in which a disease and a sign are spoken of together
_TOLD = 2.0  # bits that the sign then says of the disease, discounted for small counts
_SPOKEN = 10  # contexts that speak of a disease whose signs are looked for
_KNOWN = 3  # contexts that speak of a disease that is taken for its annotations
_DISEASES = frozenset(("DO", "MONDO"))  # the ontologies that hold diseases alone: no symptoms, no bodily functions
_PHENOTYPE = "phenotypic abnormality"  # of HPO; beside it stand modifiers and the courses of diseases
_RISKS = frozenset((
    "Smoking", "Tobacco Use", "Drinking Behavior", "Recreational Drug Use", "Marijuana Use", "Sexual Behavior",
    "Risk-Taking", "Sedentary Behavior", "Feeding Behavior",
))  # fmt: skip
"""MeSH's headings of behaviours that diseases come of."""
_SYMPTOMS = "Signs and Symptoms"  # of MeSH
_ANNOTATED = "rare-diseases"  # the base of HPO's annotations
_HOWS = ("label", "synonym", "spelling", "brand")


def is_symptom(concept: int, lexicon: Lexicon) -> bool:
    """Is a sign or condition one that patients have? Other sources call pathologists' remarks findings, too."""
    if lexicon.kind(concept) not in CONTEXT_KINDS["sign of"]:
        return False
    above = {lexicon.label(a).lower() for a in lexicon.ancestors(concept)}
    return _PHENOTYPE in above or bool(_DISEASES.intersection(lexicon.concept(concept).sources))


def related_terms(lexicon: Lexicon, relations: Relations) -> dict[int, set[int]]:
    """Disease -> the concepts that belong to its context by what sources say."""
    found: dict[int, set[int]] = {}
    for expression in range(len(lexicon)):
        kind = lexicon.kind(expression)
        for r in relations.related(expression):
            fits = kind in CONTEXT_KINDS.get(r.predicate, ()) and lexicon.kind(r.matter) == "condition"
            if r.predicate == "sign of":
                fits = fits and is_symptom(expression, lexicon)
            if fits and r.matter != expression and set(r.sources) - {"names"}:
                found.setdefault(r.matter, set()).add(expression)
    return found


def spoken_signs(
    diseases: Mapping[int, Collection[Key]], signs: Mapping[int, Collection[Key]], knowledge: Knowledge
) -> dict[int, dict[int, float]]:
    """Disease -> the signs that texts speak of with it, by the counts of a pack, and how much they say of it."""
    counts = knowledge.counts
    found: dict[int, dict[int, float]] = {}
    key_of = {s: max(keys, key=lambda k: (counts.count(k), k)) for s, keys in signs.items()}
    numbers = counts.count_many([[k] for k in key_of.values()]).tolist()
    alone = {s: n for s, n in zip(key_of, numbers, strict=True) if n >= _MET}
    for disease, keys in diseases.items():
        name = max(keys, key=lambda k: (counts.count(k), k))
        spoken = counts.count(name)
        if spoken < _SPOKEN:
            continue
        joint = counts.table([name], [key_of[s] for s in alone])[1].tolist()
        for (sign, m), n in zip(alone.items(), joint, strict=True):
            if n >= _MET:
                less = n / (n + 1) * min(m, spoken) / (min(m, spoken) + 1)
                told = log2(n * counts.total / (m * spoken)) * less
                if told >= _TOLD and key_of[sign] not in keys:
                    found.setdefault(disease, {})[sign] = told
    return found


def names_of(concept: int, lexicon: Lexicon) -> list[Key]:
    """The keys under which people write a concept: no codes, no descriptions, no everyday words."""
    names = (n for n in lexicon.names(concept) if n.how in _HOWS and not n.ordinary)
    keys = (key(n.text) for n in names if len(n.text.split()) <= _LONGEST)
    return list(dict.fromkeys(k for k in keys if len(k) > 2)) or [key(lexicon.label(concept))]


def contexts(lexicon: Lexicon, relations: Relations, knowledge: Knowledge) -> dict[str, list[frozenset[Key]]]:
    """Disease -> its names and the terms of its context, each the set of its keys."""
    related = related_terms(lexicon, relations)
    said = {r.expression for e in range(len(lexicon)) for r in relations.related(e) if r.predicate == "sign of"}
    is_sign = {e for e in said if is_symptom(e, lexicon)}
    narrow = {e for e in is_sign if not _broad(e, lexicon)}
    risks = {e for e in range(len(lexicon)) if _is_risk(e, lexicon)}
    signs = {e: names_of(e, lexicon) for e in sorted(narrow | risks)}
    conditions = (d for d in range(len(lexicon)) if lexicon.kind(d) == "condition")
    diseases = [d for d in conditions if _DISEASES.intersection(lexicon.concept(d).sources)]
    named = {d: names_of(d, lexicon) for d in diseases if not _broad(d, lexicon)}
    annotated = annotated_signs(named, signs, knowledge)
    named = {d: names for d, names in named.items() if d in related or d in annotated}
    spoken = spoken_signs(named, signs, knowledge)
    terms_of: dict[int, dict[int, None]] = {}
    for disease in named:
        told = spoken.get(disease, {})
        by_sources = sorted(related.get(disease, ()), key=lambda t: (t not in is_sign, t))
        terms = [t for t in by_sources if t not in is_sign or t in narrow][:_MOST]
        terms += sorted(told, key=lambda t: (-told[t], t))[:_MOST_SPOKEN]
        terms += sorted(annotated.get(disease, ()))[:_MOST]
        # What a sign is a kind of is a sign as well: who has night sweats sweats.
        terms += [p for t in terms if t in signs for p in lexicon.parents(t) if p in signs]
        terms_of[disease] = dict.fromkeys(terms)
    # A symptom that many diseases have is no disease of its own here. The name of any other is its own alone: if it
    # stood for its neighbours as well, K-safety would keep it.
    having = Counter(t for terms in terms_of.values() for t in terms)
    entities = {d for d in named if having[d] < _COMMON or _SYMPTOMS not in map(lexicon.label, lexicon.ancestors(d))}
    own_names = {k for d in entities for k in named[d]}
    made: dict[str, list[frozenset[Key]]] = {}
    for disease in sorted(entities):
        groups = (frozenset(names_of(t, lexicon)) for t in terms_of[disease] if t not in entities)
        kept = [group for group in groups if not group & own_names]
        if len(kept) >= _LEAST:
            made.setdefault(lexicon.label(disease), [frozenset(named[disease])]).extend(kept)
    return made


def annotated_signs(
    named: Mapping[int, Collection[Key]], signs: Mapping[int, Collection[Key]], knowledge: Knowledge
) -> dict[int, set[int]]:
    """Disease -> the signs that it is annotated with, for diseases that texts speak of."""
    base, counts = knowledge.entities[_ANNOTATED], knowledge.counts
    sign_of = {k: sign for sign, keys in signs.items() for k in keys}
    entity_of = {key(entity): entity for entity in base.contexts}
    found: dict[int, set[int]] = {}
    for disease, keys in named.items():
        if max(counts.count(k) for k in keys) >= _KNOWN:
            context = set().union(*(base.contexts[entity_of[k]] for k in keys if k in entity_of))
            if told := {sign_of[k] for k in context if k in sign_of} - {disease}:
                found[disease] = told
    return found


def _is_risk(concept: int, lexicon: Lexicon) -> bool:
    """Is it something that people do and may fall ill of, such as smoking, by the heading it stands under?"""
    return "MeSH" in lexicon.concept(concept).sources and not _RISKS.isdisjoint(
        map(lexicon.label, (concept, *lexicon.ancestors(concept)))
    )


def _broad(concept: int, lexicon: Lexicon) -> bool:
    """Is it a heading? Codes count for nothing: they divide a disease by place and course."""
    below = Counter(s for d in lexicon.descendants(concept) for s in lexicon.concept(d).sources)
    return any(below[source] > most for source, most in _BROAD.items())


def written(path: Path, made: Mapping[str, Iterable[frozenset[Key]]], lexicon: Lexicon, pack: str) -> str:
    """Write the base; the file says what it was made of."""
    source = {"lexicon": lexicon.digest, "counts": pack, "entities": len(made)}
    return write_base(path, NAME, {e: list(groups) for e, groups in made.items()}, source)


@click.command()
@click.option("--lexicon", "folder", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--pack", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(folder: Path, pack: Path, out: Path) -> None:
    """Build the base "diseases" from a lexicon, its relations and a pack's counts."""
    lexicon = Lexicon.open(folder / "en.lexicon")
    relations = Relations.open(folder / "en.relations", lexicon)
    knowledge = Knowledge.open(pack)
    made = contexts(lexicon, relations, knowledge)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{NAME}{ENTITIES_SUFFIX}"
    digest = written(path, made, lexicon, knowledge.counts.digest)
    terms = sum(map(len, made.values())) - len(made)
    click.echo(f"{NAME}: {len(made)} entities, {terms} terms, {path.stat().st_size} bytes, {digest[:16]}", err=True)


if __name__ == "__main__":
    main()
