"""What analyze() promises of every text, good or bad."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.language import Analysis, KnownSentences, analysis, analyze

ANY = st.text(alphabet=st.characters(codec=None), max_size=120)
PROSE = st.lists(
    st.sampled_from(
        "The patient Mr. Anna Smith , . ! \n \n\n - * 1994 5 May 12:30 HIV-positive a.b@c.org no. 18403/91 of and "
        "London's (AIDS) “quoted” $5,000 \ud800 \x00 東京 e\u0301 ... Inc. U.S. : ; / 3.5 kg".split(" ")
    ),
    max_size=40,
).map(" ".join)


def hold(found: Analysis) -> None:
    """Raise unless spans are in order, nested and non-empty."""
    found.verify()
    levels: list[list[tuple[int, int]]] = [
        [(t.start, t.end) for t in found.terms],
        list(found.sentences),
        list(found.paragraphs),
        [(s.start, s.end) for s in found.document.segments],
    ]
    for spans in levels[:-1]:
        assert all(s < e for s, e in spans)
        assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    for inner, outer in itertools.pairwise(levels):
        at = 0
        for start, end in inner:
            while outer[at][1] < end:
                at += 1
            assert outer[at][0] <= start
            assert end <= outer[at][1]


@settings(deadline=None, max_examples=100)
@given(st.one_of(ANY, PROSE))
def test_spans_are_ordered_and_nested(text: str) -> None:
    hold(analyze(Document.of(text)))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.one_of(ANY, PROSE), max_size=5), st.sampled_from(["", "\n", "\n\n", "x"]))
def test_nothing_crosses_a_segment(parts: list[str], between: str) -> None:
    hold(analyze(Document.join([("cell", part) for part in parts], between)))


@settings(deadline=None, max_examples=40)
@given(st.lists(PROSE, min_size=1, max_size=4), st.integers(20, 60))
def test_blocks_hold_the_same_promises(parts: list[str], size: int) -> None:
    before = analysis._BLOCK
    analysis._BLOCK = size
    try:
        hold(analyze(Document.join([("cell", part) for part in parts])))
    finally:
        analysis._BLOCK = before


def test_blocks_do_not_change_what_is_found_in_paragraphs() -> None:
    text = "\n\n".join(f"Patient {i} suffers from liver cancer. She lives in Nicosia." for i in range(400))
    whole = analyze(Document.of(text))
    before = analysis._BLOCK
    analysis._BLOCK = 3000
    try:
        assert analyze(Document.of(text)) == whole
    finally:
        analysis._BLOCK = before


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n",
        "\x00",
        "\ud800",
        "\udfff\ud800",
        "\u200d",
        "." * 1000,
        "a" * 1_000_000,
        "-" * 100_000,
        "東" * 100_000,
    ],
)
def test_odd_texts_are_analyzed(text: str) -> None:
    hold(analyze(Document.of(text)))


@pytest.mark.parametrize("unit", ["The old man saw Anna. ", "word ", "Name ", "x", "a.", "\n", "1 ", "\ud800", "漢字"])
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def cost(n: int) -> float:
        document = Document.of(unit * (n // len(unit)))
        begin = time.process_time()
        analyze(document)
        return time.process_time() - begin

    cost(3_000)
    small, large = min(cost(30_000), cost(30_000)), cost(240_000)
    assert large < 8 * 4 * small + 0.1  # eight times the text; quadratic time would be sixty-four times


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(PROSE, min_size=1, max_size=4), min_size=1, max_size=4))
def test_known_sentences_change_nothing(versions: list[list[str]]) -> None:
    known = KnownSentences()
    for parts in versions:
        document = Document.of("\n".join(parts))
        assert analyze(document, known) == analyze(document)


def test_a_long_line_needs_no_more_memory_at_a_time_than_a_block() -> None:
    blocks = list(analysis._blocks(Document.of("word " * 400_000)))
    assert max(end - start for spans in blocks for start, end in spans) <= analysis._BLOCK
    assert [spans[0][0] for spans in blocks[1:]] == [spans[-1][1] for spans in blocks[:-1]]


def test_terms_of_running_text() -> None:
    found = analyze(Document.of("The patient suffers from AIDS because of a blood transfusion in New York City."))
    assert [t.text for t in found.terms] == ["patient", "AIDS", "blood transfusion", "New York City"]
    assert [t.kind for t in found.terms] == ["other", "other", "other", "place"]


def test_identifiers_come_before_phrases_and_keep_sentences_whole() -> None:
    text = "In the case no. 18403/91 the hearing of Friday 5 May 1995 ended at 5 p.m. on his 45-year-old farm."
    found = analyze(Document.of(text))
    assert found.sentences == ((0, len(text)),)
    kinds = {t.text: t.kind for t in found.terms}
    assert kinds["18403/91"] == "case-number"
    assert kinds["hearing"] == "other"
    assert any("5 May 1995" in words and kind == "date" for words, kind in kinds.items())
    assert kinds["farm"] == "other"


def test_an_identifier_that_runs_over_a_blank_line_is_cut() -> None:
    found = analyze(Document.of("He came on 5\n\nMay 1995."))
    hold(found)
    assert len(found.paragraphs) == 2


def test_mentions_are_linked_within_segments_only() -> None:
    parts = [("cell", "Mrs Anna Evagorou came."), ("cell", "Then Evagorou left. Anna"), ("cell", "Evagorou stayed.")]
    for between in ("\n\n", " Anna Evagorou ", " ", ""):
        found = analyze(Document.join(parts, between))
        hold(found)
        assert len({t.mention for t in found.terms if "Evagorou" in t.text} - {0}) == 1


def test_a_phrase_without_end_is_cut_into_pieces() -> None:
    text = " ".join(["Alpha"] * 90)
    terms = analyze(Document.of(text)).terms
    assert max(len(t.text.split()) for t in terms) <= 16
    assert sum(len(t.text.split()) for t in terms) >= 80


def test_a_code_before_a_full_stop_ends_its_sentence() -> None:
    found = analyze(Document.of("Coded F10.2. Hands were clean. Dr. Lee saw ICD-10. Mother was well."))
    text = found.document.text
    assert [text[s:e] for s, e in found.sentences][:2] == ["Coded F10.2.", "Hands were clean."]
