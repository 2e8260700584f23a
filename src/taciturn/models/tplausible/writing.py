"""A label in the place of a term, written so that nothing of the term shows but where it stood."""

from __future__ import annotations

import re
from dataclasses import replace

from taciturn.document import Span, Term
from taciturn.generalize.writing import Written, write_phrase
from taciturn.language import key

__all__ = ["write_blindly"]

_POSSESSIVE = re.compile(r"['’]s?$")


def write_blindly(label: str, term: Term, text: str, sentence: Span, *, is_name: bool) -> Written:
    """The label as it is written whatever the term is: number and endings of the term would tell of it.

    It is written in the place of itself.
    """
    opening = not text[sentence[0] : term.start].strip()
    possessive = _POSSESSIVE.search(term.text)
    shown = (label[:1].upper() + label[1:] if opening else label) + (possessive.group() if possessive else "")
    longer = len(shown) - (term.end - term.start)
    inner = replace(term, end=term.end + longer, text=shown, key=key(label), kind="other")
    there = text[: term.start] + shown + text[term.end :]
    written = write_phrase(label, inner, there, (sentence[0], sentence[1] + longer), is_name=is_name)
    return replace(written, end=written.end - longer)
