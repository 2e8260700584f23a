"""Tests, scores, therapies, devices and organizations that an encyclopedia describes and no list of terms has.

An article is taken if its first sentence says what its subject is ("is a rating scale") and names a condition. Texts
also say what an abbreviation is short for, in brackets after the words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from training.concepts.heads import noun_kind
from training.concepts.join import Joined
from training.concepts.link import Mentions
from training.concepts.records import Record, plain_names
from training.topics.leads import Lead

__all__ = ["agreed", "described"]

_LEAST = 2  # times that texts must explain an abbreviation alike


def described(leads: Iterable[Lead], concepts: Sequence[Joined], mentions: Mentions) -> Iterator[Record]:
    """Records of the articles whose first sentence says what kind of medical thing their subject is."""
    meant = [(lead, kind) for lead in leads if (kind := noun_kind(lead.head)) and plain_names(lead.title)]
    for (lead, kind), found in zip(meant, mentions.find([lead.sentence for lead, _ in meant]), strict=True):
        if any(concepts[n].kind == "condition" for _, numbers in found for n in numbers):
            label = plain_names(lead.title)[0]
            yield Record("Wikipedia", f"Wikipedia:{lead.title}", kind, label, list(lead.others))


def agreed(short_forms: Mapping[str, Counter[str]]) -> Iterator[tuple[str, str]]:
    """(abbreviation, meaning) where texts agree: the meaning is given at least twice, or never another."""
    for short, meanings in short_forms.items():
        folded: Counter[str] = Counter()
        for meaning, times in meanings.items():
            folded[meaning.lower()] += times
        for meaning, times in folded.items():
            if times >= _LEAST or len(folded) == 1:
                yield short, meaning
