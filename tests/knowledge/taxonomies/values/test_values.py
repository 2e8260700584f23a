from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.knowledge.taxonomies.values import ValueTaxonomy
from taciturn.language import key

VALUES = ValueTaxonomy()


def ladder(text: str) -> list[str]:
    return [n.label for n in VALUES.generalizations(key(text))]


MARCH = ["March 1984", "1984", "the 1980s", "the 20th century"]


@pytest.mark.parametrize(
    "text",
    [
        "12 March 1984",
        "March 12, 1984",
        "12th of March 1984",
        "12th March, 1984",
        "March 12th 1984",
        "Mar. 12, 1984",
        "12 Mar 1984",
        "12-Mar-1984",
        "1984-03-12",
        "the 12th of March 1984",
    ],
)
def test_the_ways_to_write_a_day(text: str) -> None:
    assert ladder(text) == MARCH


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("March 1984", MARCH[1:]),
        ("1984", MARCH[2:]),
        ("the 1980s", MARCH[3:]),
        ("25/3/1984", MARCH),
        ("3/25/1984", MARCH),
        ("3/25/84", MARCH),
        ("12/03/1984", MARCH[1:]),
        ("3/3/1984", MARCH),
        ("29 February 1984", ["February 1984", *MARCH[1:]]),
        ("12 March", ["March"]),
        ("1 January 2000", ["January 2000", "2000", "the 2000s", "the 21st century"]),
        ("29 February 1985", []),
        ("31/31/1984", []),
        (
            "1984 people",
            [f"{r} people" for r in ("1,980 to 1,989", "1,900 to 1,999", "1,000 to 1,999", "1,000 to 9,999")],
        ),
        ("May", []),
        ("47", ["forties", "adult"]),
        ("47-year-old", ["forties", "adult"]),
        ("47 years old", ["forties", "adult"]),
        ("aged 8", ["under 13", "young person"]),
        ("17", ["teens", "young person"]),
        ("89", ["eighties", "adult"]),
        ("90", ["90 or older", "adult"]),
        ("102", ["90 or older", "adult"]),
        ("02138", ["021**"]),
        ("02138-1234", ["02138", "021**"]),
        ("03601", ["000**"]),
        ("SW1A 1AA", ["SW1A ***"]),
        ("K1A 0B1", ["K1A ***"]),
        ("$1,250", ["$1,250 to $1,259", "$1,200 to $1,299", "$1,000 to $1,999", "$1,000 to $9,999"]),
        ("500 mg", ["500 to 509 mg", "500 to 599 mg", "100 to 999 mg"]),
        ("1.5 kg", ["1.0 to 1.9 kg", "1.0 to 9.9 kg"]),
        ("7 %", ["0 to 9%"]),
    ],
)
def test_ladders(text: str, expected: list[str]) -> None:
    assert ladder(text) == expected


def test_kinds_can_be_asked_for() -> None:
    number = VALUES.sense("47", "amount")
    assert number
    assert [n.label for n in VALUES.generalizations(number)] == ["40 to 49", "10 to 99"]
    assert VALUES.sense("March 1984", "age") is None
    with pytest.raises(ValueError, match="'colour' is no kind of value"):
        VALUES.sense("red", "colour")


def test_what_is_no_value() -> None:
    for text in ("", "dog", "march of time", "angry 47 men", "1" * 200, "12 March 1984 and after", "-", "1984-13-01"):
        assert VALUES.senses(text) == ()


@given(st.dates(date(1000, 1, 1), date(2199, 12, 31)))
def test_every_day_is_read_from_each_of_its_forms(day: date) -> None:
    node = VALUES.sense(day.isoformat(), "date")
    assert node
    for form in VALUES.keys(node):
        assert VALUES.senses(form)[0] == node
    (month,) = VALUES.parents(node)
    assert VALUES.volume(month) == len(VALUES.children(month))
    assert node in VALUES.children(month)


texts = st.one_of(
    st.dates(date(1000, 1, 1), date(2199, 12, 31)).map(date.isoformat),
    st.integers(0, 120).map(str),
    st.integers(0, 99999).map("{:05d}".format),
    st.integers(0, 10**9).map("${}".format),
    st.decimals(0, 1000, places=2).map("{} kg".format),
)


@given(texts)
def test_volumes_add_up_and_grow(text: str) -> None:
    for node in VALUES.senses(text):
        chain = VALUES.chain(node)
        volumes = [VALUES.volume(n) for n in chain]
        assert volumes[0] == 1
        assert volumes == sorted(volumes)
        for above in chain[1:]:
            children = VALUES.children(above)
            assert sum(map(VALUES.volume, children)) == VALUES.volume(above)
            assert all(VALUES.parents(c) == (above,) for c in children)


def test_a_century_has_all_its_days() -> None:
    (node,) = [n for n in VALUES.ancestors(VALUES.senses("1984-03-12")[0]) if n.label == "the 20th century"]
    assert VALUES.volume(node) == (date(2000, 1, 1) - date(1900, 1, 1)) // timedelta(days=1)


@given(st.text("0123456789 ,./-$abcmarchof", max_size=80))
def test_any_text_is_read_or_not(text: str) -> None:
    for node in VALUES.senses(text):
        assert VALUES.chain(node)
        assert VALUES.volume(node) >= 1
