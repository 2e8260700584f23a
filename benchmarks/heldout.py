"""Texts by subject that the knowledge has not counted, for an adversary who shares nothing with planning.

The embedded pack has counted all NIH answers. Some 1,000 of them, on one condition each, are taken out of its counts
again: a pack is built of these answers alone, and its counts are subtracted from the embedded ones. Names and relations
come from elsewhere; the vectors, learned from all answers, stay as they are. An answer consists of questions with their
answers. Of each, every other question trains the second adversary, and the others are the text that is released.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import Counts, Knowledge
from taciturn.knowledge.building import Parameters, Source, build_pack, embedded_taxonomies
from taciturn.knowledge.rivals import rivals_under
from taciturn.knowledge.taxonomies.flags import PROFESSIONAL
from taciturn.language import Key, key

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SUBJECTS = 1000
LONGEST = 9000  # characters of an answer that is held out
KIND = "disease"
_QUESTION = re.compile(r"(?m)^(?=[A-Z][^\n]{5,120}\?\s*$)|(?<=[.!)]) (?=(?:What|How|Is|Do|Who)\b[^.?\n]{5,100}\?\s)")
_NUMBERED = re.compile(r"\s*-?\s*\d+$")
_BETWEEN = re.compile(r"\s[-/&]\s|, ")


class Subject(NamedTuple):
    """A text and the condition that it is about."""

    truth: str
    text: str


@dataclass(frozen=True)
class Difference(Counts):
    """Counts without those of some contexts that they have counted."""

    whole: Counts
    part: Counts

    @property
    def total(self) -> int:
        return self.whole.total - self.part.total

    @property
    def digest(self) -> str:
        return f"{self.whole.digest}-{self.part.digest}"

    def count_many(self, groups: Sequence[Sequence[Key]]) -> NDArray[np.int64]:
        return np.maximum(self.whole.count_many(groups) - self.part.count_many(groups), 0)

    def table(self, entities: Sequence[Key], keys: Sequence[Key]) -> NDArray[np.int64]:
        return np.maximum(self.whole.table(entities, keys) - self.part.table(entities, keys), 0)


def _lines(path: Path) -> list[dict[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def notes(knowledge: Knowledge, number: int = 60) -> list[Subject]:
    """Clinical notes whose title names a condition that the counts know, each text once."""
    taxonomies = [t for t in knowledge.taxonomies if PROFESSIONAL in t.flags][:1]
    found: dict[str, Subject] = {}
    for row in _lines(DATA / "notes" / "clinical-notes.jsonl.xz"):
        for part in _BETWEEN.split(_NUMBERED.sub("", row["title"])):
            name = key(part)
            if name and any(t.senses(name) for t in taxonomies) and knowledge.counts.count(name) >= 5:
                found.setdefault(row["text"], Subject(part.strip(), row["text"]))
                break
    return list(found.values())[:number]


def held_out(knowledge: Knowledge) -> dict[str, str]:
    """The answers that are held out, by the key of their subject: those on subjects of the notes, and others."""
    wanted = {knowledge.entity(s.truth) for s in notes(knowledge)}
    rivals = set(rivals_under(KIND, knowledge).names)
    answers: dict[str, str] = {}
    for row in _lines(DATA / "corpus" / "medquad.jsonl.xz"):
        name = key(row["title"])
        if name in wanted or (name in rivals and 800 < len(row["text"]) < LONGEST and knowledge.counts.count(name) > 3):
            answers.setdefault(name, row["text"])
    few = sorted(answers, key=lambda n: (n not in wanted, n))[:SUBJECTS]
    return {name: answers[name] for name in sorted(few)}


def halves(text: str) -> tuple[str, str]:
    """The questions of an answer in two halves of which neither has the other's words, the larger one first.

    A text of one question is cut into every other sentence.
    """
    parts = [p.strip() for p in _QUESTION.split(text) if p.strip()]
    joint = "\n"
    if len(parts) < 2:
        parts, joint = re.split(r"(?<=[.!?])\s+", text), " "
    first, second = joint.join(parts[::2]), joint.join(parts[1::2])
    return (first, second) if len(first) >= len(second) else (second, first)


def without(answers: dict[str, str], knowledge: Knowledge, folder: Path) -> Knowledge:
    """The knowledge without the counts of some answers; their pack is built in ``folder`` if it is not there."""
    if not (folder / "pack" / "manifest.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "held.jsonl"
        rows = ({"title": name, "text": text} for name, text in answers.items())
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        every = Parameters(min_count=1, min_phrase=1, min_common=1)
        build_pack(
            [Source(source, "held out", "1", "CC BY 4.0")], folder / "pack",
            taxonomies=embedded_taxonomies(), parameters=every, workers=1,
        )  # fmt: skip
    counted = Knowledge.open(folder / "pack").counts
    return replace(knowledge, counts=Difference(knowledge.counts, counted))
