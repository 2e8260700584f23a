"""OBO files: the stanzas that ontologies of the life sciences are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from taciturn.knowledge.storage.files import KnowledgeFileError, read_text
from taciturn.knowledge.taxonomies.entries import Entry

__all__ = ["OboTerm", "obo_entries", "obo_terms"]

_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s+(\w+)')
_ESCAPE = re.compile(r"\\(.)")


@dataclass(slots=True)
class OboTerm:
    """A term that is not obsolete: ``exact`` are its exact synonyms, ``line`` where its stanza begins."""

    line: int
    id: str = ""
    name: str = ""
    parents: list[str] = field(default_factory=list)
    exact: list[str] = field(default_factory=list)
    obsolete: bool = False


def obo_terms(path: Path) -> Iterator[OboTerm]:
    """The terms of an OBO file that are not obsolete; synonyms that are not exact name something else and are left out.

    Only ``is_a`` links count: a part is not a kind.
    """
    term: OboTerm | None = None
    for number, line in enumerate([*read_text(path).split("\n"), "[end]"], 1):
        line = line.strip()
        if line.startswith("["):
            if term is not None:
                if not term.id or not (term.name or term.obsolete):
                    raise KnowledgeFileError(f"{path}, line {term.line}: a term without {'name' if term.id else 'id'}")
                if not term.obsolete:
                    yield term
            term = OboTerm(number) if line == "[Term]" else None
        elif term is not None and ": " in line:
            tag, value = line.split(": ", 1)
            if tag == "id":
                term.id = value.split(" ! ")[0].strip()
            elif tag == "name":
                term.name = _ESCAPE.sub(r"\1", value.strip())
            elif tag == "is_a":
                term.parents.append(value.split(" ", 1)[0])
            elif tag == "is_obsolete":
                term.obsolete = value.strip() == "true"
            elif tag == "synonym":
                match = _SYNONYM.match(value)
                if not match:
                    raise KnowledgeFileError(f"{path}, line {number}: a synonym needs quotes and a scope, as EXACT")
                if match[2] == "EXACT":
                    term.exact.append(_ESCAPE.sub(r"\1", match[1]))


def obo_entries(path: Path) -> Iterator[Entry]:
    """The terms of an OBO file as entries of a user's taxonomy."""
    for term in obo_terms(path):
        yield Entry(term.id, term.name, tuple(dict.fromkeys(term.parents)), tuple(term.exact), f"line {term.line}")
