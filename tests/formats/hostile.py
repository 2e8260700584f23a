# ruff: noqa: E501 -- markup reads better in one line
"""Places where a name hides, by format: "@" stands for the name, "@1" and "@2" for its halves.

Each place is put into a small file of its format, beside a paragraph that stays."""

from __future__ import annotations

import base64
import io
import json
import quopri
import zipfile
from contextlib import suppress

import openpyxl
from pptx import Presentation

from tests.formats.test_pptx import with_parts
from tests.formats.test_rtf import rtf
from tests.formats.test_watch_office import docx_of, odt_of

NAME = "Kowalczyk"


def put(source: str, name: str = NAME) -> str:
    return source.replace("@1", name[:5]).replace("@2", name[5:]).replace("@", name)


HTML = (
    "<p>@</p>", "<p>@1<b>@2</b></p>", "<p>@1<x-a>@2</x-a></p>", "<p>@1<!-- c -->@2</p>", "<p>@1&shy;@2</p>", "<p>@1&#8203;@2</p>",
    "<p>@1<wbr>@2</p>", "<p>@1<span hidden>x</span></p><p>@</p>", "<p>&#75;owalczyk</p>", "<p>&#x4b;owalczyk</p>", "<p>\uff2b\uff4f\uff57\uff41\uff4c\uff43\uff5a\uff59\uff4b</p>",
    "<!-- @ -->", "<p title='@'>x</p>", "<p class='@'>x</p>", "<p id='a-@-b'>x</p>", "<p data-x='@'>x</p>", "<p aria-label='@'>x</p>", "<p lang='@'>x</p>",
    "<p onclick='f(\"@\")'>x</p>", "<p style='--@: 1'>x</p>", "<p style=\"font-family: '@'\">x</p>", "<p @='1'>x</p>", "<@>x</@>", "<x-@>x</x-@>",
    "<a href='https://e.org/@'>x</a>", "<a href='https://e.org/?q=%4bowalczyk'>x</a>", "<a href='mailto:@@e.org'>x</a>", "<a href='data:text/plain,@'>x</a>",
    "<a href='javascript:@'>x</a>", "<a name='@'>x</a>", "<a rel='@' href=x>y</a>", "<a download='@.pdf' href=x>y</a>", "<a ping='/@' href=x>y</a>",
    "<img alt='@' src=x>", "<img src='@.png'>", "<img srcset='@.png 2x'>", "<img usemap='#@' src=x>", "<map name='@'><area alt='@' href=x></map>",
    "<input value='@'>", "<input type=hidden value='@'>", "<input type=password value='@'>", "<input type=radio value='@'>", "<input name='@'>", "<input placeholder='@'>", "<input list='@'><datalist id='@'><option>@</datalist>",
    "<select><option value='@'>x</option></select>", "<select><option label='@'>x</option></select>", "<textarea>@</textarea>", "<button value='@'>x</button>", "<form action='/@'><p>x</p></form>",
    "<label for='@'>x</label>", "<meta name='author' content='@'>", "<meta name='viewport' content='@'>", "<title>@</title>", "<base href='https://@.org'>", "<link rel=stylesheet href='@.css'>",
    "<script>var a='@'</script>", "<noscript>@</noscript>", "<template><p>@</p></template>", "<style>.@{top:0}</style>", "<style>p::after{content:'@'}</style>", "<style>p::after{content:'@1' '@2'}</style>", "<style>/* @ */</style>",
    "<style>p{background:url(@.png)}</style>", "<style>@import '@.css';</style>".replace("@import", "\x00import"), "<iframe src='@'></iframe>", "<iframe srcdoc='@'></iframe>", "<object data='@'></object>", "<embed src='@'>", "<video poster='@.png'></video>",
    "<svg><text>@</text></svg>", "<svg><title>@</title></svg>", "<svg><desc>@</desc></svg>", "<svg><g id='@'/></svg>", "<svg><metadata>@</metadata></svg>", "<svg><a xlink:href='@'>x</a></svg>", "<math><mtext>@</mtext></math>", "<ruby>x<rt>@</rt></ruby>",
    "<table summary='@'><caption>@</caption><tr><td headers='@' abbr='@'>@</td></tr></table>", "<details><summary>@</summary></details>", "<bdo dir=rtl>@</bdo>", "<p itemprop='@' itemid='@'>x</p>", "<time datetime='@'>x</time>", "<q cite='https://e.org/@'>x</q>", "<p>x</p><!doctype @>",
)  # fmt: skip

