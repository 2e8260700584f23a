"""What the opening of an encyclopedia article says of its title: what it is, and how else it is called."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from taciturn.language.definitions import definitions
from training.names import AFTER_HEAD, IS_A

__all__ = ["FILES", "Lead", "leads", "read_lead", "short_forms", "texts"]

FILES = ("wikipedia-core", "wikipedia-leads")
_SHORT = 80  # characters that a first paragraph has at least, where there is one
_FIRST = 600  # characters in which the verb of the first sentence stands
_ALSO = re.compile(
    r"\b(?:also (?:known|called|referred to|spelled|written|rendered)(?: simply)?(?: as)?|known as|commonly called|"
    r"commonly known as|often (?:shortened|abbreviated) (?:to|as)|abbreviated(?: as| to)?|or simply|formally|"
    r"officially|"
    r"or)\s+(?:the )?[\"“']?([^\W\d_][\w’'. -]{1,50}?)[\"”']?(?=\s*(?:[,;()–—]|\bor\b|\band\b|\bis\b|\bare\b|\bwas\b))"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STOP = re.compile(r"(?<=[a-z0-9)\"”])\.\s+(?=[A-Z\"“])")


@dataclass(frozen=True, slots=True)
class Lead:
    """A title without its bracket, the bracket, other names, what it is ("political party"), and its opening.

    ``head`` is the noun phrase up to the first preposition, in lower case; ``sentence`` the first sentence, ``text``
    all of the first paragraph.
    """

    title: str
    bracket: str
    others: tuple[tuple[str, str], ...]
    head: str
    sentence: str
    text: str


def texts(corpus: Path) -> Iterator[tuple[str, str]]:
    """Titles and texts of the articles, full ones first."""
    for name in FILES:
        with lzma.open(corpus / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                yield record["title"], record["text"].replace("\\n", "\n")  # side boxes write their line ends out


def leads(corpus: Path) -> Iterator[Lead]:
    """The leads of all articles."""
    for title, text in texts(corpus):
        yield read_lead(title, text)


def read_lead(title: str, text: str) -> Lead:
    """The lead of one article.

    >>> text = "The Green Party (GP), also known as the Greens, is a political party in Ruritania. It has 3 members."
    >>> lead = read_lead("Green Party (Ruritania)", text)
    >>> lead.title, lead.bracket, lead.head, lead.others
    ('Green Party', 'Ruritania', 'political party', (('GP', 'abbreviation'), ('Greens', 'synonym')))
    """
    # A side box before the first paragraph leaves short lines.
    first = next((line for line in text.split("\n") if len(line) >= _SHORT), text.split("\n", 1)[0])
    name, _, bracket = (title if " " in title else _spaced(title, first)).partition(" (")
    is_a = IS_A.search(first, 0, _FIRST)
    head = AFTER_HEAD.sub("", is_a.group(1)).strip().lower() if is_a else ""
    after = is_a.start() if is_a else 0
    stop = _STOP.search(first, after)
    sentence = first[: stop.start() + 1] if stop else first
    return Lead(name, bracket.rstrip(")"), tuple(_others(name, first, after)), head, sentence, first)


def short_forms(bodies: Iterable[str]) -> dict[str, Counter[str]]:
    """The abbreviations that texts define in brackets, with how often each long form stands before them.

    >>> text = "He led the Trades Union Congress (TUC)."
    >>> short_forms([text])
    {'TUC': Counter({'Trades Union Congress': 1})}
    """
    found: dict[str, Counter[str]] = {}
    for text in bodies:
        for line in text.split("\n"):
            if "(" in line:
                for d in definitions(line):
                    short = line[d.short_start : d.short_end]
                    if d.start >= 0 and short.isupper() and len(short) > 2:
                        found.setdefault(short, Counter())[line[d.start : d.end]] += 1
    return found


def _spaced(title: str, text: str) -> str:
    """A title that lost its blanks, as the text writes it.

    >>> _spaced("CommunistPartyofRuritania(1921)", "The Communist Party of Ruritania was a party.")
    'Communist Party of Ruritania (1921)'
    """
    name, mark, bracket = title.partition("(")
    squeezed = [(c, i) for i, c in enumerate(text[:_FIRST]) if not c.isspace()]
    at = "".join(c for c, _ in squeezed).lower().find(name.lower())
    if at >= 0 and name:
        name = text[squeezed[at][1] : squeezed[at + len(name) - 1][1] + 1]
    else:
        name = _CAMEL.sub(" ", name)
    return f"{name} ({bracket}" if mark else name


def _others(name: str, text: str, verb: int) -> Iterator[tuple[str, str]]:
    """Abbreviations and other names that stand between the title and its verb."""
    before = text[: max(verb, 0)]
    for found in definitions(text[: verb + 200]):
        long = text[max(found.start, 0) : found.end]
        if found.start >= 0 and (long in name or name in long):
            yield text[found.short_start : found.short_end], "abbreviation"
    for match in _ALSO.finditer(before + " is"):
        other = match.group(1).strip(" .,'")
        if other and other.lower() != name.lower() and len(other) > 2:
            yield other, "synonym"
