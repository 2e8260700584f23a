"""PPTX: slides, notes, layouts, masters, comments, diagrams, charts and tables are read; every part is read or dropped.

Dropped: properties, custom XML, tags, macros, embedded fonts, revision logs, authors and dates of comments, sound and
film.
"""

from __future__ import annotations

import posixpath
import re
from functools import partial

from taciturn.formats.office import Rules, local
from taciturn.formats.ooxml import ERRORS, Package, Part, Profile, read_package

__all__ = ["ERRORS", "read"]

_RULES = Rules(
    paragraphs=frozenset(("p",)),
    apart={},
    stores=frozenset(("t",)),
    glue=lambda element: {"br": "\n", "tab": "\t"}.get(local(element)),
    unread=frozenset(),
    attributes=frozenset(
        (
            ("cNvPr", "descr"),
            ("cNvPr", "title"),
            ("cNvPr", "name"),
            ("hlinkClick", "tooltip"),
            ("hlinkHover", "tooltip"),
            ("section", "name"),
            ("custShow", "name"),
            ("cSld", "name"),
            ("textpath", "string"),
            ("buChar", "char"),
        )
    ),
)
_PLACES = (
    ("slideLayout", "layout"),
    ("slideMaster", "master"),
    ("slide", "slide"),
    ("notesSlide", "notes"),
    ("notesMaster", "notes master"),
    ("handoutMaster", "handout"),
    ("comment", "comment"),
    ("modernComment", "comment"),
    ("chart", "chart"),
    ("data", "diagram"),
    ("drawing", "diagram"),
    ("presentation", "presentation"),
)
_DROPPED = (
    (re.compile(r"ppt/tags/"), "tags"),
    (re.compile(r"ppt/(?:changesInfos|revisionInfo|slideUpdateInfo)"), "revision logs"),
    (
        re.compile(r"ppt/media/.*\.(?:mp[34g]|m4[av]|wav|wma|wmv|avi|mov|aac|ogg|webm|mpeg|asf|mid)$", re.I),
        "sound and film",
    ),
)
_PRUNED = frozenset("custDataLst modifyVerifier embeddedFontLst smartTags photoAlbum".split())
_AUTHORS = re.compile(r"ppt/(?:commentAuthors|authors)\d*\.xml")
_DATES = frozenset(("dt", "created", "modified", "startDate", "dueDate", "lastIdx"))


def _place(package: Package, part: str) -> str:
    stem = posixpath.basename(part)
    found = next((place for start, place in _PLACES if stem.startswith(start)), None)
    number = re.search(r"(\d+)\.xml$", stem)
    if found in ("slide", "notes") and number:
        return f"{found} {number[1]}"
    return found or f"part {stem}"


def _order(part: str) -> int:
    folder = part.split("/")[1] if part.count("/") > 1 else ""
    return {"slides": 0, "notesSlides": 1, "comments": 2, "charts": 3, "diagrams": 4}.get(folder, 9)


def _prepare(package: Package, part: str, root: Part) -> None:
    """Take authors and dates of comments out; the attributes stay, for programs ask for them."""
    is_authors = _AUTHORS.fullmatch(part) is not None
    for element in root.iter("{*}*"):
        for attribute in list(element.attrib):
            name = str(attribute).rpartition("}")[2]
            if name in _DATES and "comment" in part.lower():
                element.set(attribute, "0" if name == "lastIdx" else "2000-01-01T00:00:00.000")
            elif is_authors and name in ("name", "initials", "userId"):
                element.set(attribute, "Author")


read = partial(
    read_package,
    Profile(
        "pptx",
        _RULES,
        _place,
        _order,
        _DROPPED,
        _PRUNED,
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
        prepare=_prepare,
    ),
)
"""The passages of every part, slides first."""
