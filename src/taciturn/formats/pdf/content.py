"""Content streams: where each glyph stands. The interpreter knows text and nothing else of graphics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, repeat
from typing import Any, NamedTuple

from pikepdf import Array, String

from taciturn.formats.base import LimitError
from taciturn.formats.pdf.fonts import Font, spelled

__all__ = ["IDENTITY", "Glyph", "Interpreter", "Matrix", "Show", "TextState", "multiply"]

Matrix = tuple[float, float, float, float, float, float]
_new = tuple.__new__
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(m: Matrix, n: Matrix) -> Matrix:
    a, b, c, d, e, f = m
    g, h, i, j, k, o = n
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + o)


class Glyph(NamedTuple):
    """A character on a page: direction (degrees), how far across and along it (begin, end), size, what it says."""

    angle: int
    across: float
    begin: float
    end: float
    size: float
    text: str | None
    holder: int


@dataclass(slots=True)
class TextState:
    """The part of the graphics state that text depends on."""

    ctm: Matrix = IDENTITY
    font: Font | None = None
    font_name: str = ""
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    scaling: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def copy(self) -> TextState:
        return TextState(
            self.ctm,
            self.font,
            self.font_name,
            self.size,
            self.spacing,
            self.word_spacing,
            self.scaling,
            self.leading,
            self.rise,
            self.mode,
        )


class Show(NamedTuple):
    """One piece of a text-showing operator: a string's character or, with ``width`` alone, a move in between."""

    data: bytes
    code: int
    text: str | None
    advance: float  # in unscaled text space, before horizontal scaling


