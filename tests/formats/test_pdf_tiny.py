"""Tiny files that would keep a reader busy for hours are refused, or read as unreadable, at once."""

from __future__ import annotations

import time
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from taciturn.formats import read
from taciturn.formats.pdf.cmaps import CodeMap, parse_to_unicode
from tests.formats.nasty_pdf import content


def _composite(encoding: bytes | None, unicode: bytes, widths: list[Any]) -> bytes:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = Dictionary(
            Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.X, W=Array(widths),
            CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        )  # fmt: skip
        page.Resources.Font.X = pdf.make_indirect(
            Dictionary(
                Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.X, DescendantFonts=Array([pdf.make_indirect(inner)]),
                Encoding=pdf.make_stream(encoding) if encoding else Name("/Identity-H"),
                ToUnicode=pdf.make_stream(unicode),
            )
        )  # fmt: skip

    return content(b"BT /X 12 Tf 40 200 Td <00480049> Tj ET", None, change)


_RANGE = b"1 beginbfrange <0000> <FFFF> <0000> endbfrange\n"


@pytest.mark.parametrize(
    ("encoding", "unicode", "widths"),
    [
        (None, _RANGE * 20_000, []),
        (None, b"1 beginbfrange " + b"<0000> <FFFF> <0000> " * 20_000 + b"endbfrange", []),
        (None, _RANGE, [0, 65535, 500] * 20_000),
        (b"1 begincodespacerange " + b"<0000> <FFFF> " * 20_000 + b"endcodespacerange", _RANGE, []),
        (b"1 begincidrange " + b"<0000> <0001> 7 " * 30_000 + b"endcidrange", _RANGE, []),
    ],
    ids=["maps", "ranges", "widths", "code spaces", "glyph ranges"],
)
def test_maps_that_say_the_same_again_and_again_are_unreadable_at_once(
    encoding: bytes | None, unicode: bytes, widths: list[Any]
) -> None:
    start = time.process_time()
    file = read(_composite(encoding, unicode, widths), "a.pdf")
    assert time.process_time() - start < 20  # each took minutes or hours
    assert "characters that cannot be read" in " ".join(file.dropped)


def test_whole_maps_are_read() -> None:
    assert len(parse_to_unicode(_RANGE)) == 65536
    ranges = b"2 begincidrange <00> <0F> 7 <10> <1F> 100 endcidrange 1 begincodespacerange <00> <FF> endcodespacerange"
    found = CodeMap.parse(ranges)
    assert [found.cid(1, code) for code in (0, 5, 0x11, 0x30, 5, 0x30)] == [7, 12, 101, None, 12, None]
    assert "HI" in read(_composite(None, _RANGE, [0, 65535, 500]), "a.pdf").document.text
