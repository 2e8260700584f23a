"""Columns that somebody has declared: their cells are names, dates or identifiers, each as a whole, or free text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from taciturn.document import Document

__all__ = ["KIND_OF_COLUMN", "column_of", "kinds_declared", "with_kinds"]

KIND_OF_COLUMN = {"name": "person", "date": "date", "identifier": "record-number", "text": ""}
"""What a column may be declared as, and the kind of term that each of its cells is then; free text is no term."""


def kinds_declared(declared: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The kinds of term of columns that were declared, by title.

    >>> kinds_declared([("patient", "name"), ("note", "text")])
    {'patient': 'person', 'note': ''}
    """
    for title, what in declared:
        if what not in KIND_OF_COLUMN:
            raise ValueError(f"the column {title!r} is declared {what!r}; choose from {', '.join(KIND_OF_COLUMN)}")
    return {title: KIND_OF_COLUMN[what] for title, what in declared}


def column_of(place: str) -> str:
    """The title of the column that a cell's place names.

    >>> column_of("note: row 3"), column_of("note")
    ('note', 'note')
    """
    return place.rpartition(": row ")[0] or place


def with_kinds(document: Document, declared: Iterable[tuple[str, str]]) -> Document:
    """A document whose segments know the kinds that their columns were declared.

    >>> row = Document.join([("patient: row 1", "Grace Kim"), ("note: row 1", "Well.")])
    >>> [s.kind for s in with_kinds(row, [("patient", "name")]).segments]
    ['person', '']
    """
    kinds = kinds_declared(declared)
    if not kinds:
        return document
    segments = (replace(s, kind=kinds.get(column_of(s.place), s.kind)) for s in document.segments)
    return Document(document.text, tuple(segments))
