"""The text of a page together with that of the forms it draws.

A *sheet* is what is read as one: a page (or a pattern, a glyph, a form that is drawn in several places) and the forms
that are drawn once, by it. All its glyphs stand in the coordinates of the page, so letters on the page and letters in a
form beside them make one word. Each content stream keeps its own glyphs, for it is written on its own.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from pikepdf import Array, Stream

from taciturn.formats.base import GLUE, FormatError, LimitError, Slot
from taciturn.formats.pdf.content import IDENTITY, Glyph, Matrix, multiply
from taciturn.formats.pdf.covers import covered
from taciturn.formats.pdf.drawings import drawn_once, form_of
from taciturn.formats.pdf.fonts import Font
from taciturn.formats.pdf.lines import Assembly, assemble, rows
from taciturn.formats.pdf.resources import inherited
from taciturn.formats.pdf.source import Key, Scope, Source

__all__ = ["Reader", "ScopeText", "Sheet", "SheetText", "right_edge", "runs_of"]

_MOST_COPIES = 1_000_000
"""How many letters of forms that are drawn in several places are looked at on a page."""
_DEEPEST = 100
_MARGIN = 18.0  # points: what stands for removed words may reach so near to the edge of the page


class ScopeText(NamedTuple):
    """The text of a content stream: its glyphs, and the font and code of each."""

    glyphs: list[Glyph]
    codes: list[tuple[Font, int]]
    shown: list[tuple[Font, list[int]]]
    unseen: set[int]
    pictures: int
    covered: int
    draws: list[tuple[str, Matrix]]
    unreadable: list[int]
    moves: set[int]


@dataclass(slots=True)
class Sheet:
    """What is read as one: the content streams, the one that draws the others first; ``base`` numbers its glyphs."""

    scopes: list[Scope]
    base: int = 0
    read: bool = False

    @property
    def place(self) -> str:
        return self.scopes[0].place


def right_edge(sheet: Sheet) -> float:
    """How far to the right text of a page may stand, with a narrow margin; nowhere if the sheet is no page."""
    page = sheet.scopes[0].stream
    if str(page.get("/Type", "")) != "/Page":
        return -math.inf
    boxes = (inherited(page, key) for key in ("/CropBox", "/MediaBox"))
    box = next(box for box in boxes if isinstance(box, Array) and len(box) == 4)
    return max(float(box[0]), float(box[2])) - _MARGIN


class SheetText(NamedTuple):
    """The text of a sheet: that of each of its streams, and how their glyphs read together. The assembly numbers
    glyphs through all streams of the sheet."""

    texts: list[ScopeText]
    assembly: Assembly


@dataclass(slots=True)
class Reader:
    """Reads the sheets of a file. ``once`` are the forms that wait for the stream that draws them, ``copies`` the
    glyphs of those that are drawn in several places, in their own coordinates."""

    source: Source
    once: dict[Key, Scope] = field(default_factory=dict)
    scopes: dict[Key, Scope] = field(default_factory=dict)
    copies: dict[Key, list[Glyph]] = field(default_factory=dict)

    def sheets(self) -> Iterator[Sheet]:
        """The sheets of the file; each has its forms when it is read."""
        once = drawn_once(self.source)
        self.scopes = {scope.key: scope for scope in self.source.scopes}
        self.once = {key: scope for key, scope in self.scopes.items() if key in once}
        for scope in self.source.scopes:
            if scope.key not in once:
                yield Sheet([scope])
        # What is not drawn after all (its name stands in a string, or forms draw each other) is read on its own.
        while self.once:
            yield Sheet([self.once.pop(next(iter(self.once)))])

    def read(self, sheet: Sheet, base: int = 0) -> SheetText:
        """The text of a sheet; at the first time its forms are found and its glyphs numbered from ``base`` on."""
        if not sheet.read:
            sheet.base = base
        texts: list[ScopeText] = []
        glyphs: list[Glyph] = []
        moves: set[int] = set()
        for scope in sheet.scopes:  # which grows while it is read
            if not sheet.read:
                scope.base = sheet.base + len(glyphs)
            text = _scope_text(scope, self.source)
            texts.append(text)
            offset = len(glyphs)
            moves.update(holder + offset for holder in text.moves)
            glyphs += [glyph._replace(holder=glyph.holder + offset) for glyph in text.glyphs] if offset else text.glyphs
            if not sheet.read:
                sheet.scopes += self._drawn_here(scope, text, sheet.place)
        sheet.read = True
        self._refuse_pieces(sheet, texts, glyphs)
        return SheetText(texts, assemble(glyphs, sheet.base, moves))

    def _drawn_here(self, scope: Scope, text: ScopeText, place: str) -> Iterator[Scope]:
        for form, ctm in _forms(scope, text):
            if (inner := self.once.pop(form.objgen, None)) is not None:
                inner.placement, inner.place = ctm, place
                yield inner

    def _refuse_pieces(self, sheet: Sheet, texts: list[ScopeText], glyphs: list[Glyph]) -> None:
        """Refuse a word made of letters of the sheet and of a form that is drawn in several places: no letter of it
        could be removed here without being removed there."""
        own = {scope.key for scope in sheet.scopes}
        copies = [
            [_moved(glyph, ctm) for glyph in self._copy(form.objgen)]
            for scope, text in zip(sheet.scopes, texts, strict=True)
            for form, ctm in _forms(scope, text)
            if form.objgen not in own
        ]
        if sum(map(len, copies)) > _MOST_COPIES:
            raise LimitError(
                f"{sheet.place} of {self.source.name!r} draws the same letters again and again; print it anew"
            )
        if any(copies) and _touch([glyphs, *copies]):
            raise FormatError(
                f"{sheet.place} of {self.source.name!r} makes a word of letters on the page and of a drawing that is "
                "used in several places; print it anew as PDF"
            )

    def _copy(self, key: Key, above: tuple[Key, ...] = ()) -> list[Glyph]:
        """The glyphs of a form and of what it draws, in its own coordinates."""
        if len(above) > _DEEPEST:
            raise LimitError(f"{self.source.name!r} has forms in forms more than {_DEEPEST} deep; print it anew as PDF")
        if key not in self.copies and key in self.scopes and key not in above:
            scope = replace(self.scopes[key], placement=IDENTITY)
            text = _scope_text(scope, self.source)
            found = list(text.glyphs)
            for form, ctm in _forms(scope, text):
                found += [_moved(glyph, ctm) for glyph in self._copy(form.objgen, (*above, key))]
                if len(found) > _MOST_COPIES:
                    raise LimitError(
                        f"a form of {self.source.name!r} draws the same letters again and again; print it anew"
                    )
            self.copies[key] = found
        return self.copies.get(key, [])


def _forms(scope: Scope, text: ScopeText) -> Iterator[tuple[Stream, Matrix]]:
    """The forms that a stream draws, and the matrix that takes their coordinates to those of the stream."""
    for name, ctm in text.draws:
        form = form_of(scope, name)
        if form is not None:
            matrix = form.get("/Matrix")
            own = tuple(float(v) for v in matrix) if isinstance(matrix, Array) else ()
            yield form, multiply(own, ctm) if len(own) == 6 else ctm


def _scope_text(scope: Scope, source: Source) -> ScopeText:
    interpreter, covers = source.interpreter(scope), source.covers(scope)
    interpreter.tell = False
    for instruction, operator, _ in interpreter.run(source.instructions(scope)):
        covers.see(operator, instruction.operands, interpreter.state.ctm, len(interpreter.glyphs))
    glyphs = interpreter.glyphs
    return ScopeText(
        glyphs,
        interpreter.codes,
        interpreter.shown,
        interpreter.unseen,
        interpreter.pictures,
        sum(bool((glyphs[i].text or "").strip()) for i in covered(glyphs, covers.boxes)),
        interpreter.draws,
        [glyph[6] for glyph in glyphs if glyph[5] is None],
        interpreter.moves,
    )


def _moved(glyph: Glyph, m: Matrix) -> Glyph:
    """A glyph of a form where the form is drawn.

    >>> _moved(Glyph(0, 10.0, 5.0, 8.0, 10.0, "a", 0), (2.0, 0.0, 0.0, 2.0, 100.0, 0.0))
    Glyph(angle=0, across=20.0, begin=110.0, end=116.0, size=20.0, text='a', holder=0)
    """
    turn = math.radians(glyph.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    right = (cos * m[0] + sin * m[2], cos * m[1] + sin * m[3])
    up = (-sin * m[0] + cos * m[2], -sin * m[1] + cos * m[3])
    x, y = glyph.begin * cos - glyph.across * sin, glyph.begin * sin + glyph.across * cos
    x, y = x * m[0] + y * m[2] + m[4], x * m[1] + y * m[3] + m[5]
    length = math.hypot(*right)
    angle = round(math.degrees(math.atan2(right[1], right[0]))) % 360 if length else 0
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    begin, across = x * cos + y * sin, -x * sin + y * cos
    end = begin + (glyph.end - glyph.begin) * length
    return Glyph(angle, across, begin, end, glyph.size * math.hypot(*up), glyph.text, glyph.holder)


def _touch(groups: list[list[Glyph]]) -> bool:
    """Whether letters of two groups stand side by side on one line, like letters of one word."""
    tagged = [glyph._replace(holder=n) for n, group in enumerate(groups) for glyph in group if glyph.text]
    for row in rows(tagged):
        for one, other in pairwise(row):
            least = min(one.size, other.size)
            if (
                one.holder != other.holder
                and (one.text or "")[-1:].isalnum()
                and (other.text or "")[:1].isalnum()
                and max(one.size, other.size) < 1.25 * least
                and -0.15 * least < other.begin - one.end < 0.2 * least
            ):
                return True
    return False


def runs_of(slots: list[Slot], sheet: Sheet, first: int) -> Iterator[tuple[Scope, int, int]]:
    """The slots of a paragraph by the content stream that stores them: stream, first slot and the one after the last,
    counted from ``first``. Slots that store nothing go with the one before."""
    scopes = sheet.scopes
    if len(scopes) == 1:
        yield scopes[0], first, first + len(slots)
        return
    bases = [scope.base for scope in scopes]
    owner: Scope | None = None
    begin = 0
    for number, slot in enumerate(slots):
        if slot.holder == GLUE:
            continue
        mine = scopes[bisect_right(bases, slot.holder) - 1]
        if owner is not None and mine is not owner:
            yield owner, first + begin, first + number
            begin = number
        owner = mine
    if owner is not None:
        yield owner, first + begin, first + len(slots)
