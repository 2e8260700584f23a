"""Order the senses of WordNet's words by predominance in a corpus, and measure what that is worth.

    python -m training.taxonomies.senses --corpus ../shared/data/corpus -o training/taxonomies/senses.tsv

A line of the result is a key and the synsets it names, the likeliest first; keys whose order is WordNet's are left out.
The score of a sense is the mean discounted PMI of the key with the sense's best neighbours, plus half the binary
logarithm of how often WordNet's own corpus has the sense: both parts in bits. The weight of a half was chosen on GUM's
training part.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from math import log2
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge.taxonomies import PackedTaxonomy, build_taxonomy
from taciturn.knowledge.taxonomies.build import parents_first
from taciturn.knowledge.taxonomies.senses import neighbours
from taciturn.language import key
from training.taxonomies import wordnet

__all__ = ["read_orders"]

_WORD = re.compile(r"[A-Za-z][a-z'-]+")
_CHARACTERS = 60_000_000  # of each source
_CONTEXTS = 4000  # of a word, evenly over the corpus: enough for its figures
_BEST = 8
_PRIOR = 0.5


def read_orders(path: Path) -> dict[str, list[str]]:
    """Key -> synsets, the likeliest first."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return {k: offsets.split() for k, offsets in rows}


def _paragraphs(corpus: Path) -> Iterator[str]:
    """Every fourth article of the core and the leads from the first, up to the limit each."""
    for name, every in (("wikipedia-core", 4), ("wikipedia-leads", 1)):
        read = 0
        with lzma.open(corpus / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for n, line in enumerate(lines):
                if n % every == 0:
                    for paragraph in json.loads(line)["text"].split("\n"):
                        if len(paragraph) >= 80:
                            read += len(paragraph)
                            yield paragraph
                if read > _CHARACTERS:
                    break


class _Together:
    """Which single words of the taxonomy occur in which paragraph, both ways round."""

    def __init__(self, words: list[str], paragraphs: Iterator[str]) -> None:
        self.number = {w: i for i, w in enumerate(words)}
        memo: dict[str, int] = {}
        flat: list[int] = []
        starts = [0]
        for paragraph in paragraphs:
            here = set()
            for word in _WORD.findall(paragraph):
                if word not in memo:
                    memo[word] = self.number.get(key(word), -1)
                here.add(memo[word])
            flat.extend(sorted(here - {-1}))
            starts.append(len(flat))
        self._words, self._starts = np.array(flat, dtype=np.int32), np.array(starts)
        self.alone = np.bincount(self._words, minlength=len(words))
        where = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self._where = where[np.argsort(self._words, kind="stable")]
        self._begin = np.concatenate([[0], np.cumsum(self.alone)])

    def told(self, word: str) -> NDArray[np.float64]:
        """Discounted PMI of a word with every word, 0 at least."""
        i = self.number[word]
        where = self._where[self._begin[i] : self._begin[i + 1]]
        where = where[:: len(where) // _CONTEXTS + 1]
        sizes = self._starts[where + 1] - self._starts[where]
        offsets = np.repeat(self._starts[where] - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
        joint = np.bincount(self._words[offsets + np.arange(len(offsets))], minlength=len(self.alone)).astype(float)
        told = np.zeros(len(joint))
        (met,) = np.nonzero(joint)
        n = joint[met]
        told[met] = np.log2(n * (len(self._starts) - 1) / (len(where) * self.alone[met])) * n / (n + 1)
        return np.maximum(told, 0)


@click.command()
@click.option("--corpus", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--wordnet", "folder", type=click.Path(path_type=Path), default="/usr/share/wordnet")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
def main(corpus: Path, folder: Path, out: Path) -> None:
    """Write the orders that differ from WordNet's."""
    concepts = list(wordnet.concepts(folder))
    offsets = [c.id for c in parents_first(concepts)]
    taxonomy = PackedTaxonomy("wordnet", build_taxonomy(concepts, key))
    words = [k for k in taxonomy.key_table if " " not in k and k.islower() and len(k) > 1]
    tagged = wordnet.tag_counts(folder)
    together = _Together(words, _paragraphs(corpus))
    lines = []
    for word in words:
        numbers = taxonomy.sense_numbers(word)
        if len(numbers) < 2 or not together.alone[together.number[word]]:
            continue
        told = together.told(word)
        scores = []
        for rank, number in enumerate(numbers):
            near = neighbours(taxonomy, number)
            figures = sorted(
                (w * told[together.number[k]] for k, w in near.items() if k in together.number and k != word),
                reverse=True,
            )
            often = tagged.get((word, offsets[number]), 0)
            scores.append(sum(figures[:_BEST]) / _BEST + _PRIOR * log2(often + 0.5) - 0.1 * rank)
        order = sorted(range(len(numbers)), key=lambda i: (-round(scores[i], 6), i))
        if order != list(range(len(numbers))):
            lines.append(f"{word}\t{' '.join(offsets[numbers[i]] for i in order)}\n")
    out.write_text("".join(lines), encoding="utf-8")
    click.echo(f"{len(lines)} of {len(words)} words in another order than WordNet's", err=True)


if __name__ == "__main__":
    main()
