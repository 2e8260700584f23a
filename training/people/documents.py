"""Marked documents to learn identifiers from, and variants of them with other names, dates and numbers.

A variant keeps what is written around the identifiers and changes the identifiers themselves, so that a network learns
the surroundings and not the words: every name becomes another one of its role (the same name the same one throughout),
digits and months others of their form. Some variants are in small letters or in capitals, and in some a part of the
names is a mark already, as in a document that is being released.
"""

from __future__ import annotations

import json
import lzma
import random
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from taciturn.language.lexicon import LEXICON
from taciturn.language.people import GIVEN, SMALL, SURNAME, name_table
from taciturn.models.kinds.identify.classes import CLASSES

UNKNOWN = -1
WORD = re.compile(r"[^\W\d_]+")
_MONTHS = "January February March April May June July August September October November December".split()
_SYNTHETIC = {"PERSON": "PERSON", "STREET_ADDRESS": "STREET", "GPE": "CITY", "ORGANIZATION": "ORGANIZATION",
              "CREDIT_CARD": "ID", "DATE_TIME": "DATE", "PHONE_NUMBER": "PHONE", "ZIP_CODE": "ZIP", "NRP":
              "NATIONALITY_OR_ETHNICITY", "EMAIL_ADDRESS": "EMAIL", "DOMAIN_NAME": "URL", "IBAN_CODE": "ID",
              "US_SSN": "ID", "IP_ADDRESS": "IP", "US_DRIVER_LICENSE": "ID"}  # fmt: skip
_COURT = {"PERSON": "PERSON", "CODE": "ID", "DATETIME": "DATE", "ORG": "ORGANIZATION"}


@dataclass(frozen=True)
class Marked:
    """A text with the spans of its identifiers: start, end, class (an index of CLASSES, or UNKNOWN: do not learn)."""

    id: str
    kind: str
    text: str
    spans: tuple[tuple[int, int, int], ...]


