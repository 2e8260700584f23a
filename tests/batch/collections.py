"""A small pack and small collections to release."""

from __future__ import annotations

import csv
import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner

from taciturn.cli import batch
from tests.knowledge.packs import small_pack

THINGS = ("cat", "dog", "nurse", "virus", "zidovudine", "aspirin", "HIV", "teapot")


def note(i: int, sentences: int = 3) -> str:
    return " ".join(f"The {THINGS[(i + j * j) % 8]} is near the {THINGS[(i * 3 + j) % 8]}." for j in range(sentences))


def write_folder(folder: Path, files: int = 12, sentences: int = 3) -> Path:
    for i in range(files):
        path = folder / f"patient{i % 3}" / f"note{i:03}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(note(i, sentences) + "\n")
    return folder


def rows(count: int = 12) -> list[dict[str, Any]]:
    return [
        {"visit": f"v{i}", "patient": f"p{i % 3}", "name": f"Ann {i}", "note": note(i), "word": THINGS[i % 8]}
        for i in range(count)
    ]


def write_csv(path: Path, count: int = 12) -> Path:
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows(1)[0]))
        writer.writeheader()
        writer.writerows(rows(count))
    return path


def write_jsonl(path: Path, count: int = 12) -> Path:
    path.write_text("".join(json.dumps({**row, "age": 40 + i}) + "\n" for i, row in enumerate(rows(count))))
    return path


def pack_folder(folder: Path, path: Path) -> Path:
    """An archive of everything in a folder, by the suffix of its name."""
    files = [p for p in sorted(folder.rglob("*")) if p.is_file()]
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, file.relative_to(folder))
    else:
        with tarfile.open(path, f"w:{path.suffix[1:] if path.suffix != '.tar' else ''}") as archive:
            for file in files:
                archive.add(file, file.relative_to(folder))
    return path


def make_pack(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    return str(small_pack(folder).path)


def options(pack: str) -> list[str]:
    return ["--protect", "HIV", "--alpha", "1.5", "--knowledge", pack]


def run(*arguments: str) -> tuple[int, str]:
    """The exit code and what people are told."""
    try:
        done = CliRunner().invoke(batch.command, list(arguments), standalone_mode=False, catch_exceptions=False)
    except (ValueError, click.ClickException) as error:
        return 2, str(error)
    return int(done.return_value or 0), done.stderr


def tree(folder: Path) -> dict[str, bytes]:
    """Every file under a folder, hidden ones included."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
