"""The kind of a term: person, organization, place, time or other, from the network's scores for it.

Only proper names are called person, organization or place, because redaction of names depends on it. The network
tells proper names ("Nicosia") from common nouns ("the city"). Two cases are decided here, by how often the training
corpus writes a word with a capital:

- a single word that is often written small, with an article before it, is a word even with a capital ("the Court",
  "this Convention"; but "the Ministry of Justice" is a name that goes on),
- words for people with a name among them are people named by where they come from ("Polish national").

A time needs a capital or a digit ("Monday", not "the same time"): dates and durations are identifiers of their own.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from taciturn.language.lexicon import LEXICON
from taciturn.language.tagger import KINDS, Phrases, Weights, load_weights
from taciturn.language.tokens import Ints, Tokens
from taciturn.language.words import normal
from taciturn.language.wordtable import WordTable

__all__ = ["name_kinds"]

_NAMES = {"person": "person", "organization": "organization", "place": "place", "time": "time"}
_OURS = [_NAMES.get(kind, "other") for kind in KINDS]
_PEOPLE = KINDS.index("common person")
_OTHER, _PERSON, _ORGANIZATION, _PLACE, _TIME = map(KINDS.index, ("other", "person", "organization", "place", "time"))
_IS_UPPER, _IS_DIGIT, _IS_NAME, _IS_SHOUTED, _IS_OF, _IS_ARTICLE = (1 << bit for bit in range(6))
_CAPITALS = 6
_ARTICLES = LEXICON.word_set("function.before-noun")
(_OF,) = LEXICON.words("function.of")
_NEAR = 1.5  # a word for people may come this close behind "other"
_HALF, _MOST = 128, 230  # shares of capitals, of 255


def name_kinds(tokens: Tokens, phrases: Phrases, weights: Weights | None = None) -> list[str]:
    """The kind of each phrase.

    >>> from taciturn.language.tokens import tokenize
    >>> from taciturn.language.tagger import tag
    >>> import numpy as np
    >>> tokens = tokenize("The Polish national told the Court that Anna Smith had left Warsaw for the same time .")
    >>> phrases = tag(tokens, np.arange(len(tokens)) == len(tokens) - 1)
    >>> name_kinds(tokens, phrases)
    ['person', 'other', 'person', 'place', 'other']
    """
    weights = weights or load_weights()
    best = phrases.kinds.argmax(axis=1)
    top = phrases.kinds[np.arange(len(best)), best]
    people = ((best == _PEOPLE) | (best == _OTHER)) & (phrases.kinds[:, _PEOPLE] >= top - _NEAR)
    traits = (_TRAITS.rows if weights is load_weights() else partial(_traits, weights=weights))(tokens.types)
    firsts, lasts, after = phrases.firsts, phrases.lasts, np.minimum(phrases.lasts + 1, len(tokens) - 1)
    one = traits[tokens.ids[firsts]]
    article = (traits[tokens.ids[firsts - 1]] & _IS_ARTICLE > 0) & (firsts > 0)
    goes_on = (traits[tokens.ids[after]] & _IS_OF > 0) & (after > lasts)
    limit = np.where(article & ~goes_on, _MOST, _HALF)
    # A first word may have its capital from the start of the sentence; the corpus tells.
    named = people & _any(traits & _IS_NAME, tokens.ids, firsts, lasts)
    timeless = (best == _TIME) & ~_any(traits & (_IS_UPPER | _IS_DIGIT), tokens.ids, firsts, lasts)
    common = (best == _ORGANIZATION) | (best == _PLACE)
    common &= (firsts == lasts) & (one & _IS_SHOUTED == 0) & (one >> _CAPITALS < limit)
    kinds = np.where(named, _PERSON, np.where((timeless | common) & ~people, _OTHER, best))
    return [_OURS[kind] for kind in kinds.tolist()]


def _any(marks: Ints, ids: Ints, firsts: Ints, lasts: Ints) -> NDArray[np.bool_]:
    """Whether the type of some token from each of the firsts to the lasts has one of the marks."""
    sums = np.concatenate(([0], np.cumsum(marks[ids] > 0)))
    return sums[lasts + 1] > sums[firsts]


def _traits(words: list[str], weights: Weights | None = None) -> Ints:
    """What matters here of words: bits, and above them how often the corpus writes them with a capital, of 255.

    An unknown word counts as a name.
    """
    weights = weights or load_weights()
    rows = np.fromiter((weights.rows.get(normal(word), 0) for word in words), np.int64, len(words))
    capitals = weights.capitals[rows].astype(np.int64)
    upper = np.fromiter((word[:1].isupper() for word in words), np.bool_, len(words))
    traits = capitals << _CAPITALS
    traits[upper] |= _IS_UPPER
    traits[upper & (capitals >= _MOST)] |= _IS_NAME
    for at, word in enumerate(words):
        if word[:1].isdigit():
            traits[at] |= _IS_DIGIT
        if word.isupper():
            traits[at] |= _IS_SHOUTED
        if word == _OF:
            traits[at] |= _IS_OF
        if word.lower() in _ARTICLES:
            traits[at] |= _IS_ARTICLE
    return traits


_TRAITS = WordTable(_traits, 1 << 16)
