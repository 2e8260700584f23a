from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.document import Document
from tacit.plan import Edit, Plan, apply, compose, resolve

TEXTS = st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=40)


@st.composite
def edited(draw: st.DrawFn, text: str | None = None) -> tuple[str, list[Edit]]:
    """A text and edits of it that may overlap in every way."""
    text = draw(TEXTS) if text is None else text
    edits = []
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        edits.append(Edit(start, end, text[start:end], draw(st.text(max_size=6))))
    return text, edits


@given(edited())
def test_resolved_edits_cover_all_that_any_edit_hides(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    document = Document.of(text)
    kept = resolve(edits, document)
    Plan(document, kept)  # in order, without overlap, or it raises
    covered = {i for e in kept for i in range(e.start, e.end)}
    assert covered == {i for e in edits for i in range(e.start, e.end)}


def test_crossing_edits_become_one_mark_and_nested_ones_the_outer() -> None:
    document = Document.of("abcdefgh")
    crossing = resolve([Edit(0, 4, "abcd", "X"), Edit(2, 6, "cdef", "Y")], document)
    assert [(e.start, e.end, e.replacement) for e in crossing] == [(0, 6, "[REDACTED]")]
    nested = resolve([Edit(2, 4, "cd", "Y"), Edit(0, 6, "abcdef", "X")], document)
    assert [(e.start, e.end, e.replacement) for e in nested] == [(0, 6, "X")]


@given(edited())
def test_text_outside_edits_survives_and_offsets_map_both_ways(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    document = Document.of(text)
    applied = apply(Plan(document, resolve(edits, document)))
    released = applied.document.text
    hidden = {i for e in applied.plan.edits for i in range(e.start, e.end)}
    for i, character in enumerate(text):
        if i not in hidden:
            assert released[applied.to_released(i)] == character
            assert applied.to_original(applied.to_released(i)) == i
    for edit, (start, end) in zip(applied.plan.edits, applied.spans, strict=True):
        assert released[start:end] == edit.replacement
        assert applied.to_released(edit.start) == start
    kept = len(text) - sum(e.end - e.start for e in applied.plan.edits)
    assert len(released) == kept + sum(len(e.replacement) for e in applied.plan.edits)


@given(edited(), st.data())
def test_composed_edits_give_the_same_text_as_two_rounds(case: tuple[str, list[Edit]], data: st.DataObject) -> None:
    text, edits = case
    document = Document.of(text)
    first = apply(Plan(document, resolve(edits, document)))
    if not first.document.text:
        return
    _, more = data.draw(edited(first.document.text))
    second = apply(Plan(first.document, resolve(more, first.document)))
    assert compose(first, more).document.text == second.document.text


def test_segments_move_with_the_text() -> None:
    document = Document.join([("title", "AIDS"), ("body", "He has AIDS.")])
    edits = [Edit(0, 4, "AIDS", "disease"), Edit(13, 17, "AIDS", "")]
    released = apply(Plan(document, tuple(edits))).document
    assert [released.text[s.start : s.end] for s in released.segments] == ["disease", "He has ."]


def test_a_plan_refuses_what_is_not_there() -> None:
    document = Document.join([("a", "one"), ("b", "two")])
    with pytest.raises(ValueError, match="not 'two'"):
        Plan(document, (Edit(0, 3, "two", "x"),))
    with pytest.raises(ValueError, match="crosses the end of a segment"):
        Plan(document, (Edit(2, 6, "e\n\nt", "x"),))
    with pytest.raises(ValueError, match="overlaps"):
        Plan(document, (Edit(0, 2, "on", "x"), Edit(1, 3, "ne", "y")))
