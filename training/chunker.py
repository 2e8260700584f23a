"""From ../shared to the tagger's weights, in one command:

    OMP_NUM_THREADS=1 PYTHONPATH=src python -m training.chunker

Reads the treebanks, the corpus and WordNet's word lists; writes src/taciturn/language/en/tagger.npz and prints F1 on
the development parts. Needs torch (CPU) beside what the package needs. The seeds are fixed and one thread is used, so
the same machine gives the same weights. About 15 minutes of one core.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from taciturn.language.tagger import KINDS, Weights, read_weights, tag
from taciturn.language.tokens import tokenize
from training.lexicon import Lexicon
from training.names import examples, titles
from training.network import Network, store
from training.treebank import UNKNOWN, Sentence, gold_tools, read
from training.vectors import Vectors, documents, learn

HERE = Path(__file__).resolve().parents[1]
SEED = 1
VECTOR = 128  # numbers in a word's vector as counted; the table stores SIZE
SIZE, WIDTH, LAYERS, DROP = 96, 96, 2, 0.3
EPOCHS, RATE, BATCH = 12, 2e-3, 700  # BATCH in tokens
AUXILIARY, KIND = 0.3, 0.5
EXAMPLES, NOISY = 10_000, 0.5  # sentences with known names, for kinds only, and what they weigh
RECASED = 0.04  # the share of sentences shown in small letters or in capitals only
AVERAGED = 0.9  # every 50 steps the kept weights move a tenth towards the current ones

Row = tuple[list[tuple[int, ...]], list[int], list[int], list[int], list[int]]


def vectors_of(corpus: Path, cache: Path) -> Vectors:
    """The word vectors, counted once and kept in ``cache``."""
    if cache.exists():
        with np.load(cache) as stored:
            words = stored["words"].tobytes().decode().split("\n")
            return Vectors(words, stored["vectors"], stored["capitals"])
    vectors = learn(documents(corpus), VECTOR)
    words = np.frombuffer("\n".join(vectors.words).encode("utf-8", "surrogatepass"), np.uint8)
    np.savez(cache, words=words, vectors=vectors.vectors, capitals=vectors.capitals)
    return vectors


def numbered(labels: Sequence[list[str]]) -> dict[str, int]:
    """A number for each label that occurs more than 20 times."""
    counts = Counter(label for each in labels for label in each)
    return {label: i for i, label in enumerate(sorted(label for label, count in counts.items() if count > 20))}


def batches(rows: Sequence[Row], rng: random.Random) -> list[list[int]]:
    """Sentences of similar length together, in random order, about BATCH tokens each, padding included."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]) + 4 * rng.random())
    found: list[list[int]] = [[]]
    for i in order:
        if found[-1] and (len(found[-1]) + 1) * len(rows[i][0]) > BATCH:
            found.append([])
        found[-1].append(i)
    rng.shuffle(found)
    return found


def padded(columns: Sequence[Sequence[object]], filler: int) -> Tensor:
    """Rows of different lengths as one tensor."""
    arrays = [np.asarray(column, np.int64) for column in columns]
    result = np.full((len(arrays), max(map(len, arrays)), *arrays[0].shape[1:]), filler, np.int64)
    for row, array in zip(result, arrays, strict=True):
        row[: len(array)] = array
    return torch.tensor(result)


def train(network: Network, lexicon: Lexicon, versions: list[list[Row]], named: list[Row], epochs: int) -> None:
    """Adam with a rate that falls to nothing; afterwards the network holds the average of its last weights.

    ``versions`` are the sentences as written, in small letters, and in capitals; ``named`` have labels for kinds only.
    """
    rng = random.Random(SEED)
    sparse = network.sparse_parameters()
    dense = [p for p in network.parameters() if not any(p is s for s in sparse)]
    optimizers = [torch.optim.Adam(dense, betas=(0.9, 0.98)), torch.optim.SparseAdam(sparse, betas=(0.9, 0.98))]
    # A word seen once is shown as unknown with probability 1/5, one seen often hardly ever.
    hidden_share = torch.zeros(len(lexicon.vectors))
    for word, count in lexicon.count.items():
        hidden_share[lexicon.rows.get(word, 1)] = 0.25 / (0.25 + count)
    average: dict[str, Tensor] = {}
    total = epochs * (len(batches(versions[0], rng)) + len(batches(named, rng)))
    step = 0
    for epoch in range(epochs):
        network.train()
        begin, loss_sum = time.process_time(), 0.0
        rows = [
            versions[rng.choices((0, 1, 2), (1 - RECASED, RECASED / 2, RECASED / 2))[0]][i]
            for i in range(len(versions[0]))
        ]
        work = [[rows[i] for i in batch] for batch in batches(rows, rng)]
        work += [[named[i] for i in batch] for batch in batches(named, rng)]
        rng.shuffle(work)
        for batch in work:
            rate = RATE * min(1.0, (step + 1) / 200) * max(0.005, 1 - step / total)
            for optimizer in optimizers:
                optimizer.param_groups[0]["lr"] = rate
                optimizer.zero_grad()
            loss = loss_of(network, batch, hidden_share)
            loss.backward()
            nn.utils.clip_grad_norm_(dense, 5.0)
            for optimizer in optimizers:
                optimizer.step()
            loss_sum += float(loss.detach())
            step += 1
            if step % 50 == 0:
                for name, value in network.named_parameters():
                    if epoch == 0 or name not in average:
                        average[name] = value.detach().clone()
                    else:
                        average[name].mul_(AVERAGED).add_(value.detach(), alpha=1 - AVERAGED)
        print(
            f"epoch {epoch + 1}: loss {loss_sum / (total / epochs):.4f}, {time.process_time() - begin:.0f} s",
            flush=True,
        )
    with torch.no_grad():
        for name, value in network.named_parameters():
            value.copy_(average[name])
    network.eval()


