# ruff: noqa: E501 -- operators read better in one line
"""Nasty PDFs: the name at each place that a PDF can hold text, made with reportlab and pikepdf."""

from __future__ import annotations

import io
import pathlib
import warnings
from collections.abc import Callable
from typing import Any

import pikepdf
import reportlab
from fontTools.ttLib import TTFont as TTFontFile
from pikepdf import Array, Dictionary, Name, Pdf, String
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from tests.formats.nasty import NAME

pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))  # comes with reportlab


def paint(draw: Callable[[Any], None], **options: Any) -> bytes:
    """A page drawn by a function, with a line of harmless text on it."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, pagesize=(400, 400), invariant=1, **options)
    page.setFont("Helvetica", 12)
    page.drawString(40, 370, "Harmless words stay here.")
    draw(page)
    page.showPage()
    page.save()
    return buffer.getvalue()


def content(
    stream: bytes, resources: dict[str, Any] | None = None, change: Callable[[Pdf, Any], None] | None = None
) -> bytes:
    """A page with this content stream; ``change`` may do anything to the file."""
    pdf = Pdf.new()
    page = pdf.add_blank_page(page_size=(400, 400)).obj
    fonts = Dictionary(F1=pdf.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)))
    page.Resources = Dictionary({"/Font": fonts, **(resources or {})})
    page.Contents = pdf.make_stream(b"BT /F1 12 Tf 40 370 Td (Harmless words stay here.) Tj ET\n" + stream)
    if change:
        change(pdf, page)
    buffer = io.BytesIO()
    pdf.save(buffer, deterministic_id=True)
    return buffer.getvalue()


def _letters(page: Any) -> None:
    x = 40.0
    order = []
    for letter in NAME:
        order.append((x, letter))
        x += pdfmetrics.stringWidth(letter, "Helvetica", 12)
    for x, letter in sorted(order, key=lambda item: (item[1], item[0])):  # drawn in the order of the alphabet
        page.drawString(x, 200, letter)


def _text(font: str = "Helvetica", size: float = 12) -> Callable[[Any], None]:
    def draw(page: Any) -> None:
        page.setFont(font, size)
        page.drawString(40, 200, f"Here {NAME} acts.")

    return draw


def _rotated(page: Any) -> None:
    for angle in (15, 90, 180, 271):
        page.saveState()
        page.translate(200, 200)
        page.rotate(angle)
        page.drawString(10, 10, NAME)
        page.restoreState()


def _invisible(page: Any) -> None:
    text = page.beginText(40, 200)
    text.setTextRenderMode(3)
    text.textLine(NAME)
    page.drawText(text)


def _form(page: Any) -> None:
    page.beginForm("inner")
    page.drawString(0, 0, NAME)
    page.endForm()
    page.beginForm("outer")
    page.doForm("inner")
    page.drawString(0, 30, f"outer {NAME}")
    page.endForm()
    page.translate(40, 100)
    page.doForm("outer")


def _field(page: Any) -> None:
    page.acroForm.textfield(name="who", tooltip=NAME, value=NAME, x=40, y=200, width=200, height=20)
    page.acroForm.choice(
        name="pick", tooltip=NAME, value=NAME, options=[NAME, "other"], x=40, y=150, width=200, height=20
    )


def _bookmarks(page: Any) -> None:
    page.bookmarkPage(NAME)
    page.bookmarkPage("other")
    page.addOutlineEntry(f"About {NAME}", NAME, 0)
    page.addOutlineEntry("Inner", "other", 1)


def _link(page: Any) -> None:
    page.drawString(40, 200, f"{NAME} antonio.banderas@example.org")
    page.linkURL("https://e.org/Antonio_Banderas", (40, 200, 100, 220))
    page.linkURL("mailto:antonio.banderas@example.org", (40, 100, 100, 120))


def _bold_twice(page: Any) -> None:
    for shift in (0, 0.3):
        page.drawString(40 + shift, 200, NAME)


def _hyphen(page: Any) -> None:
    page.drawString(40, 200, "a text on Antonio Ban-")
    page.drawString(40, 186, "deras and his films")


def _two_lines(page: Any) -> None:
    page.drawString(40, 200, "a text on Antonio")
    page.drawString(40, 186, "Banderas and his films")


def _running(page: Any, number: int) -> None:
    page.setFont("Helvetica", 8)
    page.drawString(40, 385, f"Report on films, page {number}")
    page.drawString(200, 12, str(number))
    page.setFont("Helvetica", 12)


def _two_pages(page: Any) -> None:
    """A name broken over two pages, with running heads and numbers between its parts, and a word cut by a hyphen."""
    _running(page, 1)
    for row, line in enumerate(("Much has been written and said about", "the films and the long life of Antonio")):
        page.drawString(40, 60 - 14 * row, line)
    page.showPage()
    _running(page, 2)
    page.drawString(40, 365, "Banderas, who was born in the south of Spain")
    for row, line in enumerate(("and went to the capital when he was a boy.", "Later he met the other Antonio Ban-")):
        page.drawString(40, 60 - 14 * row, line)
    page.showPage()
    _running(page, 3)
    page.drawString(40, 365, "deras, whose name is the same.")


def _two_columns(page: Any) -> None:
    left = ("the first column of a text", "that is set in two columns and", "that goes on and on to Antonio")
    right = ("Banderas, who stands at the top", "of the second column, though he", "began in the first one of them.")
    for x, lines in ((40, left), (230, right)):
        for row, line in enumerate(lines):
            page.setFont("Helvetica", 10)
            page.drawString(x, 200 - 12 * row, line)


def _spaced(page: Any) -> None:
    text = page.beginText(40, 200)
    text.setCharSpace(1.5)
    text.setWordSpace(3)
    text.setHorizScale(80)
    text.setRise(3)
    text.textOut(f"Here {NAME} acts")
    page.drawText(text)


def _attach(pdf: Pdf, page: Any) -> None:
    pdf.attachments[f"{NAME}.txt"] = pikepdf.AttachedFileSpec(pdf, f"by {NAME}".encode(), filename=f"{NAME}.txt")
    pdf.attachments["x.bin"] = pikepdf.AttachedFileSpec(pdf, b"\0" + NAME.encode(), filename="x.bin", description=NAME)


def _metadata(pdf: Pdf, page: Any) -> None:
    pdf.docinfo["/Title"] = NAME
    pdf.docinfo["/Author"] = NAME
    pdf.docinfo["/Custom"] = String(NAME)
    with pdf.open_metadata() as meta:
        meta["dc:title"] = NAME
        meta["dc:creator"] = [NAME]
    pdf.trailer["/Taciturn"] = Dictionary(Who=String(NAME))
    page.PieceInfo = Dictionary(App=Dictionary(Private=String(NAME)))
    page.Metadata = pdf.make_stream(NAME.encode())
    pdf.Root.Lang = String(NAME)
    pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(NAME))]))


def _active(pdf: Pdf, page: Any) -> None:
    script = Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{NAME}')"))
    pdf.Root.OpenAction = script
    pdf.Root.AA = Dictionary(WC=script)
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=Array([String(NAME), script])))
    page.AA = Dictionary(O=script)


def _notes(pdf: Pdf, page: Any) -> None:
    look = pdf.make_stream(f"BT /F1 10 Tf 2 2 Td ({NAME}) Tj ET".encode())
    look.Type, look.Subtype, look.BBox = Name.XObject, Name.Form, Array([0, 0, 150, 20])
    look.Resources = Dictionary(Font=page.Resources.Font)
    page.Annots = Array(
        [
            pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Text,
                    Rect=Array([10, 10, 20, 20]),
                    Contents=String(NAME),
                    T=String(NAME),
                )
            ),
            pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.FreeText,
                    Rect=Array([40, 100, 190, 120]),
                    Contents=String(NAME),
                    RC=String(f"<p>{NAME}</p>"),
                    AP=Dictionary(N=look),
                )
            ),
            pdf.make_indirect(
                Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Link,
                    Rect=Array([0, 0, 9, 9]),
                    Contents=String(NAME),
                    A=Dictionary(S=Name.URI, URI=String(f"file:///{NAME}")),
                )
            ),
        ]
    )


def _layers(pdf: Pdf, page: Any) -> None:
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(f"Layer {NAME}")))
    hidden = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("hidden")))
    page.Resources.Properties = Dictionary(MC0=layer, MC1=hidden)
    pdf.Root.OCProperties = Dictionary(
        OCGs=Array([layer, hidden]),
        D=Dictionary(OFF=Array([hidden]), Order=Array([String(NAME), layer, hidden]), Name=String(NAME)),
    )


def _tags(pdf: Pdf, page: Any) -> None:
    pdf.Root.MarkInfo = Dictionary(Marked=True)
    pdf.Root.StructTreeRoot = pdf.make_indirect(
        Dictionary(
            Type=Name.StructTreeRoot,
            K=pdf.make_indirect(
                Dictionary(
                    Type=Name.StructElem,
                    S=Name.P,
                    Alt=String(NAME),
                    ActualText=String(NAME),
                    E=String(NAME),
                    T=String(NAME),
                    K=0,
                    Pg=page,
                )
            ),
        )
    )
    page.Resources.Properties = Dictionary(P0=Dictionary(ActualText=String(NAME), MCID=1))


def _pattern(pdf: Pdf, page: Any) -> None:
    tile = pdf.make_stream(f"BT /F1 8 Tf 2 2 Td ({NAME}) Tj ET".encode())
    tile.Type, tile.PatternType, tile.PaintType, tile.TilingType = Name.Pattern, 1, 1, 1
    tile.BBox, tile.XStep, tile.YStep = Array([0, 0, 90, 20]), 90, 20
    tile.Resources = Dictionary(Font=page.Resources.Font)
    page.Resources.Pattern = Dictionary(P1=tile)
    group = pdf.make_stream(f"BT /F1 8 Tf 2 2 Td ({NAME}) Tj ET".encode())
    group.Type, group.Subtype, group.BBox = Name.XObject, Name.Form, Array([0, 0, 400, 400])
    group.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceGray)
    group.Resources = Dictionary(Font=page.Resources.Font)
    page.Resources.ExtGState = Dictionary(
        G1=Dictionary(Type=Name.ExtGState, SMask=Dictionary(S=Name.Luminosity, G=group))
    )


def _type3(pdf: Pdf, page: Any) -> None:
    box = pdf.make_stream(b"600 0 d0 0 0 500 500 re f")
    codes = sorted(set(NAME.encode()))
    lines = "".join(f"<{c:02X}> <{c:04X}>\n" for c in codes)
    page.Resources.Font.T3 = pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=Array([0, 0, 600, 600]),
            FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=Dictionary({f"/g{c}": box for c in codes}),
            Encoding=Dictionary(Differences=Array([x for c in codes for x in (c, Name(f"/g{c}"))])),
            FirstChar=0,
            LastChar=255,
            Widths=Array([600] * 256),
            ToUnicode=pdf.make_stream(f"{len(codes)} beginbfchar\n{lines}endbfchar".encode()),
        )
    )
    page.Resources.Font.T4 = pdf.make_indirect(Dictionary(page.Resources.Font.T3))
    del page.Resources.Font.T4["/ToUnicode"]


def _names(pdf: Pdf, page: Any) -> None:
    page.Resources.Font["/AntonioBanderas"] = pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name("/ABCDEF+Antonio-Banderas"), Name=Name("/AntonioBanderas")
        )
    )


def _blind(pdf: Pdf, page: Any) -> None:
    """Fonts whose codes say nothing for certain."""
    inner = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.Blind,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        DW=600,
    )
    page.Resources.Font.B1 = pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name.Blind,
            Encoding=Name("/Identity-H"),
            DescendantFonts=Array([pdf.make_indirect(inner)]),
        )
    )
    page.Resources.Font.B2 = pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type0,
            BaseFont=Name.Blind,
            Encoding=Name("/Identity-V"),
            DescendantFonts=Array([pdf.make_indirect(inner)]),
            ToUnicode=pdf.make_stream(b"1 beginbfrange <0000> <00FF> <0000> endbfrange"),
        )
    )


def _vertical(pdf: Pdf, page: Any) -> None:
    """A font that runs down the page, embedded, with a map to Unicode and heights of its own for some letters."""
    program = pathlib.Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
    glyphs = TTFontFile(str(program))
    codes = {c: glyphs.getGlyphID(glyphs.getBestCmap()[ord(c)]) for c in sorted(set(NAME + "Here acts an"))}
    lines = "".join(f"<{g:04X}> <{ord(c):04X}>\n" for c, g in codes.items())
    file = pdf.make_stream(program.read_bytes())
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Vera, Flags=4, FontBBox=Array([0, -200, 1000, 900]), Ascent=900,
        Descent=-200, ItalicAngle=0, CapHeight=700, StemV=80, FontFile2=file,
    )  # fmt: skip
    inner = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Vera, DW=600, DW2=Array([800, -900]),
        W2=Array([codes["B"], codes["B"], -1100, 300, 800, codes["d"], Array([-1000, 300, 800])]),
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor), CIDToGIDMap=Name.Identity,
    )  # fmt: skip
    page.Resources.Font.V1 = pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Vera, Encoding=Name("/Identity-V"),
            DescendantFonts=Array([pdf.make_indirect(inner)]),
            ToUnicode=pdf.make_stream(f"{len(codes)} beginbfchar\n{lines}endbfchar".encode()),
        )
    )  # fmt: skip
    shown = "".join(f"{codes[c]:04X}" for c in f"Here {NAME} acts").encode()
    page.Contents = pdf.make_stream(
        page.Contents.read_bytes()
        + b" BT /V1 10 Tf 300 350 Td -0.5 Tc <"
        + shown
        + b"> Tj -40 0 Td <"
        + shown
        + b"> Tj ET"
    )


def _elsewhere(pdf: Pdf, page: Any) -> None:
    """Places of the catalogue that hardly any program shows."""
    text = String(NAME)
    pdf.Root.AcroForm = Dictionary(Fields=Array([]), XFA=Array([text, pdf.make_stream(f"<x>{NAME}</x>".encode())]))
    pdf.Root.Dests = Dictionary({f"/{NAME.replace(' ', '')}": Array([page, Name.Fit])})
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([text, Array([page, Name.Fit])])))
    pdf.Root.Threads = Array([pdf.make_indirect(Dictionary(I=Dictionary(Title=text, Author=text)))])
    profile = Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFX, OutputConditionIdentifier=text, Info=text)
    pdf.Root.OutputIntents = Array([profile])
    pdf.Root.Collection = Dictionary(Schema=Dictionary(F=Dictionary(Subtype=Name.F, N=text)), D=text)
    pdf.Root.SpiderInfo = Dictionary(C=Array([Dictionary(URL=text)]))
    pdf.Root.Perms = Dictionary(DocMDP=Dictionary(Name=text, Location=text))
    pdf.Root.URI = Dictionary(Base=String("https://e.org/Antonio_Banderas"))
    pdf.trailer["/ID"] = Array([text, text])
    page.Contents = Array([pdf.make_stream(b"q"), page.Contents, pdf.make_stream(b"Q % " + NAME.encode())])
    page.BoxColorInfo = Dictionary(Who=text)


def all_together() -> bytes:
    """Every page of every other nasty file in one, and all that hangs on the catalogue."""

    def change(pdf: Pdf, page: Any) -> None:
        for hide in (_metadata, _active, _notes, _layers, _attach, _orphan, _tags, _elsewhere):
            hide(pdf, page)

    with warnings.catch_warnings(), Pdf.open(io.BytesIO(content(_SHOW, None, change))) as pdf:
        warnings.simplefilter("ignore")
        for place, make in PLACES.items():
            if place != "all together":
                with Pdf.open(io.BytesIO(make())) as other:
                    pdf.pages.extend(other.pages)
        buffer = io.BytesIO()
        pdf.save(buffer, deterministic_id=True)
    return buffer.getvalue()


def _orphan(pdf: Pdf, page: Any) -> None:
    pdf.Root.Orphan = pdf.make_indirect(Dictionary(Who=String(NAME)))
    page.Thumb = pdf.make_stream(NAME.encode())


def _picture(pdf: Pdf, page: Any) -> None:
    image = pdf.make_stream(b"\x80" * 16 + NAME.encode())
    image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 4, 4
    image.ColorSpace, image.BitsPerComponent, image.Alt = Name.DeviceGray, 8, String(NAME)
    image.Metadata = pdf.make_stream(NAME.encode())
    page.Resources.XObject = Dictionary(Im0=image)


def revised() -> bytes:
    """A file whose first revision holds the name, and whose second hides it by an incremental update."""
    first = content(f"BT /F1 12 Tf 40 200 Td ({NAME}) Tj ET".encode())
    number = len(Pdf.open(io.BytesIO(first)).objects) + 5
    start = first.rindex(b"startxref")
    previous = int(first[start:].split()[1])
    stream = b"BT /F1 12 Tf 40 370 Td (Harmless words stay here.) Tj ET"
    page = Pdf.open(io.BytesIO(first)).pages[0].obj.objgen[0]
    tail = io.BytesIO()
    offsets = []
    for n, body in (
        (number, b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream)),
        (
            page,
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents %d 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
            % number,
        ),
    ):
        offsets.append((n, len(first) + 1 + tail.tell()))
        tail.write(b"%d 0 obj\n%s\nendobj\n" % (n, body))
    xref = len(first) + 1 + tail.tell()
    tail.write(b"xref\n")
    for n, offset in offsets:
        tail.write(b"%d 1\n%010d 00000 n \n" % (n, offset))
    tail.write(b"trailer\n<</Size %d/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (number + 1, previous, xref))
    return first + b"\n" + tail.getvalue()


_SHOW = f"BT /F1 12 Tf 40 200 Td ({NAME}) Tj ET".encode()
PLACES: dict[str, Callable[[], bytes]] = {
    "text": lambda: paint(_text()),
    "embedded font": lambda: paint(_text("Vera")),
    "letter by letter": lambda: paint(_letters),
    "rotated": lambda: paint(_rotated),
    "invisible": lambda: paint(_invisible),
    "forms": lambda: paint(_form),
    "fields": lambda: paint(_field),
    "bookmarks": lambda: paint(_bookmarks),
    "links": lambda: paint(_link),
    "bold by drawing twice": lambda: paint(_bold_twice),
    "hyphen": lambda: paint(_hyphen),
    "two lines": lambda: paint(_two_lines),
    "spaced": lambda: paint(_spaced),
    "two pages": lambda: paint(_two_pages),
    "two columns": lambda: paint(_two_columns),
    "compressed": lambda: paint(_text(), pageCompression=1),
    "kerned": lambda: content(b"BT /F1 12 Tf 40 200 Td [(A) 50 (nto) -30 (nio) -400 (Band) 20 (eras) 10] TJ ET"),
    "split operators": lambda: content(b"BT /F1 12 Tf 40 200 Td (Ant) Tj (onio B) Tj (anderas) Tj ( acts) Tj ET"),
    "quote operators": lambda: content(
        b"BT /F1 12 Tf 14 TL 40 200 Td (x) Tj (Antonio Banderas a) ' 2 1 (Antonio Banderas b) \" ET"
    ),
    "hexadecimal": lambda: content(b"BT /F1 12 Tf 40 200 Td <" + NAME.encode().hex().encode() + b"> Tj ET"),
    "octal": lambda: content(b"BT /F1 12 Tf 40 200 Td (\\101ntonio \\102anderas) Tj ET"),
    "tiny font, big matrix": lambda: content(b"BT /F1 1 Tf 12 0 0 12 40 200 Tm (Antonio Banderas) Tj ET"),
    "mirrored": lambda: content(b"q 1 0 0 -1 0 400 cm BT /F1 12 Tf 1 0 0 -1 40 200 Tm (Antonio Banderas) Tj ET Q"),
    "off the page": lambda: content(b"BT /F1 12 Tf 4000 200 Td (Antonio Banderas) Tj ET"),
    "clipped and white": lambda: content(b"q 0 0 1 1 re W n 1 g BT /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ET Q"),
    "no operators": lambda: content(
        b"(Antonio Banderas) \xfd\xf1 Antonio Banderas (Antonio Banderas) 1 0 0 rg " + _SHOW
    ),
    "over a dotted line": lambda: content(
        b"BT /F1 12 Tf 40 200 Td (Name: ...........................................) Tj ET "
        b"BT /F1 12 Tf 82 201 Td (Antonio Banderas) Tj ET"
    ),
    "over other words": lambda: content(
        b"BT /F1 12 Tf 40 200 Td (Antonio Banderas) Tj ET BT /F1 12 Tf 42 200 Td (Something else) Tj ET"
    ),
    "comment": lambda: content(b"% Antonio Banderas\n" + _SHOW),
    "marked content": lambda: content(
        b"/Span <</ActualText (Antonio Banderas) /E (Antonio Banderas)>> BDC BT /F1 12 Tf 40 100 Td (AB) Tj ET EMC /X /P0 DP "
        + _SHOW,
        None,
        _tags,
    ),
    "inline picture": lambda: content(b"BI /W 4 /H 4 /CS /G /BPC 8 ID " + NAME.encode() + b" EI " + _SHOW),
    "metadata": lambda: content(_SHOW, None, _metadata),
    "scripts": lambda: content(_SHOW, None, _active),
    "notes": lambda: content(_SHOW, None, _notes),
    "layers": lambda: content(
        b"/OC /MC0 BDC " + _SHOW + b" EMC /OC /MC1 BDC BT /F1 12 Tf 40 100 Td (Antonio Banderas) Tj ET EMC",
        None,
        _layers,
    ),
    "attachments": lambda: content(_SHOW, None, _attach),
    "patterns and masks": lambda: content(b"/Pattern cs /P1 scn 0 0 100 100 re f /G1 gs " + _SHOW, None, _pattern),
    "type 3": lambda: content(
        b"BT /T3 12 Tf 40 200 Td (Antonio Banderas) Tj ET BT /T4 12 Tf 40 100 Td (Antonio Banderas) Tj ET", None, _type3
    ),
    "names": lambda: content(b"BT /AntonioBanderas 12 Tf 40 200 Td (Antonio Banderas) Tj ET", None, _names),
    "blind fonts": lambda: content(
        _SHOW + b" BT /B1 12 Tf 40 100 Td <0041006E0074> Tj /B2 12 Tf <0041006E0074006F006E0069006F> Tj ET",
        None,
        _blind,
    ),
    "vertical": lambda: content(_SHOW, None, _vertical),
    "orphans": lambda: content(_SHOW, None, _orphan),
    "pictures": lambda: content(b"q 50 0 0 50 40 100 cm /Im0 Do Q " + _SHOW, None, _picture),
    "revisions": revised,
    "elsewhere": lambda: content(_SHOW, None, _elsewhere),
    "all together": all_together,
}
