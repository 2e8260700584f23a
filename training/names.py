"""Names and what they name, from encyclopedia openings: "X is a Y" says that X is what Y is.

WordNet says whether the noun Y is a person, a place or a group of people. The names serve twice: the share of each
kind among the names that hold a word becomes a trait of that word, and sentences that mention such names become
further examples of kinds. Nothing here is annotated by hand.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from taciturn.language.sentences import break_after, first_tokens, line_edges
from taciturn.language.tokens import tokenize
from taciturn.language.words import normal

NAMED = ("person", "organization", "place")
FILES = {15: "place", 17: "place", 18: "person"}  # WordNet's lexicographer files: location, object, person
# First senses that name a body of people where an encyclopedia means the place.
PLACES = frozenset(
    "village country state nation republic community settlement province town hamlet suburb commune".split()
)
IS_A = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the|one of the|the name of an?)\s((?:[^\s,.;()]+ ?){1,9})", re.IGNORECASE
)
AFTER_HEAD = re.compile(
    r"\b(?:in|of|on|at|by|for|from|to|with|who|whom|which|that|and|or|as|based|located|born|known|situated|founded|"
    r"headquartered|released|written|directed|serving|near|between|along|whose|where|is|was)\b.*",
    re.IGNORECASE | re.DOTALL,
)


def first_senses(wordnet: Path) -> dict[str, tuple[int, tuple[str, ...]]]:
    """For each noun, the lexicographer file of its first sense and the words of the synsets above that sense."""
    synsets: dict[str, tuple[int, str, str]] = {}
    for line in (wordnet / "data.noun").read_text("utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split(" | ")[0].split()
            above = next((fields[i + 1] for i, f in enumerate(fields) if f in ("@", "@i")), "")
            synsets[fields[0]] = (int(fields[1]), fields[4], above)
    found = {}
    for line in (wordnet / "index.noun").read_text("utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            number, _, above = synsets[fields[6 + int(fields[3])]]
            chain = []
            while above:
                _, word, above = synsets[above]
                chain.append(word)
            found[fields[0]] = (number, tuple(chain))
    return found


def noun_kinds(wordnet: Path) -> dict[str, str]:
    """The kind of a noun's first sense, where it is one of ours."""
    kinds = {}
    for word, (number, above) in first_senses(wordnet).items():
        if number in FILES:
            kinds[word] = FILES[number]
        elif "social_group" in above or word == "social_group":
            kinds[word] = "organization"
    return kinds | dict.fromkeys(PLACES, "place")


def titles(corpus: Path, wordnet: Path) -> dict[str, str]:
    """Names with their kinds ("" where the opening names something else), from the titles and openings of articles."""
    kinds = noun_kinds(wordnet)
    found: dict[str, str] = {}
    for name in ("wikipedia-core", "wikipedia-leads"):
        with lzma.open(corpus / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                title = record["title"]
                opening = IS_A.search(record["text"], 0, 600)
                # "New York (magazine)" says nothing of "New York".
                if opening and title[:1].isupper() and "(" not in title:
                    words = AFTER_HEAD.sub("", opening.group(1)).split()
                    head = words[-1].lower() if words else ""
                    found[title] = kinds.get(head) or kinds.get(head.removesuffix("s"), "")
    return found


def shares(names: dict[str, str]) -> dict[str, tuple[float, float, float]]:
    """For each word, how far the names that hold it are persons, organizations and places.

    The counts are smoothed by two, so that a word seen once is not certain.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name, kind in names.items():
        for word in set(name.split()):
            if word[:1].isupper():
                counts[normal(word.strip(",."))][kind] += 1
    result = {}
    for word, each in counts.items():
        total = each.total() + 2
        result[word] = (each["person"] / total, each["organization"] / total, each["place"] / total)
    return result


def examples(corpus: Path, names: dict[str, str], count: int) -> list[tuple[list[str], list[str]]]:
    """Sentences that mention known names, from articles spread over the corpus: tokens, and the kind of each or ""."""
    found: list[tuple[list[str], list[str]]] = []
    with lzma.open(corpus / "wikipedia-core.jsonl.xz", "rt", encoding="utf-8") as lines:
        for i, line in enumerate(lines):
            if i % 12 == 0 and len(found) < count:
                found += _examples_of(json.loads(line)["text"][:10_000], names)
    return found[:count]


def _examples_of(text: str, names: dict[str, str]) -> list[tuple[list[str], list[str]]]:
    """The sentences of one article in which names are known.

    A name counts where no capital stands beside it ("Sony" is not known in "Sony Music"); a single word must not be a
    person's ("May", "J"), but a person's last name alone is known once the full name was seen.
    """
    tokens = tokenize(text)
    lines, gaps = line_edges(text, [(0, len(text))])
    ended = break_after(tokens, first_tokens(tokens, lines), first_tokens(tokens, gaps))
    starts, ends = tokens.starts.tolist(), tokens.ends.tolist()
    words = [tokens.types[i] for i in tokens.ids.tolist()]
    capital = [word[0].isupper() for word in words] + [False]
    found = []
    surnames: set[str] = set()
    first = 0
    for stop in (np.flatnonzero(ended) + 1).tolist():
        kinds = [""] * (stop - first)
        at = first
        while at < stop:
            last = at
            while capital[last] and last + 1 < stop and capital[last + 1]:
                last += 1
            if capital[at] and at > first:
                name = text[starts[at] : ends[last]]
                kind = names.get(name, "")
                if last == at and kind == "person":
                    kind = ""
                if kind == "person":
                    surnames.add(words[last])
                elif last == at and words[at] in surnames:
                    kind = "person"
                kinds[at - first : last + 1 - first] = [kind] * (last + 1 - at)
            at = last + 1
        if any(kinds) and 5 < len(kinds) < 60:
            found.append((words[first:stop], kinds))
        first = stop
    return found
