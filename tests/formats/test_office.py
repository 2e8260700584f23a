from __future__ import annotations

import html
import io
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx as python_docx
import pytest

from taciturn.formats import FormatError, LimitError, Limits, Options, read, write
from taciturn.plan import Plan, apply
from tests.formats import nasty, nasty_office
from tests.formats.plans import release


def everything(data: bytes) -> str:
    """Every byte of every member, tags cut, letters only: cruder than any reader, so that nothing can hide."""
    found = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        found.append(archive.comment.decode())
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith((".docx", ".odt")):
                found.append(everything(content))
            text = content.decode("utf-8", errors="replace")
            found += [name, text, re.sub(r"<[^>]*>", "", text), content.decode("utf-16-le", errors="replace")]
    return re.sub(r"[\W_]", "", html.unescape(" ".join(found))).casefold()


@pytest.mark.parametrize("place", nasty_office.BODY)
def test_no_place_of_a_docx_keeps_the_name(place: str) -> None:
    source = nasty_office.docx(place)
    assert "antoniobanderas" in everything(source)
    _, data = release(source, "a.docx", nasty.HIDE)
    assert "banderas" not in everything(data)


@pytest.mark.parametrize("place", nasty_office.ODT_BODY)
def test_no_place_of_an_odt_keeps_the_name(place: str) -> None:
    _, data = release(nasty_office.odt(place), "a.odt", nasty.HIDE)
    assert "banderas" not in everything(data)


def test_a_plan_without_edits_still_drops_metadata() -> None:
    file = read(nasty_office.docx("text"), "a.docx")
    data = write(file, apply(Plan(file.document)))
    assert "docProps/core.xml" not in zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_all_places_of_a_docx_at_once_and_python_docx_opens_it() -> None:
    file, data = release(nasty_office.docx(), "a.docx", nasty.HIDE)
    assert "banderas" not in everything(data)
    document = python_docx.Document(io.BytesIO(data))
    texts = [p.text for p in document.paragraphs]
    assert "an actor acts." in texts
    assert "Mr an actor acts." in texts
    assert document.sections[0].header.paragraphs[0].text == "Header an actor"
    places = set(file.places)
    assert {"body", "header", "footer", "footnote", "endnote", "comment", "tracked deletion", "text box"} <= places
    assert {"custom XML", "macros", "properties", "pictures", "authors"} <= set(file.dropped)
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert not [n for n in names if n.startswith(("docProps", "customXml")) or "vba" in n or "people" in n]
    assert "word/embeddings/inner.docx" in names


def test_formatting_stays() -> None:
    _, data = release(nasty_office.docx("split"), "a.docx", nasty.HIDE)
    run = python_docx.Document(io.BytesIO(data)).paragraphs[0].runs
    assert [(r.text, bool(r.bold)) for r in run if r.text] == [("Mr an actor", False), (" acts.", False)]


def test_a_docx_written_by_python_docx_round_trips() -> None:
    document = python_docx.Document()
    document.add_heading("On Antonio Banderas", 1)
    document.add_paragraph("A bullet about Antonio Banderas", style="List Bullet")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "Antonio Banderas"
    table.cell(1, 1).text = "kept"
    document.core_properties.author = "Antonio Banderas"
    buffer = io.BytesIO()
    document.save(buffer)
    _, data = release(buffer.getvalue(), "a.docx", nasty.HIDE)
    again = python_docx.Document(io.BytesIO(data))
    assert [p.text for p in again.paragraphs] == ["On an actor", "A bullet about an actor"]
    assert again.paragraphs[1].style is not None
    assert again.paragraphs[1].style.name == "List Bullet"
    assert again.tables[0].cell(0, 0).text == "an actor"
    assert again.tables[0].cell(1, 1).text == "kept"


def test_the_same_file_gives_the_same_bytes() -> None:
    assert (
        release(nasty_office.docx(), "a.docx", nasty.HIDE)[1] == release(nasty_office.docx(), "a.docx", nasty.HIDE)[1]
    )


