"""Evidence that a word names a person, whatever the word is: a title, a role, a signature, a credential, a form.

The network weighs such evidence as well; here it is enough by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Span
from taciturn.language.lexicon import LEXICON
from taciturn.language.people import GIVEN, SURNAME, clinical_table, name_table
from taciturn.language.tagger import load_weights
from taciturn.language.words import normal
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.pieces import Pieces

__all__ = ["add_evident", "is_titled"]

_PERSON = CLASSES.index("PERSON")
_TITLES = frozenset(word.lower() for word in LEXICON.words("names.title-male", "names.title-female", "names.title"))
_ADDRESS = LEXICON.word_set("names.title-male", "names.title-female") | {"Dr"}
_CLOSED = frozenset(word for name, each in LEXICON.lists("closed").items() if name != "modal" for word in each)
_ROLES = LEXICON.word_set("names.role") - LEXICON.word_set("names.role-verb") - _CLOSED
_NO_NAMES = _TITLES | _CLOSED | LEXICON.word_set("names.kin", "names.role")
_ROADS = frozenset(LEXICON.words("places.street"))
_HALF = 128  # of 255: the share of capitals above which a word is a name
_NAME = r"[^\W\d_a-z][\w'’-]*"
_GAP = r"(?:[ \t]{3,}|[ \t]*(?:\n|\Z))"
_CLOSING = re.compile(
    rf"(?im)^[>\s]*(?:[a-z]+ ){{0,3}}{LEXICON.any_of('names.closing')}(?: [a-z]+)?,?[ \t]*\n\s*"
    r"(?P<name>(?-i:(?:[^\W\d_a-z][\w'’.-]*[ ]?){1,4}|[^\W\d_]\.?))[ \t]*(?=\n|\Z|,)"
)
_CREDENTIAL = re.compile(
    rf"(?<![\w-])(?P<name>{_NAME}), (?:{'|'.join(map(str.upper, LEXICON.words('names.after-name')))})(?!\w)"
)
_FILED = re.compile(rf"(?m)(?:^|[ \t]{{3,}}|: )(?P<name>{_NAME}, [^\W\d_a-z]\.)(?={_GAP})")
_GAELIC = re.compile(r"(?<!\w)(?P<name>(?:Mc|O['’])[A-Z][a-z]\w+)(?!\w)")


def is_titled(words: list[str], at: int) -> bool:
    """Whether a title stands before a piece, with or without a full stop.

    >>> is_titled(["Dr", ".", "Lee"], 2), is_titled(["doctor", "Lee"], 1), is_titled(["Lee"], 0)
    (True, True, False)
    """
    return at > 0 and words[at - 1 - (words[at - 1] == "." and at > 1)].lower() in _TITLES


def add_evident(pieces: Pieces, words: list[str], best: NDArray[np.int64]) -> None:
    """Make persons of the pieces for which there is evidence and no other class."""
    for at in range(1, len(words)):
        if not best[at] and _is_introduced(words, at):
            best[at] = _PERSON
    for start, end in _by_form(pieces.text):
        first = int(np.searchsorted(pieces.tokens.starts, start, side="right")) - 1
        last = int(np.searchsorted(pieces.tokens.starts, end - 1, side="right")) - 1
        here = [i for i in range(first, last + 1) if not best[i] and words[i].lower() not in _NO_NAMES]
        if words[first].lower() not in _NO_NAMES:
            best[here] = _PERSON


def _is_introduced(words: list[str], at: int) -> bool:
    """A word with a capital after a title is a person's name; so is one after a role, if it is a name or no word of
    the language: "Sgt. Whitcomb", "technician Ng"."""
    word = words[at]
    if len(word) < 2 or not word[0].isupper() or word.isupper() or word.lower() in _NO_NAMES:
        return False
    if at + 1 < len(words) and words[at + 1] in _ROADS:
        return False
    role = words[at - 1 - (words[at - 1] == "." and at > 1)].lower()
    titled = is_titled(words, at)
    if titled and (words[at - 1] == "." or words[at - 1] in _ADDRESS):
        return True
    if not titled and role not in _ROLES:
        return False
    if name_table().figures([word])[0, [GIVEN, SURNAME]].any():
        return not titled or _is_uncommon(word)
    return not clinical_table().figures([word]).any() and _is_uncommon(word)


def _is_uncommon(word: str) -> bool:
    weights = load_weights()
    row = weights.rows.get(normal(word), 0)
    return not row or bool(weights.capitals[row] > _HALF)


def _by_form(text: str) -> Iterator[Span]:
    """Names that their place or form shows: below a closing, before a credential, "Lee, R." in a cell, "McKay"."""
    for pattern in (_CLOSING, _CREDENTIAL, _FILED, _GAELIC):
        yield from (match.span("name") for match in pattern.finditer(text))
