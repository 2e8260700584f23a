"""Archives: every member once, in order, and nothing that an archive should not do."""

from __future__ import annotations

import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.formats.archive import archive_kind, entries
from taciturn.formats.base import Limits

FILES = {"a.txt": b"one", "sub/b.txt": b"two", "sub/deep/c.txt": b"three"}


def make_zip(files: dict[str, bytes] = FILES, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def make_tar(files: dict[str, bytes] = FILES, packing: str = "") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=f"w:{packing}") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


WAYS: dict[str, Callable[[], bytes]] = {
    "zip": make_zip,
    "tar": make_tar,
    "tar.gz": lambda: make_tar(packing="gz"),
    "tar.bz2": lambda: make_tar(packing="bz2"),
    "tar.xz": lambda: make_tar(packing="xz"),
}


def found(data: bytes, limits: Limits | None = None) -> dict[str, bytes | str]:
    """What an archive gives: by name the data, or what is wrong."""
    return {e.name: e.fault or e.data for e in entries(data, "x", limits or Limits())}


@pytest.mark.parametrize("way", WAYS)
def test_every_member_in_order(way: str, tmp_path: Path) -> None:
    data = WAYS[way]()
    path = tmp_path / "any-name"
    path.write_bytes(data)
    assert archive_kind(path) == archive_kind(data) == way[:3]
    expected = [(f"x/{name}", content) for name, content in FILES.items()]
    for source in (data, path):
        assert [(e.name, e.data) for e in entries(source, "x", Limits())] == expected


def test_one_file_is_no_archive() -> None:
    document = make_zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"})
    assert archive_kind(document) == ""
    assert (
        archive_kind(make_zip({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<x/>"})) == ""
    )
    assert archive_kind(gzip.compress(b"A text. " * 100)) == ""
    assert archive_kind(b"") == ""
    assert archive_kind(b"PK\x03\x04 and no more") == ""


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize(
    "name",
    [
        "../out.txt",
        "sub/../../out.txt",
        "/etc/out.txt",
        "C:/out.txt",
        "..\\out.txt",
        "\\out.txt",
        "a\nb.txt",
        "x" * 250,
    ],
)
def test_names_that_lead_astray_are_faults(make: Callable[[dict[str, bytes]], bytes], name: str) -> None:
    got = list(entries(make({name: b"secret", "good.txt": b"fine"}), "x", Limits()))
    assert [(e.data, bool(e.fault)) for e in got] == [(b"", True), (b"fine", False)]


def test_hidden_files_are_left_out_and_dots_are_no_folders() -> None:
    files = {".git/config": b"1", "__MACOSX/._a.txt": b"2", "./a.txt": b"3", "sub//b.txt": b"4", "win\\c.txt": b"5"}
    assert found(make_tar(files)) == {"x/a.txt": b"3", "x/sub/b.txt": b"4", "x/win/c.txt": b"5"}


def test_no_file_twice_and_none_in_the_place_of_a_folder() -> None:
    got = [
        bool(e.fault)
        for e in entries(make_tar({"a": b"1", "./a": b"2", "a/b": b"3", "c/d": b"4", "c": b"5"}), "x", Limits())
    ]
    assert got == [False, True, True, False, True]


def test_links_devices_and_sparse_files_are_not_followed() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind in (
            ("l", tarfile.SYMTYPE),
            ("h", tarfile.LNKTYPE),
            ("d", tarfile.CHRTYPE),
            ("f", tarfile.FIFOTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert all("not followed" in str(v) for v in found(buffer.getvalue()).values())
    assert len(found(buffer.getvalue())) == 4
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as zipped:
        zipped.writestr(link, "/etc/passwd")
    assert "not followed" in str(found(buffer.getvalue())["x/link"])


def test_archives_in_archives_as_deep_as_the_limit() -> None:
    data = make_zip({"n.txt": b"deep"})
    for _ in range(3):
        data = make_tar({"inner": data}, "gz")
    assert found(data, Limits(depth=4)) == {"x/inner/inner/inner/n.txt": b"deep"}
    assert "archives deep" in str(found(data, Limits(depth=3))["x/inner/inner/inner"])


def bombs() -> dict[str, bytes]:
    zeros = bytes(30 * 2**20)
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, 2**34  # a header that says it has 16 GB of attributes
    pax = header.tobuf(tarfile.GNU_FORMAT) + zeros
    return {
        "zip": make_zip({"zeros": zeros, "after": b"1"}),
        "gz": gzip.compress(make_tar({"zeros": zeros, "after": b"1"})),
        "xz": lzma.compress(make_tar({"zeros": zeros, "after": b"1"})),
        "skipped": gzip.compress(make_tar({"../zeros": zeros, "after": b"1"})),
        "attributes": gzip.compress(pax),
        "nested": make_zip({"inner": lzma.compress(make_tar({"zeros": zeros}))}, zipfile.ZIP_STORED),
    }


@pytest.mark.parametrize("name", bombs())
def test_bombs_end_the_archive_with_its_reason(name: str) -> None:
    got = found(bombs()[name])
    last = list(got)[-1]
    assert last == ("x/inner" if name == "nested" else "x")
    assert "200-fold" in str(got[last])
    assert "nothing of it is released" in str(got[last])
    assert not any(isinstance(v, bytes) for v in got.values())


def test_what_expands_to_more_than_the_limit_ends_the_archive() -> None:
    files = {f"{i}.txt": bytes(range(256)) * 400 for i in range(10)}
    for data in (make_zip(files, zipfile.ZIP_STORED), make_tar(files, "gz")):
        got = found(data, Limits(expanded=500_000))
        assert "more than the limit" in str(got.pop("x"))
        assert 1 <= len(got) < 5
    assert "5 members" in str(found(make_tar(files), Limits(members=5))["x"])
    assert found(make_zip(files), Limits(members=5)).keys() == {"x"}


def test_a_damaged_archive_says_so_and_loses_nothing_silently() -> None:
    files = {f"{i}.txt": f"number {i}".encode() * 300 for i in range(8)}
    whole = make_tar(files)
    cut = found(whole[: 4 * (512 + 2560)])  # between two members, where the library takes it for the end
    assert len(cut) == 5
    assert "damaged" in str(cut["x"])
    spoilt = bytearray(whole)
    spoilt[4 * (512 + 2560) + 3] ^= 0xFF  # one letter of a header
    assert "damaged" in str(found(bytes(spoilt))["x"])
    packed = make_tar(files, "gz")
    assert "damaged" in str(found(packed[: len(packed) // 2])["x"])
    zipped = bytearray(make_zip(files, zipfile.ZIP_STORED))
    zipped[zipped.index(b"number 3")] ^= 0xFF
    got = found(bytes(zipped))
    assert "damaged" in str(got["x/3.txt"])
    assert sum(isinstance(v, bytes) for v in got.values()) == 7


@given(st.data())
def test_no_damage_escapes(data: st.DataObject) -> None:
    whole = bytearray(WAYS[data.draw(st.sampled_from(sorted(WAYS)))]())
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    for entry in entries(bytes(whole), "x", Limits(expanded=2**22, size=2**22)):
        assert entry.fault or entry.name.startswith("x/")
        assert ".." not in entry.name.split("/") or entry.fault
