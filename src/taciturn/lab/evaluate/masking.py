"""What a model or another tool hides in the texts of a dataset, and what that keeps of their information."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from taciturn.document import Document, Span
from taciturn.errors import NotReleasedError
from taciturn.knowledge import Knowledge, UnknownTermError
from taciturn.lab.evaluate.alignment import removed_spans
from taciturn.lab.evaluate.case import Case, DatasetError
from taciturn.language import analyze
from taciturn.models.base import Model
from taciturn.policy import Policy
from taciturn.reading import information, share_kept
from taciturn.release import sanitize

__all__ = ["Masking", "blacked_out", "by_people", "load_masking", "run_model", "untouched", "with_utility"]

_MARK = "[REDACTED]"


@dataclass(frozen=True, slots=True)
class Masking:
    """What someone hides in each case, by its name, and what it cost.

    ``utility`` is the share of the information that is kept, where it is known. ``refused`` counts the cases for which
    a model released nothing, or knew nothing of whom to protect: they count as hidden whole. ``texts`` are what was
    released, where that is known.
    """

    label: str
    spans: Mapping[str, Sequence[Span]]
    seconds: float | None = None
    utility: float | None = None
    refused: int = 0
    texts: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)

    def released(self, case: Case) -> str:
        """The text of a case as released; if only spans are known, with a mark in the place of each."""
        return self.texts[case.name] if case.name in self.texts else _marked(case.text, self.spans[case.name])


def by_people(cases: Sequence[Case]) -> Masking:
    """What the people hid, as a row to compare with."""
    return Masking("people", {c.name: [(m.start, m.end) for m in c.masks] for c in cases})


def untouched(cases: Sequence[Case]) -> Masking:
    """The originals, as a row to compare with: what a release costs and gains begins here."""
    return Masking("the original", {c.name: () for c in cases}, utility=1.0)


def blacked_out(cases: Sequence[Case]) -> Masking:
    """What a pen does: the protected names themselves, wherever they stand, and nothing else.

    >>> blacked_out([Case("1", "HIV? No, an hiv test.", ("HIV",), ())]).spans
    {'1': [(0, 3), (12, 15)]}
    """

    def names(case: Case) -> list[Span]:
        if not case.protect:
            return []
        wanted = "|".join(re.escape(name) for name in sorted(case.protect, key=len, reverse=True))
        return [m.span() for m in re.finditer(rf"(?<!\w)(?:{wanted})(?!\w)", case.text, re.IGNORECASE)]

    return Masking("names blacked out", {c.name: names(c) for c in cases})


def load_masking(path: str | Path, cases: Sequence[Case], label: str = "") -> Masking:
    """Another tool's output for every case.

    A JSON object {case name: [[start, end], ...]}; or released texts, of which what they lack was hidden: JSON lines
    with ``doc_id`` (or ``name``) and ``text``, or a folder of files called like the cases.
    """
    path = Path(path)
    label = label or path.stem
    if path.is_dir():
        texts = {p.stem: p.read_text("utf-8") for p in sorted(path.iterdir()) if p.is_file()}
    elif path.suffix in (".jsonl", ".ndjson"):
        texts = _released_lines(path)
    else:
        return _covering(Masking(label, _spans_file(path)), cases, path)
    _covering(Masking(label, dict.fromkeys(texts, ())), cases, path)
    spans = {c.name: removed_spans(c.text, texts[c.name]) for c in cases}
    return Masking(label, spans, texts={c.name: texts[c.name] for c in cases})


def _spans_file(path: Path) -> dict[str, list[Span]]:
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): [(int(s), int(e)) for s, e in pairs] for name, pairs in stored.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise DatasetError(f"{str(path)!r} is no JSON object of name -> [[start, end], ...]: {error}") from error


def _released_lines(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.strip():
            try:
                row = json.loads(line)
                texts[str(row.get("doc_id") or row["name"])] = str(row["text"])
            except (ValueError, AttributeError, KeyError) as error:
                raise DatasetError(f"{str(path)!r}, line {number}: no 'doc_id' and 'text' of a release") from error
    return texts


def _covering(masking: Masking, cases: Sequence[Case], path: Path) -> Masking:
    if missing := [c.name for c in cases if c.name not in masking.spans]:
        raise DatasetError(f"{str(path)!r} says nothing of the case {missing[0]!r}; an empty list says: nothing hidden")
    return masking


def run_model(
    label: str,
    build: Callable[[Case], Model | Policy],
    cases: Sequence[Case],
    knowledge: Knowledge,
    progress: Callable[[], None] = lambda: None,
) -> Masking:
    """What a model or policy hides in each case, as released: planned, applied and checked. CPU time is measured."""
    spans: dict[str, list[Span]] = {}
    texts: dict[str, str] = {}
    kept = 0.0
    refused = 0
    begin = time.process_time()
    seconds = 0.0
    for case in cases:
        try:
            release = sanitize(Document.of(case.text), build(case), knowledge)
            spans[case.name] = [e.span for e in release.edits]
            texts[case.name] = release.text
            seconds += time.process_time() - begin
            kept += release.report.utility
        except (NotReleasedError, UnknownTermError):
            spans[case.name] = [(0, len(case.text))]
            texts[case.name] = ""
            seconds += time.process_time() - begin
            refused += 1
        begin = time.process_time()
        progress()
    return Masking(label, spans, seconds, kept / max(len(cases), 1), refused, texts)


def with_utility(cases: Sequence[Case], masking: Masking, knowledge: Knowledge) -> Masking:
    """The masking with the share of the information that it keeps, as the mean over the cases."""

    def bits(text: str) -> float:
        return information(analyze(Document.of(text)), knowledge)

    if masking.utility is not None:
        return masking
    before = [bits(c.text) for c in cases]
    kept = [share_kept(b, bits(masking.released(c))) for c, b in zip(cases, before, strict=True)]
    return replace(masking, utility=sum(kept) / max(len(kept), 1))


def _marked(text: str, spans: Sequence[Span]) -> str:
    """The text with a mark in the place of every run of hidden characters."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            pieces += [text[at:start], _MARK]
        at = max(at, end)
    return "".join([*pieces, text[at:]])
