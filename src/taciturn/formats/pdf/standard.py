"""The standard fonts, which every viewer has: what is set anew is set in the one that looks most like the old."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["BASE_WIDTHS", "base_font", "encode_winansi"]


def base_font(name: str, flags: int) -> str:
    """The standard font that looks most like another one.

    >>> base_font("ABCDEF+TimesNewRomanPS-BoldMT", 0), base_font("Arial,Italic", 0), base_font("LiberationMono", 0)
    ('Times-Bold', 'Helvetica-Oblique', 'Courier')
    """
    bold = bool(re.search(r"bold|black|heavy|demi", name, re.I) or flags & 0x40000)
    italic = bool(re.search(r"italic|oblique|slanted", name, re.I) or flags & 0x40)
    if re.search(r"courier|mono|consol|typewriter|cmtt", name, re.I) or flags & 1:
        family, slant, plain = "Courier", "Oblique", "Courier"
    elif (
        re.search(r"times|serif|roman|georgia|cambria|garamond|minion|palatino|book|cmr|cmb|cmti|nimbusrom", name, re.I)
        and not (re.search(r"sans", name, re.I))
    ) or (flags & 2 and not re.search(r"sans|arial|helvetica", name, re.I)):
        family, slant, plain = "Times", "Italic", "Times-Roman"
    else:
        family, slant, plain = "Helvetica", "Oblique", "Helvetica"
    style = ("Bold" if bold else "") + (slant if italic else "")
    return f"{family}-{style}" if style else plain


def _base_widths() -> dict[str, dict[str, int]]:
    from pdfminer.fontmetrics import FONT_METRICS

    return {name: dict(widths) for name, (_, widths) in FONT_METRICS.items()}


BASE_WIDTHS = _base_widths()
"""Widths by character of the standard fonts."""


def encode_winansi(text: str) -> bytes:
    """Text in the encoding of the standard fonts; accents it has not are taken off, the rest becomes a question mark.

    >>> encode_winansi("Łódź – 5 €")
    b'L\\xf3dz \\x96 5 \\x80'
    """
    made = bytearray()
    for char in text:
        for candidate in (char, _PLAIN.get(char, ""), unicodedata.normalize("NFKD", char)):
            encoded = candidate.encode("windows-1252", errors="ignore")
            if encoded:
                made += encoded
                break
        else:
            made += b"" if unicodedata.combining(char) else b"?"
    return bytes(made)


_PLAIN = {
    "Ł": "L",
    "ł": "l",
    "Đ": "D",
    "đ": "d",
    "Ħ": "H",
    "ħ": "h",
    "ı": "i",
    "\u2010": "-",
    "\u2011": "-",
    "\u2212": "-",
}
