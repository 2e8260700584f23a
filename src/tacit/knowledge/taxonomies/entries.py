"""What the readers of taxonomy files share: entries that remember their place, and errors that say where."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Entry", "TaxonomyFileError", "read_json", "read_text"]


class TaxonomyFileError(ValueError):
    """A taxonomy file that cannot be used: says where and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One concept as a file gives it, and where: "line 3", "entry 7"."""

    id: str
    label: str
    parents: tuple[str, ...]
    synonyms: tuple[str, ...]
    place: str


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; an error names the line that is not UTF-8."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TaxonomyFileError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        ) from None


def read_json(path: Path) -> Any:
    """The value in a JSON file; an error names the line."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise TaxonomyFileError(f"{path}, line {error.lineno}: not JSON ({error.msg})") from None
    except RecursionError:
        raise TaxonomyFileError(f"{path}: nested too deeply") from None
