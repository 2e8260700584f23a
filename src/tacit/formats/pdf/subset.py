"""Embedded fonts after redaction: glyphs and maps of letters that no longer occur go too."""

from __future__ import annotations

import io
from typing import Any

from fontTools import agl, subset
from fontTools.ttLib import TTFont
from pikepdf import Dictionary, Name, Object, Stream

from tacit.formats.pdf.fonts import Font

__all__ = ["shrink_program", "used_glyphs"]


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


def shrink_program(font: Font, dictionary: Object, codes: set[int]) -> tuple[str, bytes, str] | None:
    """The embedded program with the glyphs of ``codes`` only: its key, bytes and subtype. None if it is of a kind that
    cannot be cut down here (Type 1), or if nothing is embedded."""
    holder = dictionary if font.simple else dictionary["/DescendantFonts"][0]
    descriptor = holder.get("/FontDescriptor", Dictionary())
    gids = used_glyphs(font, dictionary, codes)
    if "/FontFile2" in descriptor:
        program = TTFont(io.BytesIO(descriptor["/FontFile2"].read_bytes()), lazy=False, recalcTimestamp=False)
        order = program.getGlyphOrder()
        wanted = (
            {order[g] for g in gids if g < len(order)} if gids is not None else _named(program, font, dictionary, codes)
        )
        return "/FontFile2", _cut(program, wanted), ""
    if "/FontFile3" in descriptor:
        stream = descriptor["/FontFile3"]
        kind = str(stream.get("/Subtype", ""))
        if kind == "/OpenType":
            program = TTFont(io.BytesIO(stream.read_bytes()), lazy=False, recalcTimestamp=False)
            order = program.getGlyphOrder()
            wanted = {order[g] for g in gids if g < len(order)} if gids is not None else set(order)
            return "/FontFile3", _cut(program, wanted), kind
        return "/FontFile3", _cut_cff(stream.read_bytes(), font, dictionary, codes, gids), kind
    return None


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


def _cut(program: Any, wanted: set[str]) -> bytes:
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


def _cut_cff(data: bytes, font: Font, dictionary: Object, codes: set[int], gids: set[int] | None) -> bytes:
    """A bare CFF font: the outlines of glyphs that are not wanted become empty; numbers and names of the rest stay."""
    from fontTools.cffLib import CFFFontSet
    from fontTools.misc.psCharStrings import T2CharString

    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(data), None)
    top = fonts[0]
    order = list(top.charset)
    if gids is not None:
        if hasattr(top, "ROS"):
            wanted = {f"cid{g:05d}" for g in gids} | {order[0]}
        else:
            wanted = {order[g] for g in gids if g < len(order)} | {order[0]}
    else:
        names = _differences(dictionary)
        builtin = top.Encoding if isinstance(top.Encoding, list) else []
        wanted = {order[0]}
        for code in codes:
            text = font.texts.get(code)
            wanted |= {names.get(code, ""), builtin[code] if code < len(builtin) else ""}
            wanted |= {agl.UV2AGL.get(ord(text), "")} if text and len(text) == 1 else set()
            from fontTools.encodings.StandardEncoding import StandardEncoding

            wanted.add(StandardEncoding[code] if code < 256 else "")
    strings = top.CharStrings
    for glyph in order:
        if glyph not in wanted:
            old = strings[glyph]
            old.decompile()
            new = T2CharString(program=["endchar"], private=old.private, globalSubrs=old.globalSubrs)
            number = strings.charStrings[glyph]
            if strings.charStringsAreIndexed:
                strings.charStringsIndex[number] = new
            else:
                strings.charStrings[glyph] = new
    buffer = io.BytesIO()
    fonts.compile(buffer, _Otf())
    return buffer.getvalue()


class _Otf:
    """What cffLib wants to know of the font around a CFF table: nothing is there."""

    recalcBBoxes = False  # noqa: N815
    cfg: dict[str, object] = {}  # noqa: RUF012

    def __contains__(self, key: str) -> bool:
        return False
