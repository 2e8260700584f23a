"""The pinned inputs: ``inputs.tsv`` names each file, its digest, its source and its licence."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from training.taxonomies.inputs import INPUTS, member, zstd_json

__all__ = ["SOURCES", "Folders", "provenance"]

_TABLE = [r.split("\t") for r in Path(__file__).with_name("inputs.tsv").read_text("utf-8").splitlines()[1:]]
_PACKAGES = {"MONDO": "mondo", "HPO": "hpo", "ICD-10-CM": "icd"}  # inputs that the taxonomies share
SOURCES = [*dict.fromkeys([*_PACKAGES, *(row[2] for row in _TABLE), "names"])]
"""Every source, as senses and relations quote it; "names": worked out from the names themselves, by rule."""


def provenance() -> list[dict[str, str]]:
    """What the files' headers and the manifest say of their inputs."""
    shared = [
        {"source": s, "file": INPUTS[n].file, "sha256": INPUTS[n].sha256, "licence": INPUTS[n].licence}
        for s, n in _PACKAGES.items()
    ]
    return shared + [dict(zip(("file", "sha256", "source", "licence"), row, strict=True)) for row in _TABLE]


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the inputs are: the relation files, the packages, WordNet, the corpus, and the tables of topics."""

    relations: Path
    packages: Path
    wordnet: Path
    corpus: Path
    topics: Path

    def checked(self, file: str) -> Path:
        """The path of an input; raises ``ValueError`` if it is missing or not the pinned one."""
        pinned = next(row[1] for row in _TABLE if row[0] == file)
        path = next(
            (p for f in (self.relations, self.packages, self.wordnet, self.corpus) if (p := f / file).is_file()), None
        )
        if path is None:
            raise ValueError(f"{file} is in none of the folders given")
        if (found := sha256(path.read_bytes()).hexdigest()) != pinned:
            raise ValueError(f"{path} is not the pinned file: its SHA-256 is {found}, not {pinned}")
        return path

    def text(self, file: str, encoding: str = "utf-8") -> str:
        """The text of an input, decompressed."""
        data = self.checked(file).read_bytes()
        data = (
            lzma.decompress(data) if file.endswith(".xz") else gzip.decompress(data) if file.endswith(".gz") else data
        )
        return data.decode(encoding)

    def rows(self, file: str, skip: int = 1, mark: str = "\t", encoding: str = "utf-8") -> list[list[str]]:
        """The rows of a table without quoting; lines that begin with # are comments."""
        lines = [li for li in self.text(file, encoding).split("\n") if li.strip() and not li.startswith("#")]
        width = max(li.count(mark) for li in lines[:50]) + 1
        return [(r := li.rstrip("\r").split(mark)) + [""] * (width - len(r)) for li in lines[skip:]]

    def records(self, file: str) -> list[dict[str, str]]:
        """The rows of a table with a header."""
        return list(csv.DictReader(io.StringIO(self.text(file)), delimiter="\t", quoting=csv.QUOTE_NONE))

    def lines(self, file: str) -> list[Any]:
        """The values of a JSON lines file."""
        return [json.loads(line) for line in self.text(file).split("\n") if line.strip()]

    def ontology(self, file: str) -> Any:
        """A compressed ontology of the relations folder."""
        return zstd_json(self.checked(file).read_bytes())

    def package(self, source: str, inside: str) -> bytes:
        """A file inside a package that the taxonomies use as well."""
        return member(_PACKAGES[source], self.packages, inside)