MARKDOWN = (
    "@", "**@1**@2", "@1*@2*", "`@`", "```\n@\n```", "```@\nx\n```", "# @", "> @", "> @1-\n> @2", "- @", "1. @", "| a | @ |\n|---|---|\n| @ | y |", "[@](x)", "[x](https://e.org/@)",
    "[x](<https://e.org/@>)", "[x](y \"@\")", "[x](y '@')", "![@](x.png)", "![x](@.png)", "![x](y \"@\")", "[x][@]\n\n[@]: https://e.org", "[x]: https://e.org/@ \"@\"\n\n[x]", "<https://e.org/@>", "<@@e.org>",
    "x[^@]\n\n[^@]: @", "<!-- @ -->", "<b title='@'>x</b>", "&#75;owalczyk", "\\K\\owalczyk", "---\ntitle: @\n@: x\n---\n\nx", "---\ntags: [x, @]\n---\nx", "~~@~~", "@1\\\n@2", "term\n: @", "    @", "- [ ] @", "[//]: # (@)", "@1-\n@2", "@1\u00ad@2", "@1\u200b@2",
)  # fmt: skip

_W = "<w:p><w:r><w:t>%s</w:t></w:r></w:p>"
DOCX = (
    _W % "@", "<w:p><w:r><w:t>@1</w:t></w:r><w:r><w:t>@2</w:t></w:r></w:p>", "<w:p><w:r><w:t>@1</w:t></w:r><w:proofErr w:type='spellStart'/><w:r><w:t>@2</w:t></w:r></w:p>",
    "<w:p><w:r><w:t>@1</w:t><w:softHyphen/><w:t>@2</w:t></w:r></w:p>", "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>@</w:t></w:r></w:p>", "<w:p><w:del w:id='1'><w:r><w:delText>@</w:delText></w:r></w:del></w:p>",
    "<w:p><w:r><w:t>@1</w:t></w:r><w:del w:id='1'><w:r><w:delText>@2</w:delText></w:r></w:del></w:p>", "<w:p><w:ins w:id='1' w:author='@'><w:r><w:t>x</w:t></w:r></w:ins></w:p>", "<w:p><w:moveFrom w:id='1' w:name='@'><w:r><w:t>@</w:t></w:r></w:moveFrom></w:p>",
    "<w:p><w:bookmarkStart w:id='0' w:name='@'/><w:r><w:t>x</w:t></w:r><w:bookmarkEnd w:id='0'/></w:p>", "<w:p><w:hyperlink w:anchor='@' w:tooltip='@'><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>",
    "<w:p><w:fldSimple w:instr='REF @'><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>", "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText> HYPERLINK \"http://e.org/@1</w:instrText></w:r><w:r><w:instrText>@2\"</w:instrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>",
    "<w:p><w:pPr><w:pStyle w:val='@'/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>", "<w:p><w:r><w:rPr><w:rFonts w:ascii='@'/></w:rPr><w:t>x</w:t></w:r></w:p>", "<w:sdt><w:sdtPr><w:alias w:val='@'/><w:tag w:val='@'/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>",
    "<w:sdt><w:sdtPr><w:dropDownList w:lastValue='@'><w:listItem w:displayText='@' w:value='@'/></w:dropDownList></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>", "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/@' w:storeItemID='x'/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>",
    "<w:sdt><w:sdtPr><w:placeholder><w:docPart w:val='@'/></w:placeholder></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>", "<w:p><w:r><w:pict><v:shape id='@' alt='@' o:spid='x'><v:textpath string='@'/></v:shape></w:pict></w:r></w:p>",
    "<w:p><w:r><w:pict><v:shape id='s'><v:textbox><w:txbxContent>" + _W % "@" + "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>", "<w:p><w:r><w:pict><v:shape id='s' href='http://e.org/@'/></w:pict></w:r></w:p>",
    "<w:p><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:name w:val='@'/><w:helpText w:val='@'/><w:statusText w:val='@'/><w:textInput><w:default w:val='@'/></w:textInput></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>",
    "<w:p><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList><w:listEntry w:val='@'/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>", "<w:tbl><w:tblPr><w:tblCaption w:val='@'/><w:tblDescription w:val='@'/></w:tblPr><w:tr><w:tc>" + _W % "@" + "</w:tc></w:tr></w:tbl>",
    "<w:p><w:smartTag w:uri='x' w:element='@'><w:r><w:t>x</w:t></w:r></w:smartTag></w:p>", "<w:customXml w:uri='x' w:element='@'>" + _W % "x" + "</w:customXml>", "<w:p><w:r><w:ruby><w:rt><w:r><w:t>@</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>x</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>",
    "<w:p>" + "".join(f"<w:r><w:sym w:font='Arial' w:char='F0{ord(c):02X}'/></w:r>" for c in NAME) + "</w:p>", "<w:p><w:r><w:t>@1</w:t><w:lastRenderedPageBreak/><w:t>@2</w:t></w:r></w:p>", "<w:p><w:r><w:t>&#75;owalczyk</w:t></w:r></w:p>", "<!-- @ --><w:p/>", "<?pi @?><w:p/>",
    "<w:p><w:r><w:t>@1\u00ad@2</w:t></w:r></w:p>", "<w:p><w:r><w:t>@1\u200b@2</w:t></w:r></w:p>", "<w:p w:rsidR='@'><w:r><w:t>x</w:t></w:r></w:p>", "<w:p><w:permStart w:id='1' w:ed='@'/><w:r><w:t>x</w:t></w:r></w:p>", "<w:p><w:r><w:noBreakHyphen/><w:t>@</w:t></w:r></w:p>",
    "<w:p><w:bdo w:val='rtl'><w:r><w:t>@</w:t></w:r></w:bdo></w:p>", "<w:p><w:r><w:rPr><w:rPrChange w:id='3' w:author='@' w:date='2020-01-01T00:00:00Z'/></w:rPr><w:t>x</w:t></w:r></w:p>",
)  # fmt: skip
_PART = "<w:{0} xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>{1}</w:{0}>"
DOCX_PARTS = {
    "word/styles.xml": _PART.format("styles", "<w:style w:type='paragraph' w:styleId='@'><w:name w:val='@'/></w:style>"),
    "word/settings.xml": _PART.format("settings", "<w:docVars><w:docVar w:name='@' w:val='@'/></w:docVars>"),
    "word/numbering.xml": _PART.format("numbering", "<w:abstractNum w:abstractNumId='0'><w:name w:val='@'/><w:lvl w:ilvl='0'><w:lvlText w:val='@ %1'/></w:lvl></w:abstractNum>"),
    "word/header1.xml": _PART.format("hdr", _W % "@"), "word/footer1.xml": _PART.format("ftr", _W % "@"), "word/footnotes.xml": _PART.format("footnotes", "<w:footnote w:id='1'>" + _W % "@" + "</w:footnote>"),
    "word/comments.xml": _PART.format("comments", "<w:comment w:id='1' w:author='@' w:initials='@'>" + _W % "@" + "</w:comment>"), "word/glossary/document.xml": _PART.format("glossaryDocument", "<w:docParts><w:docPart><w:docPartPr><w:name w:val='@'/></w:docPartPr></w:docPart></w:docParts>"),
    "word/people.xml": _PART.format("people", "<w:person w:author='@'/>"), "docProps/core.xml": "<x>@</x>", "docProps/app.xml": "<x><Company>@</Company></x>", "customXml/item1.xml": "<x>@</x>", "word/@.xml": "<x>@</x>", "word/fontTable.xml": _PART.format("fonts", "<w:font w:name='@'/>"),
    "word/webSettings.xml": _PART.format("webSettings", "<w:divs><w:div w:id='@'/></w:divs>"), "word/vbaProject.bin": "@", "word/embeddings/a.txt": "@", "word/afchunk.html": "<p>@</p>", "word/theme/theme1.xml": "<a:theme xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main' name='@'/>",
}  # fmt: skip

