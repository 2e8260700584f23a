"""Entity bases: entities with the terms that a reader connects with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

__all__ = ["EntityBase"]


@dataclass(frozen=True, slots=True)
class EntityBase:
    """Entities and their contexts: the keys of the terms that go with each, its own names among them.

    >>> base = EntityBase("tiny", {"HIV": frozenset({"HIV", "fatigue"}), "flu": frozenset({"flu", "fatigue"})})
    >>> base.fitting({"fatigue"})
    ('HIV', 'flu')
    """

    name: str
    contexts: Mapping[str, frozenset[str]]

    @property
    def digest(self) -> str:
        figure = sha256()
        for entity in sorted(self.contexts):
            figure.update("\x1f".join([entity, *sorted(self.contexts[entity])]).encode() + b"\x1e")
        return figure.hexdigest()

    def fitting(self, keys: set[str] | frozenset[str]) -> tuple[str, ...]:
        """The entities whose contexts hold every key, in order of their names."""
        return tuple(sorted(e for e, context in self.contexts.items() if keys <= context))
