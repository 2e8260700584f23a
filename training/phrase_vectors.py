"""Make the vectors of a pack: its keys by their contexts, other words by public vectors brought into the same space.

    python -m training.phrase_vectors --words FOLDER -o FOLDER [--pack src/taciturn/packs/en]

FOLDER of words holds ``glove100d_int8.npy.xz`` and ``glove100d_words.txt.xz`` (GloVe, 341,479 words of 100 numbers,
most frequent first; Public Domain Dedication and License 1.0). The result is ``vectors.bin``. Everything is counted or
seeded and runs in one thread, so the same inputs give the same bytes.

What similarity is worth is fitted apart: vectors of one half of the contexts (articles stay whole) are held against the
joint counts of the other half.
"""

from __future__ import annotations

import io
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import Knowledge
from taciturn.knowledge.building.merge import shuffled
from taciturn.knowledge.counts.estimate import SHARES, fit_prior, likelihoods
from taciturn.knowledge.counts.packed import PackCounts
from taciturn.knowledge.storage.arrayfile import write_arrays
from taciturn.knowledge.storage.pack import Pack, embedded_pack, open_pack
from taciturn.knowledge.storage.strings import pack_strings
from taciturn.knowledge.taxonomies import PackedTaxonomy
from taciturn.knowledge.taxonomies.base import Taxonomy
from taciturn.knowledge.vectors.learn import Incidence, fit_map, learn_vectors, unit
from taciturn.knowledge.vectors.packed import SUPPORTS, VECTORS_KIND, support_class
from taciturn.knowledge.vectors.quantize import decode, encode, learn_codebooks, rotation

PINNED = {
    "glove100d_int8.npy.xz": "4c597ae425a55192cbf3f21083216c4a677f081997d8146ccfbfe44dc37a9c50",
    "glove100d_words.txt.xz": "6fb4854845e5272cfa4224f9e293d0ada1d8a149cb33f57e20646c88bbd300de",
}
SEED = 20
FEATURES, SIZE, PIECES = 4_000, 64, 32
FREQUENT = 60_000  # most frequent words that are kept beside those in keys of the pack and its taxonomies
DIRECTIONS = 3  # of the word vectors that all words share and that say nothing
OWN = 1.0  # contexts that the words of a key count for, against its own
PLAIN = 3e-3  # a word in this part of the contexts counts half in a phrase
ENTITIES = 80  # of each taxonomy, from which is fitted what similarity is worth
PER_BIN = 8  # keys of each, of every class of support and similarity
AMPLE = 40  # contexts of an entity from which similarity is fitted
SIMILARITY = np.linspace(-0.2, 1.0, 25)
BLOCK = 300  # neighbouring contexts that go into the same half, so that articles stay whole
INERTIA = 30.0  # pairs that the distribution of all pairs counts for in each class of similarity


@dataclass(frozen=True)
class Words:
    """Word vectors of unit length, most frequent words first."""

    words: list[str]
    vectors: NDArray[np.float32]


def read_words(folder: Path) -> Words:
    """The public word vectors, without the directions that all words share."""
    for name, digest in PINNED.items():
        found = sha256((folder / name).read_bytes()).hexdigest()
        if found != digest:
            raise click.ClickException(f"{name} has the digest {found}, not {digest}: it is another version")
    rows = np.load(io.BytesIO(lzma.decompress((folder / "glove100d_int8.npy.xz").read_bytes()))).astype(np.float32)
    words = lzma.decompress((folder / "glove100d_words.txt.xz").read_bytes()).decode().split("\n")[: len(rows)]
    rows = unit(rows)
    rows -= rows[:20_000].mean(axis=0)
    shared = np.linalg.svd(rows[:50_000] - rows[:50_000].mean(axis=0), full_matrices=False)[2][:DIRECTIONS]
    return Words(words, unit(rows - (rows @ shared.T) @ shared))


def incidence(counts: PackCounts) -> tuple[list[str], NDArray[np.int64], Incidence]:
    """The keys of a pack, the concept of each, and the contexts of each concept."""
    keys = list(counts.keys())
    concepts = counts.concepts(keys)
    first: dict[int, str] = {}
    for key, concept in zip(keys, concepts.tolist(), strict=True):
        first.setdefault(concept, key)
    parts = [
        np.array(counts.contexts(first[c]).to_array() if c in first else [], dtype=np.int32)
        for c in range(int(concepts.max()) + 1)
    ]
    return (
        keys,
        concepts,
        Incidence(np.concatenate(parts), np.cumsum([0, *map(len, parts)]), counts.total, counts.total),
    )


