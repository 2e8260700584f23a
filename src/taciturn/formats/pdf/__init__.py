"""PDF: true redaction. Glyphs leave the content streams, and the released file is a new document.

See :mod:`tacit.formats.pdf.source` for what is read, :mod:`~tacit.formats.pdf.lines` for how glyphs become passages,
:mod:`~tacit.formats.pdf.redact` for how they leave, :mod:`~tacit.formats.pdf.build` for what is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, pairwise
from typing import NamedTuple

import pikepdf
from pikepdf import AttachedFileSpec, Dictionary, OutlineItem

from tacit.formats.base import Change, Content, Context, FormatError, LimitError, Rewrite, Slot, fill
from tacit.formats.nest import Adopted, Shelf
from tacit.formats.pdf.build import Builder, Written
from tacit.formats.pdf.content import Glyph
from tacit.formats.pdf.covers import covered
from tacit.formats.pdf.flow import Paragraph, between_pages, paragraphs, within_page
from tacit.formats.pdf.fonts import FONT_ERRORS, Font
from tacit.formats.pdf.lines import Assembly, assemble, join
from tacit.formats.pdf.raster import barred, rasterized
from tacit.formats.pdf.redact import Edits, edits_of, rewrite_stream
from tacit.formats.pdf.source import Key, Part, Scope, Source, open_source, pages_with
from tacit.formats.sweep import Sweeper
from tacit.formats.vocabulary import PDF_NAMES

__all__ = ["ERRORS", "read"]

ERRORS = FONT_ERRORS
"""What pikepdf and fontTools raise on damaged files: errors of their own, and Python's for values of the wrong type."""

_REMEMBERED = 300_000
"""How many glyphs are kept between reading and writing; those of later pages are read again."""
_NAMED = 10
"""How many pages a notice names."""
_At = tuple[int, int]
"""A paragraph by the number of its scope and its own."""


