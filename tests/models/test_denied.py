"""What is denied is found by the model itself, whatever the floor below it would find."""

from __future__ import annotations

from taciturn.document import Document
from taciturn.language import analyze
from taciturn.models import Denied
from taciturn.models.matching import Matcher
from tests.fixtures import tiny_knowledge

TINY = tiny_knowledge()


def hidden(model: Denied, text: str) -> list[str]:
    return [e.original for e in model.plan(analyze(Document.of(text)), TINY).edits]


def test_every_kind_of_a_branch_is_found_as_the_longest_phrase() -> None:
    model = Denied(branches=["disease"])
    assert hidden(model, "The liver cancer and influenza, no table.") == ["liver cancer", "influenza"]
    assert hidden(model, "A cancer of the liver.") == ["cancer"]
    found = model.check(analyze(Document.of("The liver cancer is back.")), TINY)
    assert [v.spans for v in found.violations] == [((4, 16),)]
    assert hidden(Denied(branches=["drug"]), "The liver cancer.") == []


def test_terms_are_found_with_their_synonyms() -> None:
    assert hidden(Denied(protect=["HIV"]), "The human immunodeficiency virus, HIV.") == [
        "human immunodeficiency virus",
        "HIV",
    ]


def test_entries_of_lists_are_found_outside_marks_only() -> None:
    model = Denied(lists={"marks": Matcher(exact=["REDACTED", "[REDACTED]", "Ann"])})
    assert list(model.listed("[REDACTED] Ann")) == [("marks", 11, 14)]
    assert [name for name, *_ in model.listed("REDACTED Ann")] == ["marks", "marks"]
