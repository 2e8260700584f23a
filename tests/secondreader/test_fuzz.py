"""Twenty thousand ways to write what is protected: none is released with a certificate."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import taciturn
from taciturn.errors import NotReleasedError
from taciturn.knowledge import Knowledge
from taciturn.language import key
from taciturn.models import CSanitized, Denied, Informative, Model, PersonRelease, Related, TPlausible
from tests.secondreader.fuzz import CONDITIONS, OTHER_NAMES, PEOPLE, TOPICS, variants

NAMES = (*CONDITIONS, *PEOPLE, *TOPICS)
GIVEN = frozenset((*NAMES, *(other for listed in OTHER_NAMES.values() for other in listed.split("|"))))
EACH = 234


def models(name: str) -> tuple[Model, ...]:
    """The models that the variants of a name take turns with."""
    if name in PEOPLE:
        return (PersonRelease(protect=name), CSanitized(protect=name), Denied(protect=name))
    sanitized = CSanitized(protect=name)
    others = (
        Denied(protect=name),
        Informative(protect=name),
        Related(protect=name, w=1),
        TPlausible(protect=name, t=2),
    )
    return (sanitized, *(m for other in others for m in (other, sanitized, sanitized)))


def _has_figures(name: str) -> bool:
    return bool(Knowledge.default().counts.count(key(name)))


def survivors(name: str, texts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The variants that stand in a certified release, and the release."""
    found = []
    turns = models(name)
    for i, (text, written) in enumerate(texts):
        if not _is_other_word(written):
            try:
                released = taciturn.sanitize(text, turns[i % len(turns)]).text
            except NotReleasedError:
                continue
            if written.strip() in released:
                found.append((text, released))
    return found


def _is_other_word(written: str) -> bool:
    """Has a slip of the pen made another word? "rubella" is no misspelling."""
    return written.isalpha() and written.islower() and written not in GIVEN and _has_figures(written)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_written_variant_is_released(name: str) -> None:
    assert survivors(name, variants(name, EACH)) == []


def test_the_fuzz_has_twenty_thousand_variants() -> None:
    assert (len(CONDITIONS), len(PEOPLE), len(TOPICS)) == (60, 20, 10)
    assert EACH * len(NAMES) >= 21_000


def test_a_sample_of_the_variants_is_not_released() -> None:
    assert [s for name in NAMES for s in survivors(name, list(variants(name, EACH))[7::397])] == []
