"""Pictures: what goes with their pixels (EXIF, XMP, comments, thumbnails) is cut out; nothing is decoded."""

from __future__ import annotations

import base64
import binascii
import re
import struct
import zlib
from urllib.parse import unquote_to_bytes

__all__ = ["BLANK_GIF", "BLANK_PNG", "is_data_picture", "without_metadata", "without_metadata_uri"]

BLANK_GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAMzMzAAAACwAAAAAAQABAAACAkQBADs="
_DATA_URI = re.compile(r"\s*data:\s*image/(png|jpe?g|gif|webp)\s*((?:;[^,;]*)*),(.*)", re.I | re.S)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


BLANK_PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\xcc"))
    + _chunk(b"IEND", b"")
)
"""One grey point; a program stretches it over the area of the picture it replaces."""


def is_data_picture(value: str) -> bool:
    """Whether an address is a picture itself."""
    return value.lstrip()[:11].lower().startswith("data:image/")


def without_metadata_uri(value: str) -> str:
    """A picture in an address, without its metadata; a grey point if it is of a kind that cannot be cleaned."""
    found = _DATA_URI.fullmatch(value)
    if found:
        try:
            data = base64.b64decode(found[3]) if "base64" in found[2].lower() else unquote_to_bytes(found[3])
            clean = without_metadata(data)
            if clean is not None:
                return f"data:image/{found[1].lower()};base64,{base64.b64encode(clean).decode('ascii')}"
        except (ValueError, binascii.Error):
            pass
    return BLANK_GIF


def without_metadata(data: bytes) -> bytes | None:
    """The picture with nothing but what shows it, or None if it is of no kind known here.

    >>> noted = BLANK_PNG[:33] + _chunk(b"tEXt", b"Author\\0Ann") + BLANK_PNG[33:]
    >>> without_metadata(noted) == BLANK_PNG
    True
    """
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return _png(data)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return _gif(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except (struct.error, IndexError, ValueError):
        return None
    return None


_PNG_KEPT = frozenset(
    (
        b"IHDR",
        b"PLTE",
        b"IDAT",
        b"IEND",
        b"tRNS",
        b"gAMA",
        b"cHRM",
        b"sRGB",
        b"sBIT",
        b"bKGD",
        b"pHYs",
        b"acTL",
        b"fcTL",
        b"fdAT",
    )
)


def _png(data: bytes) -> bytes:
    pieces, at = [data[:8]], 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind = data[at + 4 : at + 8]
        if at + 12 + length > len(data):
            raise ValueError("a PNG chunk runs over the end")
        if kind in _PNG_KEPT:
            pieces.append(_chunk(kind, data[at + 8 : at + 8 + length]))
        at += 12 + length
        if kind == b"IEND":
            return b"".join(pieces)
    raise ValueError("the PNG has no end")


def _jpeg(data: bytes) -> bytes:
    pieces, at = [b"\xff\xd8"], 2
    while at < len(data):
        if data[at] != 0xFF:
            raise ValueError("no JPEG marker where one should be")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xD9:
            return b"".join((*pieces, b"\xff\xd9"))
        (length,) = struct.unpack_from(">H", data, at + 2)
        end = at + 2 + length
        # APP0 is the resolution (a thumbnail may follow it), APP14 the colour transform; the rest is metadata.
        if marker == 0xE0 and data[at + 4 : at + 9] == b"JFIF\0":
            pieces.append(b"\xff\xe0\x00\x10" + data[at + 4 : at + 16] + b"\0\0")
        elif marker == 0xEE and data[at + 4 : at + 9] == b"Adobe":
            pieces.append(data[at : min(end, at + 16)])
        elif not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            pieces.append(data[at:end])
        at = end
        if marker == 0xDA:
            # Scan data runs to the next marker that is neither a stuffed byte nor a restart.
            next_marker = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.S).search(data, at)
            stop = next_marker.start() if next_marker else len(data)
            pieces.append(data[at:stop])
            at = stop
    raise ValueError("the JPEG has no end")


def _gif(data: bytes) -> bytes:
    def table(flags: int) -> int:
        return 3 << ((flags & 7) + 1) if flags & 0x80 else 0

    def blocks(at: int) -> int:
        while data[at]:
            at += data[at] + 1
        return at + 1

    at = 13 + table(data[10])
    pieces = [data[:at]]
    while data[at] != 0x3B:
        if data[at] == 0x21:
            end = blocks(at + 2)
            loop = data[at + 1] == 0xFF and data[at + 3 : at + 14] in (b"NETSCAPE2.0", b"ANIMEXTS1.0")
            if data[at + 1] == 0xF9 or loop:
                pieces.append(data[at:end])
        elif data[at] == 0x2C:
            end = blocks(at + 10 + table(data[at + 9]) + 1)
            pieces.append(data[at:end])
        else:
            raise ValueError("no GIF block where one should be")
        at = end
    return b"".join((*pieces, b"\x3b"))


def _webp(data: bytes) -> bytes:
    pieces, at = [], 12
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        end = at + 8 + length + (length & 1)
        chunk = data[at:end]
        if kind == b"VP8X":
            chunk = chunk[:8] + bytes([chunk[8] & ~0x2C]) + chunk[9:]  # no profile, EXIF, XMP
        if kind in (b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"):
            pieces.append(chunk)
        at = end
    body = b"WEBP" + b"".join(pieces)
    return b"RIFF" + struct.pack("<I", len(body)) + body
