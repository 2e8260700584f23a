"""HTML: parsed as a browser does, written anew with its structure, without what no reader sees.

Passages are the texts of blocks and the attributes that people read (alt, title, placeholder ...). Scripts, comments,
templates, embedded objects, event handlers, data attributes and metadata are dropped; addresses, classes and style
sheets are kept and swept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from taciturn.formats.base import (
    Content,
    Context,
    FormatError,
    LimitError,
    Options,
    Passage,
    Rewrite,
    Slot,
    fill,
    passage,
)
from taciturn.formats.css import clean_css, is_sheet
from taciturn.formats.pictures import BLANK_GIF, is_data_picture, without_metadata_uri
from taciturn.formats.sweep import Sweeper
from taciturn.formats.template import visible
from taciturn.formats.text import decode
from taciturn.formats.vocabulary import HTML_ELEMENTS, is_html_attribute, is_html_value

__all__ = ["read"]

_BLOCKS = frozenset(
    "address annotation article aside blockquote body button caption center col colgroup dd desc details dialog "
    "dir div dl dt fieldset figcaption figure footer foreignobject form frameset h1 h2 h3 h4 h5 h6 head header "
    "hgroup hr html legend li link listing main map math menu meta metadata mtext nav noscript ol optgroup option "
    "p pre search section select style summary svg table tbody td text textarea tfoot th thead title tr track ul "
    "video audio canvas xmp".split()
)
"""What a browser sets apart. All else is in line, elements that nobody knows included: "H<x-a>IV</x-a>" is a word."""
_DROPPED = frozenset(
    "script template object embed applet param iframe frame noembed noframes plaintext base-uri bgsound portal".split()
)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr keygen frame".split())
_READ = frozenset(
    "alt title placeholder label summary abbr aria-label aria-description aria-roledescription aria-valuetext "
    "aria-placeholder standby prompt caption".split()
)
_DROPPED_ATTRIBUTES = re.compile(r"on.*|data-.*|srcdoc|ping|nonce|integrity|itemid|autofocus|formaction|background")
_PICTURES = frozenset(("src", "srcset", "href", "xlink:href", "poster"))
_META_KEPT = frozenset(("viewport", "color-scheme", "robots"))
_DOCTYPE = re.compile(r"\s*(?:<!--.*?-->\s*)*(<!doctype[^>]{0,300}>)", re.I | re.S)
# Elements that stay open until they are closed; <p>, <li>, <td> and the like close each other.
_NESTS = re.compile(
    r"<(/?)(?!(?:p|li|td|tr|th|option|d[dt]|tbody|thead|tfoot|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)"
    r"[a-z]",
    re.I,
)

Node = Any
"""A node of selectolax, which has no types of its own."""


@dataclass(slots=True)
class _Reading:
    """The passages found so far. Holders number texts and read attributes in the order of the walk."""

    passages: list[Passage] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    dropped: dict[str, None] = field(default_factory=dict)
    holders: int = 0
    place: str = "text"

    def flush(self) -> None:
        made = passage(self.place, self.slots)
        if made:
            self.passages.append(made)
        self.slots = []
        self.place = "text"


def source_of(data: bytes, name: str) -> str:
    """The text of an HTML file in the encoding that it declares, UTF-8 if it declares none."""
    declared = re.search(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_:-]+)", data[:4096], re.I)
    if declared and not data.startswith(b"\xef\xbb\xbf"):
        encoding = declared.group(1).decode("ascii").lower()
        if encoding not in ("utf-8", "utf8", "utf-16", "utf-16le", "utf-16be"):
            # As browsers have it, latin-1 means windows-1252.
            encoding = "windows-1252" if encoding in ("iso-8859-1", "latin1", "us-ascii", "ascii") else encoding
            try:
                return data.decode(encoding)
            except (LookupError, UnicodeDecodeError):
                raise FormatError(f"{name!r} declares {encoding!r} and cannot be read so; save it as UTF-8") from None
    return decode(data, name)[0]


def read(data: bytes, name: str, context: Context) -> Content:
    """The passages of a page."""
    source = source_of(data, name)
    _check_nesting(source, name)
    tree = LexborHTMLParser(source)
    if tree.root is None:
        raise FormatError(f"{name!r} has no HTML in it; there is nothing to release")
    reading = _Reading()
    for kind, node, holder in _walk(tree.root, name, context.options.limits.nesting, reading.dropped):
        if kind == "text":
            _read_text(node, holder, reading)
        elif kind == "attribute":
            node, attribute = node
            reading.passages.append(Passage(f"attribute {attribute}", (Slot(node.attributes[attribute], holder),)))
        elif node.tag == "br":
            reading.slots.append(Slot("\n"))
        elif node.tag in _BLOCKS:
            reading.flush()
            reading.place = _place(node.tag)
    reading.flush()
    if _blanks(context.options, tree.root):
        reading.dropped["pictures"] = None
    doctype = _DOCTYPE.match(source)
    passages = tuple(reading.passages)
    write = partial(_write, tree, doctype.group(1) if doctype else "", passages, context.options)
    return Content("html", passages, write, tuple(reading.dropped))


def _check_nesting(source: str, name: str) -> None:
    """Refuse a page with thousands of open elements before it is parsed: a parser's time grows with their square."""
    depth = deepest = 0
    for found in _NESTS.finditer(source):
        depth += -1 if found[1] else 1
        depth = max(depth, 0)
        deepest = max(deepest, depth)
    if deepest > 5000:
        raise LimitError(f"{name!r} has elements nested more than 5,000 deep; mend it first")


