from __future__ import annotations

import re
from html import unescape

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taciturn.review.decisions import Decision
from taciturn.review.render import changed, draw
from tests.review.notes import NOTE, choice, decision, session

_TAG = re.compile(r"<[^>]*>")
_ROWS = st.lists(
    st.tuples(
        st.sampled_from(["accept", "keep", "redact", "replace", "mark"]),
        st.integers(0, len(NOTE) - 2),
        st.integers(1, 150),  # long enough to run over a paragraph's end
        st.booleans(),
    ),
    max_size=4,
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(_ROWS)
def test_blocks_show_the_whole_of_both_texts_and_are_redrawn_as_if_drawn_anew(
    rows: list[tuple[str, int, int, bool]],
) -> None:
    here = session()
    drawn = draw(here.state)
    for action, start, length, everywhere in rows:
        span = (start, min(start + length, len(NOTE)))
        if not NOTE[span[0] : span[1]].strip():
            continue
        step = Decision.on(here.document, action, span, everywhere=everywhere, label="thing")  # type: ignore[arg-type]
        here.steps = (*here.steps, here.verify(step))
        again = draw(here.state, drawn)
        assert again.blocks == draw(here.state).blocks
        same = {b.number for b in again.blocks} - {b.number for b in changed(drawn, again)}
        assert all(drawn.blocks[n] == again.blocks[n] for n in same)
        drawn = again
        assert unescape(_TAG.sub("", "".join(b.original for b in drawn.blocks))) == NOTE
        released = unescape(_TAG.sub("", "".join(b.released for b in drawn.blocks)))
        assert released == here.state.applied.document.text


def test_a_step_redraws_its_paragraph_and_flags_it_in_both_texts() -> None:
    here = session()
    before = draw(here.state)
    here.steps = (decision(here, "keep", "Kaposi"),)
    new = changed(before, draw(here.state, before))
    assert [b.number for b in new] == [1]
    assert f'class="t kept bad" role="button" tabindex="-1" data-at="{choice(here, "Kaposi").id}"' in new[0].original
    assert '<mark class="bad">' in new[0].released


def test_places_of_a_file_are_named_once() -> None:
    here = session("<html><title>A</title><body><p>One dog.</p><p>Two dogs.</p></body></html>", name="a.html")
    places = [b.place for b in draw(here.state).blocks]
    assert len([p for p in places if p]) == len(set(places) - {""})
