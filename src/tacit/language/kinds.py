"""What a term is: person, organization, place, time or other, from the network's scores for it.

Only names are called person, organization or place, because that is what redaction of names stands on. The network
tells names ("Nicosia") from words ("the city"); two things are settled here, from how the corpus writes words:

- a single word that is often written small, with an article before it, is a word even with a capital ("the Court",
  "this Convention"; but "the Ministry of Justice" is a name that goes on),
- words for people with a name among them are people named by where they come from ("Polish national").

A time needs a capital or a digit ("Monday", not "the same time"): dates and durations are identifiers of their own.
"""

from __future__ import annotations

import numpy as np

from tacit.language.tagger import KINDS, Phrases, Weights, load_weights
from tacit.language.tokens import Tokens
from tacit.language.words import normal

__all__ = ["name_kinds"]

_NAMES = {"person": "person", "organization": "organization", "place": "place", "time": "time"}
_OURS = [_NAMES.get(kind, "other") for kind in KINDS]
_PEOPLE = KINDS.index("common person")
_ARTICLES = frozenset("the a an this that these those its his her their our my your any each every no".split())
_NEAR = 1.5  # a word for people may come this close behind "other"
_HALF, _MOST = 128, 230  # shares of capitals, of 255


def name_kinds(tokens: Tokens, phrases: Phrases, weights: Weights | None = None) -> list[str]:
    """The kind of each phrase.

    >>> from tacit.language.tokens import tokenize
    >>> from tacit.language.tagger import tag
    >>> import numpy as np
    >>> tokens = tokenize("The Polish national told the Court that Anna Smith had left Warsaw for the same time .")
    >>> phrases = tag(tokens, np.arange(len(tokens)) == len(tokens) - 1)
    >>> name_kinds(tokens, phrases)
    ['person', 'other', 'person', 'place', 'other']
    """
    weights = weights or load_weights()
    best = phrases.kinds.argmax(axis=1)
    kinds = [_OURS[i] for i in best.tolist()]
    top = phrases.kinds[np.arange(len(best)), best]
    people = np.isin(best, [_PEOPLE, KINDS.index("other")]) & (phrases.kinds[:, _PEOPLE] >= top - _NEAR)
    unsure = people | np.isin(best, [KINDS.index(k) for k in ("organization", "place", "time")])
    for at in np.flatnonzero(unsure).tolist():
        first, last = int(phrases.firsts[at]), int(phrases.lasts[at])
        words = [tokens.types[i] for i in tokens.ids[first : last + 1].tolist()]
        if people[at]:
            # A first word may have its capital from the start of the sentence; the corpus tells.
            if any(word[0].isupper() and _capitals(word, weights) >= _MOST for word in words):
                kinds[at] = "person"
        elif kinds[at] == "time":
            if not any(word[0].isupper() or word[0].isdigit() for word in words):
                kinds[at] = "other"
        elif first == last and not words[0].isupper():
            before = tokens.types[tokens.ids[first - 1]].lower() if first else ""
            after = tokens.types[tokens.ids[first + 1]] if first + 1 < len(tokens) else ""
            limit = _MOST if before in _ARTICLES and after != "of" else _HALF
            if _capitals(words[0], weights) < limit:
                kinds[at] = "other"
    return kinds


def _capitals(word: str, weights: Weights) -> int:
    """How often the corpus writes a word with a capital, of 255; an unknown word counts as a name."""
    return int(weights.capitals[weights.rows.get(normal(word), 0)])
