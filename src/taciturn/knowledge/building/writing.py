"""The last step of a build: keys, concepts and sets go into the files of a pack.

Sets are encoded in batches, by threads: numpy lets two go on side by side. *Invariant*: batches are cut by the sets'
sizes alone, a code depends on its own set, and codes are written in the order of the sets, so the bytes are the same
for any number of workers. A set is a view of the merged file, not a copy, until it is in a batch; batches with at most
``_FLYING`` numbers (about 100 bytes each), or one batch, are on their way at a time. Linear in the numbers, and a few
dictionary look-ups for each phrase. Which set lies within which is found by one thread: it is Python's own work, and a
process would need every key with its number.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from taciturn.knowledge.building.concepts import key_graph, subsume
from taciturn.knowledge.building.merge import Vocabulary
from taciturn.knowledge.building.shards import PARTS
from taciturn.knowledge.counts.packed import COUNTS_KIND, NO_BASE
from taciturn.knowledge.storage.arrayfile import write_arrays
from taciturn.knowledge.storage.pack import PageWriter
from taciturn.knowledge.storage.postings import PADDING, encode
from taciturn.knowledge.storage.sets import distinct
from taciturn.knowledge.storage.strings import pack_strings
from taciturn.knowledge.taxonomies import PackedTaxonomy
from taciturn.knowledge.taxonomies.values import ValueTaxonomy
from taciturn.language.keys import Key

__all__ = ["write_counts"]

_BATCH = 1 << 20  # numbers encoded at a time
_FLYING = 1 << 25  # numbers that are being encoded, by all workers, or have been and wait to be written
_NONE: NDArray[np.uint32] = np.zeros(0, dtype=np.uint32)


class _Spill:
    """The vocabulary's sets on disk, by key; what is at hand is a memory map."""

    def __init__(self, path: Path, parts: Iterable[Vocabulary], report: Callable[[str, int, int], None]) -> None:
        self.keys: list[Key] = []
        sizes = []
        with open(path, "wb") as file:
            for part in parts:
                self.keys += part.keys
                sizes.append(part.sizes)
                part.contexts.tofile(file)
                report("merging", part.part + 1, PARTS)
        self.sizes: NDArray[np.int64] = np.concatenate(sizes)
        self._ends = np.cumsum(self.sizes).tolist()
        if not len(self.keys):
            raise ValueError("no key occurs often enough to be kept; give more text or a smaller min_count")
        # A plain array over the map: slices of a memmap cost ten times as much.
        self._contexts = np.asarray(np.memmap(path, dtype=np.uint32, mode="r"))

    def __getitem__(self, number: int) -> NDArray[np.uint32]:
        return self._contexts[self._ends[number - 1] if number else 0 : self._ends[number]]


def write_counts(
    folder: Path,
    parts: Iterable[Vocabulary],
    total: int,
    taxonomies: Sequence[PackedTaxonomy],
    most_pieces: int,
    most_numbers: int,
    scratch: Path,
    report: Callable[[str, int, int], None],
    workers: int = 1,
) -> dict[str, int]:
    """Write ``counts.bin`` and ``postings.bin``; returns figures about them."""
    spill_path = scratch / "merged"
    spill = _Spill(spill_path, parts, report)
    number_of = {k: i for i, k in enumerate(spill.keys)}
    graph = key_graph(taxonomies, _dates(spill.keys))
    report("subsuming", 0, 1)

    def occurrences(key: int) -> BitMap | None:
        number = number_of.get(graph.keys[key])
        return None if number is None else BitMap(array("I", spill[number].tobytes()))

    concepts = subsume(graph, occurrences, most_pieces, most_numbers)
    report("subsuming", 1, 1)
    # A key is looked up by its place in the order of all keys; concepts without a key serve as pieces only.
    in_graph = {graph.keys[k]: c for c, concept in enumerate(concepts) for k in concept.keys}
    alone = sorted((k for k in number_of if k not in in_graph), key=str.encode)
    alone_number = {k: len(concepts) + i for i, k in enumerate(alone)}
    keys = sorted([*in_graph, *alone], key=str.encode)
    concept_of = [in_graph[k] if k in in_graph else alone_number[k] for k in keys]

    stored = [c for c, concept in enumerate(concepts) if concept.pieces == (~c,)]
    stored_number = {~c: len(concepts) + len(alone) + i for i, c in enumerate(stored)}
    writer = PageWriter(folder / "postings.bin")
    own_sizes = [concept.own_size for concept in concepts] + [int(spill.sizes[number_of[k]]) for k in alone]

    @lru_cache(maxsize=1024)
    def own(number: int) -> NDArray[np.uint32]:
        if number < len(concepts):
            numbers = [number_of[k] for k in map(graph.keys.__getitem__, concepts[number].keys) if k in number_of]
            parts = [spill[n] for n in numbers]
            return parts[0] if len(parts) == 1 else distinct(np.concatenate(parts)) if parts else _NONE
        return spill[number_of[alone[number - len(concepts)]]]

    names = [_only(graph.keys[k] for k in concept.keys if graph.keys[k] in number_of) for concept in concepts]
    number_by_key = dict(zip(keys, concept_of, strict=True))
    bases = []
    with _threads(workers) as pool:
        encoder = _Encoder(writer, pool, 2 * workers)
        for number, name in enumerate([*names, *alone]):
            members = own(number)
            base, ranks = _within_another(members, name, number_by_key, own_sizes, own)
            bases.append(base)
            encoder.add(ranks, total if base == NO_BASE else own_sizes[base])
            if number % 4096 == 0:
                report("writing", number, len(own_sizes))
        for c in stored:
            encoder.add(np.array((concepts[c].whole or BitMap()).to_array(), dtype=np.uint32), total)
        sizes = encoder.finish()
    writer.write(np.zeros(PADDING, dtype=np.uint8))
    checksums = writer.close()
    report("writing", len(own_sizes), len(own_sizes))

    united = [c for c, concept in enumerate(concepts) if concept.pieces != (c,)]
    pieces = [[stored_number.get(p, p) for p in concepts[c].pieces] for c in united]
    arrays = {
        **{f"keys.{part}": values for part, values in pack_strings(keys).items()},
        "linked": np.array([i for i, k in enumerate(keys) if k in in_graph], dtype=np.uint32),
        "concepts": np.array([in_graph[k] for k in keys if k in in_graph], dtype=np.uint32),
        "small_sizes": np.minimum(sizes, 255).astype(np.uint8),
        "large_sizes": np.array([n for n in sizes if n >= 255], dtype=np.uint32),
        "based": np.packbits(np.array(bases, dtype=np.int64) != NO_BASE),
        "bases": np.array([b for b in bases if b != NO_BASE], dtype=np.uint32),
        "united": np.array(united, dtype=np.uint32),
        "counts": np.array([concepts[c].size for c in united], dtype=np.uint32),
        "piece_starts": np.cumsum([0, *map(len, pieces)]).astype(np.uint32),
        "pieces": np.array([p for ps in pieces for p in ps], dtype=np.uint32),
        "checksums": checksums,
    }
    count = len(concepts) + len(alone)
    write_arrays(
        folder / "counts.bin", COUNTS_KIND, {"contexts": total, "concepts": count, "linked": len(concepts)}, arrays
    )
    spill_path.unlink()
    return {"contexts": total, "keys": len(keys), "concepts": count, "unions": len(stored), "postings": int(sum(sizes))}


