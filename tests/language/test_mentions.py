"""Mentions: what belongs together, what does not, what is added, and that any input keeps its offsets."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Term
from taciturn.language.definitions import definitions
from taciturn.language.keys import key
from taciturn.language.mentions import link_mentions
from taciturn.language.names import Name, Persons, parse_name


def terms_of(text: str, *spans: tuple[str, str]) -> list[Term]:
    """A term for each (words, kind), looked for from left to right."""
    found, at = [], 0
    for words, kind in spans:
        at = text.index(words, at)
        found.append(Term(at, at + len(words), words, key(words), kind))
        at += len(words)
    return found


def linked(text: str, *spans: tuple[str, str]) -> list[tuple[str, str, int]]:
    return [(t.text, t.kind, t.mention) for t in link_mentions(terms_of(text, *spans), text)]


def test_forms_of_one_name() -> None:
    text = "Angelina Jolie Voight acts. Later Jolie, Ms Voight, ANGELINA JOLIE VOIGHT and A.J.V. did."
    assert linked(text, ("Angelina Jolie Voight", "person")) == [
        ("Angelina Jolie Voight", "person", 1),
        ("Jolie", "person", 1),
        ("Ms Voight", "person", 1),
        ("ANGELINA JOLIE VOIGHT", "person", 1),
        ("A.J.V.", "person", 1),
    ]


def test_two_smiths_are_not_merged() -> None:
    text = "Mr John Smith met Mrs Anna Smith. Smith left. Mrs Smith stayed. J. Smith signed."
    spans = [("Mr John Smith", "person"), ("Mrs Anna Smith", "person"), ("Smith", "person")]
    assert linked(text, *spans, ("Mrs Smith", "person"), ("J. Smith", "person")) == [
        ("Mr John Smith", "person", 1),
        ("Mrs Anna Smith", "person", 2),
        ("Smith", "person", 0),
        ("Mrs Smith", "person", 2),
        ("J. Smith", "person", 1),
    ]


def test_an_acronym_and_its_expansion() -> None:
    text = (
        "The acquired immunodeficiency syndrome (AIDS) spreads. AIDS kills; acquired immunodeficiency syndrome kills."
    )
    assert linked(text, ("immunodeficiency syndrome", "other")) == [
        ("acquired immunodeficiency syndrome", "other", 1),
        ("AIDS", "other", 1),
        ("AIDS", "other", 1),
        ("acquired immunodeficiency syndrome", "other", 1),
    ]


def test_a_short_name_in_quotes() -> None:
    text = "The European Commission of Human Rights (“the Commission”) met. The Commission agreed, on commission."
    assert linked(text, ("European Commission", "organization"), ("Commission", "other")) == [
        ("European Commission of Human Rights", "organization", 1),
        ("Commission", "organization", 1),
        ("Commission", "organization", 1),
    ]


def test_a_role_in_quotes_is_no_name() -> None:
    text = "Anna Christou (“the applicant”) came. The applicant left."
    assert linked(text, ("Anna Christou", "person"), ("applicant", "other"), ("applicant", "other"))[1:] == [
        ("applicant", "other", 0),
        ("applicant", "other", 0),
    ]


def test_a_name_inside_another_term_is_cut_out() -> None:
    text = "Angelina Jolie left. The big Jolie's house burnt."
    assert linked(text, ("Angelina Jolie", "person"), ("big Jolie's house", "other")) == [
        ("Angelina Jolie", "person", 1),
        ("big", "other", 0),
        ("Jolie", "person", 1),
        ("house", "other", 0),
    ]


def test_one_word_that_may_be_no_name_cuts_nothing() -> None:
    text = "Vicryl was used. A Vicryl suture held; CSF Mekongi was clear, the CSF too."
    found = linked(text, ("Vicryl", "person"), ("Vicryl suture", "other"), ("CSF Mekongi", "person"), ("CSF", "other"))
    assert [word for word, _, _ in found] == ["Vicryl", "Vicryl suture", "CSF Mekongi", "CSF"]
    assert found[2][2] == 0


def test_a_heading_is_no_acronym() -> None:
    assert linked("PROCEDURE PROCEDURES", ("PROCEDURE", "other"), ("PROCEDURES", "other"))[0][2] == 0


def test_a_name_inside_another_name_stays() -> None:
    text = "Angelina Jolie left. The Jolie Institute stayed."
    assert linked(text, ("Angelina Jolie", "person"), ("Jolie Institute", "organization"))[1][0] == "Jolie Institute"


def test_a_common_word_is_not_searched_for() -> None:
    text = "Will Power came. Will he stay? He will."
    assert linked(text, ("Will Power", "person")) == [("Will Power", "person", 0)]


def test_the_same_key_alone_links_nothing() -> None:
    text = "A blood transfusion, then a blood transfusion."
    assert linked(text, ("blood transfusion", "other"), ("blood transfusion", "other")) == [
        ("blood transfusion", "other", 0),
        ("blood transfusion", "other", 0),
    ]


def test_a_company_with_and_without_its_form() -> None:
    text = "Acme Widgets Ltd sued. Acme Widgets won. In Paris, in Paris."
    assert linked(text, ("Acme Widgets Ltd", "organization"), ("Paris", "place")) == [
        ("Acme Widgets Ltd", "organization", 1),
        ("Acme Widgets", "organization", 1),
        ("Paris", "place", 2),
        ("Paris", "place", 2),
    ]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("magnetic resonance imaging (MRI)", [("magnetic resonance imaging", "MRI")]),
        ("MRI (magnetic resonance imaging)", [("magnetic resonance imaging", "MRI")]),
        ("sexually transmitted diseases (STDs)", [("sexually transmitted diseases", "STDs")]),
        ("World Health Organization (“WHO”)", [("World Health Organization", "WHO")]),
        ("he was seen (ABC) there", []),
        ("of mild blurred vision (OU)", []),
        ("in the year (1999) there", []),
        ("John came. Early Death Group (JEDG)", []),
        ("( ) () ((", []),
    ],
)
def test_definitions(text: str, pairs: list[tuple[str, str]]) -> None:
    assert [(text[d.start : d.end], text[d.short_start : d.short_end]) for d in definitions(text)] == pairs


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dr. Jane van der Berg", ("Jane", "van", "der", "Berg")),
        ("O’Brien’s", ("O’Brien",)),
        ("John Smith Jr.", ("John", "Smith")),
        ("King", None),
        ("A. B.", None),
        ("the doctor", None),
    ],
)
def test_names(text: str, words: tuple[str, ...] | None) -> None:
    name = parse_name(text)
    assert (name.words if name else None) == words


def test_a_form_of_two_persons_is_nobodys() -> None:
    persons = Persons([Name(("John", "Smith")), Name(("Anna", "Smith"))])
    assert ("Smith",) not in persons.forms()
    assert persons.forms()[("Anna",)] == persons.number(Name(("A", "Smith")))


PIECES = st.sampled_from(
    "Anna Smith|Smith|Mr Smith|A. Smith|A.S.|the|human immunodeficiency virus (HIV)|HIV|(“the Court”)|European Court|"
    "Smith's|\ud800|\n\n|. |-|日本|SMITH|ANNA SMITH|Smith-Jones|(|)|'s|Anna|of".split("|")
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=14), st.data())
def test_offsets_stay_right(pieces: list[str], data: st.DataObject) -> None:
    text = " ".join(pieces)
    terms, at = [], 0
    while at < len(text):
        start = at + data.draw(st.integers(0, 6))
        end = start + data.draw(st.integers(1, 20))
        if end <= len(text) and text[start:end].strip():
            kind = data.draw(st.sampled_from(["person", "organization", "other", "date"]))
            terms.append(Term(start, end, text[start:end], key(text[start:end]), kind))
        at = end
    found = link_mentions(terms, text)
    done = 0
    for term in found:
        assert term.start >= done
        assert text[term.start : term.end] == term.text
        done = term.end
    numbers = [t.mention for t in found if t.mention]
    assert sorted(set(numbers)) == list(range(1, len(set(numbers)) + 1))
    assert all(numbers.count(n) > 1 for n in set(numbers))
    covered = {i for t in found for i in range(t.start, t.end) if text[i].isalnum()}
    assert {i for t in terms for i in range(t.start, t.end) if text[i].isalnum()} <= covered | {
        i for t in terms for i in range(t.start, t.end) if text[i] == "s" and text[i - 1] in "'’"
    }


@pytest.mark.parametrize(
    "unit",
    [
        "Anna Smith ",
        "A. Smith ",
        "(A) ",
        "aa bb (AB) ",
        "((((",
        "A ",
        "Anna {n} Smith met ",
        "Smith{n} Anna came. ",
        "“the Court” (",
    ],
)
def test_time_grows_with_the_text_only(unit: str) -> None:
    def seconds(count: int) -> float:
        parts = [unit.replace("{n}", chr(65 + n % 26) + "abcdefghij"[n % 10] * (n % 7)) for n in range(count)]
        text = "".join(parts)
        terms, at = [], 0
        for part in parts:
            words = part.split("(")[0].rstrip() or part.rstrip()
            terms.append(Term(at, at + len(words), words, key(words), "person"))
            at += len(part)
        best = 9e9
        for _ in range(3):
            start = time.process_time()
            link_mentions(terms, text)
            best = min(best, time.process_time() - start)
        return best

    seconds(100)
    assert seconds(4_000) < 9 * max(seconds(1_000), 0.002)
