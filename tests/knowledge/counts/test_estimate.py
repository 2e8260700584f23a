"""The estimator of mutual information: bounds, order, thin and ample counts, the fit of priors."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.counts.estimate import SHARES, broad_prior, estimate, fit_prior, likelihoods

TOTAL = 500_000


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int, int]:
    """(together, of key, of entity)."""
    of_key, of_entity = draw(st.integers(0, 3_000)), draw(st.integers(1, 20_000))
    return draw(st.integers(0, min(of_key, of_entity))), of_key, of_entity


@st.composite
def priors(draw: st.DrawFn) -> np.ndarray:
    weights = np.array(draw(st.lists(st.floats(1e-9, 1), min_size=len(SHARES), max_size=len(SHARES))))
    return weights / weights.sum()


def one(together: int, of_key: int, of_entity: int, prior: np.ndarray | None = None, tail: float = 0.1) -> list[float]:
    found = estimate(
        np.array([together]), np.array([of_key]), of_entity, TOTAL, broad_prior() if prior is None else prior, tail
    )
    return [float(column[0]) for column in found]


@given(counts(), priors())
def test_figures_are_in_order_and_at_most_the_information(c: tuple[int, int, int], prior: np.ndarray) -> None:
    bits, error, lower, upper = one(*c, prior)
    full = np.log2(TOTAL / c[2])
    assert full * SHARES[0] <= lower <= upper <= full + 1e-9
    assert full * SHARES[0] <= bits <= full + 1e-9
    assert error > 0


@given(counts(), priors())
def test_more_shared_contexts_never_lower_a_figure(c: tuple[int, int, int], prior: np.ndarray) -> None:
    together, of_key, of_entity = c
    fewer = one(together, of_key + 1, of_entity, prior)
    more = one(together + 1, of_key + 1, of_entity, prior)
    for at in (0, 2, 3):
        assert more[at] >= fewer[at] - 1e-9


@given(counts(), priors())
def test_more_contexts_without_the_entity_never_raise_a_figure(c: tuple[int, int, int], prior: np.ndarray) -> None:
    together, of_key, of_entity = c
    before, after = one(together, of_key, of_entity, prior), one(together, of_key + 1, of_entity, prior)
    for at in (0, 2, 3):
        assert after[at] <= before[at] + 1e-9


@given(counts(), priors())
def test_no_contexts_leave_the_prior(c: tuple[int, int, int], prior: np.ndarray) -> None:
    assert one(0, 0, c[2], prior)[0] == pytest.approx(float(prior @ SHARES) * np.log2(TOTAL / c[2]))


def test_one_shared_context_of_three_is_no_proof() -> None:
    plain = np.log2(TOTAL / 100) + np.log2(1 / 3)
    bits, _, lower, upper = one(1, 3, 100)
    assert bits < 0.75 * plain
    assert lower < 2 < plain < upper


def test_want_of_data_is_not_safety() -> None:
    """Two keys that never met: an upper bound that falls as the contexts grow in which they might have."""
    uppers = [one(0, n, 100, broad_prior(0.3))[3] for n in (0, 3, 30, 300, 3_000)]
    assert uppers[0] > 8
    assert all(a > b for a, b in pairwise(uppers))
    assert uppers[-1] < 2.6


@given(st.integers(100, 3_000), st.floats(0.05, 0.95), st.integers(3_000, 20_000))
def test_ample_counts_give_the_plain_ratio(of_key: int, part: float, of_entity: int) -> None:
    together = round(of_key * part)
    full = np.log2(TOTAL / of_entity)
    bits, error, lower, upper = one(together, of_key, of_entity, broad_prior(0.5), 0.01)
    plain = full + np.log2(together / of_key)
    assert abs(bits - plain) < 4 * error + 0.2
    assert lower - 0.2 <= plain <= upper + 0.2


def test_a_row_of_priors_for_each_key() -> None:
    sceptic, believer = broad_prior(0.001), broad_prior(0.9)
    both = estimate(np.array([1, 1]), np.array([3, 3]), 100, TOTAL, np.stack([sceptic, believer]))
    assert [float(b) for b in both.bits] == pytest.approx([one(1, 3, 100, p)[0] for p in (sceptic, believer)])
    assert both.bits[1] > both.bits[0] + 3


def test_the_fit_finds_what_pairs_were_drawn_from() -> None:
    rng = np.random.default_rng(5)
    share = np.where(rng.random(4_000) < 0.2, 0.7, 0.0)
    full = np.full(4_000, 8.0)
    of_key = np.full(4_000, 300.0)
    together = rng.binomial(300, 2 ** ((share - 1) * full)).astype(float)
    prior = fit_prior(likelihoods(together, of_key, full), steps=200)
    assert prior[(SHARES > 0.6) & (SHARES < 0.8)].sum() == pytest.approx(0.2, abs=0.02)
    assert prior[SHARES > 0.8].sum() < 0.01
    held = fit_prior(likelihoods(together[:5], of_key[:5], full[:5]), start=broad_prior(), inertia=1e6)
    assert held == pytest.approx(broad_prior(), abs=1e-4)


@pytest.mark.parametrize(
    ("together", "of_key", "of_entity", "message"),
    [(4, 3, 100, "in 3 contexts and in 4"), (-1, 3, 100, "in -1 of them"), (0, 0, 0, "not in 0")],
)
def test_counts_that_cannot_be(together: int, of_key: int, of_entity: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        one(together, of_key, of_entity)