ODT = (
    "<text:p>@</text:p>", "<text:p>@1<text:span>@2</text:span></text:p>", "<text:p>@1<text:soft-page-break/>@2</text:p>", "<text:h text:outline-level='1'>@</text:h>", "<text:p><text:a xlink:href='https://e.org/@' office:title='@'>x</text:a></text:p>", "<text:p><text:bookmark text:name='@'/>x</text:p>",
    "<text:p text:style-name='@'>x</text:p>", "<text:section text:name='@'><text:p>x</text:p></text:section>", "<table:table table:name='@'><table:table-row><table:table-cell><text:p>@</text:p></table:table-cell></table:table-row></table:table>",
    "<text:p><office:annotation><dc:creator xmlns:dc='http://purl.org/dc/elements/1.1/'>@</dc:creator><text:p>@</text:p></office:annotation>x</text:p>", "<text:p>x<text:note text:note-class='footnote'><text:note-citation>@</text:note-citation><text:note-body><text:p>@</text:p></text:note-body></text:note></text:p>",
    "<text:p><text:drop-down text:name='@'><text:label text:value='@'/></text:drop-down></text:p>", "<text:p><text:placeholder text:placeholder-type='text' text:description='@'>@</text:placeholder></text:p>", "<text:p><text:variable-set text:name='@' text:formula='@'>x</text:variable-set></text:p>",
    "<text:p><text:hidden-text text:condition='@' text:string-value='@'/>x</text:p>", "<text:p><text:user-defined text:name='@'>@</text:user-defined></text:p>", "<text:p><text:conditional-text text:string-value-if-true='@' text:string-value-if-false='@'>x</text:conditional-text></text:p>",
    "<text:p><text:ruby><text:ruby-base>x</text:ruby-base><text:ruby-text>@</text:ruby-text></text:ruby></text:p>", "<text:p><draw:frame draw:name='@'><draw:text-box><text:p>@</text:p></draw:text-box></draw:frame></text:p>", "<text:p><draw:frame><svg:title xmlns:svg='urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0'>@</svg:title></draw:frame>x</text:p>",
    "<office:forms><form:form form:name='@'><form:text form:current-value='@' form:value='@'/></form:form></office:forms>", "<office:forms><form:form><form:listbox><form:option form:label='@' form:value='@'/></form:listbox></form:form></office:forms>", "<text:p>&#75;owalczyk</text:p>", "<!-- @ --><text:p>x</text:p>", "<text:p>@1\u00ad@2</text:p>",
    "<text:p><text:script xlink:href='@'>@</text:script>x</text:p>", "<text:p><text:alphabetical-index-mark text:string-value='@' text:key1='@'/>x</text:p>", "<text:list text:style-name='@'><text:list-item><text:p>@</text:p></text:list-item></text:list>", "<text:p><text:reference-mark text:name='@'/>x</text:p>", "<text:p><text:sequence text:name='@' text:ref-name='@'>x</text:sequence></text:p>",
)  # fmt: skip

