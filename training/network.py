"""The network of taciturn.language.tagger as PyTorch trains it, and its weights as the package stores them.

Phrase labels are trained as a conditional random field. Three further outputs (part of speech, dependency relation,
kind) share the layers: the first two are dropped afterwards, they only teach the layers what the treebanks know.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from taciturn.language.tagger import KINDS, LABELS
from taciturn.language.words import SHAPES
from training.lexicon import BUCKETS, TRAITS, Lexicon

WINDOW = 5
_LEGAL = {"O": "OBS", "B": "IE", "I": "IE", "E": "OBS", "S": "OBS"}


def legal() -> NDArray[np.float32]:
    """0 for each pair of labels that may follow each other, a great negative number for the others."""
    return np.array([[0 if b in _LEGAL[a] else -1e4 for b in LABELS] for a in LABELS], np.float32)


class Network(nn.Module):
    def __init__(self, lexicon: Lexicon, tags: int, relations: int, size: int, width: int, layers: int, drop: float):
        super().__init__()
        self.drop = drop
        self.register_buffer("vectors", torch.tensor(lexicon.vectors))
        self.register_buffer("traits", torch.tensor(lexicon.traits))
        self.from_vector = nn.Linear(lexicon.vectors.shape[1], size)
        self.from_traits = nn.Linear(TRAITS, size, bias=False)
        # What a word has of its own beyond its vector. Sparse: a step changes the rows it has seen.
        self.own = nn.Embedding(len(lexicon.vectors), size, padding_idx=0, sparse=True)
        nn.init.zeros_(self.own.weight)
        self.shape = nn.Embedding(SHAPES + 1, size, padding_idx=0)
        self.ends = nn.ModuleList(nn.Embedding(BUCKETS + 1, size, padding_idx=0, sparse=True) for _ in range(4))
        for table, spread in ((self.shape, 0.3), *((end, 0.1) for end in self.ends)):
            nn.init.normal_(table.weight, std=spread)
            table.weight.data[0] = 0
        self.first = nn.Conv1d(size, width, WINDOW, padding=WINDOW // 2)
        self.layers = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1) for _ in range(layers))
        self.labels = nn.Linear(width, len(LABELS))
        self.kinds = nn.Linear(width, len(KINDS))
        self.tags = nn.Linear(width, tags)
        self.relations = nn.Linear(width, relations)
        self.transitions = nn.Parameter(torch.zeros(len(LABELS), len(LABELS)))
        self.register_buffer("legal", torch.tensor(legal()))
        begin, finish = torch.zeros(len(LABELS)), torch.zeros(len(LABELS))
        begin[[LABELS.index("I"), LABELS.index("E")]] = -1e4
        finish[[LABELS.index("B"), LABELS.index("I")]] = -1e4
        self.register_buffer("begin", begin)
        self.register_buffer("finish", finish)

    def sparse_parameters(self) -> list[nn.Parameter]:
        return [self.own.weight, *(end.weight for end in self.ends)]

    def words(self, rows: Tensor) -> Tensor:
        """What the table stores of each row."""
        return self.from_vector(self.vectors[rows]) + self.from_traits(self.traits[rows]) + self.own(rows)

    def forward(self, features: Tensor, real: Tensor) -> Tensor:
        """The last layer: (sentences, tokens, width); ``real`` is false in the padding, which is kept at zero."""
        mask = real.unsqueeze(1).float()
        hidden = self.words(features[..., 0]) + self.shape(features[..., 1])
        for i, table in enumerate(self.ends):
            hidden = hidden + table(features[..., 2 + i])
        hidden = functional.dropout(torch.relu(hidden).transpose(1, 2) * mask, self.drop, self.training)
        hidden = torch.relu(self.first(hidden)) * mask
        for layer in self.layers:
            hidden = functional.dropout(hidden, self.drop, self.training)
            hidden = (hidden + torch.relu(layer(hidden))) * mask
        return functional.dropout(hidden.transpose(1, 2), self.drop, self.training)

    def surprise(self, scores: Tensor, labels: Tensor, real: Tensor) -> Tensor:
        """The negative log-likelihood of each sentence's labels (conditional random field)."""
        moves = self.transitions + self.legal
        weight = real.float()
        path = (scores.gather(2, labels.unsqueeze(2)).squeeze(2) * weight).sum(1)
        path = path + (moves[labels[:, :-1], labels[:, 1:]] * weight[:, 1:]).sum(1)
        total = scores[:, 0] + self.begin
        for step in range(1, scores.shape[1]):
            further = torch.logsumexp(total.unsqueeze(2) + moves, 1) + scores[:, step]
            total = torch.where(real[:, step : step + 1], further, total)
        return torch.logsumexp(total + self.finish, 1) - path


def _bytes(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Rows as signed bytes, and the scale that turns each row back."""
    scale = np.maximum(np.abs(matrix).max(axis=-1) / 127, 1e-6).astype(np.float16)
    return np.clip(np.rint(matrix / scale[..., None].astype(np.float32)), -127, 127).astype(np.int8), scale


def store(network: Network, lexicon: Lexicon, path: Path) -> None:
    """Write the weights as taciturn.language.tagger reads them."""

    def half(tensor: Tensor) -> NDArray[np.float16]:
        return tensor.detach().numpy().astype(np.float16)

    with torch.no_grad():
        table, table_scale = _bytes(network.words(torch.arange(1, len(lexicon.vectors))).numpy())
    ends, ends_scale = _bytes(np.stack([end.weight.detach().numpy()[1:] for end in network.ends]))
    np.savez(
        path,
        words=np.frombuffer("\n".join(lexicon.words).encode("utf-8", "surrogatepass"), np.uint8),
        capitals=np.concatenate(([255], np.rint(255 * lexicon.traits[2:, 0]))).astype(np.uint8),
        table=table,
        table_scale=table_scale,
        ends=ends,
        ends_scale=ends_scale,
        shapes=half(network.shape.weight[1:]),
        first=half(network.first.weight.permute(2, 1, 0)),
        first_bias=half(network.first.bias),
        layers=np.stack([half(layer.weight.permute(2, 1, 0)) for layer in network.layers]),
        layer_biases=np.stack([half(layer.bias) for layer in network.layers]),
        labels=half(network.labels.weight.T),
        labels_bias=half(network.labels.bias),
        kinds=half(network.kinds.weight.T),
        kinds_bias=half(network.kinds.bias),
        transitions=half(network.transitions),
    )
