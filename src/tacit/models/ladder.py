"""What a term can be replaced by: phrases that say less, from the most specific to the most general.

A *rung* is one such phrase. Rungs come from the term itself (an "acute infection" is an "infection"), from the
taxonomies in order of priority, and last from its kind (a "person"). Choosing one is the model's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from tacit.knowledge import Knowledge
from tacit.language import key
from tacit.models.reading import NAMES, Reading

__all__ = ["Rung", "ladder"]

_KIND_PHRASES = {
    "person": "person",
    "organization": "organization",
    "place": "place",
    "time": "date",
    "date": "date",
}
# Notes put these behind what they say something of ("HIV negative", "encephalitis secondary to cancer", "Atripla one at
# night"): they are no head, and what a dictionary says of the noun ("a negative") is something else.
_NO_HEADS = frozenset(
    "positive negative reactive nonreactive immune nonimmune secondary primary oral anal one two three due unknown "
    "x normal abnormal present absent pending naive resistant sensitive".split()
)


@dataclass(frozen=True, slots=True)
class Rung:
    """A more general phrase: what the reader gets, the key it is judged by, and where it comes from.

    A rung of a lower ``tier`` is preferred whatever it says: the first taxonomy that knows a term is the likeliest to
    mean the same thing ("thrush" is no bird in a clinical note), and its principal line before side lines.
    """

    label: str
    key: str
    source: str
    tier: int = 0

    @property
    def is_name(self) -> bool:
        """Is it a name, such as "California", and not a kind of thing?"""
        return self.source == "places" and self.label[:1].isupper()


def ladder(reading: Reading, known: str | None, knowledge: Knowledge) -> tuple[Rung, ...]:
    """The rungs above an expression, each key once, most specific first within each source.

    ``known`` is the key that stands for it as a whole (its own, or the longest known phrase at its end).
    """
    own = reading.keys[0]
    rungs: dict[str, Rung] = {}

    def add(label: str, source: str, tier: int = 0) -> None:
        name = key(label)
        if name and name != own:
            rungs.setdefault(name, Rung(label, name, source, tier))

    tails: list[str] = []
    # Outside noun phrases a word of the general vocabulary may be no noun ("gay"); a drug's or a disease's name is one.
    taxonomies = [t for t in knowledge.taxonomies if reading.role != "word" or t.name != "wordnet"]
    if reading.role == "term" and reading.kind not in NAMES and not reading.text.split()[-1][0].isupper():
        # Cut between words and not inside hyphenated ones: an "AIDS-related disorder" is no "related disorder".
        words = reading.text.split()
        if words[-1].lower() in _NO_HEADS:
            return ()
        tails = [key(" ".join(words[first:])) for first in range(1, len(words))]
        for tail in tails:
            add(tail, "its head")
    tier = 0
    for name in dict.fromkeys(n for n in (own, known, *tails) if n):
        if tier:
            break  # what is known of the whole is nearer to the truth than what is known of its head
        for taxonomy in taxonomies:
            if senses := taxonomy.senses(name):
                line = {node.id for node in taxonomy.chain(senses[0])}
                for node in taxonomy.generalizations(senses[0]):
                    add(node.label, taxonomy.name, tier if node.id in line else tier + 1)
                tier += 2
    if not rungs and (phrase := _KIND_PHRASES.get(reading.kind)):
        add(phrase, "its kind")  # a guess, so only where nothing better is known
    return tuple(rungs.values())