def test_words_of_the_format_stay_when_they_are_hidden_as_text() -> None:
    body = nasty_office._p("<w:pPr><w:jc w:val='center'/></w:pPr>" + nasty_office._t("the center of it"))
    document = nasty_office._part("document", f"<w:body>{body}</w:body>").encode()
    _, data = release(
        nasty_office.docx("text", extra={"word/document.xml": document}), "a.docx", {"center": "middle", **nasty.HIDE}
    )
    xml = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
    assert 'w:val="center"' in xml
    assert "the middle of it" in xml


def _zip(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def test_bombs_are_refused() -> None:
    base = {"[Content_Types].xml": b"<Types/>"}
    with pytest.raises(LimitError, match="expands more than"):
        read(_zip({**base, "word/document.xml": b" " * 20_000_000}), "bomb.docx")
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>'
    with pytest.raises(FormatError, match="declares XML entities"):
        read(_zip({**base, "word/document.xml": laughs}), "laughs.docx")
    outside = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
    with pytest.raises(FormatError, match="declares XML entities"):
        read(_zip({**base, "word/document.xml": outside}), "outside.docx")
    deep = b"<x>" * 5000 + b"</x>" * 5000
    with pytest.raises(FormatError):
        read(_zip({**base, "word/document.xml": deep}), "deep.docx")
    with pytest.raises(LimitError, match="members"):
        read(_zip({**base, **{f"word/{i}": b"" for i in range(301)}}), "many.docx", Options(limits=Limits(members=300)))


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(FormatError, match="damaged XML"):
        read(_zip({"[Content_Types].xml": b"", "xl/workbook.xml": b""}), "a.xlsx")
    with pytest.raises(FormatError, match="another kind"):
        read(_zip({"[Content_Types].xml": b"", "visio/document.xml": b""}), "a.vsdx")
    with pytest.raises(FormatError, match="old Office file"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.doc")
    with pytest.raises(FormatError, match="something else"):
        read(b"hello", "a.docx")
    manifest, mime = b"<manifest><encryption-data/></manifest>", b"application/vnd.oasis.opendocument.text"
    locked = _zip({"mimetype": mime, "content.xml": b"<a/>", "META-INF/manifest.xml": manifest})
    with pytest.raises(FormatError, match="encrypted"):
        read(locked, "a.odt")


@pytest.mark.parametrize("namespace", ["http://schemas.openxmlformats.org/package/2006/relationships", "http://x/y"])
def test_relations_to_parts_that_are_not_there_are_swept(namespace: str) -> None:
    relations = (
        f"<Relationships xmlns='{namespace}'><Relationship Id='r1' Type='image' Target='media/Antonio Banderas.png'/>"
        "<Relationship Id='r2' Type='link' Target='https://e.org/Antonio%20Banderas' TargetMode='External'/>"
        "</Relationships>"
    )
    members = {}
    with zipfile.ZipFile(io.BytesIO(nasty_office.docx("text"))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    _, data = release(_zip({**members, "word/_rels/document.xml.rels": relations.encode()}), "a.docx", nasty.HIDE)
    assert "banderas" not in everything(data)


def test_pictures_are_refused_when_asked() -> None:
    with pytest.raises(FormatError, match="holds a picture"):
        read(nasty_office.docx(), "a.docx", Options(pictures="refuse"))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "source"), [("a.docx", nasty_office.docx()), ("a.odt", nasty_office.odt())])
def test_libreoffice_opens_it_and_finds_no_name(
    tmp_path: Path, name: str, source: bytes, program: Callable[[str], str]
) -> None:
    _, data = release(source, name, nasty.HIDE)
    (tmp_path / name).write_bytes(data)
    command = [
        program("soffice"),
        f"-env:UserInstallation=file://{tmp_path}/profile",
        "--headless",
        "--convert-to",
        "txt:Text",
    ]
    subprocess.run(
        [*command, "--outdir", str(tmp_path), str(tmp_path / name)], check=True, timeout=120, capture_output=True
    )
    text = (tmp_path / "a.txt").read_text()
    assert "an actor acts." in text
    assert "banderas" not in text.lower()
