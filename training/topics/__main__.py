"""Derive matters and relations from open sources, and measure what they reach.

    python -m training.topics build --shared ../shared --wordnet /usr/share/wordnet -o FOLDER
    python -m training.topics measure --shared ../shared --wordnet /usr/share/wordnet FOLDER

The same sources give the same bytes. A build takes about ten minutes and 6 GB.
"""

from __future__ import annotations

import lzma
from collections import defaultdict
from pathlib import Path

import click

from training.topics.build import collect_matters, relate
from training.topics.families import read_families
from training.topics.files import read_matters, read_relations, write
from training.topics.leads import read_lead, short_forms, texts
from training.topics.measure import Reach, measure, read_documents
from training.topics.resolve import Resolver
from training.topics.stream import Stream, read_stream
from training.topics.synsets import read_wordnet
from training.topics.weigh import lines_of

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_shared = click.option("--shared", type=_FOLDER, required=True, help="The folder with data/corpus and data/relations.")
_wordnet = click.option("--wordnet", "wordnet_folder", type=_FOLDER, default="/usr/share/wordnet", show_default=True)


@click.group(help=__doc__)
def main() -> None:
    pass


def _stream(shared: Path) -> Stream:
    return read_stream(text for _, text in texts(shared / "data" / "corpus"))


@main.command()
@_shared
@_wordnet
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def build(shared: Path, wordnet_folder: Path, out: Path) -> None:
    """Write matters.tsv and relations.tsv."""
    wordnet = read_wordnet(wordnet_folder)
    with lzma.open(shared / "data/relations/mesh/mesh_id_label_mappings.tsv.xz", "rt", encoding="utf-8") as lines:
        mesh = [line.rstrip("\n").split("\t") for line in lines]
    corpus = shared / "data" / "corpus"
    leads = [read_lead(title, text) for title, text in texts(corpus)]
    short = short_forms(text for _, text in texts(corpus))
    stream = _stream(shared)
    matters = collect_matters(read_families(), wordnet, mesh, leads, stream)
    relations, rates = relate(stream, wordnet, matters, leads, short)
    write(out, matters, relations)
    click.echo(f"{len(matters):,} matters, {len(relations):,} relations", err=True)
    for family, rate in sorted(rates.items()):
        click.echo(f"a paragraph with an expression of {family} names its matter at a rate of {rate:.2f}", err=True)


@main.command("measure")
@_shared
@_wordnet
@click.argument("folder", type=_FOLDER)
def measure_command(shared: Path, wordnet_folder: Path, folder: Path) -> None:
    """Hold the tables of FOLDER against the annotated documents."""
    matters = read_matters(folder)
    documents = read_documents(shared / "data/concealment/topics-dev.jsonl.xz")
    resolver = Resolver(matters, read_wordnet(wordnet_folder))
    stream = _stream(shared)
    meant = {document["id"]: resolver.resolve(document["hide"]) for document in documents}
    for document in documents:
        labels = ", ".join(matters[m].label for m in meant[document["id"]]) or "NOTHING"
        click.echo(f"{document['hide']}: {labels}")
    wanted = {matter for found in meant.values() for matter in found}
    weights: dict[str, dict[str, float]] = defaultdict(dict)
    for relation in read_relations(folder):
        if relation.matter in wanted:
            weights[relation.matter][relation.expression] = relation.weight
    lines = lines_of(matters)
    reaches = {}
    for id_, found in meant.items():
        merged: dict[str, float] = {}
        for matter in found:
            for text, weight in weights[matter].items():
                merged[text] = max(weight, merged.get(text, 0.0))
        names = [n for m in matters.values() if lines[m.id] & set(found) for n in m.names]
        reaches[id_] = Reach(merged, names, stream)
    figures = measure(documents, reaches, stream)
    for role, count, reached, flagged in figures.rows():
        click.echo(f"{role:14} {count:4}  any path {reached:.2f}  weight .3 and more {flagged:.2f}")
    click.echo(f"precision of the words at .3 and more: {figures.precision:.3f}")


if __name__ == "__main__":
    main()
