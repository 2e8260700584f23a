"""Embedded fonts after redaction: glyphs and maps of letters that no longer occur go too."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, NamedTuple

from fontTools import agl, subset
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib import TTFont
from pikepdf import Dictionary, Name, Object, Stream

from taciturn.formats.pdf.fonts import Font
from taciturn.formats.pdf.type1 import cut_type1

__all__ = ["Program", "shrink_program", "used_glyphs"]


def used_glyphs(font: Font, dictionary: Object, codes: set[int]) -> set[int] | None:
    """The glyph numbers of codes in an embedded CID font; None in a simple font, which goes by names."""
    if font.simple or font.code_map is None:
        return None
    inner = dictionary["/DescendantFonts"][0]
    cids = {font.code_map.cid(font.lengths.get(code, 2), code) for code in codes} - {None}
    mapping = inner.get("/CIDToGIDMap")
    if isinstance(mapping, Stream):
        table = mapping.read_bytes()
        return {0} | {table[2 * c] << 8 | table[2 * c + 1] for c in cids if c is not None and 2 * c + 1 < len(table)}
    return {0} | {c for c in cids if c is not None}


class Program(NamedTuple):
    """An embedded font program: the key and kind under which a descriptor holds it, and its lengths if they count."""

    key: str
    data: bytes
    kind: str = ""
    lengths: tuple[int, ...] = ()


def shrink_program(font: Font, dictionary: Object, codes: set[int]) -> Program | None:
    """The embedded program with the glyphs of ``codes`` only; None if nothing is embedded."""
    holder = dictionary if font.simple else dictionary["/DescendantFonts"][0]
    descriptor = holder.get("/FontDescriptor", Dictionary())
    gids = used_glyphs(font, dictionary, codes)
    if "/FontFile" in descriptor:
        data, *lengths = cut_type1(
            descriptor["/FontFile"].read_bytes(), lambda own: _glyph_names(font, dictionary, codes, own)
        )
        return Program("/FontFile", data, "", tuple(lengths))
    if "/FontFile2" in descriptor:
        program = TTFont(io.BytesIO(descriptor["/FontFile2"].read_bytes()), lazy=False, recalcTimestamp=False)
        data = _cut(program, _wanted(program, gids, font, dictionary, codes), named=gids is None)
        return Program("/FontFile2", data, "", (len(data),))
    if "/FontFile3" in descriptor:
        stream = descriptor["/FontFile3"]
        kind = str(stream.get("/Subtype", ""))
        if kind == "/OpenType":
            program = TTFont(io.BytesIO(stream.read_bytes()), lazy=False, recalcTimestamp=False)
            wanted = _wanted(program, gids, font, dictionary, codes)
            return Program("/FontFile3", _cut(program, wanted, named=gids is None), kind)
        return Program("/FontFile3", _cut_cff(stream.read_bytes(), font, dictionary, codes, gids), kind)
    return None


def _wanted(program: Any, gids: set[int] | None, font: Font, dictionary: Object, codes: set[int]) -> set[str]:
    order = program.getGlyphOrder()
    if gids is not None:
        return {order[g] for g in gids if g < len(order)}
    return _named(program, font, dictionary, codes)


def _options() -> Any:
    options = subset.Options()
    options.retain_gids = True
    options.notdef_outline = True
    options.glyph_names = True
    options.legacy_cmap = options.symbol_cmap = True
    options.name_IDs = []
    options.layout_features = []
    options.hinting = True
    options.prune_unicode_ranges = False
    options.prune_codepage_ranges = False
    options.recalc_bounds = False
    options.drop_tables = [
        "GSUB",
        "GPOS",
        "GDEF",
        "BASE",
        "JSTF",
        "DSIG",
        "kern",
        "meta",
        "PCLT",
        "LTSH",
        "VDMX",
        "hdmx",
        "name",
    ]
    options.passthrough_tables = True
    return options


def _cut(program: Any, wanted: set[str], *, named: bool) -> bytes:
    """The program with empty outlines for all other glyphs: their numbers stay, their names go, and all names go where
    glyphs are not found by name."""
    cutter = subset.Subsetter(_options())
    cutter.populate(glyphs=sorted(wanted))
    # The cmap stays as it is for codes of wanted glyphs: viewers find simple TrueType glyphs through it.
    tables = {t: dict(t.cmap) for t in program["cmap"].tables if hasattr(t, "cmap")} if "cmap" in program else {}
    cutter.subset(program)
    if tables:
        from fontTools.ttLib import newTable

        cmap = newTable("cmap")
        cmap.tableVersion, cmap.tables = 0, []
        for table, mapping in tables.items():
            table.cmap = {code: glyph for code, glyph in mapping.items() if glyph in wanted}
            cmap.tables.append(table)
        program["cmap"] = cmap
    if "post" in program:
        post = program["post"]
        if named and post.formatType == 2.0:
            post.extraNames, post.mapping = [], {g: ".notdef" for g in program.getGlyphOrder() if g not in wanted}
        else:
            post.formatType = 3.0
    buffer = io.BytesIO()
    program.save(buffer, reorderTables=None)
    return buffer.getvalue()


def _named(program: Any, font: Font, dictionary: Object, codes: set[int]) -> set[str]:
    """Every glyph that a code of a simple TrueType font may mean to any viewer: too many rather than too few."""
    order = program.getGlyphOrder()
    present, wanted = set(order), {".notdef", order[0]}
    names = _differences(dictionary)
    for code in codes:
        texts = {font.texts.get(code), agl.toUnicode(names[code]) if code in names else None}
        points = {ord(t) for t in texts if t and len(t) == 1} | {code, 0xF000 + code, 0xF100 + code}
        candidates = {names.get(code)} | {agl.UV2AGL.get(p) for p in points if p < 0xF000}
        for table in program["cmap"].tables if "cmap" in program else ():
            candidates |= {getattr(table, "cmap", {}).get(p) for p in points}
        wanted |= {c for c in candidates if c in present}
    return wanted


def _differences(dictionary: Object) -> dict[int, str]:
    names: dict[int, str] = {}
    encoding = dictionary.get("/Encoding")
    if isinstance(encoding, Dictionary):
        code = 0
        for item in encoding.get("/Differences", []):
            if isinstance(item, Name):
                names[code] = str(item)[1:]
                code += 1
            else:
                code = int(item)
    return names


def _glyph_names(font: Font, dictionary: Object, codes: set[int], own: Mapping[int, str]) -> set[str]:
    """Every name that a code of a simple font may have to any viewer: too many rather than too few."""
    names = _differences(dictionary)
    wanted = {".notdef"}
    for code in codes:
        text = font.texts.get(code)
        wanted |= {names.get(code, ""), own.get(code, ""), StandardEncoding[code] if code < 256 else ""}
        if text:
            wanted |= {agl.UV2AGL.get(ord(text), "") if len(text) == 1 else "", *_LIGATURES.get(text, ())}
    return wanted - {""}


_LIGATURES = {"fi": ("fi",), "fl": ("fl",), "ff": ("ff",), "ffi": ("ffi",), "ffl": ("ffl",)}


def _cut_cff(data: bytes, font: Font, dictionary: Object, codes: set[int], gids: set[int] | None) -> bytes:
    """A bare CFF font. Where glyphs are found by name or by CID, all others leave it; where they are found by their
    number they stay as empty outlines without a name."""
    from fontTools.cffLib import CFFFontSet

    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    top = fonts[0]
    order = list(top.charset)
    strings = top.CharStrings
    for glyph in order:
        strings[glyph].decompile()
    fonts.desubroutinize()  # or subroutines would keep the outlines
    own = dict(enumerate(top.Encoding)) if isinstance(getattr(top, "Encoding", None), list) else {}
    if gids is None:
        wanted = _glyph_names(font, dictionary, codes, own)
    elif hasattr(top, "ROS"):
        wanted = {f"cid{g:05d}" for g in gids}
    else:
        wanted = {order[g] for g in gids if g < len(order)}
    wanted.add(order[0])
    wanted |= {part for glyph in wanted if glyph in strings for part in _parts_of(strings[glyph].program)}
    if gids is None or hasattr(top, "ROS"):
        _drop_glyphs(top, wanted)
    else:
        _blank_glyphs(top, wanted)
    if own:
        top.Encoding = [name if name in wanted else ".notdef" for _, name in sorted(own.items())]
    buffer = io.BytesIO()
    fonts.compile(buffer, _Otf())
    return buffer.getvalue()


def _parts_of(program: list[Any]) -> set[str]:
    """The letter and the accent that an outline is made of, if it is made of two others."""
    numbers = program[:-1]
    if program[-1:] != ["endchar"] or len(numbers) not in (4, 5) or not all(isinstance(n, int) for n in numbers):
        return set()
    return {StandardEncoding[code] for code in numbers[-2:] if 0 <= code < 256}


def _drop_glyphs(top: Any, wanted: set[str]) -> None:
    strings = top.CharStrings
    kept = [(number, glyph) for number, glyph in enumerate(top.charset) if glyph in wanted]
    if strings.charStringsAreIndexed:
        index = strings.charStringsIndex
        index.items = [index[strings.charStrings[glyph]] for _, glyph in kept]
        for left in ("file", "offsets"):
            if hasattr(index, left):
                delattr(index, left)
        strings.charStrings = {glyph: number for number, (_, glyph) in enumerate(kept)}
    else:
        strings.charStrings = {glyph: strings.charStrings[glyph] for _, glyph in kept}
    if hasattr(top, "FDSelect"):
        top.FDSelect.format = None
        top.FDSelect.gidArray = [top.FDSelect.gidArray[number] for number, _ in kept]
    top.charset = [glyph for _, glyph in kept]
    top.numGlyphs = len(kept)


def _blank_glyphs(top: Any, wanted: set[str]) -> None:
    from fontTools.misc.psCharStrings import T2CharString

    strings = top.CharStrings
    named: dict[str, Any] = {}
    charset = []
    for number, glyph in enumerate(top.charset):
        outline = strings[glyph]
        if glyph not in wanted:
            outline = T2CharString(program=["endchar"], private=outline.private, globalSubrs=outline.globalSubrs)
            glyph = f"x{number}"
        named[glyph] = outline
        charset.append(glyph)
    if strings.charStringsAreIndexed:
        index = strings.charStringsIndex
        index.items = list(named.values())
        strings.charStrings = {glyph: number for number, glyph in enumerate(charset)}
    else:
        strings.charStrings = named
    top.charset = charset


class _Otf:
    """What cffLib wants to know of the font around a CFF table: nothing is there."""

    recalcBBoxes = False  # noqa: N815
    cfg: dict[str, object] = {}  # noqa: RUF012

    def __contains__(self, key: str) -> bool:
        return False
