"""RTF: what LibreOffice and Word show is read, what they do not is dropped or swept."""

from __future__ import annotations

import re

import pytest

from taciturn.formats import FormatError, read, write
from taciturn.plan import Plan, apply
from tests.formats.plans import hide

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204 Arial;}"
    rb"{\f2\fnil\fcharset128 Mincho;}}"
)
HIDE = {"Antonio Banderas": "an actor", "Antonio": "somebody", "Banderas": "somebody"}


def rtf(body: str) -> bytes:
    return HEAD + b"\n\\pard\\f0 Words.\\par\n" + body.encode("latin-1") + b"\\par}"


def _zebra(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer("zebra", text, re.IGNORECASE)]


def texts(data: bytes) -> list[str]:
    file = read(data, "a.rtf")
    return [file.document.text[s.start : s.end] for s in file.document.segments]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (r"H{\b I}V", "HIV"),
        (r"H\f1 I\f0 V", "HIV"),
        (r"H\pard IV", "HIV"),
        (r"\'48I\'56", "HIV"),
        (r"\u72?\u73?\u86?", "HIV"),
        (r"\uc3\u72abcIV", "HIV"),
        (r"\uc0\u72 IV", "HIV"),
        (r"{\uc2\u72\'41\'42}IV", "HIV"),
        (r"H\-IV", "HIV"),
        ("H\r\nI\nV", "HIV"),
        (r"H{\deleted XX}IV", "HIV"),
        (r"H{\v XX}IV", "HIV"),
        (r"H\v XX\v0 IV", "HIV"),
        (r"H{\*\odd XX}IV", "HIV"),
        (r"H{\pict\pngblip 00ff}IV", "HIV"),
        (r"H\bin4 XX}{IV", "HIV"),
        (r"\f1\'cf\'f0\'e8", "При"),
        (r"\f2\'93\'fa\'96\'7b", "日本"),
        (r"\u-10179?\u-8704?", "\U0001f600"),
        (r"a\{b\}\\c\~d\emdash e", "a{b}\\c\u00a0d\u2014e"),
        (r"a\tab b\line c", "a\tb\nc"),
        (r"{\object{\*\objclass X}{\*\objdata 00}{\result {HIV}}}", "HIV"),
        (r"{\field{\*\fldinst PAGE}{\fldrslt HIV}}", "HIV"),
        (r"{\upr{HIV}{\*\ud{HIV}}}", "HIV"),
    ],
)
def test_what_a_reader_shows_is_read_and_written_again(body: str, shown: str) -> None:
    data = rtf(body)
    assert texts(data) == ["Words.", shown]
    file = read(data, "a.rtf")
    made = write(file, apply(Plan(file.document)))
    assert texts(made) == ["Words.", shown]
    assert write(read(made, "a.rtf"), apply(Plan(read(made, "a.rtf").document))) == made


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (r"x{\footnote Antonio Banderas}", "note"),
        (r"{\header Antonio Banderas}", "header"),
        (r"x{\*\annotation Antonio Banderas}", "comment"),
        (r"{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv Antonio Banderas}}}}", "shape"),
        (r"{\shp{\*\shpinst{\shptxt Antonio Banderas\par}}}", "text box"),
        (r"\trowd\cellx2000\intbl Antonio Banderas\cell\row", "text"),
        (r"{\xe Antonio Banderas}", "index entry"),
    ],
)
def test_texts_in_odd_places_are_edited(body: str, place: str) -> None:
    file = read(rtf(body), "a.rtf")
    assert any(s.place == place for s in file.document.segments)
    made = write(file, hide(file.document, HIDE))
    assert b"an actor" in made
    assert b"Banderas" not in made


@pytest.mark.parametrize(
    "body",
    [
        r"{\info{\author zebra}{\title zebra}}x",
        r"{\*\generator zebra;}x",
        r"{\*\userprops{\propname zebra}\proptype30{\staticval zebra}}x",
        r"{\*\datastore 7a65}{\*\zebra zebra}x",
        r"{\stylesheet{\s1 zebra;}}x",
        r"{\fonttbl{\f3 zebra;}}x",
        r"{\*\bkmkstart zebra}x{\*\bkmkend zebra}",
        r'{\field{\*\fldinst{HYPERLINK "http://e.org/ze}{\b bra"}}{\fldrslt x}}',
        r"{\*\listtable{\list{\listlevel{\leveltext\'07zebra\'00.;}{\levelnumbers\'07;}}{\listname zebra;}}}x",
        r"{\*\atnauthor zebra}x",
        r"x{\v zebra}",
        r"ze{\deleted br}a",
        r"ze{\v x}xx",
        r"\uc5\u120zebra",
        r"{\*\revtbl{zebra;}}x",
        r"{\*\formfield{\*\ffname zebra}{\*\ffdeftext zebra}}x",
        r"x}zebra{",
    ],
)
def test_what_no_reader_shows_is_dropped_or_swept(body: str) -> None:
    data = rtf(body)
    file = read(data, "a.rtf")
    made = write(file, apply(Plan(file.document)), _zebra)
    assert b"zebra" not in made.lower()
    assert b"bra" not in made


def test_deletions_and_hidden_text_are_told() -> None:
    assert set(read(rtf(r"a{\deleted b}{\v c}{\info x}"), "a.rtf").dropped) == {
        "tracked deletions",
        "hidden text",
        "properties",
    }


@pytest.mark.parametrize(
    "data", [b"{\\rtf1", b"{\\rtf1 a", b"{\\rtf1" + b"{" * 5000 + b"}" * 5001, b"{\\rtf1 \\bin99999999 x}"]
)
def test_damaged_files_are_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        read(data, "a.rtf")


@pytest.mark.parametrize(
    "table",
    [
        r"{\fonttbl{\f0\fnil Arial;}{\fauthor Ann Lee}}",
        r"{\fonttbl{\f0 Arial}}",
        r"{\fonttbl{\f0\fnil Ann Lee was seen by all of them in May;}}",
        r"{\stylesheet{\s0 Normal;}{\s1 Ann Lee was seen in May}}",
        r"{\colortbl;\red255\green0\blue0;Ann Lee;}",
    ],
)
def test_a_table_of_names_that_holds_other_things_is_refused(table: str) -> None:
    """What was lost into a table of fonts is read by nobody."""
    with pytest.raises(FormatError, match="other things than names"):
        read(("{\\rtf1\\ansi" + table + "\\pard x\\par}").encode(), "a.rtf")


def test_tables_of_names_as_programs_write_them_are_read() -> None:
    tables = (
        r"{\fonttbl{\f0\froman\fprq2\fcharset0 Times New Roman{\*\falt Times};}{\f1\fnil{\*\panose 0206}Cambria;}}"
        r"{\colortbl;\red255\green0\blue0;}{\stylesheet{\s0\snext0 Normal;}{\*\cs10 \additive Default Font;}}"
    )
    assert read(("{\\rtf1\\ansi" + tables + "\\pard x\\par}").encode(), "a.rtf").document.text == "x"
