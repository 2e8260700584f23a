"""What keeps the person model from hiding as people do in court cases: texts to learn from, kinds, or who masked.

Each text of the Text Anonymization Benchmark here was masked by one of twelve people, so how far two of them agree
cannot be measured. What can: what recall the model would reach if it were told what it cannot know, at the same
precision. A logistic curve over the model's score and what it is told is fitted to the texts of four folds and judged
on the fifth, as is the threshold. Told the kind, it also knows what a person marked at all, before they chose what to
hide: a ceiling for any better recognizer of mentions, and a generous one. The same with networks that learned from
fewer texts.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from training.person import COURT_PRECISION, DATA, Lesson, folds, lesson, network_of, train

from taciturn.knowledge import Knowledge
from taciturn.lab.evaluate import load_cases
from taciturn.lab.evaluate.scores import counted_words
from taciturn.models.person.model import spoken_scores

LIMIT = 900
FEW = 4  # texts of a person whose habits are told
SHARES = (("a quarter", 4), ("half", 2), ("all", 1))
WEAK = ("ORG", "DEM", "MISC")  # the kinds on which people differ most
_PERSON = re.compile(r"_(a\d+)_")

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Marked:
    """A case as its annotator left it: every mention with its kind, hidden or not, and the words that count.

    ``first`` and ``last`` are the model's words that a counted word spans, ``kinds`` has the kind of each counted word
    ("" outside mentions).
    """

    lesson: Lesson
    person: str
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    hidden: Flags
    kinds: NDArray[np.str_]

    def scores(self, of_words: Floats) -> Floats:
        """The score from which each counted word is hidden whole: the least of its parts'."""
        parts = [of_words[a : b + 1].min() for a, b in zip(self.first.tolist(), self.last.tolist(), strict=True)]
        return np.array(parts)


def marked_cases(knowledge: Knowledge) -> list[Marked]:
    """The court cases, read for the model."""
    with lzma.open(DATA["court"], "rt", encoding="utf-8") as file:
        rows = {row["doc_id"]: row["mentions"] for row in map(json.loads, file)}
    return [_marked(lesson(case, knowledge), rows[case.name]) for case in load_cases(DATA["court"])]


def _marked(found: Lesson, mentions: Sequence[dict[str, object]]) -> Marked:
    text, words = found.case.text, found.words
    kinds = np.full(len(text), "", "U12")
    hidden = np.zeros(len(text), np.bool_)
    for m in mentions:
        span = slice(m["start_offset"], m["end_offset"])
        kinds[span] = m["entity_type"]
        hidden[span] |= m["identifier_type"] != "NO_MASK"
    counted = counted_words(text, 0, len(text))
    starts, ends = (np.array(side, np.int64) for side in zip(*counted, strict=True))
    first = np.searchsorted(words.ends, starts, side="right")
    last = np.searchsorted(words.starts, ends, side="left") - 1
    whole = np.array([hidden[a:b].all() for a, b in counted])
    person = _PERSON.search(str(mentions[0]["entity_id"]))
    return Marked(found, person[1] if person else "", first, last, whole, kinds[starts])


def unseen_scores(cases: Sequence[Marked], share: int) -> list[Floats]:
    """The score of each counted word by networks that learned from one in ``share`` texts of the other folds."""
    scores: list[Floats] = [np.zeros(0)] * len(cases)
    for fold in folds(len(cases)):
        rest = [c.lesson for i, c in enumerate(cases) if i not in set(fold)]
        network = network_of(train(rest[::share], "court"), 0.0)
        for i in fold:
            found = cases[i].lesson
            scores[i] = cases[i].scores(spoken_scores(found.words, found.analysis, network))
    return scores


def told_scores(
    cases: Sequence[Marked], scores: Sequence[Floats], tell: Callable[[Marked, Floats], Floats]
) -> list[Floats]:
    """Scores by a logistic curve over what is told of each word, learned from the other folds."""
    told = [tell(c, s) for c, s in zip(cases, scores, strict=True)]
    found: list[Floats] = [np.zeros(0)] * len(cases)
    for fold in folds(len(cases)):
        rest = [i for i in range(len(cases)) if i not in set(fold)]
        weights = _logistic(np.concatenate([told[i] for i in rest]), np.concatenate([cases[i].hidden for i in rest]))
        for i in fold:
            found[i] = told[i] @ weights
    return found


def _logistic(x: Floats, y: Flags, ridge: float = 1.0, steps: int = 25) -> Floats:
    """Newton's method."""
    w = np.zeros(x.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (p - y) + ridge * w
        w = w - np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w)), slope)
    return w


