"""Word processing packages read twice more: by expat, and as text between angle brackets; every member, every name."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from tacit.formats.base import FormatError
from tacit.formats.leak.search import BREAK, Found, raw
from tacit.formats.leak.search import texts as texts_of_file
from tacit.formats.vocabulary import is_office_value

__all__ = ["texts"]

_PARAGRAPH = frozenset(("p", "h", "txbxContent", "annotation", "note-body", "note-citation", "title", "desc", "frame"))
_BREAKS = re.compile(
    r"</?(?:[\w.-]+:)?(?:p|h|tc|txbxContent|annotation|note-body|note-citation|frame|title|desc|v|pt|sdtContent)(?:\s[^>]*)?/?>"
    r"|<(?:[\w.-]+:)?(?:tab|br|cr|s|line-break|noBreakHyphen|ptab)(?:\s[^>]*)?/>"
)
_NAMES = frozenset(("Type", "ContentType", "Extension", "Id", "TargetMode", "Ignorable", "Requires", "uri"))


def texts(data: bytes, name: str, depth: int) -> Iterator[Found]:
    """Names of members, texts and attributes of XML, files inside, bytes of the rest."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield Found("package comment", "zip", archive.comment.decode("latin-1"))
        for info in archive.infolist():
            yield Found("member name", "zip", info.filename, structure=True)
            content = archive.read(info)
            if info.filename.lower().endswith((".xml", ".rels", ".vml")):
                yield from _parsed(content, info.filename)
                yield from _cut(content, info.filename)
                continue
            yield from raw(content, info.filename)
            try:
                for found in texts_of_file(content, info.filename, depth + 1):
                    yield found._replace(where=f"{info.filename}: {found.where}")
            except FormatError:
                continue  # a picture: its bytes were searched


def _parsed(content: bytes, where: str) -> Iterator[Found]:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    pieces: list[str] = []
    found: list[Found] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        pieces.append(BREAK if name in _PARAGRAPH else " " if name in ("tab", "br", "cr", "s", "line-break") else "")
        for key, value in attributes.items():
            short = key.rpartition(" ")[2]
            if short not in _NAMES and not is_office_value(value):
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
        if not name.startswith("xmlns") and name.rpartition(":")[2] not in _NAMES
    }
    shown = sorted(html.unescape(value) for value in values)
    yield Found(where, "attributes", BREAK.join(v for v in shown if not is_office_value(v)))
