"""Zip archives as one document: files by their own formats, names, what is left out; and what is no archive."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from taciturn.formats import FormatError, LeakError, Options, read, write
from taciturn.formats.base import Leak, Limits
from taciturn.plan import Plan, apply
from tests.formats.plans import hide

HIDE = {"Antonio Banderas": "an actor", "Antonio": "somebody", "Banderas": "somebody"}


def packed(files: dict[str, bytes], comment: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = comment
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.comment == b""
        return {name: archive.read(name) for name in archive.namelist()}


def _zebra(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer("zebra", text, re.IGNORECASE)]


def test_every_file_is_released_and_names_too() -> None:
    inner = packed({"deep.txt": b"Antonio Banderas again"})
    data = packed(
        {
            "notes/Antonio Banderas.txt": b"Antonio Banderas left.",
            "notes/a.html": b"<p>Antonio Banderas</p>",
            "table.csv": b"id,note\n1,Antonio Banderas\n",
            "inner.zip": inner,
            "picture.png": b"\x89PNG Antonio Banderas",
            ".hidden": b"Antonio Banderas",
            "empty.txt": b"",
        },
        b"Antonio Banderas",
    )
    file = read(data, "a.zip")
    assert file.format == "zip"
    made = unpacked(write(file, hide(file.document, HIDE)))
    assert list(made) == ["notes/an actor.txt", "notes/a.html", "table.csv", "inner.zip"]
    assert made["notes/an actor.txt"] == b"an actor left."
    assert made["table.csv"] == b"id,note\n1,an actor\n"
    assert unpacked(made["inner.zip"]) == {"deep.txt": b"an actor again"}
    assert set(file.dropped) >= {"file picture.png (cannot be read)", "hidden files", "file empty.txt (empty)"}
    assert any("row by row" in notice for notice in file.noticed)


def test_names_are_watched_and_never_become_one() -> None:
    data = packed({"zebra.txt": b"one", "Zebra.txt": b"two", "zebra_list/x.txt": b"three"})
    file = read(data, "a.zip")
    made = unpacked(write(file, apply(Plan(file.document)), _zebra))
    assert sorted(made.values()) == [b"one", b"three", b"two"]
    assert not any("zebra" in name.lower() for name in made)
    assert all(name.endswith(".txt") for name in made)


def test_an_attachment_that_is_an_archive_is_read() -> None:
    body = packed({"a.txt": b"Antonio Banderas"})
    import base64

    mail = (
        b"From: a@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/zip\n"
        b'Content-Disposition: attachment; filename="a.zip"\nContent-Transfer-Encoding: base64\n\n'
        + base64.encodebytes(body)
    )
    file = read(mail, "a.eml")
    assert "Antonio Banderas" in file.document.text
    made = write(file, hide(file.document, HIDE))
    assert b'filename="a.zip"' in made


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"../a.txt": b"x"}, "leads out"),
        ({"/a.txt": b"x"}, "leads out"),
        ({"a.png": b"\x89PNG"}, "no file that can be read"),
        ({}, "no file that can be read"),
    ],
)
def test_what_cannot_be_released_is_refused(files: dict[str, bytes], says: str) -> None:
    with pytest.raises(FormatError, match=says):
        read(packed(files), "a.zip")


def test_limits_hold_for_archives_in_archives() -> None:
    data = b"x"
    for _ in range(8):
        data = packed({"a.zip": data, "b.txt": b"x"})
    with pytest.raises(FormatError, match="files deep"):
        read(data, "a.zip")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in "abc":
            archive.writestr(f"{name}.txt", b"0" * 900_000)
    with pytest.raises(FormatError, match="limit"):
        read(buffer.getvalue(), "a.zip", Options(limits=Limits(expanded=2_000_000)))


def _compound(stream: str) -> bytes:
    name = stream.encode("utf-16-le")
    return (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(504)
        + name
        + bytes(64 - len(name))
        + bytes([len(name) + 2, 0])
        + bytes(60)
    )


@pytest.mark.parametrize(
    ("stream", "name", "advice"),
    [
        ("__properties_version1.0", "a.msg", "save it again in Outlook"),
        ("WordDocument", "a.doc", r"save it as \.docx"),
        ("Workbook", "a.xls", r"save it as \.xlsx"),
        ("Book", "a.xls", r"save it as \.xlsx"),
        ("PowerPoint Document", "a.ppt", r"save it as \.pptx"),
        ("EncryptedPackage", "a.docx", "without a password"),
        ("Other", "a.bin", "newer format"),
    ],
)
def test_old_files_are_refused_with_the_right_advice(stream: str, name: str, advice: str) -> None:
    with pytest.raises(FormatError, match=advice):
        read(_compound(stream), name)


def test_a_leak_names_places_to_all_and_strings_to_the_owner() -> None:
    error = LeakError("a.docx", [Leak("Kowalczyk", "word/styles.xml: val", "expat")])
    assert "Kowalczyk" not in str(error)
    assert "word/styles.xml: val" in str(error)
    assert "taciturn review" in str(error)
    assert error.private == ("'Kowalczyk' in word/styles.xml: val (expat)",)


def test_a_file_without_a_name_is_refused() -> None:
    whole = bytearray(packed({"a": b"x"}))
    central = whole.index(b"PK\x01\x02")
    whole[central + 28] = 0  # the length of the name in the directory
    del whole[central + 46]
    whole[-10:-6] = (int.from_bytes(whole[-10:-6], "little") - 1).to_bytes(4, "little")
    with pytest.raises(FormatError, match="without a name"):
        read(bytes(whole), "a.zip")
