"""No written form of what is protected stands in a release, whatever the language layer makes of it."""

from __future__ import annotations

import json
import lzma
import re
from dataclasses import dataclass

import pytest

import taciturn
from taciturn.document import Document, Span
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, EntityBase, Knowledge
from taciturn.language import Analysis, analyze
from taciturn.models import CSanitized, Denied, Guarantee, Informative, KSafe, Model, PersonRelease, Related, TPlausible
from taciturn.models.excepting import Excepting
from taciturn.models.floor import with_floor
from taciturn.models.matching import Matcher
from taciturn.models.names import protected
from taciturn.plan import Edit, Plan, apply
from taciturn.release import certify
from tests.shared_data import SHARED, needs_shared

VARIANTS = [
    "# HIV", "#HIV:", "@HIV", "HIV%", "HIV1", "hiv_status", "H\u200cIV", "\u041dIV", "H.I.V.", "H I V", "hivStatus",
]  # fmt: skip


@pytest.mark.parametrize("written", VARIANTS)
@pytest.mark.parametrize(
    "model", [CSanitized(protect=["HIV"]), Informative(protect="HIV")], ids=["c-sanitized", "informative"]
)
def test_no_written_form_is_released(written: str, model: Model) -> None:
    release = taciturn.sanitize(f"Seen today. {written} was noted.", model)
    assert not re.search("hiv", re.sub("[^A-Za-z\u041d]", "", release.text).replace("\u041d", "H"), re.IGNORECASE)
    assert release.certificate.guarantees[0].figures["written forms searched"] > 10


BASE = EntityBase("tiny", {"HIV": frozenset({"HIV", "fever"}), "flu": frozenset({"flu", "fever"})})


@dataclass(frozen=True)
class Silent:
    """A model of another package that protects and never plans anything."""

    protect: tuple[str, ...]
    name: str = "silent"

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        return Plan(analysis.document)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        return Guarantee(self.name, "nothing", True, 1.0)


@pytest.mark.parametrize(
    "model",
    [
        Related(beta="HIV"),
        Related(protect="HIV", w=1),
        KSafe(BASE, "HIV"),
        TPlausible(protect="HIV", t=2),
        TPlausible(protect=CSanitized(protect="HIV"), t=2),
        Denied(protect="HIV"),
        Denied(branches="virus"),
        Silent(("HIV",)),
        Excepting(model=Silent(("HIV",))),
    ],
    ids=lambda m: m.name,
)
def test_every_model_that_protects_by_name_has_the_floor(model: Model) -> None:
    release = taciturn.sanitize("HIV was seen. # H\u200cIV was noted. Her hiv_status is known.", model)
    assert "V" not in release.text
    assert "hiv" not in release.text
    assert release.certificate.guarantees[0].figures["written forms searched"] >= 1


@pytest.mark.parametrize("model", [PersonRelease(protect="Antonio Banderas"), Silent(("Antonio Banderas",))])
@pytest.mark.parametrize("written", ["Banderas", "antonio_banderas.pdf", "BANDERAS1", "#AntonioBanderas", "Вanderas"])
def test_a_person_is_hidden_by_every_part_of_the_name(written: str, model: Model) -> None:
    text = taciturn.sanitize(f"Look at {written} there.", model).text.lower()
    assert "anderas" not in text
    assert "antonio" not in text


def test_what_a_t_plausible_plan_leaves_may_stand() -> None:
    taxonomy = EdgeTaxonomy("things", [("dog", "animal"), ("cat", "animal"), ("oak", "plant"), ("elm", "plant")])
    knowledge = Knowledge(ContextCounts([{"dog", "oak"}]), (taxonomy,))
    model = TPlausible(protect=["dog", "oak"], t=2, uniform=False)
    release = taciturn.sanitize("A dog sits under an oak.", model, knowledge)
    assert len(release.edits) == 1


@dataclass(frozen=True)
class Once:
    """A model that hides the first mention of a word and is content."""

    word: str
    local: bool = False
    name: str = "once"

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        at = analysis.document.text.find(self.word)
        if at < 0 or "[PERSON 1]" in analysis.document.text:
            return Plan(analysis.document)
        edit = Edit(at, at + len(self.word), self.word, "[PERSON 1]", model=self.name, local=self.local)
        return Plan(analysis.document, (edit,))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        return Guarantee(self.name, "nothing", True, 1.0)


