"""The check of C-sanitized by itself: what a reader sees of a name, and what nobody knows."""

from __future__ import annotations

from math import log2

import pytest

from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.models import CSanitized
from taciturn.release import check
from tests.fixtures import tiny_knowledge

# "San Antonio" is a town with a count of its own, and says nothing of "flamenco"; "Antonio" alone nearly tells it, and
# "Alamo" never stands without it. "Square" tells as much as "Antonio".
TOWNS = Knowledge(
    ContextCounts(
        [
            *[{"flamenco", "antonio"}] * 6,
            *[{"flamenco", "alamo"}] * 2,
            {"antonio"},
            *[{"san antonio", "town"}] * 8,
            *[{"flamenco", "square"}] * 6,
            {"square"},
            *[{"alamo square", "flamenco", "town"}] * 2,
            *[{"alamo square", "town"}] * 8,
            *[{"town"}] * 20,
        ]
    )
)
FLAMENCO = CSanitized(protect=["flamenco"], alpha=1.5, groups=1)


def test_a_name_known_as_a_whole_hides_what_stands_inside_it() -> None:
    assert not check("He met Antonio.", FLAMENCO, TOWNS).holds
    whole = check("He lives in San Antonio.", FLAMENCO, TOWNS)
    assert whole.holds
    assert whole.guarantees[0].figures["largest share of entity 1"] == 0


def test_what_gives_an_entity_away_completely_is_seen_inside_a_name() -> None:
    found = check("He lives at Alamo Square.", FLAMENCO, TOWNS)
    assert [v.message.split(";")[0] for v in found.violations] == ["'alamo' reveals 1.75 bits of 'flamenco'"]
    assert found.guarantees[0].figures["largest share of entity 1"] == 1


@pytest.mark.parametrize(("unknown", "holds"), [("keep", True), ("redact", False)])
def test_an_unknown_term_fails_the_check_of_who_redacts_it(unknown: str, holds: bool) -> None:
    found = check("A frobnicator.", CSanitized(protect=["HIV"], unknown=unknown), tiny_knowledge())  # type: ignore[arg-type]
    assert found.holds is holds
    assert found.guarantees[0].figures["terms unknown"] == 1
    assert [v.message for v in found.violations] == ["nothing is known of 'frobnicator'"] * (not holds)
    assert [v.spans for v in found.violations] == [((2, 13),)] * (not holds)


def test_a_figure_that_reaches_the_limit_is_over_it() -> None:
    """Rounding never lets a term or a group through that says exactly as much as is allowed to stay unsaid."""
    contexts = [*[{"HIV", "fatigue", "weight loss"}] * 3, {"fatigue", "weight loss"}, *[{"HIV"}] * 3]
    few = Knowledge(ContextCounts([*contexts, *[{"fatigue"}, {"weight loss"}] * 6, *[{"table"}] * 40]))
    of, total = few.counts.count, few.counts.total
    pair = log2(of("HIV", "fatigue", "weight loss") * total / of("HIV") / of("fatigue", "weight loss"))
    for text, bits in (("He has fatigue.", few.counts.pmi("HIV", "fatigue")), ("Fatigue and weight loss.", pair)):
        model = CSanitized(protect=["HIV"], alpha=few.counts.ic("HIV") / bits, groups=2, support=3)
        assert not check(text, model, few).holds
        below = CSanitized(protect=["HIV"], alpha=few.counts.ic("HIV") / (bits + 1e-6), groups=2, support=3)
        assert check(text, below, few).holds
