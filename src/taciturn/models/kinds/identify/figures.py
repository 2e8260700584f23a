"""A document as the network reads it: figures of each word, and of what stands around each piece."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.language.tagger import word_vectors
from taciturn.models.kinds.identify.pieces import Pieces, read_pieces
from taciturn.models.kinds.identify.surroundings import surroundings
from taciturn.models.kinds.identify.traits import word_traits

__all__ = ["Read", "read"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Read:
    """The pieces of a document, the figures of each different word, and of what stands around each piece."""

    pieces: Pieces
    words: Floats
    around: Floats

    def __len__(self) -> int:
        return len(self.pieces)


def read(analysis: Analysis, knowledge: Knowledge) -> Read:
    """The document of an analysis as the network reads it."""
    pieces = read_pieces(analysis.document.text, [(s.start, s.end) for s in analysis.document.segments])
    types = pieces.tokens.types
    words = np.concatenate((word_traits(types, knowledge), word_vectors(types)), axis=1)
    return Read(pieces, words, surroundings(pieces, analysis.terms, knowledge.lexicon))
