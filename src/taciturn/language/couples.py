"""Couples of one sex, told by grammar alone: "his husband", "her late wife", "the two grooms".

No word of such a phrase says it, so no knowledge of words can: "husband" is the wife's in nearly every text. A noun
for a spouse or partner of one sex after a possessive of the same sex, or two spouses of one sex, mean what
:data:`MEANING` names, and the knowledge is asked for that. "Her" before a noun may also be an object ("gave her wife
lessons"); such a phrase is taken for a couple as well.
"""

from __future__ import annotations

import re

from taciturn.document import Key, Span
from taciturn.language.keys import key
from taciturn.language.lexicon import LEXICON

__all__ = ["MEANING", "couples"]

MEANING: Key = key(LEXICON.words("couples.meaning")[0])
"""The key of what such a phrase says."""

_BETWEEN = rf"(?:{LEXICON.any_of('couples.between')}[\s-]+){{0,2}}"
_SEXES = (
    ("couples.of-man", "couples.man", "couples.pair-man"),
    ("couples.of-woman", "couples.woman", "couples.pair-woman"),
)
_COUPLE = re.compile(
    "|".join(
        rf"\b(?:{LEXICON.any_of(whose)}\s+{_BETWEEN}(?:ex-)?({LEXICON.any_of(one)})"
        rf"|{LEXICON.any_of('couples.both')}\s+{_BETWEEN}({LEXICON.any_of(two)}))\b"
        for whose, one, two in _SEXES
    ),
    re.IGNORECASE,
)


def couples(text: str) -> list[Span]:
    """Where the nouns stand that make a couple of one sex.

    >>> text = "His late husband met her wife and her husband. The two grooms danced."
    >>> [text[start:end] for start, end in couples(text)]
    ['husband', 'wife', 'grooms']
    """
    return [match.span(match.lastindex or 0) for match in _COUPLE.finditer(text)]
