"""C-sanitized with the knowledge that comes with Taciturn, on real text."""

from __future__ import annotations

import json
import lzma
import re

import pytest

from taciturn.document import Document
from taciturn.knowledge import Knowledge
from taciturn.models import CSanitized, Informative, Related
from taciturn.release import check, sanitize
from tests.fixtures import PAPER_TEXT, SYNDROME
from tests.shared_data import SHARED, needs_shared

TELLING = re.compile(
    r"\b(HIV|AIDS|human immunodeficiency|immunodeficiency syndrome|anti-?retrovirals?|HAART|zidovudine|AZT|lamivudine|"
    r"efavirenz|tenofovir|Truvada|Atripla|Combivir|Kaletra|Epzicom|Norvir)\b",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge.default()


@pytest.mark.parametrize("entity", ["HIV", "AIDS"])
def test_the_papers_example_at_the_calibrated_default(knowledge: Knowledge, entity: str) -> None:
    release = sanitize(PAPER_TEXT, CSanitized(protect=[entity]), knowledge)
    hidden = {e.original for e in release.edits}
    assert {SYNDROME, "blood transfusion", "immune system"} <= hidden
    for kept in ("patient", "He", "influenza"):
        assert kept in release.text


def test_what_no_count_and_no_lexicon_knows_is_protected_by_its_own_words(knowledge: Knowledge) -> None:
    release = sanitize("He had Qzxvian flu and a cold.", CSanitized(protect=["Qzxvian flu"]), knowledge)
    assert "Qzxvian" not in release.text
    assert "a cold" in release.text


def test_s2_on_the_papers_example(knowledge: Knowledge) -> None:
    release = sanitize(PAPER_TEXT, Related(protect=["HIV"]), knowledge)
    hidden = {e.original for e in release.edits}
    assert {SYNDROME, "blood transfusion", "immune system"} <= hidden
    assert "patient" in release.text
    assert "influenza" in release.text


@needs_shared
def test_no_mention_of_hiv_survives_in_clinical_notes(knowledge: Knowledge) -> None:
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt", encoding="utf-8") as lines:
        notes = [json.loads(line)["text"] for line in lines]
    telling = [n for n in notes if TELLING.search(n) and re.search(r"\b(HIV|AIDS)\b", n)]
    assert len(telling) >= 25
    model = CSanitized(protect=["HIV"])
    for note in telling:
        release = sanitize(note, model, knowledge)
        left = {m.group() for m in TELLING.finditer(release.text) if m.group() not in ("aids", "Aids")}
        assert not left, left


@needs_shared
@pytest.mark.parametrize("alpha", [1.5, 2.0])
def test_generalizing_keeps_clearly_more_than_redacting(knowledge: Knowledge, alpha: float) -> None:
    with lzma.open(SHARED / "data" / "articles" / "HIV.txt.xz", "rt", encoding="utf-8") as file:
        document = Document.of(file.read())
    kept = {
        action: sanitize(document, CSanitized(protect=["HIV"], alpha=alpha, action=action, groups=1), knowledge)
        for action in ("generalize", "redact")
    }
    assert kept["generalize"].report.utility > kept["redact"].report.utility + 0.05
    assert all(
        check(r.text, CSanitized(protect=["HIV"], alpha=alpha, groups=1), knowledge).holds for r in kept.values()
    )


@pytest.mark.parametrize(
    ("entity", "form"),
    [
        ("pregnancy", "pregnant"),
        ("depression", "depressed"),
        ("obesity", "obese"),
        ("anxiety", "anxious"),
        ("suicide", "suicidal"),
        ("addiction", "addicted"),
        ("autism", "autistic"),
        ("blindness", "blind"),
        ("anemia", "anemic"),
        ("Islam", "Islamic"),
        ("diabetes", "diabetic"),
    ],
)
def test_the_adjective_says_what_its_noun_says(entity: str, form: str, knowledge: Knowledge) -> None:
    release = sanitize(f"They said that she was {form} then.", CSanitized(protect=[entity]), knowledge)
    assert re.fullmatch(r"They said that she was \[(REDACTED|condition|religion)\] then\.", release.text), release.text


def test_s1_plans_by_the_keys_that_its_check_asks_for(knowledge: Knowledge) -> None:
    text = "Take Tylenol #3 after PROCEDURE #2. The saturation was 97 to 100% and the refractive work-up was done."
    model = Informative(protect="infection", action="generalize", unknown="keep")
    release = sanitize(text, model, knowledge)
    assert release.certificate.holds
    assert sanitize(release.text, model, knowledge).edits == ()