@dataclass(slots=True)
class Interpreter:
    """Walks instructions and calls ``on_show`` for each text-showing operator.

    ``fonts`` gives a font by its resource name. The text matrix after an operator is kept as the standard says.
    """

    fonts: Callable[[str], Font | None]
    limit: int
    state: TextState = field(default_factory=TextState)
    stack: list[TextState] = field(default_factory=list)
    matrix: Matrix = IDENTITY
    line: Matrix = IDENTITY
    glyphs: list[Glyph] = field(default_factory=list)
    holder: int = 0
    moved: bool = True  # whether the position was set anew since a rewriter saw it
    fresh: bool = True  # whether it was since the last operator that showed text
    sets_font: Callable[[str], bool] = lambda name: False  # whether a graphics state of that name brings a font
    place: bool = True  # whether glyphs are placed; False where only their advances matter
    tell: bool = True  # whether what operators show is told; False where only places matter
    codes: list[tuple[Font, int]] = field(default_factory=list)  # font and code of each glyph, if they are placed
    shown: list[tuple[Font, list[int]]] = field(default_factory=list)  # the same, string by string
    direction: tuple[float, float] = (1.0, 1.0)  # of the last operator that showed text: step, size
    is_picture: Callable[[str], bool] = lambda name: False  # whether an XObject of that name is a picture
    unseen: set[int] = field(default_factory=set)  # glyphs that are invisible, or lie under a picture
    pictures: int = 0
    moves: set[int] = field(default_factory=set)  # glyphs before which the position was set anew
    draws: list[tuple[str, Matrix]] = field(default_factory=list)  # what was drawn, by its name, and where
    start: Matrix = IDENTITY  # the text matrix where the last operator that showed text began

    def run(self, instructions: Sequence[Any]) -> Iterator[tuple[Any, str, list[Show] | None]]:
        """Each instruction with its operator and, if it shows text, what it shows."""
        if len(instructions) > self.limit:
            raise LimitError(
                f"a page has {len(instructions):,} operators, the limit is {self.limit:,} (Limits.operators)"
            )
        for instruction in instructions:
            operator = spelled(instruction.operator)
            shows = None
            if operator in _TEXT_OPERATORS:
                operands = instruction.operands
                try:
                    shows = self._text(operator, operands)
                except (IndexError, TypeError, ValueError, ArithmeticError):
                    shows = None  # a broken operator shows nothing in a viewer either
                    if operator == "Tf":
                        self.state.font = None  # but which font is set now, no two viewers agree on
            elif operator == "INLINE IMAGE":
                self._cover()
            elif operator == "Do" and instruction.operands:
                name = spelled(instruction.operands[0])
                self.draws.append((name, self.state.ctm))
                if self.is_picture(name):
                    self._cover()
            yield instruction, operator, shows

    def _text(self, operator: str, operands: Any) -> list[Show] | None:
        state = self.state
        if operator in ("Tj", "'", '"', "TJ"):
            if operator == "'":
                self._next_line(0.0, -state.leading)
            elif operator == '"':
                state.word_spacing, state.spacing = float(operands[0]), float(operands[1])
                self._next_line(0.0, -state.leading)
            content = operands[-1]
            return self._show(content if operator == "TJ" else (content,))
        if operator == "Td":
            self._next_line(float(operands[0]), float(operands[1]))
        elif operator == "TD":
            state.leading = -float(operands[1])
            self._next_line(float(operands[0]), float(operands[1]))
        elif operator == "Tm":
            a, b, c, d, e, f = (float(v) for v in operands)
            self.matrix = self.line = (a, b, c, d, e, f)
            self.moved = self.fresh = True
        elif operator == "T*":
            self._next_line(0.0, -state.leading)
        elif operator == "Tf":
            state.font_name = spelled(operands[0])
            state.font, state.size = self.fonts(state.font_name), float(operands[1])
        elif operator == "BT":
            self.matrix = self.line = IDENTITY
            self.moved = self.fresh = True
        elif operator == "Tc":
            state.spacing = float(operands[0])
        elif operator == "Tw":
            state.word_spacing = float(operands[0])
        elif operator == "Tz":
            state.scaling = float(operands[0]) / 100.0
        elif operator == "TL":
            state.leading = float(operands[0])
        elif operator == "Ts":
            state.rise = float(operands[0])
        elif operator == "Tr":
            state.mode = int(operands[0])
        elif operator == "gs":
            if self.sets_font(spelled(operands[0])):
                state.font = None
        elif operator == "cm":
            a, b, c, d, e, f = (float(v) for v in operands)
            state.ctm = multiply((a, b, c, d, e, f), state.ctm)
        elif operator == "q":
            self.stack.append(state.copy())
            if len(self.stack) > 10_000:
                raise LimitError("a page saves its state more than 10,000 times without restoring it; print it anew")
        elif operator == "Q" and self.stack:
            self.state = self.stack.pop()
        return None

    def _cover(self) -> None:
        """A picture is drawn: what was written under it is seen no more."""
        self.pictures += 1
        a, b, c, d, e, f = self.state.ctm
        xs, ys = (e, e + a, e + c, e + a + c), (f, f + b, f + d, f + b + d)
        if not self.place or not self.glyphs:
            return
        for glyph in self.glyphs if self.pictures <= _MOST_PICTURES else ():
            turn, along = math.radians(glyph.angle), (glyph.begin + glyph.end) / 2
            cos, sin = math.cos(turn), math.sin(turn)
            x, y = along * cos - glyph.across * sin, along * sin + glyph.across * cos
            if min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys):
                self.unseen.add(glyph.holder)
        if self.pictures > _MOST_PICTURES:
            self.unseen.update(range(self.holder))

    def _next_line(self, x: float, y: float) -> None:
        a, b, c, d, e, f = self.line
        self.matrix = self.line = (a, b, c, d, e + x * a + y * c, f + x * b + y * d)
        self.moved = self.fresh = True

    def _show(self, content: Any) -> list[Show]:
        state = self.state
        font, size, spacing, scaling = state.font, state.size, state.spacing, state.scaling
        if font is None:
            # Viewers fall back on some font; nobody can say what that shows.
            font = _NO_FONT
        a, b, c, d, e, f = multiply((*self.matrix[:4], 0.0, 0.0), state.ctm)
        x, y = self.matrix[4] + state.rise * self.matrix[2], self.matrix[5] + state.rise * self.matrix[3]
        ctm = state.ctm
        x, y = x * ctm[0] + y * ctm[2] + ctm[4], x * ctm[1] + y * ctm[3] + ctm[5]
        self.start = self.matrix
        if self.fresh and self.place:
            self.moves.add(self.holder)
        self.fresh = False
        if font.vertical:
            # Down the second axis: everything along the line is negative, and scaling does not touch it.
            length, sign = math.hypot(c, d), -1.0 if size >= 0 else 1.0
            direction = math.atan2(sign * d, sign * c)
            height, step = abs(size * scaling) * math.hypot(a, b), sign * length
        else:
            length, sign = math.hypot(a, b), 1.0 if size * scaling >= 0 else -1.0
            direction = math.atan2(sign * b, sign * a)
            height, step = abs(size) * math.hypot(c, d), length * scaling * sign
        angle = round(math.degrees(direction)) % 360
        if length == 0.0 or not math.isfinite(length + x + y):
            step, angle = 0.0, 0
        turn = math.radians(angle)
        cos, sin = math.cos(turn), math.sin(turn)
        along, across = x * cos + y * sin, -x * sin + y * cos
        shows: list[Show] = []
        glyphs, holder, at = self.glyphs, self.holder, 0.0
        place, tell, codes = self.place, self.tell, self.codes
        word_spacing, span = state.word_spacing, size * step
        # Letters set apart by the operator for that are no words of one letter: the space belongs to the letter.
        tracking = max(spacing * step, 0.0) if not font.vertical else 0.0
        for item in content:
            if isinstance(item, String):
                data = bytes(item)
                lengths, chars, texts, widths = font.decode(data)
                advances = [width * size + spacing for width in widths]
                if word_spacing and 32 in chars:
                    for i, code in enumerate(chars):
                        if code == 32 and lengths[i] == 1:
                            advances[i] += word_spacing
                places = list(accumulate(advances, initial=at))
                at = places.pop()
                last = holder + len(chars)
                if place:
                    begins = [along + p * step for p in places]
                    ends = [begin + width * span + tracking for begin, width in zip(begins, widths, strict=True)]
                    columns = (repeat(angle), repeat(across), begins, ends, repeat(height), texts, range(holder, last))
                    # As Glyph(...) for each, in a third of the time: this runs once for each letter of a file.
                    glyphs.extend(map(_new, repeat(Glyph), zip(*columns, strict=False)))
                    codes.extend(zip(repeat(font), chars, strict=False))
                    self.shown.append((font, chars))
                if tell:
                    cuts = accumulate(lengths)
                    pieces = [data[cut - length : cut] for cut, length in zip(cuts, lengths, strict=True)]
                    shows.extend(map(_new, repeat(Show), zip(pieces, chars, texts, advances, strict=True)))
                holder = last
            elif not isinstance(item, Array):
                move = -float(item) / 1000.0 * size
                at += move
                shows.append(Show(b"", -1, None, move))
        if state.mode in (3, 7) and place:
            self.unseen.update(range(self.holder, holder))
        self.holder = holder
        self.direction = (step, size)
        a, b, c, d, e, f = self.matrix
        if font.vertical:
            self.matrix = (a, b, c, d, e + at * c, f + at * d)
        else:
            self.matrix = (a, b, c, d, e + at * scaling * a, f + at * scaling * b)
        return shows


_MOST_PICTURES = 50
"""After so many pictures in a stream all text before them counts as covered: looking costs a hostile file's square."""
_NO_FONT = Font("", True, readable=False, default_width=500.0)
_TEXT_OPERATORS = frozenset(
    ("Tj", "TJ", "'", '"', "Td", "TD", "Tm", "T*", "Tf", "BT", "Tc", "Tw", "Tz", "TL", "Ts", "Tr", "cm", "q", "Q", "gs")
)