RTF = (
    "@", "@1{\\b @2}", "@1\\f1 @2", "@1\\pard @2", "\\'4bowalczyk", "\\u75?owalczyk", "\\uc3\\u75xxxowalczyk", "@1\\-@2", "@1\r\n@2", "@1{\\deleted xx}@2", "@1{\\v xx}@2", "{\\v @}", "{\\deleted @}x", "@1{\\deleted @2}", "{\\info{\\author @}}", "{\\info{\\*\\company @}}", "{\\*\\generator @}",
    "{\\footnote @}x", "{\\header @}", "{\\footerl @}", "{\\*\\annotation @}x", "{\\*\\atnauthor @}x", "{\\stylesheet{\\s1 @;}}", "{\\fonttbl{\\f9 @;}}", "{\\fonttbl{\\f9 x{\\*\\falt @};}}", "{\\*\\bkmkstart @}x", "{\\field{\\*\\fldinst HYPERLINK \"http://e.org/@\"}{\\fldrslt @}}", "{\\field{\\*\\fldinst{REF @1}{\\b @2}}{\\fldrslt x}}",
    "{\\shp{\\*\\shpinst{\\sp{\\sn gtextUNICODE}{\\sv @}}}}", "{\\shp{\\*\\shpinst{\\sp{\\sn @}{\\sv 1}}}}", "{\\shp{\\*\\shpinst{\\shptxt @\\par}}}", "{\\xe @}", "{\\tc @}", "{\\*\\userprops{\\propname @}}", "{\\*\\xmlnstbl @}", "{\\*\\datafield @}", "{\\*\\formfield{\\*\\ffdeftext @}}x", "{\\*\\listtable{\\list{\\listname @;}}}", "{\\*\\listtable{\\list{\\listlevel{\\leveltext\\'09@;}}}}",
    "{\\object{\\*\\objclass @}{\\*\\objname @}{\\result @}}", "{\\*\\unknown @}", "{\\unknown @}", "\\bin9 @x", "{\\pict @}x", "{\\upr{@}{\\*\\ud{@}}}", "\\trowd\\cellx1000 @\\cell\\row", "{\\*\\revtbl{@;}}", "{\\*\\pn{\\pntxtb @}}x", "x}@{",
)  # fmt: skip

