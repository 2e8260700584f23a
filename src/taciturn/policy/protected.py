"""What an entry ``[[protect]]`` of a policy names, and on which legal basis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from taciturn.models.excepting import Basis

__all__ = ["Protected"]


@dataclass(frozen=True, slots=True)
class Protected:
    """Things to protect on one legal basis.

    ``terms``: entities that must not be inferred. ``words``: what must not stand there, in any form or under a synonym.
    ``branches``: every kind of these, by the taxonomies. ``lists``: (name, strings). ``patterns``: in RE2's language.
    ``flag``: patterns of marks that a person must decide about; they are never changed, and nothing is released.
    ``kinds``: kinds of terms; ``keep``: how much of a kind may stay, by kind.
    """

    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    patterns: tuple[str, ...] = ()
    flag: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    keep: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    basis: Basis = field(default_factory=Basis)

    def rules(self) -> Iterator[str]:
        """The names under which edits know what asked for them."""
        yield from (f"term {t}" for t in (*self.terms, *self.words))
        yield from (f"branch {b}" for b in self.branches)
        yield from (f"list {name}" for name, _ in self.lists)
        yield from (f"pattern {p}" for p in (*self.patterns, *self.flag))
        yield from (f"kind {k}" for k in (*self.kinds, *self.keep))
