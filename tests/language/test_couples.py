"""Couples of one sex are told by grammar, and hidden where that tells a protected matter."""

from __future__ import annotations

import pytest

import taciturn
from taciturn.language.couples import couples


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("His husband sang.", ["husband"]),
        ("He met his late first husband and his ex-boyfriend.", ["husband", "boyfriend"]),
        ("HER WIFE left; her own fiancée stayed.", ["WIFE", "fiancée"]),
        ("The two brides and both husbands", ["brides", "husbands"]),
        ("Her husband and his wife, their wives, two sisters, this husband", []),
        ("Chris husbandry", []),
    ],
)
def test_a_spouse_of_the_same_sex(text: str, nouns: list[str]) -> None:
    assert [text[start:end] for start, end in couples(text)] == nouns


def test_it_is_hidden_where_it_tells() -> None:
    text = "Mr Dale keeps bees. His husband keeps the books."
    release = taciturn.sanitize(text, taciturn.CSanitized(protect=["homosexuality"]))
    assert "husband" not in release.text
    assert "His" in release.text
    assert not taciturn.check(text, taciturn.CSanitized(protect=["homosexuality"])).holds
    other = "Mrs Dale keeps bees. Her husband keeps the books."
    assert taciturn.sanitize(other, taciturn.CSanitized(protect=["homosexuality"])).text == other
    assert taciturn.sanitize(text, taciturn.CSanitized(protect=["Buddhism"])).text == text