MAIL = (
    "Subject: @\n\nx", "Subject: =?utf-8?q?=4bowalczyk?=\n\nx", "Subject: =?utf-8?b?S293YWxjenlr?=\n\nx", "Subject: =?utf-8?q?@1?= =?utf-8?q?@2?=\n\nx", "Subject: x\nTo: @ <a@@1.org>\n\nx", "Subject: x\nTo: \"@\" <a@example.org>\n\nx", "Subject: x\nX-Note: @\n\nx", "Subject: x\nMessage-ID: <@@e.org>\n\nx", "Subject: x\nReceived: from @\n\nx", "Subject: x\nCc: @@e.org\n\nx",
    "Subject: x\nContent-Type: text/html\n\n<p>@1<b>@2</b></p>", "Subject: x\nContent-Transfer-Encoding: quoted-printable\n\n@1=\n@2", "Subject: x\nContent-Transfer-Encoding: base64\n\nS293YWxjenlr", "Subject: x\nContent-Type: text/plain; name=\"@.txt\"\n\nx", "Subject: x\nContent-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(NAME.encode("utf-16")).decode(),
    "Subject: x\nContent-Type: multipart/mixed; boundary=@\n\n@ preamble\n--@\n\nx\n--@--\n@ epilogue", "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=\"@.csv\"\n\na,@\n1,@\n--b--", "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Disposition: attachment; filename*=utf-8''%4bowalczyk.txt\n\nx\n--b--",
    "Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\n@\n--b\nContent-Type: text/html\n\n<p title='@'>x</p>\n--b--", "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nSubject: @\nX-A: @\n\n@\n--b--", "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: text/calendar\n\nBEGIN:VCALENDAR\nSUMMARY:@1\n @2\nEND:VCALENDAR\n--b--",
    "Subject: x\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<img src='cid:@'>\n--b\nContent-Type: image/png\nContent-ID: <@>\n\nx\n--b--", "Subject: x\nContent-Description: @\n\nx", "Subject: x\nContent-Language: @\n\nx", "Subject: @1\n @2\n\nx", "Subject: x\nComments: @\nKeywords: @\n\nx",
)  # fmt: skip

