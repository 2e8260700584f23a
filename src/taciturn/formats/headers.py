"""Header fields of e-mail: encoded words undone and made, in time linear in the field.

The parsers of the standard library build a tree of many objects for each encoded word; a Subject of 280 KB took
gigabytes. A field is a string with encoded words in it, and that is all that is needed here.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from collections.abc import Iterator

__all__ = ["decode_field", "encode_field", "encode_file_name"]

_WORD = re.compile(r"=\?([A-Za-z0-9._:+-]{1,40})(?:\*[A-Za-z0-9-]{1,20})?\?([bBqQ])\?([^?\s]*)\?=")
_SPECIAL = re.compile(r'[(),:;<>@\[\]\\"]')
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode_field(raw: str, *, addresses: bool = False) -> str:
    """The text of a field as it stands in a message, lines unfolded.

    In ``addresses`` a decoded name is quoted where its signs would be read as syntax.

    >>> decode_field("=?utf-8?q?B=C3=A4r=2C?= =?utf-8?q?_J?= <j@e.org>", addresses=True)
    '"Bär, J" <j@e.org>'
    """
    if _SURROGATE.search(raw):
        data = raw.encode("utf-8", "surrogateescape")
        try:
            raw = data.decode("utf-8")
        except UnicodeDecodeError:
            raw = data.decode("latin-1")
    raw = re.sub(r"\r?\n", " ", raw)
    pieces: list[str] = []
    waiting: list[bytes] = []
    charset, at = "", 0

    def flush() -> None:
        if waiting:
            text = _decode(b"".join(waiting), charset)
            if addresses and _SPECIAL.search(text):
                text = '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
            pieces.append(text)
            waiting.clear()

    for found in _WORD.finditer(raw):
        between = raw[at : found.start()]
        if not waiting or between.strip() or found[1].lower() != charset:
            flush()
            # White space between two encoded words is not shown.
            pieces.append("" if at and not between.strip() else between)
        charset = found[1].lower()
        waiting.append(_bytes(found[3], found[2].lower()))
        at = found.end()
    flush()
    text = "".join((*pieces, raw[at:]))
    return re.sub(r"\s+", " ", _SURROGATE.sub("\ufffd", text)).strip()


def _bytes(text: str, way: str) -> bytes:
    data = text.encode("ascii", "replace")
    if way == "q":
        return quopri.decodestring(data.replace(b"_", b" "))
    try:
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    except (ValueError, binascii.Error):
        return data


def _decode(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError, ValueError):
        return data.decode("utf-8", errors="replace")


def encode_field(value: str) -> str:
    """A field in ASCII; what is not ASCII is encoded word by word, so that addresses stay readable.

    >>> encode_field("J\\u00fcrgen <j@e.org>")
    '=?utf-8?q?J=C3=BCrgen?= <j@e.org>'
    """
    value = re.sub(r"[\r\n]+", " ", value)
    if value.isascii():
        return re.sub(r"(.{1,900})(?: |$)", lambda m: m[1] + "\n ", value).rstrip() if len(value) > 900 else value
    words = re.sub(r'"([^"]*[^\x00-\x7f"][^"]*)"', r"\1", value)

    pieces: list[str] = []
    waiting: list[str] = []  # words in a row that are not ASCII, which one encoded word holds with their blanks
    for part in re.split(r"([\s<>@,]+)", words):
        if (part == " " and waiting) or (part and not part.isascii()):
            waiting.append(part)
        elif part:
            pieces += (*_encoded(waiting), part)
            waiting = []
    return "".join((*pieces, *_encoded(waiting)))


def _encoded(words: list[str]) -> Iterator[str]:
    """Encoded words of at most 75 characters, as the standard has it, on lines of their own."""
    blank = bool(words) and words[-1] == " "
    text = "".join(words[:-1] if blank else words)
    made: list[str] = []
    room = 0
    for char in text:
        coded = "".join(
            chr(byte) if chr(byte).isalnum() and byte < 128 else "_" if byte == 32 else f"={byte:02X}"
            for byte in char.encode("utf-8", errors="replace")
        )
        if len(coded) > room:
            made.append("?=\n =?utf-8?q?" if made else "=?utf-8?q?")
            room = 63
        made.append(coded)
        room -= len(coded)
    if made:
        yield "".join((*made, "?="))
    if blank:
        yield " "


def encode_file_name(name: str) -> str:
    """The parameter of a Content-Disposition that names a file; nothing for no name."""
    if not name:
        return ""
    if name.isascii() and not re.search(r'[\\"\r\n;]', name):
        return f'; filename="{name}"'
    return "; filename*=utf-8''" + "".join(
        c if (c.isalnum() and c.isascii()) or c in ".-_" else _percent(c) for c in name
    )


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", errors="replace"))
