"""A PDF opened for release: its content streams, fonts, bookmarks, links and layers.

Forms and annotations that show something are flattened into their pages first, so that all text a reader sees stands in
content streams: of pages, forms, patterns, soft masks and Type 3 glyphs. Each is a *scope* with passages of its own.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from taciturn.formats.base import Context, FormatError, LimitError
from taciturn.formats.pdf.content import IDENTITY, Interpreter, Matrix
from taciturn.formats.pdf.covers import Box, Covers
from taciturn.formats.pdf.fonts import Font, read_font, spelled
from taciturn.formats.pdf.navigation import Bookmark, Link, bookmarks_of, links_of
from taciturn.formats.pdf.resources import (
    clearness,
    inherited,
    inner_streams,
    painted_streams,
    streams_of_font,
    values,
)

__all__ = ["Part", "Scope", "Source", "open_source", "pages_with"]

Key = tuple[int, int]
_ERRORS = (pikepdf.PdfError, ValueError, TypeError, KeyError, AttributeError, RuntimeError, IndexError, OverflowError)


class Part(NamedTuple):
    """A part of a passage: the passage's number, the first slot and the one after the last, where its text begins."""

    passage: int
    first: int
    end: int
    offset: int


@dataclass(slots=True)
class Scope:
    """A content stream with its resources; ``base`` numbers its first glyph, ``parts`` are its parts of passages,
    ``placement`` is where a form stands on the page that it is read with."""

    key: Key
    place: str
    stream: Object
    resources: Object
    base: int = 0
    parts: list[Part] = field(default_factory=list)
    placement: Matrix = IDENTITY
    unreadable: bool = False


@dataclass(slots=True)
class Source:
    """The opened file and what was found in it."""

    pdf: Pdf
    name: str
    context: Context
    scopes: list[Scope] = field(default_factory=list)
    fonts: dict[Key, Font] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    bookmarks: list[Bookmark] = field(default_factory=list)
    dropped: dict[str, None] = field(default_factory=dict)
    noticed: dict[str, None] = field(default_factory=dict)
    checked: set[Key] = field(default_factory=set)
    masks: set[Key] = field(default_factory=set)
    """The streams that are no forms alone: patterns and soft masks."""
    drawn: dict[Key, list[Box]] = field(default_factory=dict)
    """The boxes that forms draw."""

    def interpreter(self, scope: Scope) -> Interpreter:
        """A fresh interpreter for a scope."""
        fonts, states = scope.resources.get("/Font", Dictionary()), scope.resources.get("/ExtGState", Dictionary())

        def sets_font(name: str) -> bool:
            state = states.get(name)
            return isinstance(state, Dictionary) and "/Font" in state

        objects = scope.resources.get("/XObject", Dictionary())

        def is_picture(name: str) -> bool:
            item = objects.get(name) if isinstance(objects, Dictionary) else None
            return isinstance(item, Stream) and str(item.get("/Subtype", "")) == "/Image"

        made = Interpreter(self._font_finder(fonts), self.context.options.limits.operators, sets_font=sets_font)
        made.state.ctm = scope.placement
        if self.context.options.pictures == "keep":
            made.is_picture = is_picture
        return made

    def covers(self, scope: Scope) -> Covers:
        """Who watches for boxes that a scope draws over its text."""
        objects = scope.resources.get("/XObject", Dictionary())

        def form_boxes(name: str) -> list[Box]:
            form = objects.get(name) if isinstance(objects, Dictionary) else None
            if not isinstance(form, Stream) or str(form.get("/Subtype", "")) != "/Form":
                return []
            if form.objgen not in self.drawn:
                self.drawn[form.objgen] = self._boxes_of(form, scope)
            return self.drawn[form.objgen]

        return Covers(clearness(scope.resources), form_boxes)

    def _boxes_of(self, form: Object, scope: Scope) -> list[Box]:
        """The boxes that a form draws, in the coordinates of who draws it; forms inside it are not looked into."""
        resources = form.get("/Resources")
        resources = resources if isinstance(resources, Dictionary) else scope.resources
        inner = Scope(form.objgen, scope.place, form, resources)
        interpreter = Interpreter(lambda name: None, self.context.options.limits.operators, place=False, tell=False)
        matrix, corners = _numbers(form.get("/Matrix")), _numbers(form.get("/BBox"))
        if len(matrix) == 6:
            interpreter.state.ctm = cast(Matrix, tuple(matrix))
        covers = Covers(clearness(inner.resources))
        if len(corners) == 4:
            covers.see("re", (*corners[:2], corners[2] - corners[0], corners[3] - corners[1]), interpreter.state.ctm, 0)
            covers.see("W", (), interpreter.state.ctm, 0)
            covers.see("n", (), interpreter.state.ctm, 0)
        for instruction, operator, _ in interpreter.run(self.instructions(inner)):
            covers.see(operator, instruction.operands, interpreter.state.ctm, 1)
        return covers.boxes

    def _font_finder(self, fonts: Object) -> Callable[[str], Font | None]:
        found: dict[str, Font | None] = {}

        def find(name: str) -> Font | None:
            if name not in found:
                dictionary = fonts.get(name) if isinstance(fonts, Dictionary) else None
                found[name] = self.font(dictionary) if isinstance(dictionary, Dictionary) else None
            return found[name]

        return find

    def font(self, dictionary: Object) -> Font:
        key = dictionary.objgen
        if key not in self.fonts:
            for stream in streams_of_font(dictionary):
                self.measure(stream)
            self.fonts[key] = read_font(dictionary)
        return self.fonts[key]

    def instructions(self, scope: Scope) -> list[Any]:
        """The operators of a scope; a stream that cannot be parsed is refused."""
        stream = scope.stream
        contents = stream.get("/Contents") if not isinstance(stream, Stream) else stream
        self.measure_content(scope)
        try:
            if isinstance(stream, Stream):
                return list(pikepdf.parse_content_stream(stream))
            return list(pikepdf.parse_content_stream(pikepdf.Page(stream))) if contents is not None else []
        except (*_ERRORS, pikepdf.PikepdfError) as error:
            raise FormatError(
                f"{self.name!r} has a page that cannot be parsed ({type(error).__name__}); print it anew as PDF"
            ) from None

    def measure_content(self, scope: Scope) -> None:
        """Refuse content that would expand beyond the limits."""
        stream = scope.stream
        contents = stream.get("/Contents") if not isinstance(stream, Stream) else stream
        for part in contents if isinstance(contents, Array) else [contents]:
            if isinstance(part, Stream):
                self.measure(part)

    def measure(self, stream: Object) -> None:
        """Refuse a stream that would expand beyond the limits, before anything expands it."""
        if stream.objgen in self.checked:
            return
        self.checked.add(stream.objgen)
        filters = stream.get("/Filter")
        names = (
            [spelled(f) for f in filters if isinstance(f, Name)]
            if isinstance(filters, Array)
            else [spelled(filters)]
            if isinstance(filters, Name)
            else []
        )
        raw = stream.read_raw_bytes()
        if len(names) > 2 or names.count("/FlateDecode") > 1:
            raise LimitError(f"{self.name!r} compresses a stream several times over, as no program does; print it anew")
        size = len(raw)
        if names and names[0] == "/FlateDecode":
            size = _inflated_size(raw, self.context.budget.left)
        elif "/FlateDecode" in names or "/LZWDecode" in names or "/RunLengthDecode" in names:
            size = len(raw) * 8
        self.context.budget.spend(size, self.name)