def _place(tag: str) -> str:
    if re.fullmatch("h[1-6]", tag):
        return "heading"
    return {"title": "page title", "li": "list item", "td": "table", "th": "table", "figcaption": "caption"}.get(
        tag, "text"
    )


def _read_text(node: Node, holder: int, reading: _Reading) -> None:
    text = node.text_content
    preformatted = False
    above = node.parent
    while above is not None and above.tag not in _BLOCKS:
        above = above.parent
    if above is not None:
        preformatted = above.tag in ("pre", "textarea", "listing", "xmp")
    before = reading.slots[-1] if reading.slots else None
    after_space = before is None or before.text[-1:].isspace() or (before.text == "" and before.raw is not None)
    reading.slots += visible(text, holder, collapse=not preformatted, after_space=after_space and not preformatted)


def _blanks(options: Options, root: Node) -> bool:
    return options.pictures in ("blank", "read") and any(
        is_data_picture(node.attributes.get(name) or "")
        for node in root.css("img,source,image,video,input,link")
        for name in _PICTURES
    )


def _walk(root: Node, name: str, nesting: int, dropped: dict[str, None]) -> Iterator[tuple[str, Node, int]]:
    """Everything that is kept, in document order: ("open", element), ("close", element), ("text", node, holder),
    ("attribute", (element, name), holder). Reading and writing walk alike, so holders agree."""
    stack: list[tuple[Node, int]] = [(root, 1)]
    holder = 0
    while stack:
        node, depth = stack.pop()
        if depth < 0:
            yield "close", node, -1
            continue
        if depth > nesting:
            raise LimitError(
                f"{name!r} has elements nested more than {nesting} deep; raise Limits.nesting if you trust it"
            )
        if node.is_text_node:
            yield "text", node, holder
            holder += 1
            continue
        tag = node.tag
        if node.is_comment_node or not node.is_element_node:
            dropped["comments"] = None
            continue
        if tag in _DROPPED or (tag == "meta" and _is_dropped_meta(node)) or tag == "base":
            dropped[{"meta": "metadata", "script": "scripts"}.get(tag, f"{tag} elements")] = None
            continue
        if tag == "style" and not is_sheet(_inner(node)):
            dropped["style sheets that hold other things"] = None
            continue
        yield "open", node, -1
        for attribute, value in node.attributes.items():
            if value and value.strip() and _is_read(node, attribute):
                yield "attribute", (node, attribute), holder
                holder += 1
        stack.append((node, -depth))
        if tag in ("style", "br") or tag in _VOID:
            continue
        children = []
        child = node.first_child
        while child is not None:
            children.append((child, depth + 1))
            child = child.next
        stack.extend(reversed(children))


