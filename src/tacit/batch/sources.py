"""What there is to release: files under folders, files that a pattern names, tables."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacit.formats import FormatError

__all__ = ["Source", "find_sources"]

TABLES = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file to release, under the name that its release will have; ``table`` is its kind if its rows are documents."""

    name: str
    path: Path
    table: str = ""


def find_sources(inputs: Sequence[str], out: Path, *, tables: bool = False) -> tuple[Source, ...]:
    """Every file that the inputs name, sorted by name. With ``tables`` the rows of CSV, JSON lines and Parquet files
    are the documents.

    Hidden files are left out. Names are relative to the folder that was given; with several inputs they begin with it.
    """
    found: dict[str, Source] = {}
    for given in inputs:
        for base, path in _files(given):
            inside = path.relative_to(base)
            name = inside.as_posix() if len(inputs) == 1 or base == path.parent else (base.name / inside).as_posix()
            if any(part.startswith(".") for part in inside.parts):
                continue
            if _within(path, out):
                raise FormatError(f"the output {str(out)!r} lies inside the input {given!r}; name a folder elsewhere")
            if name in found and found[name].path.resolve() != path.resolve():
                raise FormatError(
                    f"{str(found[name].path)!r} and {str(path)!r} would both be released as {name!r}; "
                    "release them into two folders"
                )
            found[name] = Source(name, path, TABLES.get(path.suffix.lower(), "") if tables else "")
    if not found:
        raise FormatError(f"there is no file in {', '.join(map(repr, inputs))}; name a file, a folder or a pattern")
    return tuple(found[name] for name in sorted(found))


def _files(given: str) -> Iterator[tuple[Path, Path]]:
    """Pairs of the folder that names are relative to, and a file."""
    path = Path(given)
    if path.is_dir():
        yield from ((path, p) for p in sorted(path.rglob("*")) if p.is_file())
    elif path.is_file():
        yield path.parent, path
    elif glob.has_magic(given):
        parts = path.parts
        fixed = next(i for i, part in enumerate(parts) if glob.has_magic(part))
        base = Path(*parts[:fixed])
        yield from ((base, Path(p)) for p in sorted(glob.glob(given, recursive=True)) if Path(p).is_file())
    else:
        raise FormatError(f"{given!r} does not exist; name a file, a folder or a pattern such as 'notes/*.txt'")


def _within(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
