"""An example plug-in: a recognizer of employee numbers, a file format of lines ``name = value``, knowledge, a model.

The knowledge is a taxonomy of job titles, an entity base of staff, relations of what people wear, and counts over a few
reports. The model leaves the initials of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from dataclasses import dataclass, field
from typing import ClassVar

from taciturn.document import Span
from taciturn.formats.base import Content, Context, Passage, Rewrite, Slot, fill
from taciturn.formats.plugins import Format
from taciturn.formats.text import decode
from taciturn.knowledge import (
    ContextCounts,
    EdgeTaxonomy,
    EntityBase,
    Knowledge,
    KnowledgeSource,
    OwnRelation,
    OwnRelations,
)
from taciturn.language import Analysis, key
from taciturn.models.base import Guarantee, Violation
from taciturn.models.declare import Dial, declare, parameter, verify
from taciturn.plan import Edit, Plan, resolve
from taciturn.recognizers import Recognizer

_NUMBER = re.compile(r"\bEMP-[0-9]{5}\b")
_LINE = re.compile(r"^(\w+ *= *)(.*)$", re.M)


def find_numbers(text: str) -> Iterator[tuple[int, int]]:
    """The employee numbers of a text."""
    return (match.span() for match in _NUMBER.finditer(text))


employee_number = Recognizer("code", find_numbers)


def read(data: bytes, name: str, context: Context) -> Content:
    """A passage for each value; names and the rest of the file stay as they are."""
    text, mark = decode(data, name)
    found = [match for match in _LINE.finditer(text) if match[2].strip()]
    passages = tuple(Passage(match[1].strip(" ="), (Slot(match[2], number),)) for number, match in enumerate(found))

    def write(rewrite: Rewrite) -> bytes:
        filled = fill(passages, rewrite.changes)
        pieces, at = [], 0
        for number, match in enumerate(found):
            pieces += [rewrite.sweeper.clean(text[at : match.start(2)]), filled.get(number, match[2])]
            at = match.end(2)
        pieces.append(rewrite.sweeper.clean(text[at:]))
        return mark + "".join(pieces).encode()

    return Content("settings", passages, write)


def texts(data: bytes, name: str) -> Iterator[tuple[str, str]]:
    """What the standard library's reader finds in a written file: the leak check shares no code with ``read``."""
    parser = ConfigParser(interpolation=None)
    parser.read_string("[all]\n" + data.decode("utf-8-sig", errors="replace"))
    return iter(parser["all"].items())


settings = Format(suffixes=(".settings",), read=read, texts=texts)


def open_titles() -> EdgeTaxonomy:
    """Job titles of the company under what people elsewhere call such jobs."""
    edges = [("deal wrangler", "salesperson"), ("door opener", "salesperson"), ("salesperson", "employee")]
    return EdgeTaxonomy("job titles", edges, {"deal wrangler": ["deal wizard"]}, flags=["professional"])


def open_staff() -> EntityBase:
    """Who is known for what. The names of an entity belong to its context; knowledge knows terms by their keys."""
    known = {"Ann Miller": ["deal wrangler", "Ipswich"], "Bob Brown": ["door opener", "Ipswich"]}
    return EntityBase("staff", {name: frozenset(map(key, [name, *terms])) for name, terms in known.items()})


def open_pins() -> OwnRelations:
    """What tells who sees it what somebody does; a file of them is read by ``load_relations``."""
    worn = [("golden stapler", "deal wrangler"), ("silver stapler", "deal wrangler"), ("silver stapler", "door opener")]
    return OwnRelations("pins", [OwnRelation(pin, "worn by", job) for pin, job in worn])


def open_reports() -> ContextCounts:
    """How often terms occur, alone and together: here in five short reports."""
    reports = [{"deal wrangler", "ipswich"}, {"salesperson"}, {"salesperson", "ipswich"}, {"ipswich"}, {"employee"}]
    return ContextCounts(reports, [open_titles()])


job_titles = KnowledgeSource("taxonomy", open_titles)
staff = KnowledgeSource("entities", open_staff)
pins = KnowledgeSource("relations", open_pins)
sales_reports = KnowledgeSource("counts", open_reports)


@declare(needs=("protect",), dial=Dial("letters", (1, 2, 3), "so many letters of each part of a name stay"))
@dataclass(frozen=True, slots=True, kw_only=True)
class Initials:
    """Of the names of some people only the first letters stand in the release."""

    name: ClassVar[str] = "initials"

    protect: str | Sequence[str] = field(metadata=parameter("The names of the people.", takes="terms", holds="people"))
    letters: int = field(
        default=1, metadata=parameter("How many letters of each part of a name stay.", least=1, most=3)
    )

    def __post_init__(self) -> None:
        verify(self)

    def _parts(self, text: str) -> Iterator[re.Match[str]]:
        """Where a part of a name stands that is longer than what may stay of it."""
        parts = {part for name in self.protect for part in name.split() if len(part) > self.letters}
        return re.finditer(rf"\b(?:{'|'.join(map(re.escape, sorted(parts)))})\b", text) if parts else iter(())

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """An edit for each part of a name."""
        document = analysis.document
        edits = [
            Edit(m.start(), m.end(), m[0], f"{m[0][: self.letters]}.", "part of a name", self.name, "person")
            for m in self._parts(document.text)
        ]
        return Plan(document, resolve(edits, document))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """No part of a name stands in the text."""
        violations = tuple(
            Violation((m.span(),), f"{m[0]!r} is part of a name") for m in self._parts(analysis.document.text)
        )
        return Guarantee(
            self.name,
            "of the names no more than their first letters stands in the text",
            not violations,
            -float(len(violations)) if violations else 1.0,
            {"letters": self.letters},
            protected=tuple(self.protect),
            violations=violations,
        )
