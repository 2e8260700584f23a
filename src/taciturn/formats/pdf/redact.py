"""True redaction of one content stream: glyphs leave it, replacements are set in the same text state.

Colour, rotation, rendering mode and everything drawn around the text stay. A removed glyph leaves a move of its width
(``keep_layout``), or the rest of its line moves up to close the gap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Operator, String

from taciturn.formats.pdf.content import Interpreter, Show
from taciturn.formats.pdf.edits import NARROWEST, Edits, Replacement, widened
from taciturn.formats.pdf.fonts import Font, spelled
from taciturn.formats.pdf.standard import BASE_WIDTHS, base_font, encode_winansi

__all__ = ["rewrite_stream"]

Instruction = tuple[list[Any], Operator]
_WITH_STRINGS = frozenset(("Tj", "TJ", "'", '"', "BDC", "INLINE IMAGE"))
_OPERATORS = _WITH_STRINGS | frozenset(
    "b B b* B* BI BMC BT BX c cm CS cs d d0 d1 Do EI EMC ET EX f F f* G g gs h i ID j J K k l M m n q Q re RG rg ri s "
    "S SC sc SCN scn sh T* Tc Td TD Tf TL Tm Tr Ts Tw Tz v w W W* y".split()
)
"""The operators of content streams that may stay; marks (MP, DP) show nothing."""
_BELOW, _ABOVE = 0.22, 0.78  # of the size: how far a box reaches from the base line
_GREY = 0.87


class _Rewriter:
    """Emits the instructions of one stream anew."""

    def __init__(
        self,
        interpreter: Interpreter,
        edits: Edits,
        keep_layout: bool,
        boxes: bool,
        scan: bool,
        resource: Callable[[str], str],
        encode: Callable[[Font, str], bytes | None],
        rename: Mapping[str, str],
    ) -> None:
        self.interpreter, self.edits = interpreter, edits
        self.keep_layout, self.resource, self.encode, self.rename = keep_layout, resource, encode, rename
        self.boxes, self.scan = boxes and keep_layout, scan
        self.out: list[Instruction] = []
        self.offset = 0.0  # how far right of its old place the next glyph would stand, in unscaled text space
        self.shifts: dict[int, list[tuple[float, float]]] = {}  # of each line: from where on, how far
        self.widths: dict[int, float] = {}  # of what was set at each holder, in device units
        self.tight: dict[int, float] = {}  # the widths of what had to be squeezed too far, in device units
        self.widened: Mapping[int, float] = {}  # by how much gaps are wider than what stood there
        self.size = 1.0  # of the last operator that showed text
        self.lead = 0.0  # how far the next glyph stands from where the position was set anew
        self.seen = 0

    def emit(self, operator: str, *operands: Any) -> None:
        self.out.append((list(operands), Operator(operator)))

    def show(self, instruction: Any, operator: str, shows: list[Show]) -> None:
        interpreter, edits = self.interpreter, self.edits
        first, self.seen = self.seen, interpreter.holder
        touched = not edits.removed.isdisjoint(range(first, self.seen))
        step, size = interpreter.direction
        if not touched and abs(self.offset) < 1e-9 and not self.shifts:
            self.out.append(instruction)
            return
        state = interpreter.state
        if operator == "'":
            self.emit("T*")
        elif operator == '"':
            self.emit("Tw", state.word_spacing)
            self.emit("Tc", state.spacing)
            self.emit("T*")
        if not size:
            return  # nothing of size 0 is seen
        self.size = size
        pending: list[Any] = []
        text = bytearray()

        def flush(show: bool) -> None:
            nonlocal pending, text
            if text:
                pending.append(String(bytes(text)))
                text = bytearray()
            if show and pending:
                self.emit("TJ", Array(pending))
                pending = []

        def move(distance: float) -> None:
            flush(False)
            pending.append(round(-distance * 1000.0 / size, 3))

        holder, at = first, 0.0
        for item in shows:
            if item.code < 0:
                move(item.advance)
                at += item.advance
                continue
            needed = self.shift(holder, step)
            if holder not in edits.removed:
                if abs(needed - self.offset) > 1e-6:
                    move(needed - self.offset)
                    self.offset = needed
                text += item.data
            else:
                if holder in edits.put:
                    if abs(needed - self.offset) > 1e-6:
                        move(needed - self.offset)
                        self.offset = needed
                    flush(True)
                    width = self.put(edits.put[holder], step, at + self.offset)
                    if self.lead:
                        move(self.lead)
                        self.lead = 0.0
                    self.offset += width
                    self.widths[holder] = width * step
                self.offset -= item.advance
            at += item.advance
            holder += 1
        flush(True)

    def settle(self) -> None:
        """Before another font, which may run another way: the position is where it was without any edit."""
        self.emit("TJ", Array([round(self.offset * 1000.0 / self.size, 3)]))
        self.offset = 0.0

    def shift(self, holder: int, step: float) -> float:
        """How far a glyph moves because gaps before it on its line closed."""
        if not self.shifts or not step:
            return 0.0
        line = self.edits.line_of.get(holder)
        if line is None or line not in self.shifts:
            return 0.0
        begin = self.interpreter.glyphs[holder].begin
        return sum(delta for at, delta in self.shifts[line] if begin >= at - 1e-3) / step

    def close_gaps(self, widths: Mapping[int, float]) -> None:
        """How far what follows each gap moves: by the gap, less what is set in it."""
        for line, begin, end, owner in self.edits.gaps:
            self.shifts.setdefault(line, []).append((end, begin - end + widths.get(owner, 0.0)))

    def widen_gaps(self, more: Mapping[int, float]) -> None:
        """What follows a gap on its line moves as far as the gap becomes wider."""
        self.widened = more
        for line, _, end, owner in self.edits.gaps:
            if owner in more:
                self.shifts.setdefault(line, []).append((end, more[owner]))

    def put(self, replacement: Replacement, step: float, at: float) -> float:
        """Set a text, ``at`` from where the operator began; how far it moves the position, in unscaled text space."""
        state = self.interpreter.state
        font, size = state.font, state.size
        gap = replacement.gap + self.widened.get(replacement.holder, 0.0)
        if (
            self.boxes
            and replacement.holder not in self.edits.bare
            and (state.mode < 3 or self.scan)
            and step
            and not (font is not None and font.vertical)
        ):
            self.box(at, gap / step)
        if not replacement.text:
            return 0.0
        own = self.encode(font, replacement.text) if font is not None and not self.scan else None
        if own is not None and font is not None:
            data, units = own, font.decode(own).widths
            name = self.rename.get(state.font_name, state.font_name)
        else:
            data, units, name = self.standard(replacement.text)
            if font is not None and font.vertical:
                return self.put_turned(data, sum(units) * size, name, replacement.gap / step if step else 0.0, at)
        spaces = data.count(b" ") if own is None else 0
        spacing = len(units) * state.spacing + spaces * state.word_spacing
        natural = sum(units) * size + spacing
        room = gap / step if step else 0.0
        ratio = 1.0
        if self.keep_layout and natural and 0 < room / natural < 1:
            ratio = room / natural
            if ratio < NARROWEST:
                self.tight[replacement.holder] = natural * step
        # Scaling squeezes what runs from left to right; what runs down can only be set smaller.
        squeeze = max(ratio, NARROWEST) if font is None or not font.vertical else 1.0
        set_size = size * (ratio / squeeze)
        if own is None or set_size != size:
            self.emit("Tf", Name(name), set_size)
        if squeeze < 1.0:
            self.emit("Tz", round(100.0 * state.scaling * squeeze, 3))
        if self.scan:  # its words are not drawn, for they stand in the picture; what stands instead does not
            self.emit("Tr", 0)
        self.emit("Tj", String(data))
        if self.scan:
            self.emit("Tr", state.mode)
        if squeeze < 1.0:
            self.emit("Tz", round(100.0 * state.scaling, 3))
        if own is None or set_size != size:
            self.emit("Tf", Name(self.rename.get(state.font_name, state.font_name) or "/F0"), size)
        return (sum(units) * set_size + spacing) * squeeze

    def box(self, at: float, width: float) -> None:
        """A light box where words were, ``at`` from where the operator began: without it the reader sees a gap and no
        reason for it. Nothing is drawn within a text object, so that is left and entered again."""
        interpreter = self.interpreter
        state, line = interpreter.state, interpreter.line
        a, b, c, d, e, f = interpreter.start
        low, high = state.rise - _BELOW * state.size, state.rise + _ABOVE * state.size
        left, right = at * state.scaling, (at + width) * state.scaling
        corners = [
            (round(x * a + y * c + e, 3), round(x * b + y * d + f, 3))
            for x, y in ((left, low), (right, low), (right, high), (left, high))
        ]
        if not all(isfinite(v) and abs(v) < 1e6 for corner in corners for v in corner):
            return
        # From the start of the line to where the text stands; the line itself stays where later operators count from.
        length = a * a + b * b or 1.0
        along = ((e - line[4]) * a + (f - line[5]) * b) / length / (state.scaling or 1.0) + at
        across = ((e - line[4]) * -b + (f - line[5]) * a) / length
        if not state.size or abs(across) > 1e-3 * abs(state.size):
            return  # the place could not be reached again
        self.emit("ET")
        self.emit("q")
        self.emit("g", _GREY)
        (x, y), (u, v), (opposite, top), _ = corners
        if y == v and u == opposite:  # upright: one operator instead of five, for every reader must take them in
            self.emit("re", x, y, round(u - x, 3), round(top - v, 3))
        else:
            for number, corner in enumerate(corners):
                self.emit("l" if number else "m", *corner)
            self.emit("h")
        for operator in ("f", "Q", "BT"):
            self.emit(operator)
        self.emit("Tm", *line)
        if abs(along) > 1e-6:
            self.emit("TJ", Array([round(-along * 1000.0 / state.size, 3)]))

    def standard(self, text: str) -> tuple[bytes, list[float], str]:
        """A text in the standard font that looks like the one in use: its bytes, widths, and the font's name."""
        font = self.interpreter.state.font
        likeness = base_font(font.name if font else "", font.flags if font else 0)
        data = encode_winansi(text)
        shown = data.decode("windows-1252", errors="replace")
        units = [BASE_WIDTHS[likeness].get(c, 500) / 1000.0 for c in shown]
        return data, units, self.resource(likeness)

    def put_turned(self, data: bytes, natural: float, name: str, room: float, at: float) -> float:
        """Set a text of a horizontal font down a vertical line, turned by a quarter. The operators that follow find
        the line matrix as it was, so position is reached again from the line's start."""
        interpreter = self.interpreter
        state, line = interpreter.state, interpreter.line
        a, b, c, d, e, f = interpreter.start
        size, used = state.size, self.rename.get(state.font_name, state.font_name) or "/F0"
        ratio = min(-room / natural, 1.0) if self.keep_layout and natural and room < 0 else 1.0
        low = 0.35 * size  # what is turned stands on a line left of the middle
        turned = (-c, -d, a, b, e + at * c - low * a, f + at * d - low * b)
        for operator, *operands in (
            ("Tc", 0), ("Tw", 0), ("Ts", 0), ("Tz", round(100.0 * max(ratio, NARROWEST), 3)),
            ("Tf", Name(name), size * min(ratio / NARROWEST, 1.0)), ("Tm", *turned), ("Tj", String(data)),
            ("Tm", *line), ("Tz", 100), ("Tf", Name(name), 1),
        ):  # fmt: skip
            self.emit(operator, *operands)
        right = ((e - line[4]) * a + (f - line[5]) * b) / (a * a + b * b or 1.0)
        up = ((e - line[4]) * c + (f - line[5]) * d) / (c * c + d * d or 1.0) + at - natural * ratio
        if abs(right) > 1e-3:
            self.emit("TJ", Array([round(-1000.0 * right, 3)]))
        for operator, *operands in (
            ("Tc", state.spacing), ("Tw", state.word_spacing), ("Ts", state.rise),
            ("Tz", round(100 * state.scaling, 3)), ("Tf", Name(used), size),
        ):  # fmt: skip
            self.emit(operator, *operands)
        self.lead = up
        return -natural * ratio


