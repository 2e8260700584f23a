"""The values that the templates of the review take: blocks, pages and curves as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from taciturn.review.render import Block
from taciturn.review.session import State

__all__ = ["block_values", "changed_spans", "curve_points", "page_values"]


def block_values(made: Sequence[Block]) -> list[dict[str, Any]]:
    """The values that the template of blocks takes."""
    return [
        {
            "number": b.number,
            "start": b.start,
            "place": b.place,
            "original": Markup(b.original),  # escaped where it was made
            "released": Markup(b.released),
        }
        for b in made
    ]


def page_values(pages: Any, number: int, state: State) -> dict[str, Any]:
    """A page with the boxes of every choice that is not open."""
    width, height = pages.size(number)
    shown = [c for c in state.standing.choices if c.status != "open"]
    where = pages.boxes(number, [c.core for c in shown])
    boxes = [(c, box) for c in shown for box in where.get(c.core, ())]
    return {"number": number, "width": width, "height": height, "boxes": boxes}


def changed_spans(before: State, after: State) -> list[tuple[int, int]]:
    """The spans about which two states decide otherwise."""
    one, other = set(before.standing.choices), set(after.standing.choices)
    return [c.core for c in one ^ other]


def curve_points(rows: list[tuple[float, float, int, bool]], value: float) -> list[dict[str, Any]]:
    """The points of a curve, evenly spaced, in a box of 300 x 90."""
    step = 280 / max(len(rows) - 1, 1)
    return [
        {"x": 10 + i * step, "y": 80 - 70 * kept, "value": v, "kept": kept, "edits": n, "holds": ok, "now": v == value}
        for i, (v, kept, n, ok) in enumerate(rows)
    ]
