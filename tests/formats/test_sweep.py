from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.formats.sweep import Matcher, Removed, Sweeper, fold, removed
from tests.formats.plans import hide


@pytest.mark.parametrize(
    "text",
    [
        "antonio banderas",
        "ANTONIO\n  BANDERAS",
        "Antonio_Banderas.pdf",
        "x/antonio-banderas2",
        "AntonioBanderas",
        "Antonio%20Banderas",
        "Anto\u00adnio Ban\u200bderas",
        "Ａｎｔｏｎｉｏ Banderas",
        "A n t o n i o  B a n d e r a s",
        "Antonio Bande-\nras",
    ],
)
def test_a_name_is_found_however_it_is_written(text: str) -> None:
    assert Matcher(["Antonio Banderas"]).present(text) == {0}


@pytest.mark.parametrize(
    ("string", "text", "there"),
    [
        ("cancer", "anticancer cancers", False),
        ("Müller", "Mu\u0308ller", True),
        ("ﬁnance", "Finance", True),
        ("肝癌", "患者は肝癌です", True),
        ("C++", "a c b", False),
        ("C++", "in c++.", True),
        ("12", "120 312 1 2", False),
        ("हिंदी", "यह हिंदी है", True),
        ("🏳️‍🌈", "x🏳️‍🌈y", True),
    ],
)
def test_borders(string: str, text: str, there: bool) -> None:
    assert bool(Matcher([string]).present(text)) is there


@given(st.text(max_size=40), st.text(max_size=40), st.text("abß é漢1-", min_size=1, max_size=10))
def test_a_string_between_borders_is_always_found(before: str, after: str, string: str) -> None:
    if fold(string)[0].strip(" -"):
        assert Matcher([string]).present(f"{before} {string} {after}") == {0}


@given(st.text("abAB 漢ß\u00ad-%20", max_size=60), st.lists(st.text("abAB漢ß -", min_size=1, max_size=6), max_size=4))
def test_nothing_is_left_after_cleaning(text: str, strings: list[str]) -> None:
    sweeper = Sweeper(Removed(s, "XX") for s in strings)
    assert not sweeper.hits(sweeper.clean(text))


def test_spellings_of_one_string_are_all_told() -> None:
    assert Matcher(["C.I.A.", "C I A", "Cia"]).present("the c.i.a") == {0, 1}


def test_parts_count_only_when_nothing_of_them_is_left() -> None:
    document = Document.of("Dr Antonio Banderas of the Bank of Spain has liver cancer. Cancer, said Antonio.")
    gone = removed(hide(document, {"Antonio Banderas": "P", "Bank of Spain": "O", "liver cancer": "cancer"}))
    assert {(r.text, r.part) for r in gone} == {
        ("Antonio Banderas", False),
        ("Banderas", True),
        ("Bank of Spain", False),
        ("Bank", True),
        ("Spain", True),
        ("liver cancer", False),
        ("liver", True),
    }


def test_time_grows_linearly_with_text_and_not_with_the_strings() -> None:
    def cost(length: int, strings: int) -> float:
        matcher = Matcher([f"name{i} surname{i}" for i in range(strings)])
        text = "name surname a b c " * length
        start = time.process_time()
        matcher.present(text)
        return time.process_time() - start

    cost(1000, 10)
    assert cost(40_000, 5000) < 40 * max(cost(4_000, 10), 1e-3)


def test_numbers_of_five_digits_count_alone_and_shorter_ones_do_not() -> None:
    document = Document.of("Ann Lee, room 1203, case 48213, was here.")
    gone = removed(hide(document, {"Ann Lee, room 1203, case 48213": "P"}))
    assert {r.text for r in gone if r.part} == {"Ann", "Lee", "room", "case", "48213"}
    assert Sweeper(gone).clean("scan-48213-1203.png") == "scan-[REDACTED]-1203.png"


def test_structure_is_swept_of_long_numbers_only() -> None:
    sweeper = Sweeper([Removed("4821377", "N"), Removed("482137", "M")])
    assert [sweeper.hits(text, structure=True) for text in ("id-4821377", "id-482137")] == [True, False]
    assert sweeper.clean("id-4821377 id-482137", structure=True) == "id-N id-482137"
    assert sweeper.clean("id-4821377 id-482137") == "id-N id-M"


def test_digits_are_not_joined_into_another_number() -> None:
    assert Matcher(["12 March"]).present("12march") == {0}
    assert not Matcher(["12 34"]).present("1234")
