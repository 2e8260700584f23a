"""How well masks agree with those that people made: recall, precision and what is kept, counted word by word.

A word counts as masked if all of its characters are. Function words and titles do not count, as in the evaluation of
the Text Anonymization Benchmark (TAB); nor does what only names such words. A text is a :class:`Case`; what a model or
another tool hides in it is a list of spans of the original.
"""

from __future__ import annotations

import json
import lzma
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tacit.document import Document, Span
from tacit.knowledge import Knowledge
from tacit.models.base import Model
from tacit.models.protected import UnknownEntityError
from tacit.release import NotReleasedError, sanitize

__all__ = ["Case", "DatasetError", "Mask", "Masking", "Scores", "load_cases", "load_masking", "run_model", "score"]

_WORD = re.compile(r"\w+")
_IGNORED = frozenset(
    "mr mrs ms no nr about the a an of in at on by to for from with and or that this his her its their s he she it "
    "they is was are were be been as who which also".split()
)


class DatasetError(ValueError):
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


@dataclass(frozen=True, slots=True)
class Masking:
    """What someone hides in each case, by its name, and what it cost.

    ``utility`` is the share of the information that is kept, where it is known. ``refused`` counts the cases for which
    a model released nothing, or knew nothing of whom to protect: they count as hidden whole.
    """

    label: str
    spans: Mapping[str, Sequence[Span]]
    seconds: float | None = None
    utility: float | None = None
    refused: int = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares from 0 to 1; None where there was nothing to find."""

    label: str
    recall: float | None
    recall_direct: float | None
    recall_quasi: float | None
    precision: float | None
    f1: float | None
    entity_recall: float | None
    characters_kept: float
    utility: float | None
    words_per_second: float | None
    refused: int
    by_kind: Mapping[str, float] = field(default_factory=dict, hash=False)

    def row(self) -> dict[str, object]:
        """The figures of one table row, rounded."""
        shown: dict[str, object] = {"model": self.label}
        for name in (
            "recall",
            "recall_direct",
            "recall_quasi",
            "precision",
            "f1",
            "entity_recall",
            "characters_kept",
            "utility",
        ):
            figure = getattr(self, name)
            shown[name] = None if figure is None else round(figure, 4)
        shown["words_per_second"] = None if self.words_per_second is None else round(self.words_per_second)
        shown["refused"] = self.refused
        return shown


def load_cases(path: str | Path) -> list[Case]:
    """The cases of a dataset: JSON lines, a JSON list, either also with .xz.

    A case has ``text`` and one of: ``mentions`` (TAB: start_offset, end_offset, identifier_type), ``annotations`` (TAB
    as published, by annotator: the first one counts), ``masks`` or ``masked_tokens`` (pairs of offsets). ``protect``
    (a name or several) or ``name`` says who is hidden, ``doc_id`` or ``name`` what the case is called.
    """
    path = Path(path)
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
    protect = row.get("protect") or row.get("name") or ()
    names: tuple[str, ...] = (protect,) if isinstance(protect, str) else tuple(map(str, protect))
    return Case(str(row.get("doc_id") or row.get("name") or number), text, names, tuple(masks))


def load_masking(path: str | Path, cases: Sequence[Case], label: str = "") -> Masking:
    """Another tool's masks: a JSON object {case name: [[start, end], ...]} that covers every case."""
    path = Path(path)
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        spans = {str(name): [(int(s), int(e)) for s, e in pairs] for name, pairs in stored.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise DatasetError(f"{str(path)!r} is no JSON object of name -> [[start, end], ...]: {error}") from error
    if missing := [c.name for c in cases if c.name not in spans]:
        raise DatasetError(f"{str(path)!r} says nothing of the case {missing[0]!r}; an empty list says: nothing hidden")
    return Masking(label or path.stem, spans)


def run_model(
    label: str,
    build: Callable[[Case], Model],
    cases: Sequence[Case],
    knowledge: Knowledge,
    progress: Callable[[], None] = lambda: None,
) -> Masking:
    """What a model hides in each case, as released: planned, applied and checked. CPU time is measured."""
    spans: dict[str, list[Span]] = {}
    kept = 0.0
    refused = 0
    begin = time.process_time()
    seconds = 0.0
    for case in cases:
        try:
            release = sanitize(Document.of(case.text), build(case), knowledge)
            spans[case.name] = [e.span for e in release.edits]
            seconds += time.process_time() - begin
            kept += release.report.utility
        except (NotReleasedError, UnknownEntityError):
            spans[case.name] = [(0, len(case.text))]
            seconds += time.process_time() - begin
            refused += 1
        begin = time.process_time()
        progress()
    return Masking(label, spans, seconds, kept / max(len(cases), 1), refused)


def score(cases: Sequence[Case], masking: Masking) -> Scores:
    """The agreement of a masking with the masks of people.

    >>> case = Case("1", "Ann Lee lives in Rome.", (), (Mask(0, 7, direct=True, entity="a"), Mask(17, 21, entity="b")))
    >>> found = score([case], Masking("half", {"1": [(0, 7), (8, 13)]}))
    >>> found.recall_direct, found.recall_quasi, found.precision, found.entity_recall
    (1.0, 0.0, 0.6666666666666666, 0.5)
    """
    found: dict[bool, list[int]] = {True: [0, 0], False: [0, 0]}
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    entities: dict[tuple[str, str], bool] = {}
    right = masked = letters = shown = words = 0
    for case in cases:
        hidden = _covered(case.text, masking.spans[case.name])
        wanted = _covered(case.text, ((m.start, m.end) for m in case.masks))
        for number, mask in enumerate(case.masks):
            hits = [all(hidden[a:b]) for a, b in _words(case.text, mask.start, mask.end)]
            for tally in (found[mask.direct], kinds[mask.kind or "any"]):
                tally[0] += sum(hits)
                tally[1] += len(hits)
            if hits:
                entity = (case.name, mask.entity or f"#{number}")
                entities[entity] = entities.get(entity, True) and all(hits)
        for a, b in _words(case.text, 0, len(case.text)):
            words += 1
            if all(hidden[a:b]):
                masked += 1
                right += all(wanted[a:b])
        letters += len(case.text)
        shown += hidden.count(0)
    recall = _share(found[True][0] + found[False][0], found[True][1] + found[False][1])
    precision = _share(right, masked)
    f1 = None
    if recall is not None and precision is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return Scores(
        masking.label,
        recall,
        _share(*found[True]),
        _share(*found[False]),
        precision,
        f1,
        _share(sum(entities.values()), len(entities)),
        shown / max(letters, 1),
        masking.utility,
        words / masking.seconds if masking.seconds else None,
        masking.refused,
        {kind: hits / total for kind, (hits, total) in sorted(kinds.items()) if total},
    )


def _words(text: str, start: int, end: int) -> list[Span]:
    return [m.span() for m in _WORD.finditer(text, start, end) if m.group().lower() not in _IGNORED]


def _covered(text: str, spans: Iterable[Span]) -> bytearray:
    covered = bytearray(len(text))
    for start, end in spans:
        start, end = max(start, 0), min(end, len(text))
        covered[start:end] = b"\x01" * max(end - start, 0)
    return covered


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
