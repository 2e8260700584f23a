"""Office packages and archives read twice more: by expat, and between angle brackets; every member, every name."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from taciturn.formats.leak.found import BREAK, Found, Inside, raw
from taciturn.formats.vocabulary import is_office_value

__all__ = ["texts"]

_PARAGRAPH = frozenset(
    (
        "c",
        "is",
        "si",
        "v",
        "f",
        "text",
        "author",
        "definedName",
        "p",
        "h",
        "txbxContent",
        "annotation",
        "note-body",
        "note-citation",
        "title",
        "desc",
        "frame",
    )
)
_BREAKS = re.compile(
    r"</?(?:[\w.-]+:)?(?:p|h|tc|txbxContent|annotation|note-body|note-citation|frame|title|desc|c|is|si|v|f|text|author|definedName|pt|sdtContent)(?:\s[^>]*)?/?>"
    r"|<(?:[\w.-]+:)?(?:tab|br|cr|s|line-break|noBreakHyphen|ptab)(?:\s[^>]*)?/>"
)
_NAMES = frozenset(("Type", "ContentType", "Extension", "Id", "TargetMode", "Ignorable", "Requires", "uri"))


_CELLS = frozenset(("r", "ref", "sqref", "spans", "activeCell", "topLeftCell"))
_CELL = re.compile(r"(?:[A-Z]{0,3}[0-9]{1,7}(?::[A-Z]{0,3}[0-9]{1,7})? ?)+")
"""Attributes that say which cells are meant, as they say it: a cell B20 is no diagnosis."""


def texts(data: bytes, name: str) -> Iterator[Found | Inside]:
    """Names of members, texts and attributes of XML, files inside, bytes of the rest."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Found("package comment", "zip", archive.comment.decode("latin-1"))
        names = archive.namelist()
        is_package = "[Content_Types].xml" in names or "mimetype" in names
        for info in archive.infolist():
            yield Found("member name", "zip", info.filename, structure=is_package)
            content = archive.read(info)
            if is_package and info.filename.lower().endswith((".xml", ".rels", ".vml")):
                yield from _parsed(content, info.filename)
                yield from _cut(content, info.filename)
                continue
            yield from raw(content, info.filename)
            yield Inside(info.filename, content, info.filename)  # of a picture the bytes were searched


def _parsed(content: bytes, where: str) -> Iterator[Found]:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    pieces: list[str] = []
    found: list[Found] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if name == "sym":
            code = next((v for k, v in attributes.items() if k.rpartition(" ")[2] == "char"), "20")
            pieces.append(chr(int(code, 16) & 0xFF) if re.fullmatch("[0-9A-Fa-f]{1,4}", code) else "")
        pieces.append(BREAK if name in _PARAGRAPH else " " if name in ("tab", "br", "cr", "s", "line-break") else "")
        for key, value in attributes.items():
            short = key.rpartition(" ")[2]
            if short not in _NAMES and not is_office_value(value) and not (short in _CELLS and _CELL.fullmatch(value)):
                found.append(Found(f"{where}: {short}", "expat", value))

    def end(tag: str) -> None:
        if tag.rpartition(" ")[2] in _PARAGRAPH:
            pieces.append(BREAK)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = pieces.append
    parser.CommentHandler = pieces.append
    parser.ProcessingInstructionHandler = lambda target, text: pieces.append(f"{BREAK}{text}{BREAK}")
    parser.Parse(content, True)
    yield from found
    yield Found(where, "expat", "".join(pieces))


def _cut(content: bytes, where: str) -> Iterator[Found]:
    source = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", errors="replace")
    flat = _BREAKS.sub(BREAK, source)
    yield Found(where, "tags cut", html.unescape(re.sub(r"<[^<>]*>", "", flat)))
    values = {
        value
        for name, value in re.findall(r'\s([\w:.-]+)="([^"]*)"', source)
        if not name.startswith("xmlns")
        and name.rpartition(":")[2] not in _NAMES
        and not (name in _CELLS and _CELL.fullmatch(value))
    }
    shown = sorted(html.unescape(value) for value in values)
    yield Found(where, "attributes", BREAK.join(v for v in shown if not is_office_value(v)))
