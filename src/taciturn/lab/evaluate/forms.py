"""Annotations in the forms in which tools write them, as cases.

Each reader takes parsed data and gives a :class:`Case`, or None where the data is in another form. A new form is one
more function in ``ROWS`` (a JSON object a case) or one more branch of :func:`folder_cases` (files side by side).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from taciturn.lab.evaluate.case import Case, DatasetError, Mask

__all__ = ["ROWS", "folder_cases", "row_case"]

_PERSON = re.compile(r"following person:\s*(.+?)\s*$", re.DOTALL)
_BRAT = re.compile(r"^T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t", re.MULTILINE)

Row = Mapping[str, Any]


def row_case(row: Any, number: int, path: str) -> Case:
    """The case of one JSON object, whatever its form.

    >>> row_case({"text": "Ann lives in Rome.", "masks": [[0, 3]], "protect": "Ann"}, 1, "cases.jsonl").masks
    (Mask(start=0, end=3, direct=False, entity='', kind=''),)
    >>> row_case({"text": "He has HIV.", "protect": "HIV"}, 1, "notes.jsonl").annotated
    False
    """
    where = f"case {number} of {path!r}"
    if not isinstance(row, dict):
        raise DatasetError(f"{where} is no JSON object; write {{'text': ..., 'masks': [[start, end], ...]}}")
    for form in ROWS:
        try:
            found = form(row, number)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise DatasetError(
                f"{where} looks like {form.__name__[1:].replace('_', ' ')}, but is not: {error}"
            ) from error
        if found is not None:
            return _sound(found, where)
    raise DatasetError(f"{where} has no 'text'")


def _sound(case: Case, where: str) -> Case:
    for mask in case.masks:
        if not 0 <= mask.start < mask.end <= len(case.text):
            raise DatasetError(f"{where}: the mask {mask.start}-{mask.end} lies outside its text")
    return case


def _name(row: Row, number: int) -> str:
    return str(row.get("doc_id") or row.get("id") or row.get("name") or number)


def _protect(row: Row) -> tuple[str, ...]:
    task = _PERSON.search(str(row.get("task", "")))  # how TAB, as published, names the person
    told = row.get("protect") or row.get("hide") or row.get("name") or (task[1] if task else ())
    return (told,) if isinstance(told, str) else tuple(map(str, told))


def _label_studio(row: Row, number: int) -> Case | None:
    """A task of a Label Studio export, in full or as JSON-MIN; of several annotators the first counts."""
    if isinstance(row.get("data"), dict) and isinstance(row["data"].get("text"), str):
        text, told = row["data"]["text"], row["data"]
        results = row["annotations"][0]["result"] if row.get("annotations") else None
        values = None if results is None else [r["value"] for r in results if "start" in r.get("value", ())]
    elif isinstance(row.get("label"), list) and isinstance(row.get("text"), str):
        text, told, values = row["text"], row, row["label"]
    else:
        return None
    masks = tuple(
        Mask(int(v["start"]), int(v["end"]), kind=str(next(iter(v.get("labels", ())), ""))) for v in values or ()
    )
    return Case(_name(row, number), text, _protect(told), masks, values is not None)


def _presidio(row: Row, number: int) -> Case | None:
    """A sample of presidio-research."""
    if not isinstance(row.get("full_text"), str):
        return None
    masks = tuple(Mask(s["start_position"], s["end_position"], kind=str(s["entity_type"])) for s in row["spans"])
    return Case(_name(row, number), row["full_text"], _protect(row), masks)


def _text_with_masks(row: Row, number: int) -> Case | None:
    """A text with the masks of TAB, with entities, expressions, offsets, or nothing."""
    if not isinstance(row.get("text"), str):
        return None
    masks = _masks(row, row["text"])
    return Case(_name(row, number), row["text"], _protect(row), masks or (), masks is not None)


def _masks(row: Row, text: str) -> tuple[Mask, ...] | None:
    mentions = row.get("mentions")
    if mentions is None and isinstance(row.get("annotations"), dict):
        mentions = next(iter(row["annotations"].values()))["entity_mentions"]
    if mentions is not None:
        return tuple(_mention(m) for m in mentions if m["identifier_type"] != "NO_MASK")
    if (entities := row.get("entities")) is not None:
        return tuple(Mask(int(e["start"]), int(e["end"]), kind=str(e.get("type", ""))) for e in entities)
    if (spans := row.get("spans")) is not None:
        return tuple(mask for span in spans for mask in _everywhere(span, text))
    if (pairs := row.get("masks", row.get("masked_tokens"))) is not None:
        return tuple(Mask(int(pair[0]), int(pair[1])) for pair in pairs)
    return None


def _mention(m: Row) -> Mask:
    direct = m["identifier_type"] == "DIRECT"
    return Mask(m["start_offset"], m["end_offset"], direct, str(m.get("entity_id", "")), str(m.get("entity_type", "")))


def _everywhere(span: Row, text: str) -> Iterator[Mask]:
    """What gives a matter away: an expression, wherever it stands. ``alone``: it tells by itself."""
    wanted = str(span["text"])
    for m in re.finditer(re.escape(wanted), text):
        yield Mask(m.start(), m.end(), bool(span.get("alone")), wanted, str(span.get("role", "")))


ROWS: tuple[Callable[[Row, int], Case | None], ...] = (_label_studio, _presidio, _text_with_masks)


def folder_cases(folder: Path) -> list[Case] | None:
    """The cases of a folder in the form of brat (NAME.txt with NAME.ann) or of i2b2 (NAME.xml); None for another."""
    if notes := sorted(folder.glob("*.ann")):
        return [_sound(_brat(path), f"{str(path)!r}") for path in notes]
    if files := sorted(folder.glob("*.xml")):
        return [_sound(_i2b2(path), f"{str(path)!r}") for path in files]
    return None


def _brat(path: Path) -> Case:
    text_file = path.with_suffix(".txt")
    if not text_file.exists():
        raise DatasetError(f"{str(path)!r} has no text beside it; brat keeps it in {text_file.name!r}")
    # Offsets count characters as written: line ends must stay as they are.
    text = text_file.read_bytes().decode("utf-8")
    found = _BRAT.finditer(path.read_text("utf-8"))
    parts = [(m[1], part.split()) for m in found for part in m[2].split(";")]
    masks = [Mask(int(start), int(end), kind=kind) for kind, (start, end) in parts]
    return Case(path.stem, text, (), tuple(masks))


def _i2b2(path: Path) -> Case:
    """A record of the i2b2 de-identification sets: TEXT, and TAGS with start, end and TYPE."""
    source = path.read_text("utf-8")
    if "<!ENTITY" in source:
        raise DatasetError(f"{str(path)!r} defines entities; i2b2 files have none")
    try:
        root = ElementTree.fromstring(source)
    except ElementTree.ParseError as error:
        raise DatasetError(f"{str(path)!r} is no sound XML: {error}") from error
    text, tags = root.findtext("TEXT"), root.find("TAGS")
    if text is None or tags is None:
        raise DatasetError(f"{str(path)!r} is not in the form of i2b2: it needs TEXT and TAGS")
    masks = [Mask(int(t.get("start", "")), int(t.get("end", "")), kind=t.get("TYPE", t.tag)) for t in tags]
    return Case(path.stem, text, (), tuple(masks))