def nested(cases: Sequence[Marked], scores: Sequence[Floats]) -> tuple[list[tuple[int, int, int]], list[Flags]]:
    """For each fold (right, hidden by us, hidden by people), by the threshold of the others; and what we hide."""
    tallies = []
    hide: list[Flags] = [np.zeros(0, np.bool_)] * len(cases)
    for fold in folds(len(cases)):
        rest = [i for i in range(len(cases)) if i not in set(fold)]
        limit = _threshold(np.concatenate([scores[i] for i in rest]), np.concatenate([cases[i].hidden for i in rest]))
        for i in fold:
            hide[i] = scores[i] >= limit
        right = sum(int((hide[i] & cases[i].hidden).sum()) for i in fold)
        tallies.append((right, sum(int(hide[i].sum()) for i in fold), sum(int(cases[i].hidden.sum()) for i in fold)))
    return tallies, hide


def _threshold(scores: Floats, hidden: Flags) -> float:
    """The lowest score from which hiding is precise enough."""
    order = np.argsort(-scores, kind="stable")
    precise = np.cumsum(hidden[order]) >= COURT_PRECISION * np.arange(1, len(order) + 1)
    return float(scores[order[np.flatnonzero(precise)[-1]]])


def main(pack: str | None = None) -> list[dict[str, object]]:
    cases = marked_cases(Knowledge.open(pack) if pack else Knowledge.default())
    rows: list[dict[str, object]] = []

    def add(what: str, scores: Sequence[Floats]) -> list[Flags]:
        tallies, hide = nested(cases, scores)
        right, ours, theirs = map(sum, zip(*tallies, strict=True))
        by_fold = [r / t for r, _, t in tallies]
        row = {"what": what, "recall": right / theirs, "precision": right / ours}
        row |= {"recall, worst fold": min(by_fold), "recall, best fold": max(by_fold)}
        rows.append({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})
        print(rows[-1], flush=True)
        return hide

    scores: list[Floats] = []
    for label, share in SHARES:
        scores = unseen_scores(cases, share)
        hide = add(f"learned from {label} of the other texts", scores)
    people = [p for p, n in sorted(Counter(c.person for c in cases).items()) if n >= FEW]
    kinds = sorted({k for c in cases for k in c.kinds.tolist()})

    def kinds_told(case: Marked, of: Sequence[str]) -> Floats:
        return np.stack([case.kinds == k for k in of], axis=1).astype(np.float64)

    def plain(case: Marked, s: Floats) -> Floats:
        return np.stack([s, np.ones(len(s))], axis=1)

    def who(case: Marked, s: Floats) -> Floats:
        own = [plain(case, s) * (case.person == p) for p in people]
        return np.concatenate([plain(case, s), *own], axis=1)

    def kind(case: Marked, s: Floats, of: Sequence[str]) -> Floats:
        return np.concatenate([plain(case, s), kinds_told(case, of)], axis=1)

    def both(case: Marked, s: Floats) -> Floats:
        marked = kinds_told(case, kinds)
        own = [marked * (case.person == p) for p in people]
        return np.concatenate([who(case, s), marked, *own], axis=1)

    add("told who masked the text", told_scores(cases, scores, who))
    for k in WEAK:
        add(f"told what was marked as {k}", told_scores(cases, scores, lambda c, s, k=k: kind(c, s, [k])))
    add("told what was marked, and its kind", told_scores(cases, scores, lambda c, s: kind(c, s, kinds)))
    add("told all of this", told_scores(cases, scores, both))
    rows += _by_kind(cases, hide, people)
    return rows


def _by_kind(cases: Sequence[Marked], hide: Sequence[Flags], people: Sequence[str]) -> list[dict[str, object]]:
    """For each kind: words marked, the share that was hidden, least and most by one person, and the model's recall."""
    rows: list[dict[str, object]] = []
    for kind in sorted({k for c in cases for k in c.kinds.tolist()} - {""}):
        marked: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        found = 0
        for case, ours in zip(cases, hide, strict=True):
            of_kind = case.kinds == kind
            hidden = of_kind & case.hidden
            found += int((hidden & ours).sum())
            for whose in (case.person, ""):
                marked[whose][0] += int(hidden.sum())
                marked[whose][1] += int(of_kind.sum())
        shares = [marked[p][0] / marked[p][1] for p in people if marked[p][1]]
        hidden_words, words = marked[""]
        shown = {
            "hidden": hidden_words / words,
            "least": min(shares),
            "most": max(shares),
            "recall": found / hidden_words,
        }
        rows.append({"kind": kind, "words": words, **{k: round(v, 4) for k, v in shown.items()}})
        print(rows[-1], flush=True)
    return rows


if __name__ == "__main__":
    main()
