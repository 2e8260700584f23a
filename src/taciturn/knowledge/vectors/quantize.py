"""Product quantization: a vector in one byte for every few of its numbers.

A vector is cut into pieces of equal length; each piece is written as the number of the nearest of 256 centroids, which
were learnt for that place. A rotation before, the same for all, spreads the variance evenly over the pieces; it changes
no product of two vectors, so it need not be undone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["decode", "encode", "learn_codebooks", "rotation"]

CENTROIDS = 256
_BLOCK = 1 << 14
Floats = NDArray[np.float32]


def rotation(size: int, seed: int) -> Floats:
    """An orthogonal matrix that depends on the seed alone.

    >>> turn = rotation(4, 1)
    >>> bool(np.allclose(turn @ turn.T, np.eye(4), atol=1e-6))
    True
    """
    basis, upper = np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))
    return (basis * np.sign(np.diag(upper))).astype(np.float32)


def learn_codebooks(vectors: Floats, pieces: int, seed: int, rounds: int = 15) -> Floats:
    """Centroids of each piece, as an array (pieces, 256, length of a piece): k-means from seeded rows."""
    if vectors.shape[1] % pieces:
        raise ValueError(f"{vectors.shape[1]} numbers cannot be cut into {pieces} equal pieces; choose a divisor")
    rng = np.random.default_rng(seed)
    books = []
    for part in np.split(vectors, pieces, axis=1):
        book = part[rng.choice(len(part), CENTROIDS, replace=len(part) < CENTROIDS)]
        for _ in range(rounds):
            nearest = _nearest(part, book)
            sizes = np.bincount(nearest, minlength=CENTROIDS)
            sums = np.stack([np.bincount(nearest, column, CENTROIDS) for column in part.T], axis=1)
            # A centroid that lost all its rows starts anew from some row.
            book = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], part[rng.choice(len(part), 256)])
            book = book.astype(np.float32)
        books.append(book)
    return np.stack(books)


def encode(vectors: Floats, books: Floats) -> NDArray[np.uint8]:
    """The codes of vectors: for each, a byte a piece."""
    parts = np.split(vectors, len(books), axis=1)
    return np.stack([_nearest(part, book) for part, book in zip(parts, books, strict=True)], axis=1).astype(np.uint8)


def decode(codes: NDArray[np.uint8], books: Floats) -> Floats:
    """Vectors from their codes, near to those that were encoded.

    >>> rows = np.arange(8, dtype=np.float32).reshape(4, 2)
    >>> books = learn_codebooks(rows, 1, seed=1)
    >>> decode(encode(rows, books), books).tolist() == rows.tolist()
    True
    """
    found: Floats = books[np.arange(len(books)), codes].reshape(len(codes), books.shape[0] * books.shape[2])
    return found


def _nearest(part: Floats, book: Floats) -> NDArray[np.int64]:
    norms = (book**2).sum(axis=1)
    found = [np.argmin(norms - 2 * part[at : at + _BLOCK] @ book.T, axis=1) for at in range(0, len(part), _BLOCK)]
    return np.concatenate(found) if found else np.zeros(0, np.int64)
