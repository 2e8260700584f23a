"""Plain text: every byte outside an edit stays as it was."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from functools import partial

from taciturn.formats.base import Content, Context, FormatError, Passage, Rewrite, Slot, fill

__all__ = ["decode", "decoded", "read"]


def decode(data: bytes, name: str) -> tuple[str, bytes]:
    """The text of a UTF-8 file and its byte order mark, if any. Line ends are left as they are.

    >>> decode(b"\\xef\\xbb\\xbfHIV\\r\\n", "a.txt")
    ('HIV\\r\\n', b'\\xef\\xbb\\xbf')
    """
    return "".join(decoded([data], name)), codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""


def decoded(pieces: Iterable[bytes], name: str) -> Iterator[str]:
    """The text of a UTF-8 file, piece by piece, without its byte order mark.

    >>> list(decoded([b"caf\\xc3", b"\\xa9"], "a.txt"))
    ['caf', '\\xe9']
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    at = 0
    for piece in pieces:
        if not at and piece.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise FormatError(f"{name!r} is UTF-16; save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8")
        if b"\0" in piece:
            raise FormatError(
                f"{name!r} holds NUL bytes, so it is no text, and no other format that Taciturn reads was recognized"
            )
        yield _decoded(decoder, piece, at, name)
        at += len(piece)
    if not at:
        raise FormatError(f"{name!r} is empty; there is nothing to release")
    if rest := _decoded(decoder, b"", at, name):
        yield rest


def _decoded(decoder: codecs.IncrementalDecoder, piece: bytes, at: int, name: str) -> str:
    waiting = len(decoder.getstate()[0])
    try:
        return decoder.decode(piece, final=not piece)
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{name!r} is not UTF-8 (byte {error.object[error.start]:#04x} at {at - waiting + error.start}); convert "
            "it, for example: iconv -f WINDOWS-1252 -t UTF-8"
        ) from None


def read(data: bytes, name: str, context: Context) -> Content:
    """One passage: the whole text, so that offsets in the document are offsets in the file."""
    text, mark = decode(data, name)
    slots = _unfolded(text) if _CARD.match(text) else (Slot(text, 0),)
    passages = (Passage("text", slots),)
    return Content("text", passages, partial(_write, passages, mark))


_CARD = re.compile(r"\s*BEGIN:V(?:CALENDAR|CARD|EVENT|TODO|JOURNAL)\b", re.I)
_FOLD = re.compile(r"(.)((?:\r?\n[ \t])+)|\\([nN,;\\])", re.S)


def _unfolded(text: str) -> tuple[Slot, ...]:
    r"""The slots of a calendar or an address card: long lines are folded anywhere in them, commas escaped.

    >>> "".join(slot.text for slot in _unfolded("BEGIN:VCALENDAR\r\nSUMMARY:HI\r\n V\\, seen\r\n"))
    'BEGIN:VCALENDAR\r\nSUMMARY:HIV, seen\r\n'
    """
    slots: list[Slot] = []
    at = 0
    for found in _FOLD.finditer(text):
        if found.start() > at:
            slots.append(Slot(text[at : found.start()], 0))
        shown = found[1] if found[3] is None else "\n" if found[3] in "nN" else found[3]
        slots.append(Slot(shown, 0, found.group()))
        at = found.end()
    slots.append(Slot(text[at:], 0))
    return tuple(slot for slot in slots if slot.text)


def _write(passages: tuple[Passage, ...], mark: bytes, rewrite: Rewrite) -> bytes:
    filled = fill(passages, rewrite.changes)
    raw = "".join(slot.text if slot.raw is None else slot.raw for slot in passages[0].slots)
    return mark + filled.get(0, raw).encode("utf-8")
