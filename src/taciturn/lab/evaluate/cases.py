"""Texts with the masks of people: datasets in the forms in which they come."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from taciturn import samples
from taciturn.document import Document
from taciturn.lab.evaluate.alignment import removed_spans
from taciturn.lab.evaluate.case import Case, DatasetError, Mask
from taciturn.lab.evaluate.forms import folder_cases, row_case
from taciturn.language import analyze

__all__ = ["load_cases", "told_by_kind"]

_SIDES = ("before", "after")


def load_cases(path: str | Path) -> list[Case]:
    """The cases of a dataset: a file, a folder, or ``sample:NAME`` for one that is shipped.

    A file holds JSON lines or a JSON list, also with .xz. A case has ``text``. Its annotations are in one of these
    forms: ``mentions`` or ``annotations`` (the Text Anonymization Benchmark, TAB), ``entities`` (start, end, type),
    ``spans`` (text, role, alone: what gives a matter away), ``masks`` or ``masked_tokens`` (pairs of offsets), an
    export of Label Studio, or a sample of presidio-research; or it has none. ``protect``, ``hide`` or ``name`` says
    what is hidden; ``doc_id``, ``id`` or ``name`` what the case is called.

    A folder holds the files of brat (NAME.txt, NAME.ann), of i2b2 (NAME.xml), or pairs of files before and after people
    took things out: ``before/NAME`` with ``after/NAME``, or ``NAME.before.txt`` with ``NAME.after.txt``.

    >>> [case.protect for case in load_cases("sample:concealment")][0]
    ('HIV',)
    """
    if str(path).startswith(samples.PREFIX):
        path = samples.path(str(path))
    path = Path(path)
    if path.is_dir():
        return folder_cases(path) or _pairs(path)
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
    cases = [row_case(row, number, str(path)) for number, row in enumerate(rows, 1)]
    if not cases:
        raise DatasetError(f"{str(path)!r} holds no case")
    if twice := [name for name, n in Counter(c.name for c in cases).items() if n > 1]:
        raise DatasetError(f"{str(path)!r} holds the case {twice[0]!r} twice; give each a doc_id of its own")
    return cases


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
