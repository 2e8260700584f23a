"""PDF fonts: what each code says and how wide it is. A code whose text is not known for certain says None."""

from __future__ import annotations

import io
import re
import struct
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import pikepdf
from fontTools import agl
from fontTools.encodings.MacRoman import MacRoman
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.subset import Subsetter
from fontTools.ttLib import TTLibError
from pikepdf import Array, Dictionary, Name, Object, Stream

from taciturn.formats.pdf.cmaps import CodeMap, parse_to_unicode
from taciturn.formats.pdf.standard import BASE_WIDTHS, base_font

__all__ = ["FONT_ERRORS", "Font", "numbers_by_cid", "read_font", "spelled"]

FONT_ERRORS = (
    RuntimeError,  # what pikepdf's C++ part throws
    *(TTLibError, Subsetter.SubsettingError, pikepdf.PikepdfError, struct.error, zlib.error),
    *(AssertionError, AttributeError, LookupError, ArithmeticError, TypeError, ValueError, NotImplementedError),
)
"""What pikepdf and fontTools raise on fonts that break the rules, and there are many that do."""


def spelled(name: Object) -> str:
    """A name or operator as a string, even if its bytes are no UTF-8 (as in old files from before that was the rule).

    >>> spelled(Object.parse(b"/Gr#fcn"))
    '/Gr\\udcfcn'
    """
    try:
        return str(name)
    except UnicodeDecodeError:
        return bytes(name).decode("utf-8", "surrogateescape")


_MOST_WIDTHS = 200_000
_STANDARD = {code: name for code, name in enumerate(StandardEncoding) if name != ".notdef"}
_MAC = {code: name for code, name in enumerate(MacRoman) if name != ".notdef"}


def _winansi() -> dict[int, str]:
    table = {}
    for code in range(32, 256):
        try:
            table[code] = bytes([code]).decode("windows-1252")
        except UnicodeDecodeError:
            table[code] = "\u2022"
    table[0xA0], table[0xAD] = "\xa0", "-"
    return table


_WINANSI = _winansi()


class Decoded(NamedTuple):
    """The characters of a string, by column: bytes, codes, texts, widths in text space at size 1. Columns, because all
    that is done to characters is done once for each letter of a file."""

    lengths: list[int]
    codes: list[int]
    texts: list[str | None]
    widths: list[float]


@dataclass(slots=True)
class Font:
    """A font as it is used on pages.

    ``texts`` and ``widths`` (thousandths of the size) are by code; ``length`` is how many bytes a code has in a simple
    font, 0 in a composite one, which cuts strings by its ``code_map``. ``scale`` turns widths into text space.
    """

    name: str
    simple: bool
    texts: dict[int, str | None] = field(default_factory=dict)
    widths: dict[int, float] = field(default_factory=dict)
    default_width: float = 0.0
    scale: float = 0.001
    code_map: CodeMap | None = None
    readable: bool = True
    vertical: bool = False
    heights: dict[int, float] = field(default_factory=dict)  # of a vertical font: how far down each CID moves
    default_height: float = -1000.0
    flags: int = 0
    used: Counter[int] = field(default_factory=Counter)
    lengths: dict[int, int] = field(default_factory=dict)
    _cache: dict[bytes, Decoded] = field(default_factory=dict)

    def decode(self, data: bytes) -> Decoded:
        """The characters of a string."""
        cached = self._cache.get(data)
        if cached is None:
            cached = self._decode(data)
            if len(data) <= 64 and len(self._cache) < 50_000:
                self._cache[data] = cached
        return cached

    def _decode(self, data: bytes) -> Decoded:
        widths, default, scale = self.widths, self.default_width, self.scale
        texts = self.texts if self.readable else {}
        if self.simple:
            said = [texts.get(code) for code in data]
            return Decoded([1] * len(data), list(data), said, [widths.get(code, default) * scale for code in data])
        assert self.code_map is not None
        made = Decoded([], [], [], [])
        for length, code in self.code_map.cut(data):
            self.lengths[code] = length
            cid = self.code_map.cid(length, code)
            if self.vertical:
                width = self.heights.get(-1 if cid is None else cid, self.default_height)
            else:
                width = widths.get(cid, default) if cid is not None else default
            for column, value in zip(made, (length, code, texts.get(code), width * scale), strict=True):
                column.append(value)  # type: ignore[attr-defined]
        return made


def read_font(font: Object) -> Font:
    """A font from its dictionary. Nothing a font says can raise: what cannot be understood is unreadable."""
    try:
        return _read_font(font)
    except FONT_ERRORS:
        return Font("", True, readable=False, default_width=500.0)


