# ruff: noqa: E501 -- markup reads better in one line
"""What is protected and stands only where no plan reads, in DOCX and ODT packages; and visible texts in odd places."""

from __future__ import annotations

import io
import re
import zipfile

import docx as python_docx
import pytest
from lxml import etree

from taciturn.formats import read, write
from taciturn.plan import Plan, apply
from tests.formats import nasty_office
from tests.formats.plans import hide


def _zebra(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer("zebra", text, re.IGNORECASE)]


def docx_of(body: str, extra: dict[str, str] | None = None) -> bytes:
    """A package with this body and these parts, and no others."""
    rels = "http://schemas.openxmlformats.org/package/2006/relationships"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="{kind}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{rels}"><Relationship Id="r1" Type="{nasty_office.R}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": nasty_office._part(
            "document", f"<w:body>{body}<w:p><w:r><w:t>Words.</w:t></w:r></w:p></w:body>"
        ),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in (parts | (extra or {})).items():
            archive.writestr(name, data)
    return buffer.getvalue()


def odt_of(body: str, styles: str = "", changes: str = "") -> bytes:
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    spaces = nasty_office._ODF + ' xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"'
    content = (
        f"{head}<office:document-content {spaces} office:version='1.2'><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{changes}{body}<text:p>Words.</text:p></office:text></office:body></office:document-content>"
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)
    return buffer.getvalue()


def everything(data: bytes) -> str:
    """Names of members, and texts and attributes of each as lxml finds them."""
    pieces = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            pieces.append(name)
            if name.endswith((".xml", ".rels")):
                root = etree.fromstring(archive.read(name))
                pieces += ["".join(root.itertext()), *(str(v) for e in root.iter() for v in e.attrib.values())]
    return "\n".join(pieces)


def _released(data: bytes, name: str) -> bytes:
    file = read(data, name)
    return write(file, apply(Plan(file.document)), _zebra)


def _p(inner: str) -> str:
    return f"<w:p>{inner}</w:p>"


def _t(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


UNREAD = {
    "bookmark": _p("<w:bookmarkStart w:id='0' w:name='zebra_1'/><w:bookmarkEnd w:id='0'/>" + _t("x")),
    "anchor": _p("<w:hyperlink w:anchor='zebra'><w:r><w:t>x</w:t></w:r></w:hyperlink>"),
    "field": _p("<w:r><w:instrText> HYPERLINK \"http://e.org/ze</w:instrText></w:r><w:r><w:instrText>bra\" </w:instrText></w:r>" + _t("x")),
    "simple field": _p("<w:fldSimple w:instr='DOCPROPERTY zebra'><w:r><w:t>x</w:t></w:r></w:fldSimple>"),
    "style": "<w:p><w:pPr><w:pStyle w:val='ZebraStyle'/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>",
    "value of an entry": "<w:sdt><w:sdtPr><w:tag w:val='zebra'/><w:dropDownList><w:listItem w:displayText='x' w:value='zebra'/></w:dropDownList></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>",
    "name of a shape": _p("<w:r><w:pict><v:shape id='zebra' o:spid='_x1'/></w:pict></w:r>"),
    "rejected": _p(_t("ze") + "<w:del w:id='4'><w:r><w:delText>br</w:delText></w:r></w:del>" + _t("a")),
    "rejected insertion": _p(_t("ze") + "<w:ins w:id='3'>" + _t("XX") + "</w:ins>" + "<w:del w:id='4'><w:r><w:delText>bra</w:delText></w:r></w:del>"),
}  # fmt: skip


@pytest.mark.parametrize("place", UNREAD)
def test_places_of_a_docx_that_no_plan_reads(place: str) -> None:
    data = docx_of(UNREAD[place])
    assert "zebra" in re.sub(r"\s", "", everything(data)).lower() or place == "rejected insertion"
    made = _released(data, "a.docx")
    assert "zebra" not in everything(made).lower()
    python_docx.Document(io.BytesIO(made))


def test_link_targets_and_names_of_parts() -> None:
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rL" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" '
        'Target="https://e.org/zebra?q=1" TargetMode="External"/></Relationships>'
    )
    data = docx_of(
        _p("<w:hyperlink r:id='rL'>" + _t("x") + "</w:hyperlink>"),
        {"word/_rels/document.xml.rels": rels, "word/zebra.xml": "<odd>x</odd>"},
    )
    made = everything(_released(data, "a.docx"))
    assert "zebra" not in made.lower()
    assert "https://e.org/redacted?q=1" in made


def test_a_paragraph_whose_end_was_deleted_joins_the_next() -> None:
    mark = "<w:pPr><w:rPr><w:del w:id='9' w:author='x'/></w:rPr></w:pPr>"
    data = docx_of(_p(mark + _t("a ze")) + _p(_t("bra")))
    made = _released(data, "a.docx")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert b"<w:del " not in archive.read("word/document.xml")
    kept = _released(docx_of(_p(mark + _t("a horse")) + _p(_t(" and"))), "a.docx")
    with zipfile.ZipFile(io.BytesIO(kept)) as archive:
        assert b"<w:del " in archive.read("word/document.xml")


