"""Train the model of what people hide to protect a person: src/tacit/models/data/person.npz.

    nice python -m training.person [--knowledge PACK]

Two sets of human masks teach two styles: court cases (TAB) and biographies of actors. Only figures that any text has
are used (tacit.models.person_figures), no word by name. Each text is shown twice: as it is, with the human's masks as
labels, and with the masked words replaced by marks and nothing left to hide, for that is what a released text looks
like. Thresholds are chosen on scores of texts that the network has not seen (5 folds, split by document). Same seeds,
same bytes.

The actors' abstracts are few, all by one hand, and far more is hidden in them than other people hide in a biography.
So a second network of that style learns from both sets and does not see where in a text a word stands, and the
threshold is the one at which the lesser of two F1 is greatest: on actors that the networks have not seen, and on
openings of other biographies of which names and numbers are to be hidden (training/openings.py).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tacit.document import Document, Span
from tacit.evaluate import Case, Masking, Scores, load_cases, score
from tacit.knowledge import Knowledge
from tacit.language import Analysis, analyze
from tacit.models.person import Network, Style, spoken_scores
from tacit.models.person_figures import Words, read_words
from training.openings import openings

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA: dict[Style, Path] = {
    "court": SHARED / "tab" / "echr-dev.jsonl.xz",
    "biography": SHARED / "actors" / "actors-dev.jsonl.xz",
}
TARGET = Path(__file__).resolve().parents[1] / "src" / "tacit" / "models" / "data" / "person.npz"
HIDDEN, FOLDS = 32, 5
EPOCHS: dict[Style, int] = {"court": 5, "biography": 30}
BOTH, OFTEN, COURT_ROWS = 5, 3, 30_000  # the network of both sets: epochs, shows of each actor, rows of court cases
PLACES = (-1, -2, -5)  # figures of a word that say how long the text is and where in it the word stands
RATE, DECAY, DROPPED, BATCH = 2e-3, 1e-4, 0.2, 256
COURT_PRECISION = 0.84  # the court threshold is the lowest one with this precision on unseen texts

Floats = NDArray[np.float32]
Net = tuple[Floats, Floats, Floats, Floats]
Nets = list[Net]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A case with what is known of its words, whether a human hid each, and the words of its masked copy."""

    case: Case
    analysis: Analysis
    words: Words
    hidden: NDArray[np.bool_]
    masked_figures: Floats


def lesson(case: Case, knowledge: Knowledge) -> Lesson:
    """Read a case as it is, and with the human's masks in place."""
    analysis = analyze(Document.of(case.text))
    words = read_words(analysis, knowledge, case.protect)
    covered = np.zeros(len(case.text) + 1, np.bool_)
    for mask in case.masks:
        covered[mask.start : mask.end] = True
    hidden = np.array(
        [
            all(covered[i] for i in range(s, e) if case.text[i].isalnum())
            for s, e in zip(words.starts.tolist(), words.ends.tolist(), strict=True)
        ],
        np.bool_,
    )
    masked = read_words(analyze(Document.of(_masked(case))), knowledge, case.protect)
    return Lesson(case, analysis, words, hidden, masked.figures[masked.solid & ~masked.hidden])


def _masked(case: Case) -> str:
    spans: list[list[int]] = []
    for mask in sorted(case.masks, key=lambda m: m.start):
        if spans and not re.search(r"\w", case.text[spans[-1][1] : mask.start]):
            spans[-1][1] = max(spans[-1][1], mask.end)
        else:
            spans.append([mask.start, mask.end])
    pieces, at = [], 0
    for start, end in spans:
        pieces += [case.text[at:start], "[REDACTED]"]
        at = end
    return "".join([*pieces, case.text[at:]])


def rows_of(lessons: Sequence[Lesson]) -> tuple[Floats, Floats]:
    """Every word of the texts and of their masked copies, and whether it is to be hidden."""
    x = np.concatenate([part for k in lessons for part in (k.words.figures[k.words.solid], k.masked_figures)])
    y = np.concatenate(
        [p for k in lessons for p in (k.hidden[k.words.solid], np.zeros(len(k.masked_figures), np.bool_))]
    )
    return x, y.astype(np.float32)


def train(lessons: Sequence[Lesson], style: Style, court: Sequence[Lesson] = ()) -> Nets:
    """The networks of a style; that of biographies has a second one, which learns from court cases as well."""
    x, y = rows_of(lessons)
    nets = [_train(x, y, EPOCHS[style], seed=0)]
    if style == "biography":
        further, labels = rows_of(court)
        chosen = np.random.default_rng(0).permutation(len(further))[:COURT_ROWS]
        x, y = np.concatenate([x] * OFTEN + [further[chosen]]), np.concatenate([y] * OFTEN + [labels[chosen]])
        x[:, PLACES] = 0
        nets.append(_train(x, y, BOTH, seed=1, unseen=PLACES))
    return nets


def _train(x: Floats, y: Floats, epochs: int, seed: int, unseen: Sequence[int] = ()) -> Net:
    """One network of one hidden layer, by Adam with a falling rate; weights are averaged over the second half."""
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-2
    w, b, v, c = _fit(((x - mean) / spread).astype(np.float32), y, epochs, np.random.default_rng(seed))
    w = w / spread[:, None]
    w[list(unseen)] = 0
    return w, b - mean @ w, v, c


