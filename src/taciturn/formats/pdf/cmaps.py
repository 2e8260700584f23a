"""Character maps of PDF fonts: codes to Unicode (ToUnicode) and codes to glyph numbers (encodings of CID fonts)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["CodeMap", "parse_to_unicode", "to_unicode_stream"]

_TOKEN = re.compile(
    rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])|/([^\s<>\[\]()/%]+)|([A-Za-z][A-Za-z0-9]*)|(-?\d+)|%[^\r\n]*|\((?:[^()\\]|\\.)*\)"
)
_LIMIT = 70_000
"""How many codes a map may have, each counted as often as it is mapped: a font has at most 65,536 glyphs."""
_MOST_SPACES = 100
_MOST_RANGES = 20_000


def _tokens(data: bytes) -> Iterator[tuple[str, bytes]]:
    for found in _TOKEN.finditer(data):
        if found[1] is not None:
            digits = re.sub(rb"\s", b"", found[1])
            yield "hex", bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
        elif found[2] or found[3]:
            yield "bracket", found.group()
        elif found[4] is not None:
            yield "name", found[4]
        elif found[5] is not None:
            yield "word", found[5]
        elif found[6] is not None:
            yield "number", found[6]


def _sections(data: bytes) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """What stands between begin... and end...: ("bfchar", tokens) and the like."""
    kind, inside = "", list[tuple[str, bytes]]()
    for token in _tokens(data):
        if token[0] == "word" and token[1].startswith(b"begin") and token[1] not in (b"begin", b"begincmap"):
            kind, inside = token[1][5:].decode("ascii"), []
        elif token[0] == "word" and token[1].startswith(b"end") and kind:
            yield kind, inside
            kind = ""
        elif kind:
            inside.append(token)


def _utf16(data: bytes) -> str:
    text = data.decode("utf-16-be", errors="replace") if len(data) > 1 else data.decode("latin-1")
    return text.replace("\0", "")


def parse_to_unicode(data: bytes) -> dict[int, str]:
    """Code to text.

    >>> parse_to_unicode(b"1 beginbfchar <01> <00660069> endbfchar 1 beginbfrange <02> <03> <0041> endbfrange")
    {1: 'fi', 2: 'A', 3: 'B'}
    """
    found: dict[int, str] = {}
    mapped = 0
    for kind, tokens in _sections(data):
        if kind == "bfchar":
            values = [t for t in tokens if t[0] == "hex"]
            for (_, code), (_, text) in zip(values[::2], values[1::2], strict=False):
                found[int.from_bytes(code, "big")] = _utf16(text)
            mapped += len(values) // 2
        elif kind == "bfrange":
            mapped += _ranges(tokens, found, _LIMIT - mapped)
        if mapped > _LIMIT:
            raise ValueError("a map has more codes than a font has glyphs")
    return found


def _ranges(tokens: list[tuple[str, bytes]], found: dict[int, str], most: int) -> int:
    """Add the codes of ranges, hardly more than ``most``; returns how many were mapped."""
    at = mapped = 0
    while at + 2 < len(tokens) and mapped <= most:
        low, high = int.from_bytes(tokens[at][1], "big"), int.from_bytes(tokens[at + 1][1], "big")
        if tokens[at + 2] == ("bracket", b"["):
            at += 3
            code = low
            while at < len(tokens) and tokens[at][0] == "hex":
                found[code] = _utf16(tokens[at][1])
                code, at = code + 1, at + 1
            mapped += code - low
            at += 1
            continue
        text = tokens[at + 2][1]
        number = int.from_bytes(text, "big")
        for code in range(low, min(high, low + 65535) + 1):
            value = number + code - low
            found[code] = _utf16(value.to_bytes(max(len(text), (value.bit_length() + 7) // 8), "big"))
        mapped += max(min(high - low, 65535) + 1, 0)
        at += 3
    return mapped


def to_unicode_stream(texts: dict[int, str], width: int) -> bytes:
    """A ToUnicode map with these codes and no others."""
    lines = []
    items = sorted(texts.items())
    for start in range(0, len(items), 100):
        block = items[start : start + 100]
        lines.append(f"{len(block)} beginbfchar")
        lines += (f"<{code:0{2 * width}X}> <{text.encode('utf-16-be').hex().upper()}>" for code, text in block)
        lines.append("endbfchar")
    top = "FF" * width
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n/CMapName /T def /CMapType 2 def\n"
        f"1 begincodespacerange <{'00' * width}> <{top}> endcodespacerange\n" + "\n".join(lines) + "\n"
        "endcmap end end"
    ).encode("ascii")


@dataclass(slots=True)
class CodeMap:
    """How the bytes of a string are cut into codes, and which glyph number (CID) each has."""

    spaces: list[tuple[int, int, int]] = field(default_factory=list)  # length, low, high
    cids: dict[tuple[int, int], int] = field(default_factory=dict)  # (length, code) to cid
    ranges: list[tuple[int, int, int, int]] = field(default_factory=list)  # length, low, high, first cid
    identity: bool = False
    asked: set[tuple[int, int]] = field(default_factory=set)  # codes that were looked for in the ranges

    @classmethod
    def parse(cls, data: bytes) -> CodeMap:
        """An embedded CMap."""
        made = cls()
        for kind, tokens in _sections(data):
            if kind == "codespacerange":
                values = [t[1] for t in tokens if t[0] == "hex"]
                made.spaces += (
                    (len(low), int.from_bytes(low, "big"), int.from_bytes(high, "big"))
                    for low, high in zip(values[::2], values[1::2], strict=False)
                )
            elif kind in ("cidchar", "notdefchar") and kind == "cidchar":
                for (_, code), (_, cid) in zip(tokens[::2], tokens[1::2], strict=False):
                    made.cids[len(code), int.from_bytes(code, "big")] = int(cid)
            elif kind == "cidrange":
                for (_, low), (_, high), (_, cid) in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=False):
                    made.ranges.append((len(low), int.from_bytes(low, "big"), int.from_bytes(high, "big"), int(cid)))
        if len(made.spaces) > _MOST_SPACES or len(made.ranges) > _MOST_RANGES:
            raise ValueError("a map has more ranges than any font needs")
        return made

    def cut(self, data: bytes) -> Iterator[tuple[int, int]]:
        """(length, code) of each character of a string; what fits no code space is taken as the shortest."""
        if self.identity:
            for at in range(0, len(data) - 1, 2):
                yield 2, data[at] << 8 | data[at + 1]
            if len(data) % 2:
                yield 1, data[-1]
            return
        at, shortest = 0, min((s[0] for s in self.spaces), default=1)
        while at < len(data):
            for length in (1, 2, 3, 4):
                code = int.from_bytes(data[at : at + length], "big")
                if at + length <= len(data) and any(
                    length == n
                    and all(low >> s & 255 <= code >> s & 255 <= high >> s & 255 for s in range(0, 8 * n, 8))
                    for n, low, high in self.spaces
                ):
                    break
            else:
                length = min(shortest, len(data) - at)
                code = int.from_bytes(data[at : at + length], "big")
            yield length, code
            at += length

    def cid(self, length: int, code: int) -> int | None:
        """The glyph number of a code; None if the map has none."""
        if self.identity:
            return code
        cid = self.cids.get((length, code))
        if cid is None and (length, code) not in self.asked:
            self.asked.add((length, code))  # a search for each code, not for each letter of a text
            for n, low, high, first in self.ranges:
                if n == length and low <= code <= high:
                    cid = self.cids[length, code] = first + code - low
                    break
        return cid
