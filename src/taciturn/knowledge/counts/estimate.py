"""Estimates of PMI with an error: near the ratio of counts where they are large, drawn to a prior where they are small.

How much a key e says of an entity c is PMI(c; e) = IC(c) + log2 P(c | e). The plain ratio of counts takes one shared
context of three for near proof, and two keys that never met for safe, however few the contexts. Here P(c | e) has a
prior, and the contexts of e are draws from it (a binomial). The prior lives on the *share* of the entity's information,
PMI / IC: 0 where e is unrelated to c, 1 where e never occurs without it, negative where they avoid each other. It is a
weight for each point of a grid, fitted to a corpus by expectation maximization (nonparametric empirical Bayes), so it
has the shape that relatedness has: nearly all pairs are unrelated, a few are strongly related. Given counts, the
weights of the grid become the posterior, and the estimate, its error and its bounds are read off.

More joint contexts never lower a figure, and more contexts of e alone never raise one: a binomial likelihood has
monotone ratios, whatever the prior.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SHARES", "Estimate", "broad_prior", "estimate", "fit_prior", "likelihoods", "moments", "quantile"]

SHARES: NDArray[np.float64] = np.linspace(-0.25, 1.0, 101)
"""The grid of shares of the entity's information, PMI / IC."""
_CERTAIN = 0.98  # P(c | e) at share 1: one context in fifty may lack c by an accident of extraction
_STEP = float(SHARES[1] - SHARES[0])
_ROUNDING = _STEP / np.sqrt(12)  # what a grid cannot tell
Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """For each key, in bits: the expected PMI, its standard error, and bounds passed with probability ``tail`` each."""

    bits: Floats
    error: Floats
    lower: Floats
    upper: Floats


def estimate(
    together: NDArray[Any], of_keys: NDArray[Any], of_entity: int, total: int, prior: Floats, tail: float = 0.1
) -> Estimate:
    """PMI of one entity with many keys.

    ``together`` and ``of_keys`` are the numbers of contexts of each key with the entity and at all, ``of_entity`` those
    of the entity, ``total`` those of the corpus. ``prior`` has a weight for each of :data:`SHARES`: one row for all
    keys or a row for each.

    >>> thin, ample = estimate(np.array([1, 300]), np.array([3, 900]), 100, 500_000, broad_prior()).lower
    >>> bool(thin < 6 < ample)
    True
    """
    together, of_keys = np.asarray(together, np.float64), np.asarray(of_keys, np.float64)
    if not (0 < of_entity < total):
        raise ValueError(f"an entity occurs in some of the {total} contexts, not in {of_entity}; choose a known one")
    if np.any(together < 0) or np.any(together > of_keys):
        at = int(np.flatnonzero((together < 0) | (together > of_keys))[0])
        raise ValueError(
            f"key {at} is in {of_keys[at]:g} contexts and in {together[at]:g} of them with the entity; "
            "a joint count is at least 0 and at most the key's own"
        )
    full = float(np.log2(total / of_entity))
    log = likelihoods(together, of_keys, full)
    weights = np.exp(log - log.max(axis=1, keepdims=True)) * prior
    weights /= weights.sum(axis=1, keepdims=True)
    mean, spread = moments(weights)
    # A quantile lies between grid points, where the line through the cumulated weights passes the tail.
    cumulated = np.cumsum(weights, axis=1)
    return Estimate(mean * full, spread * full, quantile(cumulated, tail) * full, quantile(cumulated, 1 - tail) * full)


def likelihoods(together: Floats, of_keys: Floats, full: float | Floats) -> Floats:
    """The logarithm of the binomial likelihood, for each key (rows) and share of :data:`SHARES` (columns).

    ``full`` is the information content of the entity, or of each pair's entity.
    """
    chance = np.minimum(2.0 ** ((SHARES - 1) * np.atleast_1d(full)[:, None]), _CERTAIN)
    figures: Floats = together[:, None] * np.log(chance) + (of_keys - together)[:, None] * np.log1p(-chance)
    return figures


def moments(weights: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of the share under rows of weights that sum to 1.

    >>> moments(np.eye(len(SHARES))[[20]])[0].round(3).tolist()
    [0.0]
    """
    mean = weights @ SHARES
    spread = np.sqrt(np.maximum(weights @ SHARES**2 - mean**2, 0.0) + _ROUNDING**2)
    return mean, spread


def quantile(cumulated: Floats, probability: float) -> Floats:
    """The share that a posterior passes with some probability, from its cumulated weights (a row a pair).

    >>> quantile(np.cumsum(np.eye(len(SHARES))[[20]], axis=1), 0.5).round(3).tolist()
    [-0.006]
    """
    at = np.minimum((cumulated < probability).sum(axis=1), len(SHARES) - 1)
    rows = np.arange(len(cumulated))
    before = np.where(at > 0, cumulated[rows, np.maximum(at - 1, 0)], 0.0)
    part = (probability - before) / np.maximum(cumulated[rows, at] - before, 1e-300)
    found: Floats = np.clip(SHARES[at] + (np.clip(part, 0.0, 1.0) - 1) * _STEP, SHARES[0], SHARES[-1])
    return found


def fit_prior(
    log: Floats, weights: Floats | None = None, steps: int = 40, start: Floats | None = None, inertia: float = 0.0
) -> Floats:
    """The prior that makes pairs most likely, by expectation maximization.

    ``log`` has a row of :func:`likelihoods` a pair, ``weights`` says how many pairs each stands for. ``start`` is where
    it begins (all shares alike if None) and counts as ``inertia`` pairs, so that few pairs do not drive it far.
    """
    chance = np.exp(log - log.max(axis=1, keepdims=True))
    held = np.ones(len(log)) if weights is None else weights
    begun = np.full(len(SHARES), 1 / len(SHARES)) if start is None else start
    prior = begun
    for _ in range(steps):
        shares = chance * prior
        prior = (held / shares.sum(axis=1)) @ shares + inertia * begun
        prior /= prior.sum()
    return prior


def broad_prior(related: float = 0.02) -> Floats:
    """A prior for a corpus on which none was fitted: most keys say next to nothing of an entity, a few say anything.

    ``related`` is the part of the pairs whose share is spread evenly from 0 to 1.

    >>> round(float(broad_prior().sum()), 6)
    1.0
    """
    near = np.exp(-0.5 * (SHARES / 0.08) ** 2)
    some = (SHARES >= 0).astype(np.float64)
    prior: Floats = (1 - related) * near / near.sum() + related * some / some.sum()
    return prior
