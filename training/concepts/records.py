"""What a source says of one thing, before the sources are joined; and names as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from taciturn.language import key
from training.taxonomies.curate import clean

__all__ = ["GROUPS", "Record", "Related", "is_abbreviation", "name_key", "plain_names"]

GROUPS = {
    "condition": "C", "sign": "C", "medication": "D", "substance": "D", "medication class": "K", "regimen": "R",
    "test": "P", "score": "P", "procedure": "P", "device": "P", "anatomy": "A", "function": "F", "specialty": "S",
    "organism": "O", "gene": "G", "religion": "X", "society": "X", "persons": "X", "event": "X", "topic": "X",
}  # fmt: skip
"""Kinds that two sources may both mean: a record joins a concept of its own group only."""

_NOTE = re.compile(
    r"\s*\((disorder|disease|procedure|finding|situation|observable entity|regime/therapy|physical object|substance|"
    r"event|person|morphologic abnormality|body structure|qualifier value|product|medicinal product|[A-Z]\d\S*|"
    r"[A-Z]+|clinical|see also [^)]*)\)$"
)
_NOISE = re.compile(r"\bNOS\b|\bNEC\b|[;=<>{}|]|\bunspecified\b|\bother specified\b|disease or disorder|not elsewhere")
_SHORT = re.compile(r"(?=.*[A-Z].*[A-Z0-9])[A-Za-z0-9][A-Za-z0-9/+&-]{1,9}")
_LONGEST, _MOST_WORDS = 90, 9


@dataclass(slots=True)
class Record:
    """One thing in one source. ``names`` are (text, how); ``parents`` and ``same`` are ids, of any source."""

    source: str
    id: str
    kind: str
    label: str
    names: list[tuple[str, str]] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    definition: str = ""
    known: bool = False  # names a concept that other sources have, and makes none of its own


@dataclass(frozen=True, slots=True)
class Related:
    """An expression stands in a relation to a matter, by the names or the ids that a source gives them."""

    expression: str
    predicate: str
    matter: str
    source: str
    weight: float = 1.0


def is_abbreviation(name: str) -> bool:
    """Is a name an abbreviation by the look of it: one short word with at least two capitals or a capital and a digit?

    >>> [is_abbreviation(n) for n in ("NIDDM", "HBeAg", "Crohn", "B20")]
    [True, True, False, True]
    """
    return bool(_SHORT.fullmatch(name)) and sum(c.isupper() for c in name) * 2 >= len(re.sub(r"[^A-Za-z]", "", name))


def plain_names(name: str) -> list[str]:
    """A source's name as people write it: notes go, inverted headings turn, none for a name that nobody would write.

    >>> plain_names("Abdomen, Acute"), plain_names("Asthma (disorder)"), plain_names("Diabetes, type 2, adult")
    (['Acute Abdomen'], ['Asthma'], ['adult type 2 Diabetes'])
    """
    name = clean(name.strip())
    while (shorter := _NOTE.sub("", name)) != name and shorter:
        name = shorter
    if _NOISE.search(name) or len(name) > _LONGEST or name.count(" ") >= _MOST_WORDS or not any(map(str.isalpha, name)):
        return []
    if "," not in name or re.search(r",\S", name):
        return [name]
    parts = name.split(", ")
    if " and " in parts[-1] or " or " in parts[-1] or len(parts) > 3 or re.match(r"(and|or) ", parts[-1]):
        return [name]
    return [" ".join(reversed(parts))]


def name_key(text: str) -> str:
    """The key of a name."""
    return key(text)
