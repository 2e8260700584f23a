"""Singular, plural, articles, capitals: tables of what must hold, and properties for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.language.inflection import article, inflect_like, is_plural, match_case, plural, singular

PAIRS = """
diagnosis diagnoses|metastasis metastases|biopsy biopsies|virus viruses|disease diseases|dose doses|abscess abscesses
sinus sinuses|child children|woman women|man men|tooth teeth|vertebra vertebrae|nucleus nuclei|criterion criteria
carcinoma carcinomas|crisis crises|movie movies|headache headaches|shoe shoes|potato potatoes|wife wives|leaf leaves
lens lenses|gas gases|bus buses|cause causes|house houses|menu menus|box boxes|church churches|fungus fungi|day days
fisherman fishermen|human humans|bacterium bacteria|person people|index indices|prosthesis prostheses|nurse nurses
""".replace("\n", "|").strip("|").split("|")  # fmt: skip
UNCHANGED = (
    "AIDS HIV diabetes herpes rabies measles mumps pus pelvis sepsis series species scabies shingles hives news "
    "physics politics specimen regimen abdomen semen Texas Jones Williams Wales James Angeles Mercedes virus uterus "
    "arthritis 1980s"
).split()
AN = "hour|honest man|HIV test|MRI|X-ray|x-ray|8-year-old|80|11th|18|1850|11,000|NHS trust|uncle|e-mail|mRNA|FBI agent"
A = "house|university|one-off|UN report|CT scan|European|NATO base|110|1984|utility|union|U-turn|SARS case|uterus|pH"


@pytest.mark.parametrize("pair", PAIRS)
def test_singular_and_plural(pair: str) -> None:
    one, many = pair.split()
    assert plural(one) == many
    if one != "person":  # "people" is kept: keys must not turn "the Basque people" into a person.
        assert singular(many) == one
        assert is_plural(many)
    assert singular(one) == one
    assert plural(many) == many


@pytest.mark.parametrize("word", UNCHANGED)
def test_words_that_only_look_plural(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(("phrase", "expected"), [(p, "an") for p in AN.split("|")] + [(p, "a") for p in A.split("|")])
def test_article(phrase: str, expected: str) -> None:
    assert article(phrase) == expected
    assert article(f"“{phrase}”") == expected


@pytest.mark.parametrize(
    ("replacement", "original", "expected"),
    [
        ("disease", "AIDS", "disease"),
        ("viral disease", "HIV INFECTION", "VIRAL DISEASE"),
        ("viral disease", "Influenza", "Viral disease"),
        ("disease of the liver", "Hepatic Cirrhosis", "Disease of the Liver"),
        ("HIV", "syphilis", "HIV"),
        ("", "Syphilis", ""),
        ("…", "Syphilis", "…"),
    ],
)
def test_match_case(replacement: str, original: str, expected: str) -> None:
    assert match_case(replacement, original) == expected


@pytest.mark.parametrize(
    ("replacement", "original", "expected"),
    [
        ("disease", "STDs", "diseases"),
        ("disease", "cancers of the lung", "disease"),
        ("person", "women", "people"),
        ("person", "Smith's", "Person's"),
        ("person", "Smith’s", "Person’s"),
        ("patient", "children's", "patients'"),
        ("city", "PARIS", "city"),
        ("city", "LOS ANGELES", "CITY"),
        ("mother-in-law", "aunts", "mothers-in-law"),
    ],
)
def test_inflect_like(replacement: str, original: str, expected: str) -> None:
    assert inflect_like(replacement, original) == expected


@given(st.text(max_size=40))
def test_a_singular_is_its_own_singular(word: str) -> None:
    one = singular(word)
    assert singular(one) == one


@given(st.text(max_size=40), st.text(max_size=40))
def test_nothing_fails_on_any_text(replacement: str, original: str) -> None:
    assert article(original) in ("a", "an")
    assert isinstance(inflect_like(replacement, original), str)
    assert isinstance(plural(original), str)
