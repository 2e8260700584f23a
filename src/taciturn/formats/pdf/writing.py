"""Writing a PDF anew: changes of passages become edits of glyphs, content streams and pictures are redacted, and what
shows the pages is built into a new document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pikepdf import AttachedFileSpec, Dictionary, OutlineItem

from taciturn.formats.base import Change, FormatError, Rewrite, fill
from taciturn.formats.pdf.build import Builder, Written
from taciturn.formats.pdf.edits import Edits, edits_of, look_around
from taciturn.formats.pdf.fonts import Font
from taciturn.formats.pdf.opened import Opened
from taciturn.formats.pdf.raster import barred, labelled, rasterized
from taciturn.formats.pdf.redact import rewrite_stream
from taciturn.formats.pdf.resources import inherited
from taciturn.formats.pdf.scans import LABEL, Scan, painted, text_of
from taciturn.formats.pdf.sheets import ScopeText, Sheet, SheetText, right_edge
from taciturn.formats.pdf.source import Key, Scope
from taciturn.formats.sweep import Sweeper
from taciturn.formats.vocabulary import PDF_NAMES

__all__ = ["write"]


def write(file: Opened, rewrite: Rewrite) -> bytes:
    """The bytes of the released file."""
    source, sweeper = file.source, rewrite.sweeper
    options = source.context.options
    # Passages of pages are edited glyph by glyph; the others are filled as a whole.
    others = [i for i in file.shelf.own if i >= file.page_passages]
    filled = fill([file.shelf.passages[i] for i in others], [rewrite.changes[i] for i in others])
    kept = {id(font): dict(font.used) for font in source.fonts.values()}
    edits = _all_edits(file, rewrite, kept)
    encode = _Encoder(kept)
    written: dict[Key, Written] = {}
    for number, sheet in enumerate(file.sheets):
        for place, scope in enumerate(sheet.scopes):
            written[scope.key] = _write_scope(scope, file, edits.get(scope.key), encode, sweeper)
            if scope.unreadable and file.pictured:
                text = file.text(number).texts[place]
                boxes = [text.glyphs[holder] for holder in text.unreadable]
                written[scope.key].data = barred(written[scope.key].data, boxes)
    codes = {
        key: {code for code, count in kept[id(font)].items() if count}
        for key, font in source.fonts.items()
        if any(not count for count in kept[id(font)].values())
    }
    layers = {key: filled.get(holder, title) for key, (title, holder) in file.layers.items()}
    builder = Builder(source, sweeper, options, written, codes, layers, _paintings(file, edits, rewrite))
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


def _all_edits(file: Opened, rewrite: Rewrite, kept: dict[int, dict[int, int]]) -> dict[Key, Edits]:
    """The edits of each content stream that has any; ``kept`` loses the letters that go."""
    edits: dict[Key, Edits] = {}
    for number, sheet in enumerate(file.sheets):
        changes = {
            scope.key: tuple(rewrite.changes[part.passage] for part in scope.parts)
            for scope in sheet.scopes
            if scope.unreadable or scope.key in file.scans or any(rewrite.changes[part.passage] for part in scope.parts)
        }
        if changes:
            edits |= _sheet_edits(sheet, file.text(number), changes, file)
            for scope, text in zip(sheet.scopes, file.text(number).texts, strict=True):
                _take_out(scope, text, edits.get(scope.key, Edits()), file, kept)
    return edits


def _sheet_edits(
    sheet: Sheet, made: SheetText, changes: Mapping[Key, tuple[tuple[Change, ...], ...]], file: Opened
) -> dict[Key, Edits]:
    edits: dict[Key, Edits] = {}
    bases = [scope.base for scope in sheet.scopes]
    gone: list[int] = []  # in all streams of the sheet, for a shadow may stand in another one than its letter
    for scope, text in zip(sheet.scopes, made.texts, strict=True):
        offset = scope.base - sheet.base
        own = range(offset, offset + len(text.glyphs))
        line_of = made.assembly.line_of
        if len(sheet.scopes) > 1:
            line_of = {holder - offset: line_of[holder] for holder in own if holder in line_of}
        found = edits[scope.key] = Edits(line_of=line_of)
        if scope.key in changes:
            parts = [(file.shelf.passages[part.passage], part) for part in scope.parts]
            edits_of(parts, changes[scope.key], text.glyphs, scope.base, found)
            gone += (holder + offset for holder in found.removed)
            found.removed.update(text.unreadable)
            if scope.key in file.scans:
                found.removed.update(file.scans[scope.key].unsure)
    for holder in gone:
        hyphen = file.hyphens.get(holder + sheet.base)
        for twin in (*made.assembly.twins.get(holder, ()), *(() if hyphen is None else (hyphen - sheet.base,))):
            scope = sheet.scopes[bisect_right(bases, twin + sheet.base) - 1]
            edits[scope.key].removed.add(twin + sheet.base - scope.base)
    removed = {holder + scope.base - sheet.base for scope in sheet.scopes for holder in edits[scope.key].removed}
    for scope, text in zip(sheet.scopes, made.texts, strict=True):
        if file.source.context.options.boxes:
            start = scope.base - sheet.base
            own = range(start, start + len(text.glyphs))
            look_around(edits[scope.key], text.glyphs, made.assembly, removed, own, right_edge(sheet))
            if scope.key in file.scans:
                edits[scope.key].free.clear()  # pixels stay where they are
    return {key: found for key, found in edits.items() if found.removed}


def _take_out(scope: Scope, text: ScopeText, made: Edits, file: Opened, kept: dict[int, dict[int, int]]) -> None:
    if "pictures" in file.shelf.unread and not made.removed.isdisjoint(text.unseen - set(text.unreadable)):
        raise FormatError(
            f"a word to be removed on {scope.place} of {file.source.name!r} is the unseen text of a picture, which may "
            "still show it (a scan after text recognition); blank the pictures: --pictures blank, or pictures='blank'"
        )
    for holder in made.removed:
        font, code = text.codes[holder]
        if id(font) in kept:
            kept[id(font)][code] -= 1


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


def _paintings(file: Opened, edits: Mapping[Key, Edits], rewrite: Rewrite) -> dict[Key, Callable[[Any], Any]]:
    """How the pictures of scanned pages are painted. One that lost words is recognized again: what is read in it now
    must pass the leak check as text."""

    def paint(image: Any, scan: Scan, removed: set[int]) -> Any:
        pixels = painted(image, scan, removed)
        if removed:
            rewrite.check(text_of(pixels))
        return pixels

    found: dict[Key, Callable[[Any], Any]] = {}
    for scope in file.source.scopes:
        if scope.key in file.scans:
            removed = edits[scope.key].removed if scope.key in edits else set()
            found[scope.resources.XObject.P.objgen] = partial(paint, scan=file.scans[scope.key], removed=removed)
    return found


def _write_scope(scope: Scope, file: Opened, edited: Edits | None, encode: _Encoder, sweeper: Sweeper) -> Written:
    source, is_scan = file.source, scope.key in file.scans
    written = Written(b"")
    taken = scope.resources.get("/Font", Dictionary())

    def resource(likeness: str) -> str:
        for name, known in written.fonts.items():
            if known == likeness:
                return name
        number = len(written.fonts)
        while f"/Taciturn{number}" in taken:
            number += 1
        written.fonts[f"/Taciturn{number}"] = likeness
        return f"/Taciturn{number}"

    for category in sorted(scope.resources.keys()):
        items = scope.resources[category]
        for name in sorted(items.keys()) if isinstance(items, Dictionary) else ():
            if name[1:] not in PDF_NAMES and sweeper.hits(name[1:]):
                written.renamed[name] = f"/Renamed{len(written.renamed)}"
    written.data = rewrite_stream(
        source.instructions(scope),
        partial(source.interpreter, scope),
        edited or Edits(),
        keep_layout=source.context.options.keep_layout or is_scan,
        boxes=source.context.options.boxes and scope.key not in source.masks,
        scan=is_scan,
        resource=resource,
        encode=encode,
        rename=written.renamed,
        pictures=source.context.options.pictures,
    )
    if scope.key in file.labelled or (is_scan and not file.scans[scope.key].readable):
        written.data = labelled(written.data, resource("Helvetica"), inherited(scope.stream, "/MediaBox"), LABEL)
    return written


def _write_bookmarks(file: Opened, builder: Builder, filled: dict[int, str]) -> None:
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
