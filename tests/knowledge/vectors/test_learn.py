"""Vectors from contexts made by hand: keys of one topic are alike, those of two are not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.knowledge.vectors.learn import Incidence, fit_map, learn_vectors, unit
from taciturn.knowledge.vectors.quantize import decode, encode, learn_codebooks, rotation


def of_contexts(contexts: list[set[int]], keys: int) -> Incidence:
    held = [[at for at, here in enumerate(contexts) if key in here] for key in range(keys)]
    flat = np.array([at for several in held for at in several], dtype=np.int32)
    return Incidence(flat, np.cumsum([0, *map(len, held)]), len(contexts), len(contexts))


@given(st.lists(st.sets(st.integers(0, 5)), min_size=1, max_size=12), st.integers(0, 4_000))
def test_meetings_are_counted_as_sets_are(contexts: list[set[int]], kept: int) -> None:
    chosen = np.array([bool(kept >> at & 1) for at in range(len(contexts))])
    sets = of_contexts(contexts, 6).within(chosen)
    left = [here for here, is_kept in zip(contexts, chosen, strict=True) if is_kept]
    assert sets.held == len(left)
    assert sets.sizes.tolist() == [sum(key in here for here in left) for key in range(6)]
    features = np.array([1, 4])
    by_context = sets.transposed(features)
    for key in range(6):
        expected = [sum({key, int(f)} <= here for here in left) for f in features]
        assert sets.met(key, by_context).tolist() == expected


def two_topics(seed: int = 3) -> Incidence:
    """Keys 0 to 59 go with one another, so do 60 to 119; key 120 is in two contexts of the first topic, 121 in one."""
    rng = np.random.default_rng(seed)
    contexts = [set((rng.choice(60, 6, replace=False) + 60 * (at % 2)).tolist()) for at in range(4_000)]
    contexts[0] |= {120, 121}
    contexts[2] |= {120}
    return of_contexts(contexts, 122)


def test_keys_of_one_topic_are_alike() -> None:
    # In so small a corpus every key is frequent; contexts of nothing make them as rare as keys are.
    sets = two_topics()
    sets = Incidence(sets.contexts, sets.starts, 40_000, 40_000)
    vectors = learn_vectors(sets, features=120, size=4)
    products = vectors @ vectors.T
    assert products[:60, :60].min() > 0.5 > 0.2 > products[:60, 60:120].max()
    assert products[120, :60].mean() > 0.5 > 0.2 > products[120, 60:120].max()
    assert not vectors[121].any()
    assert learn_vectors(sets, features=120, size=4).tobytes() == vectors.tobytes()


def test_a_map_is_found_again() -> None:
    rng = np.random.default_rng(1)
    source = unit(rng.standard_normal((400, 6)).astype(np.float32))
    matrix = rng.standard_normal((6, 3)).astype(np.float32)
    assert fit_map(source, source @ matrix, np.ones(400), 0.0) == pytest.approx(matrix, abs=1e-3)


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 1_000))
def test_codes_are_near_and_rotation_keeps_products(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = unit(rng.standard_normal((600, 8)).astype(np.float32))
    turned = rows @ rotation(8, seed)
    assert turned @ turned.T == pytest.approx(rows @ rows.T, abs=1e-5)
    books = learn_codebooks(turned, 4, seed)
    codes = encode(turned, books)
    assert codes.dtype == np.uint8
    assert codes.shape == (600, 4)
    near = decode(codes, books)
    assert np.einsum("ij,ij->i", unit(near), turned).min() > 0.9
    # The code of a piece is the nearest of all centroids.
    gaps = ((turned[:20, None, :2] - books[0][None]) ** 2).sum(axis=2)
    assert (gaps.argmin(axis=1) == codes[:20, 0]).all()


def test_pieces_must_divide_a_vector() -> None:
    with pytest.raises(ValueError, match="8 numbers cannot be cut into 3"):
        learn_codebooks(np.zeros((4, 8), np.float32), 3, 1)