DATA = {
    "a.json": ('{"@": 1}', '{"a": "@"}', '{"a": {"b@": ["@"]}}', '{"\\u004bowalczyk": "\\u004bowalczyk"}', '["@1", "@"]', '{"a": "<b>@1</b>@2 @"}', '{"@": "x", "@ ": "y"}', '{"a": "https://e.org/@"}'),
    "a.jsonl": ('{"@": 1}\n{"a": "@"}', '{"a": "\\u004bowalczyk"}'),
    "a.csv": ("a,@\n1,@\n", 'a,"x\n@"\n1,"@ ""y"""\n', "@\n@\n", "a;@\n1;@1-@2 @\n", "a,b\n1,=HYPERLINK(\"http://e.org/@\")\n", "\ufeffa,@\n1,x\n", "a\tb\n@\t@\n"),
    "a.txt": ("@", "@1-\n@2", "@1\u00ad@2", "@1\u200b@2", "BEGIN:VCARD\nFN:@1\n @2\nEND:VCARD", "BEGIN:VCALENDAR\nATTENDEE;CN=@:mailto:x@e.org\nEND:VCALENDAR", "K o w a l c z y k", "\uff2b\uff4f\uff57\uff41\uff4c\uff43\uff5a\uff59\uff4b", "x @_2024.pdf https://e.org/@"),
}  # fmt: skip
ZIP = ({"@.txt": "x"}, {"@/a.txt": "@"}, {"a.html": "<p class='@'>x</p>"}, {"a.json": '{"@": 1}'}, {"a.csv": "a,@\n1,@\n"}, {".@": "@", "a.txt": "x"}, {"a.bin": "\x00@", "b.txt": "x"}, {"a.md": "[x](https://e.org/@)"}, {"@.png": "\x89PNG", "b.txt": "x"}, {"a.rtf": "{\\rtf1 @1{\\b @2}}"})  # fmt: skip

