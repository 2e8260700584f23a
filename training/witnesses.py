"""Put the lexicon, the shares of relations and the vectors into a pack.

    python -m training.witnesses --pack src/taciturn/packs/en --concepts FOLDER --vectors FILE --usual FILE

``FOLDER`` is what ``python -m training.concepts`` wrote, the files what ``python -m training.phrase_vectors`` and
``python -m training.usual`` wrote; a file that is not given stays as the pack has it. The manifest lists every source
with its licence, and the defaults that ``benchmarks/concealment.py`` chose.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from taciturn.knowledge.base import LEXICON_FILE, SHARES_FILE, USUAL_FILE, VECTORS_FILE
from taciturn.knowledge.lexicon import Lexicon
from taciturn.knowledge.relations import Relations
from taciturn.knowledge.relations.shares import Shares
from taciturn.knowledge.storage.pack import finish_pack, open_pack
from training.concepts.inputs import provenance
from training.usual import SOURCE as USUAL

_VECTORS = {
    "name": "Word vectors of 100 dimensions for 341,479 words, a subset, quantized",
    "licence": "public domain (PDDL)",
    "version": "vectors.bin",
}


@click.command()
@click.option("--pack", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--concepts", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--vectors", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--usual", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--entities", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A base to put in.")
@click.option("--drop", multiple=True, help="A file of the pack that goes.")
@click.option("--alpha", type=float, help="The default of C-sanitized with these witnesses.")
@click.option("--counts", type=float, help="What counts are worth beside names and relations.")
def main(
    pack: Path,
    concepts: Path,
    vectors: Path | None,
    usual: Path | None,
    entities: Path | None,
    drop: tuple[str, ...],
    alpha: float | None,
    counts: float | None,
) -> None:
    """Put what experts know into a pack."""
    made = pack.with_name(f"{pack.name}.witnesses")
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(pack, made, ignore=shutil.ignore_patterns("manifest.json", *drop))
    shutil.copy(concepts / "en.lexicon", made / LEXICON_FILE)
    for given, name in ((vectors, VECTORS_FILE), (usual, USUAL_FILE), (entities, entities and entities.name)):
        if given is not None and name is not None:
            shutil.copy(given, made / name)
    relations = Relations.open(concepts / "en.relations", Lexicon.open(made / LEXICON_FILE))
    Shares.write(made / SHARES_FILE, relations, relations.sources, provenance())
    before = open_pack(pack).manifest
    facts = {k: v for k, v in before.items() if k not in ("files", "digest", "checksum")}
    added = {p["source"]: {"name": p["source"], "licence": p["licence"], "version": p["file"]} for p in provenance()}
    files = [_VECTORS, USUAL]
    kept = [s for s in facts["sources"] if s.get("name") not in {*added, *(f["name"] for f in files)}]
    facts["sources"] = [*kept, *added.values(), *files]
    chosen = {"alpha": alpha, "counts": counts}
    facts["defaults"] = facts["defaults"] | {k: v for k, v in chosen.items() if v is not None}
    done = finish_pack(made, pack, facts, replace=True)
    click.echo(f"{done.digest}  {sum(f['size'] for f in done.manifest['files'].values()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
