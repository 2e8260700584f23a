"""The way of a document: plan, apply, check anew; several models together; nothing is released that does not hold."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256

import pytest

from taciturn import release as spine
from taciturn.document import Document, Span
from taciturn.errors import InputError, NotReleasedError
from taciturn.knowledge import ContextCounts, Knowledge
from taciturn.language import Analysis, analyze
from taciturn.models import CSanitized, Kinds
from taciturn.models.base import Guarantee, Model, Violation
from taciturn.plan import Edit, Plan
from taciturn.policy import Policy
from taciturn.release import certify, check, propose, sanitize, several_models, terms, watch
from tests.fixtures import tiny_knowledge

NOTHING = Knowledge(ContextCounts([]))


@dataclass(frozen=True)
class Replace:
    """A model that hides one word; ``lazy`` makes it plan nothing, so that only its check is left."""

    word: str
    by: str = "X"
    lazy: bool = False
    most: int = 1000
    protect: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"replace {self.word}"

    def _at(self, text: str) -> list[Span]:
        return [m.span() for m in re.finditer(rf"\b{self.word}\b", text)]

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        found = [] if self.lazy else self._at(analysis.document.text)[: self.most]
        return Plan(analysis.document, tuple(Edit(s, e, self.word, self.by, model=self.name) for s, e in found))

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        found = self._at(analysis.document.text)
        bad = tuple(Violation((span,), "stands there") for span in found)
        return Guarantee(self.name, "no such word", not found, -len(found), {}, {"marked": len(replaced)}, (), bad)


@dataclass(frozen=True)
class First:
    """A model that learns from the original what to hide: its first word."""

    @property
    def name(self) -> str:
        return "first"

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Model:
        return Replace(analysis.document.text.split()[0])

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        raise AssertionError("asked before it was bound")

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        raise AssertionError("asked before it was bound")


def test_a_release_is_the_text_after_the_plan_with_its_certificate() -> None:
    release = sanitize("Ann saw Bob.", Replace("Bob"), NOTHING)
    assert (release.text, [e.original for e in release.edits]) == ("Ann saw X.", ["Bob"])
    assert release.certificate.holds
    assert release.certificate.text_digest == sha256(b"Ann saw X.").hexdigest()
    assert release.certificate.knowledge_digest == NOTHING.digest
    assert release.report.original.document.text == "Ann saw Bob."
    assert release.report.released.document.text == "Ann saw X."


def test_the_check_reads_the_released_text_and_not_the_plan() -> None:
    # Half of what it must hide is planned for at a time; the check sees the rest, so further rounds follow.
    release = sanitize("Bob, Bob, Bob and Bob.", Replace("Bob", most=1), NOTHING)
    assert release.text == "X, X, X and X."
    assert release.certificate.guarantees[0].figures["marked"] == 4


def test_what_one_model_brings_to_light_another_hides_in_the_next_round() -> None:
    models = [Replace("Bob", "Y"), Replace("Ann", "Bob")]
    release = sanitize("Ann is here.", models, NOTHING)
    assert release.text == "Y is here."
    assert [g.model for g in release.certificate.guarantees] == ["replace Bob", "replace Ann"]
    assert [e.original for e in release.edits] == ["Ann"]


def test_models_that_undo_each_other_end_and_release_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    models = [Replace("Bob", "Ann"), Replace("Ann", "Bob")]
    with pytest.raises(NotReleasedError, match="replace") as stopped:
        sanitize("Ann is here.", models, NOTHING)
    assert not stopped.value.certificate.holds
    rounds = []
    monkeypatch.setattr(spine, "certify", lambda *a, **k: rounds.append(1) or certify(*a, **k))
    propose("Ann is here.", models, NOTHING)
    assert len(rounds) == spine._ROUNDS


def test_a_guarantee_that_fails_releases_nothing() -> None:
    with pytest.raises(NotReleasedError, match="the guarantee of replace Bob does not hold") as stopped:
        sanitize("Bob and Ann.", [Replace("Ann"), Replace("Bob", lazy=True)], NOTHING)
    failed = stopped.value.certificate
    assert [g.holds for g in failed.guarantees] == [True, False]
    assert "Bob and" not in str(stopped.value)


def test_a_proposal_that_fails_is_shown_with_what_fails() -> None:
    found = propose("Bob and Ann.", [Replace("Ann"), Replace("Bob", lazy=True)], NOTHING)
    assert found.applied.document.text == "Bob and X."
    assert [v.spans for v in found.certificate.violations] == [((0, 3),)]


def test_a_model_is_bound_to_the_original_once() -> None:
    found = propose("Ann saw Ann.", First(), NOTHING)
    assert found.applied.document.text == "X saw X."
    assert found.models == (Replace("Ann"),)


def test_check_answers_for_any_text() -> None:
    assert check("X saw Ann.", Replace("Bob"), NOTHING).holds
    refused = check(Document.of("Bob saw Ann."), [Replace("Ann"), Replace("Bob")], NOTHING)
    assert (refused.holds, refused.margin, len(refused.violations)) == (False, -1, 2)


def test_certify_tells_each_model_which_spans_are_replacements() -> None:
    told = certify(analyze(Document.of("X saw Ann.")), [Replace("Bob")], NOTHING, ((0, 1),))
    assert told.guarantees[0].figures["marked"] == 1


def test_an_unchanged_text_is_released_as_it_is() -> None:
    release = sanitize("Nobody is here.", Replace("Bob"), NOTHING)
    assert (release.text, release.edits) == ("Nobody is here.", ())


def test_what_can_be_asked() -> None:
    one = Replace("Bob")
    assert several_models(one) == several_models([one]) == (one,)
    assert [m.name for m in several_models("foia")] == [m.name for m in several_models(Policy.load("foia"))]
    with pytest.raises(InputError, match="no model is given"):
        several_models([])


def test_a_round_of_planning_is_the_last_when_it_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    monkeypatch.setattr(spine, "certify", lambda *a, **k: rounds.append(1) or certify(*a, **k))
    propose("Bob and Ann.", [Replace("Ann"), Replace("Bob", lazy=True)], NOTHING)
    assert len(rounds) == 2, "the second changes nothing, and a third would not either"
    rounds.clear()
    propose("Bob and Ann.", Replace("Ann"), NOTHING)
    assert len(rounds) == 1, "what holds is not planned for again"


def test_what_a_model_names_is_hidden_even_if_its_plan_forgets_it() -> None:
    forgetful = Replace("Ann", lazy=True, protect=("HIV",))
    release = sanitize("Her hiv_status is known.", forgetful, NOTHING)
    assert "hiv" not in release.text
    assert [e.model for e in release.edits] == ["replace Ann"]
    assert not check("Her hiv_status is known.", forgetful, NOTHING).holds


def test_the_floor_sees_what_another_model_wrote_last() -> None:
    """The replacement of the second model is what the first protects: it goes in the same round."""
    models = [Replace("nobody", protect=("HIV",)), Replace("Ann", "HIV", most=1)]
    release = sanitize("Ann and Ann.", models, NOTHING)
    assert "HIV" not in release.text
    assert [g.holds for g in release.certificate.guarantees] == [True, True]


def test_the_report_has_every_edit_in_both_texts_and_says_that_it_is_private() -> None:
    release = sanitize("He has AIDS now.", CSanitized(protect=["HIV"], alpha=1.5), tiny_knowledge())
    told = release.report.to_json()
    (row,) = told["edits"]
    assert (row["start"], row["end"], row["original"], row["replacement"]) == (7, 11, "AIDS", "a disease")
    assert release.text[row["released_start"] : row["released_end"]] == "a disease"
    assert (row["model"], row["figures"]["entity"]) == ("c-sanitized", "HIV")
    assert "AIDS" in row["reason"] or "HIV" in row["reason"]
    assert "Do not publish" in told["private"]
    assert "HIV" in json.dumps(told["certificate"])
    assert "HIV" not in json.dumps(release.certificate.to_json())
    assert release.report.edits == release.edits
    assert (release.report.certificate, release.report.applied) == (release.certificate, release.applied)


def test_utility_is_the_share_of_information_that_stays() -> None:
    tiny = tiny_knowledge()
    report = sanitize("He has AIDS and influenza.", CSanitized(protect=["HIV"], alpha=1.5, groups=1), tiny).report
    ic = tiny.counts.ic
    kept = ic("influenza") + ic("disease")
    assert report.utility == pytest.approx(kept / (ic("influenza") + ic("AIDS")))
    assert report.to_json()["utility"] == round(report.utility, 6)
    assert sanitize("Nobody is here.", Replace("Bob"), NOTHING).report.utility == 1.0, "nothing was there to lose"


def test_a_release_shows_itself_without_the_original() -> None:
    release = sanitize("Ann saw Bob. " + "He slept. " * 40, Replace("Bob"), NOTHING)
    assert repr(release).startswith("Release('Ann saw X. He slept.")
    assert repr(release).endswith("...', 1 edit, holds=True)")
    assert len(repr(release)) < 250
    long = sanitize("x" * 196 + " yyyy", Replace("Bob"), NOTHING)
    assert repr(long) == f"Release('{'x' * 196} ...', 0 edits, holds=True)"
    assert repr(release.report) == "Report(1 edit)"
    assert repr(sanitize("Bob saw Bob.", Replace("Bob"), NOTHING).report) == "Report(2 edits)"
    assert "Ann saw" in release._repr_html_()
    assert release.document.text == release.text


def test_a_document_keeps_its_segments_on_the_way() -> None:
    document = Document.join([("title", "Bob"), ("body", "Ann saw Bob.")])
    release = sanitize(document, Replace("Bob", "somebody"), NOTHING)
    assert [(s.place, release.text[s.start : s.end]) for s in release.document.segments] == [
        ("title", "somebody"),
        ("body", "Ann saw somebody."),
    ]
    assert check(document, Replace("Ann"), NOTHING).violations[0].spans == ((5, 8),)
    assert [t.text for t in terms(document)] == [t.text for t in terms(document.text)] == ["Bob", "Ann", "Bob"]


def test_a_digest_is_of_the_text_whatever_is_in_it() -> None:
    odd = "half a pair \ud83d is here"
    assert check(odd, Replace("Bob"), NOTHING).text_digest == sha256(odd.encode("utf-8", "surrogatepass")).hexdigest()


def test_without_knowledge_the_embedded_one_judges() -> None:
    embedded = Knowledge.default().digest
    assert sanitize("Ann saw Bob.", Replace("Bob")).certificate.knowledge_digest == embedded
    assert check("Ann saw Bob.", Replace("Bob")).knowledge_digest == embedded
    assert propose("Ann saw Bob.", Replace("Bob")).certificate.knowledge_digest == embedded


def test_the_knowledge_that_is_given_judges() -> None:
    assert check("Ann saw Bob.", Replace("Bob"), NOTHING).knowledge_digest == NOTHING.digest
    assert propose("Ann saw Bob.", Replace("Bob"), NOTHING).certificate.knowledge_digest == NOTHING.digest
    named = CSanitized(protect=["human immunodeficiency virus"])
    assert watch(Document.of("A note."), named, tiny_knowledge())("its_hiv.css") == [(4, 7)], "a synonym there"
    assert watch(Document.of("A note."), named, NOTHING)("its_hiv.css") == []


@dataclass(frozen=True)
class Flag(Replace):
    """What only a person can decide about."""

    @property
    def name(self) -> str:
        return "flagged"


def test_what_is_flagged_is_for_a_person_to_decide() -> None:
    with pytest.raises(NotReleasedError, match="a person must decide"):
        sanitize("SECRET. Ann saw Bob.", [Replace("Bob"), Flag("SECRET", lazy=True)], NOTHING)
    with pytest.raises(NotReleasedError, match="the guarantee of flagged, replace Bob does not hold"):
        sanitize("SECRET. Ann saw Bob.", [Replace("Bob", lazy=True), Flag("SECRET", lazy=True)], NOTHING)


def test_identifiers_of_hidden_kinds_are_watched_in_addresses_only() -> None:
    note = Document.of("A note.")
    assert watch(note, Kinds(hide=["email"]), NOTHING)("mailto:ann@example.org") == [(7, 22)]
    assert watch(note, Kinds(hide=["email"]), NOTHING)("write to ann@example.org") == []
    assert watch(note, Kinds(hide=["phone"]), NOTHING)("mailto:ann@example.org") == []
    assert watch(note, Replace("Bob"), NOTHING)("mailto:ann@example.org") == []
