"""The exemption log: a row for each edit of a release, with its place, its basis and who decided. Never the text.

It can go with the release: it quotes no original, and the length of what was hidden is told in classes only, because
an exact length narrows a name.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from io import StringIO

from taciturn.document import Span
from taciturn.plan import Applied

__all__ = ["Exemption", "as_csv", "as_json", "exemptions"]

_CLASSES = ((1, "one word"), (3, "two or three words"), (12, "a phrase"))


@dataclass(frozen=True, slots=True)
class Exemption:
    """One edit. ``start`` and ``end`` are in the released text; ``decided_by`` is a name, "reviewer" or "proposal"."""

    document: str
    number: int
    place: str
    start: int
    end: int
    shown_as: str
    kind: str
    length: str
    code: str
    basis: str
    decided_by: str
    time: str
    model: str


def exemptions(
    applied: Applied,
    document: str,
    clean: Callable[[str], str],
    decided: Mapping[Span, tuple[str, str]],
) -> Iterator[Exemption]:
    """The rows of a release. ``clean`` takes what is hidden out of the names of places and of the document; ``decided``
    has who decided on the edit of a span of the original, and when."""
    segments = applied.document.segments
    name, at = clean(document), 0
    for number, (edit, span) in enumerate(zip(applied.plan.edits, applied.spans, strict=True), 1):
        while at < len(segments) and segments[at].end < span[1]:
            at += 1
        by, time = decided.get(edit.span, ("proposal", ""))
        yield Exemption(
            name,
            number,
            clean(segments[at].place) if at < len(segments) else "",
            *span,
            edit.replacement,
            edit.kind,
            _length(edit.original),
            str(edit.figures.get("code", "")),
            str(edit.figures.get("basis", "")),
            by,
            time,
            edit.model,
        )


def _length(original: str) -> str:
    words = len(original.split())
    return next((name for most, name in _CLASSES if words <= most), "a passage")


def as_csv(rows: Iterable[Exemption]) -> str:
    """The rows as CSV. Cells that a spreadsheet would run as formulas are quoted."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    names = [f.name for f in fields(Exemption)]
    writer.writerow(name.replace("_", " ") for name in names)
    for row in rows:
        writer.writerow(_cell(getattr(row, name)) for name in names)
    return out.getvalue()


def as_json(rows: Iterable[Exemption]) -> str:
    """The rows as a JSON list."""
    return json.dumps([asdict(row) for row in rows], indent=2, ensure_ascii=False) + "\n"


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
