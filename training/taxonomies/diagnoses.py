"""ICD-10-CM: codes under codes, under the names of sections and chapters.

A code in a text is replaced by a shorter code, so a code's label is the code; what diseases are called is MONDO's part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from taciturn.knowledge.taxonomies import Concept

__all__ = ["concepts"]

_RANGE = re.compile(r"\s*\([A-Z0-9]+(-[A-Z0-9]+)?\)$")


def concepts(path: Path) -> Iterator[Concept]:
    """Every code of the tabular list, but for the seventh characters that only number encounters."""
    yield Concept("condition", "condition")
    yield Concept("medical condition", "medical condition", ("condition",))
    for chapter in ElementTree.parse(path).getroot().iterfind("chapter"):
        name = f"chapter {_text(chapter, 'name')}"
        yield Concept(name, _title(chapter), ("medical condition",))
        for section in chapter.iterfind("section"):
            if section.find("diag") is not None:
                yield Concept(section.attrib["id"], _title(section), (name,))
                for diagnosis in section.iterfind("diag"):
                    yield from _codes(diagnosis, section.attrib["id"])


def _codes(diagnosis: ElementTree.Element, above: str) -> Iterator[Concept]:
    code = _text(diagnosis, "name")
    yield Concept(f"code {code}", code, (above,))
    for inner in diagnosis.iterfind("diag"):
        yield from _codes(inner, f"code {code}")


def _text(element: ElementTree.Element, tag: str) -> str:
    return element.findtext(tag, "").strip()


def _title(element: ElementTree.Element) -> str:
    title = _RANGE.sub("", _text(element, "desc"))
    title = title[:1].lower() + title[1:] if title[1:2].islower() else title
    return title.removeprefix("certain ")
