"""The families of matters: the GDPR's special categories and what presets protect beside health."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Family", "read_families"]


@dataclass(frozen=True, slots=True)
class Family:
    """A root of the matters and where its members stand in the sources.

    ``names`` are WordNet senses ("religion.2") that mean the family as a whole; their hyponyms are members, and so are
    ``roots`` and what lies below them. ``persons`` are senses whose hyponyms may be followers of a member; ``mesh`` are
    tree numbers; ``heads`` are what an encyclopedia calls a member ("X is a *political party*"). ``form`` says what is
    special: "capital" if only names with a capital are members (Kurd, but not villager), "creed" if names with one
    stem are one member (Catholicism, Catholic Church), "theme" if verbs belong to it as well (convict, deport).
    """

    id: str
    label: str
    names: tuple[str, ...]
    roots: tuple[str, ...]
    persons: tuple[str, ...]
    mesh: tuple[str, ...]
    heads: tuple[str, ...]
    form: str


def read_families(path: Path | None = None) -> list[Family]:
    """The families of a table, of the one beside this module unless another is given.

    >>> [family.label for family in read_families()][:3]
    ['religion', 'political opinion', 'trade union membership']
    """
    with open(path or Path(__file__).with_name("families.tsv"), encoding="utf-8", newline="") as lines:
        return [
            Family(
                row["id"],
                row["label"],
                tuple(row["names"].split()),
                tuple(row["roots"].split()),
                tuple(row["persons"].split()),
                tuple(row["mesh"].split()),
                tuple(filter(None, row["heads"].split("|"))),
                row["form"],
            )
            for row in csv.DictReader(lines, delimiter="\t")
        ]
