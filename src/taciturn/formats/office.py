"""What DOCX and ODT share: packages of XML in which text hides in many places.

Every XML part is walked by one rule (:func:`collect`): paragraphs become passages, text outside paragraphs becomes a
passage of its own, and every attribute is swept. So a part that nobody thought of is still read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from taciturn.formats.base import GLUE, FormatError, LimitError, Slot
from taciturn.formats.sweep import Sweeper
from taciturn.formats.template import visible
from taciturn.formats.vocabulary import is_office_value, is_shape_name

__all__ = [
    "SHOWN",
    "Block",
    "Rules",
    "collect",
    "local",
    "parse",
    "put",
    "remove",
    "serialize",
    "strings",
    "sweep",
    "xml_text",
]

_NUMBER = re.compile("%[0-9]")
_LABELS = frozenset(("val", "num-prefix", "num-suffix"))
_SIGNS = "".join(map(chr, range(33, 48))) + ":;<=>?@[]{}|~ \u00a0\u2022\u25aa\u25cf\u2013\uf0b7\uf0a7"
"""What a label of a list may be made of without saying anything: "%1." and "(%2)" are no text."""
SHOWN = "{urn:taciturn}shown"
"""An attribute that holds what an element shows, while a part is worked on."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def parse(data: bytes, name: str) -> etree._Element:
    """The root of an XML part, without comments and processing instructions. Entities are never resolved."""
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error) or "Excessive" in str(error) or "huge" in str(error).lower():
            raise LimitError(f"{name!r} is XML nested too deep or too large; save it again in its program") from None
        # Where, and not what: the message of the parser may quote the text.
        raise FormatError(f"{name!r} is damaged XML at line {error.lineno}; save it again in its program") from None
    if root is None:
        raise FormatError(f"{name!r} holds no XML; save it again in its program")
    if root.getroottree().docinfo.internalDTD is not None:
        raise FormatError(f"{name!r} declares XML entities, as no word processor does; save it again in its program")
    return root


