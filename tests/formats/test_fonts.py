"""Letters that are gone leave embedded fonts: Type 1, CFF by name, CFF by CID, TrueType."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
import reportlab
from fontTools.cffLib import CFFFontSet, FDArrayIndex, FDSelect, FontDict
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.eexec import decrypt
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name, Pdf, String

from taciturn.formats.pdf.subset import _Otf
from taciturn.formats.pdf.type1 import Type1Error, cut_type1
from tests.formats import nasty_pdf
from tests.formats.plans import release

FONTS = Path(reportlab.__file__).parent / "fonts"
SHOWN = "quiz Zyx"
HIDE = {"Zyx": "u"}


def _letters() -> tuple[list[str], dict[str, str]]:
    vera = TTFont(FONTS / "Vera.ttf")
    cmap = vera.getBestCmap()
    names = {c: cmap[ord(c)] for c in sorted(set(SHOWN))}
    return [".notdef", *names.values()], names


def _cff(by_cid: bool) -> bytes:
    """The letters shown, as a bare CFF font: with names, or with numbers far apart."""
    vera = TTFont(FONTS / "Vera.ttf")
    glyphs, outlines = vera.getGlyphSet(), {}
    order, _ = _letters()
    for name in order:
        pen = T2CharStringPen(round(glyphs[name].width * 1000 / 2048), glyphs)
        glyphs[name].draw(pen)
        outlines[name] = pen.getCharString()
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(order)
    builder.setupCFF("Vera", {}, outlines, {})
    fonts = builder.font["CFF "].cff
    fonts[0].FontMatrix = [1 / 2048, 0, 0, 1 / 2048, 0, 0]
    buffer = io.BytesIO()
    fonts.compile(buffer, _Otf())
    if not by_cid:
        return buffer.getvalue()
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(buffer.getvalue()), None)
    top = fonts[0]
    strings = top.CharStrings
    items = [strings[g] for g in order]
    for item in items:
        item.decompile()
    private = top.Private
    top.ROS, top.CIDCount = ("Adobe", "Identity", 0), 65535
    top.charset = [".notdef", *(f"cid{_cid(g):05d}" for g in order[1:])]
    inner = FontDict()
    inner.setCFF2(False)
    inner.Private, inner.FontName = private, "Vera-X"
    top.FDArray = FDArrayIndex()
    top.FDArray.append(inner)
    top.FDSelect = FDSelect(format=3)
    top.FDSelect.gidArray = [0] * len(order)
    strings.charStringsAreIndexed = False
    strings.fdArray, strings.fdSelect = top.FDArray, top.FDSelect
    strings.charStrings = dict(zip(top.charset, items, strict=True))
    del top.rawDict["Private"], top.Private
    buffer = io.BytesIO()
    fonts.compile(buffer, _Otf())
    return buffer.getvalue()


def _cid(name: str) -> int:
    return 100 + 7 * _letters()[0].index(name)


def _descriptor(pdf: Pdf, **program: Any) -> Any:
    return pdf.make_indirect(
        Dictionary(
            Type=Name.FontDescriptor, FontName=Name("/ABCDEF+Some"), Flags=4, Ascent=800, Descent=-200, CapHeight=700,
            FontBBox=Array([-200, -200, 1000, 900]), ItalicAngle=0, StemV=80, **program,
        )
    )  # fmt: skip


def _simple(stream: Any, key: str) -> bytes:
    def change(pdf: Pdf, page: Any) -> None:
        file = stream(pdf)
        page.Resources.Font.X = pdf.make_indirect(
            Dictionary(
                Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/ABCDEF+Some"), FirstChar=0, LastChar=255,
                Widths=Array([600] * 256), Encoding=Name.WinAnsiEncoding,
                FontDescriptor=_descriptor(pdf, **{key: file}),
            )
        )  # fmt: skip

    return nasty_pdf.content(f"BT /X 20 Tf 40 200 Td ({SHOWN}) Tj ET".encode(), None, change)


def _type1(name: str = "_er_____.pfb") -> bytes:
    return _simple(lambda pdf: pdf.make_stream((FONTS / name).read_bytes()), "FontFile")


def _type1c() -> bytes:
    def stream(pdf: Pdf) -> Any:
        made = pdf.make_stream(_cff(False))
        made.Subtype = Name.Type1C
        return made

    return _simple(stream, "FontFile3")


def _cid_keyed() -> bytes:
    def change(pdf: Pdf, page: Any) -> None:
        program = pdf.make_stream(_cff(True))
        program.Subtype = Name.CIDFontType0C
        inner = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name("/ABCDEF+Some"), DW=600,
            CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
            FontDescriptor=_descriptor(pdf, FontFile3=program),
        )  # fmt: skip
        _, names = _letters()
        lines = "".join(f"<{_cid(n):04X}> <{ord(c):04X}>\n" for c, n in names.items())
        page.Resources.Font.X = pdf.make_indirect(
            Dictionary(
                Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/ABCDEF+Some"), Encoding=Name("/Identity-H"),
                DescendantFonts=Array([pdf.make_indirect(inner)]),
                ToUnicode=pdf.make_stream(f"{len(names)} beginbfchar\n{lines}endbfchar".encode()),
            )
        )  # fmt: skip

    names = _letters()[1]
    shown = "".join(f"{_cid(names[c]):04X}" for c in SHOWN)
    return nasty_pdf.content(f"BT /X 20 Tf 40 200 Td <{shown}> Tj ET".encode(), None, change)


def _program(data: bytes, key: str) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return next(bytes(o[key].read_bytes()) for o in pdf.objects if isinstance(o, Dictionary) and key in o)


def _pixels(data: bytes) -> Any:
    return pypdfium2.PdfDocument(data)[0].render(scale=2).to_numpy().astype(int)


@pytest.mark.parametrize("make", [_type1, _type1c, _cid_keyed])
def test_what_stays_looks_as_before_and_reads_as_before(make: Any) -> None:
    source = make()
    _, data = release(source, "a.pdf", HIDE)
    before, after = _pixels(source), _pixels(data)
    word = (slice(360, 410), slice(80, 80 + 4 * 24))  # "quiz"
    assert before[word].min() < 50
    assert (before[word] == after[word]).all()
    assert "quiz u" in pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()


def test_type_1_loses_outlines_names_and_codes() -> None:
    names: list[str] = []
    made = _program(release(_type1("callig15.pfb"), "a.pdf", HIDE)[1], "/FontFile")
    cut_type1(made, lambda own: names.extend(own.values()) or set(own.values()))  # type: ignore[func-returns-value]
    assert "q" in names
    assert not {"Z", "y", "x", "A"} & set(names)
    secret = decrypt(made[made.index(b"eexec") + 6 :], 55665)[0]
    outlines = set(re.findall(rb"/(\w+|\.notdef) \d+ (?:RD|-\|) ", secret))
    assert outlines == {b"q", b"u", b"i", b"z", b".notdef"}  # this font has no space


@pytest.mark.parametrize("path", sorted(FONTS.glob("*.pfb")), ids=lambda p: p.stem)
def test_every_type_1_font_at_hand_can_be_cut(path: Path) -> None:
    data = path.read_bytes()
    made, first, second, third = cut_type1(data, lambda own: {"A", "Adieresis"})
    assert first + second + third == len(made) < len(data)
    again = cut_type1(made, lambda own: {"A", "Adieresis"})[0]
    assert again == made


def test_what_is_no_type_1_is_said_to_be_none() -> None:
    with pytest.raises(Type1Error):
        cut_type1(b"%!PS nothing", lambda own: set())
    with pytest.raises(Type1Error):
        cut_type1(b"%!PS currentfile eexec " + b"x" * 900, lambda own: set())


@pytest.mark.parametrize(("make", "gone"), [(_type1c, {"Z", "y", "x"}), (_cid_keyed, {"Z", "y", "x"})])
def test_cff_loses_outlines_and_names(make: Any, gone: set[str]) -> None:
    program = _program(release(make(), "a.pdf", HIDE)[1], "/FontFile3")
    fonts = CFFFontSet()
    fonts.decompile(io.BytesIO(program), None)
    left = set(fonts[0].charset)
    wanted = {"q", "u", "i", "z", "space"}
    if make is _cid_keyed:
        gone, wanted = ({f"cid{_cid(g):05d}" for g in names} for names in (gone, wanted))
    assert left == wanted | {".notdef"}
    assert not gone & left


def test_true_type_loses_names() -> None:
    source = nasty_pdf.paint(lambda p: (p.setFont("Vera", 12), p.drawString(40, 200, SHOWN), None)[2])
    post = TTFont(io.BytesIO(_program(release(source, "a.pdf", HIDE)[1], "/FontFile2")))["post"]
    assert post.formatType == 3.0 or not {"Z", "y", "x"} & set(post.extraNames)
