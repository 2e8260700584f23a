"""Matters beyond medicine (religions, parties, unions, orientation, origin, records) and what gives them away.

``python -m training.topics build`` derives both tables from WordNet, MeSH and the encyclopedia; its relations are far
too many to ship. Kept is what the counts of the pack do not know already: relations that a definition, a lead or a
short form states, and company in paragraphs only for expressions that the counts have in few contexts or none. How
great a share must be goes by the family. Nearly every article names a country, so company says little of an origin;
where a family's own names are words of many uses (company, sentence, loan), company says something of the family as a
whole at best. What is said of a matter is said of everything above it, so a wider matter has a row of its own only
where it adds a fifth.

Alternatives that were measured on documents with marked giveaways: all relations of .3 and more (twice the rows; .05
less recall at .03 more precision), what definitions state alone (.08 less recall).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from taciturn.knowledge.counts.base import Counts
from taciturn.language.keys import is_ordinary, key
from training.concepts.records import Record
from training.topics import files
from training.topics.build import CONTEXT, Relation
from training.topics.matters import Matter
from training.topics.weigh import lines_of

__all__ = ["kept", "matters", "records"]

_SENSES = 3  # a small word with as many senses is no name of a matter ("point", "score", "company")
_THEMES = frozenset(("service", "record", "debt", "family", "status", "means", "gambling", "court"))
_STATED = {"origin": 0.5, "service": 0.6, "debt": 0.3}  # the least share that a definition states
_COMPANY = dict.fromkeys((*_THEMES, "origin"), 0.5)  # and of what stands in the same paragraphs
_LEAST = 0.2  # in other families
_FEW = 8  # contexts of an expression from which the counts of the pack know better
_ADDS = 0.8  # what is below may have of a wider matter's share, if that is to have a row
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


def kept(relations: Iterable[Relation], found: Mapping[str, Matter], counts: Counts) -> Iterator[Relation]:
    """The relations to matters with names of their own that are worth their place, in the order of their expressions.

    ``counts`` are those of the pack that gets them.
    """
    likely = [r for r in relations if _is_likely(r, found)]
    keys = list(dict.fromkeys(key(r.expression) for r in likely))
    known = dict(zip(keys, counts.table([], keys)[0].tolist(), strict=True)) if keys else {}
    together: dict[str, list[Relation]] = defaultdict(list)
    for r in likely:
        if r.source != CONTEXT or known[key(r.expression)] < _FEW:
            together[key(r.expression)].append(r)
    lines = lines_of(found)
    for _, rows in sorted(together.items()):
        below: dict[str, float] = defaultdict(float)
        for r in rows:
            for above in lines[r.matter] - {r.matter}:
                below[above] = max(below[above], r.weight)
        yield from (r for r in rows if below[r.matter] < _ADDS * r.weight)


def _is_likely(r: Relation, found: Mapping[str, Matter]) -> bool:
    matter = found.get(r.matter)
    if matter is None or not matter.names or (matter.family in _SUMMED and not matter.parents):
        return False
    if r.source == CONTEXT and matter.family in _THEMES and matter.parents:
        return False
    if r.weight < (_COMPANY if r.source == CONTEXT else _STATED).get(matter.family, _LEAST):
        return False
    if r.kind in ("person", "place") and (matter.family == "origin" or CONTEXT not in r.source):
        return False
    words = key(r.expression).split(" ")
    return len("".join(words)) > 2 and not all(map(is_ordinary, words))
