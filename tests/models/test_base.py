"""What all models share: a string is one term."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from taciturn import Knowledge, sanitize
from taciturn.models import CSanitized, Denied, Informative, KSafe, Model, PersonRelease, Related, TPlausible

MODELS: dict[str, Callable[[str | list[str]], Model]] = {
    "c-sanitized": lambda terms: CSanitized(protect=terms),
    "denied": lambda terms: Denied(protect=terms),
    "informative": lambda terms: Informative(protect=terms),
    "k-safe": lambda terms: KSafe(protect=terms, k=1),
    "person-release": lambda terms: PersonRelease(protect=terms),
    "related": lambda terms: Related(protect=terms),
    "t-plausible": lambda terms: TPlausible(protect=terms, t=2),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_string_is_one_term_and_never_its_letters(name: str) -> None:
    one, listed = MODELS[name]("AIDS"), MODELS[name](["AIDS"])
    assert one == listed
    text = "The patient has AIDS and a cat."
    knowledge = Knowledge.default()
    release = sanitize(text, one, knowledge)
    assert release.text == sanitize(text, listed, knowledge).text
    assert "AIDS" not in release.text
    assert all(g.protected in ((), ("AIDS",)) for g in release.certificate.guarantees if name != "k-safe")


def test_every_word_of_a_name_given_as_a_string_is_hidden() -> None:
    release = sanitize("May Rose is a nurse. Rose lives in Leeds.", PersonRelease(protect="May Rose"))
    assert "Rose" not in release.text
    assert "May" not in release.text
    assert release.certificate.holds


def test_of_several_terms_the_most_general_is_the_limit() -> None:
    knowledge = Knowledge.default()
    bits = [Informative(protect=term).bits(knowledge) for term in ("HIV", "disease")]
    assert bits[1] < bits[0]
    assert Informative(protect=["HIV", "disease"]).bits(knowledge) == bits[1]