def _numbers(array: Any) -> list[float]:
    return [float(v) for v in array] if isinstance(array, Array) else []


def _inflated_size(raw: bytes, bound: int) -> int:
    inflater, size, rest = zlib.decompressobj(), 0, raw
    try:
        while rest and size <= bound:
            size += len(inflater.decompress(rest, 1 << 20))
            rest = inflater.unconsumed_tail
    except zlib.error:
        pass  # a damaged stream expands to no more than what was counted
    return size


def open_source(data: bytes, name: str, context: Context) -> Source:
    """Open, flatten, and find every scope."""
    try:
        pdf = pikepdf.open(io.BytesIO(data))
        count = len(pdf.pages)
    except pikepdf.PasswordError:
        raise FormatError(f"{name!r} is encrypted; save it without a password first") from None
    except (*_ERRORS, pikepdf.PikepdfError) as error:
        raise FormatError(f"{name!r} is a damaged PDF ({type(error).__name__}); print it anew as PDF") from None
    limits = context.options.limits
    if count > limits.pages:
        raise LimitError(f"{name!r} has {count:,} pages, the limit is {limits.pages:,} (Limits.pages)")
    if not count:
        raise FormatError(f"{name!r} has no pages; there is nothing to release")
    source = Source(pdf, name, context)
    try:
        _flatten(source)
        pages = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
        seen: set[Key] = set()
        for number, page in enumerate(pdf.pages):
            _check_size(page.obj, name, limits.page_points)
            links, others = links_of(page.obj, number, pages, pdf)
            source.links += links
            if others:
                source.dropped["notes and other annotations that show nothing on the page"] = None
            resources = inherited(page.obj, "/Resources")
            resources = resources if isinstance(resources, Dictionary) else Dictionary()
            scope = Scope(page.obj.objgen, f"page {number + 1}", page.obj, resources)
            source.scopes.append(scope)
            _visit(scope, resources, source, seen)
        source.bookmarks = bookmarks_of(pdf, pages)
    except pikepdf.PikepdfError as error:
        raise FormatError(f"{name!r} is a damaged PDF ({type(error).__name__}); print it anew as PDF") from None
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, RuntimeError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{name!r} is a damaged PDF ({type(error).__name__}); print it anew as PDF") from None
    return source


