from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.document import Document, Segment
from taciturn.plan import Edit, Plan, apply, compose, resolve

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
    same_start = resolve([Edit(0, 2, "ab", "Y"), Edit(0, 6, "abcdef", "X")], document)
    assert [(e.start, e.end, e.replacement) for e in same_start] == [(0, 6, "X")]


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
    beside = Document("abcd", (Segment(0, 2, "a"), Segment(2, 4, "b")))
    released = apply(Plan(beside, (Edit(2, 4, "cd", "XYZ"),))).document
    assert [released.text[s.start : s.end] for s in released.segments] == ["ab", "XYZ"]


def test_a_plan_refuses_what_is_not_there() -> None:
    document = Document.join([("a", "one"), ("b", "two")])
    with pytest.raises(ValueError, match="not 'two'"):
        Plan(document, (Edit(0, 3, "two", "x"),))
    with pytest.raises(ValueError, match="crosses the end of a segment"):
        Plan(document, (Edit(2, 6, "e\n\nt", "x"),))
    with pytest.raises(ValueError, match="overlaps"):
        Plan(document, (Edit(0, 2, "on", "x"), Edit(1, 3, "ne", "y")))


@pytest.mark.parametrize(("start", "end", "original"), [(0, 4, "abc"), (-3, 0, "abc"), (2, 2, ""), (3, 0, "abc")])
def test_an_edit_refuses_a_span_that_is_not_its_words(start: int, end: int, original: str) -> None:
    with pytest.raises(ValueError, match=f"does not fit the span from {start} to {end}"):
        Edit(start, end, original, "x")


def test_edits_that_touch_are_both_kept_and_of_the_same_span_the_first() -> None:
    document = Document.of("abcdef")
    touching = resolve([Edit(3, 6, "def", "Y"), Edit(0, 3, "abc", "X")], document)
    assert [e.replacement for e in touching] == ["X", "Y"]
    same = resolve([Edit(0, 3, "abc", "X"), Edit(0, 3, "abc", "Y")], document)
    assert [e.replacement for e in same] == ["X"]


def test_what_becomes_of_crossing_edits_carries_the_evidence_of_both() -> None:
    document = Document.of("abcdefgh")
    one = Edit(0, 4, "abcd", "X", "because", "first", "person", {"pmi": 1, "ic": 2})
    other = Edit(2, 6, "cdef", "Y", "therefore", "second", "place", {"pmi": 3, "k": 4})
    (made,) = resolve([one, other], document, mark="[GONE]")
    assert (made.original, made.replacement, made.reason) == ("abcdef", "[GONE]", "because; therefore")
    assert (made.model, made.kind, dict(made.figures)) == ("first", "person", {"pmi": 1, "ic": 2, "k": 4})
    assert not made.local
    for pair in ([replace(one, local=True), other], [one, replace(other, local=True)]):
        assert resolve(pair, document)[0].local, "what either hides for this place alone"
    (nameless,) = resolve([Edit(0, 4, "abcd", "X"), other], document)
    assert (nameless.model, nameless.reason) == ("second", "therefore")


def test_a_later_edit_takes_the_place_of_earlier_ones_with_the_evidence_of_all() -> None:
    old = Edit(7, 11, "AIDS", "a grave disease", "tells", "first", "disease", {"pmi": 1, "ic": 2})
    first = apply(Plan(Document.of("He has AIDS and asthma."), (old,)))
    assert first.document.text == "He has a grave disease and asthma."
    new = Edit(15, 33, first.document.text[15:33], "illness", "tells more", "second", "other", {"pmi": 3})
    both = compose(first, [new])
    (made,) = both.plan.edits
    assert both.document.text == "He has a grave illness."
    assert (made.original, made.replacement) == ("AIDS and asthma", "a grave illness")
    assert (made.reason, made.model, made.kind) == ("tells more; tells", "second", "disease")
    assert dict(made.figures) == {"pmi": 1, "ic": 2}
    assert not made.local
    assert compose(first, [replace(new, local=True)]).plan.edits[0].local
    assert compose(first, [replace(new, reason="")]).plan.edits[0].reason == "tells"


def test_edits_beside_each_other_stay_two_and_an_empty_replacement_joins_what_touches_it() -> None:
    first = apply(Plan(Document.of("abcdef"), (Edit(0, 3, "abc", "XYZ"),)))
    beside = compose(first, [Edit(3, 6, "def", "UVW")])
    assert [(e.span, e.replacement) for e in beside.plan.edits] == [((0, 3), "XYZ"), ((3, 6), "UVW")]
    gone = apply(Plan(Document.of("abcdef"), (Edit(2, 4, "cd", ""),)))
    around = compose(gone, [Edit(0, 4, "abef", "X")])
    assert [(e.span, e.replacement) for e in around.plan.edits] == [((0, 6), "X")]
    before = compose(gone, [Edit(0, 2, "ab", "X")])
    after = compose(gone, [Edit(2, 4, "ef", "X")])
    assert (before.document.text, after.document.text) == ("Xef", "abX")


def test_offsets_at_the_edges_of_an_edit() -> None:
    applied = apply(Plan(Document.of("a bc d"), (Edit(2, 4, "bc", "XYZ"),)))
    assert [applied.to_released(i) for i in range(7)] == [0, 1, 2, 2, 5, 6, 7]
    assert [applied.to_original(i) for i in range(8)] == [0, 1, 2, 2, 2, 4, 5, 6]
