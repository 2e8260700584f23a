# ruff: noqa: E501 -- markup reads better in one line
"""Nasty word processing packages, made by hand: the name at each place that a package can hold text."""

from __future__ import annotations

import io
import zipfile

from tests.formats.nasty import NAME

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SPACES = (
    f'xmlns:w="{W}" xmlns:r="{R}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def _t(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def _p(inner: str) -> str:
    return f"<w:p>{inner}</w:p>"


BODY = {
    "text": _p(_t(f"{NAME} acts.")),
    "split": _p(
        _t("Mr An") + "<w:r><w:rPr><w:b/></w:rPr><w:t>ton</w:t></w:r>" + _t("io ") + _t("Banderas") + _t(" acts.")
    ),
    "tab": _p("<w:r><w:t>Antonio</w:t><w:tab/><w:t>Banderas</w:t></w:r>"),
    "table": f"<w:tbl><w:tblPr><w:tblCaption w:val='{NAME}'/></w:tblPr><w:tr><w:tc>{_p(_t(NAME))}</w:tc></w:tr></w:tbl>",
    "insertion": _p(f"<w:ins w:id='1' w:author='{NAME}' w:date='2026-01-01T00:00:00Z'>{_t(NAME)}</w:ins>"),
    "deletion": _p(
        f"<w:del w:id='2' w:author='{NAME}' w:date='2026-01-01T00:00:00Z'><w:r><w:delText>{NAME}</w:delText></w:r></w:del>"
    ),
    "rejected": _p(
        _t("Anto") + "<w:ins w:id='3' w:author='x'>" + _t("ny ") + "</w:ins>"
        "<w:del w:id='4' w:author='x'><w:r><w:delText>nio Banderas</w:delText></w:r></w:del>"
    ),
    "hidden": _p(f"<w:r><w:rPr><w:vanish/></w:rPr><w:t>{NAME}</w:t></w:r>"),
    "field": _p(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "http://e.org/Antonio</w:instrText></w:r>'
        '<w:r><w:instrText>_Banderas" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
        + _t("link")
        + '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    ),
    "simple field": _p(f"<w:fldSimple w:instr='AUTHOR \"{NAME}\"'>{_t(NAME)}</w:fldSimple>"),
    "hyperlink": _p(
        f"<w:hyperlink r:id='rLink' w:tooltip='{NAME}' w:anchor='Antonio_Banderas'>{_t('x')}</w:hyperlink>"
    ),
    "bookmark": _p("<w:bookmarkStart w:id='0' w:name='Antonio_Banderas'/><w:bookmarkEnd w:id='0'/>" + _t("x")),
    "control": f"<w:sdt><w:sdtPr><w:alias w:val='{NAME}'/><w:tag w:val='{NAME}'/><w:dataBinding w:xpath='/x'"
    f" w:storeItemID='{{0}}'/><w:dropDownList><w:listItem w:displayText='{NAME}' w:value='{NAME}'/></w:dropDownList>"
    f"</w:sdtPr><w:sdtContent>{_p(_t(NAME))}</w:sdtContent></w:sdt>",
    "text box": _p(
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline><wp:docPr id='1' name='x' "
        f"descr='{NAME}' title='{NAME}'/><a:graphic><a:graphicData uri='http://schemas.microsoft.com/x'><wps:wsp>"
        f"<wps:txbx><w:txbxContent>{_p(_t(NAME))}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic>"
        "</wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id='s' "
        f"alt='{NAME}'><v:textbox><w:txbxContent>{_p(_t(NAME))}</w:txbxContent></v:textbox><v:textpath string='{NAME}'/>"
        "</v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    ),
    "picture": _p(
        "<w:r><w:drawing><wp:inline><wp:docPr id='2' name='Picture' descr='x'/><a:graphic><a:graphicData uri='u'>"
        "<a:blip r:embed='rImg'/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    ),
    "object": _p(
        "<w:r><w:object><o:OLEObject Type='Embed' ProgID='Excel.Sheet.12' r:id='rOle'/></w:object></w:r>" + _t("x")
    ),
    "inner docx": _p(
        "<w:r><w:object><o:OLEObject Type='Embed' ProgID='Word.Document.12' r:id='rDoc'/></w:object></w:r>"
    ),
    "math": _p(f"<m:oMath><m:r><m:t>{NAME}</m:t></m:r></m:oMath>"),
    "form": _p(
        f"<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name w:val='Antonio_Banderas'/><w:helpText w:val='{NAME}'/>"
        f"<w:textInput><w:default w:val='{NAME}'/></w:textInput></w:ffData></w:fldChar></w:r>"
    ),
    "notes": _p(
        "<w:r><w:footnoteReference w:id='2'/></w:r><w:r><w:endnoteReference w:id='2'/></w:r>"
        "<w:commentRangeStart w:id='0'/><w:r><w:commentReference w:id='0'/></w:r>" + _t("x")
    ),
    "xml comment": f"<!-- {NAME} --><?taciturn {NAME}?>" + _p(_t("x")),
    "unknown element": f"<w:strange>{NAME}</w:strange>" + _p(_t("x") + f"<w:stranger>{NAME}</w:stranger>"),
}


def _part(root: str, inner: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:{root} {_SPACES}>{inner}</w:{root}>'


def docx(*places: str, extra: dict[str, bytes] | None = None, parts: bool = True, inner: bool = True) -> bytes:
    """A package with the name at these places of the body (all if none is given), and in every other part."""
    section = "<w:sectPr><w:headerReference w:type='default' r:id='rHead'/><w:footerReference w:type='default' r:id='rFoot'/></w:sectPr>"
    body = "".join(BODY[p] for p in (places or BODY))
    note = "<w:{0} w:id='2'>" + _p(_t(NAME)) + "</w:{0}>"
    relation = f"{R}/"
    rels = {
        "rHead": ("header", "header1.xml", ""),
        "rFoot": ("footer", "footer1.xml", ""),
        "rFn": ("footnotes", "footnotes.xml", ""),
        "rEn": ("endnotes", "endnotes.xml", ""),
        "rCo": ("comments", "comments.xml", ""),
        "rSet": ("settings", "settings.xml", ""),
        "rSty": ("styles", "styles.xml", ""),
        "rPeople": ("people", "people.xml", ""),
        "rImg": ("image", "media/Antonio Banderas.png", ""),
        "rOle": ("package", "embeddings/sheet.xlsx", ""),
        "rDoc": ("package", "embeddings/inner.docx", ""),
        "rVba": ("vbaProject", "vbaProject.bin", ""),
        "rXml": ("customXml", "../customXml/item1.xml", ""),
        "rLink": ("hyperlink", "https://e.org/Antonio%20Banderas", "External"),
        "rTem": ("attachedTemplate", "file:///C:/Users/AntonioBanderas/x.dotx", "External"),
    }
    lines = "".join(
        f'<Relationship Id="{i}" Type="{relation}{kind}" Target="{target}"'
        + (f' TargetMode="{mode}"' if mode else "")
        + "/>"
        for i, (kind, target, mode) in rels.items()
    )
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml."
    overrides = "".join(
        f'<Override PartName="/word/{part}.xml" ContentType="{main}{kind}+xml"/>'
        for part, kind in (
            ("document", "document.main"),
            ("header1", "header"),
            ("footer1", "footer"),
            ("footnotes", "footnotes"),
            ("endnotes", "endnotes"),
            ("comments", "comments"),
            ("settings", "settings"),
            ("styles", "styles"),
            ("people", "people"),
        )
    )
    picture = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\x0dIHDR" + b"\0" * 17
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": f'{head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
        '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>'
        '<Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/>'
        '<Default Extension="docx" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document"/>'
        '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>'
        f"{overrides}</Types>",
        "_rels/.rels": f'{head}{relations}<Relationship Id="r1" Type="{relation}officeDocument" Target="word/document.xml"/>'
        '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" '
        'Target="docProps/core.xml"/></Relationships>',
        "word/document.xml": _part("document", f"<w:body>{body}{section}</w:body>"),
        "word/_rels/document.xml.rels": f"{head}{relations}{lines}</Relationships>",
        "word/header1.xml": _part("hdr", _p(_t(f"Header {NAME}"))),
        "word/footer1.xml": _part("ftr", _p(_t(f"Footer {NAME}"))),
        "word/footnotes.xml": _part("footnotes", note.format("footnote")),
        "word/endnotes.xml": _part("endnotes", note.format("endnote")),
        "word/comments.xml": _part(
            "comments",
            f"<w:comment w:id='0' w:author='{NAME}' w:initials='AB' w:date='2026-01-01T00:00:00Z'>{_p(_t(NAME))}</w:comment>",
        ),
        "word/settings.xml": _part(
            "settings",
            f"<w:attachedTemplate r:id='rTem'/><w:docVars><w:docVar w:name='x' w:val='{NAME}'/></w:docVars>"
            "<w:rsids><w:rsid w:val='00AB12CD'/></w:rsids>",
        ),
        "word/styles.xml": _part(
            "styles", f"<w:style w:type='paragraph' w:styleId='AntonioBanderas'><w:name w:val='{NAME}'/></w:style>"
        ),
        "word/people.xml": _part("people", f"<w:person w:author='{NAME}'/>"),
        "word/media/Antonio Banderas.png": picture + NAME.encode(),
        "word/embeddings/sheet.xlsx": b"PK\x03\x04" + NAME.encode(),
        "word/vbaProject.bin": b"\xd0\xcf\x11\xe0" + NAME.encode("utf-16-le"),
        "customXml/item1.xml": f"<who>{NAME}</who>",
        "docProps/core.xml": f'<cp:coreProperties xmlns:cp="x" xmlns:dc="y"><dc:creator>{NAME}</dc:creator></cp:coreProperties>',
        "docProps/app.xml": f"<Properties><Company>{NAME}</Company></Properties>",
        "docProps/custom.xml": f"<Properties><property name='{NAME}'>{NAME}</property></Properties>",
        "docProps/thumbnail.jpeg": b"\xff\xd8" + NAME.encode(),
        "word/printerSettings1.bin": NAME.encode("utf-16-le"),
        "word/Antonio Banderas.dat": NAME.encode(),
        "word/odd.xml": f"<odd who='{NAME}'>{NAME}<more/>{NAME}</odd>",
    }
    if inner:
        members["word/embeddings/inner.docx"] = docx("text", inner=False)
    members |= extra or {}
    if not parts:
        members = {k: v for k, v in members.items() if k in ("[Content_Types].xml", "_rels/.rels", "word/document.xml")}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = NAME.encode()
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


_ODF = " ".join(
    f'xmlns:{p}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"'
    for p, n in (("office", "office"), ("text", "text"), ("style", "style"), ("draw", "drawing"), ("table", "table"))
) + (
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"'
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
)

ODT_BODY = {
    "text": f"<text:p>{NAME} acts.</text:p>",
    "split": "<text:p>Mr An<text:span>ton</text:span>io<text:s/><text:span>Ban</text:span>deras!</text:p>",
    "heading": f"<text:h text:outline-level='1'>{NAME}</text:h>",
    "table": f"<table:table table:name='{NAME}'><table:table-column/><table:table-row><table:table-cell><text:p>{NAME}</text:p>"
    "</table:table-cell></table:table-row></table:table>",
    "list": f"<text:list><text:list-item><text:p>{NAME}</text:p></text:list-item></text:list>",
    "note": "<text:p>x<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body>"
    f"<text:p>{NAME}</text:p></text:note-body></text:note>y</text:p>",
    "annotation": f"<text:p>x<office:annotation><dc:creator>{NAME}</dc:creator><dc:date>2026-01-01T00:00:00</dc:date>"
    f"<text:p>{NAME}</text:p></office:annotation>y {NAME}</text:p>",
    "link": f"<text:p><text:a xlink:type='simple' xlink:href='https://e.org/Antonio_Banderas' office:title='{NAME}'>x</text:a></text:p>",
    "frame": f"<text:p><draw:frame draw:name='{NAME}' svg:width='2cm' svg:height='1cm'><draw:text-box><text:p>{NAME}</text:p>"
    f"</draw:text-box><svg:title>{NAME}</svg:title><svg:desc>{NAME}</svg:desc></draw:frame></text:p>",
    "picture": "<text:p><draw:frame svg:width='2cm' svg:height='1cm'><draw:image xlink:href='Pictures/Antonio Banderas.png'/>"
    "</draw:frame></text:p>",
    "field": f"<text:p><text:author-name>{NAME}</text:author-name> <text:user-defined text:name='{NAME}'>{NAME}</text:user-defined></text:p>",
    "bookmark": "<text:p><text:bookmark text:name='Antonio_Banderas'/>x</text:p>",
    "hidden": f"<text:p><text:hidden-text text:condition='x' text:string-value='{NAME}'>{NAME}</text:hidden-text></text:p>",
}


def odt(*places: str) -> bytes:
    """An ODT package with the name at these places (all if none is given), and in every other part."""
    changes = (
        "<text:tracked-changes><text:changed-region text:id='c1'><text:deletion><office:change-info>"
        f"<dc:creator>{NAME}</dc:creator><dc:date>2026-01-01T00:00:00</dc:date></office:change-info><text:p>{NAME}</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
    )
    body = changes + "".join(ODT_BODY[p] for p in (places or ODT_BODY))
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    members: dict[str, bytes | str] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'{head}<office:document-content {_ODF} office:version="1.2"><office:automatic-styles/><office:body>'
        f"<office:text>{body}</office:text></office:body></office:document-content>",
        "styles.xml": f'{head}<office:document-styles {_ODF} office:version="1.2"><office:styles>'
        f"<style:style style:name='Antonio_20_Banderas' style:display-name='{NAME}' style:family='paragraph'/></office:styles>"
        "<office:automatic-styles><style:page-layout style:name='pm1'/></office:automatic-styles><office:master-styles>"
        "<style:master-page style:name='Standard' style:page-layout-name='pm1'>"
        f"<style:header><text:p>{NAME}</text:p></style:header><style:footer><text:p>{NAME}</text:p></style:footer>"
        "</style:master-page></office:master-styles></office:document-styles>",
        "meta.xml": f"{head}<office:document-meta {_ODF}><office:meta><dc:creator>{NAME}</dc:creator></office:meta></office:document-meta>",
        "settings.xml": f"{head}<office:document-settings {_ODF}>{NAME}</office:document-settings>",
        "Thumbnails/thumbnail.png": b"\x89PNG" + NAME.encode(),
        "Pictures/Antonio Banderas.png": b"\x89PNG" + NAME.encode(),
        "Configurations2/menu.xml": f"<menu>{NAME}</menu>",
        "Basic/script.xml": f"<script>{NAME}</script>",
        "META-INF/manifest.xml": f'{head}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()