def rewrite_stream(
    instructions: Sequence[Any],
    interpret: Callable[[], Interpreter],
    edits: Edits,
    *,
    keep_layout: bool,
    boxes: bool,
    scan: bool,
    resource: Callable[[str], str],
    encode: Callable[[Font, str], bytes | None],
    rename: Mapping[str, str],
    pictures: str,
) -> bytes:
    """The stream with its edits made, without marked content (but layers), comments and, by option, inline pictures."""
    interpreter = interpret()
    interpreter.place = not keep_layout
    rewriter = _Rewriter(interpreter, edits, keep_layout, boxes, scan, resource, encode, rename)
    if not keep_layout and edits.gaps:
        # Once to learn how wide the replacements are, for what follows on a line may be drawn before them.
        _rewrite(instructions, rewriter, pictures)
        widths = rewriter.widths
        rewriter = _Rewriter(interpret(), edits, keep_layout, boxes, scan, resource, encode, rename)
        rewriter.close_gaps(widths)
    _rewrite(instructions, rewriter, pictures)
    if boxes and keep_layout and (more := widened(edits, rewriter.tight)):
        rewriter = _Rewriter(interpret(), edits, keep_layout, boxes, scan, resource, encode, rename)
        rewriter.widen_gaps(more)
        _rewrite(instructions, rewriter, pictures)
    return bytes(pikepdf.unparse_content_stream(rewriter.out))