def _flatten(source: Source) -> None:
    pdf = source.pdf
    root = pdf.Root
    for key, what in (
        ("/Metadata", "XMP metadata"),
        ("/StructTreeRoot", "tags for assistive technology"),
        ("/OpenAction", "actions"),
        ("/AA", "actions"),
        ("/PageLabels", "page labels"),
        ("/PieceInfo", "private data of programs"),
        ("/AcroForm", "form fields (what they show stays)"),
        ("/Collection", "portfolio"),
    ):
        if key in root:
            source.dropped[what] = None
    if "/Info" in pdf.trailer:
        source.dropped["document properties"] = None
    if isinstance(root.get("/Names"), Dictionary) and "/JavaScript" in root.Names:
        source.dropped["scripts"] = None
    marked = [number for number, page in enumerate(pdf.pages, 1) if _has_marks(page.obj)]
    if marked:
        source.noticed[f"marks for redaction that were never carried out: {_pages(marked)}"] = None
    if any("/Annots" in page.obj for page in pdf.pages):
        if "/AcroForm" in root:
            pdf.generate_appearance_streams()
        pdf.flatten_annotations("all")
    # Fonts given in place get a number, so that each is known by it.
    for page in pdf.pages:
        fonts = inherited(page.obj, "/Resources")
        fonts = fonts.get("/Font") if isinstance(fonts, Dictionary) else None
        _number_fonts(pdf, fonts)


def _has_marks(page: Object) -> bool:
    annotations = page.get("/Annots")
    return any(
        isinstance(a, Dictionary) and str(a.get("/Subtype", "")) == "/Redact"
        for a in (annotations if isinstance(annotations, Array) else ())
    )


def _pages(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:10]))
    return f"page {shown}" + (f" and {len(numbers) - 10} more" if len(numbers) > 10 else "")


def _number_fonts(pdf: Pdf, fonts: Any) -> None:
    if isinstance(fonts, Dictionary):
        for name in sorted(fonts.keys()):
            if isinstance(fonts[name], Dictionary) and fonts[name].objgen == (0, 0):
                fonts[name] = pdf.make_indirect(fonts[name])


def _check_size(page: Object, name: str, limit: float) -> None:
    box = inherited(page, "/MediaBox")
    numbers = [float(v) for v in box] if isinstance(box, Array) else []
    if len(numbers) != 4 or not all(abs(v) <= 10 * limit for v in numbers):
        raise LimitError(f"{name!r} has a page without a size or larger than {limit:,.0f} points; print it anew as PDF")


def _visit(scope: Scope, resources: Object, source: Source, seen: set[Key]) -> None:
    """Every content stream that a scope's resources lead to, once."""
    stack: list[tuple[Object, str]] = [(resources, scope.place)]
    while stack:
        holder, place = stack.pop()
        if not isinstance(holder, Dictionary):
            continue
        _number_fonts(source.pdf, holder.get("/Font"))
        source.masks.update(stream.objgen for stream in painted_streams(holder))
        for stream in inner_streams(holder):
            if stream.objgen in seen:
                continue
            seen.add(stream.objgen)
            if len(seen) > source.context.options.limits.members * 10:
                raise LimitError(f"{source.name!r} has more than {len(seen):,} drawings; print it anew as PDF")
            inner = stream.get("/Resources")
            inner = inner if isinstance(inner, Dictionary) else holder
            source.scopes.append(Scope(stream.objgen, place, stream, inner))
            stack.append((inner, place))
        for font in values(holder.get("/Font")):
            if isinstance(font, Dictionary) and str(font.get("/Subtype", "")) == "/Type3" and font.objgen not in seen:
                seen.add(font.objgen)
                inner = font.get("/Resources", holder)
                for procedure in values(font.get("/CharProcs")):
                    if isinstance(procedure, Stream) and procedure.objgen not in seen:
                        seen.add(procedure.objgen)
                        source.scopes.append(Scope(procedure.objgen, place, procedure, inner))
                stack.append((inner, place))


def pages_with(source: Source, keys: set[Key]) -> list[int]:
    """The pages that show any of these content streams, by whatever way. Each dictionary of resources is looked at
    once, however many pages share it; then the way goes back from the streams to the pages."""
    users: dict[Key, set[Key]] = {}
    seen: set[Key] = set()
    stack = [(page.obj.objgen, inherited(page.obj, "/Resources")) for page in source.pdf.pages]
    while stack:
        user, holder = stack.pop()
        if not isinstance(holder, Dictionary):
            continue
        if holder.objgen != (0, 0):  # a numbered dictionary stands between its users and what it leads to
            users.setdefault(holder.objgen, set()).add(user)
            user = holder.objgen
            if user in seen:
                continue
            seen.add(user)
        procedures = [
            procedure
            for font in values(holder.get("/Font"))
            if isinstance(font, Dictionary)
            for procedure in values(font.get("/CharProcs"))
            if isinstance(procedure, Stream)
        ]
        for stream in (*inner_streams(holder), *procedures):
            users.setdefault(stream.objgen, set()).add(user)
            if stream.objgen not in seen:
                seen.add(stream.objgen)
                stack.append((stream.objgen, stream.get("/Resources")))
    found, waiting = set(keys), list(keys)
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in found:
                found.add(user)
                waiting.append(user)
    return [number for number, page in enumerate(source.pdf.pages) if page.obj.objgen in found]
