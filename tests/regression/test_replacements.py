"""What is written for a term when it has to go: words that are true, usual and fitting, or a mark."""

import json
from pathlib import Path

import pytest

from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized
from taciturn.release import sanitize
from tests.generalize.said import said

REPLACEMENTS = json.loads((Path(__file__).parent / "replacements.json").read_text(encoding="utf-8"))


def test_exactly_the_known_replacements_fail() -> None:
    knowledge = Knowledge.default()
    assert len(REPLACEMENTS["cases"]) >= 300
    failed = [
        c["term"] for c in REPLACEMENTS["cases"] if said(c["sentence"], c["term"], knowledge) not in c["accepted"]
    ]
    assert sorted(failed) == REPLACEMENTS["known_failures"]


@pytest.mark.parametrize(
    ("protect", "text", "never"),
    [
        ("appendicitis", "The appendix was removed.", "writing"),
        ("laceration", "A #7-0 suture was used.", "joint"),
        ("breast cancer", "Her mammogram was normal.", "photograph"),
        ("bladder cancer", "Cystoscopy was done.", "person"),
        ("meningitis", "NECK: Supple.", "Person"),
        ("measles", "Her measles vaccine is up to date.", "a disease up to date"),
        ("lymphoma", "T cells 310 today.", "neoplasm"),
        ("cancer", "An oncologist saw her.", "science"),
        ("allergy", "He has no allergies.", "no disease"),
        ("allergy", "ALLERGIES: none", "DISORDER"),
        ("HIV", "He has HIV, AIDS and syphilis.", "a disease, a disease"),
    ],
)
def test_what_readers_quoted_is_not_written_again(protect: str, text: str, never: str) -> None:
    release = sanitize(text, CSanitized(protect=[protect]), Knowledge.default())
    assert never not in release.text
    assert 0 <= release.report.utility <= 1
