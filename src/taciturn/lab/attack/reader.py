"""The reader: an adversary who uses everything that the knowledge knows, and adds it up over the whole text.

Names, relations, counts and vectors testify, the same witnesses as in ``taciturn explain``, on one scale for
candidates of any frequency (:mod:`taciturn.knowledge.rivals`). A candidate that the text says openly is found; what it
does not say is ranked by the sum that the model Indistinct bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from taciturn.document import Document
from taciturn.knowledge import EntityBase, Knowledge, UnknownTermError
from taciturn.knowledge.rivals import BaseRivals
from taciturn.lab.attack import guesses as results
from taciturn.language import analyze
from taciturn.models.indistinct.contest import Contest, contest_among, contests, rivals_among
from taciturn.report.guesses import guess

__all__ = ["Reader"]


@dataclass(frozen=True)
class Reader:
    """Who knows everything that the knowledge knows. ``among`` are the candidates: a branch of a taxonomy, names, or an
    entity base; ``truth`` is one of them, and says which of the others are other things than it.

    >>> reader = Reader(["asthma", "gout", "syphilis"], Knowledge.default())
    >>> [g.name for g in reader("He takes allopurinol.").guesses][:1]
    ['gout']
    """

    among: str | Sequence[str] | EntityBase
    knowledge: Knowledge = field(repr=False)
    truth: str | None = None
    shown: int = 5

    @property
    def name(self) -> str:
        return "reader"

    @cached_property
    def _contest(self) -> Contest:
        if self.truth is not None:
            # What one phrase names side by side is attacked by its first part.
            return contests([self.truth], (), self.among, self.knowledge)[0]
        if isinstance(self.among, EntityBase):
            return contest_among(BaseRivals(self.among))
        return contest_among(rivals_among(self.among, self.knowledge))

    def called(self, name: str) -> str | None:
        """The candidate that a name means; None if it is none of whom something is known."""
        if self.truth == name:
            try:
                return self._contest.entity
            except UnknownTermError:
                return None
        return name if name in self._contest.candidates else None

    def __call__(self, text: str | Document) -> results.Attack:
        """Rank the candidates by what a text says of each."""
        analysis = analyze(Document.of(text) if isinstance(text, str) else text)
        found = guess(analysis, self._contest, self.knowledge, self.shown)
        terms = len({text for g in found for text, _ in g.speaks})
        return results.Attack(tuple(results.Guess(g.name, g.bits, g.share, g.speaks, g.said) for g in found), (), terms)
