from pathlib import Path

import numpy as np
import pytest

from taciturn.knowledge.storage.arrayfile import ArrayFile, DamagedFileError, write_arrays

ARRAYS = {"numbers": np.arange(1000, dtype=np.uint32), "more": np.ones((3, 4), dtype=np.float64)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_arrays(tmp_path / "a.bin", "example", {"name": "é"}, ARRAYS)
    return tmp_path / "a.bin"


def read_all(path: Path) -> dict[str, list[float]]:
    file = ArrayFile(path, "example")
    return {name: file[name].tolist() for name in ARRAYS}


def test_what_is_written_is_read(path: Path) -> None:
    assert read_all(path) == {name: a.tolist() for name, a in ARRAYS.items()}
    assert ArrayFile(path, "example").meta == {"name": "é"}


def test_same_arrays_same_bytes(path: Path, tmp_path: Path) -> None:
    digest = write_arrays(tmp_path / "b.bin", "example", {"name": "é"}, dict(reversed(ARRAYS.items())))
    assert (tmp_path / "b.bin").read_bytes() == path.read_bytes()
    assert ArrayFile(path, "example").digest == digest
    assert write_arrays(tmp_path / "c.bin", "example", {"name": "e"}, ARRAYS) != digest


def test_no_part_file_stays_behind(path: Path) -> None:
    assert [p.name for p in path.parent.iterdir()] == ["a.bin"]


def test_every_cut_and_every_flipped_byte_is_an_error_or_harmless(path: Path) -> None:
    whole, right = path.read_bytes(), read_all(path)
    for length in [*range(0, 200, 7), *range(200, len(whole), 501), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedFileError):
            read_all(path)
    for at in [*range(400), *range(400, len(whole), 97)]:
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        try:
            assert read_all(path) == right  # padding
        except DamagedFileError:
            continue


def test_foreign_and_newer_files_are_named(path: Path, tmp_path: Path) -> None:
    with pytest.raises(DamagedFileError, match="holds a example, not a taxonomy"):
        ArrayFile(path, "taxonomy")
    data = path.read_bytes()
    path.write_bytes(data[:8] + b"\x02\0\0\0" + data[12:])
    with pytest.raises(DamagedFileError, match="format version 2"):
        ArrayFile(path, "example")
    (tmp_path / "foreign").write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(DamagedFileError, match="not a knowledge file"):
        ArrayFile(tmp_path / "foreign", "example")
