"""The table of personal names: how often each word is a given name or a surname, and how often it is neither.

    python -m training.people.names --shared ../shared --faker FOLDER

Two open sources are counted: the people of Wikipedia's openings (CC BY-SA; those that give a birth or the years of a
life, and whether the text says "he" or "she") and the name lists of faker's locales (MIT), whose files are parsed and
never run. The same openings tell how often a word of the table stands in small letters, which is how "Will" and "Grace"
differ from "Wilhelmina". Writes src/taciturn/language/en/people.npz; what is stored are words and counts.
"""

from __future__ import annotations

import argparse
import ast
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parents[2]
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
HE, SHE = re.compile(r"\b(?:he|his|him)\b", re.I), re.compile(r"\b(?:she|hers?)\b", re.I)
LIFE = re.compile(r"\([^()]{0,120}(?:\bborn\b|\b(?:1\d|20)\d\d\s?[-–—]\s?)")
PART = re.compile(r"[\s.-]+")
SCALE = 12  # steps of a stored count for each doubling
LEAST = 2  # a name that Wikipedia has once is stored if a list has it too
GIVEN, MALE, FEMALE, SURNAME, SMALL, CAPITAL = range(6)


def people(corpus: Path) -> Iterator[tuple[str, str, str]]:
    """The articles: the name of the person or "", the text, and the sex as the text has it ("m", "f" or nothing)."""
    for name in ("wikipedia-core", "wikipedia-leads"):
        with lzma.open(corpus / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                text, title = record["text"][:2000], re.sub(r"\s*[(,].*", "", record["title"])
                he, she = len(HE.findall(text)), len(SHE.findall(text))
                is_person = he + she > 0 and LIFE.search(text, 0, 300) and not any(map(str.isdigit, title))
                yield title if is_person else "", text, "m" if he > 2 * she else "f" if she > 2 * he else ""


def listed(faker: Path) -> Iterator[tuple[str, str, float]]:
    """The names in all of faker's files."""
    for file in sorted((faker / "providers" / "person").glob("*/__init__.py")):
        yield from listed_of(file)


def listed_of(file: Path) -> Iterator[tuple[str, str, float]]:
    """The names in one of faker's files: name, which list (first_names_male, last_names ...), weight in the list."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        target = node.targets[0].id
        if "name" not in target or "format" in target:
            continue
        value = node.value
        if isinstance(value, ast.Call) and value.args:
            value = value.args[0]
        entries: list[list[ast.expr]] = []
        if isinstance(value, ast.Dict):
            entries = [[k, v] for k, v in zip(value.keys, value.values, strict=True) if k is not None]
        elif isinstance(value, ast.Tuple | ast.List | ast.Set):
            entries = [list(e.elts) if isinstance(e, ast.Tuple) else [e] for e in value.elts]
        for parts in entries:
            values = [part.value for part in parts if isinstance(part, ast.Constant)]
            weight = max([1.0, *(1000 * v for v in values if isinstance(v, float))])
            yield from ((v, target, weight) for v in values if isinstance(v, str))


def count(corpus: Path, faker: Path) -> dict[str, np.ndarray]:
    """The counts of each name: given, male, female, surname, in small letters, with a capital."""
    names: dict[str, np.ndarray] = {}
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()

    def add(word: str, column: int, weight: float = 1.0) -> None:
        if len(word) > 1 and not any(map(str.isdigit, word)):
            names.setdefault(word.casefold(), np.zeros(6))[column] += weight

    for name, text, sex in people(corpus):
        words = [w.strip(",\"'") for w in PART.split(name) if w[:1].isupper()]
        if 1 < len(words) < 5:
            for word in words[:-1]:
                add(word, GIVEN)
                if sex:
                    add(word, MALE if sex == "m" else FEMALE)
            add(words[-1], SURNAME)
        for word in WORD.findall(text):
            (small if word.islower() else capital)[word.casefold()] += 1
    names = {word: row for word, row in names.items() if row[GIVEN] + row[SURNAME] >= LEAST}
    for name, target, weight in listed(faker):
        is_last = "last" in target or "sur" in target
        for word in PART.split(name):
            add(word, SURNAME if is_last else GIVEN, weight)
            if not is_last and ("female" in target or "_male" in target):
                add(word, FEMALE if "female" in target else MALE, weight)
    for word, row in names.items():
        row[SMALL], row[CAPITAL] = small[word], capital[word]
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=HERE.parent / "shared")
    parser.add_argument("--faker", type=Path, required=True, help="the folder of the unpacked package faker")
    parser.add_argument("--output", type=Path, default=HERE / "src" / "taciturn" / "language" / "en" / "people.npz")
    options = parser.parse_args()
    names = count(options.shared / "data" / "corpus", options.faker)
    words = sorted(names)
    table = np.array([names[word] for word in words])
    stored = np.minimum(np.rint(SCALE * np.log2(1 + table)), 255).astype(np.uint8)
    joined = np.frombuffer("\n".join(words).encode("utf-8"), np.uint8)
    np.savez_compressed(options.output, words=joined, counts=stored)
    print(f"{len(words)} names, {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
