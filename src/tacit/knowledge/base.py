"""Everything an adversary may know, in one value that models are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType

from tacit.knowledge.counts import Counts
from tacit.knowledge.entities import EntityBase
from tacit.knowledge.taxonomy import Node, Taxonomy

__all__ = ["Knowledge"]

_PAPERS = {"alpha": 1.5, "w": 0.6}


@dataclass(frozen=True)
class Knowledge:
    """Counts, taxonomies in order of priority, and entity bases by name.

    Knowledge is a corpus, not the world: a guarantee holds against a reader who knows what is in it.
    """

    counts: Counts
    taxonomies: tuple[Taxonomy, ...] = ()
    entities: Mapping[str, EntityBase] = field(default_factory=lambda: MappingProxyType({}))
    defaults: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    def calibrated(self, parameter: str) -> float:
        """A model's default for this knowledge, as calibrated on it; the papers' choice where it has none.

        The scale of mutual information depends on the corpus, so defaults belong to it.
        """
        return self.defaults.get(parameter, _PAPERS[parameter])

    @cached_property
    def digest(self) -> str:
        """A digest of every part, quoted by certificates."""
        parts = [self.counts.digest, *(t.digest for t in self.taxonomies)]
        parts += [f"{name}:{self.entities[name].digest}" for name in sorted(self.entities)]
        return sha256("\n".join(parts).encode()).hexdigest()

    def taxonomy_of(self, key: str) -> Taxonomy | None:
        """The first taxonomy, in order of priority, that knows a key."""
        return next((t for t in self.taxonomies if t.senses(key)), None)

    def generalizations(self, key: str) -> tuple[Node, ...]:
        """What a key generalizes to, most specific first, by the first taxonomy that knows it."""
        taxonomy = self.taxonomy_of(key)
        return taxonomy.generalizations(key) if taxonomy else ()