def _read_font(font: Object) -> Font:
    kind = str(font.get("/Subtype", ""))
    name = str(font.get("/BaseFont", "/")).lstrip("/")
    to_unicode = font.get("/ToUnicode")
    texts: dict[int, str] = {}
    if isinstance(to_unicode, Stream):
        texts = parse_to_unicode(to_unicode.read_bytes())
    if kind == "/Type0":
        return _composite(font, name, texts)
    descriptor = font.get("/FontDescriptor", Dictionary())
    made = Font(name, True, flags=int(descriptor.get("/Flags", 0)))
    names, plain = _encoding(font, name, descriptor)
    for code in range(256):
        said = texts.get(code)
        if said is None or not said.strip("\ufffd"):
            glyph = names.get(code)
            said = plain.get(code) if glyph is None else agl.toUnicode(glyph) or None
        made.texts[code] = _certain(said)
    first = int(font.get("/FirstChar", 0))
    for offset, width in enumerate(font.get("/Widths", Array())):
        made.widths[first + offset] = float(width)
    made.default_width = float(descriptor.get("/MissingWidth", 0))
    if kind == "/Type3":
        matrix = [float(v) for v in font.get("/FontMatrix", Array([0.001, 0, 0, 0.001, 0, 0]))]
        made.scale = matrix[0] or 0.001
        if not texts:
            made.readable = False  # names of procedures are not names of letters
    elif not made.widths:
        metrics = BASE_WIDTHS.get(base_font(name, made.flags), {})
        for code, text in made.texts.items():
            made.widths[code] = float(metrics.get(text or "", 0)) or made.default_width or 500.0
    return made


def _certain(text: str | None) -> str | None:
    """Private-use and replacement characters are no reading."""
    if not text or any(c == "\ufffd" or "\ue000" <= c <= "\uf8ff" or c >= "\U000f0000" for c in text):
        return None
    # Ligatures and presentation forms read as the letters they join.
    return unicodedata.normalize("NFKC", text) if any("\ufb00" <= c <= "\ufeff" for c in text) else text


def _encoding(font: Object, name: str, descriptor: Object) -> tuple[dict[int, str], dict[int, str]]:
    """Glyph names by code, and plain texts by code where an encoding gives them."""
    encoding = font.get("/Encoding")
    base = str(encoding) if isinstance(encoding, Name) else ""
    names: dict[int, str] = {}
    if isinstance(encoding, Dictionary):
        base = str(encoding.get("/BaseEncoding", ""))
        code = 0
        for item in encoding.get("/Differences", Array()):
            if isinstance(item, Name):
                names[code] = str(item)[1:]
                code += 1
            else:
                code = int(item)
    if base == "/WinAnsiEncoding":
        return names, _WINANSI
    if base == "/MacRomanEncoding":
        return {**_MAC, **names}, {}
    if base == "/StandardEncoding":
        return {**_STANDARD, **names}, {}
    if any(k in descriptor for k in ("/FontFile", "/FontFile2", "/FontFile3")):
        return {**_built_in(descriptor), **names}, {}
    if re.search("Symbol|Dingbats", name):
        return names, {}
    return {**_STANDARD, **names}, {}


def _built_in(descriptor: Object) -> dict[int, str]:
    """Glyph names by code that an embedded font program gives itself."""
    if "/FontFile" in descriptor:
        head = descriptor["/FontFile"].read_bytes()[:200_000].split(b"eexec")[0]
        if b"StandardEncoding def" in head:
            return dict(_STANDARD)
        return {int(c): n.decode("latin-1") for c, n in re.findall(rb"dup\s+(\d+)\s*/([^\s/]+)\s+put", head)}
    if "/FontFile3" in descriptor:
        from fontTools.cffLib import CFFFontSet

        program = descriptor["/FontFile3"]
        if str(program.get("/Subtype", "")) != "/Type1C":
            return {}
        fonts = CFFFontSet()
        fonts.decompile(io.BytesIO(program.read_bytes()), None)
        encoding = fonts[0].Encoding
        if encoding == "StandardEncoding":
            return dict(_STANDARD)
        if isinstance(encoding, str):
            return {}
        return {code: glyph for code, glyph in enumerate(encoding) if glyph != ".notdef"}
    from fontTools.ttLib import TTFont

    program = TTFont(io.BytesIO(descriptor["/FontFile2"].read_bytes()), lazy=True)
    found: dict[int, str] = {}
    for table in program["cmap"].tables if "cmap" in program else ():
        if (table.platformID, table.platEncID) in ((3, 0), (1, 0)):
            for code, glyph in table.cmap.items():
                if not re.fullmatch(r"(?:glyph|gid|cid|g|\.notdef)\d*", glyph):
                    found.setdefault(code & 0xFF, glyph)
    return found


