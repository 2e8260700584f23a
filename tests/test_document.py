from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.document import Document, Segment, Term, verify_span


def test_a_term_fits_its_span() -> None:
    assert Term(3, 7, "AIDS", "AIDS").kind == "other"
    for start, end, text in ((3, 8, "AIDS"), (-1, 3, "AIDS"), (3, 3, "")):
        with pytest.raises(ValueError, match="does not fit"):
            Term(start, end, text, "AIDS")


def test_segments_are_in_order_and_inside_the_text() -> None:
    with pytest.raises(ValueError, match="overlaps"):
        Document("abcdef", (Segment(0, 4), Segment(3, 6)))
    with pytest.raises(ValueError, match="ends after"):
        Document("abc", (Segment(0, 4),))
    with pytest.raises(ValueError, match="runs forward"):
        Segment(4, 3)


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=20)), max_size=6))
def test_join_keeps_every_part_at_its_segment(parts: list[tuple[str, str]]) -> None:
    document = Document.join(parts)
    assert [(s.place, document.text[s.start : s.end]) for s in document.segments] == parts


def test_verify_span_quotes_what_is_there() -> None:
    verify_span("He has AIDS.", 7, 11, "AIDS")
    with pytest.raises(ValueError, match="'has'"):
        verify_span("He has AIDS.", 3, 6, "had")
    with pytest.raises(ValueError, match="outside"):
        verify_span("abc", 2, 9, "c")
