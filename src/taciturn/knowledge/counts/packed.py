"""Counts from a pack: sets of contexts for each concept, read when asked for.

A key leads to its concept, a concept to the pieces whose union is its set (see building/concepts.py), a piece to its
code in the postings. What documents ask most is how often each of thousands of keys occurs with one entity. That needs
no set but the entity's: the codes of the others are looked through for its contexts (:meth:`StoredSets.within`), and
what is found is kept with the entity (:class:`taciturn.knowledge.counts.neighbours.Neighbours`). For other questions
whole sets are decoded, together, turned into roaring bitmaps, and kept, the least recently used going first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from taciturn.knowledge.counts.base import BETWEEN, Counts, mutual_information
from taciturn.knowledge.counts.neighbours import Neighbours
from taciturn.knowledge.storage.arrayfile import ArrayFile
from taciturn.knowledge.storage.pack import Pack, PackError, Pages
from taciturn.knowledge.storage.sets import StoredSets, distinct, spread, united
from taciturn.knowledge.storage.strings import StringTable
from taciturn.knowledge.storage.verified import require_verified
from taciturn.language.keys import Key

__all__ = ["COUNTS_KIND", "NO_BASE", "PackCounts"]

COUNTS_KIND = "counts"
NO_BASE = 0xFFFFFFFF  # of a set that is coded by itself and not within another
_IN_HAND = 1 << 22  # numbers of the pieces that are united in one batch
_KEPT = 1 << 25  # numbers kept as bitmaps, at two bytes or less each: 64 MB at most
_ENTITIES = 16  # entities whose neighbours are kept, at some two megabytes each
_FEW_ENTITIES = 6  # asked for at once: of more, whole sets are compared
_KEYS = 1 << 17  # keys whose concepts are kept
_SOME = 16  # groups that are worth a look at their common shape
_GROUPS = 1 << 17  # groups of concepts whose counts are kept
_NONE = -1


class PackCounts(Counts):
    """The counts of a pack, by subsumption over the taxonomies that it was built with."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._file = ArrayFile(pack.file("counts.bin"), COUNTS_KIND)
        self._total = int(self._file.meta["contexts"])
        self._keys: StringTable[Key] = StringTable(
            {part: self._file[f"keys.{part}"] for part in ("blob", "starts", "heads", "length")}
        )
        self._found: dict[Key, int] = {}
        self._together: dict[tuple[int, ...], int] = {}
        self._sets: OrderedDict[int, BitMap] = OrderedDict()
        self._kept = 0
        self._neighbours: OrderedDict[int, Neighbours] = OrderedDict()
        self._unions: dict[Key, int] = {}
        self._united_pieces: list[NDArray[np.int64]] = []

    @property
    def total(self) -> int:
        return self._total

    @property
    def digest(self) -> str:
        require_verified(self._pack)
        return self._pack.digest

    def __len__(self) -> int:
        """The number of keys."""
        return len(self._keys)

    def keys(self) -> Iterator[Key]:
        """Every key that occurs, in order."""
        return iter(self._keys)

    def starting(self, prefix: str) -> Iterator[Key]:
        return self._keys.starting(prefix)

    # Concepts

    def _concepts_at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The concepts of the keys at some places: listed for keys of taxonomies, the others follow in order."""
        linked = self._file["linked"]
        before = np.searchsorted(linked, places)
        listed = linked[np.minimum(before, len(linked) - 1)] == places if len(linked) else np.zeros(len(places), bool)
        concepts = int(self._file.meta["linked"]) + places - before
        concepts[listed] = self._file["concepts"][before[listed]]
        return np.where(places < 0, _NONE, concepts)

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        sizes = self._file["small_sizes"].astype(np.int64)
        sizes[sizes == 255] = self._file["large_sizes"]
        return sizes

    @cached_property
    def _piece_starts(self) -> NDArray[np.int64]:
        return self._file["piece_starts"].astype(np.int64)

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        counts = self._sizes[: self._file.meta["concepts"]].copy()
        counts[self._file["united"]] = self._file["counts"]
        return counts

    @cached_property
    def _stored(self) -> StoredSets:
        """The sets; unions are coded by themselves, others possibly within another."""
        bases = np.full(len(self._sizes), -1, dtype=np.int64)
        bases[np.flatnonzero(np.unpackbits(self._file["based"])[: self._file.meta["concepts"]])] = self._file["bases"]
        pages = Pages(self._pack.file("postings.bin"), self._file["checksums"])
        return StoredSets(pages, self._sizes, bases, self._total)

    def concept(self, key: Key) -> int:
        """The number of a key's concept, -1 for an unknown key. Keys with one number have one set."""
        known = self._found.get(key)
        return known if known is not None else int(self.concepts([key])[0])

    def concepts(self, keys: Sequence[Key]) -> NDArray[np.int64]:
        """:meth:`concept` of each key; new ones are looked up together."""
        found = self._found
        new = [k for k in dict.fromkeys(keys) if k not in found]
        if new:
            if len(found) + len(new) > _KEYS:
                found.clear()
                new = list(dict.fromkeys(keys))
            found.update(zip(new, self._concepts_at(self._keys.find_many(new)).tolist(), strict=True))
            found.update((k, self._unions[k]) for k in new if k in self._unions)
        return np.fromiter(map(found.__getitem__, keys), dtype=np.int64, count=len(keys))

    def united(self, keys: Sequence[Key]) -> Key | None:
        """A key whose contexts are those of any of some keys: a concept of this process, numbered after the pack's."""
        known = [k for k, c in zip(keys, self.concepts(keys).tolist(), strict=True) if c != _NONE]
        concepts = distinct(self.concepts(known)) if known else np.zeros(0, np.int64)
        if len(concepts) < 2:
            return known[0] if known else None
        name = Key(BETWEEN.join(dict.fromkeys(known)))
        if name not in self._unions:
            whole = BitMap.union(*self._load(concepts.tolist()).values())
            number = self._unions[name] = self._found[name] = len(self._counts)
            self._united_pieces.append(distinct(self._pieces_of(concepts)[0]))
            self._counts = np.append(self._counts, len(whole))
            self._sets[number] = whole
            self._kept += len(whole)
        return name

    def _pieces_of(self, concepts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The pieces of concepts, one concept's after the other's, and how many each has."""
        stored = int(self._file.meta["concepts"])
        if len(concepts) and concepts.max() >= stored:
            each = [
                self._united_pieces[c - stored] if c >= stored else self._stored_pieces(np.array([c]))[0]
                for c in concepts.tolist()
            ]
            return np.concatenate(each), np.array([len(pieces) for pieces in each])
        return self._stored_pieces(concepts)

    def _stored_pieces(self, concepts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        united, starts = self._file["united"], self._piece_starts
        at = np.searchsorted(united, concepts)
        several = united[np.minimum(at, len(united) - 1)] == concepts if len(united) else np.zeros(len(at), bool)
        sizes = np.ones(len(concepts), dtype=np.int64)
        sizes[several] = starts[at[several] + 1] - starts[at[several]]
        pieces = np.repeat(concepts, sizes)
        pieces[np.repeat(several, sizes)] = self._file["pieces"][spread(starts[at[several]], sizes[several])]
        return pieces, sizes

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
        for batch in self._batches(np.array(missing, dtype=np.int64)) if missing else ():
            pieces, counts = self._pieces_of(batch)
            every = distinct(pieces)
            place = np.searchsorted(every, pieces)
            members, at = self._stored.decode(every)
            ranges = np.stack([at, at + self._sizes[every]], axis=1)[place]
            last = 0
            for concept, count in zip(batch.tolist(), counts.tolist(), strict=True):
                here = united(members, ranges[last : last + count], self._total)
                last += count
                if len(here) != self._counts[concept]:
                    raise PackError(f"the pack {self._pack.path} contradicts itself; build or copy it again")
                loaded[concept] = self._sets[concept] = here
                self._kept += len(here)
        while self._kept > _KEPT and len(self._sets) > 1:
            self._kept -= len(self._sets.popitem(last=False)[1])
        return loaded

    def _batches(self, concepts: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Concepts, as many at a time as leave memory bounded."""
        pieces, counts = self._pieces_of(concepts)
        numbers = np.cumsum(self._sizes[pieces])[np.cumsum(counts) - 1]
        first = 0
        while first < len(concepts):
            before = int(numbers[first - 1]) if first else 0
            last = max(int(np.searchsorted(numbers, before + _IN_HAND, side="right")), first + 1)
            yield concepts[first:last]
            first = last

    def contexts(self, key: Key) -> BitMap:
        """The contexts that hold a key, a synonym or a specialization; a copy."""
        concept = self.concept(key)
        return BitMap(self._load([concept])[concept]) if concept != _NONE else BitMap()

    def listed(self, key: Key) -> NDArray[np.int64]:
        concept = self.concept(key)
        return np.array(self._load([concept])[concept].to_array() if concept != _NONE else (), dtype=np.int64)

    # Counts

    def table(self, entities: Sequence[Key], keys: Sequence[Key]) -> NDArray[np.int64]:
        """Counts of single keys, alone and with each entity; joint counts are kept, for texts repeat their words."""
        concepts = self.concepts(keys)
        counts = np.zeros((1 + len(entities), len(keys)), dtype=np.int64)
        known = concepts >= 0
        concepts = concepts[known]
        counts[0, known] = self._counts[concepts]
        rows = self.concepts(entities)
        every = distinct(concepts)
        if np.count_nonzero(rows >= 0) > _FEW_ENTITIES:
            sets = self._load([*rows[rows >= 0].tolist(), *every.tolist()])
            place = np.searchsorted(every, concepts)
            for row, entity in enumerate(rows.tolist(), 1):
                if entity != _NONE:
                    whole = sets[entity]
                    met = [whole.intersection_cardinality(sets[c]) for c in every.tolist()]
                    counts[row, known] = np.array(met, dtype=np.int64)[place]
        else:
            for row, entity in enumerate(rows.tolist(), 1):
                if entity != _NONE:
                    counts[row, known] = self._around(entity, every).joint[concepts]
        return counts

    def _around(self, entity: int, concepts: NDArray[np.int64]) -> Neighbours:
        """What is known around an entity, with the joint counts of some concepts among it."""
        around = self._neighbours.get(entity)
        if around is None or len(around.joint) < len(self._counts):
            contexts = self._load([entity])[entity].to_array()
            around = Neighbours(np.array(contexts, dtype=np.int64), self._total, len(self._counts), len(self._sizes))
            self._neighbours[entity] = around
            if len(self._neighbours) > _ENTITIES:
                self._neighbours.popitem(last=False)
        self._neighbours.move_to_end(entity)
        if len(new := concepts[around.joint[concepts] < 0]):
            around.add(new, *self._pieces_of(new), self._stored)
        return around

    def count(self, *keys: Key) -> int:
        concept = self.concept(keys[0]) if len(keys) == 1 else _NONE
        return int(self._counts[concept]) if concept != _NONE else super().count(*keys)

    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        if len(groups) > _SOME and (pairs := self._pairs_with(groups)) is not None:
            return pairs
        concepts = self._grouped(groups)
        counts = [0] * len(groups)
        around: dict[int, list[int]] = {}
        others: list[int] = []
        for i, group in enumerate(concepts):
            if len(group) < 2:
                counts[i] = self._total if not group else int(self._counts[group[0]]) if group[0] != _NONE else 0
            elif group[0] != _NONE:
                for concept in group:
                    if concept in self._neighbours:
                        around.setdefault(concept, []).append(i)
                        break
                else:
                    others.append(i)
        for entity, numbers in around.items():
            near = self._around(entity, distinct(np.array([c for i in numbers for c in concepts[i]], dtype=np.int64)))
            for i in numbers:
                counts[i] = near.count([c for c in concepts[i] if c != entity])
        together = self._together_many({concepts[i] for i in others})
        for i in others:
            counts[i] = together[concepts[i]]
        return np.array(counts, dtype=np.int64)

    def _pairs_with(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64] | None:
        """The counts of an entity with many pairs, if that is what the groups are: the shape that models ask for."""
        if set(map(len, groups)) != {3} or len({group[0] for group in groups}) != 1:
            return None
        concepts = self.concepts(list(chain.from_iterable(groups))).reshape(-1, 3)
        entity, first, second = concepts.T
        if entity[0] not in self._neighbours:
            return None
        # A pair of synonyms, or of the entity and a term, is no pair; an unknown term occurs with nothing.
        counts = np.zeros(len(groups), dtype=np.int64)
        plain = (first != second) & (first != entity) & (second != entity) & (concepts.min(axis=1) >= 0)
        near = self._around(int(entity[0]), distinct(concepts[plain, 1:].ravel()))
        counts[plain] = near.count_pairs(first[plain], second[plain])
        others = np.flatnonzero(~plain & (concepts.min(axis=1) >= 0)).tolist()
        counts[others] = [self.count(*groups[i]) for i in others]
        return counts

    def _together_many(self, groups: set[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
        """In how many contexts the concepts of each group occur together; kept, for plan and check ask the same."""
        known = self._together
        found = {group: known[group] for group in groups if group in known}
        new = sorted(groups - found.keys())
        sets = self._load(chain.from_iterable(new))
        begun: dict[tuple[int, ...], BitMap] = {}
        for group in new:
            found[group] = self._meet(group[:-1], sets, begun).intersection_cardinality(sets[group[-1]])
        if len(known) + len(new) > _GROUPS:
            self._together = known = {}
        known.update((group, found[group]) for group in new)
        return found

    def _grouped(self, groups: Sequence[Sequence[Key]]) -> list[tuple[int, ...]]:
        """The concepts of each group, each once and in order; an unknown one comes first."""
        every = self.concepts(list(chain.from_iterable(groups))).tolist()
        grouped, at = [], 0
        for size in map(len, groups):
            grouped.append(tuple(sorted(set(every[at : at + size]))) if size > 1 else tuple(every[at : at + size]))
            at += size
        return grouped

    def _meet(self, group: tuple[int, ...], sets: dict[int, BitMap], known: dict[tuple[int, ...], BitMap]) -> BitMap:
        """The intersection of sets, kept for groups that begin alike."""
        if len(group) == 1:
            return sets[group[0]]
        if group not in known:
            known[group] = self._meet(group[:-1], sets, known) & sets[group[-1]]
        return known[group]

    def pmi_many(self, entities: Sequence[Key], groups: Sequence[Sequence[Key]]) -> NDArray[np.float64]:
        """PMI of each entity (rows) and each group (columns).

        Within an entity's own contexts, which are few, the joint counts are those of small sets; a group's own count is
        needed only where it occurs with some entity, which most pairs of terms do not.
        """
        concepts = self._grouped(groups)
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
