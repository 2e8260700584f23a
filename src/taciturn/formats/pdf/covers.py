"""Text under drawn boxes: what somebody hid from the eye and left in the file.

A box is a filled upright rectangle, drawn over text that stands there already by opaque paint. Looked at are the boxes
of a content stream over its own text, and those of forms it draws (flattened annotations are such forms). Boxes over
the text of a form, curved and turned shapes and pictures are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from taciturn.formats.pdf.content import Glyph, Matrix
from taciturn.formats.pdf.fonts import spelled

__all__ = ["Box", "Covers", "covered"]

_FILLS = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_ENDS = _FILLS | {"n", "S", "s"}
_SOLID = frozenset(("g", "rg", "k", "sc", "cs"))
_SEEN = _ENDS | _SOLID | {"re", "m", "l", "h", "c", "v", "y", "W", "W*", "scn", "gs", "q", "Q", "Do"}
_THINNEST = 2.0
"""Points: a thinner box is a rule, and hides no word."""
_MOST = 2_000
"""Boxes of a content stream that are looked at: each costs a glance at all letters before it."""
_SHAPES = 30
"""Shapes that one operator fills: more are a drawing."""
_LOW, _HIGH = 0.1, 0.4  # of the size above the base line: what lies between them is most of a letter


class Box(NamedTuple):
    """An upright rectangle; ``before`` says how many glyphs were written when it was drawn."""

    left: float
    bottom: float
    right: float
    top: float
    before: int = 0

    def within(self, other: Box) -> Box:
        return Box(
            max(self.left, other.left),
            max(self.bottom, other.bottom),
            min(self.right, other.right),
            min(self.top, other.top),
            self.before,
        )

    def holds(self, other: Box) -> bool:
        return (
            self.left <= other.left
            and self.bottom <= other.bottom
            and self.right >= other.right
            and self.top >= other.top
        )


EVERYWHERE = Box(-1e9, -1e9, 1e9, 1e9)


@dataclass(slots=True)
class Covers:
    """Sees the operators of a content stream go by, and keeps the boxes that they draw.

    ``is_clear`` says of a graphics state whether paint is see-through by it, or None if it leaves that alone;
    ``form_boxes`` has the boxes that a form draws, in its own coordinates.
    """

    is_clear: Callable[[str], bool | None]
    form_boxes: Callable[[str], Sequence[Box]] = lambda name: ()
    boxes: list[Box] = field(default_factory=list)
    clear: bool = False
    patterned: bool = False
    clip: Box = EVERYWHERE
    stack: list[tuple[bool, bool, Box]] = field(default_factory=list)
    path: list[list[tuple[float, float]]] = field(default_factory=list)
    curved: bool = False
    clips: bool = False

    def see(self, operator: str, operands: Any, ctm: Matrix, before: int) -> None:
        """An operator, with the matrix that holds after it and the number of glyphs so far."""
        if operator not in _SEEN or len(self.boxes) >= _MOST:
            return
        try:
            self._see(operator, operands, ctm, before)
        except (IndexError, TypeError, ValueError, ArithmeticError):
            self.path, self.curved = [], False  # a broken operator draws nothing

    def _see(self, operator: str, operands: Any, ctm: Matrix, before: int) -> None:
        if operator == "re":
            x, y, w, h = (float(v) for v in operands)
            self.path.append([_moved(p, ctm) for p in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))])
        elif operator == "m":
            self.path.append([_moved((float(operands[0]), float(operands[1])), ctm)])
        elif operator == "l":
            self.path[-1].append(_moved((float(operands[0]), float(operands[1])), ctm))
        elif operator in ("c", "v", "y"):
            self.curved = True
        elif operator in ("W", "W*"):
            self.clips = True
        elif operator in _ENDS:
            self._paint(operator in _FILLS, before)
        elif operator == "gs":
            said = self.is_clear(spelled(operands[0]))
            self.clear = self.clear if said is None else said
        elif operator in _SOLID:
            self.patterned = False
        elif operator == "scn":
            self.patterned = spelled(operands[-1]).startswith("/") if len(operands) else False
        elif operator == "q":
            self.stack.append((self.clear, self.patterned, self.clip))
        elif operator == "Q" and self.stack:
            self.clear, self.patterned, self.clip = self.stack.pop()
        elif operator == "Do" and before and not self.clear:
            for box in self.form_boxes(spelled(operands[0])):
                corners = [_moved(p, ctm) for p in ((box.left, box.bottom), (box.right, box.top))]
                self._keep(_bounds(corners, before), ctm)

    def _paint(self, fills: bool, before: int) -> None:
        boxes = [_bounds(points, before) for points in self.path]
        if fills and before and len(boxes) <= _SHAPES and not (self.clear or self.patterned or self.curved):
            for number, (box, points) in enumerate(zip(boxes, self.path, strict=True)):
                # Of shapes inside each other the outer may be a frame and the inner a hole, which hide nothing.
                others = boxes[:number] + boxes[number + 1 :]
                framed = any(box.holds(other) or other.holds(box) for other in others)
                if _is_upright(points, box) and not framed:
                    self._keep(box)
        if self.clips and boxes:
            whole = _bounds([p for points in self.path for p in points], 0)
            self.clip = self.clip.within(whole)
        self.path, self.curved, self.clips = [], False, False

    def _keep(self, box: Box, ctm: Matrix | None = None) -> None:
        if ctm is not None and not (abs(ctm[1]) + abs(ctm[2]) < 1e-6 or abs(ctm[0]) + abs(ctm[3]) < 1e-6):
            return  # turned: its bounds are more than itself
        seen = box.within(self.clip)
        if min(seen.right - seen.left, seen.top - seen.bottom) >= _THINNEST:
            self.boxes.append(seen)


def covered(glyphs: Sequence[Glyph], boxes: Sequence[Box]) -> set[int]:
    """The places in ``glyphs`` of those that boxes drawn later lie over. O(boxes x glyphs), both bounded, in arrays."""
    if not boxes or not glyphs:
        return set()
    columns = np.array([(g.angle, g.across, g.begin, g.end, g.size) for g in glyphs], dtype=np.float64).T
    turn, across, along = np.radians(columns[0]), columns[1], (columns[2] + columns[3]) / 2
    cos, sin = np.cos(turn), np.sin(turn)
    points = [
        (along * cos - (across + part * columns[4]) * sin, along * sin + (across + part * columns[4]) * cos)
        for part in (_LOW, _HIGH)
    ]
    hidden = np.zeros(len(glyphs), dtype=bool)
    for box in boxes:
        over = np.ones(box.before, dtype=bool)
        for x, y in points:
            x, y = x[: box.before], y[: box.before]
            over &= (x >= box.left) & (x <= box.right) & (y >= box.bottom) & (y <= box.top)
        hidden[: box.before] |= over
    return {int(i) for i in np.flatnonzero(hidden)}


def _moved(point: tuple[float, float], m: Matrix) -> tuple[float, float]:
    x, y = point
    return x * m[0] + y * m[2] + m[4], x * m[1] + y * m[3] + m[5]


def _bounds(points: Sequence[tuple[float, float]], before: int) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys), before)


def _is_upright(points: Sequence[tuple[float, float]], box: Box) -> bool:
    """Whether a path is its own bounding box: four corners, all of them the box's."""
    corners = {(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)}
    near = {
        min(corners, key=lambda c: abs(c[0] - x) + abs(c[1] - y))
        for x, y in points
        if any(abs(c[0] - x) + abs(c[1] - y) < 0.1 for c in corners)
    }
    return len(points) in (4, 5) and len(near) == 4
