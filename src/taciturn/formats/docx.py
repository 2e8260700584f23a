"""DOCX: every part of the package is read or dropped, tracked deletions and comments included.

Dropped: properties, custom XML, macros, printer settings, embedded fonts, thumbnails, authors, dates, revision ids,
templates, mail-merge sources and embedded files that cannot be read.
"""

from __future__ import annotations

import posixpath
import re
from functools import partial

from lxml import etree

from taciturn.formats.office import Rules, local
from taciturn.formats.ooxml import ERRORS, Package, Profile, read_package
from taciturn.formats.tracked import sweep_docx_changes

__all__ = ["ERRORS", "read"]

_GLUE = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t", "lastRenderedPageBreak": None}
_SYMBOLS = re.compile(r"symbol|wingdings.*|webdings|zapf ?dingbats|mt extra|marlett", re.I)


def _symbol(element: etree._Element) -> str | None:
    """The letter that a ``w:sym`` shows; None if its font has signs in the places of letters."""
    if local(element) != "sym":
        return None
    values = {str(name).rpartition("}")[2]: str(value) for name, value in element.attrib.items()}
    if not re.fullmatch("[0-9A-Fa-f]{1,5}", values.get("char", "")) or _SYMBOLS.fullmatch(values.get("font", "")):
        return None
    code = int(values["char"], 16)
    letter = chr(code - 0xF000 if 0xF020 <= code <= 0xF0FF else code)
    return letter if letter.isprintable() else None


_RULES = Rules(
    paragraphs=frozenset(("p",)),
    apart={"del": "tracked deletion", "moveFrom": "tracked deletion", "txbxContent": "text box", "textbox": "text box"},
    stores=frozenset(("t", "delText")),
    glue=lambda element: _GLUE.get(local(element)),
    unread=frozenset(("instrText", "delInstrText")),
    attributes=frozenset(
        (
            ("docPr", "descr"),
            ("docPr", "title"),
            ("cNvPr", "descr"),
            ("cNvPr", "title"),
            ("shape", "alt"),
            ("hyperlink", "tooltip"),
            ("alias", "val"),
            ("listItem", "displayText"),
            ("statusText", "val"),
            ("helpText", "val"),
            ("default", "val"),
            ("tblCaption", "val"),
            ("tblDescription", "val"),
            ("textpath", "string"),
            ("listEntry", "val"),
            ("lvlText", "val"),
        )
    ),
    symbol=_symbol,
)
_PLACES = (
    ("document", "body"),
    ("header", "header"),
    ("footer", "footer"),
    ("footnotes", "footnote"),
    ("endnotes", "endnote"),
    ("comments", "comment"),
    ("chart", "chart"),
    ("data", "diagram"),
    ("glossary", "building block"),
)
_DROPPED = ((re.compile(r"word/(?:people|commentsIds|commentsExtensible|commentsExtended)\.xml"), "authors"),)
_PRUNED = frozenset(
    "rsids attachedTemplate mailMerge docVars saveThroughXslt activeWritingStyle dataBinding docId embedRegular "
    "embedBold fldData embedItalic embedBoldItalic proofState smartTagPr webExtensionLinked webExtensionCreated "
    "rsidRoot rsid".split()
)
_ORDER = {"document": 0, "header": 1, "footer": 2, "footnotes": 3, "endnotes": 4, "comments": 5}


def _order(part: str) -> int:
    return _ORDER.get(re.sub(r"\d*\.xml$", "", posixpath.basename(part)), 9)


def _place(package: Package, part: str) -> str:
    stem = posixpath.basename(part).lower()
    for start, place in _PLACES:
        if stem.startswith(start) or (start == "glossary" and "/glossary/" in part):
            return place
    return f"part {posixpath.basename(part)}"


read = partial(
    read_package,
    Profile(
        "docx",
        _RULES,
        _place,
        _order,
        _DROPPED,
        _PRUNED,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        finish=lambda package, part, root, sweeper: sweep_docx_changes(root, sweeper),
    ),
)
"""The passages of every part, body first."""
