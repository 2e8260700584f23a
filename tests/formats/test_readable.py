from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.formats import read, write
from taciturn.formats.base import Passage, Slot
from taciturn.formats.readable import readable, translated
from taciturn.plan import Plan, apply
from tests.formats.plans import release

_letters = st.text(st.sampled_from("abc -\n\u0308\u0301\u00fc\u1112\u1161>\t"), max_size=30)


@given(_letters, st.lists(st.integers(0, 30), max_size=6, unique=True))
def test_edits_of_the_readable_text_are_edits_of_the_stored_one(text: str, cuts: list[int]) -> None:
    view = readable(Passage("text", (Slot(text, 0),)))
    shown = text if view is None else view.passage.text
    ends = sorted(c for c in cuts if c <= len(shown))
    edits = [(a, b, "X1X") for a, b in zip(ends[::2], ends[1::2], strict=False)]
    [stored] = translated([edits], [view])
    expected, made = shown, text
    for start, end, new in reversed(edits):
        expected = expected[:start] + new + expected[end:]
    for start, end, new in reversed(stored):
        made = made[:start] + new + made[end:]
    again = readable(Passage("text", (Slot(made, 0),)))
    assert _plain(made if again is None else again.passage.text) == _plain(expected)


def _plain(text: str) -> str:
    """Letters alone: a hyphen at a new border between stored and written text may or may not break a word."""
    kept = (c for c in unicodedata.normalize("NFD", text) if c.isalnum() and not unicodedata.combining(c))
    return "".join(kept)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.json"])
def test_a_word_broken_at_a_line_end_is_one_word(name: str) -> None:
    source = "Dear Ms Kowal-\nczyk, Kowalczyk is well-\nknown."
    data = f'{{"a": "{source}"}}'.replace("\n", "\\n").encode() if name == "a.json" else source.encode()
    file, made = release(data, name, {"Kowalczyk": "X"})
    text = file.document.text
    assert text.count("Kowalczyk") == 2
    assert b"czyk" not in made
    assert b"well-" in made


@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.csv"])
def test_letters_with_their_accents_apart_are_the_same_letters(name: str) -> None:
    decomposed = unicodedata.normalize("NFD", "Müller")
    rows = {"a.txt": f"Müller and {decomposed}, café cafe\u0301", "a.html": f"<html><p>Müller, {decomposed}</p>"}
    data = rows.get(name, f"who\nMüller\n{decomposed}\n").encode()
    file, made = release(data, name, {"Müller": "X"})
    assert decomposed not in file.document.text
    assert "ller" not in made.decode()
    if name == "a.txt":
        assert "cafe\u0301" in made.decode()


def test_folded_lines_of_a_calendar() -> None:
    end = b"\r\nDESCRIPTION:nothing he\r\n re\r\nEND:VCALENDAR\r\n"
    source = b"BEGIN:VCALENDAR\r\nSUMMARY:Seen for HI\r\n V\\, again\\nHIV" + end
    file = read(source, "a.ics")
    assert "Seen for HIV, again\nHIV\r\nDESCRIPTION:nothing here" in file.document.text
    made = release(source, "a.ics", {"HIV": "a virus"})[1]
    assert made == b"BEGIN:VCALENDAR\r\nSUMMARY:Seen for a virus\\, again\\na virus" + end
    assert write(file, apply(Plan(file.document))) == source
