"""Masks of strings: ours beside the paper's method, on Wikipedia titles and place names.

The lists are inputs of this benchmark only, never committed and never imported: pass text files with one string a
line, for instance `wiki_all.txt` from the source package of autophrase 1.7 (3,042,928 Japanese titles) and the
`*_per_country/*.txt` of text-scrubber (place names). Without files a list of the same size is made with a fixed seed.

    python -m benchmarks.masks [TITLES.txt [OTHER.txt ...]]
"""

from __future__ import annotations

import gc
import random
import resource
import statistics
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document
from taciturn.lab.reproduce.titles import PAPER_SIZE, read_titles, synthetic_titles
from taciturn.models.kanonymous.text import characters
from taciturn.solvers.list_matches import Bounds, longest_matches
from taciturn.solvers.masks import MaskIndex
from taciturn.solvers.paper_masks import pair_sets, paper_dictionary

Row = dict[str, Any]
SEED = 2016
WORDS = 100


def _times(work: Callable[[Any], object], over: Sequence[Any]) -> list[float]:
    """Milliseconds of CPU time, one figure a word, after one round that fills caches and maps pages."""
    for item in over[:3]:
        work(item)
    found = []
    for item in over:
        start = process_time()
        work(item)
        found.append(1000 * (process_time() - start))
    return found


def _row(name: str, what: str, times: Sequence[float], **more: Any) -> Row:
    return {
        "list": name,
        "what": what,
        "mean ms": round(statistics.fmean(times), 3),
        "max ms": round(max(times), 3),
        **more,
    }


def _sample(index: MaskIndex, shortest: int, longest: int, number: int = WORDS) -> list[str]:
    pool = sorted(w for length in index.lengths if shortest <= length <= longest for w in index.strings(length))
    return random.Random(SEED).sample(pool, min(number, len(pool)))


def measure(name: str, strings: list[str]) -> list[Row]:
    """All figures for one list."""
    start = process_time()
    index = MaskIndex(strings)
    built = process_time() - start
    del strings
    gc.collect()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    rows: list[Row] = [
        {"list": name, "what": f"build, {len(index):,} strings", "mean ms": round(1000 * built), "peak GB": memory}
    ]
    words = _sample(index, 3, 15)
    rows.append(_row(name, "dictionary, length 3-15", _times(index.dictionary, words)))
    rows.append(_row(name, "dictionary, each Mask made", _times(lambda w: deque(index.dictionary(w), maxlen=0), words)))
    sets = [pair_sets(index, w) for w in words]
    rows.append(_row(name, "paper's method, length 3-15", _times(paper_dictionary, sets)))
    for k in (2, 5, 100):
        rows.append(_row(name, f"mask, k={k}, length 3-15", _times(lambda w, k=k: index.mask(w, k), words)))
    for length in range(14, 19):
        long = _sample(index, length, length, 10)
        if long:
            ours = _times(index.dictionary, long)
            theirs = _times(paper_dictionary, [pair_sets(index, w) for w in long])
            ratio = statistics.fmean(theirs) / statistics.fmean(ours)
            rows.append(_row(name, f"dictionary, length {length}", ours))
            rows.append(_row(name, f"paper's method, length {length}", theirs, ratio=round(ratio)))
    rows.append(find_in_text(name, index))
    for shortest, longest in ((16, 20), (21, 29), (30, 60), (61, 200)):
        words = _sample(index, shortest, longest)
        if words:
            for k in (2, 5, 20):
                proven = sum(index.mask(w, k).optimal for w in words)
                times = _times(lambda w, k=k: index.mask(w, k), words)
                what = f"mask, k={k}, length {shortest}-{longest}"
                rows.append(_row(name, what, times, proven=f"{proven}/{len(words)}"))
    return rows


def find_in_text(name: str, index: MaskIndex) -> Row:
    """Megabytes of UTF-8 a second in which entries are found, in a text of every tenth entry between other words."""
    entries = sorted(w for length in index.lengths if length <= 20 for w in index.strings(length)[::10])
    random.Random(SEED).shuffle(entries)
    text = " and then, of ".join(entries[:100_000])
    document = Document.of(text)
    longest_matches(index, *_read(Document.of(text[:1000])))
    start = process_time()
    found = longest_matches(index, *_read(document))
    seconds = process_time() - start
    speed = round(len(text.encode()) / 1e6 / seconds, 1)
    return {"list": name, "what": f"find entries in text, {len(found):,} found", "MB/s": speed}


def _read(document: Document) -> tuple[NDArray[np.uint32], Bounds]:
    read = characters(document)
    return read.points, read.bounds


def main(paths: Sequence[str] = ()) -> list[Row]:
    rows: list[Row] = []
    lists = [(Path(p).stem, read_titles(Path(p), PAPER_SIZE)) for p in paths]
    for name, strings in lists or [("synthetic", synthetic_titles(PAPER_SIZE))]:
        rows += measure(name, strings)
    for row in rows:
        print("  ".join(f"{key} {value}" for key, value in row.items()))
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
