"""From what a user calls an entity to the key under which the knowledge knows it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tacit.knowledge import Counts, Knowledge
from tacit.language import key

__all__ = ["UnknownEntityError", "forms", "protected_key"]


_DERIVED = re.compile(r"(?:isms?|ists?|ity|ness|s)$")
_ENDINGS = r"(?:s|isms?|ists?|ity|ly|ness|ize[ds]?|i[sz]ation)?"
_SHORTEST = 6  # letters of a base that is told apart from others
# What one is who has it: by the end of the noun, the ends of its adjectives and participles.
_ADJECTIVES = {
    "ancy": ("ant",),
    "ency": ("ent",),
    "ession": ("essed", "essive"),
    "nsion": ("nsive",),
    "tion": ("ted", "tive"),
    "iety": ("ious",),
    "ity": ("e", ""),
    "ness": ("",),
    "osis": ("otic",),
    "epsy": ("eptic",),
    "ism": ("istic", "ic"),
    "ia": ("ic",),
    "etes": ("etic",),
    "ide": ("idal",),
    "ma": ("matic",),
    "cer": ("cerous",),
    "am": ("amic",),
}
_ADJECTIVE = 5  # letters of an adjective that is told apart from other words


class UnknownEntityError(ValueError):
    """The knowledge has no figures for a protected entity, so nothing can be guaranteed about it."""


def protected_key(name: str, knowledge: Knowledge) -> str:
    """The key of a protected entity; people write "hiv" for "HIV", so capitals are tried when the name is unknown."""
    tried = dict.fromkeys(k for k in (key(name), key(name.upper()), key(name.lower()), key(name.title())) if k)
    for candidate in tried:
        if knowledge.counts.count(candidate):
            return candidate
    raise UnknownEntityError(
        f"the knowledge has no figures for {name!r}, so it cannot be protected by what terms reveal of it; "
        "check the spelling, name a more general entity, or build a pack in which it occurs"
    )


def forms(entities: Sequence[str], counts: Counts) -> dict[str, re.Pattern[str]]:
    """For each entity of one word that has other forms, what these look like.

    No taxonomy has "Catholic" under "Catholicism", but every reader does. The base must be a word that the counts
    know, so that "communism" does not claim "community". Nor do counts of noun phrases have "pregnant", which says
    "pregnancy": adjectives are made by rule, and claimed where the counts do not know them as anything else.

    >>> from tacit.knowledge import ContextCounts
    >>> found = forms(["catholicism", "communism"], ContextCounts([{"catholic", "catholicism", "communism"}]))
    >>> [bool(found["catholicism"].search(w)) for w in ("catholic church", "catholics", "cathode")]
    [True, True, False]
    >>> found = forms(["pregnancy", "depression", "blindness"], ContextCounts([{"pregnancy", "depression", "blind"}]))
    >>> [bool(f.search(w)) for f, w in zip(found.values(), ("was pregnant", "severely depressed", "blind"))]
    [True, True, True]
    """
    return {entity: form for entity in entities if (form := _form(entity, counts)) is not None}


def _form(entity: str, counts: Counts) -> re.Pattern[str] | None:
    if not (entity.isalpha() and entity.islower()):
        return None  # of several words, or an acronym
    words = []
    base = _DERIVED.sub("", entity)
    if base != entity and len(base) >= _SHORTEST and counts.count(base):
        words.append(re.escape(base) + _ENDINGS)
    end = next((end for end in _ADJECTIVES if entity.endswith(end)), "")
    made = [entity.removesuffix(end) + other for other in _ADJECTIVES.get(end, ())]
    made = [word for word in made if len(word) >= _ADJECTIVE or (end == "ness" and len(word) >= _ADJECTIVE - 1)]
    known = counts.table([], made)[0].tolist() if made else []
    words += [word for word, n in zip(made, known, strict=True) if not n or end == "ness"]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE) if words else None
