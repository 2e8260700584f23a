"""Everything an adversary may know, in one value that models are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tacit.knowledge.counts import Counts
from tacit.knowledge.entities import ENTITIES_SUFFIX, EntityBase, PackedEntityBase
from tacit.knowledge.taxonomy import Node, Taxonomy

__all__ = ["Knowledge"]

_PAPERS = {"alpha": 1.5, "w": 0.6}
_KEPT = 1 << 17  # keys whose generalizations are kept
_LINKS = frozenset("of in for on at by with from to".split())


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

    @classmethod
    def open(cls, path: str | Path) -> Knowledge:
        """The knowledge of a pack: a folder that ``tacit knowledge build`` has made.

        Raises :class:`tacit.knowledge.pack.PackError` for a folder that is no sound pack of this version.
        """
        from tacit.knowledge.pack import open_pack
        from tacit.knowledge.packcounts import PackCounts
        from tacit.knowledge.taxonomies import PackedTaxonomy
        from tacit.knowledge.taxonomies.standard import PRIORITY
        from tacit.knowledge.values import ValueTaxonomy

        pack = open_pack(Path(path))
        names = sorted(pack.manifest["taxonomies"], key=lambda n: PRIORITY.index(n) if n in PRIORITY else len(PRIORITY))
        taxonomies = (PackedTaxonomy.open(pack.file(f"{name}.taxonomy")) for name in names)
        named = sorted(name for name in pack.manifest["files"] if name.endswith(ENTITIES_SUFFIX))
        bases = {name.removesuffix(ENTITIES_SUFFIX): PackedEntityBase.open(pack.file(name)) for name in named}
        return cls(PackCounts(pack), (ValueTaxonomy(), *taxonomies), MappingProxyType(bases), pack.defaults)

    @classmethod
    def default(cls) -> Knowledge:
        """The knowledge that comes with Tacit: English, from Wikipedia, NIH answers and open taxonomies.

        Opened once in a process.
        """
        return _embedded()

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

    @cached_property
    def notes(self) -> dict[object, Any]:
        """What others worked out from this knowledge alone and keep with it; who writes here also sets a bound."""
        return {}

    @cached_property
    def _above(self) -> dict[str, tuple[str, ...]]:
        return {}

    @cached_property
    def _beyond(self) -> dict[str, tuple[str, ...] | None]:
        return {}

    def above(self, key: str) -> tuple[str, ...]:
        """The keys of the generalizations that counts know, most specific first.

        A term that the corpus never shows still says what it is: who reads "darunavir" learns "antiretroviral drug".

        >>> from tacit.knowledge import ContextCounts, EdgeTaxonomy
        >>> drugs = EdgeTaxonomy("drugs", [("darunavir", "protease inhibitor"), ("protease inhibitor", "drug")])
        >>> Knowledge(ContextCounts([{"drug"}]), (drugs,)).above("darunavir")
        ('drug',)
        """
        if key not in self._above:
            self._find_above([key])
        return self._above[key]

    def beyond_counts(self, keys: Sequence[str]) -> tuple[list[str], dict[str, tuple[str, ...]]]:
        """Those of some distinct keys that the counts never saw, and what is :meth:`above` them, where anything is."""
        beyond = self._beyond
        new = [k for k in keys if k not in beyond]
        if new:
            if len(beyond) + len(new) > _KEPT:
                beyond.clear()
                new = list(keys)
            counts = self.counts.table([], new)[0].tolist()
            ask = [k for k, n in zip(new, counts, strict=True) if not n]
            self._find_above(ask)
            beyond.update(dict.fromkeys(new))
            beyond.update((k, self._above[k]) for k in ask)
        unseen = [k for k in keys if beyond[k] is not None]
        return unseen, {k: above for k in unseen if (above := beyond[k])}

    def _find_above(self, new: list[str]) -> None:
        """Find out what is above keys; most are unknown to every taxonomy, which shows for all of them at once."""
        kept = self._above
        if len(kept) + len(new) > _KEPT:
            kept.clear()
        for taxonomy in self.taxonomies:
            known = [key for key, is_known in zip(new, taxonomy.knows(new), strict=True) if is_known]
            above = {key: [node.key for node in taxonomy.generalizations(key)] for key in known}
            every = list(dict.fromkeys(chain.from_iterable(above.values())))
            counts = dict(zip(every, self.counts.table([], every)[0].tolist(), strict=True))
            kept.update((key, tuple(k for k in keys if counts[k])) for key, keys in above.items())
            new = [key for key in new if key not in kept] if known else new
        kept.update(dict.fromkeys(new, ()))

    def resolve(self, key: str) -> str | None:
        """The longest part of a key that counts know: the key itself, or what is left when modifiers go; else None.

        Modifiers go from the left, the head stays; of a phrase with "of" the part before it is the head.

        >>> from tacit.knowledge import ContextCounts
        >>> knowledge = Knowledge(ContextCounts([{"blood transfusion"}, {"disease"}]))
        >>> [knowledge.resolve(k) for k in ("massive blood transfusion", "disease of the ear", "zyx")]
        ['blood transfusion', 'disease', None]
        """
        words = key.split(" ")
        head = next((i for i, word in enumerate(words) if i and word in _LINKS), len(words))
        parts = [key, *(" ".join(words[i:head]) for i in range(head))]
        known = self.counts.count_many([[part] for part in parts]) > 0
        return next((part for part, here in zip(parts, known, strict=True) if here), None)


@cache
def _embedded() -> Knowledge:
    from tacit.knowledge.pack import embedded_pack

    return Knowledge.open(embedded_pack())
