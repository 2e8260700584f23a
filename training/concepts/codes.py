"""ICD-10-CM and ICD-9-CM: codes as names of conditions, and the conditions that only they list."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from training.concepts.records import Record, is_abbreviation, plain_names

__all__ = ["icd9", "icd10"]

_BRACKET = re.compile(r"\s*\[([^\]]+)\]")
_RANGE = re.compile(r"\s*\([A-Z0-9]+(-[A-Z0-9]+)?\)$")
_MOST_LEFT_OUT = 5
_EMPTY = re.compile(r"^(other|unspecified|certain)\b|\b(other|unspecified)\b.*$|, unspecified.*$", re.IGNORECASE)
_STATUS = re.compile(
    r"^(Personal history of|Family history of|Encounter for|Contact with and \(suspected\) exposure to)\b"
)
_HAD = re.compile(r"^(?:Personal history of(?: \(healed\))?|Asymptomatic)(?: other)? (.+?)(?: infection)?(?: status)?$")


def icd10(xml: bytes) -> Iterator[Record]:
    """Every code of the tabular list under its section and chapter. The seventh characters that number encounters are
    not codes of their own."""
    for chapter in ElementTree.fromstring(xml).iterfind("chapter"):
        top = f"ICD10:chapter {_text(chapter, 'name')}"
        yield Record("ICD-10-CM", top, "condition", _title(chapter))
        sections = [s for s in chapter.iterfind("section") if s.find("diag") is not None]
        for section, after in zip(sections, [*sections[1:], None], strict=True):
            id_ = f"ICD10:{section.attrib['id']}"
            left_out = [(code, "code") for code in _between(section, after)]
            yield Record("ICD-10-CM", id_, "condition", _title(section), left_out, [top])
            for diagnosis in section.iterfind("diag"):
                yield from _codes(diagnosis, id_)
                yield from _general(diagnosis)


def _between(section: ElementTree.Element, after: ElementTree.Element | None) -> list[str]:
    """The categories between the last of a section and the first of the next.

    The international edition has some that the American one left out of a section's end: HIV is B20 to B24 there.
    """
    last = _text(section.findall("diag")[-1], "name")
    first = _text(next(after.iterfind("diag")), "name") if after is not None else ""
    if last[0] != first[:1] or not (last[1:].isdigit() and first[1:].isdigit()):
        return []
    gap = range(int(last[1:]) + 1, int(first[1:]))
    return [f"{last[0]}{n:02}" for n in gap] if len(gap) <= _MOST_LEFT_OUT else []


def _general(diagnosis: ElementTree.Element) -> Iterator[Record]:
    """What several codes of a category have in common before a comma names the category: "Cannabis use disorder, mild"
    and "Cannabis use disorder, severe" are both cannabis use disorder."""
    code = _text(diagnosis, "name")
    found: dict[str, set[str]] = {}
    for inner in diagnosis.iter("diag"):
        for note in inner.iterfind("inclusionTerm/note"):
            stem, comma, _ = (note.text or "").partition(", ")
            if comma and " " in stem and not _EMPTY.search(stem):
                found.setdefault(stem, set()).add(_text(inner, "name"))
    for stem, codes in found.items():
        if len(codes) > 1:
            for label in plain_names(stem):
                yield Record("ICD-10-CM", f"ICD10:{code}", "condition", label)


def _codes(diagnosis: ElementTree.Element, above: str) -> Iterator[Record]:
    code, title = _text(diagnosis, "name"), _text(diagnosis, "desc")
    names = [(code, "code")]
    for tag in ("inclusionTerm", "includes"):
        for note in diagnosis.iterfind(f"{tag}/note"):
            names += [(n, "entry term") for n in _terms(note.text or "")]
    own = _terms(title)
    names += [(n, "abbreviation" if is_abbreviation(n) else "synonym") for n in own]
    # Who had a disease, or carries it without signs, is known to have to do with it.
    had = [f"name:{name}" for name in plain_names(_BRACKET.sub("", m[1]))] if (m := _HAD.match(title)) else []
    yield Record("ICD-10-CM", f"ICD10:{code}", "condition", own[0] if own else title, names, [above, *had])
    for inner in diagnosis.iterfind("diag"):
        yield from _codes(inner, f"ICD10:{code}")


def _terms(title: str) -> list[str]:
    """What a code's title names: "Human immunodeficiency virus [HIV] disease" names "HIV disease" as well."""
    if _EMPTY.search(title) or _STATUS.search(title):
        return []
    found = plain_names(_BRACKET.sub("", title))
    if match := _BRACKET.search(title):
        before, after = title[: match.start()], title[match.end() :]
        short = match[1]
        if is_abbreviation(short):
            # The abbreviation stands for the words before it; what comes after belongs to both.
            found += plain_names(short + after)
        elif before and len(before.split()) == 1:
            found += plain_names(short + after)
    return found


def _text(element: ElementTree.Element, tag: str) -> str:
    return element.findtext(tag, "").strip()


def _title(element: ElementTree.Element) -> str:
    title = _RANGE.sub("", _text(element, "desc")).removeprefix("Certain ")
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def icd9(titles: bytes, mappings: bytes) -> Iterator[Record]:
    """ICD-9-CM diagnoses, each joined to the ICD-10-CM code that the official mapping gives it alone."""
    targets: dict[str, list[str]] = {}
    for row in csv.DictReader(io.StringIO(mappings.decode("utf-8-sig"))):
        old, new = (row[c].strip() for c in ("icd9cm", "icd10cm"))
        if new and new != "NoDx":
            targets.setdefault(old, []).append(new)
    for line in titles.decode("latin-1").splitlines():
        code, _, title = line.strip().partition(" ")
        at = 4 if code.startswith("E") else 3
        dotted = f"{code[:at]}.{code[at:]}" if len(code) > at else code
        new = targets.get(code, [])
        same = [f"ICD10:{new[0][:3]}.{new[0][3:]}" if len(new[0]) > 3 else f"ICD10:{new[0]}"] if len(new) == 1 else []
        names = [(dotted, "code")] if "." in dotted or dotted[0] in "VE" else [(f"ICD-9 {dotted}", "code")]
        own = _terms(title.strip())
        yield Record(
            "ICD-9-CM", f"ICD9:{dotted}", "condition", own[0] if own else title.strip(), names, same=same, known=True
        )
