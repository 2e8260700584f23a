"""How well masks agree with those that people made: recall, precision and what is kept, counted word by word.

A word counts as masked if all of its characters are. Function words and titles do not count, as in the evaluation of
the Text Anonymization Benchmark (TAB); nor does what only names such words. A text is a :class:`Case`; what a model or
another tool hides in it is a list of spans of the original.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from taciturn.document import Span
from taciturn.lab.evaluate.case import Case
from taciturn.lab.evaluate.masking import Masking
from taciturn.lab.evaluate.risk import RANKS, Risk
from taciturn.language.lexicon import LEXICON

__all__ = ["Scores", "counted_words", "score"]

_WORD = re.compile(r"\w+")
_IGNORED = LEXICON.word_set("function.uncounted")


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
    touched: float | None
    words_changed: float
    characters_kept: float
    utility: float | None
    words_per_second: float | None
    refused: int
    by_kind: Mapping[str, float] = field(default_factory=dict, hash=False)
    risks: tuple[Risk, ...] = ()

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
            "touched",
            "words_changed",
            "characters_kept",
            "utility",
        ):
            figure = getattr(self, name)
            shown[name] = None if figure is None else round(figure, 4)
        shown["words_per_second"] = None if self.words_per_second is None else round(self.words_per_second)
        shown["refused"] = self.refused
        for r in self.risks:
            for rank, share in zip(RANKS, r.found, strict=True):
                shown[f"found at rank {rank}, {r.adversary}"] = round(share, 4)
            shown[f"mean rank, {r.adversary}"] = round(r.mean_rank, 2)
            shown[f"mean posterior, {r.adversary}"] = round(r.mean_posterior, 4)
        return shown


def score(cases: Sequence[Case], masking: Masking, risks: Sequence[Risk] = ()) -> Scores:
    """The agreement of a masking with the masks of people; ``risks`` of it are passed on.

    >>> from taciturn.lab.evaluate import Mask
    >>> case = Case("1", "Ann Lee lives in Rome.", (), (Mask(0, 7, direct=True, entity="a"), Mask(17, 21, entity="b")))
    >>> found = score([case], Masking("half", {"1": [(0, 7), (8, 13)]}))
    >>> found.recall_direct, found.recall_quasi, found.precision, found.entity_recall
    (1.0, 0.0, 0.6666666666666666, 0.5)
    """
    found: dict[bool, list[int]] = {True: [0, 0], False: [0, 0]}
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    entities: dict[tuple[str, str], bool] = {}
    touched: dict[tuple[str, str], bool] = {}
    right = masked = changed = letters = shown = words = 0
    for case in cases:
        hidden = _covered(case.text, masking.spans[case.name])
        wanted = _covered(case.text, ((m.start, m.end) for m in case.masks))
        for number, mask in enumerate(case.masks):
            hits = [all(hidden[a:b]) for a, b in counted_words(case.text, mask.start, mask.end)]
            for tally in (found[mask.direct], kinds[mask.kind or "any"]):
                tally[0] += sum(hits)
                tally[1] += len(hits)
            if hits:
                entity = (case.name, mask.entity or f"#{number}")
                entities[entity] = entities.get(entity, True) and all(hits)
                if mask.direct or not any(m.direct for m in case.masks):
                    touched[entity] = touched.get(entity, True) and any(hits)
        for a, b in counted_words(case.text, 0, len(case.text)):
            words += 1
            if all(hidden[a:b]):
                changed += 1
                masked += case.annotated
                right += all(wanted[a:b])
        letters += len(case.text)
        shown += hidden.count(0)
    recall = _share(found[True][0] + found[False][0], found[True][1] + found[False][1])
    precision = _share(right, masked) if any(c.annotated for c in cases) else None
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
        _share(sum(touched.values()), len(touched)),
        changed / max(words, 1),
        shown / max(letters, 1),
        masking.utility,
        words / masking.seconds if masking.seconds else None,
        masking.refused,
        {kind: hits / total for kind, (hits, total) in sorted(kinds.items()) if total},
        tuple(risks),
    )


def counted_words(text: str, start: int, end: int) -> list[Span]:
    """The words of a span that count: all but function words and titles.

    >>> counted_words("Mr Lee of Rome", 0, 14)
    [(3, 6), (10, 14)]
    """
    return [m.span() for m in _WORD.finditer(text, start, end) if m.group().lower() not in _IGNORED]


def _covered(text: str, spans: Iterable[Span]) -> bytearray:
    covered = bytearray(len(text))
    for start, end in spans:
        start, end = max(start, 0), min(end, len(text))
        covered[start:end] = b"\x01" * max(end - start, 0)
    return covered


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
