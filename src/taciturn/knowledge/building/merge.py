"""The second half of a build: the shards' parts are merged, and the vocabulary is chosen.

A key stays if it is seen in enough contexts as a phrase or as the head of one: ``min_count`` for a key that a taxonomy
or a title knows, ``min_phrase`` for other words and names. Other phrases need between ``min_phrase`` and
``min_common``, by how often they come back near where they were just used: "viral load" does so, however rare, and is
*topical*; "considerable size" does not, and its head says most of it. A title that nobody uses in a sentence is no
key. A frequent word that hardly ever stands alone ("new", "early") is a modifier and no key: it says nothing of anybody
and takes much space. Nor do frequent keys count inside phrases, where they would double their sets and still say
nothing; others do if they are known, names or topical ("viral" is hardly ever more than a modifier, but says what a
text is about).

Contexts are numbered anew in an order that a seed decides, so that no number says which text a context came from or
stood beside.

*Invariant*: a slice (a range of hashes) is decided by its own records, the numbers of contexts and shards, and the keys
known beforehand, and slices are yielded in the order of their hashes: cuts leave no trace. *Cost*: n log n in the
records of a slice, by sorting, and six arrays looked up in each shard. ``numpy.unique`` without an inverse hashes
integers since numpy 2.3 and took two thirds of the merge; ``sets.distinct`` sorts, in a thirtieth of that time.

Slices could be merged side by side. On two cores that had other work too, with small shards (a million characters), two
spawned processes that map ``place`` from a file were 0.9 to 1.4 times as fast for a third more processor time, two
threads 0.8 to 1.1 times. Once all arrays had been opened and checked, two threads were 1.8 times as fast: what is in
the way seems to be the opening, which is Python's own work. So it is one thread. Larger shards were not tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.building.phrases import HEAD, INSIDE, TITLE
from taciturn.knowledge.building.shards import ABOUT, NAME, PARTS, hash_keys, open_shard
from taciturn.knowledge.storage.arrayfile import ArrayFile
from taciturn.knowledge.storage.sets import distinct
from taciturn.language.keys import Key

_MODIFIER = 20  # a word that stands inside phrases this much more often than by itself is a modifier
_RARE = 200  # a key is frequent if one context in so many has it
_FEW = 100  # and in at least this many
_RECORDS = 1 << 25  # records (a key in a context) merged at a time, at about 60 bytes each
_NEAR = 4  # contexts further on, in the order of the sources, a text is mostly still about the same
_TOPICAL = 0.4  # a key is topical if this share of its contexts has another one near
_OPEN = 256  # shards that are kept open, each with a file of its own; the others are opened for each part

__all__ = ["Vocabulary", "merge_shards", "shuffled"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Keys in the order of their hashes, how many contexts each has, and those contexts, set after set, sorted.

    ``part`` is the part of the shards, of ``PARTS``, that they come from.
    """

    keys: list[Key]
    sizes: NDArray[np.int64]
    contexts: NDArray[np.uint32]
    part: int = 0