_S = "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>%s</worksheet>"
_ROW = "<sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Words.</t></is></c>%s</row></sheetData>"
XLSX = (
    _ROW % "<c r='B1' t='inlineStr'><is><t>@</t></is></c>", _ROW % "<c r='B1' t='inlineStr'><is><r><t>@1</t></r><r><rPr><b/></rPr><t>@2</t></r></is></c>", _ROW % "<c r='B1' t='str'><f>\"@\"</f><v>@</v></c>", _ROW % "<c r='B1'><f>LEN(\"@\")</f><v>9</v></c>", _ROW % "<c r='B1' t='str'><v>@</v></c>", _ROW % "<c r='B1'><f>SUM('@'!A1)</f><v>1</v></c>",
    _ROW % "<c r='B1' t='inlineStr'><is><t>x</t><rPh sb='0' eb='1'><t>@</t></rPh></is></c>", _ROW % "<c r='B1' t='e'><v>@</v></c>", "<sheetPr codeName='@'/>" + _ROW % "", _ROW % "" + "<headerFooter><oddHeader>&amp;L@1&amp;B@2</oddHeader></headerFooter>", _ROW % "" + "<headerFooter><firstFooter>&amp;C@</firstFooter></headerFooter>",
    _ROW % "" + "<dataValidations><dataValidation type='list' sqref='B1' promptTitle='@' prompt='@' errorTitle='@' error='@'><formula1>\"@,x\"</formula1></dataValidation></dataValidations>", _ROW % "" + "<conditionalFormatting sqref='A1'><cfRule type='containsText' text='@'><formula>NOT(ISERROR(SEARCH(\"@\",A1)))</formula></cfRule></conditionalFormatting>",
    _ROW % "" + "<hyperlinks><hyperlink ref='A1' location='@!A1' tooltip='@' display='@'/></hyperlinks>", _ROW % "" + "<autoFilter ref='A1:B1'><filterColumn colId='0'><filters><filter val='@'/></filters></filterColumn></autoFilter>", _ROW % "" + "<autoFilter ref='A1:B1'><filterColumn colId='0'><customFilters><customFilter val='*@*'/></customFilters></filterColumn></autoFilter>",
    _ROW % "" + "<scenarios><scenario name='@' user='@' comment='@'><inputCells r='A1' val='@'/></scenario></scenarios>", _ROW % "" + "<protectedRanges><protectedRange sqref='A1' name='@'/></protectedRanges>", _ROW % "" + "<extLst><ext uri='x'><x>@</x></ext></extLst>", _ROW % "" + "<customSheetViews><customSheetView guid='{0}'><headerFooter><oddHeader>@</oddHeader></headerFooter></customSheetView></customSheetViews>", _ROW % "" + "<!-- @ -->",
)  # fmt: skip
XLSX_PARTS = {"xl/pivotCache/pivotCacheDefinition1.xml": "<x>@</x>", "xl/pivotCache/pivotCacheRecords1.xml": "<x v='@'/>", "xl/tables/table1.xml": "<table name='@'/>", "xl/externalLinks/externalLink1.xml": "<x>@</x>", "xl/connections.xml": "<x name='@'/>", "xl/comments1.xml": "<comments xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><authors><author>@</author></authors><commentList><comment ref='A1' authorId='0'><text><t>@</t></text></comment></commentList></comments>", "xl/threadedComments/threadedComment1.xml": "<x><text>@</text></x>", "xl/persons/person.xml": "<x><person displayName='@'/></x>", "xl/calcChain.xml": "<x>@</x>", "xl/printerSettings/printerSettings1.bin": "@", "xl/revisions/revisionLog1.xml": "<x>@</x>", "xl/slicers/slicer1.xml": "<x name='@'/>", "customXml/item1.xml": "<x>@</x>", "xl/model/item.data": "@", "xl/@.xml": "<x>@</x>"}  # fmt: skip

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SP = "<p:sp><p:nvSpPr><p:cNvPr id='9' name='%s' descr='%s' title='%s'/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p>%s</a:p></p:txBody></p:sp>"
PPTX = (
    _SP % ("x", "", "", "<a:r><a:t>@</a:t></a:r>"), _SP % ("x", "", "", "<a:r><a:t>@1</a:t></a:r><a:r><a:t>@2</a:t></a:r>"), _SP % ("@", "", "", "<a:r><a:t>x</a:t></a:r>"), _SP % ("x", "@", "", "<a:r><a:t>x</a:t></a:r>"), _SP % ("x", "", "@", "<a:r><a:t>x</a:t></a:r>"), _SP % ("x", "", "", "<a:fld id='{0}' type='datetime'><a:t>@</a:t></a:fld>"),
    _SP % ("x", "", "", "<a:r><a:rPr><a:latin typeface='@'/></a:rPr><a:t>x</a:t></a:r>"), _SP % ("x", "", "", "<a:pPr><a:buChar char='@'/></a:pPr><a:r><a:t>x</a:t></a:r>"), _SP % ("x", "", "", "<a:r><a:rPr lang='@'/><a:t>x</a:t></a:r>"), _SP % ("x", "", "", "<a:r><a:t>&#75;owalczyk</a:t></a:r>"), "<!-- @ -->", _SP % ("x", "", "", "<a:r><a:t>@1\u00ad@2</a:t></a:r>"), _SP % ("x", "", "", "<a:r><a:t>@1</a:t></a:r><a:endParaRPr/><a:r><a:t>@2</a:t></a:r>"), _SP.replace("<p:nvPr/>", "<p:nvPr><p:extLst><p:ext uri='x'><x>@</x></p:ext></p:extLst></p:nvPr>") % ("x", "", "", "<a:r><a:t>x</a:t></a:r>"), _SP.replace("<p:nvPr/>", "<p:nvPr userDrawn='1'><p:custDataLst><p:tags r:id='@'/></p:custDataLst></p:nvPr>") % ("x", "", "", "<a:r><a:t>x</a:t></a:r>"),
)  # fmt: skip
PPTX_PARTS = {"ppt/tags/tag1.xml": "<x name='@' val='@'/>", "ppt/commentAuthors.xml": "<x><cmAuthor name='@' initials='@'/></x>", "ppt/comments/comment1.xml": "<x><cm><text>@</text></cm></x>", "ppt/changesInfos/changesInfo1.xml": "<x>@</x>", "ppt/diagrams/data1.xml": f"<x xmlns:a='{_A}'><a:p><a:r><a:t>@</a:t></a:r></a:p></x>", "ppt/notesMasters/notesMaster9.xml": f"<x xmlns:a='{_A}'><a:p><a:r><a:t>@</a:t></a:r></a:p></x>", "ppt/handoutMasters/handoutMaster1.xml": f"<x xmlns:a='{_A}' name='@'/>", "docProps/custom.xml": "<x>@</x>", "ppt/media/sound.wav": "RIFF@", "ppt/viewProps.xml": "<x name='@'/>", "ppt/tableStyles.xml": "<x styleName='@'/>"}  # fmt: skip


