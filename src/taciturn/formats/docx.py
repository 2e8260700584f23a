"""DOCX: every part of the package is read or dropped, tracked deletions and comments included.

Dropped: properties, custom XML, macros, printer settings, embedded fonts, thumbnails, authors, dates, revision ids,
templates, mail-merge sources and embedded files that cannot be read.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from functools import partial

from lxml import etree

from tacit.formats.base import Content, Context, FormatError, LimitError, Options, Rewrite
from tacit.formats.nest import Adopted, Shelf
from tacit.formats.office import (
    Rules,
    collect,
    local,
    parse,
    put,
    remove,
    serialize,
    strings,
    sweep,
    xml_text,
)
from tacit.formats.package import Member, pack, unpack
from tacit.formats.pictures import BLANK_PNG, without_metadata
from tacit.formats.sweep import Sweeper

__all__ = ["ERRORS", "read"]

ERRORS: tuple[type[Exception], ...] = (etree.LxmlError, ValueError, KeyError)
"""What the libraries below raise on damaged files."""

_GLUE = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t", "lastRenderedPageBreak": None}
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
        )
    ),
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
_DROPPED_PARTS = (
    (re.compile(r"docProps/|_rels/\.rels\.|package/"), "properties"),
    (re.compile(r"customXml/"), "custom XML"),
    (re.compile(r"word/(?:people|commentsIds|commentsExtensible|commentsExtended)\.xml"), "authors"),
    (re.compile(r".*(?:vbaProject|vbaData|attachedToolbars|customizations|activeX|ctrlProps)"), "macros"),
    (re.compile(r".*/fonts/.*"), "embedded fonts"),
    (re.compile(r".*(?:printerSettings|thumbnail)"), "printer settings and thumbnails"),
    (
        re.compile(r"_xmlsignatures/|.*/(?:ink|webextensions|stylesWithEffects|userCustomization)"),
        "signatures and add-ins",
    ),
)
_PRUNED = frozenset(
    "rsids attachedTemplate mailMerge docVars saveThroughXslt activeWritingStyle dataBinding docId embedRegular "
    "embedBold fldData embedItalic embedBoldItalic proofState smartTagPr webExtensionLinked webExtensionCreated "
    "rsidRoot rsid".split()
)
_SKIPPED = frozenset(("Type", "ContentType", "Extension", "Id", "TargetMode", "Ignorable", "Requires", "uri"))
_REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_OFFICE_REL = re.compile(r"\{http://(?:schemas\.openxmlformats\.org|purl\.oclc\.org)/.*[rR]elationships\}")
_PICTURE = re.compile(r"\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|svg|webp|wdp|hdp|ico|pict|pcx|heic|avif)$", re.I)


@dataclass(slots=True)
class _Package:
    """The parts to be written: XML to be rewritten, fixed bytes, files inside; and what was renamed or left out."""

    name: str
    members: dict[str, bytes] = field(default_factory=dict)
    xml: list[str] = field(default_factory=list)
    files: dict[str, Adopted] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of every part, body first."""
    package, shelf = _Package(name), Shelf()
    members = unpack(data, name, context)
    for member in members:
        package.members[member.name] = member.data
        reason = next((why for pattern, why in _DROPPED_PARTS if pattern.match(member.name)), None)
        if reason:
            package.out.add(member.name)
            shelf.dropped[reason] = None
        elif _is_xml(member.name):
            package.xml.append(member.name)
        elif _PICTURE.search(member.name):
            _read_picture(member, package, shelf, context.options)
        else:
            _read_inside(member, package, shelf, context)
    # A part's relationships go with it.
    package.xml = [x for x in package.xml if not (x.endswith(".rels") and _owner(x) in package.out)]
    order = {"document": 0, "header": 1, "footer": 2, "footnotes": 3, "endnotes": 4, "comments": 5}
    package.xml.sort(key=lambda x: (order.get(re.sub(r"\d*\.xml$", "", posixpath.basename(x)), 9), x))
    number = 0
    for part in package.xml:
        root = _prepared(package, part)
        package.first[part] = number
        if part.endswith(".rels") or part == "[Content_Types].xml":
            continue
        blocks, holders = collect(root, _place(part), _RULES, number)
        number += len(holders)
        for block in blocks:
            shelf.add(block.place, block.slots)
    shelf.dropped["authors, dates and revision ids"] = None
    write = partial(_write, package, shelf)
    lists = (tuple(sorted(found)) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("docx", tuple(shelf.passages), write, *lists)


def _place(part: str) -> str:
    stem = posixpath.basename(part).lower()
    for start, place in _PLACES:
        if stem.startswith(start) or (start == "glossary" and "/glossary/" in part):
            return place
    return f"part {posixpath.basename(part)}"


def _owner(rels: str) -> str:
    folder, base = posixpath.split(rels)
    return posixpath.join(posixpath.dirname(folder), base.removesuffix(".rels"))


def _read_picture(member: Member, package: _Package, shelf: Shelf, options: Options) -> None:
    if options.pictures == "refuse":
        raise FormatError(f"{package.name!r} holds a picture, {member.name!r}; options keep or blank it (pictures=)")
    clean = without_metadata(member.data) if options.pictures == "keep" else None
    if clean is not None:
        package.members[member.name] = clean
        shelf.unread["pictures"] = None
    else:
        package.members[member.name] = BLANK_PNG
        package.renamed[member.name] = f"{posixpath.splitext(member.name)[0]}_blank.png"
        shelf.dropped["pictures"] = None


def _read_inside(member: Member, package: _Package, shelf: Shelf, context: Context) -> None:
    try:
        content = context.nested(member.data, posixpath.basename(member.name))
    except LimitError:
        raise
    except FormatError:
        package.out.add(member.name)
        shelf.dropped[f"embedded file {posixpath.basename(member.name)}"] = None
        return
    package.files[member.name] = shelf.adopt(content, f"embedded file {posixpath.basename(member.name)}")


def _target(rels: str, target: str) -> str:
    """The part that a relationship points to."""
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(_owner(rels)), target))


