"""The words of medicine: how many names of concepts hold a word, and how often medical prose writes it.

    python -m training.people.clinical --shared ../shared --lexicon en.lexicon

A word that stands in many names of diseases, drugs, tests and devices, or that notes without names are full of, is no
person unless what stands around it says so. Counted: the written names of the lexicon (its sources stand in the
manifest), MedQuAD (CC BY 4.0), MTS-Dialog (CC BY 4.0) and four of five clinical notes (CC0; the fifth judges). Writes
src/taciturn/language/en/clinical.npz; what is stored are words and counts.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from taciturn.knowledge.lexicon import Lexicon
from training.people.names import HERE, SCALE

WORD = re.compile(r"[^\W\d_]{2,}")
LEAST = 2


def texts(shared: Path) -> Iterator[str]:
    """Medical prose in which hardly anybody is named."""
    with lzma.open(shared / "data" / "corpus" / "medquad.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]
    with lzma.open(shared / "data" / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % 5:
                yield json.loads(line)["text"]
    with tarfile.open(shared / "data" / "text" / "mts-dialog-aci-bench.tar.xz") as archive:
        for member in archive:
            if "mts" in member.name.lower() and member.name.endswith(".csv") and (file := archive.extractfile(member)):
                yield file.read().decode("utf-8", "replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=HERE.parent / "shared")
    parser.add_argument("--lexicon", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=HERE / "src" / "taciturn" / "language" / "en" / "clinical.npz")
    options = parser.parse_args()
    listed: Counter[str] = Counter()
    for name in Lexicon.open(options.lexicon).key_table:
        listed.update(set(WORD.findall(name.lower())))
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    for text in texts(options.shared):
        for word in WORD.findall(text):
            (small if word.islower() else capital)[word.lower()] += 1
    words = sorted(w for w in {*listed, *small, *capital} if listed[w] + small[w] + capital[w] >= LEAST)
    table = np.array([[listed[w], small[w], capital[w]] for w in words], float)
    stored = np.minimum(np.rint(SCALE * np.log2(1 + table)), 255).astype(np.uint8)
    np.savez_compressed(options.output, words=np.frombuffer("\n".join(words).encode("utf-8"), np.uint8), counts=stored)
    print(f"{len(words)} words, {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