def plainness(chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of words in a phrase, by the part of the contexts that hold them."""
    return PLAIN / (PLAIN + chance)


def chance_of_rank(rank: NDArray[np.integer]) -> NDArray[np.float64]:
    """About how many of the contexts hold the word of a rank, by Zipf's law, if a context has 120 words."""
    return np.minimum(12 / (rank + 1.0), 1.0)


def of_words(keys: Sequence[str], words: Words) -> NDArray[np.float32]:
    """The mean of the word vectors of each key, zero if none is known."""
    number = {word: i for i, word in enumerate(words.words)}
    weights = plainness(chance_of_rank(np.arange(len(words.words))))
    found = np.zeros((len(keys), words.vectors.shape[1]), np.float32)
    for at, key in enumerate(keys):
        here = [n for word in key.lower().split() if (n := number.get(word)) is not None]
        if here:
            found[at] = weights[here] @ words.vectors[here]
    return unit(found)


def blended(own: NDArray[np.float32], sizes: NDArray[np.int64], mapped: NDArray[np.float32]) -> NDArray[np.float32]:
    """Vectors of keys drawn towards those of their words, the more the fewer contexts they have."""
    part = (sizes / (sizes + OWN)).astype(np.float32)[:, None]
    return unit(np.where(own.any(axis=1)[:, None], part * own + (1 - part) * mapped, mapped))


@dataclass(frozen=True)
class Space:
    """Vectors of concepts in one space: by their contexts and words, and by their words alone; the map of words."""

    whole: NDArray[np.float32]
    words_only: NDArray[np.float32]
    mapping: NDArray[np.float32]


def space_of(sets: Incidence, by_words: NDArray[np.float32]) -> Space:
    """Learn vectors of concepts from sets, and the map from word vectors to them."""
    own = learn_vectors(sets, FEATURES, SIZE)
    sizes = sets.sizes
    ample = np.flatnonzero((sizes >= AMPLE // 2) & own.any(axis=1) & by_words.any(axis=1))
    mapping = fit_map(by_words[ample], own[ample], np.log(sizes[ample]))
    mapped = unit(by_words @ mapping)
    return Space(blended(own, sizes, mapped), mapped, mapping)


def quantized(rows: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32]]:
    """Codes, codebooks, and the vectors that codes stand for."""
    turned = rows @ rotation(rows.shape[1], SEED)
    sample = np.random.default_rng(SEED).permutation(len(rows))[:40_000]
    books = learn_codebooks(turned[sample], PIECES, SEED)
    codes = encode(turned, books)
    return codes, books, unit(decode(codes, books))


@dataclass(frozen=True)
class HalfCounts:
    """Of pairs, within one half of the contexts: how many hold both, how many the key, and the entity's information."""

    together: NDArray[np.float64]
    of_key: NDArray[np.float64]
    full: NDArray[np.float64]

    def those(self, chosen: NDArray[np.bool_]) -> HalfCounts:
        """Those of some of the pairs."""
        return HalfCounts(self.together[chosen], self.of_key[chosen], self.full[chosen])

    def likelihoods(self) -> NDArray[np.float64]:
        return likelihoods(self.together, self.of_key, self.full)


@dataclass(frozen=True)
class Pairs:
    """Pairs of an entity and a key: the similarity of vectors of one half, the counts of that half and of the other.

    ``weight`` says how many pairs each stands for.
    """

    entity: NDArray[np.int64]
    key: NDArray[np.int64]
    support: NDArray[np.int64]
    similarity: NDArray[np.float64]
    weight: NDArray[np.float64]
    seen: HalfCounts
    unseen: HalfCounts

    def those(self, chosen: NDArray[np.bool_]) -> Pairs:
        """Some of the pairs."""
        parts = (self.entity, self.key, self.support, self.similarity, self.weight)
        return Pairs(*(part[chosen] for part in parts), self.seen.those(chosen), self.unseen.those(chosen))


def sample_pairs(entities: NDArray[np.int64], seen: Incidence, unseen: Incidence, space: Space) -> Pairs:
    """For each entity, keys of every similarity and support.

    Similarity is that of ``space``, learnt from the contexts seen. As keys with no contexts behind them serve all keys,
    with the vectors of their words.
    """
    rng = np.random.default_rng(SEED)
    sizes, others = seen.sizes, unseen.sizes
    usable = np.flatnonzero((sizes + others >= 3) & (others > 0) & (sizes + others < 0.05 * unseen.total))
    support = support_class(sizes)
    everything = np.arange(len(sizes))
    by_context = seen.transposed(everything), unseen.transposed(everything)
    found: list[list[NDArray[np.float64]]] = []
    for entity in entities.tolist():
        met = [half.met(entity, whole) for half, whole in zip((seen, unseen), by_context, strict=True)]
        for kind in range(len(SUPPORTS) + 1):
            vectors = space.words_only if kind == 0 else space.whole
            keys = usable if kind == 0 else usable[support[usable] == kind]
            keys = keys[(keys != entity) & vectors[keys].any(axis=1)]
            cosines = vectors[keys] @ space.whole[entity]
            at, weight = _some_of_each(np.searchsorted(SIMILARITY, cosines), rng)
            some = keys[at]
            same = [np.full(len(some), value) for value in (entity, kind)]
            found.append([same[0], some, same[1], cosines[at], weight, met[0][some], met[1][some]])
    entity_, key, kind_, cosine, weight, *together = (np.concatenate(column) for column in zip(*found, strict=True))
    counts = [
        HalfCounts(n.astype(np.float64), half.sizes[key].astype(np.float64), np.log2(half.held / half.sizes[entity_]))
        for n, half in zip(together, (seen, unseen), strict=True)
    ]
    return Pairs(entity_, key, kind_, cosine.astype(np.float64), weight, *counts)


def _some_of_each(bins: NDArray[np.int64], rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Places of at most ``PER_BIN`` numbers of each value, drawn at random, and how many each stands for."""
    order = rng.permutation(len(bins))
    order = order[np.argsort(bins[order], kind="stable")]
    ordered = bins[order]
    rank = np.arange(len(ordered)) - np.searchsorted(ordered, ordered)
    chosen = order[rank < PER_BIN]
    held = np.bincount(bins)[bins[chosen]]
    return chosen, held / np.minimum(held, PER_BIN)


def fit_priors(pairs: Pairs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each class of support and each similarity, the distribution of shares; and that of all pairs.

    A pair belongs to the two points of similarity that it lies between. Distributions rise with similarity: where
    chance has it otherwise, the lower of the two is taken up to the higher.
    """
    log = pairs.unseen.likelihoods()
    of_corpus = pairs.support > 0
    every = fit_prior(log[of_corpus], pairs.weight[of_corpus])
    step = SIMILARITY[1] - SIMILARITY[0]
    priors = np.zeros((len(SUPPORTS) + 1, len(SIMILARITY), len(SHARES)))
    for kind in range(len(priors)):
        before = every
        for at, similarity in enumerate(SIMILARITY):
            near = 1 - np.abs(np.clip(pairs.similarity, SIMILARITY[0], SIMILARITY[-1]) - similarity) / step
            here = (pairs.support == kind) & (near > 0)
            # Pairs of one class of similarity stand for about as many, so that inertia counts in pairs looked at.
            weight = pairs.weight[here] * near[here]
            weight *= near[here].sum() / max(weight.sum(), 1e-9)
            if here.any():
                before = fit_prior(log[here], weight, start=0.5 * before + 0.5 * every, inertia=INERTIA)
            priors[kind, at] = before
        below = np.minimum.accumulate(np.cumsum(priors[kind], axis=1), axis=0)
        priors[kind] = np.diff(below, axis=1, prepend=0.0)
        priors[kind] /= priors[kind].sum(axis=1, keepdims=True)
    return priors, every


def halves(pack: Pack, total: int) -> NDArray[np.bool_]:
    """Half of the contexts, neighbours in the corpus together: the pack numbers them in a seeded order."""
    place = shuffled(total, int(pack.manifest["parameters"]["seed"]))
    first = np.zeros(total, np.bool_)
    first[place[np.arange(total) // BLOCK % 2 == 0]] = True
    return first


def choose_entities(
    names: Sequence[str], sets: Incidence, taxonomies: Sequence[Taxonomy], able: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Some concepts that may be protected, as many of each taxonomy: neither rare nor common."""
    rng = np.random.default_rng(SEED)
    sizes = sets.sizes
    some = np.flatnonzero(able & (sizes >= AMPLE) & (sizes < 0.02 * sets.total))
    chosen: list[NDArray[np.int64]] = []
    for taxonomy in taxonomies:
        known = some[taxonomy.knows([names[i] for i in some.tolist()])]
        chosen.append(rng.choice(known, min(ENTITIES, len(known)), replace=False))
    return np.unique(np.concatenate(chosen))


def write_vectors(pack: Pack, words: Words, path: Path, progress: bool = True) -> str:
    """Learn and write the vectors of a pack; returns the digest of the file."""

    def tell(what: str) -> None:
        if progress:
            click.echo(what, err=True)

    counts = PackCounts(pack)
    keys, concepts, sets = incidence(counts)
    names = [""] * len(sets.sizes)
    for key, concept in zip(keys, concepts.tolist(), strict=True):
        names[concept] = names[concept] if names[concept] and len(names[concept]) <= len(key) else key
    by_words = of_words(names, words)
    tell(f"{len(keys):,} keys, {len(sets.contexts):,} occurrences")

    first = halves(pack, counts.total)
    seen, unseen = sets.within(first), sets.within(~first)
    part = space_of(seen, by_words)
    _, _, whole = quantized(part.whole)
    _, _, plain = quantized(part.words_only)
    taxonomies = [t for t in Knowledge.open(pack.path).taxonomies if isinstance(t, PackedTaxonomy)]
    entities = choose_entities(names, seen, taxonomies, unseen.sizes >= AMPLE // 2)
    pairs = sample_pairs(entities, seen, unseen, Space(whole, plain, part.mapping))
    priors, every = fit_priors(pairs)
    tell(f"what similarity is worth: fitted on {len(pairs.key):,} pairs")

    space = space_of(sets, by_words)
    table = dict(zip(keys, concepts.tolist(), strict=True))
    inside = {word for named in (keys, *(t.key_table for t in taxonomies)) for k in named for word in k.lower().split()}
    extra = [i for i, w in enumerate(words.words) if (i < FREQUENT or w in inside) and w not in table]
    table |= {words.words[i]: len(names) + at for at, i in enumerate(extra)}
    codes, books, near = quantized(np.concatenate([space.whole, unit(words.vectors[extra] @ space.mapping)]))
    loss = np.einsum("ij,ij->i", near[: len(names)], space.whole @ rotation(SIZE, SEED))
    tell(f"cosine of a vector with its code: {loss[space.whole.any(axis=1)].mean():.3f}")

    rank = {word: i for i, word in enumerate(words.words)}
    written = [names[c].lower() for c in range(len(names))] + [words.words[i] for i in extra]
    chance = chance_of_rank(np.array([rank.get(word, len(rank)) for word in written]))
    chance[: len(names)] = np.maximum(chance[: len(names)], sets.sizes / counts.total)
    ordered = sorted(table, key=str.encode)
    arrays = {
        **{f"keys.{part}": array for part, array in pack_strings(ordered).items()},
        "rows": np.array([table[key] for key in ordered], np.uint32),
        "codes": codes,
        "books": books,
        "support": np.concatenate([sets.sizes, np.zeros(len(extra), np.int64)]).astype(np.uint32),
        "plainness": np.maximum(plainness(chance) * 255, 1).astype(np.uint8),
        "prior.similarity": SIMILARITY.astype(np.float32),
        "prior.weights": priors.astype(np.float32),
        "prior.unknown": every.astype(np.float32),
    }
    meta = {"contexts": counts.total, "pack": pack.digest, "words": "GloVe, Public Domain Dedication and License 1.0"}
    return write_arrays(path, VECTORS_KIND, meta, arrays)


@click.command()
@click.option("--words", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--pack", type=click.Path(exists=True, file_okay=False, path_type=Path), default=embedded_pack())
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True)
def main(words: Path, pack: Path, out: Path) -> None:
    """Write ``vectors.bin`` for a pack into a folder."""
    out.mkdir(parents=True, exist_ok=True)
    digest = write_vectors(open_pack(pack), read_words(words), out / "vectors.bin")
    click.echo(f"{digest}  {(out / 'vectors.bin').stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