def _prepared(package: _Package, part: str) -> etree._Element:
    """A part parsed anew, without what is dropped whatever the plan."""
    root = parse(package.members[part], f"{package.name}/{part}")
    if part == "[Content_Types].xml":
        _prepare_types(root, package)
        return root
    if part.endswith(".rels"):
        for relation in list(root.iter(_REL)):
            if relation.get("TargetMode") == "External":
                if re.match(r"(?i)file:|[a-z]:\\|\\\\|/", relation.get("Target", "")):
                    relation.set("Target", "about:blank")
            elif _target(part, relation.get("Target", "")) in package.out or "/attachedTemplate" in relation.get(
                "Type", ""
            ):
                remove(relation)
        return root
    gone = _gone_relations(package, part)
    for element in list(root.iter(etree.Element)):
        if local(element) in _PRUNED or any(
            value in gone and _OFFICE_REL.match(str(attribute)) for attribute, value in element.attrib.items()
        ):
            remove(element)
            continue
        for attribute in list(element.attrib):
            name = str(attribute).rpartition("}")[2]
            if name.startswith("rsid") or name in ("paraId", "textId", "initials", "dateUtc", "storeItemID"):
                del element.attrib[attribute]
            elif name == "author":
                element.set(attribute, "Author")
            elif name == "date" and "}" in str(attribute):
                del element.attrib[attribute]
    return root


def _gone_relations(package: _Package, part: str) -> set[str]:
    folder, base = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{base}.rels")
    if rels not in package.members:
        return set()
    root = parse(package.members[rels], f"{package.name}/{rels}")
    return {
        relation.get("Id", "")
        for relation in root.iter(_REL)
        if relation.get("TargetMode") != "External" and _target(rels, relation.get("Target", "")) in package.out
    }


