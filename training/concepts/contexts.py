"""What stands in one paragraph with what, over the whole corpus: how often, and of which condition the paragraph is.

A paragraph is about the conditions that it names and, as much as about all of them, about the one that heads its
article; a sign counts half. Its one unit of meaning is shared among these. P(c | e), the chance that a paragraph with
the expression e is about the condition c, is c's part in all paragraphs with e, as if two more had been seen that are
about nothing known (one shared context is no proof), less the part that c has in medical paragraphs anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.relations import RelationRow
from training.concepts.join import Joined
from training.concepts.link import Mentions

__all__ = ["Article", "Contexts", "read_contexts"]

Ints = NDArray[np.int64]

_MATTERS = {"condition": 1.0, "sign": 0.5}
_TITLE = 2.0
_UNSEEN = 2.0  # paragraphs about nothing known that are added to those with an expression
_LIFT = 3.0  # times that a matter must be more usual with an expression than without
_BATCH = 2000
_CHUNK = 50_000  # paragraphs whose pairs are counted at a time


class Article(NamedTuple):
    """A text, the concept that it is headed by if there is one, and the bits of its source."""

    concept: int | None
    text: str
    source: int


@dataclass(frozen=True, slots=True)
class Contexts:
    """Concepts by paragraph, sorted: who is mentioned or heads the article, and with which weight as what it is about.

    ``first`` is where each paragraph begins in ``concepts`` and ``weights``; the weights of a paragraph sum to one, or
    to zero if it names no condition. ``sources`` are the bits of each paragraph's source.
    """

    first: Ints
    concepts: Ints
    weights: NDArray[np.float64]
    sources: Ints
    count: int

    def uses(self) -> Ints:
        """For each concept, the paragraphs that mention it."""
        return np.bincount(self.concepts, minlength=self.count)

    def rows(
        self, predicate: str, least: float = 0.02, fewest: float = 0.5, everywhere: bool = False
    ) -> Iterator[RelationRow]:
        """The relations of expressions to what their paragraphs are about, each with P(matter | expression) as its
        weight: those of at least a share that rest on paragraphs that sum up to at least ``fewest``. A matter's usual
        part is that in paragraphs about something, or ``everywhere``."""
        uses = self.uses()
        about = np.bincount(self.concepts, self.weights, self.count)
        told = np.add.reduceat(self.weights, self.first[:-1]) > 0 if len(self.sources) else np.zeros(0)
        paragraphs = len(self.sources) if everywhere else int(told.sum())
        codes, sums, sources = self._pairs()
        expressions, conditions = codes // self.count, codes % self.count
        share = sums / (uses[expressions] + _UNSEEN)
        usual = about[conditions] / max(paragraphs, 1)
        kept = (share - usual >= least) & (sums >= fewest) & (share >= _LIFT * usual)
        columns = (expressions, conditions, sources, share - usual)
        for e, c, bits, p in zip(*(column[kept].tolist() for column in columns), strict=True):
            yield RelationRow(e, predicate, c, bits, p)

    def _pairs(self) -> tuple[Ints, NDArray[np.float64], Ints]:
        """Codes (expression * count + condition) of concepts in one paragraph, the condition's weights summed, and the
        sources' bits."""
        parts = [self._some_pairs(n, min(n + _CHUNK, len(self.sources))) for n in range(0, len(self.sources), _CHUNK)]
        return _joined(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _some_pairs(self, start: int, stop: int) -> tuple[Ints, NDArray[np.float64], Ints]:
        """The pairs of the paragraphs from ``start`` to ``stop``: each concept with each condition of its paragraph."""
        a, b = self.first[start], self.first[stop]
        here, weights = self.concepts[a:b], self.weights[a:b]
        paragraph = np.repeat(np.arange(stop - start), np.diff(self.first[start : stop + 1]))
        told = np.flatnonzero(weights)
        many = np.bincount(paragraph[told], minlength=stop - start)
        begin = np.concatenate([[0], np.cumsum(many)])
        times = many[paragraph]
        left = np.repeat(np.arange(len(here)), times)
        nth = np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)
        right = told[begin[paragraph[left]] + nth]
        other = here[left] != here[right]
        left, right = left[other], right[other]
        codes = here[left] * self.count + here[right]
        return _joined(codes, weights[right], self.sources[start:stop][paragraph[left]])


def _joined(codes: Ints, sums: NDArray[np.float64], bits: Ints) -> tuple[Ints, NDArray[np.float64], Ints]:
    """Equal codes once: their sums added, their bits joined."""
    distinct, place = np.unique(codes, return_inverse=True)
    together: Ints = np.zeros(len(distinct), np.int64)
    np.bitwise_or.at(together, place, bits)
    return distinct, np.bincount(place, sums, len(distinct)).astype(np.float64), together


def read_contexts(articles: Iterable[Article], concepts: Sequence[Joined], mentions: Mentions) -> Contexts:
    """The contexts of articles."""
    weight_of = np.array([_MATTERS.get(c.kind, 0.0) for c in concepts])
    lengths: list[int] = []
    sources: list[int] = []
    found: list[Ints] = []
    weights: list[NDArray[np.float64]] = []
    for heads, texts in _batches(articles):
        for (title, source), places in zip(heads, mentions.find(texts), strict=True):
            here = {n for _, meant in places for n in meant}
            if title is not None:
                here.add(title)
            if not here:
                continue
            numbers = np.array(sorted(here), np.int64)
            weight = weight_of[numbers]
            if title is not None and weight_of[title]:
                weight[numbers == title] = max(weight.sum(), _TITLE)
            lengths.append(len(numbers))
            sources.append(source)
            found.append(numbers)
            weights.append(weight / total if (total := weight.sum()) else weight)
    first = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Contexts(first, np.concatenate(found), np.concatenate(weights), np.array(sources), len(concepts))


def _batches(articles: Iterable[Article]) -> Iterator[tuple[list[tuple[int | None, int]], list[str]]]:
    heads: list[tuple[int | None, int]] = []
    texts: list[str] = []
    for article in articles:
        for paragraph in article.text.split("\n"):
            if paragraph.strip():
                heads.append((article.concept, article.source))
                texts.append(paragraph)
        if len(texts) >= _BATCH:
            yield heads, texts
            heads, texts = [], []
    if texts:
        yield heads, texts