def _dates(keys: Iterable[Key]) -> list[tuple[Key, Key]]:
    """Links from the dates among some keys to what they generalize to, year by decade by century.

    Other values (ages, amounts, postal codes) cannot be told from plain numbers by their keys and are left alone.
    """
    values = ValueTaxonomy()
    links: dict[tuple[Key, Key], None] = {}
    for key in keys:
        if any(c.isdigit() for c in key) and (senses := values.senses(key)) and senses[0].id.startswith("date:"):
            chain = [key, *(node.key for node in values.generalizations(key))]
            links.update(dict.fromkeys(pairwise(chain)))
    return sorted(links)


def _only(names: Iterable[Key]) -> Key:
    """The one name that is given, or none."""
    given = list(names)
    return given[0] if len(given) == 1 else Key("")


def _within_another(
    members: NDArray[np.uint32],
    name: Key,
    number_by_key: Mapping[Key, int],
    sizes: Sequence[int],
    own: Callable[[int], NDArray[np.uint32]],
) -> tuple[int, NDArray[np.uint32]]:
    """The smallest set of a phrase inside a phrase that holds all its contexts, and the ranks of its contexts there.

    "blood transfusion" occurs only where "transfusion" does: among 400 contexts a number takes 10 bits less than among
    all. The other set is strictly larger, so that no set is coded by itself in a circle.
    """
    words = name.split(" ")
    if len(members) and len(words) > 1:
        ends = ((i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1))
        inside = {number_by_key.get(Key(" ".join(words[i:j])), -1) for i, j in ends}
        for base in sorted((sizes[b], b) for b in inside if b >= 0 and sizes[b] > len(members)):
            other = own(base[1])
            # Most others lack the first context already; a long set is then not looked through.
            if other[-1] < members[-1] or other[other.searchsorted(members[0])] != members[0]:
                continue
            ranks = other.searchsorted(members)
            if np.array_equal(other[ranks], members):
                return base[1], ranks.astype(np.uint32)
    return NO_BASE, members


@contextmanager
def _threads(workers: int) -> Iterator[ThreadPoolExecutor | None]:
    """So many threads, ended at the end, whatever happens; none for one."""
    pool = ThreadPoolExecutor(workers) if workers > 1 else None
    try:
        yield pool
    finally:
        if pool:
            pool.shutdown(wait=True, cancel_futures=True)


class _Encoder:
    """Encodes sets in batches, by a pool if there is one, and writes their codes in order."""

    def __init__(self, writer: PageWriter, pool: ThreadPoolExecutor | None, most: int) -> None:
        self._writer = writer
        self._pool = pool
        self._most = most  # batches on their way
        self._waiting: deque[tuple[int, Future[NDArray[np.uint8]]]] = deque()
        self._flying = 0
        self._pending: list[NDArray[np.uint32]] = []
        self._totals: list[int] = []
        self._numbers = 0
        self._sizes: list[int] = []

    def add(self, numbers: NDArray[np.uint32], total: int) -> None:
        self._pending.append(numbers)
        self._totals.append(total)
        self._sizes.append(len(numbers))
        self._numbers += len(numbers)
        if self._numbers > _BATCH:
            self._flush()

    def _flush(self) -> None:
        if not self._pending:
            return
        sizes = np.array([len(p) for p in self._pending], dtype=np.int64)
        batch = np.concatenate(self._pending), sizes, np.array(self._totals, dtype=np.int64)
        if self._pool:
            while self._waiting and (len(self._waiting) >= self._most or self._flying + self._numbers > _FLYING):
                self._write_first()
            self._waiting.append((self._numbers, self._pool.submit(encode, *batch)))
            self._flying += self._numbers
        else:
            self._writer.write(encode(*batch))
        self._pending, self._totals, self._numbers = [], [], 0

    def _write_first(self) -> None:
        numbers, codes = self._waiting.popleft()
        self._writer.write(codes.result())
        self._flying -= numbers

    def finish(self) -> list[int]:
        """Write what is left; returns the size of every set in order."""
        self._flush()
        while self._waiting:
            self._write_first()
        return self._sizes
