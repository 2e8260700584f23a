"""No byte of a pack is altered under the same digest; what was hashed is not hashed again until the file changes."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from shutil import copytree

import pytest

from taciturn.knowledge import Knowledge
from taciturn.knowledge.storage import verified
from taciturn.knowledge.storage.pack import PackError, embedded_pack, file_sha256, finish_pack, open_pack
from taciturn.knowledge.storage.verified import EMBEDDED, _compare, _Noted, require_verified


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "made").mkdir()
    for name in ("counts.bin", "a.taxonomy"):
        (tmp_path / "made" / name).write_bytes(name.encode() * 100)
    return finish_pack(tmp_path / "made", tmp_path / "pack", {"parameters": {}}).path


def _alter(path: Path) -> None:
    """Change one byte and put the time back, as somebody would who wants nobody to see it."""
    stat, data = path.stat(), bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_the_constant_is_that_of_the_embedded_pack() -> None:
    assert open_pack(embedded_pack()).manifest["checksum"] == EMBEDDED, (
        "run: python -m taciturn.knowledge.storage.verified"
    )


def test_the_embedded_pack_and_no_other_must_be_the_constants(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_verified(open_pack(pack))
    monkeypatch.setattr(verified, "embedded_pack", lambda: pack)
    monkeypatch.setattr(verified, "_seen", set())
    with pytest.raises(PackError, match="not the one that this Taciturn was made with"):
        require_verified(open_pack(pack))


@pytest.mark.parametrize("name", ["counts.bin", "a.taxonomy"])
def test_an_altered_byte_is_noticed(pack: Path, name: str) -> None:
    opened = open_pack(pack)
    _alter(pack / name)
    with pytest.raises(PackError, match=f"{name} is not as built"):
        require_verified(opened)


def test_altered_counts_with_checksums_rewritten_never_get_the_digest_quoted(tmp_path: Path) -> None:
    """The manifest's SHA-256 rewritten too gives another digest; left as it is, an error."""
    copytree(embedded_pack(), tmp_path / "pack")
    told = Knowledge.open(tmp_path / "pack")
    _alter(tmp_path / "pack" / "postings.bin")
    with pytest.raises(PackError, match=r"postings\.bin is not as built"):
        _ = told.digest
    (tmp_path / "pack" / "manifest.json").unlink()
    before = open_pack(embedded_pack()).manifest
    facts = {name: before[name] for name in before if name not in ("files", "digest", "checksum")}
    finish_pack(tmp_path / "pack", tmp_path / "again", facts)
    assert Knowledge.open(tmp_path / "again").digest != Knowledge.default().digest


def test_what_was_hashed_is_hashed_again_only_when_it_changed(tmp_path: Path) -> None:
    path, cache, read = tmp_path / "file", tmp_path / "cache" / "packs.json", []

    def hashed(path: Path) -> str:
        read.append(path)
        return file_sha256(path)

    path.write_bytes(b"as built")
    long_ago = time.time_ns() - 10**12
    os.utime(path, ns=(long_ago, long_ago))
    noted = _Noted(cache)
    first = noted.sha256(path, hashed)
    noted.keep()
    assert not cache.exists(), "a file whose state is younger than the clock's grain is not noted"
    verified_later = _Noted(cache)
    verified_later._new[_name(path)] = first
    verified_later.keep()
    assert _Noted(cache).sha256(path, hashed) == first
    assert len(read) == 1
    _alter(path)
    assert _Noted(cache).sha256(path, hashed) != first, "its time is as before, its ctime is not"
    assert len(read) == 2


def _name(path: Path) -> str:
    stat = path.stat()
    told = (path.resolve(), stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    return "\n".join(map(str, told))


def test_a_broken_cache_is_no_cache(pack: Path, tmp_path: Path) -> None:
    for content in ("", "[1]", json.dumps({"a": 1})):
        (tmp_path / "packs.json").write_text(content)
        _compare(open_pack(pack), _Noted(tmp_path / "packs.json"))
    _compare(open_pack(pack), _Noted(pack / "counts.bin" / "packs.json"))
