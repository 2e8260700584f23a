"""Term lists: strings that exist, as a file to map. What k-anonymous strings are counted against."""

from __future__ import annotations

import csv
from dataclasses import fields
from pathlib import Path

from taciturn.knowledge.storage.arrayfile import ArrayFile, is_array_file, write_arrays
from taciturn.solvers.mask_arrays import MaskArrays
from taciturn.solvers.masks import MaskIndex

__all__ = ["load_list", "load_rows", "open_list", "save_list"]

_KIND = "term list"


def save_list(index: MaskIndex, path: str | Path) -> str:
    """Write the index of a list to a file, whole or not at all; its digest is returned.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = save_list(MaskIndex(["crew", "brew"]), Path(folder, "names"))
    ...     open_list(Path(folder, "names")).mask("crew", 2).pattern
    '*rew'
    """
    arrays = {field.name: getattr(index.arrays, field.name) for field in fields(MaskArrays)}
    write_arrays(Path(path), _KIND, {"digest": index.digest, "strings": len(index)}, arrays)
    return index.digest


def open_list(path: str | Path) -> MaskIndex:
    """Map the index of a list into memory; every part of it is checked first, a damaged one would mask too little."""
    file = ArrayFile(Path(path), _KIND)
    file.verify()
    arrays = MaskArrays(**{field.name: file[field.name] for field in fields(MaskArrays)})
    return MaskIndex.from_arrays(arrays, str(file.meta["digest"]))


def load_list(path: str | Path) -> MaskIndex:
    """The list in a file: an index made by :func:`save_list`, or UTF-8 text with one string a line."""
    if is_array_file(Path(path)):
        return open_list(path)
    return MaskIndex(line.strip() for line in _text(Path(path)).splitlines())


def load_rows(path: str | Path) -> list[tuple[str, ...]]:
    """The rows of a UTF-8 CSV file whose first row names the columns: fields that are masked together."""
    rows = [tuple(field.strip() for field in row) for row in csv.reader(_text(Path(path)).splitlines()) if row]
    if len(rows) < 2:
        raise ValueError(f"{str(path)!r} holds no rows; give a CSV file with a header and a row for each entity")
    return rows[1:]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{str(path)!r} is not UTF-8 text (byte {error.start}); convert it first") from None
