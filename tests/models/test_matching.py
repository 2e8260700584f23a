from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.document import Term
from taciturn.models.matching import Matcher, cut_terms, union


def found(text: str, **rules: list[str]) -> list[str]:
    return [text[a:b] for a, b in Matcher(**rules).spans(text)]


def test_strings_are_whole_words_and_white_space_is_free() -> None:
    assert found("Ann, Anna and Ann\nLee's", exact=["Ann", "Ann Lee"]) == ["Ann", "Ann\nLee"]
    assert found("ann ANN", exact=["Ann"]) == []
    assert found("ann ANN Straße STRASSE", ignore_case=["Ann", "strasse"]) == ["ann", "ANN", "Straße", "STRASSE"]
    assert found("C++ and C, (C++)", exact=["C++"]) == ["C++", "C++"]
    assert found("Dr. Lee, Dr Lee", exact=["Dr. Lee"]) == ["Dr. Lee"]


def test_patterns_count_in_code_points() -> None:
    assert found("ä😀 case 17/4, case 18/5", pattern=["case [0-9]+/[0-9]+"]) == ["case 17/4", "case 18/5"]


@pytest.mark.parametrize("pattern", ["(", "(a)\\1", "a(?=b)", "a*", ""])
def test_patterns_that_cannot_be_run_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(pattern))):
        Matcher(pattern=[pattern])


def test_a_string_without_a_word_is_refused() -> None:
    with pytest.raises(ValueError, match="'--'"):
        Matcher(exact=["--"])


def test_a_pattern_made_to_be_slow_is_not() -> None:
    matcher = Matcher(pattern=["(a+)+b"])
    times = []
    for size in (20_000, 80_000):
        start = process_time()
        assert matcher.spans("a" * size) == []
        times.append(process_time() - start)
    assert times[1] < 40 * times[0] + 0.05


@given(st.text(alphabet="ab A.", max_size=12), st.text(alphabet="abA. ", max_size=60))
def test_strings_agree_with_a_regular_expression(string: str, text: str) -> None:
    if not re.search(r"\w", string):
        return
    string = re.sub(" +", " ", string.strip())
    edges = (r"(?<!\w)" if string[0].isalnum() else "", r"(?!\w)" if string[-1].isalnum() else "")
    pattern = edges[0] + " +".join(map(re.escape, string.split(" "))) + edges[1]
    places, at = [], 0
    while match := re.compile(pattern).search(text, at):
        places.append(match.span())
        at = match.start() + 1
    if "  " not in text:  # white space around signs is compared as a length, so only single spaces are comparable
        assert Matcher(exact=[string]).spans(text) == union(places)


def test_terms_are_cut_around_spans() -> None:
    term = Term(4, 20, "New Boston Clubs", "new boston club", "place")
    assert [(t.start, t.text) for t in cut_terms([term], [(0, 2), (8, 14), (30, 31)])] == [(4, "New"), (15, "Clubs")]
    assert list(cut_terms([term], [(0, 40)])) == []
    assert list(cut_terms([term], [(0, 4), (20, 22)])) == [term]


def test_a_longer_string_does_not_reach_beyond_the_text() -> None:
    both = Matcher(exact=["Ann Lee", "Ann Lee of Rome"])
    assert both.spans("She met Ann Lee") == [(8, 15)]
    assert both.spans("Ann Lee of Rome") == [(0, 15)]
