from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.formats.base import GLUE, FormatError, Passage, Slot, fill, passage


@st.composite
def edited_passages(draw: st.DrawFn) -> tuple[Passage, list[tuple[int, int, str]]]:
    texts = draw(st.lists(st.text("ab c", min_size=1, max_size=5), min_size=1, max_size=6))
    slots = tuple(Slot(t, GLUE if i and draw(st.booleans()) else i) for i, t in enumerate(texts))
    length = sum(map(len, texts))
    cuts = sorted(draw(st.sets(st.integers(0, length), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return Passage("p", slots), [(a, b, draw(st.text("XY", max_size=3))) for a, b in pairs]


@given(edited_passages())
def test_fill_equals_editing_the_text_where_nothing_is_glue(case: tuple[Passage, list[tuple[int, int, str]]]) -> None:
    item, changes = case
    item = Passage(item.place, tuple(Slot(s.text, i) for i, s in enumerate(item.slots)))
    filled = fill([item], [changes])
    made = "".join(filled.get(slot.holder, slot.text) for slot in item.slots)
    expected, at = "", 0
    for start, end, new in changes:
        expected += item.text[at:start] + new
        at = end
    assert made == expected + item.text[at:]


@given(edited_passages())
def test_fill_removes_what_changes_cover_and_keeps_the_rest(case: tuple[Passage, list[tuple[int, int, str]]]) -> None:
    item, changes = case
    filled = fill([item], [changes])
    at = 0
    for slot in item.slots:
        if slot.holder != GLUE:
            kept = "".join(c for i, c in enumerate(slot.text) if not any(a <= at + i < b for a, b, _ in changes))
            new = filled.get(slot.holder, slot.text)
            assert "".join(c for c in new if c not in "XY") == kept
        at += len(slot.text)
    assert sum(new.count("X") + new.count("Y") for new in filled.values()) == sum(len(r) for _, _, r in changes)


def test_the_replacement_goes_to_the_first_slot_and_glue_is_skipped() -> None:
    item = Passage("p", (Slot("Dear ", 0), Slot("\t"), Slot("Anto", 1), Slot("nio", 2), Slot("!", 3)))
    assert fill([item], [[(5, 13, "Sir")]]) == {1: "Sir", 2: ""}


def test_raw_stays_where_it_is_not_touched() -> None:
    item = Passage("p", (Slot("a", 0), Slot(" ", 0, "\n   "), Slot("b", 0), Slot(" ", 0, "\n"), Slot("c", 0)))
    assert fill([item], [[(4, 5, "X")]]) == {0: "a\n   b\nX"}
    assert fill([item], [[(0, 3, "X")]]) == {0: "X\nc"}


def test_an_edit_of_glue_alone_is_refused_where_nothing_stores_text() -> None:
    with pytest.raises(FormatError, match="stores no text"):
        fill([Passage("p", (Slot("tab"),))], [[(0, 3, "x")]])


def test_white_space_is_no_passage() -> None:
    assert passage("p", [Slot(" \n", 0)]) is None
