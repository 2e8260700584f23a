"""Counts from a pack: sets of contexts for each concept, decoded when asked for.

A key leads to its concept, a concept to the pieces whose union is its set (see building/concepts.py), a piece to its
code in the postings. The sets that one question needs are decoded together, turned into roaring bitmaps, and kept, the
least recently used going first. Bitmaps answer a joint count in about a microsecond whatever the sizes; the decoding is
what costs, and whole documents are asked in one batch.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tacit.knowledge.arrayfile import ArrayFile
from tacit.knowledge.counts import Counts, mutual_information
from tacit.knowledge.pack import Pack, PackError, Pages
from tacit.knowledge.postings import code_sizes, decode
from tacit.knowledge.strings import StringTable

__all__ = ["COUNTS_KIND", "NO_BASE", "PackCounts"]

COUNTS_KIND = "counts"
NO_BASE = 0xFFFFFFFF  # of a set that is coded by itself and not within another
_TOGETHER = 1 << 18  # numbers decoded in one sweep: more would leave the processor's cache
_IN_HAND = 1 << 20  # numbers of the pieces that are united in one batch
_KEPT = 1 << 25  # numbers kept as bitmaps, at two bytes or less each: 64 MB at most
_ENTITIES = 64  # entities whose joint counts are kept
_NONE = -1


class PackCounts(Counts):
    """The counts of a pack, by subsumption over the taxonomies that it was built with."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._file = ArrayFile(pack.file("counts.bin"), COUNTS_KIND)
        self._total = int(self._file.meta["contexts"])
        self._keys = StringTable({part: self._file[f"keys.{part}"] for part in ("blob", "starts", "heads", "length")})
        self._found: dict[str, int] = {}
        self._sets: OrderedDict[int, BitMap] = OrderedDict()
        self._kept = 0
        self._met: dict[int, dict[int, int]] = {}

    @property
    def total(self) -> int:
        return self._total

    @property
    def digest(self) -> str:
        return self._pack.digest

    def __len__(self) -> int:
        """The number of keys."""
        return len(self._keys)

    def keys(self) -> Iterator[str]:
        """Every key that occurs, in order."""
        return iter(self._keys)

    # Concepts

    def _concept_at(self, at: int) -> int:
        """The concept of the key at a place: listed for keys of taxonomies, the others follow in order."""
        linked = self._file["linked"]
        before = int(np.searchsorted(linked, at))
        if before < len(linked) and linked[before] == at:
            return int(self._file["concepts"][before])
        return int(self._file.meta["linked"]) + at - before

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        sizes = self._file["small_sizes"].astype(np.int64)
        sizes[sizes == 255] = self._file["large_sizes"]
        return sizes

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        counts = self._sizes[: self._file.meta["concepts"]].copy()
        counts[self._file["united"]] = self._file["counts"]
        return counts

    @cached_property
    def _bases(self) -> NDArray[np.int64]:
        """The set within which each set is coded, -1 for none; unions are coded by themselves."""
        bases = np.full(len(self._sizes), -1, dtype=np.int64)
        bases[np.flatnonzero(np.unpackbits(self._file["based"])[: self._file.meta["concepts"]])] = self._file["bases"]
        return bases

    @cached_property
    def _totals(self) -> NDArray[np.int64]:
        return np.where(self._bases < 0, self._total, self._sizes[self._bases])

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(code_sizes(self._sizes, self._totals))])

    @cached_property
    def _pages(self) -> Pages:
        return Pages(self._pack.file("postings.bin"), self._file["checksums"])

    def concept(self, key: str) -> int:
        """The number of a key's concept, -1 for an unknown key. Keys with one number have one set."""
        if key not in self._found:
            if len(self._found) > 1 << 17:
                self._found.clear()
            at = self._keys.find(key)
            self._found[key] = self._concept_at(at) if at >= 0 else _NONE
        return self._found[key]

    def _pieces(self, concept: int) -> list[int]:
        united = self._file["united"]
        at = int(np.searchsorted(united, concept))
        if at == len(united) or united[at] != concept:
            return [concept]
        starts = self._file["piece_starts"]
        pieces: list[int] = self._file["pieces"][starts[at] : starts[at + 1]].tolist()
        return pieces

    # Sets

    def _load(self, concepts: Iterable[int]) -> dict[int, BitMap]:
        """The sets of concepts, from the cache or decoded together."""
        loaded: dict[int, BitMap] = {}
        missing: list[int] = []
        for concept in dict.fromkeys(concepts):
            if (kept := self._sets.get(concept)) is not None:
                self._sets.move_to_end(concept)
                loaded[concept] = kept
            else:
                missing.append(concept)
        for batch in self._batches(missing):
            members = self._decode(sorted({p for pieces in batch.values() for p in pieces}))
            for concept, pieces in batch.items():
                here = self._united([members[p] for p in pieces])
                if len(here) != self._counts[concept]:
                    raise PackError(f"the pack {self._pack.path} contradicts itself; build or copy it again")
                loaded[concept] = self._sets[concept] = here
                self._kept += len(here)
        while self._kept > _KEPT and len(self._sets) > 1:
            self._kept -= len(self._sets.popitem(last=False)[1])
        return loaded

    def _batches(self, concepts: Iterable[int]) -> Iterator[dict[int, list[int]]]:
        """Concepts with their pieces, as many at a time as leave memory bounded."""
        batch: dict[int, list[int]] = {}
        numbers = 0
        for concept in concepts:
            batch[concept] = self._pieces(concept)
            numbers += int(self._sizes[batch[concept]].sum())
            if numbers > _IN_HAND:
                yield batch
                batch, numbers = {}, 0
        if batch:
            yield batch

    def _united(self, parts: list[NDArray[np.uint32]]) -> BitMap:
        if len(parts) == 1:
            return BitMap(array("I", parts[0].tobytes()))
        together = np.concatenate(parts)
        if len(together) * 8 < self._total:
            together.sort()
            return BitMap(array("I", together.tobytes()))
        held = np.zeros(self._total, dtype=np.bool_)
        held[together] = True
        return BitMap(array("I", np.flatnonzero(held).astype(np.uint32).tobytes()))

    def _decode(self, sets: Iterable[int]) -> dict[int, NDArray[np.uint32]]:
        """The members of sets, decoded in a few sweeps; sets that are coded within others come after these."""
        bases, starts, sizes, totals = self._bases, self._starts, self._sizes, self._totals
        order: dict[int, None] = {}
        for number in sets:
            path = [number]
            while (base := int(bases[path[-1]])) >= 0 and base not in order:
                path.append(base)
            order.update(dict.fromkeys(reversed(path)))
        members: dict[int, NDArray[np.uint32]] = {}
        wanted = list(order)
        edges = np.concatenate([[0], np.cumsum(sizes[wanted])])
        first = 0
        while first < len(wanted):
            last = max(int(np.searchsorted(edges, edges[first] + _TOGETHER, side="right")) - 1, first + 1)
            batch = wanted[first:last]
            codes = [
                self._pages[a:b] for a, b in zip(starts[batch].tolist(), starts[np.add(batch, 1)].tolist(), strict=True)
            ]
            for number, found in zip(batch, decode(codes, sizes[batch], totals[batch]), strict=True):
                base = int(bases[number])
                members[number] = found if base < 0 else members[base][found]
            first = last
        return members

    def contexts(self, key: str) -> BitMap:
        """The contexts that hold a key, a synonym or a specialization; a copy."""
        concept = self.concept(key)
        return BitMap(self._load([concept])[concept]) if concept != _NONE else BitMap()

    # Counts

    def table(self, entities: Sequence[str], keys: Sequence[str]) -> NDArray[np.int64]:
        """Counts of single keys, alone and with each entity; joint counts are kept, for texts repeat their words."""
        concepts = np.fromiter((self.concept(k) for k in keys), dtype=np.int64, count=len(keys))
        counts = np.zeros((1 + len(entities), len(keys)), dtype=np.int64)
        known = concepts >= 0
        counts[0, known] = self._counts[concepts[known]]
        distinct = sorted(set(concepts[known].tolist()))
        for row, entity in enumerate(entities, 1):
            met = self._with(self.concept(entity), distinct)
            counts[row] = np.fromiter((met.get(c, 0) for c in concepts.tolist()), dtype=np.int64, count=len(keys))
        return counts

    def _with(self, entity: int, concepts: list[int]) -> dict[int, int]:
        """How often each concept occurs with an entity's."""
        if entity == _NONE:
            return {}
        if len(self._met) > _ENTITIES and entity not in self._met:
            self._met.clear()
        met = self._met.setdefault(entity, {})
        new = [c for c in concepts if c not in met]
        if new:
            sets = self._load([entity, *new])
            whole = sets[entity]
            met.update((c, whole.intersection_cardinality(sets[c])) for c in new)
        return met

    def count_many(self, groups: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        concepts = [_distinct(self.concept(k) for k in group) for group in groups]
        counts = np.zeros(len(groups), dtype=np.int64)
        sets = self._load(c for group in concepts if len(group) > 1 and group[0] != _NONE for c in group)
        pairs: dict[tuple[int, ...], BitMap] = {}
        for i, group in enumerate(concepts):
            if not group:
                counts[i] = self._total
            elif group[0] == _NONE:
                counts[i] = 0
            elif len(group) == 1:
                counts[i] = self._counts[group[0]]
            else:
                rest, last = group[:-1], sets[group[-1]]
                counts[i] = self._meet(rest, sets, pairs).intersection_cardinality(last)
        return counts

    def _meet(self, group: tuple[int, ...], sets: dict[int, BitMap], known: dict[tuple[int, ...], BitMap]) -> BitMap:
        """The intersection of sets, kept for groups that begin alike."""
        if len(group) == 1:
            return sets[group[0]]
        if group not in known:
            known[group] = self._meet(group[:-1], sets, known) & sets[group[-1]]
        return known[group]

    def pmi_many(self, entities: Sequence[str], groups: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """PMI of each entity (rows) and each group (columns).

        Within an entity's own contexts, which are few, the joint counts are those of small sets; a group's own count is
        needed only where it occurs with some entity, which most pairs of terms do not.
        """
        concepts = [_distinct(self.concept(k) for k in group) for group in groups]
        rows = [self.concept(e) for e in entities]
        known = [i for i, group in enumerate(concepts) if group and group[0] != _NONE]
        sets = self._load([*(r for r in rows if r != _NONE), *(c for i in known for c in concepts[i])])
        joint = np.zeros((len(rows), len(groups)), dtype=np.int64)
        members = {c for i in known for c in concepts[i]}
        for row, entity in enumerate(rows):
            if entity == _NONE:
                continue
            whole = sets[entity]
            within = {c: whole & sets[c] for c in members}
            single = {c: len(s) for c, s in within.items()}
            met: dict[tuple[int, ...], BitMap] = {}
            for i in known:
                group = concepts[i]
                if len(group) == 1:
                    joint[row, i] = single[group[0]]
                elif all(single[c] for c in group):
                    joint[row, i] = self._meet(group[:-1], within, met).intersection_cardinality(within[group[-1]])
        of_entity = np.array([self._counts[r] if r != _NONE else 0 for r in rows], dtype=np.int64)
        for i, group in enumerate(concepts):
            if not group:
                joint[:, i] = of_entity
        needed = np.flatnonzero(joint.any(axis=0)).tolist()
        alone = np.ones(len(groups), dtype=np.int64)
        alone[needed] = self.count_many([groups[i] for i in needed])
        return mutual_information(joint, of_entity, alone, self._total)


def _distinct(concepts: Iterable[int]) -> tuple[int, ...]:
    """The concepts of a group in order; an unknown one first."""
    return tuple(sorted(set(concepts)))
