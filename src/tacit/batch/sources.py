"""What there is to release: files under folders, files that a pattern names, archives of files, tables."""

from __future__ import annotations

import glob
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from tacit.formats import FormatError, Limits
from tacit.formats.archive import archive_kind, entries

__all__ = ["Source", "expand", "find_sources"]

TABLES = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file to release, under the name that its release will have; ``table`` is its kind if its rows are documents.

    A file of an archive has the archive's path and its own ``data``, or a ``fault`` that says why it has none.
    """

    name: str
    path: Path
    table: str = ""
    is_archive: bool = False
    data: bytes | None = field(default=None, repr=False)
    fault: str = ""

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.data is None else len(self.data)

    def open(self) -> IO[bytes]:
        return open(self.path, "rb") if self.data is None else io.BytesIO(self.data)


def find_sources(inputs: Sequence[str], out: Path, *, tables: bool = False) -> tuple[Source, ...]:
    """Every file that the inputs name, sorted by name. With ``tables`` the rows of CSV, JSON lines and Parquet files
    are the documents.

    Hidden files are left out. Archives are told by their content; :func:`expand` opens them. Names are relative to the
    folder that was given; with several inputs they begin with it.
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
            table = TABLES.get(path.suffix.lower(), "") if tables else ""
            found[name] = Source(name, path, table, is_archive=not table and bool(archive_kind(path)))
    if not found:
        raise FormatError(f"there is no file in {', '.join(map(repr, inputs))}; name a file, a folder or a pattern")
    return tuple(found[name] for name in sorted(found))


def expand(sources: Sequence[Source], *, tables: bool, limits: Limits) -> Iterator[Source]:
    """The sources with every archive replaced by the files in it, read as they are asked for: one is in memory.

    An archive becomes a folder of its name.
    """
    taken = {source.name for source in sources}
    for source in sources:
        if not source.is_archive:
            yield source
            continue
        for entry in entries(source.path, source.name, limits):
            fault = entry.fault
            if not fault and entry.name in taken:
                fault = "another input has a file of this name; release them into two folders"
            table = TABLES.get(PurePosixPath(entry.name).suffix.lower(), "") if tables and not fault else ""
            yield Source(entry.name, source.path, table, data=entry.data, fault=fault)


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
