"""From names to numbers: what sources relate by name, what names and definitions say themselves.

A test, procedure, device or clinic whose name holds the name of a condition speaks for it ("Yale-Brown Obsessive
Compulsive Scale"); one whose name holds an organ, an organism or an antigen is about it. A condition whose name holds
an organ is located there. The first words of a definition or of an article say what a test, a drug or a clinic is for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from taciturn.document import Document
from taciturn.knowledge.lexicon.base import HOWS
from taciturn.knowledge.relations import RelationRow
from taciturn.language.keys import Key
from taciturn.language.vocabulary import VocabularyIndex
from training.concepts.join import Joined, Joiner
from training.concepts.records import GROUPS, Related

__all__ = ["Mentions", "by_name_parts", "by_openings", "by_operations", "by_sources"]

_EXPRESSIONS = {
    "treats": "DRKP", "measures": "PDO", "monitors": "PD", "procedure for": "PDS", "device for": "P", "sign of": "CFA",
    "located in": "AC", "caused by": "ODGCXA", "clinic for": "SP", "gene of": "G", "contains": "DR",
}  # fmt: skip
_BY_KIND = {
    "test": "measures", "score": "measures", "procedure": "procedure for", "device": "device for",
    "specialty": "clinic for", "medication": "treats", "medication class": "treats", "regimen": "treats",
    "substance": "measures", "organism": "caused by", "gene": "gene of", "anatomy": "located in", "sign": "sign of",
}  # fmt: skip
_HEADLESS = re.compile(r"(\S+ \S.*) (?:disorder|disease|syndrome)|(\S+)'s (?:disease|syndrome)")
_OPENING = 400  # characters that say what a thing is for
_FIRST = 160  # characters that say where it is done
_PLACED = ("test", "score", "procedure", "device", "specialty")  # what is done at some place of the body
_OPERATION = re.compile(r"([a-z]{4,}?)(?:ectomy|otomy|ostomy|plasty|pexy|oscopy|scopy|ography|graphy|rrhaphy|desis)")
_SHORTEST_STEM = 4
_BATCH = 2000


def by_sources(
    related: Iterable[Related], joiner: Joiner, bits: Mapping[str, int]
) -> tuple[list[RelationRow], Counter[str]]:
    """The sources' relations between concepts, and how many could not be linked, by source."""
    rows, lost = [], Counter[str]()
    for r in related:
        expression = joiner.resolve(r.expression, _EXPRESSIONS.get(r.predicate, "CDKRPAFSOGX"))
        matter = joiner.resolve(
            r.matter, "D" if r.predicate == "contains" else "CX" if r.predicate != "device for" else "CSX"
        )
        if expression is None or matter is None or expression == matter:
            lost[r.source] += 1
            continue
        rows.append(RelationRow(expression, r.predicate, matter, bits[r.source], r.weight))
    return rows, lost


class Mentions:
    """Finds the names of concepts in texts; of the concepts of one group with a name the most usual is meant.

    ``everyday`` are names that do not count; an abbreviation counts if two sources have it, and in capitals only. In
    the names of tests and clinics conditions stand without their head as well ("Yale-Brown Obsessive Compulsive
    Scale"): those are found too if ``headless`` is true of what is left.
    """

    def __init__(
        self, concepts: Sequence[Joined], everyday: Container[str], headless: Callable[[str], bool] | None = None
    ) -> None:
        owners: dict[str, list[int]] = {}
        loose: dict[str, list[int]] = {}
        for number, concept in enumerate(concepts):
            for key, (how, sources) in concept.names.items():
                direct = how in ("label", "synonym", "brand", "spelling") or (
                    how == "derived" and concept.kind != "sign"
                )
                short = how == "abbreviation" and key.upper() == key and len(sources) > 1
                if (direct or short) and len(key) > 2 and key not in everyday:
                    owners.setdefault(key, []).append(number)
                    match = _HEADLESS.fullmatch(key) if headless and concept.kind == "condition" else None
                    if match and headless and headless(left := match[1] or match[2]):
                        loose.setdefault(left, []).append(number)
        meant = {k: _most_meant(k, ns, concepts) for k, ns in owners.items()}
        meant |= {k: tuple(ns[:1]) for k, ns in loose.items() if k not in owners}
        self._owners = {Key(k): ns for k, ns in meant.items() if ns}
        self._index = VocabularyIndex(self._owners)

    def find(self, texts: Sequence[str]) -> Iterator[list[tuple[int, tuple[int, ...]]]]:
        """For each text, where names begin and the concepts that they may mean."""
        for first in range(0, len(texts), _BATCH):
            some = [re.sub(r"\s*\n\s*", " ", t) or "." for t in texts[first : first + _BATCH]]
            starts, at = [], 0
            for t in some:
                starts.append(at)
                at += len(t) + 2
            found: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in some]
            here, whole = 0, "\n\n".join(some)
            for match in self._index.find(Document.of(whole)):
                while here + 1 < len(some) and starts[here + 1] <= match.start:
                    here += 1
                capitals = whole[match.start : match.end].rstrip("s").isupper()
                if meant := tuple(n for k in match.keys if capitals or not k.isupper() for n in self._owners[k]):
                    found[here].append((match.start - starts[here], meant))
            yield from found