def _has_metadata(instruction: Any) -> bool:
    """Whether an inline picture is of a kind that carries more than its pixels, or of none that is known."""
    try:
        return bool({"/DCTDecode", "/DCT", "/JPXDecode"} & set(instruction.iimage.filters))
    except (pikepdf.PdfError, NotImplementedError, AttributeError, TypeError, ValueError, KeyError):
        return True


def _rewrite(instructions: Sequence[Any], rewriter: _Rewriter, pictures: str) -> None:
    interpreter, rename = rewriter.interpreter, rewriter.rename
    kept: list[bool] = []
    # Where nothing is removed, text is not looked at.
    plain = ((i, spelled(i.operator), None) for i in instructions)
    for instruction, operator, shows in interpreter.run(instructions) if rewriter.edits.removed else plain:
        if interpreter.moved:
            rewriter.offset = 0.0
            interpreter.moved = False
        if shows is not None:
            rewriter.show(instruction, operator, shows)
        elif operator not in _OPERATORS or (rewriter.edits.removed and operator in ("Tj", "TJ", "'", '"')):
            continue  # a mark, what is no operator, or a broken one
        elif operator not in _WITH_STRINGS and any(isinstance(o, String | Dictionary) for o in instruction.operands):
            continue  # no such operator takes a text: viewers ignore what is too much, and it may say anything
        elif operator in ("BMC", "BDC"):
            operands = instruction.operands
            layer = operator == "BDC" and spelled(operands[0]) == "/OC" and isinstance(operands[1], Name)
            kept.append(layer)
            if layer:
                name = rename.get(str(operands[1]), str(operands[1]))
                rewriter.emit("BDC", Name("/OC"), Name(name))
        elif operator == "EMC":
            if kept and kept.pop():
                rewriter.emit("EMC")
        elif operator == "INLINE IMAGE":
            if pictures == "keep" and not _has_metadata(instruction):
                rewriter.out.append(instruction)
            else:
                for grey in (("q",), ("g", 0.8), ("re", 0, 0, 1, 1), ("f",), ("Q",)):
                    rewriter.emit(grey[0], *grey[1:])
        elif rename and any(isinstance(o, Name) and spelled(o) in rename for o in instruction.operands):
            operands = [
                Name(rename[spelled(o)]) if isinstance(o, Name) and spelled(o) in rename else o
                for o in instruction.operands
            ]
            rewriter.emit(operator, *operands)
        else:
            if operator == "Tf" and abs(rewriter.offset) > 1e-6 and not rewriter.shifts:
                rewriter.settle()
            rewriter.out.append(instruction)
    while kept:
        if kept.pop():
            rewriter.emit("EMC")