VISIBLE = {
    "watermark": (_p("<w:r><w:pict><v:shape id='s'><v:textpath string='HIV POSITIVE'/></v:shape></w:pict></w:r>"), {}),
    "list label": ("", {"word/numbering.xml": nasty_office._part("numbering", "<w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:lvlText w:val='HIV %1.'/></w:lvl></w:abstractNum>")}),
    "form entry": (_p("<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList><w:listEntry w:val='HIV'/></w:ddList></w:ffData></w:fldChar></w:r>"), {}),
    "entry": ("<w:sdt><w:sdtPr><w:comboBox><w:listItem w:displayText='HIV' w:value='1'/></w:comboBox></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>", {}),
    "symbols": (_p("".join(f"<w:r><w:sym w:font='Arial' w:char='F0{ord(c):02X}'/></w:r>" for c in "HIV")), {}),
    "symbols and text": (_p(_t("H") + "<w:r><w:sym w:font='Arial' w:char='0049'/></w:r>" + _t("V")), {}),
}  # fmt: skip


@pytest.mark.parametrize("place", VISIBLE)
def test_visible_places_of_a_docx_are_read(place: str) -> None:
    body, parts = VISIBLE[place]
    file = read(docx_of(body, parts), "a.docx")
    assert "HIV" in file.document.text
    made = write(file, hide(file.document, {"HIV": "a virus"}))
    assert "HIV" not in everything(made)
    assert "a virus" in everything(made)
    assert "F048" not in everything(made)
    python_docx.Document(io.BytesIO(made))


def test_signs_of_a_font_are_no_letters() -> None:
    data = docx_of(_p("<w:r><w:sym w:font='Wingdings' w:char='F048'/></w:r>" + _t("x")))
    assert "H" not in read(data, "a.docx").document.text


def test_labels_without_words_are_no_text() -> None:
    part = nasty_office._part("numbering", "<w:lvl w:ilvl='0'><w:lvlText w:val='(%1.%2)'/></w:lvl>")
    assert "%1" not in read(docx_of("", {"word/numbering.xml": part}), "a.docx").document.text


ODT_UNREAD = {
    "link": "<text:p><text:a xlink:type='simple' xlink:href='https://e.org/zebra'>x</text:a></text:p>",
    "bookmark": "<text:p><text:bookmark text:name='zebra'/>x</text:p>",
    "style": "<text:p text:style-name='zebra'>x</text:p>",
    "table": "<table:table table:name='zebra'><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>",
    "section": "<text:section text:name='zebra'><text:p>x</text:p></text:section>",
}


@pytest.mark.parametrize("place", ODT_UNREAD)
def test_places_of_an_odt_that_no_plan_reads(place: str) -> None:
    data = odt_of(ODT_UNREAD[place])
    assert "zebra" in everything(data)
    assert "zebra" not in everything(_released(data, "a.odt"))


def _changed(*paragraphs: str) -> str:
    inner = "".join(f"<text:p>{p}</text:p>" for p in paragraphs)
    return f"<text:tracked-changes><text:changed-region text:id='c1'><text:deletion>{inner}</text:deletion></text:changed-region></text:tracked-changes>"


def test_a_deletion_of_an_odt_restores_nothing() -> None:
    body = "<text:p>ze<text:change text:change-id='c1'/>a</text:p>"
    made = everything(_released(odt_of(body, changes=_changed("br")), "a.odt"))
    assert "zea" in made
    assert "br" not in re.sub("[a-z]+br", "", made.split("Words.")[0])
    kept = everything(
        _released(odt_of("<text:p>a<text:change text:change-id='c1'/>b</text:p>", changes=_changed("horse")), "a.odt")
    )
    assert "horse" in kept


ODT_VISIBLE = {
    "list label": ("", "<text:list-style style:name='L'><text:list-level-style-number text:level='1' style:num-prefix='HIV ' style:num-format='1'/></text:list-style>"),
    "drop-down": ("<text:p><text:drop-down text:name='d'><text:label text:value='HIV'/></text:drop-down></text:p>", ""),
    "form": ("<office:forms><form:form><form:listbox><form:option form:label='HIV' form:value='1'/></form:listbox></form:form></office:forms>", ""),
    "text field": ("<office:forms><form:form><form:text form:current-value='HIV'/></form:form></office:forms>", ""),
}  # fmt: skip


@pytest.mark.parametrize("place", ODT_VISIBLE)
def test_visible_places_of_an_odt_are_read(place: str) -> None:
    body, styles = ODT_VISIBLE[place]
    file = read(odt_of(body, styles), "a.odt")
    assert "HIV" in file.document.text
    assert "HIV" not in everything(write(file, hide(file.document, {"HIV": "a virus"})))
