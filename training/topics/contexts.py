"""How often an expression stands in a paragraph that names a matter.

Every paragraph of the corpus is a context. A matter is named where any of its names or of those below it stands. The
words of a name itself are not counted as expressions there, or "Party" would be a sign of every party.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.topics.stream import Stream, find_phrases

__all__ = ["Contexts", "count_contexts", "expressions_of", "named_paragraphs"]

Ints = NDArray[np.int64]
FEWEST = 5  # paragraphs that an expression must stand in
WIDEST = 0.03  # share of the paragraphs beyond which a word is about everything
LONGEST = 6  # words in a phrase


@dataclass(frozen=True)
class Contexts:
    """``texts`` of the expressions, the number of paragraphs of each, and the expressions of each paragraph.

    Those of paragraph p are ``expressions[starts[p]:starts[p + 1]]``.
    """

    texts: list[str]
    totals: Ints
    starts: Ints
    expressions: NDArray[np.int32]

    def with_matter(self, paragraphs: Ints) -> Ints:
        """For each expression, in how many of these paragraphs it stands."""
        firsts, lasts = self.starts[paragraphs], self.starts[paragraphs + 1]
        sizes = lasts - firsts
        places = np.repeat(firsts - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
        return np.bincount(self.expressions[places], minlength=len(self.texts)).astype(np.int64)


def named_paragraphs(
    stream: Stream, names: Mapping[str, Sequence[str]], others: Sequence[str] = ()
) -> tuple[dict[str, Ints], NDArray[np.bool_]]:
    """For each matter the paragraphs with one of its names, and which tokens of the stream are part of any name.

    ``others`` are longer phrases that mean something else: "rugby union" names no trade union.
    """
    blocked = np.zeros(len(stream.ids), np.bool_)
    encoded = [ids for ids in map(stream.encode, others) if 1 < len(ids) <= LONGEST]
    for at, numbers in find_phrases(stream, encoded):
        for i in range(len(encoded[int(numbers[0])]) if len(numbers) else 0):
            blocked[at + i] = True
    phrases: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for matter, texts in sorted(names.items()):
        for ids in {tuple(stream.encode(text)) for text in texts}:
            if len(ids) <= LONGEST:
                phrases[ids].append(matter)
    keys = sorted(phrases)
    covered = np.zeros(len(stream.ids), np.bool_)
    places: list[Ints] = [np.zeros(0, np.int64)]
    owners: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    for at, numbers in find_phrases(stream, keys):
        length = len(keys[int(numbers[0])]) if len(numbers) else 0
        if length == 1:
            at, numbers = at[~blocked[at]], numbers[~blocked[at]]
        for i in range(length):
            covered[at + i] = True
        places.append(at)
        owners.append(numbers)
    place, owner = np.concatenate(places), np.concatenate(owners)
    paragraph = stream.paragraphs[place].astype(np.int64)
    order = np.argsort(owner, kind="stable")
    paragraph, owner = paragraph[order], owner[order]
    found: dict[str, list[Ints]] = defaultdict(list)
    bounds = np.searchsorted(owner, np.arange(len(keys) + 1))
    for number, key in enumerate(keys):
        for matter in phrases[key]:
            found[matter].append(paragraph[bounds[number] : bounds[number + 1]])
    return {matter: np.unique(np.concatenate(parts)) for matter, parts in found.items()}, covered


def count_contexts(stream: Stream, covered: NDArray[np.bool_], phrases: Sequence[str]) -> Contexts:
    """The expressions of the corpus outside names: words, pairs of words, and the given longer phrases."""
    count = int(stream.paragraphs[-1]) + 1
    usable = stream.is_word[stream.ids] & ~covered & (stream.ids >= 0)
    places = np.flatnonzero(usable)
    words = np.unique(stream.paragraphs[places].astype(np.int64) << 32 | stream.ids[places])
    frequency = np.bincount(words & 0xFFFFFFFF, minlength=len(stream.words))
    common = frequency > WIDEST * count
    texts, pairs = [], []
    kept = (frequency >= FEWEST) & ~common
    number = np.full(len(stream.words), -1, np.int64)
    number[kept] = np.arange(int(kept.sum()))
    texts += [stream.words[i] for i in np.flatnonzero(kept).tolist()]
    words = words[kept[words & 0xFFFFFFFF]]
    pairs.append((words >> 32, number[words & 0xFFFFFFFF]))
    for more, found in (_bigrams(stream, usable, common), _longer(stream, covered, phrases)):
        pairs.append((found[0], found[1] + len(texts)))
        texts += more
    paragraphs = np.concatenate([p for p, _ in pairs])
    numbers = np.concatenate([n for _, n in pairs]).astype(np.int32)
    order = np.argsort(paragraphs, kind="stable")
    paragraphs, numbers = paragraphs[order], numbers[order]
    starts = np.searchsorted(paragraphs, np.arange(count + 1)).astype(np.int64)
    return Contexts(texts, np.bincount(numbers, minlength=len(texts)).astype(np.int64), starts, numbers)


def _bigrams(
    stream: Stream, usable: NDArray[np.bool_], common: NDArray[np.bool_]
) -> tuple[list[str], tuple[Ints, Ints]]:
    """Pairs of neighbouring words of which neither is common, seen in enough paragraphs."""
    ids = stream.ids.astype(np.int64)
    content = usable & ~common[stream.ids]
    both = np.flatnonzero(content[:-1] & content[1:] & (stream.paragraphs[:-1] == stream.paragraphs[1:]))
    keys = ids[both] << 32 | ids[both + 1]
    known, number, counts = np.unique(keys, return_inverse=True, return_counts=True)
    kept = counts >= FEWEST
    place = np.full(len(known), -1, np.int64)
    place[kept] = np.arange(int(kept.sum()))
    number = place[number]
    pairs = np.unique(stream.paragraphs[both][number >= 0].astype(np.int64) << 32 | number[number >= 0])
    texts = [f"{stream.words[k >> 32]} {stream.words[k & 0xFFFFFFFF]}" for k in known[kept].tolist()]
    return texts, (pairs >> 32, pairs & 0xFFFFFFFF)


def _longer(stream: Stream, covered: NDArray[np.bool_], phrases: Sequence[str]) -> tuple[list[str], tuple[Ints, Ints]]:
    """The given phrases of three words and more, or with a common word, that no name covers."""
    encoded = {text: tuple(stream.encode(text)) for text in phrases}
    wanted = [(t, ids) for t, ids in encoded.items() if 2 < len(ids) <= LONGEST and -1 not in ids]
    parts = []
    for at, numbers in find_phrases(stream, [ids for _, ids in wanted]):
        free = ~covered[at]
        parts.append(np.unique(stream.paragraphs[at[free]].astype(np.int64) << 32 | numbers[free]))
    pairs = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
    return [t for t, _ in wanted], (pairs >> 32, pairs & 0xFFFFFFFF)


def expressions_of(stream: Stream, tokens: Sequence[tuple[int, int, int]]) -> Iterator[tuple[str, int, int]]:
    """The n-grams of a text read by :meth:`Stream.read`, as the corpus writes them, with the tokens that they span."""
    for first in range(len(tokens)):
        words: list[str] = []
        for last in range(first, min(first + LONGEST, len(tokens))):
            if tokens[last][0] < 0:
                break
            words.append(stream.words[tokens[last][0]])
            yield " ".join(words), first, last
