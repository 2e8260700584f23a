"""The units of a text that t counts for, and the t of each (Section V of the paper)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from taciturn.language import Analysis

__all__ = ["Unit", "Units", "units_of"]

Unit = Literal["document", "paragraph", "sentence"]


@dataclass(frozen=True, slots=True)
class Units:
    """Where the units of a text start, and how many base texts each must have; ``t`` is that of a unit without text."""

    starts: tuple[int, ...]
    ts: tuple[int, ...]
    t: int

    def number(self, offset: int) -> int:
        """The number of the unit that an offset lies in."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def t_of(self, number: int, other: tuple[int, ...] = ()) -> int:
        """The t of a unit; where the t of the same units is known from another text as well, the larger of the two."""
        return max([ts[number] for ts in (self.ts, other) if number < len(ts)], default=self.t)


def units_of(analysis: Analysis, segment: Unit, t: int, by_opening: Mapping[str, float]) -> Units:
    """The units of a text. ``by_opening``: another t for units that begin with some words, in any capitals.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> text = analyze(Document.of("He came alone.\\n\\nDiagnosis: flu.\\n"))
    >>> units_of(text, "paragraph", 10, {"diagnosis": 1000}).ts
    (10, 1000)
    """
    text = analysis.document.text
    spans = {
        "document": ((0, len(text)),),
        "paragraph": tuple(analysis.paragraphs),
        "sentence": tuple(analysis.sentences),
    }[segment]
    openings = [(begins.casefold(), int(other)) for begins, other in by_opening.items()]
    said = [text[start:end].lstrip().casefold() for start, end in spans] if openings else [""] * len(spans)
    ts = tuple(next((other for begins, other in openings if unit.startswith(begins)), t) for unit in said)
    return Units(tuple(start for start, _ in spans), ts, t)
