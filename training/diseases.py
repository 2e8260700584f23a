"""Build the entity base "diseases": each disease with its symptoms, tests, treatments and causes, as ERASE had them.

    python -m training.diseases --lexicon FOLDER --pack src/taciturn/packs/en -o FOLDER

``--lexicon`` is what ``python -m training.concepts`` has made (``en.lexicon`` and ``en.relations``, with their sources
and licences). A term belongs to a context if a source other than its own name relates it to the disease, and if it is
of a kind that such terms have: a symptom is a sign or a condition, a test is a test, a treatment a medication or a
procedure, a cause an organism. Symptoms are also taken from the pack's counts: the signs that paragraphs on a disease
speak of more often than others do. So no context has a keyboard in it.
"""

from __future__ import annotations

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
    "caused by": ("organism",),
}
"""The kinds of the terms that stand in each relation: symptoms, tests, treatments and causes (risk factors)."""

_LEAST = 3  # terms of a context
_MOST = 60
_MOST_SPOKEN = 30
_BROAD = {"condition": 60, "sign": 300}  # kinds of what is a heading and no symptom or disease of its own
_LONGEST = 5  # words of a name; longer ones describe, nobody writes them
_MET = 3  # contexts in which a disease and a sign are spoken of together
_TOLD = 2.0  # bits that the sign then says of the disease, discounted for small counts
_SPOKEN = 10  # contexts that speak of a disease whose signs are looked for
_DISEASES = frozenset(("DO", "MONDO"))  # the ontologies that hold diseases alone: no symptoms, no bodily functions
_HOWS = ("label", "synonym", "spelling", "brand")


def related_terms(lexicon: Lexicon, relations: Relations) -> dict[int, set[int]]:
    """Disease -> the concepts that belong to its context by what sources say."""
    found: dict[int, set[int]] = {}
    for expression in range(len(lexicon)):
        kind = lexicon.kind(expression)
        for r in relations.related(expression):
            fits = kind in CONTEXT_KINDS.get(r.predicate, ()) and lexicon.kind(r.matter) == "condition"
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
    every = list(key_of)
    alone = counts.count_many([[key_of[s]] for s in every]).tolist()
    every, alone = zip(*((s, n) for s, n in zip(every, alone, strict=True) if n >= _MET), strict=True)  # type: ignore[assignment]
    for disease, keys in diseases.items():
        name = max(keys, key=lambda k: (counts.count(k), k))
        spoken = counts.count(name)
        if spoken < _SPOKEN:
            continue
        joint = counts.table([name], [key_of[s] for s in every])[1].tolist()
        for sign, n, m in zip(every, joint, alone, strict=True):
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
    is_sign = {r.expression for e in range(len(lexicon)) for r in relations.related(e) if r.predicate == "sign of"}
    narrow = {e for e in is_sign if lexicon.kind(e) in CONTEXT_KINDS["sign of"] and not _broad(e, lexicon)}
    signs = {e: names_of(e, lexicon) for e in sorted(narrow)}
    diseases = [d for d in sorted(related) if _DISEASES.intersection(lexicon.concept(d).sources)]
    named = {d: names_of(d, lexicon) for d in diseases if not _broad(d, lexicon)}
    spoken = spoken_signs(named, signs, knowledge)
    made: dict[str, list[frozenset[Key]]] = {}
    for disease, names in named.items():
        own = set(names)
        told = spoken.get(disease, {})
        by_sources = sorted(related[disease], key=lambda t: (t not in is_sign, t))
        terms = [t for t in by_sources if t not in is_sign or t in narrow][:_MOST]
        terms += sorted(told, key=lambda t: (-told[t], t))[:_MOST_SPOKEN]
        # What a sign is a kind of is a sign as well: who has night sweats sweats.
        terms += [p for t in terms if t in signs for p in lexicon.parents(t) if p in signs]
        groups = {t: frozenset(names_of(t, lexicon)) for t in dict.fromkeys(terms)}
        kept = [group for group in groups.values() if not group & own]
        if len(kept) >= _LEAST:
            made.setdefault(lexicon.label(disease), [frozenset(own)]).extend(kept)
    return made


def _broad(concept: int, lexicon: Lexicon) -> bool:
    return len(lexicon.descendants(concept)) > _BROAD[lexicon.kind(concept)]


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
