"""The treebanks as the tagger sees them: our own tokens, with the labels that the annotation gives them."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from taciturn.language.tagger import KINDS, LABELS
from taciturn.language.tokens import tokenize

ENTITY = re.compile(r"\((\d+)-([a-z]+)|(\d+)\)|\)")
NAMED = ("person", "organization", "place")
UNKNOWN = -1


@dataclass
class Sentence:
    """Tokens with their labels; ``UNKNOWN`` where the treebank does not say."""

    words: list[str]
    labels: list[int]
    kinds: list[int]
    tags: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    gold: list[tuple[int, int]] = field(default_factory=list)


def gold_tools(shared: Path) -> ModuleType:
    """The module that defines the gold terms."""
    spec = importlib.util.spec_from_file_location("gold_phrases", shared / "tools" / "gold_phrases.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def entity_types(block: list[str]) -> dict[tuple[int, int], str]:
    """The type of every mention of a sentence in GUM, by its first and last word."""
    found: dict[tuple[int, int], str] = {}
    open_mentions: list[tuple[str, str, int]] = []
    at = -1
    for line in block:
        columns = line.split("\t")
        if len(columns) < 10 or not columns[0].isdigit():
            continue
        at += 1
        entity = next((part[7:] for part in columns[9].split("|") if part.startswith("Entity=")), "")
        for match in ENTITY.finditer(entity):
            if match.group(1):
                open_mentions.append((match.group(1), match.group(2), at))
            else:
                for i in range(len(open_mentions) - 1, -1, -1):
                    if match.group(3) is None or open_mentions[i][0] == match.group(3):
                        _, kind, first = open_mentions.pop(i)
                        found[first, at] = kind
                        break
    return found


def kind_of(entity: str, proper: bool) -> int:
    """Our class of a mention: names of people, organizations and places apart from words for them."""
    if entity in NAMED:
        entity = entity if proper else f"common {entity}"
    return KINDS.index(entity) if entity in KINDS else KINDS.index("other")


def read(path: Path, tools: ModuleType, entities: bool) -> list[Sentence]:
    """Every sentence of a treebank file; ``entities`` says whether column 10 carries mention types."""
    sentences = []
    for block in tools.sentences(str(path)):
        text, words = tools.tokens_of(block)
        gold = tools.terms_of(words)
        columns = [line.split("\t") for line in block if not line.startswith("#")]
        tags = [c[4] for c in columns if c[0].isdigit()]
        relations = [c[7] for c in columns if c[0].isdigit()]
        mentions = entity_types(block) if entities else {}
        tokens = tokenize(text)
        starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
        pieces = [text[s:e] for s, e in zip(starts, ends, strict=True)]
        word_at = [-1] * (len(text) + 1)
        for i in range(len(words) - 1, -1, -1):
            for j in range(words[i][4], words[i][5]):
                word_at[j] = i
        labels = [LABELS.index("O")] * len(pieces)
        kinds = [UNKNOWN] * len(pieces)
        for start, end in gold:
            inside = [i for i in range(len(pieces)) if starts[i] < end and ends[i] > start]
            if not inside:
                continue
            for i in inside:
                labels[i] = LABELS.index("I")
            labels[inside[0]] = LABELS.index("B")
            labels[inside[-1]] = LABELS.index("E")
            if len(inside) == 1:
                labels[inside[0]] = LABELS.index("S")
            if entities:
                first, last = word_at[start], word_at[end - 1]
                around = [(b - a, t) for (a, b), t in mentions.items() if a <= first and last <= b]
                if around:
                    kind = kind_of(min(around)[1], tags[last].startswith("NNP"))
                    for i in inside:
                        kinds[i] = kind
        sentences.append(
            Sentence(
                pieces,
                labels,
                kinds,
                [tags[word_at[s]] if word_at[s] >= 0 else "_" for s in starts],
                [relations[word_at[s]].split(":")[0] if word_at[s] >= 0 else "_" for s in starts],
                text,
                starts,
                ends,
                gold,
            )
        )
    return sentences
