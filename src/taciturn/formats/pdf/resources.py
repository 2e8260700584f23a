"""The resources of a PDF: what a page inherits, and the streams that a dictionary of resources leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pikepdf import Array, Dictionary, Object, Stream

from taciturn.formats.pdf.fonts import spelled

__all__ = ["clearness", "inherited", "inner_streams", "painted_streams", "streams_of_font", "values"]


def inherited(page: Object, key: str) -> Any:
    """An attribute of a page or of the nodes above it."""
    node: Any = page
    for _ in range(50):
        if not isinstance(node, Dictionary):
            return None
        if key in node:
            return node[key]
        node = node.get("/Parent")
    return None


def values(dictionary: Any) -> list[Any]:
    """The values of a dictionary; none of anything else."""
    return list(dictionary.values()) if isinstance(dictionary, Dictionary) else []


def inner_streams(resources: Object) -> Iterator[Object]:
    """Forms, patterns and soft masks."""
    for item in values(resources.get("/XObject")):
        if isinstance(item, Stream) and str(item.get("/Subtype", "")) == "/Form":
            yield item
    yield from painted_streams(resources)


def painted_streams(resources: Object) -> Iterator[Object]:
    """Patterns and soft masks."""
    for item in values(resources.get("/Pattern")):
        if isinstance(item, Stream):
            yield item
    for item in values(resources.get("/ExtGState")):
        mask = item.get("/SMask") if isinstance(item, Dictionary) else None
        if isinstance(mask, Dictionary) and isinstance(mask.get("/G"), Stream):
            yield mask["/G"]


def streams_of_font(font: Object) -> Iterator[Object]:
    """The streams of a font: its maps of codes and its outlines."""
    inner = font.get("/DescendantFonts")
    holders = [font, *(inner if isinstance(inner, Array) else ())]
    for holder in holders:
        if not isinstance(holder, Dictionary):
            continue
        for key in ("/ToUnicode", "/Encoding", "/CIDToGIDMap"):
            if isinstance(holder.get(key), Stream):
                yield holder[key]
        descriptor = holder.get("/FontDescriptor")
        if isinstance(descriptor, Dictionary):
            for key in ("/FontFile", "/FontFile2", "/FontFile3"):
                if isinstance(descriptor.get(key), Stream):
                    yield descriptor[key]


def clearness(resources: Object) -> Callable[[str], bool | None]:
    """Whether a graphics state makes paint see-through; None if it says nothing of that."""
    states = resources.get("/ExtGState", Dictionary())

    def is_clear(name: str) -> bool | None:
        state = states.get(name) if isinstance(states, Dictionary) else None
        if not isinstance(state, Dictionary) or not any(key in state for key in ("/ca", "/BM", "/SMask")):
            return None
        blends = "/BM" in state and spelled(state["/BM"]) not in ("/Normal", "/Compatible")
        return float(state.get("/ca", 1)) < 1 or blends or isinstance(state.get("/SMask"), Dictionary)

    return is_clear
