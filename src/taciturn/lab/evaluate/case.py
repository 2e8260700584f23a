"""A text with the annotations of people: what evaluation compares with."""

from __future__ import annotations

from dataclasses import dataclass

from taciturn.errors import InputError

__all__ = ["Case", "DatasetError", "Mask"]


class DatasetError(InputError):
    """A file that is no dataset or no list of predictions."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A span that a human hid. ``direct``: it tells by itself. ``entity`` is what it speaks of."""

    start: int
    end: int
    direct: bool = False
    entity: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A text with the masks of a human, and the names of whom or what they protect.

    ``annotated`` is False for a text that nobody annotated: its risk can be told, its recall cannot.
    """

    name: str
    text: str
    protect: tuple[str, ...]
    masks: tuple[Mask, ...]
    annotated: bool = True