def _mini_book(sheet: str) -> bytes:
    buffer = io.BytesIO()
    openpyxl.Workbook().save(buffer)
    return with_parts(buffer.getvalue(), {"xl/worksheets/sheet1.xml": _S % sheet})


def _mini_deck(shape: str) -> bytes:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    buffer = io.BytesIO()
    deck.save(buffer)
    with zipfile.ZipFile(buffer) as archive:
        slide = archive.read("ppt/slides/slide1.xml").decode()
    keep = _SP % ("k", "", "", "<a:r><a:t>Words.</a:t></a:r>")
    return with_parts(
        buffer.getvalue(), {"ppt/slides/slide1.xml": slide.replace("</p:spTree>", keep + shape + "</p:spTree>")}
    )


def _packed(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(put(name), put(text).encode("latin-1", "replace"))
    return buffer.getvalue()


def cases() -> dict[str, tuple[str, bytes]]:
    """Every case by name: the file's name and its bytes."""
    made: dict[str, tuple[str, bytes]] = {}

    def add(kind: str, number: int, name: str, data: bytes) -> None:
        made[f"{kind}-{number:03}"] = (name, data)

    for n, source in enumerate(HTML):
        page = f"<html><body><p>Words.</p>{put(source)}</body></html>".replace("\x00", "@")
        add("html", n, "a.html", page.encode())
    for n, source in enumerate(MARKDOWN):
        head = "" if source.startswith("---") else "Words.\n\n"
        add("markdown", n, "a.md", (head + put(source) + "\n").encode())
    bodies = [docx_of(put(b)) for b in DOCX] + [docx_of("", {put(k): put(v)}) for k, v in DOCX_PARTS.items()]
    for n, data in enumerate(bodies):
        add("docx", n, "a.docx", data)
    for n, source in enumerate(ODT):
        add("odt", n, "a.odt", odt_of(put(source)))
    for n, source in enumerate(RTF):
        add("rtf", n, "a.rtf", rtf(put(source)))
    for n, source in enumerate(MAIL):
        add("mail", n, "a.eml", put(source).replace("a@@1", "a@x").encode())
    for name, sources in DATA.items():
        for n, source in enumerate(sources):
            add(name[2:], n, name, put(source).encode())
    for n, files in enumerate(ZIP):
        add("zip", n, "a.zip", _packed(files))
    books = [_mini_book(put(s)) for s in XLSX]
    books += [with_parts(_mini_book(_ROW % ""), {put(k): put(v)}) for k, v in XLSX_PARTS.items()]
    for n, data in enumerate(books):
        add("xlsx", n, "a.xlsx", data)
    decks = [_mini_deck(put(s)) for s in PPTX] + [
        with_parts(_mini_deck(""), {put(k): put(v)}) for k, v in PPTX_PARTS.items()
    ]
    for n, data in enumerate(decks):
        add("pptx", n, "a.pptx", data)
    return made


def unfolded(text: str) -> str:
    """Lines of a calendar put together."""
    return text.replace("\r\n ", "").replace("\n ", "")


def decoded(data: bytes) -> str:
    """Bytes in every decoding that a reader might try."""
    texts = [
        data.decode("utf-8", "replace"),
        data.decode("utf-16-le", "replace"),
        quopri.decodestring(data).decode("utf-8", "replace"),
    ]
    with suppress(ValueError):
        texts.append(json.dumps(json.loads(data), ensure_ascii=False))
    return "\n".join(texts)
