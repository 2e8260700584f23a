"""Links and bookmarks: where a reader can go from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf

__all__ = ["Bookmark", "Link", "bookmarks_of", "links_of"]

Key = tuple[int, int]


@dataclass(slots=True)
class Link:
    """A link of a page: its area, and an address or the number of a page."""

    page: int
    area: list[float]
    address: str = ""
    target: int = -1


@dataclass(slots=True)
class Bookmark:
    """A line of the outline."""

    title: str
    page: int
    level: int
    holder: int = -1


def links_of(page: Object, number: int, pages: Mapping[Key, int], pdf: Pdf) -> tuple[list[Link], bool]:
    """The links of a page, and whether it has annotations of other kinds."""
    found: list[Link] = []
    others = False
    annotations = page.get("/Annots")
    for annotation in annotations if isinstance(annotations, Array) else ():
        if not isinstance(annotation, Dictionary) or str(annotation.get("/Subtype", "")) != "/Link":
            others = True
            continue
        area = annotation.get("/Rect")
        if not isinstance(area, Array) or len(area) != 4:
            continue
        action = annotation.get("/A")
        link = Link(number, [float(v) for v in area])
        if isinstance(action, Dictionary) and str(action.get("/S", "")) == "/URI":
            link.address = str(action.get("/URI", ""))
        else:
            target = action.get("/D") if isinstance(action, Dictionary) else annotation.get("/Dest")
            link.target = _destination(pdf, target, pages)
        if link.address or link.target >= 0:
            found.append(link)
    return found, others


def _destination(pdf: Pdf, target: Any, pages: Mapping[Key, int]) -> int:
    """The number of the page that a destination means; -1 if none is found."""
    for _ in range(3):
        if isinstance(target, Array) and len(target) and isinstance(target[0], Dictionary):
            return pages.get(target[0].objgen, -1)
        if isinstance(target, Dictionary):
            target = target.get("/D")
        elif isinstance(target, Name):
            target = pdf.Root.get("/Dests", Dictionary()).get(str(target))
        elif isinstance(target, pikepdf.String):
            names = pdf.Root.get("/Names", Dictionary()).get("/Dests")
            if names is None:
                return -1
            target = pikepdf.NameTree(names).get(str(target))
        else:
            return -1
    return -1


def bookmarks_of(pdf: Pdf, pages: Mapping[Key, int]) -> list[Bookmark]:
    """The lines of the outline, in its order."""
    found: list[Bookmark] = []
    outlines = pdf.Root.get("/Outlines")
    if not isinstance(outlines, Dictionary):
        return found
    stack: list[tuple[Any, int]] = [(outlines.get("/First"), 0)]
    seen: set[Key] = set()
    while stack:
        item, level = stack.pop()
        if not isinstance(item, Dictionary) or item.objgen in seen or level > 50 or len(seen) > 100_000:
            continue
        seen.add(item.objgen)
        action = item.get("/A")
        target = item.get("/Dest") or (action.get("/D") if isinstance(action, Dictionary) else None)
        page = _destination(pdf, target, pages)
        found.append(Bookmark(str(item.get("/Title", "")), page, level))
        stack.append((item.get("/Next"), level))
        stack.append((item.get("/First"), level + 1))
    return found
