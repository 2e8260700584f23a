"""What remains of removed letters: nothing in widths, names of colours and metadata of pictures."""

from __future__ import annotations

import io
import re
import zlib
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image

from taciturn.formats import LimitError, Options
from tests.formats import nasty, nasty_pdf
from tests.formats.plans import release


def _inner_font(pdf: pikepdf.Pdf) -> Any:
    return next(o for o in pdf.objects if isinstance(o, Dictionary) and "/W" in o)


def _shown(pdf: pikepdf.Pdf) -> set[int]:
    """The codes of two bytes that the first page shows."""
    texts: list[bytes] = []
    for instruction in pikepdf.parse_content_stream(pdf.pages[0]):
        if str(instruction.operator) in ("Tj", "TJ"):
            shown = instruction.operands[0]
            items = list(shown) if isinstance(shown, Array) else [shown]
            texts += (bytes(item) for item in items if isinstance(item, pikepdf.String))
    return {int.from_bytes(text[i : i + 2], "big") for text in texts for i in range(0, len(text), 2)}


def _codes(shown: bytes) -> set[int]:
    return {int(shown[i : i + 4], 16) for i in range(0, len(shown), 4)}


def test_widths_and_numbers_of_glyphs_leave_a_composite_font_with_the_letters() -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        nasty_pdf._vertical(pdf, page)
        font = page.Resources.Font.V1
        inner = font.DescendantFonts[0]
        cids = sorted(_codes(re.findall(rb"<([0-9A-F]+)> Tj", page.Contents.read_bytes())[0]))
        inner.W = Array([x for cid in cids for x in (cid, Array([500 + cid]))])
        table = bytearray(2 * 300)
        for cid in cids:
            table[2 * cid : 2 * cid + 2] = cid.to_bytes(2, "big")
        inner.CIDToGIDMap = pdf.make_stream(bytes(table))

    source = nasty_pdf.content(b"", None, change)
    _, data = release(source, "a.pdf", nasty.HIDE)
    with pikepdf.open(io.BytesIO(source)) as old, pikepdf.open(io.BytesIO(data)) as new:
        before, after, left = _inner_font(old), _inner_font(new), _shown(new)
        widths, heights = ({int(cid) for cid in list(after[key])[::2]} for key in ("/W", "/W2"))
        assert widths
        assert widths <= left
        assert widths < {int(cid) for cid in list(before.W)[::2]}
        table = after.CIDToGIDMap.read_bytes()
        assert {cid for cid in range(len(table) // 2) if table[2 * cid : 2 * cid + 2] != b"\0\0"} <= left
        assert heights <= left


@pytest.mark.parametrize("name", ["HIV", "Antonio Banderas", "PANTONE 286 for HIV"])
def test_a_colour_named_by_what_was_removed_is_an_ink(name: str) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        tint = pikepdf.Object.parse(b"<< /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>")
        spot = Name("/" + name)
        page.Resources.ColorSpace = Dictionary(
            A=Array([Name.Separation, spot, Name.DeviceGray, tint]),
            B=Array(
                [Name.DeviceN, Array([spot]), Name.DeviceGray, tint, Dictionary(Colorants=Dictionary({f"/{name}": 1}))]
            ),
            C=Array([Name.Separation, Name.Black, Name.DeviceGray, tint]),
        )

    stream = b"/A cs 1 scn /B cs 1 scn BT /F1 12 Tf 40 200 Td (HIV Antonio Banderas) Tj ET"
    _, data = release(nasty_pdf.content(stream, None, change), "a.pdf", {**nasty.HIDE, "HIV": "ill"})
    with pikepdf.open(io.BytesIO(data)) as pdf:
        spaces = pdf.pages[0].Resources.ColorSpace
        assert (spaces.A[1], spaces.B[1][0], len(spaces.B), spaces.C[1]) == (Name.Ink, Name.Ink, 4, Name.Black)


def _jpeg() -> bytes:
    picture = Image.new("RGB", (8, 8), "red")
    exif = Image.Exif()
    exif[0x010E] = "Antonio Banderas"
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", exif=exif, comment=b"Antonio Banderas")
    assert b"Banderas" in buffer.getvalue()
    return buffer.getvalue()


def _hex(data: bytes) -> bytes:
    return data.hex().encode() + b">"


@pytest.mark.parametrize(
    ("raw", "filters"),
    [
        (_jpeg(), ["/DCTDecode"]),
        (zlib.compress(_jpeg()), ["/FlateDecode", "/DCTDecode"]),
        (_hex(_jpeg()), ["/ASCIIHexDecode", "/DCTDecode"]),
        (zlib.compress(_hex(_jpeg())), ["/FlateDecode", "/ASCIIHexDecode", "/DCTDecode"]),
    ],
    ids=["plain", "deflated", "hexadecimal", "both"],
)
def test_a_kept_picture_has_no_metadata_whatever_it_is_packed_in(raw: bytes, filters: list[str]) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        image = pdf.make_stream(b"")
        image.write(raw, filter=Array([Name(f) for f in filters]))
        image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 8, 8
        image.ColorSpace, image.BitsPerComponent = Name.DeviceRGB, 8
        page.Resources.XObject = Dictionary(Im0=image)

    source = nasty_pdf.content(b"q 50 0 0 50 40 100 cm /Im0 Do Q", None, change)
    if len(filters) > 2:
        with pytest.raises(LimitError, match="several times over"):  # no program packs a picture three times
            release(source, "a.pdf", {"nothing": ""}, Options(pictures="keep"))
        return
    _, data = release(source, "a.pdf", {"nothing": ""}, Options(pictures="keep"))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        image = pdf.pages[0].Resources.XObject.Im0
        assert b"Banderas" not in image.read_raw_bytes()
        picture = Image.open(io.BytesIO(image.read_raw_bytes())).convert("RGB")
    assert picture.getpixel((4, 4))[0] > 240  # type: ignore[index]


def test_an_inline_picture_with_metadata_is_blanked() -> None:
    stream = b"q 50 0 0 50 40 100 cm BI /W 8 /H 8 /CS /RGB /BPC 8 /F [/AHx /DCT] ID " + _hex(_jpeg()) + b"\nEI Q"
    _, data = release(nasty_pdf.content(stream), "a.pdf", {"nothing": ""}, Options(pictures="keep"))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        content = pdf.pages[0].Contents.read_bytes()
    assert b"Banderas".hex().encode() not in content.lower()
    assert b" ID" not in content
