"""What may be said of a person's dates, places and people instead of their names.

"In the 1920s", "a city in Germany", "a football club", "his brother": what people write who do not want to say more.
Whether it may be said is the model's business, which reads the released text anew.
"""

from __future__ import annotations

import re
from dataclasses import replace

from taciturn.document import Span, Term
from taciturn.generalize.ladder import looks_like_a_name
from taciturn.generalize.sense import is_plain, names_a_thing
from taciturn.generalize.writing import Written, write_phrase
from taciturn.knowledge import Knowledge, Node, Taxonomy
from taciturn.knowledge.taxonomies.flags import GENERAL, PLACES, VALUES
from taciturn.language import key
from taciturn.language.lexicon import LEXICON

__all__ = ["DECADE", "softened"]

DECADE = re.compile(r"\b[Tt]he (?:1[0-9]|20)[0-9]0s\b")
"""A decade, as dates of a person are shown."""
_COUNTRY, _CONTINENT = 2, 1  # depths in a taxonomy of places
_RELATIVE = LEXICON.any_of("generalize.relation")
_OWNED = rf"\b{LEXICON.any_of('closed.possessive')} "
_RELATION = re.compile(rf"{_OWNED}(?:[a-z]+ )?{_RELATIVE},?[ \t]$", re.IGNORECASE)
_NAMED_RELATION = re.compile(rf"(?:[a-z]+ )?{_RELATIVE}(?=,?[ \t][A-Z])")
_OWNER = re.compile(rf"{_OWNED}$", re.IGNORECASE)
_ON = re.compile(rf"\b{LEXICON.any_of('generalize.on-a-day')}[ \t]$", re.IGNORECASE)
_WORD = re.compile(r"([^\W\d_]+)[ \t]$")
_PREPOSITIONS = LEXICON.word_set("closed.link", "closed.preposition", "closed.time-preposition", "closed.article")
_NOUNS = LEXICON.words("generalize.place-noun")


def softened(term: Term, text: str, sentence: Span, knowledge: Knowledge) -> Written | None:
    """What to write for a term instead of a mark; None if nothing is certain.

    >>> knowledge = Knowledge.default()
    >>> text = "Born on 3 May 1924 in Stuttgart, she met his brother Emil."
    >>> def soft(word, kind):
    ...     at = text.index(word)
    ...     return softened(Term(at, at + len(word), word, key(word), kind), text, (0, len(text)), knowledge)
    >>> soft("3 May 1924", "date").text, soft("Stuttgart", "place").text, soft("Emil", "person").text
    ('in the 1920s', 'a city in Germany', '')
    """
    if term.kind in ("date", "time"):
        return _decade(term, text, knowledge)
    if term.kind == "person" and (before := _RELATION.search(text, max(sentence[0], term.start - 40), term.start)):
        gap = len(before.group()) - len(before.group().rstrip(" \t,"))
        return Written(term.start - gap, term.end, "")
    if term.kind == "person" and _OWNER.search(text, max(sentence[0], term.start - 8), term.start):
        named = _NAMED_RELATION.match(term.text)
        return Written(term.start + named.end(), term.end, "") if named else None
    if not looks_like_a_name(term.text):
        return None
    phrase = ""
    if term.kind == "place":
        phrase = _place(term, knowledge)
    elif term.kind == "organization":
        phrase = _what_has_the_name(term, knowledge)
    return write_phrase(phrase, replace(term, kind="other"), text, sentence, is_guess=True) if phrase else None


def _decade(term: Term, text: str, knowledge: Knowledge) -> Written | None:
    values = next((t for t in knowledge.taxonomies if VALUES in t.flags), None)
    labels = [n.label for n in values.generalizations(key(term.text))] if values is not None else []
    decade = next((label for label in labels if DECADE.fullmatch(label)), None)
    if decade is None:
        return None
    if on := _ON.search(text, max(0, term.start - 6), term.start):
        word = "In" if on.group()[0].isupper() else "in"
        return Written(on.start(), term.end, f"{word} {decade}")
    before = _WORD.search(text, max(0, term.start - 20), term.start)
    is_bare = before is not None and before.group(1).lower() not in _PREPOSITIONS and " " in term.text
    return Written(term.start, term.end, f"in {decade}" if is_bare else decade)


def _place(term: Term, knowledge: Knowledge) -> str:
    """What a place is and the country that it lies in, if all places of the name lie in one."""
    places = next((t for t in knowledge.taxonomies if PLACES in t.flags), None)
    senses = places.senses(term.key) if places is not None else ()
    if places is None or not senses:
        return ""
    depth = min(places.depth(s) for s in senses)
    if depth <= _COUNTRY:
        above = {n.label for s in senses for n in places.ancestors(s) if places.depth(n) == _CONTINENT}
        return f"country in {above.pop()}" if depth == _COUNTRY and len(above) == len(senses) == 1 else ""
    if sum(len(t.senses(term.key)) for t in knowledge.taxonomies if GENERAL in t.flags) == 1:
        senses = senses[:1]  # one that everybody knows
    countries = {n.label for s in senses for n in places.ancestors(s) if places.depth(n) == _COUNTRY}
    return f"{_kind_of_place(term, knowledge)} in {_with_article(countries.pop())}" if len(countries) == 1 else ""


def _with_article(country: str) -> str:
    return f"the {country}" if re.match(LEXICON.any_of("generalize.place-beginning"), country) else country


def _kind_of_place(term: Term, knowledge: Knowledge) -> str:
    for taxonomy in knowledge.taxonomies:
        if GENERAL in taxonomy.flags and (senses := taxonomy.senses(term.key)):
            return next((noun for noun in _NOUNS if _is_all(taxonomy, senses, term, noun)), "place")
    return "place"


def _is_all(taxonomy: Taxonomy, senses: tuple[Node, ...], term: Term, noun: str) -> bool:
    nodes = taxonomy.senses(key(noun))[:1]
    return any(is_plain(taxonomy, term.key, node) for node in nodes) and bool(senses)


def _what_has_the_name(term: Term, knowledge: Knowledge) -> str:
    """What ends the name of an organization, or stands before "of" in it, if that says what it is."""
    head = term.text.split(" of ")[0].split()
    last = key(head[-1].lower())
    if len(term.text.split()) > 1 and names_a_thing(last, knowledge, strict=True):
        two = key(" ".join(head[-2:]).lower())
        is_known = len(head) > 2 and any(t.senses(two) for t in knowledge.taxonomies if GENERAL in t.flags)
        return two if is_known else last
    return ""