def serialize(root: etree._Element) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def xml_text(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _CONTROL.sub("\ufffd", text)


def local(element: etree._Element) -> str:
    """The name of an element without its namespace.

    >>> local(etree.Element("{urn:x}p"))
    'p'
    """
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


@dataclass(frozen=True, slots=True)
class Rules:
    """How a format writes text as XML, by local names.

    ``paragraphs`` open a passage; ``apart`` opens one of its own inside a paragraph, with the place it is called;
    ``stores`` are the elements whose content is text (None: all, with what follows their children); ``glue`` shows as
    text; ``unread`` is swept and not read; ``attributes`` are (element, attribute) pairs that people read, "*" for any
    element; ``symbol`` is what an element shows that does not store it as text: a letter by its number in a font, the
    value of a cell; ``split`` cuts a text with codes in it into slots.
    """

    paragraphs: frozenset[str]
    apart: Mapping[str, str]
    stores: frozenset[str] | None
    glue: Callable[[etree._Element], str | None]
    unread: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    symbol: Callable[[etree._Element], str | None] = lambda element: None
    split: Callable[[etree._Element, str, int], list[Slot] | None] = lambda element, text, holder: None


class Holder(NamedTuple):
    """Where a text is stored: an element's text, its tail, one of its attributes, or a symbol's number."""

    element: etree._Element
    where: str


@dataclass(slots=True)
class Block:
    """A passage in the making: its place, its slots."""

    place: str
    slots: list[Slot]


def collect(root: etree._Element, place: str, rules: Rules, first: int) -> tuple[list[Block], list[Holder]]:
    """The passages of a part, in the order in which they start, and their holders, numbered from ``first``.

    Reading and writing collect alike from the same bytes, so the numbers agree.
    """
    blocks: list[Block] = []
    holders: list[Holder] = []
    stack: list[Block | None] = []
    inside: list[str] = []  # what the open passages are apart as

    def store(element: etree._Element, where: str, text: str, block: Block) -> None:
        split = rules.split(element, text, first + len(holders))
        block.slots += visible(text, first + len(holders), collapse=False) if split is None else split
        holders.append(Holder(element, where))

    def put_text(element: etree._Element, where: str, text: str | None) -> None:
        if not text:
            return
        block = stack[-1] if stack else None
        if block is None:
            if text.isspace():
                return
            block = Block(inside[-1] if inside else place, [])
            blocks.append(block)
        store(element, where, text, block)

    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local(element)
        if event == "start":
            if name in rules.apart:
                inside.append(rules.apart[name] or place)
                # Inside a paragraph it is a passage at once, elsewhere its paragraphs are.
                opened = Block(inside[-1], []) if stack and stack[-1] is not None else None
                stack.append(opened)
                if opened:
                    blocks.append(opened)
            elif name in rules.paragraphs:
                opened = Block(inside[-1] if inside else place, [])
                stack.append(opened)
                blocks.append(opened)
            shown = rules.glue(element)
            if shown is not None and stack and stack[-1] is not None:
                stack[-1].slots.append(Slot(shown, GLUE))
            for attribute, value in element.attrib.items():
                short = str(attribute).rpartition("}")[2]
                read = (name, short) in rules.attributes or ("*", short) in rules.attributes
                read = read and not (short == "name" and is_shape_name(value))
                if read and value.strip() and (short not in _LABELS or _NUMBER.sub("", value).strip(_SIGNS)):
                    block = Block(f"{place}: {short}", [])
                    blocks.append(block)
                    store(element, str(attribute), value, block)
            symbol = rules.symbol(element)
            if symbol is not None:
                put_text(element, "symbol", symbol)
            if name not in rules.unread and (rules.stores is None or name in rules.stores or not _inside(stack)):
                put_text(element, "text", element.text)
        else:
            if name in rules.apart:
                stack.pop()
                inside.pop()
            elif name in rules.paragraphs:
                stack.pop()
            if rules.stores is None and element is not root:
                put_text(element, "tail", element.tail)
    return blocks, holders


def _inside(stack: list[Block | None]) -> bool:
    return bool(stack) and stack[-1] is not None


def put(holder: Holder, text: str) -> None:
    """Write new text to where a holder says."""
    text = xml_text(text)
    element, where = holder
    if where == "text":
        element.text = text
        if text != text.strip() and local(element) in ("t", "delText", "instrText"):
            element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    elif where == "tail":
        element.tail = text
    elif where == "symbol":
        _put_shown(element, text)
    else:
        element.set(where, text)


def _put_shown(element: etree._Element, text: str) -> None:
    """Write text where none was stored: a symbol becomes text, a cell becomes one of text."""
    space, _, name = str(element.tag).rpartition("}")
    cell = element.getparent()
    if name == "sym":
        element.attrib.clear()
        element.tag = f"{space}}}t"
        element.text = text
    elif name == "v" and cell is not None and local(cell) == "c":
        for child in list(cell):
            cell.remove(child)
        cell.set("t", "inlineStr")
        inline = etree.SubElement(cell, f"{space}}}is")
        etree.SubElement(inline, f"{space}}}t").text = text
    elif name == "v":
        element.text = text
    else:
        element.text = '"' + text.replace('"', '""') + '"'


def sweep(
    root: etree._Element,
    sweeper: Sweeper,
    cleaned: dict[str, str],
    skip: frozenset[str],
    holders: Sequence[Holder],
) -> None:
    """Clean every attribute that is no word of the format, and every text that no passage holds.

    ``cleaned`` remembers what values became: a document repeats a few of them many thousand times.
    """
    held = {(holder.element, holder.where) for holder in holders}

    def clean(value: str) -> str:
        new = cleaned.get(value)
        if new is None:
            new = cleaned[value] = value if is_office_value(value) else xml_text(sweeper.clean(value))
        return new

    for element in root.iter(etree.Element):
        for attribute, value in element.attrib.items():
            if str(attribute).rpartition("}")[2] not in skip and (element, attribute) not in held:
                new = clean(str(value))
                if new != value:
                    element.set(attribute, new)
        is_held = (element, "text") in held or (element, "symbol") in held
        if element.text and not element.text.isspace() and not is_held:
            element.text = clean(element.text)
        if element.tail and not element.tail.isspace() and (element, "tail") not in held:
            element.tail = clean(element.tail)


def remove(element: etree._Element) -> None:
    """Take an element out and leave the text after it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def strings(root: etree._Element, names: frozenset[str]) -> Iterator[etree._Element]:
    """The elements of the given local names."""
    for element in root.iter(etree.Element):
        if local(element) in names:
            yield element
