"""What is denied: "no cirrhosis" does not say "no condition".

A more general phrase is true of a thing that is there, and false of one that is not. So what a sentence denies gets no
phrase.
"""

from __future__ import annotations

import re

from taciturn.document import Span, Term
from taciturn.language.lexicon import LEXICON

__all__ = ["is_denied"]

_BEFORE = re.compile(rf"\b{LEXICON.any_of('generalize.denial')}\b[^.;:!?]*$", re.IGNORECASE)
_AFTER = re.compile(rf"[^.;:!?\n]{{0,40}}?\b{LEXICON.any_of('generalize.denial-after')}\b", re.IGNORECASE)
_TURN = re.compile(rf"\b{LEXICON.any_of('generalize.denial-end')}\b", re.IGNORECASE)
_REACH = 80  # characters


def is_denied(term: Term, text: str, sentence: Span) -> bool:
    """Does the sentence say that a thing is not there, or ask whether it is?

    >>> text = "There is no cirrhosis, but he has gout."
    >>> [is_denied(Term(at, at + len(word), word, word), text, (0, len(text)))
    ...     for at, word in ((12, "cirrhosis"), (34, "gout"))]
    [True, False]
    """
    before = _BEFORE.search(text, max(sentence[0], term.start - _REACH), term.start)
    if before is not None and _TURN.search(before.group()) is None:
        return True
    after = _AFTER.match(text, term.end, min(sentence[1], term.end + _REACH))
    return after is not None and _TURN.search(after.group()) is None