def documents(shared: Path) -> list[Marked]:
    """The documents in which every identifier is marked."""
    found = []
    with lzma.open(shared / "data" / "deid" / "docs-dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            spans = sorted((e["start"], e["end"], CLASSES.index(e["type"])) for e in record["entities"])
            found.append(Marked(record["id"], record["kind"], record["text"], tuple(spans)))
    return found


def synthetic(shared: Path) -> list[Marked]:
    """Short synthetic texts (presidio-research, MIT); what they mark and we do not know is not learned from."""
    with lzma.open(shared / "data" / "deid" / "presidio-synth-v2.json.xz", "rt", encoding="utf-8") as file:
        records = json.load(file)
    found = []
    for number, record in enumerate(records):
        spans = sorted(
            (s["start_position"], s["end_position"], CLASSES.index(_SYNTHETIC[s["entity_type"]]))
            if s["entity_type"] in _SYNTHETIC
            else (s["start_position"], s["end_position"], UNKNOWN)
            for s in record["spans"]
        )
        found.append(Marked(f"s{number}", "synthetic", record["full_text"], tuple(spans)))
    return found


def court(shared: Path, limit: int) -> list[Marked]:
    """Court cases with the mentions that annotators saw (MIT); kinds that are not ours are not learned from."""
    found = []
    with lzma.open(shared / "data" / "tab" / "echr-dev.jsonl.xz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            record = json.loads(line)
            text = record["text"][:limit]
            spans: list[tuple[int, int, int]] = []
            for m in sorted(record["mentions"], key=lambda m: (m["start_offset"], -m["end_offset"])):
                start, end, kind = m["start_offset"], m["end_offset"], m["entity_type"]
                if end > len(text) or (spans and start < spans[-1][1]):
                    continue
                label = CLASSES.index(_COURT[kind]) if kind in _COURT else UNKNOWN
                if kind == "PERSON":
                    title = re.match(r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Sir|Judge)\.?\s)+", text[start:end])
                    start += title.end() if title else 0
                    label = label if text[start].isupper() else UNKNOWN
                if kind == "ORG" and m.get("identifier_type") == "NO_MASK":
                    label = UNKNOWN
                spans.append((start, end, label))
            found.append(Marked(f"t{number}", "court case", text, tuple(spans)))
    return found


@lru_cache(maxsize=1)
def name_pools() -> dict[str, list[list[str]]]:
    table = name_table()
    words = np.array(list(table.rows), dtype=object)
    counts = table.counts.astype(float)
    # "The" and "In" are names somewhere; a network that learns them as such takes every article for a name.
    closed = {word for name, each in LEXICON.lists("closed").items() if name != "modal" for word in each}
    latin = np.array([w.isalpha() and ord(max(w)) < 0x250 and len(w) > 1 and w not in closed for w in words])
    pools = {}
    for name, column, other in (("given", GIVEN, SURNAME), ("surname", SURNAME, GIVEN)):
        mine = latin & (counts[:, column] >= counts[:, other])
        order = np.argsort(-counts[:, column] * mine)
        frequent = [words[i] for i in order[:1500]]
        rare = [words[i] for i in np.flatnonzero(mine & (counts[:, SMALL] < 40))]
        common = [words[i] for i in order[:6000] if counts[i, SMALL] > 90]
        other = np.array([word.isalpha() and ord(max(word)) >= 0x370 for word in words])
        foreign = [words[i] for i in np.flatnonzero(other & (counts[:, column] > 0))]
        pools[name] = [frequent, rare, common, foreign]
    return pools


def _other_name(word: str, chooser: random.Random) -> str:
    figures = name_table().figures([word])[0]
    role = "given" if figures[GIVEN] > figures[SURNAME] else "surname"
    pool = chooser.choices(name_pools()[role], (0.39, 0.34, 0.24, 0.03))[0]
    return chooser.choice(pool)


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.lower() if like.islower() else word.capitalize()


class _Swap:
    """The replacements of one variant."""

    def __init__(self, chooser: random.Random) -> None:
        self.chooser = chooser
        self.names: dict[str, str] = {}

    def name(self, match: re.Match[str]) -> str:
        word = match.group()
        if ord(max(word)) >= 0x370 and ord(max(word)) not in range(0x1E00, 0x1F00):
            return word
        lower = word.lower()
        if len(word) == 1:
            found = [new for old, new in self.names.items() if old.startswith(lower)]
            return _cased(found[0][0], word) if found else word
        if len(word) < 4 and (word.isupper() or word.islower()) and not name_table().figures([word])[0].any():
            return word
        if lower in ("de", "la", "van", "der", "von", "den", "bin", "al", "el", "da", "di", "du", "jr", "sr", "graf"):
            return word
        new = self.names.get(lower)
        if new is None:
            new = self.names[lower] = lower if self.chooser.random() < 0.1 else _other_name(lower, self.chooser)
        return _cased(new, word)

    def digits(self, match: re.Match[str]) -> str:
        return "".join(
            str(self.chooser.randrange(10)) if c.isdigit() else self.chooser.choice("ABCDEFGHKLMNPRSTWXZ")
            if c.isupper() else c for c in match.group()
        )  # fmt: skip

    def date(self, match: re.Match[str]) -> str:
        word = match.group()
        if word.isdigit():
            if len(word) == 4:
                return str(self.chooser.randrange(1930, 2026))
            if len(word) > 4:
                return word
            value = self.chooser.randrange(1, 13) if int(word) < 13 else self.chooser.randrange(13, 29)
            return str(value).zfill(2) if word[0] == "0" or (len(word) == 2 and value > 9) else str(value)
        for month in _MONTHS:
            if word.lower() in (month.lower(), month[:3].lower()):
                return _cased(self.chooser.choice(_MONTHS)[: len(word) if len(word) == 3 else None], word)
        return word


def variant(document: Marked, chooser: random.Random) -> Marked:
    """The document with other identifiers."""
    swap = _Swap(chooser)
    marked = chooser.random() < 0.25
    text, spans, at = "", [], 0
    for start, end, label in document.spans:
        text += document.text[at:start]
        old = document.text[start:end]
        match CLASSES[label] if label >= 0 else "O":
            case "PERSON":
                new = WORD.sub(swap.name, old)
                if marked and chooser.random() < 0.5:
                    new, label = f"[PERSON {chooser.randrange(1, 30)}]", 0
            case "ID" | "PHONE" | "ZIP" | "VEHICLE":
                new = re.sub(r"\w+", swap.digits, old)
                if marked and chooser.random() < 0.5:
                    new, label = f"[CODE {chooser.randrange(1, 30)}]", 0
            case "DATE":
                new = re.sub(r"\d+|[^\W\d_]+", swap.date, old)
                if marked and chooser.random() < 0.5:
                    new, label = f"[TIME {chooser.randrange(1, 30)}]", 0
            case "AGE_OVER_89":
                new = str(chooser.randrange(90, 106)) if old.isdigit() else old
            case _:
                new = old
        spans.append((len(text), len(text) + len(new), label))
        text += new
        at = end
    text += document.text[at:]
    case = chooser.random()
    recased = text.lower() if case < 0.05 else text.upper() if case < 0.09 else text
    return Marked(document.id, document.kind, recased if len(recased) == len(text) else text, tuple(spans))
