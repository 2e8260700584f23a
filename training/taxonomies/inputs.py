"""The pinned inputs of the taxonomies: names, versions, digests and licences. Files are parsed, never imported."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

__all__ = ["INPUTS", "Input", "checked"]


@dataclass(frozen=True, slots=True)
class Input:
    """One input file: where it comes from and what it must be."""

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
}


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


def provenance(*names: str) -> list[dict[str, Any]]:
    """What a file's header says of its inputs."""
    used = [INPUTS[name] for name in names]
    return [{"origin": i.origin, "file": i.file, "sha256": i.sha256, "licence": i.licence} for i in used]