def shuffled(total: int, seed: int) -> NDArray[np.uint32]:
    """A permutation of 0..total-1 that depends on the seed alone: the order of splitmix64 of each number.

    >>> shuffled(6, 1).tolist() == shuffled(6, 1).tolist(), sorted(shuffled(6, 1).tolist())
    (True, [0, 1, 2, 3, 4, 5])
    """
    z = np.arange(1, total + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    order = np.argsort(z ^ (z >> np.uint64(31)), kind="stable")
    place = np.empty(total, dtype=np.uint32)
    place[order] = np.arange(total, dtype=np.uint32)
    return place


def merge_shards(
    paths: Sequence[Path],
    place: NDArray[np.uint32],
    known: Sequence[Key],
    *,
    min_count: int,
    min_phrase: int,
    min_common: int,
    inside: bool,
    titles: bool,
) -> Iterator[Vocabulary]:
    """The vocabulary of all shards, slice by slice. ``place`` is where each context, in order of the shards, goes.

    ``inside`` counts known keys within longer phrases, ``titles`` counts an article's title in each of its contexts.
    """
    shards = [open_shard(path) for path in paths[:_OPEN]]
    late = [int(open_shard(path).meta["contexts"]) for path in paths[_OPEN:]]
    offsets = np.cumsum([0, *(int(shard.meta["contexts"]) for shard in shards), *late])[:-1]
    frequent = max(len(place) // _RARE, _FEW)
    known_hashes = hash_keys(known)
    order = np.argsort(known_hashes, kind="stable")
    known_hashes = known_hashes[order]
    for part, first, last in _slices(shards, len(paths)):
        hashes, counts, contexts, marks, lengths, texts = [], [], [], [], [], []
        for at, offset in enumerate(offsets.tolist()):
            held = _held(shards[at] if at < _OPEN else open_shard(paths[at]), part, first, last)
            hashes.append(held["hashes"])
            counts.append(held["counts"])
            contexts.append(held["contexts"].astype(np.int64) + (offset << 2))
            marks.append(held["marks"])
            lengths.append(held["lengths"])
            texts.append(held["texts"])
        every = np.concatenate(hashes)
        keys, number = np.unique(every, return_inverse=True)
        record = np.concatenate(contexts)
        of_key = np.repeat(number, np.concatenate(counts))
        how = record & 3
        from_taxonomy = _within(keys, known_hashes)
        mark = np.concatenate(marks)
        from_title = np.bincount(number[mark & ABOUT > 0], minlength=len(keys)) > 0
        is_name = np.bincount(number, np.where(mark & NAME, 1.0, -0.5), len(keys)) > 0
        seen = np.bincount(of_key[how <= HEAD], minlength=len(keys))
        seen_inside = np.bincount(of_key[how == INSIDE], minlength=len(keys))
        well_known = from_taxonomy | from_title
        recurring = _recurring(of_key[how <= INSIDE], record[how <= INSIDE] >> 2, len(keys))
        topical = recurring >= _TOPICAL
        stays = (seen + np.where((well_known | topical) & inside, seen_inside, 0)) >= np.where(
            well_known, min_count, min_phrase
        )
        stays &= (seen > 0) | from_taxonomy
        stays &= (seen_inside <= _MODIFIER * seen) | (seen_inside < frequent)
        names = _names(keys[stays], every, np.concatenate(lengths), np.concatenate(texts), known, order, known_hashes)
        needed = min_phrase + (min_common - min_phrase) * (1 - np.minimum(recurring / _TOPICAL, 1))
        enough = (well_known | is_name | (seen >= needed))[stays] | np.array([" " not in n for n in names], dtype=bool)
        stays[np.flatnonzero(stays)[~enough]] = False
        names = [name for name, here in zip(names, enough.tolist(), strict=True) if here]
        counts_inside = inside & (well_known | is_name | topical) & (seen < frequent)
        counted = stays[of_key] & (
            (how <= HEAD) | (counts_inside[of_key] & (how == INSIDE)) | (titles & (how == TITLE))
        )
        rank = np.cumsum(stays) - 1
        joined = np.sort(rank[of_key[counted]] << 32 | place[record[counted] >> 2].astype(np.int64))
        sizes = np.bincount(joined >> 32, minlength=len(names))
        yield Vocabulary(names, sizes, (joined & 0xFFFFFFFF).astype(np.uint32), part)


def _slices(shards: Sequence[ArrayFile], count: int) -> Iterator[tuple[int, int, int]]:
    """Parts with ranges of hashes (first and last) that have about ``_RECORDS`` records in ``count`` shards like these.

    What becomes of a key depends on no other key, so the cuts leave no trace. A part of millions of shards would not
    fit into memory; a slice of it does.
    """
    for part in range(PARTS):
        records = sum(len(shard[f"contexts.{part}"]) for shard in shards) * count // max(len(shards), 1)
        slices = records // _RECORDS + 1
        edges = [(part << 58) + (number << 58) // slices for number in range(slices)] + [(part + 1) << 58]
        yield from ((part, first, following - 1) for first, following in pairwise(edges))


def _held(shard: ArrayFile, part: int, first: int, last: int) -> dict[str, NDArray[Any]]:
    """What a shard holds of the keys in a range of hashes."""
    whole = {name: shard[f"{name}.{part}"] for name in ("hashes", "counts", "contexts", "marks", "lengths", "texts")}
    low = int(np.searchsorted(whole["hashes"], np.uint64(first)))
    high = int(np.searchsorted(whole["hashes"], np.uint64(last), side="right"))
    if (low, high) == (0, len(whole["hashes"])):
        return whole
    cuts = {"contexts": whole["counts"], "texts": whole["lengths"]}
    before = {name: (int(n[:low].sum()), int(n[:high].sum())) for name, n in cuts.items()}
    return {name: array[slice(*before.get(name, (low, high)))] for name, array in whole.items()}


def _recurring(of_key: NDArray[np.int64], context: NDArray[np.int64], keys: int) -> NDArray[np.float64]:
    """The share of each key's contexts that have another of its contexts near, from its occurrences in any order.

    Where every text is shorter than a context, hardly any key recurs, and the number of contexts alone decides.

    >>> _recurring(np.array([0, 0, 0, 0, 1, 1, 1]), np.array([9, 7, 300, 500, 8, 90, 200]), 2).tolist()
    [0.5, 0.0]
    """
    place = distinct(of_key << 32 | context)
    near = np.zeros(len(place) + 1, dtype=bool)
    near[1:-1] = np.diff(place) <= _NEAR  # the contexts of another key are 2^32 away, less the number of contexts
    again = np.bincount(place >> 32, near[1:] | near[:-1], keys)
    return again / np.maximum(np.bincount(place >> 32, minlength=keys), 1)


def _within(some: NDArray[np.uint64], ordered: NDArray[np.uint64]) -> NDArray[np.bool_]:
    if not len(ordered):
        return np.zeros(len(some), dtype=bool)
    found: NDArray[np.bool_] = ordered[np.minimum(np.searchsorted(ordered, some), len(ordered) - 1)] == some
    return found


def _names(
    wanted: NDArray[np.uint64],
    hashes: NDArray[np.uint64],
    lengths: NDArray[np.uint32],
    texts: NDArray[np.uint8],
    known: Sequence[Key],
    known_order: NDArray[np.intp],
    known_hashes: NDArray[np.uint64],
) -> list[Key]:
    """The text of each wanted hash, from a shard that has it or from the keys known beforehand."""
    ends = np.cumsum(lengths.astype(np.int64))
    carriers = np.flatnonzero(lengths)
    carriers = carriers[np.argsort(hashes[carriers], kind="stable")]
    blob = texts.tobytes()
    at = np.minimum(np.searchsorted(hashes[carriers], wanted), max(len(carriers) - 1, 0))
    chosen = carriers[at] if len(carriers) else np.zeros(len(wanted), dtype=np.intp)
    carried = hashes[chosen] == wanted if len(carriers) else np.zeros(len(wanted), dtype=bool)
    stop = ends[chosen] if len(carriers) else chosen
    start = stop - lengths[chosen] if len(carriers) else chosen
    at_known = np.searchsorted(known_hashes, wanted)
    names: list[Key] = []
    for h, here, first, last, j in zip(
        wanted.tolist(), carried.tolist(), start.tolist(), stop.tolist(), at_known.tolist(), strict=True
    ):
        if here:
            names.append(Key(blob[first:last].decode("utf-8", "surrogatepass")))
        elif j < len(known_hashes) and int(known_hashes[j]) == h:
            names.append(known[int(known_order[j])])
        else:
            raise ValueError("a shard holds a key without its text; remove the .partial folder and build again")
    return names
