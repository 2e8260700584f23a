"""Known phrases in text: longest, inflected, across what joins words and not across what parts them."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taciturn.document import Document
from taciturn.language import key
from taciturn.language.vocabulary import VocabularyIndex


def found(keys: list[str], text: str) -> list[tuple[str, str]]:
    return [(text[m.start : m.end], m.keys[0]) for m in VocabularyIndex(keys).find(Document.of(text))]


@pytest.mark.parametrize(
    ("term", "text", "shown"),
    [
        ("weight loss", "marked weight losses noted", "weight losses"),
        ("Weight Loss", "WEIGHT LOSS:", "WEIGHT LOSS"),
        ("night sweats", "a night sweat", "night sweat"),
        ("Nail-patella syndrome", "the nail-patella syndrome", "nail-patella syndrome"),
        ("Alzheimer's disease", "Alzheimer disease", "Alzheimer disease"),
        ("Alzheimer disease", "Alzheimer’s disease", "Alzheimer’s disease"),
        ("46,XY sex reversal", "a 46,XY sex reversal.", "46,XY sex reversal"),
        ("blood\ttransfusion", "blood\n  transfusion", "blood\n  transfusion"),
        ("HIV", "hiv positive", "hiv"),
        ("hiv", "HIV positive", "HIV"),
        ("α-thalassemia (mild)", "α-thalassemia mild", "α-thalassemia mild"),
        ("発熱", "患者は発熱と咳。", "発熱"),
        ("disease of the kidneys", "diseases of the kidney", "diseases of the kidney"),
        ("лихорадка", "Высокая Лихорадка.", "Лихорадка"),
    ],
)
def test_a_term_is_found_however_it_is_written(term: str, text: str, shown: str) -> None:
    assert found([key(term)], text) == [(shown, key(term))]


@pytest.mark.parametrize("text", ["weight, loss", "weight. Loss", "weight\n\nloss", "weight (loss", "weighty loss"])
def test_words_that_something_parts_do_not_join(text: str) -> None:
    assert found(["weight loss"], text) == []


def test_a_segment_ends_a_phrase() -> None:
    document = Document.join([("a", "weight"), ("b", "loss")], between=" ")
    assert VocabularyIndex(["weight loss"]).find(document) == ()


def test_capitals_matter_where_small_letters_mean_something_else() -> None:
    assert found(["AIDS"], "hearing aids") == []
    assert found(["AIDS"], "he has AIDS") == [("AIDS", "AIDS")]


def test_the_longest_match_wins_from_the_left() -> None:
    keys = ["acute liver failure", "liver", "failure", "failure to thrive", "acute"]
    assert [k for _, k in found(keys, "acute liver failure to thrive, acute failure")] == [
        "acute liver failure",
        "acute",
        "failure",
    ]


def test_keys_with_the_same_words_are_given_together() -> None:
    (match,) = VocabularyIndex(["partial seizures with fever", "partial seizure with fever"]).find(
        Document.of("Partial seizures with fevers")
    )
    assert match.keys == ("partial seizure with fever", "partial seizures with fever")


@pytest.mark.parametrize("keys", [[], [""], [" "], ["-"], ["..."]])
def test_vocabularies_without_words_find_nothing(keys: list[str]) -> None:
    assert found(keys, "weight loss - ... and") == []
    assert found(["weight"], "") == []


WORDS = st.sampled_from("fever loss weight acute renal pain of to hiv HIV 発 熱".split())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), max_size=12), st.lists(WORDS, max_size=25))
def test_as_by_trying_every_phrase(phrases: list[str], words: list[str]) -> None:
    def forms(phrase: str) -> tuple[str, ...]:
        return tuple(c.lower() for c in phrase.split(" "))

    known = {forms(p) for p in phrases}
    expected, at = [], 0
    while at < len(words):
        longest = max((n for n in range(1, 5) if forms(" ".join(words[at : at + n])) in known), default=0)
        if at + longest > len(words):
            longest = next(
                (n for n in range(len(words) - at, 0, -1) if forms(" ".join(words[at : at + n])) in known), 0
            )
        if longest:
            expected.append(" ".join(words[at : at + longest]))
        at += longest or 1
    assert [shown for shown, _ in found(phrases, " ".join(words))] == expected


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=5))
def test_any_text_and_any_vocabulary(text: str, keys: list[str]) -> None:
    document = Document.of(text)
    end = 0
    for match in VocabularyIndex(keys).find(document):
        assert end <= match.start < match.end <= len(text)
        end = match.end


def test_time_grows_with_the_text_and_not_with_the_vocabulary() -> None:
    def seconds(index: VocabularyIndex, words: int) -> float:
        document = Document.of(" ".join(f"word{i % 997} a" for i in range(words // 2)))
        start = process_time()
        index.find(document)
        return process_time() - start

    small = VocabularyIndex(f"word{i}" for i in range(100))
    large = VocabularyIndex(f"word{i % 1000} a word{i}" for i in range(20_000))
    for index in (small, large):
        seconds(index, 1000)
        assert seconds(index, 80_000) < 40 * max(seconds(index, 8_000), 0.002)
    assert seconds(large, 40_000) < 6 * seconds(small, 40_000)
