"""Plain text: every byte outside an edit stays as it was."""

from __future__ import annotations

import codecs
from functools import partial

from tacit.formats.base import Content, Context, FormatError, Passage, Rewrite, Slot, fill

__all__ = ["decode", "read"]


def decode(data: bytes, name: str) -> tuple[str, bytes]:
    """The text of a UTF-8 file and its byte order mark, if any. Line ends are left as they are.

    >>> decode(b"\\xef\\xbb\\xbfHIV\\r\\n", "a.txt")
    ('HIV\\r\\n', b'\\xef\\xbb\\xbf')
    """
    if not data:
        raise FormatError(f"{name!r} is empty; there is nothing to release")
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise FormatError(f"{name!r} is UTF-16; save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8")
    if b"\0" in data:
        raise FormatError(
            f"{name!r} holds NUL bytes, so it is no text, and no other format that Tacit reads was recognized"
        )
    try:
        return data[len(mark) :].decode("utf-8"), mark
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{name!r} is not UTF-8 (byte {data[error.start]:#04x} at {error.start}); convert it, "
            "for example: iconv -f WINDOWS-1252 -t UTF-8"
        ) from None


def read(data: bytes, name: str, context: Context) -> Content:
    """One passage: the whole text, so that offsets in the document are offsets in the file."""
    text, mark = decode(data, name)
    passages = (Passage("text", (Slot(text, 0),)),)
    return Content("text", passages, partial(_write, passages, mark))


def _write(passages: tuple[Passage, ...], mark: bytes, rewrite: Rewrite) -> bytes:
    filled = fill(passages, rewrite.changes)
    return mark + filled.get(0, passages[0].text).encode("utf-8")