NOTHING = Knowledge(ContextCounts([{"day"}]))


def test_what_is_hidden_in_one_place_stands_in_no_other() -> None:
    text = "Zorblax came. Then ZORBLAX-2 left, see zorblax_1.pdf."
    release = taciturn.sanitize(text, Once("Zorblax"), NOTHING)
    assert release.text == "[PERSON 1] came. Then [PERSON 1]-2 left, see [PERSON 1]_1.pdf."
    assert release.certificate.guarantees[0].figures["removed strings searched"] >= 1
    assert "hidden elsewhere" in release.edits[1].reason


def test_a_plan_may_say_that_a_string_is_hidden_for_its_place() -> None:
    release = taciturn.sanitize("Zorblax came. Zorblax left.", Once("Zorblax", local=True), NOTHING)
    assert release.text == "[PERSON 1] came. Zorblax left."


def test_a_string_left_over_fails_the_check_and_says_how_to_allow_it() -> None:
    document = Document.of("Zorblax came.\nZorblax left.")
    applied = apply(Once("Zorblax").plan(analyze(document), NOTHING))
    certificate = certify(analyze(applied.document), [Once("Zorblax")], NOTHING, applied=applied)
    assert not certificate.holds
    (violation,) = certificate.violations
    assert violation.message.startswith(
        "'Zorblax' (line 2, text) is hidden elsewhere as 'Zorblax'; if it means something"
    )
    allowed = Excepting(model=Once("Zorblax"), allow=Matcher(exact=["Zorblax left"]))
    assert certify(analyze(applied.document), [allowed], NOTHING, applied=applied).holds


@pytest.mark.parametrize(("text", "left"), [("He has the clap.", 1), ("Gonorrhea, then. He has the clap.", 0)])
def test_an_ambiguous_name_is_hidden_where_the_thing_is_mentioned_otherwise(text: str, left: int) -> None:
    release = taciturn.sanitize(text, Silent(("gonorrhea",)))
    assert release.text.count("clap") == left
    assert release.certificate.guarantees[0].figures.get("ambiguous written forms", 0) == left


def test_a_text_with_a_written_form_fails_its_check() -> None:
    certificate = taciturn.check("Her hiv_status is known.", CSanitized(protect=["HIV"]))
    assert not certificate.holds
    assert any("written form" in v.message for v in certificate.violations)


def test_an_ordinary_word_is_no_abbreviation_in_small_letters() -> None:
    release = taciturn.sanitize("He has HIV and wears hearing aids.", CSanitized(protect=["HIV"]))
    assert "aids" in release.text
    assert "ambiguous written forms" not in release.certificate.guarantees[0].figures


@pytest.mark.parametrize(
    ("text", "kept"),
    [("Then Ms Lee came.", "Ms Lee"), ("It hurt at 1991 m.", "1991"), ("She was placed there.", "placed")],
)
def test_other_words_are_left(text: str, kept: str) -> None:
    model = Silent(("multiple sclerosis", "cancer", "HIV"))
    assert kept in taciturn.sanitize(f"He has cancer, HIV and multiple sclerosis. {text}", model).text


def test_a_model_that_names_nothing_has_no_floor() -> None:
    model = Informative(beta=9.5)
    document = taciturn.document.Document.of("HIV")
    guarantee = taciturn.check("A day.", model).guarantees[0]
    assert protected(model) == ()
    assert with_floor(guarantee, model, document, Knowledge.default()) == guarantee


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("model", [Informative(protect="HIV"), Related(beta="HIV")], ids=["informative", "related"])
def test_no_note_that_mentions_hiv_keeps_it(model: Model) -> None:
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [text for line in file if re.search(r"\bHIV\b|\bAIDS\b", text := json.loads(line)["text"])]
    assert len(notes) >= 30
    assert [n for n in notes if re.search(r"HIV|\bAIDS\b", taciturn.sanitize(n, model).text)] == []
