"""The keys that a phrase in a text counts for: itself, its head with fewer modifiers, and known phrases inside it.

"severe blood transfusion reaction" is a blood transfusion reaction, a transfusion reaction and a reaction (what is left
when modifiers go, as :meth:`taciturn.knowledge.Knowledge.resolve` strips them), and it speaks of blood and of blood
transfusion. The second kind counts only for keys that are known otherwise: the vocabulary is made by phrases and heads.
"""

from __future__ import annotations

from taciturn.language import Key, key
from taciturn.language.lexicon import LEXICON

__all__ = ["HEAD", "INSIDE", "PHRASE", "TITLE", "expand"]

PHRASE, HEAD, INSIDE, TITLE = 0, 1, 2, 3
"""How a key occurs in a context, the strongest first: as a phrase, as what one is, inside one, as the title."""

_LINKS = LEXICON.word_set("function.phrase-edge")
_OF = LEXICON.word_set("function.link")
_LONGEST = 5  # words: longer phrases inside phrases are not looked for
_CUT = 12  # words: a longer run is no phrase, only its end is looked at


def expand(phrase: Key) -> dict[Key, int]:
    """The keys that an occurrence of a phrase counts for, each with how.

    >>> expand("blood transfusion reaction")
    {'blood transfusion reaction': 0, 'transfusion reaction': 1, 'reaction': 1, 'blood': 2, 'blood transfusion': 2,
     'transfusion': 2}
    >>> [k for k, how in expand("disease of the kidney").items() if how == HEAD]
    ['disease']
    """
    found = {phrase: PHRASE}
    words = phrase.split(" ")
    if len(words) == 1:
        return found
    if len(words) == 2 and words[0] not in _LINKS and words[1] not in _LINKS:
        found.setdefault(Key(words[1]), HEAD)
        found.setdefault(key(words[0]) if words[0].endswith("s") else Key(words[0]), INSIDE)
        return found
    words = words[-_CUT:]
    head = next((i for i, w in enumerate(words) if w in _OF and i), len(words))
    for start in range(head if head < len(words) else 1):
        _add(found, words, start, head, HEAD)
    if head == len(words):
        for start in range(1, head):
            _add(found, words, start, head, HEAD)
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            _add(found, words, start, end, INSIDE)
    return found


def _add(found: dict[Key, int], words: list[str], start: int, end: int, how: int) -> None:
    if words[start] in _LINKS or words[end - 1] in _LINKS:
        return
    part = Key(" ".join(words[start:end]))
    if end < len(words) and words[end - 1].endswith("s"):
        part = key(part)
    found.setdefault(part, how)