def _is_dropped_meta(node: Node) -> bool:
    attributes = node.attributes
    return "charset" in attributes or (attributes.get("name") or "").lower() not in _META_KEPT


def _is_read(node: Node, attribute: str) -> bool:
    if attribute == "value":
        kind = (node.attributes.get("type") or "text").lower()
        return node.tag in ("input", "button", "option", "data") and kind not in (
            "hidden",
            "password",
            "checkbox",
            "radio",
        )
    return attribute in _READ


def _write(tree: Any, doctype: str, passages: tuple[Passage, ...], options: Options, rewrite: Rewrite) -> bytes:
    filled = fill(passages, rewrite.changes)
    sweeper = rewrite.sweeper
    pieces = ["<!DOCTYPE html>" if not doctype or sweeper.hits(doctype, structure=True) else doctype] if doctype else []
    attributes: dict[str, str | None] = {}
    opened: Node = None

    def finish() -> None:
        nonlocal opened
        if opened is not None:
            shown = "".join(f" {k}" if v is None else f' {k}="{_quoted(v)}"' for k, v in attributes.items())
            pieces.append(f"<{_tag(opened, sweeper)}{shown}>")
            if opened.tag == "head":
                pieces.append('<meta charset="utf-8">')
            opened = None

    for kind, node, holder in _walk(tree.root, "", 10**9, {}):
        if kind == "attribute":
            node, name = node
            attributes[name] = filled.get(holder, attributes[name])
            continue
        finish()
        if kind == "open":
            opened = node
            attributes = dict(_kept(node, sweeper, options))
            if node.tag == "style":
                finish()
                pieces.append(clean_css(_inner(node), sweeper))
        elif kind == "close":
            if node.tag not in _VOID:
                pieces.append(f"</{_tag(node, sweeper)}>")
        else:
            text = filled.get(holder, node.text_content)
            if (
                text.startswith("\n")
                and pieces
                and re.fullmatch(r"<(?:pre|textarea|listing)(?: .*)?>", pieces[-1], re.S)
            ):
                pieces.append("\n")  # a parser drops the first line end of these
            pieces.append(
                text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\xa0", "&nbsp;")
            )
    finish()
    return "".join(pieces).encode("utf-8", errors="replace")


def _tag(node: Node, sweeper: Sweeper) -> str:
    """The name of an element; one that its author made up is swept."""
    tag = str(node.tag)
    return "span" if tag not in HTML_ELEMENTS and sweeper.hits(tag) else tag


def _inner(node: Node) -> str:
    child = node.first_child
    return str(child.text_content) if child is not None and child.is_text_node else ""


def _quoted(text: str) -> str:
    return (
        text.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\xa0", "&nbsp;")
    )


def _kept(node: Node, sweeper: Sweeper, options: Options) -> Iterator[tuple[str, str | None]]:
    for name, value in node.attributes.items():
        if _DROPPED_ATTRIBUTES.fullmatch(name) or not re.fullmatch(r"[A-Za-z_:][\w:.-]*", name):
            continue
        if not is_html_attribute(name) and sweeper.hits(name):
            continue  # an author's own, or words after a lost quote
        if name == "value" and not _is_read(node, "value"):
            if (node.attributes.get("type") or "").lower() in ("hidden", "password"):
                continue
            yield name, None if value is None else sweeper.clean(value)
        elif value is None or _is_read(node, name):
            yield name, value
        elif name == "style":
            yield name, clean_css(value, sweeper)
        elif name in _PICTURES or name in ("action", "cite", "longdesc"):
            yield name, _address(value, sweeper, options)
        else:
            yield name, value if is_html_value(name, value) else sweeper.clean(value)


def _address(value: str, sweeper: Sweeper, options: Options) -> str:
    start = re.sub(r"[\s\0]", "", value[:40]).lower()
    if is_data_picture(value):
        return without_metadata_uri(value) if options.pictures == "keep" else BLANK_GIF
    if start.startswith(("data:", "javascript:", "vbscript:", "file:")) or "data:" in value:
        return "#"
    return sweeper.clean(value)
