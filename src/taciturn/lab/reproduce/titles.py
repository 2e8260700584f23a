"""Lists of titles like the paper's: read from a file, or made with a fixed seed where none is at hand."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

__all__ = ["PAPER_SIZE", "SEED", "read_titles", "synthetic_titles"]

PAPER_SIZE = 1_617_400  # the Japanese Wikipedia's page titles of January 2016
SEED = 2016


def read_titles(path: Path, size: int = PAPER_SIZE, seed: int = SEED) -> list[str]:
    """At most ``size`` distinct lines of a UTF-8 file, drawn with a seed that makes every run the same."""
    lines = sorted({line for line in path.read_text(encoding="utf-8").split("\n") if line})
    return random.Random(seed).sample(lines, size) if len(lines) > size else lines


def synthetic_titles(size: int = PAPER_SIZE, seed: int = SEED) -> list[str]:
    """Distinct made-up titles of one to four parts, with lengths and repeated parts much like real titles.

    Parts are drawn from 60,000 made-up words whose frequencies fall as 1/rank; characters likewise from 3,000, so a
    few are common at every position and most are rare.

    >>> synthetic_titles(3) == synthetic_titles(3), len(set(synthetic_titles(1000)))
    (True, 1000)
    """
    generator = np.random.default_rng(seed)
    letters = np.array([chr(0x3041 + i) for i in range(180)] + [chr(0x4E00 + i) for i in range(2820)])
    weights = 1 / np.arange(5, 5 + letters.size)
    weights /= weights.sum()
    sizes = generator.choice([1, 2, 3, 4, 5, 6], 60_000, p=[0.05, 0.4, 0.25, 0.15, 0.1, 0.05])
    drawn = "".join(letters[generator.choice(letters.size, int(sizes.sum()), p=weights)])
    ends = np.cumsum(sizes)
    words = [drawn[e - s : e] for s, e in zip(sizes.tolist(), ends.tolist(), strict=True)]
    ranks = 1 / np.arange(20, 20 + len(words))
    ranks /= ranks.sum()
    found: dict[str, None] = {}
    while len(found) < size:
        parts = generator.choice(len(words), (size // 2 + 10, 6), p=ranks)
        numbers = generator.choice([1, 2, 3, 4, 5, 6], parts.shape[0], p=[0.05, 0.35, 0.3, 0.15, 0.1, 0.05])
        for row, number in zip(parts.tolist(), numbers.tolist(), strict=True):
            found["".join([words[i] for i in row[:number]])] = None
    return list(found)[:size]
