"""PDF: true redaction. Glyphs leave the content streams, and the released file is a new document.

See :mod:`taciturn.formats.pdf.source` for what is read, :mod:`~taciturn.formats.pdf.lines` for how glyphs become
passages, :mod:`~taciturn.formats.pdf.redact` for how they leave, :mod:`~taciturn.formats.pdf.build` for what is kept.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from functools import partial
from itertools import accumulate, pairwise

import pikepdf
from pikepdf import Dictionary

from taciturn.formats.base import Content, Context, FormatError, LimitError, Slot
from taciturn.formats.embedded import Shelf
from taciturn.formats.pdf.flow import between_pages, paragraphs, within_page
from taciturn.formats.pdf.fonts import FONT_ERRORS
from taciturn.formats.pdf.lines import join
from taciturn.formats.pdf.opened import Opened
from taciturn.formats.pdf.scans import Scan, recognized, scanned_pages
from taciturn.formats.pdf.sheets import Reader, Sheet, runs_of
from taciturn.formats.pdf.source import Key, Part, Scope, Source, open_source, pages_with
from taciturn.formats.pdf.writing import write

__all__ = ["ERRORS", "read"]

ERRORS = FONT_ERRORS
"""What pikepdf and fontTools raise on damaged files: errors of their own, and Python's for values of the wrong type."""

_REMEMBERED = 300_000
"""How many glyphs are kept between reading and writing; those of later pages are read again."""
_NAMED = 10
"""How many pages a notice names."""
_At = tuple[int, int]
"""A paragraph by the number of its sheet and its own."""


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of every page, then bookmarks, layers, attachments."""
    scans: dict[int, Scan] = {}
    notices: list[str] = []
    if context.options.pictures == "read" and _can_be_opened(data):
        data, scans, notices = recognized(data, name, context)
    source = open_source(data, name, context)
    file = Opened(source, Shelf(dropped=dict(source.dropped), noticed=dict(source.noticed)), Reader(source))
    shelf = file.shelf
    shelf.noticed.update(dict.fromkeys(notices))
    file.scans = {source.pdf.pages[number].obj.objgen: scan for number, scan in scans.items()}
    unreadable = sum(_read_sheet(sheet, file) for sheet in file.reader.sheets())
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
    if file.drawn > len(scans) or _has_pictures(source, file.scans):
        if context.options.pictures == "refuse":
            raise FormatError(f"{name!r} holds pictures; options keep, blank or read them (pictures=)")
        (shelf.unread if context.options.pictures == "keep" else shelf.dropped)["pictures"] = None
        if context.options.pictures == "blank":
            for number in scanned_pages(data):
                file.labelled.add(source.pdf.pages[number].obj.objgen)
                shelf.dropped[f"page {number + 1}, which is a picture (--pictures read reads it)"] = None
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
        if scans:
            raise FormatError(f"{name!r} is a scan that cannot be read for certain; scan it anew, at 200 dots an inch")
        raise FormatError(
            f"{name!r} shows no text: it may be a scan. --pictures read recognizes it (pip install 'taciturn[ocr]')"
        )
    lists = (tuple(found) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("pdf", tuple(shelf.passages), partial(write, file), *lists)


def _read_sheet(sheet: Sheet, file: Opened) -> int:
    made = file.reader.read(sheet, file.holders)
    for scope, text in zip(sheet.scopes, made.texts, strict=True):
        for font, codes in text.shown:
            font.used.update(codes)
        file.drawn += text.pictures
        if text.covered:
            file.covered[scope.place] = file.covered.get(scope.place, 0) + text.covered
        file.holders += len(text.glyphs)
        scope.unreadable = bool(text.unreadable)
    file.paragraphs.append(made.assembly.passages)
    file.outlines.append(paragraphs(made.assembly))
    if file.holders < _REMEMBERED:
        file.texts[len(file.sheets)] = made
    file.sheets.append(sheet)
    return len(made.assembly.unreadable)


def _make_passages(file: Opened) -> None:
    """Each paragraph is a passage, together with the paragraphs that it goes on in."""
    sheets = file.sheets
    follower: dict[_At, _At] = {}
    main: dict[str, int] = {}  # of each page: the sheet with most of its text
    sizes = [sum(p.glyphs for p in outline) for outline in file.outlines]
    for number, sheet in enumerate(sheets):
        follower |= {(number, a): (number, b) for a, b in within_page(file.outlines[number]).items()}
        if sheet.place not in main or sizes[number] > sizes[main[sheet.place]]:
            main[sheet.place] = number
    for one, other in pairwise(main.values()):
        if turned := between_pages(file.outlines[one], file.outlines[other]):
            follower[one, turned[0]] = (other, turned[1])
    for owners in _chains(file, follower):
        slots: list[Slot] = []
        parts: list[tuple[Scope, int, int]] = []
        for number, index in owners:
            own = file.paragraphs[number][index]
            if parts and (broken := join(slots, own)):
                file.hyphens[broken[0]] = broken[1]
                last, first, end = parts[-1]
                parts[-1] = (last, first, end - 1)
            elif not parts:
                slots += own
            parts += runs_of(own, sheets[number], len(slots) - len(own))
        count = len(file.shelf.passages)
        file.shelf.add(sheets[owners[0][0]].place, slots)
        if len(file.shelf.passages) > count:
            offsets = list(accumulate([len(slot[0]) for slot in slots], initial=0))
            for scope, first, end in parts:
                scope.parts.append(Part(count, first, end, offsets[first]))
    file.page_passages = len(file.shelf.passages)
    file.paragraphs, file.outlines = [], []


def _chains(file: Opened, follower: dict[_At, _At]) -> Iterator[list[_At]]:
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


def _can_be_opened(data: bytes) -> bool:
    """Whether a file is whole; what is wrong with it is said where it is read."""
    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            return len(pdf.pages) > 0
    except (pikepdf.PikepdfError, *ERRORS):
        return False


def _has_pictures(source: Source, scans: Collection[Key]) -> bool:
    for scope in source.scopes:
        if scope.key in scans:
            continue
        objects = scope.resources.get("/XObject")
        if isinstance(objects, Dictionary):
            for item in objects.values():
                if isinstance(item, pikepdf.Stream) and str(item.get("/Subtype", "")) == "/Image":
                    return True
    return False


def _read_layers(file: Opened) -> None:
    properties = file.source.pdf.Root.get("/OCProperties")
    groups = properties.get("/OCGs") if isinstance(properties, Dictionary) else None
    for group in groups if isinstance(groups, pikepdf.Array) else ():
        if isinstance(group, Dictionary):
            title = str(group.get("/Name", ""))
            file.layers[group.objgen] = (title, file.store("layer", title))


def _read_attachments(file: Opened, context: Context) -> None:
    source = file.source
    try:
        names = sorted(source.pdf.attachments.keys())
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
