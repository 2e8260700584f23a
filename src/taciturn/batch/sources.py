"""What there is to release: files under folders, files that a pattern names, archives of files, tables."""

from __future__ import annotations

import glob
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from taciturn.formats import FormatError, Limits
from taciturn.formats.archive import archive_kind, entries
from taciturn.formats.detect import released_name

__all__ = ["Source", "expand", "find_sources"]

TABLES = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file to release, under the name that its release will have; ``table`` is its kind if its rows are documents.

    A file of an archive has the archive's path and its own ``data``. A ``fault`` says why there is nothing to read.
    """

    name: str
    path: Path
    table: str = ""
    is_archive: bool = False
    data: bytes | None = field(default=None, repr=False)
    fault: str = ""

    @property
    def size(self) -> int:
        if self.fault:
            return 0
        return self.path.stat().st_size if self.data is None else len(self.data)

    def open(self) -> IO[bytes]:
        return open(self.path, "rb") if self.data is None else io.BytesIO(self.data)


def find_sources(inputs: Sequence[str], out: Path, *, tables: bool = False) -> tuple[Source, ...]:
    """Every file that the inputs name, sorted by name. With ``tables`` the rows of CSV, JSON lines and Parquet files
    are the documents.

    Hidden files are left out, unless they are named themselves. Archives are told by their content; :func:`expand`
    opens them. Names are relative to the folder that was given; with several inputs they begin with it.
    """
    found: dict[str, Source] = {}
    for given in inputs:
        base = _base(given)
        if _reaches(given, base, out):
            raise _inside(given, out)
        is_file = Path(given).is_file()
        start = PurePosixPath("" if len(inputs) == 1 or is_file else _own_name(base))
        for path in _files(given, base):
            inside = path.relative_to(base)
            if not is_file and any(part.startswith(".") for part in inside.parts):
                continue
            if _within(path, out):
                raise _inside(given, out)
            name = released_name(str(start / inside.as_posix()), "msg")
            if name in found and os.path.realpath(found[name].path) != os.path.realpath(path):
                raise FormatError(
                    f"{str(found[name].path)!r} and {str(path)!r} would both be released as {name!r}; "
                    "release them into two folders"
                )
            found[name] = _source(name, path, tables)
    if not found:
        raise FormatError(f"there is no file in {', '.join(map(repr, inputs))}; name a file, a folder or a pattern")
    for name in found:
        if above := next((str(p) for p in PurePosixPath(name).parents if str(p) in found), None):
            raise FormatError(
                f"{str(found[above].path)!r} would be released where {str(found[name].path)!r} needs a folder; "
                "release them into two folders"
            )
    return tuple(found[name] for name in sorted(found))


def _source(name: str, path: Path, tables: bool) -> Source:
    if not path.is_file():
        return Source(
            name, path, fault="it is no file, or a link to none, which is not followed; name what it leads to"
        )
    table = TABLES.get(path.suffix.lower(), "") if tables else ""
    return Source(name, path, table, is_archive=not table and bool(archive_kind(path)))


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
            if not fault and released_name(entry.name, "msg") in taken:
                fault = "another input has a file of this name; release them into two folders"
            table = TABLES.get(PurePosixPath(entry.name).suffix.lower(), "") if tables and not fault else ""
            yield Source(released_name(entry.name, "msg"), source.path, table, data=entry.data, fault=fault)


def _base(given: str) -> Path:
    """The folder that the names of an input are relative to."""
    path = Path(given)
    if path.is_dir():
        return path
    if path.is_file():
        return path.parent
    if glob.has_magic(given):
        fixed = next(i for i, part in enumerate(path.parts) if glob.has_magic(part))
        return Path(*path.parts[:fixed])
    raise FormatError(f"{given!r} does not exist; name a file, a folder or a pattern such as 'notes/*.txt'")


def _own_name(folder: Path) -> str:
    """What a folder is called: ``.`` and ``..`` say where it is, and the latter would lead out of the output."""
    return Path(os.path.abspath(folder)).name if folder.name in ("", "..") else folder.name


def _files(given: str, base: Path) -> list[Path]:
    """What an input names that is no folder. A link to a folder counts: what lies behind it must not go unsaid."""
    path = Path(given)
    if path.is_dir():
        walk = os.walk(base, onerror=_unreadable)
        return [p for at, folders, files in walk for n in (*folders, *files) if _is_leaf(p := Path(at, n))]
    return [path] if path.is_file() else [p for p in map(Path, glob.glob(given, recursive=True)) if not p.is_dir()]


def _is_leaf(path: Path) -> bool:
    return path.is_symlink() or not path.is_dir()


def _unreadable(error: OSError) -> None:
    raise FormatError(
        f"{str(error.filename)!r} cannot be read: {error.strerror}; what lies in it would be left out in silence"
    ) from error


def _reaches(given: str, base: Path, out: Path) -> bool:
    """Whether an input takes in whatever lies in the output: then it would not be the same when a run is resumed."""
    return (Path(given).is_dir() or "**" in Path(given).parts) and _within(out, base)


def _inside(given: str, out: Path) -> FormatError:
    return FormatError(f"the output {str(out)!r} lies inside the input {given!r}; name a folder elsewhere")


def _within(path: Path, folder: Path) -> bool:
    # Not Path.resolve, which raises for a link that leads to itself.
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
