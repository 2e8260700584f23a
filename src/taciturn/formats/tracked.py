"""Tracked changes: what a reader sees who rejects them, accepts them, or sees all of them at once.

A deletion is read as a text of its own, so its parts may join with the text around it to a name that no passage has:
"H", deleted "I", "V". Nobody planned for such a text. Where it holds what was removed or is protected, the deleted
letters go, or the change of a paragraph's end goes, and nothing can be joined any more.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from taciturn.formats.office import local, remove, strings, xml_text
from taciturn.formats.sweep import Sweeper

__all__ = ["sweep_docx_changes", "sweep_odt_changes"]

_INSERTED = frozenset(("ins", "moveTo"))
_DELETED = frozenset(("del", "moveFrom"))


def sweep_docx_changes(root: etree._Element, sweeper: Sweeper) -> None:
    """Clean the changes and the field codes of a part of a DOCX, which may be cut into several runs."""
    for paragraph in strings(root, frozenset(("p",))):
        codes = [e for e in paragraph.iter(etree.Element) if local(e) in ("instrText", "delInstrText")]
        if codes and sweeper.hits("".join(e.text or "" for e in codes)):
            new = xml_text(sweeper.clean("".join(e.text or "" for e in codes)))
            for element in codes:
                element.text, new = new, ""
        _clear_deleted(paragraph, sweeper)
    for group in _joined(root):
        if any(sweeper.hits("".join(view)) for view in zip(*map(_views, group), strict=True)):
            for paragraph in group:
                for mark in _marks(paragraph):
                    remove(mark)


def _clear_deleted(paragraph: etree._Element, sweeper: Sweeper) -> None:
    deleted = [e for e in paragraph.iter(etree.Element) if local(e) == "delText" and e.text]
    if deleted and any(sweeper.hits(view) for view in _views(paragraph)[:2]):
        for element in deleted:
            element.text = ""


def _views(paragraph: etree._Element) -> tuple[str, str, str]:
    """A paragraph with all changes shown, with all rejected, and with all accepted."""
    everything, before, after = [], [], []
    for element in paragraph.iter(etree.Element):
        name = local(element)
        if name in ("t", "delText") and element.text:
            everything.append(element.text)
            if not any(local(above) in _INSERTED for above in element.iterancestors()):
                before.append(element.text)
            if name == "t":
                after.append(element.text)
    return "".join(everything), "".join(before), "".join(after)


def _marks(paragraph: etree._Element) -> list[etree._Element]:
    """The changes of a paragraph's end: accepted or rejected, it joins the next paragraph."""
    properties = (e for e in paragraph if local(e) == "pPr")
    runs = (e for p in properties for e in p if local(e) == "rPr")
    return [e for r in runs for e in r if local(e) in _INSERTED | _DELETED]


def _joined(root: etree._Element) -> Iterator[list[etree._Element]]:
    """Paragraphs in a row whose ends are changed, with the one after them."""
    group: list[etree._Element] = []
    for paragraph in strings(root, frozenset(("p",))):
        if group and group[-1].getnext() is not paragraph:
            group = []
        if _marks(paragraph):
            group.append(paragraph)
        elif group:
            yield [*group, paragraph]
            group = []


def sweep_odt_changes(root: etree._Element, sweeper: Sweeper) -> None:
    """Clear the deletions of an ODT that join with the text around them to what was removed or is protected."""
    deletions: dict[str, etree._Element] = {}
    for region in strings(root, frozenset(("changed-region",))):
        identity = next((str(v) for k, v in region.attrib.items() if str(k).endswith("}id")), "")
        deleted = next((e for e in region if local(e) == "deletion"), None)
        if deleted is not None:
            deletions[identity] = deleted
    if not deletions:
        return
    for paragraph in strings(root, frozenset(("p", "h"))):
        found = [d for e in paragraph.iter(etree.Element) if (d := _deletion(e, deletions)) is not None]
        if found and sweeper.hits("".join(_restored(paragraph, deletions))):
            for deleted in found:
                for element in deleted.iter(etree.Element):
                    element.text = element.tail = None


def _deletion(element: etree._Element, deletions: dict[str, etree._Element]) -> etree._Element | None:
    if local(element) != "change":
        return None
    identity = next((str(v) for k, v in element.attrib.items() if str(k).endswith("}change-id")), "")
    return deletions.get(identity)


def _restored(paragraph: etree._Element, deletions: dict[str, etree._Element]) -> Iterator[str]:
    """The text of a paragraph with what was deleted in its place."""
    for event, element in etree.iterwalk(paragraph, events=("start", "end")):
        if event == "start":
            deleted = _deletion(element, deletions)
            if deleted is not None:
                yield "\n".join("".join(map(str, p.itertext())) for p in strings(deleted, frozenset(("p", "h"))))
            yield element.text or ""
        elif element is not paragraph:
            yield element.tail or ""
