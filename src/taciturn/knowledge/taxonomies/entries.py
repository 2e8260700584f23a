"""What the readers of taxonomy files yield."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Entry"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One concept as a file gives it, and where: "line 3", "entry 7"."""

    id: str
    label: str
    parents: tuple[str, ...]
    synonyms: tuple[str, ...]
    place: str
