"""What a term can be replaced by: phrases that say less, from the most specific to the most general.

A *rung* is one such phrase. Rungs come from the term itself (an "acute infection" is an "infection"), from the
taxonomies in order of priority, and last from its kind (a "person"). Choosing one is the model's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.document import Term
from tacit.knowledge import Knowledge
from tacit.language import key

__all__ = ["Rung", "ladder"]

_NAMES = frozenset({"person", "organization", "place"})
_KIND_PHRASES = {
    "person": "person",
    "organization": "organization",
    "place": "place",
    "time": "date",
    "date": "date",
}


@dataclass(frozen=True, slots=True)
class Rung:
    """A more general phrase: what the reader gets, the key it is judged by, and where it comes from."""

    label: str
    key: str
    source: str


def ladder(term: Term, known: str | None, knowledge: Knowledge) -> tuple[Rung, ...]:
    """The rungs above a term, each key once, most specific first within each source.

    ``known`` is the key that stands for the term as a whole (its own, or the longest known phrase at its end).
    """
    rungs: dict[str, Rung] = {}

    def add(label: str, source: str) -> None:
        name = key(label)
        if name and name != term.key:
            rungs.setdefault(name, Rung(label, name, source))

    if term.kind not in _NAMES and not any(w[:1].isupper() for w in term.text.split()[-1:]):
        words = term.key.split()
        for first in range(1, len(words)):
            add(" ".join(words[first:]), "its head")
    for name in dict.fromkeys(n for n in (term.key, known) if n):
        for taxonomy in knowledge.taxonomies:
            for node in taxonomy.generalizations(name):
                add(node.label, taxonomy.name)
    if phrase := _KIND_PHRASES.get(term.kind):
        add(phrase, "its kind")
    return tuple(rungs.values())