def loss_of(network: Network, rows: Sequence[Row], hidden_share: Tensor) -> Tensor:
    """Phrases, with parts of speech, relations and kinds beside them."""
    features = padded([row[0] for row in rows], 0)
    real = features[..., 0] > 0
    words = features[..., 0]
    features[..., 0] = torch.where((torch.rand(words.shape) < hidden_share[words] + 0.01) & real, 1, words)
    hidden = network(features, real)
    count = real.sum()
    flat = hidden.flatten(0, 1)
    kinds = padded([row[2] for row in rows], UNKNOWN).flatten()
    loss = KIND * functional.cross_entropy(network.kinds(flat), kinds, ignore_index=UNKNOWN, reduction="sum") / count
    if not rows[0][1]:  # sentences of which only names are known
        return NOISY * loss
    loss = loss + network.surprise(network.labels(hidden), padded([row[1] for row in rows], 0), real).sum() / count
    for output, column in ((network.tags, 3), (network.relations, 4)):
        wanted = padded([row[column] for row in rows], UNKNOWN).flatten()
        loss = loss + AUXILIARY * functional.cross_entropy(output(flat), wanted, ignore_index=UNKNOWN)
    return loss


def f1(sentences: Sequence[Sentence], weights: Weights) -> float:
    """Exact-span F1 of the stored weights, by the package's own code."""
    hits = found = wanted = 0
    for sentence in sentences:
        tokens = tokenize(sentence.text)
        ended = np.zeros(len(tokens), np.bool_)
        ended[-1:] = True
        phrases = tag(tokens, ended, weights)
        firsts, lasts = tokens.starts[phrases.firsts].tolist(), tokens.ends[phrases.lasts].tolist()
        spans = set(zip(firsts, lasts, strict=True))
        hits += len(spans & set(sentence.gold))
        found += len(spans)
        wanted += len(sentence.gold)
    return 2 * hits / (found + wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=HERE.parent / "shared")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"), help="Debian's wordnet-base")
    parser.add_argument("--vectors", type=Path, default=HERE / "build" / "vectors.npz", help="kept between runs")
    parser.add_argument("--output", type=Path, default=HERE / "src" / "taciturn" / "language" / "en" / "tagger.npz")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()

    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    options.vectors.parent.mkdir(parents=True, exist_ok=True)
    vectors = vectors_of(options.shared / "data" / "corpus", options.vectors)
    tools = gold_tools(options.shared)
    folder = options.shared / "data" / "treebank"
    parts = {
        f"{bank}-{part}": read(folder / f"{bank}-{part}.conllu.xz", tools, entities=bank == "gum")
        for bank in ("ewt", "gum")
        for part in ("train", "dev")
    }
    sentences = [s for s in parts["ewt-train"] + parts["gum-train"] if s.words]
    names = titles(options.shared / "data" / "corpus", options.wordnet)
    lexicon = Lexicon(vectors, (s.words for s in sentences), names, options.wordnet)
    named: list[Row] = [
        ([lexicon.features(w) for w in words], [], [KINDS.index(k) if k else UNKNOWN for k in kinds], [], [])
        for words, kinds in examples(options.shared / "data" / "corpus", names, EXAMPLES)
    ]
    tags, relations = numbered([s.tags for s in sentences]), numbered([s.relations for s in sentences])

    def row(sentence: Sentence, words: list[str]) -> Row:
        return (
            [lexicon.features(word) for word in words],
            sentence.labels,
            sentence.kinds,
            [tags.get(tag, UNKNOWN) for tag in sentence.tags],
            [relations.get(relation, UNKNOWN) for relation in sentence.relations],
        )

    versions = [
        [row(s, s.words) for s in sentences],
        [row(s, [word.lower() for word in s.words]) for s in sentences],
        [row(s, [word.upper() for word in s.words]) for s in sentences],
    ]
    network = Network(lexicon, len(tags), len(relations), SIZE, WIDTH, LAYERS, DROP)
    train(network, lexicon, versions, named, options.epochs)
    store(network, lexicon, options.output)
    with options.output.open("rb") as file:
        weights = read_weights(file)
    for name in ("ewt-dev", "gum-dev"):
        print(f"{name}: F1 {f1(parts[name], weights):.4f}")


if __name__ == "__main__":
    main()
