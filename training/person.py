"""Train the model of what people hide to protect a person: src/taciturn/models/data/person.npz.

    nice python -m training.person [--knowledge PACK]

Two sets of human masks teach two styles: court cases (TAB) and biographies of actors. The general style learns from
letters, notes, reports and mails in which everything that identifies is marked, from a third of the court cases, and
from openings of biographies (training/openings.py). Figures that any text has are
used (taciturn.models.person.figures), and but for biographies the words in and around each word as well
(taciturn.models.person.contexts): by vectors, and by hashed numbers of which only those are kept that several texts
have. Each text is shown twice: as it is, with the human's masks as
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
import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Document, Span
from taciturn.knowledge import Knowledge
from taciturn.lab.evaluate import Case, Mask, Masking, Scores, load_cases, score
from taciturn.language import Analysis, analyze
from taciturn.models.person.contexts import Contexts
from taciturn.models.person.figures import Words, read_words
from taciturn.models.person.model import Network, Style, known_rows, spoken_scores
from training.openings import openings

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA: dict[Style, Path] = {
    "court": SHARED / "tab" / "echr-dev.jsonl.xz",
    "biography": SHARED / "actors" / "actors-dev.jsonl.xz",
    "general": SHARED / "deid" / "docs-dev.jsonl.xz",
}
TARGET = Path(__file__).resolve().parents[1] / "src" / "taciturn" / "models" / "person" / "data" / "person.npz"
HIDDEN, FOLDS = 32, 5
EPOCHS: dict[Style, int] = {"court": 5, "biography": 30, "general": 5}
BOTH, OFTEN, COURT_ROWS = 5, 3, 30_000  # the network of both sets: epochs, shows of each actor, rows of court cases
THIRD = 3  # of the court cases the general style learns from one of so many; the others judge it
PLACES = (-1, -2, -5)  # figures of a word that say how long the text is and where in it the word stands
LEVELS = 15  # weights of numbers are stored in so many steps on either side of nought
TEXTS = 4  # a number is known if so many texts have it
RATE, DECAY, DROPPED, FORGOTTEN, BATCH = 2e-3, 1e-4, 0.2, 0.3, 256
COURT_PRECISION = 0.84  # the court threshold is the lowest one with this precision on unseen texts

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Net:
    """One network: weights of figures (and of contexts below them), of the hidden layer, and rows of known numbers."""

    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    rows: Floats | None = None


@dataclass(frozen=True, slots=True)
class Nets:
    """The networks of a style; if they look at contexts, the numbers that they know and their count of figures."""

    nets: list[Net]
    numbers: Ints | None = None
    figures: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """A case with what is known of its words, whether a human hid each, and the words of its masked copy."""

    case: Case
    analysis: Analysis
    words: Words
    hidden: NDArray[np.bool_]
    masked: Words


def lesson(case: Case, knowledge: Knowledge) -> Lesson:
    """Read a case as it is, and with the human's masks in place."""
    analysis = analyze(Document.of(case.text))
    words = read_words(analysis, knowledge, case.protect, contexts=True)
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
    masked = read_words(analyze(Document.of(_masked(case))), knowledge, case.protect, contexts=True)
    return Lesson(case, analysis, words, hidden, masked)


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
    """The figures of every word of the texts and of their masked copies, and whether it is to be hidden."""
    x = [words.figures[_open(words)] for k in lessons for words in (k.words, k.masked)]
    y = [part for k in lessons for part in (k.hidden[_open(k.words)], np.zeros(_open(k.masked).sum(), np.bool_))]
    return np.concatenate(x), np.concatenate(y).astype(np.float32)


def _open(words: Words) -> NDArray[np.bool_]:
    return words.solid & ~words.hidden


