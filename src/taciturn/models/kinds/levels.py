"""How much of a value may stay: a date as its year, an age below 90, a place as its state, a ZIP code by three digits.

A *level* is a name such as ``year``. :func:`shown` writes a value at its level, for the plan; :func:`is_allowed` says
whether a text found in a release is at that level, for the check. The two use the same word lists and the same taxonomy
of places, and parse a text each in its own way.
"""

from __future__ import annotations

import re

from taciturn.document import Term
from taciturn.knowledge import Knowledge
from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.knowledge.taxonomies.flags import PLACES
from taciturn.knowledge.taxonomies.values import ValueTaxonomy
from taciturn.language import key
from taciturn.language.lexicon import LEXICON

__all__ = ["LEVELS", "is_allowed", "shown", "state_after"]

LEVELS = {
    "date": ("year", "decade", "all"),
    "age": ("under 90", "decade", "all"),
    "place": ("state", "country", "all"),
    "postal-code": ("three digits", "all"),
}
"""The levels of each kind that has any, from the one that says most but for ``all``, which keeps it as it is."""

_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20|21)\d\d(?!\d)")
_SHORT_YEAR = re.compile(r"[-/. '’](\d\d)$")
_DECADE = re.compile(r"(?<!\d)((?:1[0-9]|20|21)\d0)['’]?s(?!\w)")
_WEEKDAY = rf"(?i:{LEXICON.any_of('times.weekday')}s?)"
_WEEKDAYS = re.compile(rf"{_WEEKDAY}(?:(?:, | and |, and | or | to |[-–/]){_WEEKDAY})*")
_ORDINAL, _PART_OF = LEXICON.any_of("numbers.ordinal-ending"), LEXICON.any_of("times.part")
_CENTURY = re.compile(rf"(?:{_PART_OF}[\s-])?\d{{1,2}}{_ORDINAL}[\s-]century")
_NUMBER = re.compile(r"\d{1,3}")
_SHORT_LIFE = re.compile(rf"(?i)\d[\s-]?{LEXICON.any_of('times.short-life')}(?![a-z])")
_OLD_WORDS = re.compile(r"(?i)\b(?:ninet(?:y|ies)|hundred)\b")
_AGE = re.compile(r"(?i)(?P<before>(?:at )?(?:the )?age(?:d|s)?(?: of)?:? )?.*", re.S)
_FOLLOWING = re.compile(r",? \(?([A-Z][A-Za-z]+(?: [A-Z][a-z]+)?)")
_STATES = LEXICON.table("places.state")
_STATE_DEPTH = 3  # place, continent, country, state
_VALUES = ValueTaxonomy()


def shown(term: Term, kind: str, level: str, knowledge: Knowledge, after: str = "") -> str | None:
    """What of a term may stay at a level: a text, the term's own if it may stay as it is; None if nothing may.

    ``after`` is how the text goes on: in "Cambridge, MA" it tells which Cambridge is meant.

    >>> from taciturn.knowledge import ContextCounts
    >>> nothing = Knowledge(ContextCounts([]))
    >>> shown(Term(0, 13, "12 March 1984", "12 march 1984", "date"), "date", "year", nothing)
    '1984'
    >>> shown(Term(0, 11, "93-year-old", "93 year old", "age"), "age", "under 90", nothing)
    '90 or older'
    """
    if level == "all":
        return term.text
    if kind == "date":
        return _date(term.text, level)
    if kind == "age":
        return _age(term.text, level)
    if kind == "place":
        return _place(term, level, knowledge, after)
    node = _VALUES.sense(term.text, "postal code")
    if node is None or not node.label[:5].isdigit():
        return None  # a code of another country names an area smaller than a state
    return _VALUES.chain(node)[-1].label


def _date(text: str, level: str) -> str | None:
    if _CENTURY.fullmatch(text) or _WEEKDAYS.fullmatch(text):
        return text
    decades = _DECADE.findall(text)
    years = [] if decades else _YEAR.findall(text)
    if not decades and not years:
        node = _VALUES.sense(text, "date")
        short = _SHORT_YEAR.search(text) if node and node.id[len("date:") :][:4].isdigit() else None
        if short and level == "year":
            return f"'{short[1]}"  # 12/03/21: of which century is not for us to say
    if level == "decade" and years:
        decades = [f"{year[:3]}0" for year in years]
    if decades:
        return " to ".join(dict.fromkeys(f"{decade}s" for decade in decades))
    return " to ".join(dict.fromkeys(years)) or None


