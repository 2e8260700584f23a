"""ODT: every part of the package is read or dropped, tracked deletions, notes and annotations included.

Dropped: meta data, settings that do not lay pages out (printer names, paths), thumbnails, scripts, signatures, authors
and dates of changes and annotations, previews of objects.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from functools import partial
from xml.sax.saxutils import quoteattr

from lxml import etree

from taciturn.formats.base import Content, Context, FormatError, Rewrite
from taciturn.formats.embedded import Shelf
from taciturn.formats.office import Rules, collect, local, parse, put, remove, serialize, sweep
from taciturn.formats.package import Member, pack, unpack
from taciturn.formats.pictures import BLANK_PNG, without_metadata
from taciturn.formats.sweep import Sweeper
from taciturn.formats.tracked import sweep_odt_changes

__all__ = ["ERRORS", "read"]

ERRORS: tuple[type[Exception], ...] = (etree.LxmlError, ValueError, KeyError)
"""What the libraries below raise on damaged files."""


def _glue(element: etree._Element) -> str | None:
    name = local(element)
    if name == "s":
        count = next((v for k, v in element.attrib.items() if str(k).endswith("}c")), "1")
        return " " * min(int(count), 1000) if str(count).isdigit() else " "
    return {"tab": "\t", "line-break": "\n"}.get(name)


_READ = (
    "num-prefix num-suffix label current-value string-value help-message title prompt description placeholder caption"
).split()
"""Attributes that people read, of whatever element."""
_RULES = Rules(
    paragraphs=frozenset(("p", "h")),
    apart={
        "annotation": "comment",
        "note-body": "note",
        "note-citation": "note mark",
        "tracked-changes": "tracked deletion",
        "text-box": "text box",
        "frame": "",
        "header": "header",
        "footer": "footer",
        "title": "picture text",
        "desc": "picture text",
    },
    stores=None,
    glue=_glue,
    unread=frozenset(("binary-data",)),
    attributes=frozenset(
        (
            ("list-level-style-bullet", "bullet-char"),
            ("label", "value"),
            ("option", "value"),
            *(("*", name) for name in _READ),
        )
    ),
)
_KEPT = re.compile(r"(?:.*/)?(?:content|styles)\.xml")
_PICTURE = re.compile(r"(?:.*/)?(?:Pictures|media)/[^/]+")
_PRUNED = frozenset(
    "creator date creator-initials date-string binary-data script scripts event-listeners dde-source "
    "database-row-select meta change-info initial-creator".split()
)
_MIME = "application/vnd.oasis.opendocument.text"
_SWITCH = re.compile(r"(?!Print|Save|Embed|Update|Load)[A-Z][A-Za-z]{3,60}")
_CONFIG = "urn:oasis:names:tc:opendocument:xmlns:config:1.0"


@dataclass(slots=True)
class _Package:
    name: str
    mime: str = _MIME
    members: dict[str, bytes] = field(default_factory=dict)
    xml: list[str] = field(default_factory=list)
    pictures: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)
    switches: dict[str, str] = field(default_factory=dict)
    """The settings that lay pages out, by name: "true" or "false"."""


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of every part."""
    package, shelf = _Package(name), Shelf()
    for member in unpack(data, name, context):
        if member.name == "META-INF/manifest.xml":
            if b"encryption-data" in member.data:
                raise FormatError(f"{name!r} is encrypted; save it without a password first")
        elif member.name == "mimetype":
            package.mime = _MIME + "-template" if b"-template" in member.data else _MIME
        elif _KEPT.fullmatch(member.name):
            package.members[member.name] = member.data
            package.xml.append(member.name)
        elif _PICTURE.fullmatch(member.name):
            _read_picture(member, package, shelf, context)
        else:
            if member.name == "settings.xml":
                package.switches = _switches(parse(member.data, f"{name}/settings.xml"))
            shelf.dropped[_what(member.name)] = None
    if "content.xml" not in package.members:
        raise FormatError(f"{name!r} has no content.xml; save it again in its program")
    package.xml.sort(key=lambda x: (x != "content.xml", x != "styles.xml", x))
    number = 0
    for part in package.xml:
        root = _prepared(package, part)
        package.first[part] = number
        blocks, holders = collect(root, "body" if part == "content.xml" else _place(part), _RULES, number)
        number += len(holders)
        for block in blocks:
            shelf.add(block.place, block.slots)
    shelf.dropped["authors and dates"] = None
    write = partial(_write, package, shelf)
    lists = (tuple(sorted(found)) for found in (shelf.dropped, shelf.unread, shelf.noticed))
    return Content("odt", tuple(shelf.passages), write, *lists)


def _switches(root: etree._Element) -> dict[str, str]:
    """How pages are laid out, for compatibility with this program or that; without it lines would break elsewhere."""
    found: dict[str, str] = {}
    for group in root.iter(f"{{{_CONFIG}}}config-item-set"):
        if not str(group.get(f"{{{_CONFIG}}}name", "")).endswith("configuration-settings"):
            continue
        for item in group.iter(f"{{{_CONFIG}}}config-item"):
            name, value = str(item.get(f"{{{_CONFIG}}}name", "")), (item.text or "").strip()
            if _SWITCH.fullmatch(name) and value in ("true", "false"):
                found[name] = value
    return found


