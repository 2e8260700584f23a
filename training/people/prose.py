"""Prose to learn names from: clinical notes with names put in, and GUM's mentions of people.

A clinical note without its names is full of words with a capital that name nobody: drugs, devices, eponyms, the first
words of headings. :func:`notes_with_people` puts people back, from the lists of names: where the notes have a
placeholder after a title, in the place of "the patient", behind a relative, at the head and at the foot. What else may
name somebody, and every number, is not learned from. :func:`treebank` has names in interviews, fiction, letters.
"""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Iterator
from pathlib import Path

from taciturn.language.lexicon import LEXICON
from taciturn.language.people import GIVEN, SMALL, name_table
from training.people.documents import CLASSES, UNKNOWN, Marked, name_pools
from training.treebank import entity_types, gold_tools

PERSON = CLASSES.index("PERSON")
TITLES = frozenset(
    word.lower().rstrip(".") for word in LEXICON.words("names.title-male", "names.title-female", "names.title")
)
_TITLED = re.compile(
    r"\b(?:Drs?|Mr|Mrs|Ms|Miss|Doctor|Nurse|Professor)\b\.?\s+(?P<name>[A-Z][\w'-]*(?:\s[A-Z][a-z]+)?)"
)
_PATIENT = re.compile(r"\b(?P<the>[Tt]he) patient\b(?!'s?\s+(?:family|name))|(?<=[.,]\s)(?P<pronoun>He|She)(?= [a-z])")
_KIN = re.compile(
    r"\b(?:[Hh]is|[Hh]er|[Tt]he) (?:wife|husband|mother|father|son|daughter|sister|brother|aunt|mom|dad)\b(?=[ ,.])"
)
_DOUBTFUL = re.compile(
    r"\S*\d\S*|\b(?:ABC|XYZ|XXX)\w*|\b(?:Hospital|Clinic|Center|Medical|University|Street|County|[A-Z][a-z]+ton|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|American|Caucasian|African|"
    r"Hispanic)\b|\b[A-Z]\.\s?[A-Z]\S*"
)
_NAME = re.compile(r"\b[A-Z][a-z]{2,}\b(?=\s(?:was|is|has|had|will|and|who|says|reports|denies|came)\b|'s\b|,)")
_KNOWN = 0.35  # of the scale of counts: a given name that the corpus has often


def _drawn(role: str, chooser: random.Random) -> str:
    pool = chooser.choices(name_pools()[role], (0.5, 0.3, 0.18, 0.02))[0]
    return chooser.choice(pool).capitalize()


class _Cast:
    """The people of one note."""

    def __init__(self, chooser: random.Random) -> None:
        self.chooser = chooser
        self.patient = (_drawn("given", chooser), _drawn("surname", chooser))
        self.title = chooser.choice(["Mr.", "Ms.", "Mrs.", "Mr", "Miss"])
        self.others: dict[str, str] = {}
        self.way = chooser.choice(["surname", "titled", "given", "none"])

    def other(self, placeholder: str) -> str:
        if placeholder not in self.others:
            given, surname = _drawn("given", self.chooser), _drawn("surname", self.chooser)
            forms = [surname, surname, surname, f"{given} {surname}", f"{given[0]}. {surname}", surname.upper()]
            self.others[placeholder] = self.chooser.choice(forms)
        return self.others[placeholder]

    def mention(self) -> tuple[str, str]:
        """What stands before a name of the patient, and the name."""
        given, surname = self.patient
        if self.way == "titled" or self.chooser.random() < 0.2:
            return f"{self.title} ", surname
        return "", given if self.way == "given" else surname


def _put_in(text: str, chooser: random.Random) -> tuple[str, list[tuple[int, int, int]]]:
    """The text with people put in, and the spans that are known."""
    cast = _Cast(chooser)
    changes: list[tuple[int, int, str, str, str]] = []  # start, end, before the name, the name, after it
    for match in _TITLED.finditer(text):
        start, end = match.span("name")
        changes.append((start, end, "", cast.other(match["name"]), ""))
    rate = 0 if cast.way == "none" else chooser.choice([0.15, 0.4])
    for match in _PATIENT.finditer(text):
        if chooser.random() < rate * (0.4 if match["pronoun"] else 1):
            changes.append((*match.span(), *cast.mention(), ""))
    for match in _KIN.finditer(text):
        if chooser.random() < 0.4:
            name = _drawn("given", chooser) + (f" {cast.patient[1]}" if chooser.random() < 0.2 else "")
            changes.append((match.end(), match.end(), chooser.choice([" ", ", "]), name, chooser.choice(["", ","])))
    made, spans, at = "", [], 0
    for start, end, before, name, after in sorted(changes):
        if start < at:
            continue
        made += text[at:start] + before
        spans.append((len(made), len(made) + len(name), PERSON))
        made += name + after
        at = end
    return made + text[at:], spans


def notes_with_people(shared: Path, chooser: random.Random, size: int = 1600) -> list[Marked]:
    """Parts of four of five clinical notes; the fifth judges."""
    found = []
    with lzma.open(shared / "data" / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % 5 == 0:
                continue
            text = json.loads(line)["text"]
            first = chooser.randrange(max(len(text) - size, 1))
            first = text.find(" ", first) + 1 if first else 0
            text, spans = _put_in(text[first : first + size], chooser)
            known = list(spans)
            for match in (*_DOUBTFUL.finditer(text), *_given_names(text)):
                if not any(start < match.end() and match.start() < end for start, end, _ in known):
                    spans.append((*match.span(), UNKNOWN))
            found.append(Marked(f"n{number}", "clinical note", text, tuple(sorted(spans))))
    return found


def _given_names(text: str) -> Iterator[re.Match[str]]:
    """Words that may be the name of somebody whom the note does name: a usual given name before a verb or a comma."""
    matches = list(_NAME.finditer(text))
    figures = name_table().figures([match.group() for match in matches])
    for match, row in zip(matches, figures, strict=True):
        if row[GIVEN] > _KNOWN and row[SMALL] < row[GIVEN]:
            yield match


def treebank(shared: Path, size: int = 12) -> list[Marked]:
    """Parts of GUM, so many sentences each: proper names of people; other names and numbers are not learned from."""
    tools = gold_tools(shared)
    found: list[Marked] = []
    text, spans, count = "", [], 0
    for block in tools.sentences(str(shared / "data" / "treebank" / "gum-train.conllu.xz")):
        sentence, words = tools.tokens_of(block)
        mentions = entity_types(block)
        label = [0] * len(words)
        for (first, last), kind in sorted(mentions.items(), key=lambda item: item[0][0] - item[0][1]):
            for at in range(first, last + 1):
                if words[at][1] == "PROPN":
                    titled = words[at][0].lower().rstrip(".") in TITLES
                    label[at] = UNKNOWN if kind != "person" or titled else PERSON
        previous = 0
        for at, word in enumerate(words):
            value = UNKNOWN if word[1] == "NUM" or (word[1] == "PROPN" and not label[at]) else label[at]
            if value:
                start, end = len(text) + word[4], len(text) + word[5]
                if value == previous == PERSON:
                    start = spans.pop()[0]
                spans.append((start, end, value))
            previous = value
        text += sentence.rstrip() + " "
        count += 1
        if count == size:
            found.append(Marked(f"g{len(found)}", "treebank", text, tuple(spans)))
            text, spans, count = "", [], 0
    return found