def cases_of(style: Style) -> list[Case]:
    """The texts that teach a style; of the general one those of which everything that identifies is marked."""
    if style != "general":
        return load_cases(DATA[style])
    found = []
    with lzma.open(DATA[style], "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            people = Counter(e["text"] for e in row["entities"] if e["type"] == "PERSON")
            masks = tuple(Mask(e["start"], e["end"]) for e in row["entities"])
            found.append(Case(row["id"], row["text"], (people.most_common(1)[0][0],), masks))
    return found


def train(lessons: Sequence[Lesson], style: Style, further: Sequence[Lesson] = ()) -> Nets:
    """The networks of a style. That of biographies has a second one, which learns from ``further`` texts as well; the
    general one learns from them all. Court cases gain nothing from other texts."""
    if style == "court":
        return _train_with_contexts(lessons, EPOCHS[style])
    if style == "general":
        return _train_with_contexts([*lessons, *lessons, *further], EPOCHS[style])
    x, y = rows_of(lessons)
    nets = [_train(x, y, EPOCHS[style], seed=0)]
    others, labels = rows_of(further)
    chosen = np.random.default_rng(0).permutation(len(others))[:COURT_ROWS]
    x, y = np.concatenate([x] * OFTEN + [others[chosen]]), np.concatenate([y] * OFTEN + [labels[chosen]])
    x[:, PLACES] = 0
    nets.append(_train(x, y, BOTH, seed=1, unseen=PLACES))
    return Nets(nets)


def _train_with_contexts(lessons: Sequence[Lesson], epochs: int) -> Nets:
    """A network that looks at contexts as well."""
    counts: Counter[int] = Counter()
    for k in lessons:
        counts.update(np.unique(_contexts(k.words).numbers).tolist())
    known = np.array(sorted(n for n, count in counts.items() if n >= 0 and count >= TEXTS), np.int64)
    x, y = rows_of(lessons)
    shown = [(words, _open(words)) for k in lessons for words in (k.words, k.masked)]
    near = np.concatenate([_contexts(words).rows()[chosen] for words, chosen in shown])
    seen = np.concatenate([known_rows(_contexts(words).numbers[chosen], known) for words, chosen in shown])
    net = _train(np.concatenate([x, near], axis=1), y, epochs, seed=0, numbers=seen, known=len(known))
    return Nets([net], known, x.shape[1])


def _contexts(words: Words) -> Contexts:
    assert words.contexts is not None
    return words.contexts


def _train(
    x: Floats,
    y: Floats,
    epochs: int,
    seed: int,
    unseen: Sequence[int] = (),
    numbers: Ints | None = None,
    known: int = 0,
) -> Net:
    """One network of one hidden layer, by Adam with a rate that falls to nothing, on figures made alike in spread."""
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-2
    x = ((x - mean) / spread).astype(np.float32)
    w, b, v, c, rows = _fit(x, y, epochs, np.random.default_rng(seed), numbers, known)
    w = w / spread[:, None]
    w[list(unseen)] = 0
    return Net(w, b - mean @ w, v, c, rows[:-1] if known else None)


def _fit(
    x: Floats,
    y: Floats,
    epochs: int,
    rng: np.random.Generator,
    numbers: Ints | None,
    known: int,
) -> list[Floats]:
    """Weights of the layers, and a row for each known number (the last one, of zeros, is for the unknown)."""
    n, width = x.shape
    parts = [
        rng.normal(0, np.sqrt(2 / width), (width, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.1, HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    table = np.append(rng.normal(0, 0.02, (known, HIDDEN)), np.zeros((1, HIDDEN)), axis=0).astype(np.float32)
    first, second = ([np.zeros_like(p) for p in [*parts, table]] for _ in range(2))
    steps, step = epochs * -(-n // BATCH), 0
    kept = np.float32(1 - DROPPED)
    for _ in range(epochs):
        order = rng.permutation(n)
        for start in range(0, n, BATCH):
            rate = RATE * (1 - step / steps)
            step += 1
            chosen = order[start : start + BATCH]
            size = len(chosen)
            rows = x[chosen] * ((rng.random((size, width), np.float32) >= DROPPED) / kept)
            layer = rows @ parts[0] + parts[1]
            if numbers is not None:
                seen = numbers[chosen]
                seen = np.where(rng.random(seen.shape, np.float32) < FORGOTTEN, known, seen)
                layer += table[seen].sum(axis=1)
            switch = (layer > 0) * ((rng.random((size, HIDDEN), np.float32) >= DROPPED) / kept)
            layer = layer * switch
            wrong = (1 / (1 + np.exp(-(layer @ parts[2] + parts[3]))) - y[chosen]) / size
            back = (np.outer(wrong, parts[2]) * switch).astype(np.float32)
            slopes = [
                rows.T @ back + DECAY * parts[0],
                back.sum(axis=0),
                layer.T @ wrong + DECAY * parts[2],
                wrong.sum(keepdims=True),
            ]
            for i, slope in enumerate(slopes):
                parts[i] = parts[i] - _change(first[i], second[i], slope, step, rate)
            if numbers is not None:
                flat = seen.ravel()
                by_number = np.argsort(flat, kind="stable")
                ids, begins = np.unique(flat[by_number], return_index=True)
                slope = np.add.reduceat(back[by_number // seen.shape[1]], begins)[ids < known]
                ids = ids[ids < known]
                means, squares = first[-1][ids], second[-1][ids]
                table[ids] -= _change(means, squares, slope, step, rate)
                first[-1][ids], second[-1][ids] = means, squares
    return [*parts, table]


def _change(mean: Floats, square: Floats, slope: Floats, step: int, rate: float) -> Floats:
    """Adam's step; the running means are moved in place."""
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope**2 - square)
    change: Floats = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    change *= rate
    return change


def network_of(nets: Nets, threshold: float) -> Network:
    """The networks as the model uses them."""
    first, b, v, c = (
        np.stack([getattr(net, name) for net in nets.nets]).astype(np.float32)
        for name in ("first", "first_bias", "second", "second_bias")
    )
    if nets.numbers is None:
        return Network(first, b, v, c[:, 0], threshold)
    rows = np.stack([net.rows for net in nets.nets if net.rows is not None])
    rows = np.append(rows, np.zeros_like(rows[:, :1]), axis=1)
    seen, near = first[:, : nets.figures], first[:, nets.figures :]
    return Network(seen, b, v, c[:, 0], threshold, near, nets.numbers, rows)


def stored_arrays(network: Network) -> dict[str, NDArray[np.generic]]:
    """The arrays that the package carries: halves, and rows of numbers as small whole numbers with a scale each."""
    arrays: dict[str, NDArray[np.generic]] = {
        name: getattr(network, name).astype(np.float16) for name in ("first", "first_bias", "second", "second_bias")
    }
    if network.near is not None and network.rows is not None and network.numbers is not None:
        rows = network.rows[:, :-1]
        scales = np.maximum(np.abs(rows).max(axis=2) / LEVELS, 1e-6).astype(np.float16)
        arrays["near"] = network.near.astype(np.float16)
        arrays["numbers"] = network.numbers.astype(np.uint32)
        arrays["scales"] = scales
        arrays["rows"] = np.clip(np.rint(rows / scales[..., None].astype(np.float32)), -LEVELS, LEVELS).astype(np.int8)
    return arrays


def folds(count: int) -> list[list[int]]:
    """The documents of each fold."""
    order = np.random.default_rng(0).permutation(count).tolist()
    return [order[i::FOLDS] for i in range(FOLDS)]


def unseen_networks(
    lessons: Sequence[Lesson], style: Style, further: Sequence[Lesson] = ()
) -> list[tuple[Network, list[int]]]:
    """For each fold, a network trained on the other ones, without a threshold, and the documents of the fold."""
    found = []
    for fold in folds(len(lessons)):
        rest = [k for i, k in enumerate(lessons) if i not in set(fold)]
        found.append((network_of(train(rest, style, further), 0.0), fold))
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
    """The threshold: for court cases by precision, else by the lesser F1."""
    table = {float(t): [each(float(t)) for each in scored] for t in np.arange(-3, 3.01, 0.125).round(3)}
    for t, found in table.items():
        print(f"  {t:6.3f}", *(f"R {s.recall:.3f}  P {s.precision:.3f}  F1 {s.f1:.3f}  " for s in found))
    if style == "court":
        return min(t for t, [s] in table.items() if (s.precision or 0) >= COURT_PRECISION)
    return max(table, key=lambda t: min(s.f1 or 0 for s in table[t]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--knowledge", help="a pack; default: the embedded one")
    parser.add_argument("--style", action="append", choices=[*DATA], help="train this one and keep the others")
    options = parser.parse_args()
    knowledge = Knowledge.open(options.knowledge) if options.knowledge else Knowledge.default()
    lessons = {style: [lesson(case, knowledge) for case in cases_of(style)] for style in DATA}
    others = [lesson(case, knowledge) for case in openings(SHARED.parent)]
    further = {"biography": lessons["court"], "general": [*lessons["court"][::THIRD], *others], "court": []}
    stored: dict[str, NDArray[np.generic] | float] = {}
    if options.style:
        with np.load(TARGET) as kept:
            stored |= {name: kept[name] for name in kept.files if name.split(".")[0] not in options.style}
    for style in options.style or DATA:
        own = lessons[style]
        scores: list[NDArray[np.float64]] = [np.zeros(0)] * len(own)
        for unseen, fold in unseen_networks(own, style, further[style]):
            for i in fold:
                scores[i] = spoken_scores(own[i].words, own[i].analysis, unseen)
        network = network_of(train(own, style, further[style]), 0.0)
        scored = [partial(at_threshold, own, scores)]
        if style == "biography":
            scored.append(partial(at_threshold, others, [spoken_scores(k.words, k.analysis, network) for k in others]))
        if style == "general":
            unseen_cases = [k for i, k in enumerate(lessons["court"]) if i % THIRD]
            court = [spoken_scores(k.words, k.analysis, network) for k in unseen_cases]
            scored.append(partial(at_threshold, unseen_cases, court))
        print(style)
        threshold = choose(style, scored)
        print(f"{style}: threshold {threshold}", flush=True)
        stored |= {f"{style}.{name}": array for name, array in stored_arrays(network).items()}
        stored[f"{style}.threshold"] = threshold
    TARGET.parent.mkdir(exist_ok=True)
    np.savez_compressed(TARGET, **stored)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
