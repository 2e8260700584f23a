"""Matters of people: found inside a phrase, and counted by all their names."""

from __future__ import annotations

import pytest

from taciturn import Knowledge
from taciturn.knowledge import ContextCounts
from taciturn.knowledge.counts.base import Counts
from taciturn.knowledge.lexicon import Lexicon, LexiconBuilder
from taciturn.knowledge.matter import concepts_named
from taciturn.knowledge.naming import names_of_people
from taciturn.knowledge.understood import understood
from taciturn.language import key


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    builder = LexiconBuilder(["tiny"], key)
    creed = builder.add("Zorism", "religion", ["tiny"])
    builder.name(creed, "Zorist", "derived", ["tiny"])
    builder.name(creed, "old faith", "synonym", ["tiny"])
    builder.name(creed, "plain", "derived", ["tiny"])
    builder.ordinary(key("plain"))
    builder.add("Reformed Zorism", "religion", ["tiny"], [creed])
    builder.name(1, "orange", "derived", ["tiny"])
    builder.ordinary(key("orange"))
    builder.add("gout", "condition", ["tiny"])
    builder.name(2, "podagra", "synonym", ["tiny"])
    builder.add("miners' guild", "society", ["tiny"])
    builder.add("lost wages", "topic", ["tiny"])
    return Lexicon(builder.arrays(), ["tiny"])


CONTEXTS = [
    *({"zorism", "orange"} for _ in range(4)),
    *({"zorist", "candle"} for _ in range(6)),
    *({"reformed zorism"} for _ in range(2)),
    *({"plain", "coat"} for _ in range(9)),
    *({"gout"} for _ in range(3)),
    *({"podagra"} for _ in range(2)),
    *({"weather"} for _ in range(30)),
]


@pytest.fixture(scope="module")
def counts() -> Counts:
    return ContextCounts(CONTEXTS)


def test_all_names_and_those_of_kinds_and_what_keeps_their_company(lexicon: Lexicon, counts: Counts) -> None:
    """ "plain" never stands beside a sure name, "orange" always does."""
    assert names_of_people([0], lexicon, counts) == ["old faith", "orange", "reformed zorism", "zorism", "zorist"]


def test_a_condition_goes_by_its_usual_name(lexicon: Lexicon, counts: Counts) -> None:
    assert names_of_people([2], lexicon, counts) == []
    knowledge = Knowledge(counts, lexicon=lexicon)
    assert knowledge.witnesses.counted(key("gout")) == "gout"


def test_a_matter_of_people_has_the_contexts_of_all_its_names(lexicon: Lexicon, counts: Counts) -> None:
    witnesses = Knowledge(counts, lexicon=lexicon).witnesses
    known = witnesses.counted(key("Zorism"))
    assert known is not None
    assert counts.count(known) == 4 + 6 + 2
    assert witnesses.counted(known) == known, "names that are put together are not looked up again"
    assert concepts_named(known, lexicon).concepts == (0,)
    assert witnesses.told([key("Zorism")], [key("candle")])[1][0, 0] == witnesses.information(key("Zorism"))


@pytest.mark.parametrize(
    ("phrase", "concepts", "rests"),
    [
        ("Zorist origin", (0,), "the matters in it"),
        ("being Zorist", (0,), "the matters in it"),
        ("membership of the miners' guild", (3,), "a more general name"),
        ("Zorist lost wages", (4, 0), "a more general name"),
        ("gout status", (2,), "the matters in it"),
        ("Zorist gout status", (0,), "the matters in it"),
        ("coat", (), "its own words"),
    ],
)
def test_the_matters_in_a_phrase_are_meant(
    phrase: str, concepts: tuple[int, ...], rests: str, lexicon: Lexicon
) -> None:
    found = concepts_named(phrase, lexicon)
    assert (found.concepts, found.rests) == (concepts, rests)


def test_the_user_is_told_that_more_is_protected_than_was_named(lexicon: Lexicon, counts: Counts) -> None:
    [found] = understood("Zorist origin", Knowledge(counts, lexicon=lexicon))
    assert found.labels == ("Zorism",)
    assert found.contexts == 12
    assert "so all of 'Zorism' is protected" in found.line


def test_the_pack_unites_the_contexts_of_names() -> None:
    counts = Knowledge.default().counts
    names = [key(n) for n in ("Islam", "Muslim", "zyxwv")]
    known = counts.united(names)
    assert known is not None
    assert counts.count(known) == counts.count(names[0]) + counts.count(names[1]) - counts.count(*names[:2])
    [alone, both] = counts.table([known], [key("mosque")]).tolist()
    assert counts.count(key("mosque"), names[0]) < both[0] <= alone[0]
    pairs = [(known, key("mosque"), key(n)) for n in ("prayer", "market")]
    expected = [counts.count(key("mosque"), p[2]) for p in pairs]
    assert all(0 < n <= most for n, most in zip(counts.count_many(pairs).tolist(), expected, strict=True))
    assert counts.united([key("zyxwv")]) is None
    assert counts.united(names[:1]) == names[0]
