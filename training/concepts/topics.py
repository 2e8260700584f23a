"""Matters beyond medicine (religions, parties, unions, orientation, origin, records) and what gives them away.

``python -m training.topics build`` derives both tables from WordNet, MeSH and the encyclopedia; its relations are far
too many to ship. Kept are those of at least a share whose expression is no common word. Where a family's own names are
words of many uses (company, sentence, loan), or nearly every article names a member (origin), company in paragraphs is
no evidence by itself: a definition or a lead must say so too. What is said of a whole family is worked out from its
members.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from taciturn.language.keys import is_ordinary, key
from training.concepts.records import Record
from training.topics import files
from training.topics.build import CONTEXT, Relation
from training.topics.matters import Matter

__all__ = ["kept", "matters", "records"]

_SENSES = 3  # a small word with as many senses is no name of a matter ("point", "score", "company")
_LEAST = 0.3
_UNSURE = frozenset(("service", "record", "debt", "family", "status", "origin"))  # need more than company
_SUMMED = frozenset(("religion", "opinion", "origin"))  # a share of the family is the sum of its members' shares
_KINDS = {"religion": "religion", "orientation": "persons", "gender": "persons", "origin": "persons"}
_HOWS = {"adjective": "derived", "member": "derived", "verb": "derived", "abbreviation": "abbreviation"}


def matters(folder: Path, senses: Mapping[str, int]) -> dict[str, Matter]:
    """The matters with the names that name little else; ``senses`` are the numbers of a word's senses."""
    found = files.read_matters(folder)
    for matter in found.values():
        for name in list(matter.names):
            if name.islower() and " " not in name and name != matter.label and senses.get(name, 0) >= _SENSES:
                del matter.names[name]
        if matter.parents and all(n == matter.label and senses.get(n, 0) >= _SENSES for n in matter.names):
            matter.names.clear()
    return found


def records(found: Mapping[str, Matter]) -> Iterator[Record]:
    """The matters as records of a lexicon."""
    for matter in found.values():
        own = matter.id.rpartition("/")[2]
        source = "WordNet" if re.fullmatch(r"n\d+", own) else "MeSH" if re.fullmatch(r"D\d+", own) else "Wikipedia"
        names = [(name, _HOWS.get(how, "synonym")) for name, how in matter.names.items()]
        parents = [f"TOPIC:{parent}" for parent in sorted(matter.parents)]
        if matter.names:
            label = matter.label if matter.label in matter.names else next(iter(matter.names))
            yield Record(source, f"TOPIC:{matter.id}", _KINDS.get(matter.family, "society"), label, names, parents)


def kept(relations: Iterable[Relation], found: Mapping[str, Matter]) -> Iterator[Relation]:
    """The relations to matters with names of their own that are worth their place."""
    for r in relations:
        matter = found.get(r.matter)
        if r.weight < _LEAST or matter is None or not matter.names:
            continue
        if matter.family in _SUMMED and not matter.parents:
            continue
        if matter.family in _UNSURE and r.source == CONTEXT:
            continue
        if r.kind in ("person", "place") and (matter.family == "origin" or CONTEXT not in r.source):
            continue
        words = key(r.expression).split(" ")
        if len("".join(words)) > 2 and not all(map(is_ordinary, words)):
            yield r
