"""Whom an adversary may think of: the options that ``taciturn attack`` and ``taciturn evaluate --attack`` share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import click

from taciturn.cli.common import Command
from taciturn.cli.models import read_lines
from taciturn.knowledge import EntityBase, Knowledge
from taciturn.knowledge.entities.files import load_base
from taciturn.lab.attack import (
    Adversary,
    BaseAdversary,
    Outsider,
    PackAdversary,
    Reader,
    Way,
    read_background,
    under_branch,
)
from taciturn.language import key

__all__ = ["ADVERSARIES", "Candidates", "candidate_options", "read_candidates"]

WAYS: tuple[Way, ...] = ("pmi", "bayes")
ADVERSARIES = ("reader", *WAYS, "tf-idf")

_OPTIONS = (
    click.option("--candidate", "-c", multiple=True, metavar="NAME", help="Who or what it may be; may be repeated."),
    click.option("--candidates", "listed", metavar="FILE", help="A list of candidates, one a line."),
    click.option("--branch", metavar="TERM", help="All that a taxonomy has under TERM, such as disease."),
    click.option("--entities", metavar="NAME|FILE", help="The entities of a base, by name in the pack or as a file."),
    click.option(
        "--background", metavar="PATH", help="For tf-idf: a folder of NAME.txt, or JSON lines with name and text."
    ),
)


def candidate_options(command: Command) -> Command:
    """The options that :func:`read_candidates` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True)
class Candidates:
    """The candidates that the options offer, read but not yet sorted out: a branch's depend on the truth."""

    names: Sequence[str]
    branch: str | None
    base: EntityBase | None
    texts: Mapping[str, str]
    knowledge: Knowledge = field(repr=False)

    @property
    def ways(self) -> tuple[str, ...]:
        """The adversaries for whom there are candidates."""
        counted = ("reader", *WAYS) if self.names or self.branch or self.base else ()
        return (*counted, *(("tf-idf",) if self.texts else ()))

    @cached_property
    def _outsider(self) -> Outsider:
        return Outsider(self.texts)

    def _counted(self, truth: str | None) -> list[str]:
        """The names that an adversary with counts thinks of; the truth is always one of them."""
        under = under_branch(self.branch, self.knowledge, truth) if self.branch else ()
        return list(dict.fromkeys([*self.names, *under, *((truth,) if truth else ())]))

    def _reader(self, truth: str | None) -> Reader:
        """Who asks all witnesses; names that are listed are candidates beside those of a branch."""
        if self.base:
            return Reader(self.base, self.knowledge, truth)
        if self.branch and not self.names:
            return Reader(self.branch, self.knowledge, truth)
        return Reader(self._counted(truth), self.knowledge, truth)

    def adversary(self, way: str, truth: str | None) -> Adversary:
        """Who guesses in one way. The truth is not told to them: it says which candidates compete with it."""
        if way == "tf-idf":
            if not self.texts:
                raise click.UsageError("tf-idf needs --background: a text on each candidate")
            return self._outsider
        if way == "reader":
            return self._reader(truth)
        counted: Way = "bayes" if way == "bayes" else "pmi"
        if self.base:
            return BaseAdversary(self.base, self.knowledge, counted)
        names = self._counted(truth)
        if len(names) < 2:
            raise click.UsageError(
                f"{way} needs at least two candidates: --candidate NAME, --candidates FILE, --branch TERM or "
                "--entities NAME"
            )
        return PackAdversary(names, self.knowledge, counted)


def read_candidates(
    knowledge: Knowledge,
    candidate: Sequence[str],
    listed: str | None,
    branch: str | None,
    entities: str | None,
    background: str | None,
) -> Candidates:
    """What the options of :func:`candidate_options` offer, files read."""
    names = [*candidate, *(read_lines(listed) if listed else ())]
    if entities and (names or branch):
        raise click.UsageError("--entities brings its own candidates; leave --candidate, --candidates and --branch out")
    base = _base(entities, knowledge) if entities else None
    texts = read_background(Path(background)) if background else {}
    return Candidates(names, branch, base, texts, knowledge)


def _base(entities: str, knowledge: Knowledge) -> EntityBase:
    if Path(entities).suffix:
        return load_base(Path(entities), key)
    if entities not in knowledge.entities:
        known = ", ".join(sorted(knowledge.entities)) or "none"
        raise click.UsageError(f"the knowledge holds no entity base {entities!r}; it has {known}")
    return knowledge.entities[entities]
