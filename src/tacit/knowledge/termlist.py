"""Term lists: strings that exist, as a file to map. What k-anonymous strings are counted against."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from tacit.knowledge.arrayfile import ArrayFile, write_arrays
from tacit.solvers.mask_arrays import MaskArrays
from tacit.solvers.masks import MaskIndex

__all__ = ["open_list", "save_list"]

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
