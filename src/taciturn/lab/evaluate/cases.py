"""Texts with the masks of people: datasets in the forms in which they come."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from taciturn.document import Document
from taciturn.errors import InputError
from taciturn.lab.evaluate.alignment import removed_spans
from taciturn.language import analyze

__all__ = ["Case", "DatasetError", "Mask", "load_cases", "told_by_kind"]

_PERSON = re.compile(r"following person:\s*(.+?)\s*$", re.DOTALL)
_SIDES = ("before", "after")


class DatasetError(InputError):
    """A file that is no dataset or no list of predictions."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A span that a human hid. ``direct``: it names the person alone. ``entity`` is what it speaks of."""

    start: int
    end: int
    direct: bool = False
    entity: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A text with the masks of a human, and the names of whom or what they protect."""

    name: str
    text: str
    protect: tuple[str, ...]
    masks: tuple[Mask, ...]


def load_cases(path: str | Path) -> list[Case]:
    """The cases of a dataset: JSON lines, a JSON list, either also with .xz; or a folder of pairs.

    A case has ``text`` and one of: ``mentions`` (TAB: start_offset, end_offset, identifier_type), ``annotations`` (TAB
    as published, by annotator: the first one counts), ``masks`` or ``masked_tokens`` (pairs of offsets). ``protect``
    (a name or several) or ``name`` says who is hidden, ``doc_id`` or ``name`` what the case is called.

    A folder has pairs of files, before and after people took things out: ``before/NAME`` with ``after/NAME``, or
    ``NAME.before.txt`` with ``NAME.after.txt``. What the later text lacks is what they hid.
    """
    path = Path(path)
    if path.is_dir():
        return _pairs(path)
    raw = path.read_bytes()
    if path.suffix == ".xz":
        try:
            raw = lzma.decompress(raw)
        except lzma.LZMAError as error:
            raise DatasetError(f"{str(path)!r} is not sound .xz: {error}") from error
    text = raw.decode("utf-8")
    rows: list[Any]
    try:
        if text.lstrip().startswith("["):
            rows = json.loads(text)
        else:
            rows = [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError as error:
        raise DatasetError(f"{str(path)!r} is neither a JSON list nor JSON lines: {error}") from error
    cases = [_case(row, number, str(path)) for number, row in enumerate(rows, 1)]
    if not cases:
        raise DatasetError(f"{str(path)!r} holds no case")
    if twice := [name for name, n in Counter(c.name for c in cases).items() if n > 1]:
        raise DatasetError(f"{str(path)!r} holds the case {twice[0]!r} twice; give each a doc_id of its own")
    return cases


def _case(row: Any, number: int, path: str) -> Case:
    where = f"case {number} of {path!r}"
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise DatasetError(f"{where} has no 'text'")
    text: str = row["text"]
    mentions = row.get("mentions")
    if mentions is None and isinstance(row.get("annotations"), dict):
        mentions = next(iter(row["annotations"].values()))["entity_mentions"]
    if mentions is not None:
        masks = [
            Mask(
                m["start_offset"],
                m["end_offset"],
                m["identifier_type"] == "DIRECT",
                str(m.get("entity_id", "")),
                str(m.get("entity_type", "")),
            )
            for m in mentions
            if m["identifier_type"] != "NO_MASK"
        ]
    elif (pairs := row.get("masks", row.get("masked_tokens"))) is not None:
        masks = [Mask(int(pair[0]), int(pair[1])) for pair in pairs]
    else:
        raise DatasetError(f"{where} has no masks: give 'mentions', 'masks' or 'masked_tokens'")
    for mask in masks:
        if not 0 <= mask.start < mask.end <= len(text):
            raise DatasetError(f"{where}: the mask {mask.start}-{mask.end} lies outside its text")
    task = _PERSON.search(str(row.get("task", "")))  # how TAB, as published, names the person
    protect = row.get("protect") or row.get("name") or (task[1] if task else ())
    names: tuple[str, ...] = (protect,) if isinstance(protect, str) else tuple(map(str, protect))
    return Case(str(row.get("doc_id") or row.get("name") or number), text, names, tuple(masks))


def _pairs(folder: Path) -> list[Case]:
    """The cases of a folder of pairs."""
    cases = []
    for name, before, after in _found_pairs(folder):
        text, released = _text_of(before), _text_of(after)
        cases.append(Case(name, text, (), tuple(Mask(a, b) for a, b in removed_spans(text, released))))
    if not cases:
        raise DatasetError(
            f"the folder {str(folder)!r} holds no pairs: put before/NAME and after/NAME there, or NAME.before.txt and "
            "NAME.after.txt"
        )
    return cases


def _found_pairs(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    if all((folder / side).is_dir() for side in _SIDES):
        befores, afters = ({p.name: p for p in (folder / side).iterdir() if p.is_file()} for side in _SIDES)
    else:
        files = [p for p in folder.iterdir() if p.is_file()]
        befores, afters = (
            {p.name.replace(f".{side}.", ".", 1): p for p in files if f".{side}." in p.name} for side in _SIDES
        )
    if alone := sorted(befores.keys() ^ afters.keys()):
        missing = "after" if alone[0] in befores else "before"
        raise DatasetError(f"{alone[0]!r} in {str(folder)!r} has no file for {missing!r}; pairs go by their names")
    for name in sorted(befores):
        yield name.rsplit(".", 1)[0], befores[name], afters[name]


def _text_of(path: Path) -> str:
    from taciturn.formats import read

    return read(path).document.text


def told_by_kind(cases: Sequence[Case]) -> list[Case]:
    """The cases with a kind for each mask that has none: of the term of ours in which it stands, or ``other``.

    >>> [m.kind for m in told_by_kind([Case("1", "Mary Smith met a man.", (), (Mask(0, 4), Mask(17, 20)))])[0].masks]
    ['person', 'other']
    """
    return [c if all(m.kind for m in c.masks) else replace(c, masks=tuple(_with_kinds(c))) for c in cases]


def _with_kinds(case: Case) -> Iterator[Mask]:
    kinds = [""] * len(case.text)
    for term in analyze(Document.of(case.text)).terms:
        kinds[term.start : term.end] = [term.kind] * (term.end - term.start)
    for mask in case.masks:
        yield mask if mask.kind else replace(mask, kind=next(filter(None, kinds[mask.start : mask.end]), "other"))