def _most_meant(key: str, numbers: Sequence[int], concepts: Sequence[Joined]) -> tuple[int, ...]:
    """Of the concepts with a name the one of each group that is most directly and by most sources called so; none of
    those that an abbreviation stands for alike."""
    best: dict[str, tuple[tuple[int, int], int]] = {}
    tied: set[str] = set()
    for number in numbers:
        how, sources = concepts[number].names[key]
        group, rank = GROUPS[concepts[number].kind], (HOWS.index(how), -len(sources))
        if group not in best or rank < best[group][0]:
            best[group] = rank, number
            tied.discard(group)
        elif rank == best[group][0] and how == "abbreviation":
            tied.add(group)
    return tuple(number for group, (_, number) in best.items() if group not in tied)


def by_name_parts(concepts: Sequence[Joined], mentions: Mentions, bit: int) -> Iterator[RelationRow]:
    """What the names of tests, procedures, devices, clinics, drugs and conditions hold."""
    numbers, texts = [], []
    for number, concept in enumerate(concepts):
        if concept.kind in _BY_KIND or concept.kind == "condition":
            for key, (how, _) in concept.names.items():
                if how in ("label", "synonym") and " " in key:
                    numbers.append(number)
                    # Without its first and without its last word, so that the name itself is not what is found.
                    words = key.split(" ")
                    texts.append(" ".join(words[1:]) + ". " + " ".join(words[:-1]))
    for number, found in zip(numbers, mentions.find(texts), strict=True):
        concept = concepts[number]
        for _, meant in found:
            for other in meant:
                if other == number:
                    continue
                kind = concepts[other].kind
                if concept.kind in ("condition", "sign"):
                    if kind in ("anatomy", "organism", "gene"):
                        yield RelationRow(other, _BY_KIND[kind], number, bit, 0.5)
                    elif kind in ("medication", "medication class", "substance"):
                        yield RelationRow(other, "caused by", number, bit, 0.5)
                elif kind == "condition":
                    yield RelationRow(number, _BY_KIND[concept.kind], other, bit, 1.0)
                elif kind in ("anatomy", "organism", "substance") and concept.kind in _PLACED:
                    yield RelationRow(number, "about", other, bit, 0.5)


def by_openings(
    concepts: Sequence[Joined], openings: Sequence[tuple[int, str, int]], mentions: Mentions, weight: float
) -> Iterator[RelationRow]:
    """What the first words on a test, a drug, a clinic say that it is for; ``openings`` are (concept, text, source)."""
    for (number, _, source), found in zip(openings, mentions.find([t for _, t, _ in openings]), strict=True):
        kind = concepts[number].kind
        if kind in _BY_KIND:
            for place, meant in found:
                for other in meant:
                    if other != number and concepts[other].kind == "condition" and place < _OPENING:
                        yield RelationRow(number, _BY_KIND[kind], other, source, weight)
                    elif concepts[other].kind == "anatomy" and kind in _PLACED and place < _FIRST:
                        yield RelationRow(number, "about", other, source, weight)


def by_operations(
    concepts: Sequence[Joined], rows: Iterable[RelationRow], bit: int, weight: float = 0.5
) -> Iterator[RelationRow]:
    """Operations and examinations in one word are about the organ in their stem: "tonsillectomy", "orchiopexy".

    The stem is that of an organ's name, or of its inflammation: "orchitis" is located in the testis.
    """
    organs: dict[str, set[int]] = {}
    for number, concept in enumerate(concepts):
        if concept.kind == "anatomy":
            for name, (how, _) in concept.names.items():
                if how in ("label", "synonym") and " " not in name and len(stem := _stem(name)) >= _SHORTEST_STEM:
                    organs.setdefault(stem, set()).add(number)
    inflamed = {
        n: _stem(name)
        for n, c in enumerate(concepts)
        if c.kind in ("condition", "sign")
        for name in c.names
        if name.endswith("itis") and " " not in name
    }
    for row in rows:
        stem = inflamed.get(row.matter, "") if row.predicate == "located in" else ""
        if len(stem) >= _SHORTEST_STEM and concepts[row.expression].kind == "anatomy":
            organs.setdefault(stem, set()).add(row.expression)
    for number, concept in enumerate(concepts):
        if concept.kind in ("procedure", "test"):
            for name in concept.names:
                if (match := _OPERATION.fullmatch(name)) and (found := organs.get(_stem(match[1]))):
                    for organ in sorted(found):
                        yield RelationRow(number, "about", organ, bit, weight)


def _stem(word: str) -> str:
    """What an organ, its inflammation and its operations have in common.

    >>> _stem("tonsil"), _stem("tonsillitis"), _stem("orchitis"), _stem("orchio"), _stem("vertebra"), _stem("vertebro")
    ('tonsil', 'tonsil', 'orch', 'orch', 'vertebr', 'vertebr')
    """
    bare = re.sub(r"(?:itis|ides|is|us|um|[aeiouy]+)$", "", word)
    return re.sub(r"([a-z])\1$", r"\1", bare)
