"""RTF read twice more: all groups whatever they are for, with fallbacks of letters skipped and with them kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

from taciturn.formats.leak.found import BREAK, Found, raw

__all__ = ["texts"]

_PIECE = re.compile(
    r"\\u(-?\d+) ?(\?|\\'[0-9a-fA-F]{2})?|\\'([0-9a-fA-F]{2})|\\(par|cell|row|nestcell|nestrow|sect|page|column)\b ?"
    r"|\\(?:tab|line|emspace|enspace)\b ?|\\([a-zA-Z]+)(-?\d+)? ?|\\([\\{}~_-])|\\(.)|([{}\r\n]+)",
    re.S,
)
_APART = re.compile(
    r"\{\\(?:\*\\)?(?:footnote|annotation|shptxt|sv|sn|fldinst|bkmkstart|bkmkend|header|footer)[lrf]?\b"
)


def texts(data: bytes, name: str) -> Iterator[Found]:
    """The text of all groups together, with notes and fields apart and in line; then the source."""
    source = data.decode("latin-1")
    yield Found("text", "control words cut", _plain(source))
    yield Found(
        "text", "groups apart", _plain(_APART.sub(lambda m: "\\par " + m.group(), source).replace("}", "}\\par "))
    )
    yield from raw(data)


def _plain(source: str) -> str:
    def shown(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1]) & 0xFFFF)
        if found[3]:
            return bytes([int(found[3], 16)]).decode("cp1252", errors="replace")
        if found[4]:
            return BREAK
        if found[5] or found[9]:
            return ""
        if found[7]:
            return {"~": "\u00a0", "_": "-", "-": ""}.get(found[7], found[7])
        return "" if found[8] else " "

    text = _PIECE.sub(shown, source)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
