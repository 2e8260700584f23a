"""Find definitions in brackets: an acronym after its expansion, or a short name after a long one.

Acronyms are matched to the words before them by the method of Schwartz and Hearst (2003): its letters must occur in
these words in order, the first at the start of a word; of an acronym of two or three letters, each. Every bracket looks
at a bounded stretch, so the time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from taciturn.language.lexicon import LEXICON, any_word

__all__ = ["Definition", "definitions"]

_DEFINITE = tuple(form for word in LEXICON.words("function.definite") for form in (word, word.capitalize()))
_THE = any_word(_DEFINITE)

_BRACKET = re.compile(r"\((?P<inside>[^()\n]{2,90})\)")
_ACRONYM = re.compile(r"[\"“‘']?(?P<name>[A-Z][A-Za-z0-9&./-]{0,8}[A-Z0-9]s?)[\"”’']?(?:[;,].{0,60})?")
_ALIAS = re.compile(
    rf"(?:{LEXICON.any_of('names.hereafter')},?\s)?(?:{LEXICON.any_of('names.called')}\s)?(?P<open>[\"“‘'])"
    rf"(?:{_THE}\s)?(?P<name>[A-Z][\w&.-]{{1,30}}(?:\s(?:{LEXICON.any_of('function.of')}\s)?[A-Z][\w&.-]{{1,30}}){{0,3}}),?[\"”’']"
)
_CHAIN = re.compile(
    rf"(?<!\w)(?:[A-Z][\w'’-]{{0,30}}\s(?:{LEXICON.any_of('function.in-chain')}\s){{0,3}}){{1,8}}[A-Z][\w'’-]{{0,30}}$"
)
_SMALL = LEXICON.word_set("function.no-expansion")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Definition:
    """The spans of a long form and of the short form that a text gives it.

    ``start`` is -1 where only the end of the long form is known: it is whatever term ends there.
    """

    start: int
    end: int
    short_start: int
    short_end: int


def definitions(text: str) -> Iterator[Definition]:
    """The definitions of a text, from left to right.

    >>> text = 'acquired immunodeficiency syndrome (AIDS), Human Rights Commission ("the Commission")'
    >>> [(text[max(d.start, 0) : d.end][-9:], text[d.short_start : d.short_end]) for d in definitions(text)]
    [(' syndrome', 'AIDS'), ('ommission', 'Commission')]
    """
    for bracket in _BRACKET.finditer(text):
        inside = bracket.group("inside")
        end = bracket.start()
        while end > max(0, bracket.start() - 2) and text[end - 1].isspace():
            end -= 1
        if end == 0 or text[end - 1].isspace():
            continue
        at = bracket.start("inside")
        short = _ACRONYM.fullmatch(inside)
        if short and sum(map(str.isupper, short.group("name"))) > 1:
            letters = short.group("name").rstrip("s") if short.group("name")[:-1].isupper() else short.group("name")
            window = max(0, end - 18 * min(len(letters) + 5, 2 * len(letters)))
            start = _expansion_start(letters, text[window:end])
            if start is not None:
                yield Definition(window + start, end, at + short.start("name"), at + short.end("name"))
                continue
        if alias := _ALIAS.match(inside):
            window = max(0, end - 150)
            chain = _CHAIN.search(text[window:end])
            start = -1
            if chain and alias.group("name").split()[0] in chain.group():
                start = window + chain.start() + _article_length(chain.group())
            yield Definition(start, end, at + alias.start("name"), at + alias.end("name"))
            continue
        before = re.search(r"(?<![\w-])[A-Z][A-Za-z0-9&/-]{0,8}[A-Z0-9]$", text[max(0, end - 12) : end])
        if before and not short:
            start = _expansion_start(before.group(), inside.rstrip("\"”’'"))
            if start == 0 or (start and not inside[:start].strip("\"“‘' ")):
                long_end = at + len(inside.rstrip("\"”’' "))
                yield Definition(at + start, long_end, end - len(before.group()), end)


def _article_length(name: str) -> int:
    """How many characters the article takes that a name begins with, and the space after it."""
    first, space, _ = name.partition(" ")
    return len(first) + len(space) if space and first in _DEFINITE else 0


def _expansion_start(acronym: str, words: str) -> int | None:
    """Where in the words the expansion begins, or ``None`` if they do not spell the acronym."""
    letters = [c.lower() for c in acronym if c.isalnum()]
    low = words.lower()
    at = len(low)
    for index in range(len(letters) - 1, -1, -1):
        at -= 1
        inside = index > 0 and len(letters) > 3
        while at >= 0 and not (low[at] == letters[index] and (inside or at == 0 or not low[at - 1].isalnum())):
            at -= 1
        if at < 0:
            return None
    found = words[at:]
    count = len(_WORD.findall(found))
    if count < 2 or count > min(len(letters) + 5, 2 * len(letters)) or acronym in found.split():
        return None
    if found.split()[0].lower() in _SMALL:
        return None
    return None if re.search(r"[.!?;:]\s|\n", found) else at
