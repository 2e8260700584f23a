"""The file of a term list: what comes back, and what damage is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from taciturn.knowledge.storage.arrayfile import DamagedFileError
from taciturn.knowledge.termlist import open_list, save_list
from taciturn.solvers.masks import MaskIndex

STRINGS = ["crew", "draw", "crawl", "森小路", "😀"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    save_list(MaskIndex(STRINGS), tmp_path / "index")
    return tmp_path / "index"


def test_saved_list_comes_back(saved: Path) -> None:
    index = open_list(saved)
    assert sorted(index) == sorted(STRINGS)
    assert index.digest == MaskIndex(STRINGS).digest == index.arrays.digest()
    assert index.mask("crew", 2) == MaskIndex(STRINGS).mask("crew", 2)
    assert [p.name for p in saved.parent.iterdir()] == ["index"]


def test_empty_list_can_be_saved(tmp_path: Path) -> None:
    save_list(MaskIndex([]), tmp_path / "index")
    assert len(open_list(tmp_path / "index")) == 0


def test_every_damaged_byte_is_noticed(saved: Path) -> None:
    whole = saved.read_bytes()
    digest = MaskIndex(STRINGS).digest
    padding = 0
    for at in range(0, len(whole), 3):
        saved.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            index = open_list(saved)
        except DamagedFileError:
            continue
        padding += 1  # bytes between arrays carry nothing
        assert index.arrays.digest() == digest
    assert padding < len(whole) / 6


@pytest.mark.parametrize("size", [0, 5, 19, 30, 100, 700])
def test_cut_file_is_refused(saved: Path, size: int) -> None:
    saved.write_bytes(saved.read_bytes()[:size])
    with pytest.raises(DamagedFileError):
        open_list(saved)