def _settings(switches: dict[str, str], sweeper: Sweeper) -> bytes:
    items = "".join(
        f'<c:config-item c:name="{name}" c:type="boolean">{value}</c:config-item>'
        for name, value in sorted(switches.items())
        if not sweeper.hits(name)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<o:document-settings o:version="1.2" '
        f'xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:c="{_CONFIG}" '
        'xmlns:ooo="http://openoffice.org/2004/office"><o:settings><c:config-item-set '
        f'c:name="ooo:configuration-settings">{items}</c:config-item-set></o:settings></o:document-settings>'
    ).encode()


def _what(name: str) -> str:
    if name == "meta.xml":
        return "meta data"
    return "settings (but those of layout)" if name == "settings.xml" else f"part {posixpath.basename(name) or name}"


def _place(part: str) -> str:
    return "styles" if part == "styles.xml" else f"object {posixpath.dirname(part)}"


def _read_picture(member: Member, package: _Package, shelf: Shelf, context: Context) -> None:
    if context.options.pictures == "refuse":
        raise FormatError(f"{package.name!r} holds a picture, {member.name!r}; options keep or blank it (pictures=)")
    clean = without_metadata(member.data) if context.options.pictures == "keep" else None
    number = len(package.pictures) + 1
    folder = posixpath.dirname(member.name)
    if clean is None:
        package.pictures[member.name] = (f"{folder}/{number}.png", BLANK_PNG)
        shelf.dropped["pictures"] = None
    else:
        package.pictures[member.name] = (f"{folder}/{number}{posixpath.splitext(member.name)[1].lower()}", clean)
        shelf.unread["pictures"] = None


def _prepared(package: _Package, part: str) -> etree._Element:
    """A part parsed anew, without what is dropped; references to pictures point to their new names."""
    root = parse(package.members[part], f"{package.name}/{part}")
    folder = posixpath.dirname(part)
    for element in list(root.iter(etree.Element)):
        if local(element) in _PRUNED:
            remove(element)
            continue
        for attribute, value in element.attrib.items():
            name = str(attribute).rpartition("}")[2]
            if name == "href":
                target = posixpath.normpath(posixpath.join(folder, str(value)))
                if target in package.pictures:
                    new = package.pictures[target][0]
                    element.set(attribute, posixpath.relpath(new, folder) if folder else new)
                elif re.match(r"(?i)file:|[a-z]:\\|\\\\", str(value)):
                    element.set(attribute, "about:blank")
                elif "ObjectReplacements/" in str(value):
                    remove(element)
                    break
            elif name in (
                "print-date",
                "creation-date",
                "print-time",
                "author",
                "initial-creator",
                "rsid",
                "paragraph-rsid",
            ):
                del element.attrib[attribute]
    return root


def _write(package: _Package, shelf: Shelf, rewrite: Rewrite) -> bytes:
    filled = shelf.filled(rewrite)
    cleaned: dict[str, str] = {}
    made = [Member("mimetype", package.mime.encode("ascii"))]
    for part in package.xml:
        root = _prepared(package, part)
        _, holders = collect(root, "", _RULES, package.first[part])
        for number, holder in enumerate(holders, package.first[part]):
            if number in filled:
                put(holder, filled[number])
        sweep_odt_changes(root, rewrite.sweeper)
        sweep(root, rewrite.sweeper, cleaned, frozenset(), holders)
        made.append(Member(part, serialize(root)))
    if package.switches:
        made.append(Member("settings.xml", _settings(package.switches, rewrite.sweeper)))
    made += [Member(*picture) for picture in package.pictures.values()]
    made.append(Member("META-INF/manifest.xml", _manifest(package, [m.name for m in made[1:]])))
    return pack(made, stored=frozenset(("mimetype",)))


def _manifest(package: _Package, names: list[str]) -> bytes:
    entries = [("/", package.mime)]
    for name in names:
        suffix = posixpath.splitext(name)[1]
        entries.append((name, "text/xml" if suffix == ".xml" else f"image/{suffix[1:].replace('jpg', 'jpeg')}"))
    # An embedded object is told apart from a folder by the type of the folder itself.
    for name in names:
        folder = posixpath.dirname(name)
        if folder and name.endswith("content.xml"):
            entries.append((f"{folder}/", "application/vnd.oasis.opendocument." + _object_kind(package.members[name])))
    lines = (f"<m:file-entry m:full-path={quoteattr(name)} m:media-type={quoteattr(kind)}/>" for name, kind in entries)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<m:manifest '
        'xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" m:version="1.2">'
        + "".join(lines)
        + "</m:manifest>"
    ).encode("utf-8")


def _object_kind(content: bytes) -> str:
    for mark, kind in ((b"<office:chart", "chart"), (b"<office:spreadsheet", "spreadsheet"), (b"<math", "formula")):
        if mark in content:
            return kind
    return "graphics" if b"<office:drawing" in content else "text"
