"""The way of a file: what its writer forgets is found in the bytes, and then there are none."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from taciturn.document import Document
from taciturn.formats import File, FormatError, Inventory, LeakError, leaks, read, write
from taciturn.formats.base import Rewrite
from taciturn.formats.sweep import Removed
from tests.formats.plans import hide

NOTE = b"He has AIDS."


def written_by(rewrite: Callable[[Rewrite], bytes]) -> File:
    """A file of a format that writes in this way."""
    file = read(NOTE, "note.txt")
    return replace(file, content=replace(file.content, rewrite=rewrite))


def test_what_a_format_forgets_to_remove_is_found_in_its_bytes() -> None:
    file = written_by(lambda rewrite: NOTE)
    with pytest.raises(LeakError, match=r"note\.txt") as caught:
        write(file, hide(file.document, {"AIDS": "a disease"}))
    assert [leak.text for leak in caught.value.leaks] == ["AIDS"]


@pytest.mark.parametrize("error", [FormatError("too deep"), MemoryError("full")])
def test_what_the_search_says_itself_is_passed_on(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise error

    file = read(NOTE, "note.txt")
    monkeypatch.setattr("taciturn.formats.leak.search", refuse)
    with pytest.raises(type(error), match=str(error)):
        write(file, hide(file.document, {"AIDS": "a disease"}))


def test_bytes_that_cannot_be_searched_are_not_released(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("AIDS")

    file = read(NOTE, "note.txt")
    monkeypatch.setattr("taciturn.formats.leak.search", stumble)
    with pytest.raises(FormatError, match=r"could not be checked for leaks \(ZeroDivisionError\)") as caught:
        write(file, hide(file.document, {"AIDS": "a disease"}))
    assert "AIDS" not in str(caught.value)


def test_what_happened_to_a_file_is_told_by_kinds_of_places() -> None:
    file = read(b"name,note\nAnn,AIDS twice: AIDS\nBob,well\n", "t.csv")
    applied = hide(file.document, {"AIDS": "X"})
    assert dict(file.places) == {"name: row": 2, "note: row": 2}
    assert dict(file.edits_by_place(applied)) == {"note: row": 2}
    assert dict(read(b"2024,b\n1,2\n", "t.csv").places) == {"2024: row": 1, "b: row": 1}
    told = file.inventory(applied)
    assert told.to_json() == {
        "format": "csv",
        "places": {"name: row": 2, "note: row": 2},
        "edits": {"note: row": 2},
        "dropped": [],
        "unread": [],
        "noticed": [],
    }
    assert told.public() == {"format": "csv", "passages": 4, "edits": 2, "dropped": 0, "unread": 0, "noticed": 0}
    assert write(file, applied) == b"name,note\nAnn,X twice: X\nBob,well\n"


def test_the_most_frequent_places_are_told_and_the_others_counted() -> None:
    places = {f"place {letter}": number for number, letter in enumerate("abcd", 1)}
    told = Inventory("docx", places, {}, ("properties",), ("picture",), ("a cover", "a link"))
    assert told.lines(most=4)[0] == "looked at: place d (4), place c (3), place b (2), place a (1)"
    assert told.lines(most=3) == [
        "looked at: place d (4), place c (3), place b (2) and 1 more",
        "not in the release: properties",
        "kept unread: picture",
        "take note: a cover; a link",
    ]
    assert told.public()["passages"] == 10
    assert (told.public()["dropped"], told.public()["unread"], told.public()["noticed"]) == (1, 1, 2)


def test_a_plan_of_another_document_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    file = read(NOTE, "note.txt")
    with pytest.raises(ValueError, match="made for another document"):
        write(file, hide(Document.of("He has AIDS!"), {"AIDS": "X"}))
    with pytest.raises(FormatError, match=r"none\.txt' cannot be read: No such file"):
        read(tmp_path / "none.txt")
    (tmp_path / "one.txt").write_bytes(NOTE)
    assert read(tmp_path / "one.txt").name == "one.txt"
    assert read(tmp_path / "one.txt", "two.txt").name == "two.txt"


def test_reading_leaves_the_collector_and_the_logs_as_they_were() -> None:
    logger = logging.getLogger("pdfminer")
    level = logger.level
    logger.setLevel(logging.ERROR)
    seen = []

    def rewrite(rewrite: Rewrite) -> bytes:
        seen.append((gc.isenabled(), logger.isEnabledFor(logging.CRITICAL)))
        return b"He has X."

    file = written_by(rewrite)
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            write(file, hide(file.document, {"AIDS": "X"}))
            assert gc.isenabled() is enabled
        finally:
            gc.enable()
    assert seen == [(False, False)] * 2
    assert logger.level == logging.ERROR
    logger.setLevel(level)


def test_removed_strings_are_searched_as_given_or_as_a_plan_has_them() -> None:
    assert [leak.text for leak in leaks(NOTE, ["AIDS", "HIV"], "note.txt")] == ["AIDS"]
    spared = Removed("AIDS", "X", allowed=frozenset({"aids"}))
    assert leaks(NOTE, [spared], "note.txt") == []
