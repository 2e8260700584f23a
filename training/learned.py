"""Learn the entity base "common-diseases" from a pack's counts: what goes with the best-known diseases.

    python -m training.learned --pack src/taciturn/packs/en

The base is put into the pack, whose manifest and digest follow.

The entities are diseases of which none is a kind of another: of each line of the taxonomy the disease that texts speak
of most under its own names, neither the broad headings nor symptoms. The names of its kinds are among its own.
Candidates are the terms that the taxonomies know, neither rare nor everywhere, and no disease of the base.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click
from pyroaring import BitMap

from taciturn.knowledge import Knowledge
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.entities.base import ENTITIES_SUFFIX, write_base
from taciturn.knowledge.entities.learned import learn_contexts
from taciturn.knowledge.storage.pack import finish_pack, open_pack
from taciturn.knowledge.taxonomies import PackedTaxonomy

__all__ = ["best_known"]

_BROAD = 120  # leaves under a heading that names no disease
_LEAST = 20  # contexts that speak of a disease
_EVERYWHERE = 100  # a term in more than one context of so many says nothing
_SOURCES = ("diseases", "phenotypes", "drugs", "wordnet")


def best_known(diseases: PackedTaxonomy, counts: PackCounts) -> dict[str, list[str]]:
    """Disease -> its keys and those of its kinds, for diseases of which none is a kind of another."""
    own: dict[int, list[str]] = {}
    for number in range(len(diseases)):
        keys = [diseases.key_table[k] for k in diseases.key_numbers(number)]
        own[number] = [k for k in keys if diseases.sense_numbers(k)[0] == number and counts.concept(k) >= 0]
    symptoms = set(diseases.descendant_numbers(diseases.sense_numbers("symptom")[0]).tolist())
    spoken: list[tuple[int, int]] = []
    for number, keys in own.items():
        node = diseases.node(number)
        if keys and number not in symptoms and diseases.readable(node) and diseases.volume(node) <= _BROAD:
            here = BitMap.union(BitMap(), *(counts.contexts(k) for k in keys))
            children = diseases.child_numbers(number)
            below = BitMap.union(BitMap(), *(counts.contexts(k) for c in children for k in own[c]))
            if len(here) >= _LEAST:
                spoken.append((len(here - below), number))
    taken: dict[int, list[str]] = {}
    barred: set[int] = set()
    for _, number in sorted(spoken, key=lambda s: (-s[0], s[1])):
        if number not in barred:
            under = diseases.descendant_numbers(number).tolist()
            taken[number] = sorted({k for n in under for k in own[n]})
            barred.update(under, (int(n.id) for n in diseases.ancestors(diseases.node(number))))
    return {diseases.node(number).label: keys for number, keys in taken.items()}


def candidates(knowledge: Knowledge, counts: PackCounts) -> list[str]:
    """The keys that a taxonomy knows and that are neither rare nor everywhere."""
    keys = list(counts.keys())
    often = counts.count_many([[k] for k in keys])
    right = (often >= 5) & (often * _EVERYWHERE < counts.total)
    known = [t for t in knowledge.taxonomies if t.name in _SOURCES]

    def readable(key: str) -> bool:
        senses = next((s for t in known if (s := t.senses(key))), ())
        return any(t.readable(n) for n in senses[:1] for t in known if t.name == n.taxonomy)

    return [k for k, good in zip(keys, right.tolist(), strict=True) if good and readable(k)]


def _says(key: str, knowledge: Knowledge) -> set[str]:
    """A key and all that it is, in any taxonomy."""
    return {key, *(node.key for t in knowledge.taxonomies for node in t.generalizations(key))}


@click.command()
@click.option("--pack", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--share", type=float, default=0.35, show_default=True)
@click.option("--most", type=int, default=80, show_default=True)
def main(pack: Path, share: float, most: int) -> None:
    """Put the base "common-diseases" into a pack."""
    knowledge = Knowledge.open(pack)
    counts = knowledge.counts
    diseases = next(t for t in knowledge.taxonomies if t.name == "diseases")
    assert isinstance(counts, PackCounts)
    assert isinstance(diseases, PackedTaxonomy)
    entities = best_known(diseases, counts)
    click.echo(f"{len(entities)} diseases", err=True)
    # Two letters mean too many things (GC) to learn from; they are names all the same.
    telling = {e: [k for k in keys if len(k) > 2] or keys for e, keys in entities.items()}
    # The name of a disease, and of its kinds, is that disease's alone: if it stood for its neighbours as well, K-safety
    # would keep it.
    names = {k for keys in entities.values() for k in keys}
    terms = [k for k in candidates(knowledge, counts) if not names.intersection(_says(k, knowledge))]
    contexts = learn_contexts(counts, telling, terms, share=share, least=4, most=most)
    contexts = {e: [frozenset(entities[e]), *concepts[1:]] for e, concepts in contexts.items()}
    name = "common-diseases"
    source = {"learned from": counts.digest, "share": share, "most": most}
    made = pack.with_name(f"{pack.name}.learned")
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(pack, made, ignore=shutil.ignore_patterns("manifest.json"))
    digest = write_base(made / f"{name}{ENTITIES_SUFFIX}", name, contexts, source)
    facts = {k: v for k, v in open_pack(pack).manifest.items() if k not in ("files", "digest", "checksum")}
    finish_pack(made, pack, facts, replace=True)
    size = sum(map(len, contexts.values()))
    click.echo(f"{name}: {len(contexts)} entities, {size} concepts, {digest[:16]}", err=True)


if __name__ == "__main__":
    main()
