"""Vectors in a file: keys, words, phrases, capitals; what similarity predicts; what cannot be used is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taciturn.knowledge.counts.estimate import SHARES, broad_prior, estimate
from taciturn.knowledge.storage.arrayfile import DamagedFileError, write_arrays
from taciturn.knowledge.storage.strings import pack_strings
from taciturn.knowledge.vectors import VECTORS_KIND, Vectors
from taciturn.knowledge.vectors.packed import SUPPORTS

# Key: direction (in degrees), contexts behind it, plainness.
KEYS = {
    "HIV": (0, 8, 200), "zidovudine": (20, 4, 250), "infection": (30, 64, 100), "the": (90, 0, 1),
    "tea": (90, 40, 100), "pot": (80, 0, 200), "teapot": (180, 2, 255),
}  # fmt: skip


def at(share: float) -> np.ndarray:
    return np.eye(len(SHARES))[int(np.abs(SHARES - share).argmin())]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Vectors of two dimensions, one byte each; similarity -1, 0, 1 predicts shares 0, 0 and .8, less for thin keys."""
    names = sorted(KEYS, key=str.encode)
    angles = np.radians([KEYS[name][0] for name in names])
    books = np.zeros((2, 256, 1), np.float32)
    books[0, : len(names), 0], books[1, : len(names), 0] = np.cos(angles), np.sin(angles)
    number = np.arange(len(names))
    priors = np.stack([[at(0), at(0), at(0.8 - 0.2 * (3 - kind))] for kind in range(len(SUPPORTS) + 1)])
    arrays = {
        **{f"keys.{part}": array for part, array in pack_strings(names).items()},
        "rows": number.astype(np.uint32),
        "codes": np.stack([number, number], axis=1).astype(np.uint8),
        "books": books,
        "support": np.array([KEYS[name][1] for name in names], np.uint32),
        "plainness": np.array([KEYS[name][2] for name in names], np.uint8),
        "prior.similarity": np.array([-1, 0, 1], np.float32),
        "prior.weights": priors.astype(np.float32),
        "prior.unknown": broad_prior().astype(np.float32),
    }
    write_arrays(tmp_path / "v.bin", VECTORS_KIND, {"contexts": 1024}, arrays)
    return tmp_path / "v.bin"


def test_vectors_of_keys_phrases_and_capitals(path: Path) -> None:
    vectors = Vectors.open(path)
    assert len(vectors) == len(KEYS)
    assert vectors.of("HIV") == pytest.approx([1, 0], abs=1e-6)
    assert vectors.of("Zidovudine") == pytest.approx(vectors.of("zidovudine"))
    assert vectors.of("hiv") is None  # small letters are no acronym
    assert vectors.of("coffee cup") is None
    # A phrase is the mean of its words by plainness: "the" hardly counts, an unknown word not at all.
    expected = 200 * np.array([1, 0]) + 100 * np.array([np.cos(np.pi / 6), 0.5])
    assert vectors.of("HIV infection") == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    near = vectors.of("the xyz HIV")
    assert near is not None
    assert near[0] > 0.999
    found, behind = vectors.of_many(["HIV", "HIV infection", "coffee"])
    assert behind.tolist() == [8, 0, 0]
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1, 0])


def test_prediction_rises_with_similarity_and_stays_within_information(path: Path) -> None:
    vectors = Vectors.open(path)
    assert vectors.information("HIV") == 7
    assert vectors.information("the") is None
    assert vectors.information("coffee") is None
    bits, error = vectors.predict("HIV", ["HIV", "infection", "tea", "teapot", "coffee"])
    assert bits[0] > 0.5 * 7
    assert bits[1] == pytest.approx(0.8 * 7 * np.cos(np.pi / 6), rel=0.01)
    assert bits[2] == pytest.approx(0, abs=1e-5)
    assert bits[3] == pytest.approx(0, abs=1e-5)
    assert bits[4] == pytest.approx(7 * float(broad_prior() @ SHARES), rel=1e-4)
    assert (bits <= 7).all()
    assert (error > 0).all()
    # The same similarity is worth less where fewer contexts stand behind the vector.
    assert vectors.predict("infection", ["HIV"], 1.0)[0] < vectors.predict("HIV", ["infection"], 1.0)[0]


def test_an_entity_without_information_must_be_given_it(path: Path) -> None:
    vectors = Vectors.open(path)
    with pytest.raises(ValueError, match="'HIV infection' is no key"):
        vectors.predict("HIV infection", ["tea"])
    assert len(vectors.predict("HIV infection", ["tea"], 5.0)[0]) == 1
    # Nothing is known of an entity without any vector, so what holds of all pairs holds.
    assert vectors.priors("coffee", ["tea"])[0] == pytest.approx(broad_prior(), abs=1e-6)


def test_priors_turn_counts(path: Path) -> None:
    """One shared context of three is believed of a near key and hardly of a far one."""
    vectors = Vectors.open(path)
    priors = 0.9 * vectors.priors("HIV", ["infection", "teapot"]) + 0.1 * broad_prior()
    near, far = estimate(np.array([1, 1]), np.array([3, 3]), 8, 1024, priors).bits
    assert near > far + 1


def test_what_is_no_file_of_vectors_is_refused(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.rindex(b"zidovudine")] ^= 1
    (tmp_path / "damaged.bin").write_bytes(data)
    with pytest.raises(DamagedFileError, match="is damaged"):
        Vectors.open(tmp_path / "damaged.bin")
    write_arrays(tmp_path / "other.bin", "taxonomy", {}, {"x": np.arange(3)})
    with pytest.raises(DamagedFileError, match="holds a taxonomy, not a vectors"):
        Vectors.open(tmp_path / "other.bin")
