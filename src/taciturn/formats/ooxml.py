"""Packages of Office Open XML: what DOCX, PPTX and XLSX have in common.

Every part is read or dropped; relationships and content types follow. A format says by its :class:`Profile` what text
is in its parts, which parts go, and what else is to be done to a part before it is read and after it was written.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lxml import etree

from taciturn.formats.base import Content, Context, FormatError, LimitError, Options, Rewrite
from taciturn.formats.embedded import Adopted, Shelf
from taciturn.formats.office import Rules, collect, local, parse, put, remove, serialize, sweep, xml_text
from taciturn.formats.package import Member, pack, unpack
from taciturn.formats.pictures import BLANK_PNG, without_metadata
from taciturn.formats.sweep import Sweeper

__all__ = ["DROPPED", "ERRORS", "Package", "Part", "Profile", "read_package", "relations"]

ERRORS: tuple[type[Exception], ...] = (etree.LxmlError, ValueError, KeyError)
"""What the libraries below raise on damaged files."""

Part = etree._Element
"""The root of a part."""

DROPPED = (
    (re.compile(r"docProps/|_rels/\.rels\.|package/"), "properties"),
    (re.compile(r"customXml/"), "custom XML"),
    (re.compile(r".*(?:vbaProject|vbaData|attachedToolbars|customizations|activeX|ctrlProps)"), "macros"),
    (re.compile(r".*/fonts/.*"), "embedded fonts"),
    (re.compile(r".*(?:printerSettings|thumbnail)"), "printer settings and thumbnails"),
    (
        re.compile(r"_xmlsignatures/|.*/(?:ink|webextensions|stylesWithEffects|userCustomization)"),
        "signatures and add-ins",
    ),
)
"""Parts that no released package has, whatever its format."""

_SKIPPED = frozenset(("Type", "ContentType", "Extension", "Id", "TargetMode", "Ignorable", "Requires", "uri"))
_REL = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_OFFICE_REL = re.compile(r"\{http://(?:schemas\.openxmlformats\.org|purl\.oclc\.org)/.*[rR]elationships\}")
_PICTURE = re.compile(r"\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|svg|webp|wdp|hdp|ico|pict|pcx|heic|avif)$", re.I)


@dataclass(slots=True)
class Package:
    """The parts to be written: XML to be rewritten, fixed bytes, files inside; and what was renamed or left out."""

    name: str
    members: dict[str, bytes] = field(default_factory=dict)
    xml: list[str] = field(default_factory=list)
    files: dict[str, Adopted] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    """What a format keeps of one part for another."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is special about a format.

    ``place`` names a part for people, ``order`` sorts parts as people read them. ``dropped``: parts that go, and why.
    ``pruned``: elements that go. ``skipped``: attributes that are never swept. ``kind``: the content type of its main
    part. ``prepare`` changes a part before it is read, ``finish`` after it was edited and before it is swept.
    """

    form: str
    rules: Rules
    place: Callable[[Package, str], str]
    order: Callable[[str], int]
    dropped: tuple[tuple[re.Pattern[str], str], ...]
    pruned: frozenset[str]
    kind: str
    skipped: frozenset[str] = frozenset()
    start: Callable[[Package, Shelf, Context], None] = lambda package, shelf, context: None
    prepare: Callable[[Package, str, Part], None] = lambda package, part, root: None
    finish: Callable[[Package, str, Part, Sweeper], None] = lambda package, part, root, sweeper: None


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels", ".vml"))


def read_package(profile: Profile, data: bytes, name: str, context: Context) -> Content:
    """The passages of every part, in the order in which people read them."""
    package, shelf = Package(name), Shelf()
    for member in unpack(data, name, context):
        package.members[member.name] = member.data
        dropped = (*DROPPED, *profile.dropped)
        reason = next((why for pattern, why in dropped if pattern.match(member.name)), None)
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
    package.xml.sort(key=lambda x: (profile.order(x), _natural(x)))
    profile.start(package, shelf, context)
    number = 0
    for part in package.xml:
        root = _prepared(profile, package, part)
        package.first[part] = number
        if part.endswith(".rels") or part == "[Content_Types].xml":
            continue
        blocks, holders = collect(root, profile.place(package, part), profile.rules, number)
        number += len(holders)
        for block in blocks:
            shelf.add(block.place, block.slots)
    shelf.dropped["authors, dates and revision ids"] = None
    write = partial(_write, profile, package, shelf)
    lists = (tuple(sorted(found)) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content(profile.form, tuple(shelf.passages), write, *lists)


def _natural(name: str) -> list[tuple[int, str]]:
    """Names in the order of the numbers in them: slide2 before slide10."""
    return [(int(piece) if piece.isdigit() else -1, piece) for piece in re.split(r"(\d{1,9})", name)]


def _owner(rels: str) -> str:
    folder, base = posixpath.split(rels)
    return posixpath.join(posixpath.dirname(folder), base.removesuffix(".rels"))


def _read_picture(member: Member, package: Package, shelf: Shelf, options: Options) -> None:
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


def _read_inside(member: Member, package: Package, shelf: Shelf, context: Context) -> None:
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


def _prepared(profile: Profile, package: Package, part: str) -> etree._Element:
    """A part parsed anew, without what is dropped whatever the plan."""
    root = parse(package.members[part], f"{package.name}/{part}")
    if part == "[Content_Types].xml":
        _prepare_types(root, profile, package)
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
        if local(element) in profile.pruned or any(
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
    profile.prepare(package, part, root)
    return root


def relations(package: Package, part: str) -> dict[str, str]:
    """The parts that a part refers to, by the identities of its relationships."""
    folder, base = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{base}.rels")
    if rels not in package.members:
        return {}
    root = parse(package.members[rels], f"{package.name}/{rels}")
    return {
        relation.get("Id", ""): _target(rels, relation.get("Target", ""))
        for relation in root.iter(_REL)
        if relation.get("TargetMode") != "External"
    }


def _gone_relations(package: Package, part: str) -> set[str]:
    return {identity for identity, target in relations(package, part).items() if target in package.out}


def _prepare_types(root: etree._Element, profile: Profile, package: Package) -> None:
    has_png = False
    for element in list(root):
        if element.get("PartName", "").lstrip("/") in package.out:
            remove(element)
        kind = element.get("ContentType", "")
        if "macroEnabled" in kind:
            element.set("ContentType", profile.kind)
        has_png = has_png or element.get("Extension", "").lower() == "png"
    if not has_png and any(new.endswith(".png") for new in package.renamed.values()):
        namespace = "{http://schemas.openxmlformats.org/package/2006/content-types}"
        root.insert(0, etree.Element(f"{namespace}Default", {"Extension": "png", "ContentType": "image/png"}))


def _write(profile: Profile, package: Package, shelf: Shelf, rewrite: Rewrite) -> bytes:
    filled = shelf.filled(rewrite)
    sweeper = rewrite.sweeper
    renamed = dict(package.renamed)
    for number, name in enumerate(package.members):
        if name not in package.out and not name.endswith(".rels") and sweeper.hits(renamed.get(name, name)):
            folder, base = posixpath.split(renamed.get(name, name))
            renamed[name] = posixpath.join(folder, f"part{number}{posixpath.splitext(base)[1]}")
    for name in package.members:
        # The relations of a part are found by its name: without them a slide has no layout and shows nothing.
        if name.endswith(".rels") and _owner(name) in renamed:
            folder, base = posixpath.split(renamed[_owner(name)])
            renamed[name] = posixpath.join(folder, "_rels", f"{base}.rels")
    cleaned: dict[str, str] = {}
    made: dict[str, bytes] = {}
    for part in package.xml:
        root = _prepared(profile, package, part)
        if part.endswith(".rels"):
            _point_anew(root, part, renamed, sweeper)
        elif part == "[Content_Types].xml":
            for element in root:
                name = element.get("PartName", "").lstrip("/")
                if name in renamed:
                    element.set("PartName", "/" + renamed[name])
        else:
            _, holders = collect(root, "", profile.rules, package.first[part])
            for number, holder in enumerate(holders, package.first[part]):
                if number in filled:
                    put(holder, filled[number])
            profile.finish(package, part, root, sweeper)
            sweep(root, sweeper, cleaned, _SKIPPED | profile.skipped, holders)
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