def _composite(font: Object, name: str, texts: dict[int, str]) -> Font:
    inner = font["/DescendantFonts"][0]
    descriptor = inner.get("/FontDescriptor", Dictionary())
    made = Font(name, False, flags=int(descriptor.get("/Flags", 0)))
    made.default_width = float(inner.get("/DW", 1000))
    made.widths = {cid: numbers[0] for cid, numbers in numbers_by_cid(inner.get("/W", Array()), 1)}
    encoding = font.get("/Encoding")
    known: dict[int, str] = {}
    if isinstance(encoding, Stream):
        program = encoding.read_bytes()
        made.code_map = CodeMap.parse(program)
        made.vertical = bool(int(encoding.get("/WMode", 0))) or bool(re.search(rb"/WMode\s+1", program))
        made.readable = "/UseCMap" not in encoding and b"usecmap" not in program and bool(made.code_map.spaces)
    elif str(encoding) in ("/Identity-H", "/Identity-V"):
        made.code_map = CodeMap(identity=True)
        made.vertical = str(encoding).endswith("V")
    else:
        made.code_map, known = _predefined(str(encoding), inner)
        made.readable = made.code_map is not None
        made.vertical = str(encoding).endswith("V")
        made.code_map = made.code_map or CodeMap(identity=True)
    if made.vertical:
        down = inner.get("/DW2")
        made.default_height = float(down[1]) if isinstance(down, Array) and len(down) == 2 else -1000.0
        made.heights = {cid: numbers[0] for cid, numbers in numbers_by_cid(inner.get("/W2", Array()), 3)}
    for code, text in {**known, **texts}.items():
        made.texts[code] = _certain(text)
    return made


def _predefined(name: str, inner: Object) -> tuple[CodeMap | None, dict[int, str]]:
    """A CMap of the standard (for Chinese, Japanese, Korean), with the texts of its codes."""
    from pdfminer.cmapdb import CMapDB

    system = inner.get("/CIDSystemInfo", Dictionary())
    collection = f"{system.get('/Registry', '')}-{system.get('/Ordering', '')}"
    try:
        cmap = CMapDB.get_cmap(name.lstrip("/"))
        unicode_map = CMapDB.get_unicode_map(collection)
    except (CMapDB.CMapNotFound, KeyError):
        return None, {}
    made, texts = CodeMap(), dict[int, str]()
    stack: list[tuple[int, int, dict[int, object]]] = [(0, 0, getattr(cmap, "code2cid", {}))]
    while stack:
        length, code, table = stack.pop()
        for byte, value in table.items():
            new = code << 8 | byte
            if isinstance(value, dict):
                stack.append((length + 1, new, value))
            elif isinstance(value, int):
                made.cids[length + 1, new] = value
                text = unicode_map.cid2unichr.get(value)
                if text:
                    texts[new] = text
    made.spaces = _spaces(made.cids)
    return made, texts


def _spaces(cids: dict[tuple[int, int], int]) -> list[tuple[int, int, int]]:
    firsts: dict[int, set[int]] = {}
    for length, code in cids:
        firsts.setdefault(length, set()).add(code >> 8 * (length - 1))
    found = []
    for length, leading in firsts.items():
        rest = 8 * (length - 1)
        found += [(length, first << rest, (first << rest) | ((1 << rest) - 1)) for first in sorted(leading)]
    return found


def numbers_by_cid(array: Object, each: int) -> Iterator[tuple[int, list[float]]]:
    """Glyphs with their ``each`` numbers: ``c [n ...]`` is for those from c on, ``first last n ...`` for a range.

    In /W that is the width; in /W2 how far the next glyph stands below, and two that place the glyph itself.
    """
    items = list(array)
    at = count = 0
    while at + 1 < len(items):
        first, second = int(items[at]), items[at + 1]
        if isinstance(second, Array):
            numbers = [float(n) for n in second]
            found = [(first + n // each, numbers[n : n + each]) for n in range(0, len(numbers), each)]
            at += 2
        elif at + 1 + each < len(items):
            same = [float(n) for n in items[at + 2 : at + 2 + each]]
            found = [(cid, same) for cid in range(first, min(int(second), first + 65535) + 1)]
            at += 2 + each
        else:
            return
        count += len(found)
        if count > _MOST_WIDTHS:
            raise ValueError("a font gives widths to more glyphs than it can have")
        yield from found
