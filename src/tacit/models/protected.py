"""From what a user calls an entity to the key under which the knowledge knows it."""

from __future__ import annotations

from tacit.knowledge import Knowledge
from tacit.language import key

__all__ = ["UnknownEntityError", "protected_key"]


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