def _fit(x: Floats, y: Floats, epochs: int, rng: np.random.Generator) -> list[Floats]:
    n, width = x.shape
    parts = [
        rng.normal(0, np.sqrt(2 / width), (width, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.1, HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    first, second, sums = ([np.zeros_like(p) for p in parts] for _ in range(3))
    steps, step, averaged = epochs * -(-n // BATCH), 0, 0
    for epoch in range(epochs):
        order = rng.permutation(n)
        for start in range(0, n, BATCH):
            step += 1
            chosen = order[start : start + BATCH]
            rows = x[chosen] * ((rng.random((len(chosen), width)) >= DROPPED) / np.float32(1 - DROPPED))
            layer = np.maximum(rows @ parts[0] + parts[1], 0)
            wrong = (1 / (1 + np.exp(-(layer @ parts[2] + parts[3]))) - y[chosen]) / len(chosen)
            back = np.outer(wrong, parts[2]) * (layer > 0)
            slopes = [
                rows.T @ back + DECAY * parts[0],
                back.sum(axis=0),
                layer.T @ wrong + DECAY * parts[2],
                wrong.sum(keepdims=True),
            ]
            rate = RATE * (1 - step / steps)
            for i, slope in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope**2
                change = first[i] / (1 - 0.9**step) / (np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8)
                parts[i] = (parts[i] - rate * change).astype(np.float32)
            if epoch >= epochs // 2:
                averaged += 1
                for total, part in zip(sums, parts, strict=True):
                    total += part
    return [(total / averaged).astype(np.float32) for total in sums]


def network_of(nets: Nets, threshold: float) -> Network:
    """The networks as the model uses them."""
    w, b, v, c = (np.stack([net[i] for net in nets]).astype(np.float32) for i in range(4))
    return Network(w, b, v, c[:, 0], threshold)


def folds(count: int) -> list[list[int]]:
    """The documents of each fold."""
    order = np.random.default_rng(0).permutation(count).tolist()
    return [order[i::FOLDS] for i in range(FOLDS)]


def unseen_networks(
    lessons: Sequence[Lesson], style: Style, court: Sequence[Lesson] = ()
) -> list[tuple[Network, list[int]]]:
    """For each fold, a network trained on the other ones, without a threshold, and the documents of the fold."""
    found = []
    for fold in folds(len(lessons)):
        rest = [k for i, k in enumerate(lessons) if i not in set(fold)]
        found.append((network_of(train(rest, style, court), 0.0), fold))
    return found


def at_threshold(lessons: Sequence[Lesson], scores: Sequence[NDArray[np.float64]], threshold: float) -> Scores:
    """How words with this score or more agree with the human's masks."""
    spans: dict[str, list[Span]] = {}
    for k, of_words in zip(lessons, scores, strict=True):
        joined: list[Span] = []
        for i in np.flatnonzero((of_words >= threshold) & k.words.solid).tolist():
            start, end = int(k.words.starts[i]), int(k.words.ends[i])
            if joined and not re.search(r"\w", k.case.text[joined[-1][1] : start]):
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((start, end))
        spans[k.case.name] = joined
    return score([k.case for k in lessons], Masking(f"{threshold:.2f}", spans))


def choose(style: Style, scored: Sequence[Callable[[float], Scores]]) -> float:
    """The threshold: for court cases by precision, for biographies by the lesser F1."""
    table = {float(t): [each(float(t)) for each in scored] for t in np.arange(-3, 3.01, 0.125).round(3)}
    for t, found in table.items():
        print(f"  {t:6.3f}", *(f"R {s.recall:.3f}  P {s.precision:.3f}  F1 {s.f1:.3f}  " for s in found))
    if style == "court":
        return min(t for t, [s] in table.items() if (s.precision or 0) >= COURT_PRECISION)
    return max(table, key=lambda t: min(s.f1 or 0 for s in table[t]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--knowledge", help="a pack; default: the embedded one")
    pack = parser.parse_args().knowledge
    knowledge = Knowledge.open(pack) if pack else Knowledge.default()
    lessons = {style: [lesson(case, knowledge) for case in load_cases(path)] for style, path in DATA.items()}
    others = [lesson(case, knowledge) for case in openings(SHARED.parent)]
    stored: dict[str, NDArray[np.float16] | float] = {}
    for style, own in lessons.items():
        scores: list[NDArray[np.float64]] = [np.zeros(0)] * len(own)
        for unseen, fold in unseen_networks(own, style, lessons["court"]):
            for i in fold:
                scores[i] = spoken_scores(own[i].words, own[i].analysis, unseen)
        network = network_of(train(own, style, lessons["court"]), 0.0)
        scored = [partial(at_threshold, own, scores)]
        if style == "biography":
            scored.append(partial(at_threshold, others, [spoken_scores(k.words, k.analysis, network) for k in others]))
        print(style)
        threshold = choose(style, scored)
        print(f"{style}: threshold {threshold}", flush=True)
        for name in ("first", "first_bias", "second", "second_bias"):
            stored[f"{style}.{name}"] = getattr(network, name).astype(np.float16)
        stored[f"{style}.threshold"] = threshold
    TARGET.parent.mkdir(exist_ok=True)
    np.savez_compressed(TARGET, **stored)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