@dataclass(slots=True)
class _File:
    source: Source
    shelf: Shelf
    layers: dict[Key, tuple[str, int]] = field(default_factory=dict)
    attachments: list[tuple[str, int, Adopted]] = field(default_factory=list)
    texts: dict[Key, _Text] = field(default_factory=dict)
    paragraphs: list[list[list[Slot]]] = field(default_factory=list)
    """The slots of each paragraph of each scope, until they are made passages."""
    outlines: list[list[Paragraph]] = field(default_factory=list)
    page_passages: int = 0
    """How many passages stand on pages; those of bookmarks, layers and attachments follow."""
    pictured: list[int] = field(default_factory=list)
    """The pages that are released as pictures."""
    drawn: int = 0
    """How many pictures stand in content streams themselves."""
    covered: dict[str, int] = field(default_factory=dict)
    """How many letters of each place lie under drawn boxes."""
    holders: int = 0

    def store(self, place: str, text: str) -> int:
        self.shelf.add(place, [Slot(text, self.holders)])
        self.holders += 1
        return self.holders - 1


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of every page, then bookmarks, layers, attachments."""
    source = open_source(data, name, context)
    file = _File(source, Shelf(dropped=dict(source.dropped), noticed=dict(source.noticed)))
    shelf = file.shelf
    unreadable = 0
    for scope in source.scopes:
        unreadable += _read_scope(scope, file)
    _make_passages(file)
    if unreadable:
        if context.options.unreadable == "refuse":
            raise FormatError(
                f"{name!r} has {unreadable} characters that cannot be read (fonts without a map to Unicode)"
            )
        if context.options.unreadable == "rasterize":
            blind = {scope.key for scope in source.scopes if scope.unreadable}
            file.pictured = pages_with(source, blind)
            for number in file.pictured:
                shelf.dropped[f"the text layer and fonts of page {number + 1} (now a picture)"] = None
        shelf.dropped[f"{unreadable} characters that cannot be read"] = None
    if file.drawn or _has_pictures(source):
        if context.options.pictures == "refuse":
            raise FormatError(f"{name!r} holds pictures; options keep or blank them (pictures=)")
        (shelf.unread if context.options.pictures == "keep" else shelf.dropped)["pictures"] = None
    if file.covered:
        shown = ", ".join(f"{count} on {place}" for place, count in list(file.covered.items())[:_NAMED])
        more = f" and more on {len(file.covered) - _NAMED} other pages" if len(file.covered) > _NAMED else ""
        shelf.noticed[
            f"letters under drawn boxes, where anybody can copy them: {shown}{more}; they are read like all other text"
        ] = None
    for bookmark in source.bookmarks:
        bookmark.holder = file.store("bookmark", bookmark.title)
    _read_layers(file)
    _read_attachments(file, context)
    if not shelf.passages and not unreadable and context.options.pictures != "keep":
        raise FormatError(f"{name!r} shows no text: it may be a scan. Run it through text recognition (OCR) first")
    lists = (tuple(found) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("pdf", tuple(shelf.passages), partial(_write, file), *lists)


def _read_scope(scope: Scope, file: _File) -> int:
    scope.base = file.holders
    text = _text(scope, file.source)
    for font, codes in text.shown:
        font.used.update(codes)
    file.drawn += text.pictures
    if text.covered:
        file.covered[scope.place] = file.covered.get(scope.place, 0) + text.covered
    file.paragraphs.append(text.assembly.passages)
    file.outlines.append(paragraphs(text.assembly))
    file.holders += len(text.glyphs)
    scope.unreadable = bool(text.assembly.unreadable)
    if file.holders < _REMEMBERED:
        file.texts[scope.key] = text
    return len(text.assembly.unreadable)


def _make_passages(file: _File) -> None:
    """Each paragraph is a passage, together with the paragraphs that it goes on in."""
    scopes = file.source.scopes
    follower: dict[_At, _At] = {}
    main: dict[str, int] = {}  # of each page: the scope with most of its text
    sizes = [sum(p.glyphs for p in outline) for outline in file.outlines]
    for number, scope in enumerate(scopes):
        follower |= {(number, a): (number, b) for a, b in within_page(file.outlines[number]).items()}
        if scope.place not in main or sizes[number] > sizes[main[scope.place]]:
            main[scope.place] = number
    for one, other in pairwise(main.values()):
        if turned := between_pages(file.outlines[one], file.outlines[other]):
            follower[one, turned[0]] = (other, turned[1])
    for owners in _chains(file, follower):
        slots: list[Slot] = []
        parts: list[tuple[Scope, int, int]] = []
        for at in owners:
            scope = scopes[at[0]]
            if parts and (broken := join(slots, file.paragraphs[at[0]][at[1]])):
                last, letter, hyphen = parts[-1][0], *broken
                last.hyphens[letter - last.base] = hyphen - last.base
                parts[-1] = (last, parts[-1][1], parts[-1][2] - 1)
            elif not parts:
                slots += file.paragraphs[at[0]][at[1]]
            parts.append((scope, len(slots) - len(file.paragraphs[at[0]][at[1]]), len(slots)))
        count = len(file.shelf.passages)
        file.shelf.add(parts[0][0].place, slots)
        if len(file.shelf.passages) > count:
            offsets = list(accumulate([len(slot[0]) for slot in slots], initial=0))
            for scope, first, end in parts:
                scope.parts.append(Part(count, first, end, offsets[first]))
    file.page_passages = len(file.shelf.passages)
    file.paragraphs, file.outlines = [], []


def _chains(file: _File, follower: dict[_At, _At]) -> Iterator[list[_At]]:
    """The paragraphs that make each passage, in the order in which passages begin."""
    before: dict[_At, _At] = {}
    for one, other in follower.items():
        before.setdefault(other, one)
    follower = {one: other for other, one in before.items()}
    for number, texts in enumerate(file.paragraphs):
        for index in range(len(texts)):
            if (number, index) in before:
                continue
            owners = [(number, index)]
            while after := follower.get(owners[-1]):
                owners.append(after)
            yield owners


class _Text(NamedTuple):
    """The text of a scope: its glyphs, how they read, and the font and code of each."""

    glyphs: list[Glyph]
    assembly: Assembly
    codes: list[tuple[Font, int]]
    shown: list[tuple[Font, list[int]]]
    unseen: set[int]
    pictures: int
    covered: int


def _text(scope: Scope, source: Source) -> _Text:
    interpreter, covers = source.interpreter(scope), source.covers(scope)
    interpreter.tell = False
    for instruction, operator, _ in interpreter.run(source.instructions(scope)):
        covers.see(operator, instruction.operands, interpreter.state.ctm, len(interpreter.glyphs))
    return _Text(
        interpreter.glyphs,
        assemble(interpreter.glyphs, scope.base),
        interpreter.codes,
        interpreter.shown,
        interpreter.unseen,
        interpreter.pictures,
        sum(bool((interpreter.glyphs[i].text or "").strip()) for i in covered(interpreter.glyphs, covers.boxes)),
    )


def _has_pictures(source: Source) -> bool:
    for scope in source.scopes:
        objects = scope.resources.get("/XObject")
        if isinstance(objects, Dictionary):
            for item in objects.values():
                if isinstance(item, pikepdf.Stream) and str(item.get("/Subtype", "")) == "/Image":
                    return True
    return False


def _read_layers(file: _File) -> None:
    properties = file.source.pdf.Root.get("/OCProperties")
    groups = properties.get("/OCGs") if isinstance(properties, Dictionary) else None
    for group in groups if isinstance(groups, pikepdf.Array) else ():
        if isinstance(group, Dictionary):
            title = str(group.get("/Name", ""))
            file.layers[group.objgen] = (title, file.store("layer", title))


def _read_attachments(file: _File, context: Context) -> None:
    source = file.source
    try:
        names = list(source.pdf.attachments.keys())
    except (ValueError, TypeError, KeyError, RuntimeError, pikepdf.PikepdfError):
        file.shelf.dropped["attachments"] = None
        return
    for key in names:
        try:
            stream = source.pdf.attachments[key].get_file()
            source.measure(stream.obj)
            content = context.nested(stream.read_bytes(), key)
        except LimitError:
            raise
        except (ValueError, TypeError, KeyError, RuntimeError, AttributeError, pikepdf.PikepdfError):
            file.shelf.dropped[f"attachment {key} (cannot be read)"] = None
            continue
        adopted = file.shelf.adopt(content, f"attachment {key}")
        file.attachments.append((key, file.store("attachment name", key), adopted))


def _write(file: _File, rewrite: Rewrite) -> bytes:
    source, sweeper = file.source, rewrite.sweeper
    options = source.context.options
    # Passages of pages are edited glyph by glyph; the others are filled as a whole.
    others = [i for i in file.shelf.own if i >= file.page_passages]
    filled = fill([file.shelf.passages[i] for i in others], [rewrite.changes[i] for i in others])
    kept = {id(font): dict(font.used) for font in source.fonts.values()}
    edits: dict[Key, tuple[Edits, Assembly]] = {}
    for scope in source.scopes:
        changes = tuple(rewrite.changes[part.passage] for part in scope.parts)
        if any(changes) or scope.unreadable:
            edits[scope.key] = _scope_edits(scope, file, changes, kept)
    encode = _Encoder(kept)
    written: dict[Key, Written] = {}
    for scope in source.scopes:
        written[scope.key] = _write_scope(scope, source, edits.get(scope.key), encode, sweeper)
        if scope.unreadable and file.pictured:
            text = file.texts.get(scope.key) or _text(scope, source)
            boxes = [text.glyphs[holder] for holder in text.assembly.unreadable]
            written[scope.key].data = barred(written[scope.key].data, boxes)
    codes = {
        key: {code for code, count in kept[id(font)].items() if count}
        for key, font in source.fonts.items()
        if any(not count for count in kept[id(font)].values())
    }
    layers = {key: filled.get(holder, title) for key, (title, holder) in file.layers.items()}
    builder = Builder(source, sweeper, options, written, codes, layers)
    pages = {page.obj.objgen for page in source.pdf.pages}
    done: set[Key] = set()
    for scope in source.scopes:
        if scope.key in pages and scope.key not in done:
            done.add(scope.key)
            builder.page(scope)
    _write_bookmarks(file, builder, filled)
    for key, holder, adopted in file.attachments:
        title = filled.get(holder, key)
        builder.new.attachments[title] = AttachedFileSpec(
            builder.new,
            adopted.write(rewrite),
            filename=title,
            description="",
            mime_type="application/octet-stream",
            creation_date="",
            mod_date="",
        )
    data = builder.finish(source.pdf.pdf_version)
    if file.pictured:
        rewrite.check(data)
        data = rasterized(data, file.pictured)
    return data


def _scope_edits(
    scope: Scope, file: _File, changes: tuple[tuple[Change, ...], ...], kept: dict[int, dict[int, int]]
) -> tuple[Edits, Assembly]:
    text = file.texts.get(scope.key) or _text(scope, file.source)
    parts = [(file.shelf.passages[part.passage], part) for part in scope.parts]
    for letter, hyphen in scope.hyphens.items():
        text.assembly.twins.setdefault(letter, []).append(hyphen)
    made = edits_of(parts, changes, text.assembly, text.glyphs, scope.base)
    if "pictures" in file.shelf.unread and not made.removed.isdisjoint(text.unseen):
        raise FormatError(
            f"a word to be removed on {scope.place} of {file.source.name!r} is the unseen text of a picture, which may "
            "still show it (a scan after text recognition); blank the pictures: --pictures blank, or pictures='blank'"
        )
    made.removed.update(text.assembly.unreadable)
    for holder in made.removed:
        font, code = text.codes[holder]
        if id(font) in kept:
            kept[id(font)][code] -= 1
    return made, text.assembly


class _Encoder:
    """Writes a text in a font of the file, if every letter of it is still used there: then its outline is there too."""

    def __init__(self, kept: dict[int, dict[int, int]]) -> None:
        self.kept = kept
        self.tables: dict[int, dict[str, bytes]] = {}

    def __call__(self, font: Font, text: str) -> bytes | None:
        table = self.tables.get(id(font))
        if table is None:
            table = {}
            for code, count in sorted(self.kept.get(id(font), {}).items()):
                said = font.texts.get(code)
                if count > 0 and said and len(said) == 1:
                    table.setdefault(said, code.to_bytes(1 if font.simple else font.lengths.get(code, 2), "big"))
            self.tables[id(font)] = table
        pieces = [table.get(char) for char in text]
        return b"".join(p for p in pieces if p is not None) if None not in pieces else None


def _write_scope(
    scope: Scope, source: Source, edited: tuple[Edits, Assembly] | None, encode: _Encoder, sweeper: Sweeper
) -> Written:
    written = Written(b"")
    taken = scope.resources.get("/Font", Dictionary())

    def resource(likeness: str) -> str:
        for name, known in written.fonts.items():
            if known == likeness:
                return name
        number = len(written.fonts)
        while f"/Tacit{number}" in taken:
            number += 1
        written.fonts[f"/Tacit{number}"] = likeness
        return f"/Tacit{number}"

    for category in list(scope.resources.keys()):
        items = scope.resources[category]
        for name in items.keys() if isinstance(items, Dictionary) else ():
            if name[1:] not in PDF_NAMES and sweeper.hits(name[1:]):
                written.renamed[name] = f"/Renamed{len(written.renamed)}"
    written.data = rewrite_stream(
        source.instructions(scope),
        partial(source.interpreter, scope),
        edited[0] if edited else Edits(),
        edited[1] if edited else None,
        keep_layout=source.context.options.keep_layout,
        resource=resource,
        encode=encode,
        rename=written.renamed,
        pictures=source.context.options.pictures,
    )
    return written


def _write_bookmarks(file: _File, builder: Builder, filled: dict[int, str]) -> None:
    if not file.source.bookmarks:
        return
    with builder.new.open_outline() as outline:
        levels: list[list[OutlineItem]] = [outline.root]
        for bookmark in file.source.bookmarks:
            item = OutlineItem(
                filled.get(bookmark.holder, bookmark.title), bookmark.page if bookmark.page >= 0 else None
            )
            del levels[bookmark.level + 1 :]
            levels[-1].append(item)
            levels.append(item.children)
