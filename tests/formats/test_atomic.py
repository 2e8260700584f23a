from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest

from taciturn.formats import FormatError, Output, write_together, write_whole


def test_a_new_file_is_the_owner_s_alone_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, b"one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    write_whole(path, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o640)
    assert os.listdir(tmp_path) == ["a.txt"]


def test_the_input_is_not_overwritten_unless_asked_not_even_through_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_bytes(b"one")
    link.symlink_to(path)
    for output in (path, link, tmp_path / "x" / ".." / "a.txt"):
        with pytest.raises(FormatError, match="is the input"):
            write_whole(output, b"two", source=path)
    assert path.read_bytes() == b"one"
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device"), MemoryError()])
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_whatever_interrupts_it_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, step: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, step, fail)
    with pytest.raises((FormatError, type(error))):
        write_whole(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_full_disc_says_so(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    # A limit on the size of files makes the kernel itself refuse the write, as a full disc would.
    old, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    try:
        with pytest.raises(FormatError, match="was not written"):
            write_whole(tmp_path / "a.txt", b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="make it first"):
        write_whole(tmp_path / "no" / "a.txt", b"x")


def test_several_files_are_written_or_none_is(tmp_path: Path) -> None:
    old, new, folder = tmp_path / "old.json", tmp_path / "new.json", tmp_path / "folder"
    old.write_bytes(b"before")
    folder.mkdir()
    # The data can be staged beside the folder, but nothing can be renamed over it: the last step fails.
    with pytest.raises(FormatError, match="folder"):
        write_together([Output(old, b"after"), Output(new, b"new"), Output(folder, b"release")])
    assert old.read_bytes() == b"before"
    assert sorted(os.listdir(tmp_path)) == ["folder", "old.json"]
    with pytest.raises(FormatError, match="make it first"):
        write_together([Output(old, b"after"), Output(tmp_path / "no" / "a.txt", b"release")])
    assert old.read_bytes() == b"before"
    write_together([Output(old, b"after"), Output(new, b"new"), Output(tmp_path / "a.txt", b"release")])
    assert [p.read_bytes() for p in (old, new, tmp_path / "a.txt")] == [b"after", b"new", b"release"]
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "folder", "new.json", "old.json"]


def test_ctrl_c_between_two_files_takes_the_first_one_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, calls = os.replace, []

    def interrupted(one: Path, other: Path) -> None:
        calls.append(other)
        if len(calls) == 2:
            raise KeyboardInterrupt
        replace(one, other)

    (tmp_path / "a.json").write_bytes(b"before")
    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_together([Output(tmp_path / "a.json", b"after"), Output(tmp_path / "b.txt", b"release")])
    assert (tmp_path / "a.json").read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["a.json"]