def _age(text: str, level: str) -> str | None:
    if _SHORT_LIFE.search(text):
        return text
    numbers = [int(n) for n in _NUMBER.findall(text)]
    match = _AGE.fullmatch(text)
    before = (match["before"] or "") if match else ""
    if any(n > 89 for n in numbers) or _OLD_WORDS.search(text):
        return f"{before}90 or older"
    if level == "under 90":
        return text
    node = _VALUES.sense(str(numbers[0]), "age") if len(numbers) == 1 else None
    return f"{before}{_VALUES.parents(node)[0].label}" if node else None


def _places(knowledge: Knowledge) -> Taxonomy | None:
    return next((t for t in knowledge.taxonomies if PLACES in t.flags), None)


def _place(term: Term, level: str, knowledge: Knowledge, after: str) -> str | None:
    places = _places(knowledge)
    senses = places.senses(key(term.text)) if places else ()
    if places is None or not senses:
        return None
    depth = _STATE_DEPTH if level == "state" else _STATE_DEPTH - 1
    ways = [places.chain(sense)[::-1] for sense in senses]
    if len(ways[0]) <= depth + 1:
        return term.text
    wide = [way for way in ways if len(way) > depth + 1]
    named = _state_named(after)
    near = [way for way in wide if named and any(named in places.keys(node) for node in way[2 : depth + 1])]
    return (near or wide)[0][depth].label


def _state_named(after: str) -> str:
    """The key of the state or country that follows a town: ", MA 02138" gives "massachusetts"."""
    if not (match := _FOLLOWING.match(after)):
        return ""
    return _STATES.get(match[1]) or key(match[1])


def state_after(label: str, after: str) -> tuple[str, int] | None:
    """The code of the state that a place is shown as, where it follows the place, and where it ends in what follows.

    >>> state_after("Texas", ", TX 77030"), state_after("Texas", ", MA 02138")
    (('TX', 4), None)
    """
    match = _FOLLOWING.match(after)
    return (match[1], match.end(1)) if match and _STATES.get(match[1]) == key(label) else None


_PART = rf"(?:the )?(?:{_PART_OF}[ -])?"
_A_YEAR, _A_DECADE = r"(?:1\d|20|21)\d\d", r"(?:1\d|20|21)\d0['’]?s"
_SPANS = rf"{_A_DECADE}(?: to {_A_DECADE})*|\d{{1,2}}{_ORDINAL}[ -]century"
_INFANT = re.compile(rf"\b{LEXICON.any_of('times.short-life')}\b|\d{LEXICON.any_of('times.joined-unit')}\b")
_ALLOWED = {
    ("date", "year"): re.compile(rf"['’]\d\d|{_PART}(?:{_A_YEAR}(?:(?: to | and | or | ?[-–/] ?){_A_YEAR})*|{_SPANS})"),
    ("date", "decade"): re.compile(rf"{_PART}(?:{_SPANS})"),
    ("postal-code", "three digits"): re.compile(r"\d{3}\*\*"),
}


def is_allowed(text: str, kind: str, level: str, knowledge: Knowledge) -> bool:
    """Does a text of a kind, found in a release, say no more than the level allows?

    >>> from taciturn.knowledge import ContextCounts
    >>> nothing = Knowledge(ContextCounts([]))
    >>> [is_allowed(t, "date", "year", nothing) for t in ("1984", "the 1980s", "March 1984", "Monday")]
    [True, True, False, True]
    >>> [is_allowed(t, "age", "under 90", nothing) for t in ("47-year-old", "90 or older", "93", "ninety-one")]
    [True, True, False, False]
    """
    if level == "all" or (kind == "date" and _WEEKDAYS.fullmatch(text)):
        return True
    if kind == "place":
        places = _places(knowledge)
        senses = places.senses(key(text)) if places else ()
        most = _STATE_DEPTH if level == "state" else _STATE_DEPTH - 1
        return places is not None and bool(senses) and places.depth(senses[0]) <= most
    if kind == "age":
        words = text.lower().replace("90 or older", "")
        if _INFANT.search(words):
            return True
        if "ninet" in words or "hundred" in words or any(int(n) >= 90 for n in re.findall(r"\d+", words)):
            return False
        return level == "under 90" or not re.search(r"\d", words)
    return _ALLOWED[kind, level].fullmatch(text) is not None
