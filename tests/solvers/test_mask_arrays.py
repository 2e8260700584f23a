"""The file of an index: what comes back, and what damage is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.solvers.mask_arrays import HASH_START, build_arrays, code_points, extend_hash, prefix_bits
from tacit.solvers.masks import MaskIndex

STRINGS = ["crew", "draw", "crawl", "森小路", "😀"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    MaskIndex(STRINGS).save(tmp_path / "index")
    return tmp_path / "index"


def test_saved_index_comes_back(saved: Path) -> None:
    index = MaskIndex.open(saved)
    assert sorted(index) == sorted(STRINGS)
    assert index.digest == MaskIndex(STRINGS).digest
    assert index.mask("crew", 2) == MaskIndex(STRINGS).mask("crew", 2)
    assert [p.name for p in saved.parent.iterdir()] == ["index"]


def test_empty_list_can_be_saved(tmp_path: Path) -> None:
    MaskIndex([]).save(tmp_path / "index")
    assert len(MaskIndex.open(tmp_path / "index")) == 0


def test_every_damaged_byte_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    digest = MaskIndex(STRINGS).digest
    padding = 0
    for at in range(len(whole)):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            index = MaskIndex.open(saved)
        except ValueError as error:
            assert "tacit strings build" in str(error)  # noqa: PT017
        else:
            padding += 1  # bytes between arrays carry nothing
            assert index.arrays.digest() == digest
    assert padding < len(whole) / 2


@pytest.mark.parametrize("size", [0, 5, 19, 30, 100, 700])
def test_cut_file_is_refused(saved: Path, size: int) -> None:
    saved.write_bytes(saved.read_bytes()[:size])
    with pytest.raises(ValueError, match="tacit strings build"):
        MaskIndex.open(saved)


def test_failed_write_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("tacit.solvers.mask_arrays.os.fsync", full)
    with pytest.raises(OSError, match="no space"):
        MaskIndex(["other"]).save(saved)
    assert saved.read_bytes() == before
    assert len(list(saved.parent.iterdir())) == 1


@settings(deadline=None)
@given(st.lists(st.text(max_size=6), max_size=30))
def test_every_prefix_has_its_bit(strings: list[str]) -> None:
    arrays = build_arrays(strings)
    for string in MaskIndex(strings):
        figure = np.full(1, HASH_START)
        for point in code_points(string):
            figure = extend_hash(figure, np.array([point]))
            at = int(prefix_bits(figure, arrays.prefixes.size)[0])
            assert arrays.prefixes[at >> 3] >> (at & 7) & 1
