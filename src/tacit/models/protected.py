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
    """For each entity of one word that is derived from another, what its other forms look like.

    No taxonomy has "Catholic" under "Catholicism", but every reader does. The base must be a word that the counts
    know, so that "communism" does not claim "community".

    >>> from tacit.knowledge import ContextCounts
    >>> found = forms(["catholicism", "communism"], ContextCounts([{"catholic", "catholicism", "communism"}]))
    >>> [bool(found["catholicism"].search(w)) for w in ("catholic church", "catholics", "cathode")], len(found)
    ([True, True, False], 1)
    """
    bases = {e: _DERIVED.sub("", e) for e in entities if " " not in e and _DERIVED.search(e)}
    long = {e: base for e, base in bases.items() if len(base) >= _SHORTEST and counts.count(base)}
    return {e: re.compile(rf"\b{re.escape(base)}{_ENDINGS}\b", re.IGNORECASE) for e, base in long.items()}
