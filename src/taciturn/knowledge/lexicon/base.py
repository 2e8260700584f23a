"""The values of a lexicon: concepts, the names that people write for them, and the senses of a name."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HOWS", "KINDS", "OF_PEOPLE", "Concept", "Name", "Sense"]

KINDS = (
    "condition", "sign", "medication", "medication class", "regimen", "substance", "test", "score", "procedure",
    "device", "anatomy", "function", "specialty", "organism", "gene", "religion", "society", "persons",
    "event", "topic",
)  # fmt: skip
"""What concepts there are. "score" covers questionnaires, "specialty" clinics and departments, "topic" what is left."""

OF_PEOPLE = frozenset({"religion", "society", "persons"})
"""The kinds of what people are, believe or belong to."""

HOWS = ("label", "synonym", "entry term", "abbreviation", "code", "brand", "spelling", "derived", "translation")
"""How a name names its concept, the most direct way first.

An entry term leads to a heading in an index and may be narrower than it; "derived" is an adjective or a person with the
condition ("asthmatic"); "spelling" is the British or American twin of another name.
"""


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing that documents name: its number, its preferred name, what kind of thing it is, and who lists it."""

    id: int
    label: str
    kind: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A written form of a concept.

    ``others`` counts the other concepts with the same name; ``ordinary`` says that it is an everyday English word too.
    """

    text: str
    how: str
    sources: tuple[str, ...]
    others: int
    ordinary: bool


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a name: the concept's number, how the name names it, who says so, and whether it is also an
    everyday English word."""

    concept: int
    how: str
    sources: tuple[str, ...]
    ordinary: bool
