"""Train the network that finds identifiers, and say what it is worth by cross-validation over documents.

    PYTHONPATH=src python -m training.people.train --shared ../shared [--folds 5]

Two stages. The first reads each piece in its surroundings (models/kinds/identify). The second looks at the whole
document: what the first said of the same word elsewhere, whether the letters are a known person's initials. The second
learns from what the first says of documents that it was not trained on. Needs torch (CPU).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.language import analyze
from taciturn.models.kinds.identify.classes import CLASSES
from taciturn.models.kinds.identify.document import SECOND, second_figures
from taciturn.models.kinds.identify.figures import Read, read
from training.people.documents import UNKNOWN, Marked, court, documents, synthetic, variant
from training.people.prose import notes_with_people, treebank
from training.people.templates import made

HERE = Path(__file__).resolve().parents[2]
WIDTH, REACH, DROP, LAYERS = 96, 2, 0.4, 2
SEED = 7


def labels_of(document: Marked, reading: Read) -> np.ndarray:
    """The class of each piece."""
    found = np.zeros(len(reading), np.int64)
    starts, ends = reading.pieces.tokens.starts, reading.pieces.tokens.ends
    for start, end, label in document.spans:
        found[(starts < end) & (ends > start)] = label
    found[reading.pieces.marks] = UNKNOWN
    return found


def prepared(many: Sequence[Marked], knowledge: Knowledge) -> list[tuple[Read, np.ndarray, Marked]]:
    rows = []
    for document in many:
        reading = read(analyze(Document.of(document.text)), knowledge)
        rows.append((reading, labels_of(document, reading), document))
    return rows


class First(nn.Module):
    def __init__(self, words: int, around: int) -> None:
        super().__init__()
        self.words = nn.Conv1d(words, WIDTH, 2 * REACH + 3, padding=REACH + 1)
        self.around = nn.Linear(around, WIDTH, bias=False)
        self.layers = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, 3, padding=1) for _ in range(LAYERS))
        self.out = nn.Linear(WIDTH, len(CLASSES))

    def forward(self, words: Tensor, around: Tensor) -> Tensor:
        """Logits; rows of one document after the other, (pieces, figures)."""
        words = functional.dropout(words, 0.15, self.training)
        around = functional.dropout(around, 0.2, self.training)
        hidden = functional.relu(self.words(words.T[None])[0].T + self.around(around))
        hidden = functional.dropout(hidden, DROP, self.training)
        for layer in self.layers:
            hidden = hidden + functional.relu(layer(hidden.T[None])[0].T)
            hidden = functional.dropout(hidden, DROP / 2, self.training)
        return self.out(hidden)


GAP = REACH + 2


def joined(rows: Sequence[tuple[Read, np.ndarray, Marked]]) -> tuple[Tensor, Tensor, Tensor]:
    """Several documents in one row, with gaps that no window crosses."""
    words, around, labels = [], [], []
    for reading, wanted, _ in rows:
        words += [reading.words[reading.pieces.tokens.ids], np.zeros((GAP, reading.words.shape[1]), np.float32)]
        around += [reading.around, np.zeros((GAP, reading.around.shape[1]), np.float32)]
        labels += [wanted, np.full(GAP, UNKNOWN)]
    return (
        torch.tensor(np.concatenate(words)),
        torch.tensor(np.concatenate(around)),
        torch.tensor(np.concatenate(labels)),
    )


def train_first(rows: list[tuple[Read, np.ndarray, Marked]], weights: list[float], epochs: int, seed: int) -> First:
    torch.manual_seed(seed)
    chooser = random.Random(seed)
    network = First(rows[0][0].words.shape[1], rows[0][0].around.shape[1])
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-2)
    order = list(range(len(rows)))
    batches_total = epochs * (sum(len(r[0]) for r in rows) // 1500 + 1)
    step = 0
    for _ in range(epochs):
        chooser.shuffle(order)
        batch: list[int] = []
        for number, at in enumerate(order):
            batch.append(at)
            if sum(len(rows[i][0]) for i in batch) < 1500 and number < len(order) - 1:
                continue
            words, around, labels = joined([rows[i] for i in batch])
            weight = torch.tensor(
                np.concatenate([np.full(len(rows[i][0]) + GAP, weights[i], np.float32) for i in batch])
            )
            batch = []
            for group in optimizer.param_groups:
                group["lr"] = 2e-3 * min(1.0, (step + 1) / 100) * max(0.02, 1 - step / batches_total)
            step += 1
            network.train()
            known = labels != UNKNOWN
            loss = functional.cross_entropy(network(words, around)[known], labels[known], reduction="none")
            loss = (loss * weight[known]).sum() / weight[known].sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    network.eval()
    return network


def logits(networks: Sequence[First], reading: Read) -> np.ndarray:
    """What several first looks say on average."""
    with torch.no_grad():
        words, around = torch.tensor(reading.words[reading.pieces.tokens.ids]), torch.tensor(reading.around)
        return torch.stack([network(words, around) for network in networks]).mean(dim=0).numpy()


class Second(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(SECOND, 32)
        self.out = nn.Linear(32, len(CLASSES))

    def forward(self, rows: Tensor, first: Tensor) -> Tensor:
        hidden = functional.dropout(functional.relu(self.inner(rows)), 0.2, self.training)
        return first + self.out(hidden)


def train_second(rows: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], epochs: int = 30) -> Second:
    torch.manual_seed(SEED)
    network = Second()
    nn.init.zeros_(network.out.weight)
    nn.init.zeros_(network.out.bias)
    figures = torch.tensor(np.concatenate([r[0] for r in rows]))
    first = torch.tensor(np.concatenate([r[1] for r in rows]))
    wanted = torch.tensor(np.concatenate([r[2] for r in rows]))
    keep = wanted != UNKNOWN
    figures, first, wanted = figures[keep], first[keep], wanted[keep]
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-2)
    for epoch in range(epochs):
        network.train()
        order = torch.randperm(len(wanted))
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * (1 - epoch / epochs)
        for begin in range(0, len(order), 1024):
            at = order[begin : begin + 1024]
            loss = functional.cross_entropy(network(figures[at], first[at]), wanted[at])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    network.eval()
    return network


def measure(rows: Sequence[tuple[Read, np.ndarray, Marked]], scores: Sequence[np.ndarray], bias: float) -> str:
    """Recall of whole entities and precision of spans for each class, ``bias`` added to every class but O."""
    found, total, spans, right = (dict.fromkeys(CLASSES, 0) for _ in range(4))
    for (reading, _, document), score in zip(rows, scores, strict=True):
        shifted = score.copy()
        shifted[:, 1:] += bias
        best = shifted.argmax(axis=1)
        tokens = reading.pieces.tokens
        texts = [tokens.types[i] for i in tokens.ids.tolist()]
        real = np.array([any(map(str.isalnum, t)) for t in texts])
        hidden = (best > 0) | ~real
        for start, end, label in document.spans:
            inside = (tokens.starts < end) & (tokens.ends > start)
            total[CLASSES[label]] += 1
            found[CLASSES[label]] += bool(hidden[inside].all())
        previous = 0
        for at, label in enumerate(best.tolist()):
            if label and real[at] and (label != previous or not at):
                spans[CLASSES[label]] += 1
                right[CLASSES[label]] += any(
                    s < tokens.ends[at] and tokens.starts[at] < e for s, e, _ in document.spans
                )
            previous = label if real[at] else previous
    parts = [
        f"{name[:8]} {found[name] / max(total[name], 1):.3f}/{right[name] / max(spans[name], 1):.3f}"
        for name in CLASSES[1:]
    ]
    return "  ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=HERE.parent / "shared")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--variants", type=int, default=8)
    parser.add_argument("--made", type=int, default=320, help="documents from templates")
    parser.add_argument("--networks", type=int, default=2, help="first looks that are averaged")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--output", type=Path, default=None)
    options = parser.parse_args()
    torch.set_num_threads(1)
    knowledge = Knowledge.default()
    chooser = random.Random(SEED)
    begin = time.process_time()
    gold = prepared(documents(options.shared), knowledge)
    varied = {
        document.id: prepared([variant(document, chooser) for _ in range(options.variants)], knowledge)
        for _, _, document in gold
    }
    extra = prepared(synthetic(options.shared)[::2], knowledge)
    extra += prepared([variant(d, chooser) for d in court(options.shared, 3000)[::2]], knowledge)
    extra += prepared(made(options.made, chooser), knowledge)
    extra += prepared([n for at, n in enumerate(notes_with_people(options.shared, chooser)) if at % 3], knowledge)
    extra += prepared(treebank(options.shared)[::6], knowledge)
    print(f"read: {time.process_time() - begin:.0f} s", flush=True)

    def stage_one(training: Sequence[tuple[Read, np.ndarray, Marked]], count: int) -> list[First]:
        rows = [(r, y, d) for r, y, d in training] * 2 + [v for _, _, d in training for v in varied[d.id]]
        weights = [1.0] * len(rows) + [0.6] * len(extra)
        return [train_first(rows + extra, weights, options.epochs, SEED + number) for number in range(count)]

    # Documents of one kind stand in different folds, as they do in the documents that judge.
    fold_of = {document.id: number % options.folds for number, (_, _, document) in enumerate(gold)}
    out_of_fold: dict[str, np.ndarray] = {}
    firsts: dict[int, list[First]] = {}
    for fold in range(options.folds):
        network = firsts[fold] = stage_one([g for g in gold if fold_of[g[2].id] != fold], options.networks)
        for reading, _, document in gold:
            if fold_of[document.id] == fold:
                out_of_fold[document.id] = logits(network, reading)
                for number, (other, _, _) in enumerate(varied[document.id]):
                    out_of_fold[f"{document.id}/{number}"] = logits(network, other)
        print(f"fold {fold}: {time.process_time() - begin:.0f} s", flush=True)
    scores = [out_of_fold[d.id] for _, _, d in gold]
    for bias in (0.0, 1.0, 2.0):
        print(f"first, bias {bias}: {measure(gold, scores, bias)}", flush=True)

    def second_rows(ids: Sequence[tuple[str, Read, np.ndarray]]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        return [(second_figures(reading, out_of_fold[name]), out_of_fold[name], y) for name, reading, y in ids]

    def training_rows(fold: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        chosen = [g for g in gold if fold < 0 or fold_of[g[2].id] != fold]
        ids = [(d.id, r, y) for r, y, d in chosen]
        ids += [(f"{d.id}/{n}", r, y) for _, _, d in chosen for n, (r, y, _) in enumerate(varied[d.id])]
        return second_rows(ids)

    final: dict[str, np.ndarray] = {}
    for fold in range(options.folds):
        second = train_second(training_rows(fold))
        if options.output:
            store(options.output.with_suffix(f".{fold}.npz"), firsts[fold], second)
        for reading, _, document in gold:
            if fold_of[document.id] == fold:
                figures = torch.tensor(second_figures(reading, out_of_fold[document.id]))
                with torch.no_grad():
                    final[document.id] = second(figures, torch.tensor(out_of_fold[document.id])).numpy()
    scores = [final[d.id] for _, _, d in gold]
    for bias in (0.0, 0.5, 1.0, 1.5, 2.0):
        print(f"second, bias {bias}: {measure(gold, scores, bias)}", flush=True)
    if options.output:
        store(options.output, stage_one(gold, options.networks), train_second(training_rows(-1)))


def store(path: Path, networks: Sequence[First], second: Second) -> None:
    """Write the weights as models/kinds/identify/network.py reads them."""
    arrays = {
        "words": [network.words.weight.permute(2, 1, 0) for network in networks],
        "words_bias": [network.words.bias for network in networks],
        "around": [network.around.weight.T for network in networks],
        "layers": [torch.stack([layer.weight.permute(2, 1, 0) for layer in network.layers]) for network in networks],
        "layer_biases": [torch.stack([layer.bias for layer in network.layers]) for network in networks],
        "out": [network.out.weight.T for network in networks],
        "out_bias": [network.out.bias for network in networks],
    }
    stored = {name: torch.stack(each).detach().numpy() for name, each in arrays.items()}
    stored |= {
        "second": second.inner.weight.detach().T.numpy(),
        "second_bias": second.inner.bias.detach().numpy(),
        "final": second.out.weight.detach().T.numpy(),
        "final_bias": second.out.bias.detach().numpy(),
    }
    np.savez_compressed(path, **{name: a.astype(np.float16) for name, a in stored.items()})
    print(f"{path}: {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