def _prepare_types(root: etree._Element, package: _Package) -> None:
    has_png = False
    for element in list(root):
        if element.get("PartName", "").lstrip("/") in package.out:
            remove(element)
        kind = element.get("ContentType", "")
        if "macroEnabled" in kind:
            element.set(
                "ContentType", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
            )
        has_png = has_png or element.get("Extension", "").lower() == "png"
    if not has_png and any(new.endswith(".png") for new in package.renamed.values()):
        namespace = "{http://schemas.openxmlformats.org/package/2006/content-types}"
        root.insert(0, etree.Element(f"{namespace}Default", {"Extension": "png", "ContentType": "image/png"}))


def _write(package: _Package, shelf: Shelf, rewrite: Rewrite) -> bytes:
    filled = shelf.filled(rewrite)
    sweeper = rewrite.sweeper
    renamed = dict(package.renamed)
    for number, name in enumerate(package.members):
        if name not in package.out and sweeper.hits(renamed.get(name, name)):
            folder, base = posixpath.split(renamed.get(name, name))
            renamed[name] = posixpath.join(folder, f"part{number}{posixpath.splitext(base)[1]}")
    cleaned: dict[str, str] = {}
    made: dict[str, bytes] = {}
    for part in package.xml:
        root = _prepared(package, part)
        if part.endswith(".rels"):
            _point_anew(root, part, renamed, sweeper)
        elif part == "[Content_Types].xml":
            for element in root:
                name = element.get("PartName", "").lstrip("/")
                if name in renamed:
                    element.set("PartName", "/" + renamed[name])
        else:
            _, holders = collect(root, "", _RULES, package.first[part])
            for number, holder in enumerate(holders, package.first[part]):
                if number in filled:
                    put(holder, filled[number])
            _sweep_changes(root, sweeper)
            sweep(root, sweeper, cleaned, _SKIPPED, holders)
        made[part] = serialize(root)
    members = []
    for name, data in package.members.items():
        if name in package.out or (_is_xml(name) and name not in made):
            continue
        inside = package.files.get(name)
        members.append(Member(renamed.get(name, name), inside.write(rewrite) if inside else made.get(name, data)))
    return pack(members)


def _point_anew(root: etree._Element, part: str, renamed: dict[str, str], sweeper: Sweeper) -> None:
    for relation in root.iter(etree.Element):  # of whatever name: in a damaged part it may be no relation's
        target = relation.get("Target", "")
        if relation.get("TargetMode") == "External":
            relation.set("Target", xml_text(sweeper.clean(target, mark="redacted")))
        else:
            new = renamed.get(_target(part, target))
            if new:
                relation.set("Target", "/" + new)
            elif sweeper.hits(target):  # of a part that is not there, or a part would have another name now
                relation.set("Target", xml_text(sweeper.clean(target, mark="redacted")))


def _sweep_changes(root: etree._Element, sweeper: Sweeper) -> None:
    for paragraph in strings(root, frozenset(("p",))):
        codes = [e for e in paragraph.iter(etree.Element) if local(e) in ("instrText", "delInstrText")]
        _sweep_joined(codes, sweeper)
        changed = [e for e in paragraph.iter(etree.Element) if local(e) == "delText"]
        if changed:
            _sweep_rejected(paragraph, changed, sweeper)


def _sweep_joined(elements: list[etree._Element], sweeper: Sweeper) -> None:
    """Field codes, which may be cut into several runs."""
    if elements and sweeper.hits("".join(e.text or "" for e in elements)):
        new = xml_text(sweeper.clean("".join(e.text or "" for e in elements)))
        for element in elements:
            element.text, new = new, ""


def _sweep_rejected(paragraph: etree._Element, deleted: list[etree._Element], sweeper: Sweeper) -> None:
    """What a reader sees who rejects the changes, or sees all of them, may join a name that neither text has."""
    everything, before = [], []
    for element in paragraph.iter(etree.Element):
        if local(element) in ("t", "delText"):
            everything.append(element.text or "")
            if not any(local(above) in ("ins", "moveTo") for above in element.iterancestors()):
                before.append(element.text or "")
    if sweeper.hits("".join(everything)) or sweeper.hits("".join(before)):
        for element in deleted:
            element.text = ""
