from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taciturn import formats
from taciturn.models import CSanitized, KAnonymous, KSafe, Model, TPlausible
from taciturn.policy import Policy
from taciturn.release import check, sanitize
from taciturn.review import session as sessions
from taciturn.review.cards import bases, card, next_rung
from taciturn.review.decisions import Decision, Dial, from_json, relocate, to_json
from taciturn.review.dials import knobs
from taciturn.review.messages import effect
from taciturn.review.session import Session
from tests.fixtures import tiny_knowledge
from tests.review.notes import MODEL, NOTE, choice, decision, session


def take(of: Session, step: Decision | Dial) -> str:
    before = of.state
    of.steps = (*of.steps, of.verify(step))
    return effect(of, before, of.state, step).sentence


def test_a_review_starts_from_what_sanitize_would_release() -> None:
    here = session()
    release = sanitize(here.document, MODEL, here.knowledge)
    assert here.state.applied.document.text == release.text
    assert here.state.verdict.holds
    assert here.utility(here.state) == pytest.approx(release.report.utility)
    assert here.certificate(here.state) == release.certificate


def test_keeping_breaks_the_guarantee_and_says_how_and_redacting_heals_it() -> None:
    here = session()
    said = take(here, decision(here, "keep", "Kaposi"))
    assert re.match(r"keeping \"Kaposi's sarcoma\" lets a reader infer HIV: it tells (\d\.\d times|too much)", said)
    assert not here.state.verdict.holds
    assert "Kaposi's sarcoma" in here.state.applied.document.text
    said = take(here, decision(here, "redact", "Kaposi"))
    assert "the guarantee holds again" in said
    assert here.state.verdict.holds
    assert "lesion of [condition] was" in here.state.applied.document.text


def test_a_group_is_flagged_where_its_members_stand_together() -> None:
    here = session()
    take(here, decision(here, "keep", "Kaposi"))
    text = here.state.applied.document.text
    groups = [v for v in here.state.verdict.violations if " and " in v.message]
    assert groups
    middle = text.index("\n\n"), text.rindex("\n\n")
    assert all(middle[0] < s < middle[1] for v in groups for s, _ in v.spans)


def test_a_rung_is_written_as_english_wants_it() -> None:
    here = session()
    take(here, decision(here, "replace", "zidovudine", label="drug"))
    assert "takes a drug." in here.state.applied.document.text
    assert choice(here, "zidovudine").status == "replaced"


def test_the_next_rung_goes_up_the_ladder_and_ends() -> None:
    here = session("He has AIDS and takes doxycycline.")
    labels = []
    while (label := next_rung(card(here, here.state, choice(here, "doxycycline")))) is not None:
        labels.append(label)
        take(here, decision(here, "replace", "doxycycline", label=label))
        assert here.state.verdict.holds
    assert len(labels) == len(set(labels)) > 1


def test_everywhere_reaches_all_mentions_and_one_reaches_one() -> None:
    text = "Tellman slept. Tellman woke. The tellman file is here."
    here = session(text)
    once = here.view([Decision.on(here.document, "redact", (0, 7))])
    assert once.applied.document.text == "[person] slept. Tellman woke. The tellman file is here."
    all_of_them = here.view([Decision.on(here.document, "redact", (0, 7), everywhere=True)])
    assert "ellman" not in all_of_them.applied.document.text


def test_a_missed_span_can_be_marked_with_its_exemption() -> None:
    here = session()
    at = NOTE.index("His dog")
    take(here, Decision.on(here.document, "mark", (at, at + 7), code="b(6)"))
    assert "[REDACTED] is well" in here.state.applied.document.text
    edit = next(e for e in here.state.applied.plan.edits if e.original == "His dog")
    assert edit.figures["code"] == "b(6)"


def test_a_decision_never_uncovers_what_an_edit_hid_beside_it() -> None:
    here = session()
    clinic = choice(here, "AIDS clinic")
    inside = (clinic.core[0] + 5, clinic.core[1])  # "clinic" alone
    take(here, Decision.on(here.document, "redact", inside))
    assert "AIDS clinic" not in here.state.applied.document.text
    assert here.state.verdict.holds


def test_spans_that_cannot_be_are_refused() -> None:
    here = session("<p>One thing.</p><p>Two things.</p>", name="a.html")
    with pytest.raises(ValueError, match="runs over the end"):
        here.verify(Decision.on(here.document, "mark", (4, 16)))
    with pytest.raises(ValueError, match="outside the document"):
        Decision.on(here.document, "mark", (4, 1600))
    with pytest.raises(ValueError, match="needs words"):
        Decision.on(here.document, "replace", (0, 3))
    with pytest.raises(ValueError, match="no dial 'beta'"):
        here.verify(Dial(0, "beta", 1.0))
    with pytest.raises(ValueError, match=r"alpha is 0\.5"):
        here.verify(Dial(0, "alpha", 0.5))


def test_the_dial_plans_anew_and_decisions_stand_over_it() -> None:
    here = session()
    edits = len(here.state.applied.plan.edits)
    take(here, decision(here, "keep", "zidovudine"))
    said = take(here, Dial(0, "alpha", 1.0))
    assert said.startswith("alpha at 1")
    assert len(here.state.applied.plan.edits) < edits - 1
    assert "zidovudine" in here.state.applied.document.text
    here.steps = here.steps[:-1]
    assert len(here.state.applied.plan.edits) == edits - 1
    found = [(k.parameter, k.value) for k in knobs(here.state.proposal.models, here.knowledge)]
    assert found == [("alpha", here.knowledge.calibrated("alpha"))]


def test_every_model_has_its_dial() -> None:
    strings = KAnonymous(["Smith", "Smyth", "Smath", "Jones"], k=2)
    here = session("Ask Smith.", strings)
    assert "Sm*th" in here.state.applied.document.text
    take(here, Dial(0, "k", 4))
    assert here.state.applied.document.text == "Ask *****."
    with pytest.raises(ValueError, match="whole number"):
        here.verify(Dial(0, "k", 2.5))
    assert knobs([KSafe(protect=["AIDS"], k=2)], here.knowledge)[0].parameter == "k"


def test_a_policy_gives_basis_and_codes() -> None:
    here = session("Write to ann@example.org about HIV.", Policy.load("foia", ["HIV"]))
    mail = card(here, here.state, choice(here, "ann@"))
    assert mail.basis.code
    assert mail.basis in bases(here)
    hiv = card(here, here.state, choice(here, "HIV"))
    assert hiv.explained is not None


def test_decisions_are_found_again_in_the_next_version() -> None:
    here = session()
    take(here, decision(here, "keep", "zidovudine"))
    take(here, decision(here, "redact", "Kaposi", everywhere=True))
    take(here, Dial(0, "alpha", 1.5))
    steps = from_json(json.loads(json.dumps(to_json(here.steps, here.document))))
    assert steps == here.steps
    later = session("Seen again in June.\n\n" + NOTE.replace("night sweats", "fever"))
    moved, lost = relocate(steps, later.document)
    assert not lost
    later.steps = moved
    assert "zidovudine" in later.state.applied.document.text
    assert "lesion of [condition]" in later.state.applied.document.text
    gone, missing = relocate(steps, session("Nothing of it is here.").document)
    assert [d.text for d in missing] == ["zidovudine", "Kaposi's sarcoma"]
    assert len(gone) == 1


@pytest.mark.parametrize(
    "bad", [{}, {"taciturn": "decisions/1"}, {"taciturn": "decisions/1", "steps": [{"kind": "decision"}]}]
)
def test_what_are_no_decisions_is_said(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no decision"):
        from_json(bad)


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["accept", "keep", "redact", "replace", "mark"]),
        st.integers(0, len(NOTE) - 2),
        st.integers(1, 30),
        st.booleans(),
        st.sampled_from(["drug", "person", "a thing", "California"]),
    ),
    max_size=6,
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(_STEPS)
def test_any_decisions_give_sound_edits_and_the_verdict_of_the_check(rows: list[tuple]) -> None:  # type: ignore[type-arg]
    here = session()
    steps = []
    for action, start, length, everywhere, label in rows:
        end = min(start + length, len(NOTE))
        if NOTE[start:end].strip():
            made = Decision.on(here.document, action, (start, end), everywhere=everywhere, label=label)
            steps.append(here.verify(made))
    state = here.view(steps)
    cores = [c.core for c in state.standing.choices]
    assert cores == sorted(cores)
    assert all(a[1] <= b[0] for a, b in pairwise(cores))
    assert state.verdict.holds == check(state.applied.document, MODEL, here.knowledge).holds
    if steps and steps[-1].action in ("redact", "mark"):
        hidden = [c.core for c in state.standing.choices if c.edit]
        assert any(start <= steps[-1].start and steps[-1].end <= end for start, end in hidden)
    assert here.view(tuple(steps)) is state


def test_long_documents_are_checked_by_parts_with_the_same_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join([NOTE] * 4)
    whole, parts = session(text), session(text)
    monkeypatch.setattr(sessions, "LONG", 100)
    for words, action in (("Kaposi", "keep"), ("zidovudine", "keep"), ("Kaposi", "redact")):
        monkeypatch.setattr(sessions, "LONG", 10**9)
        take(whole, decision(whole, action, words))
        monkeypatch.setattr(sessions, "LONG", 100)
        take(parts, decision(parts, action, words))
        one, other = whole.state.verdict, parts.state.verdict
        assert (one.whole, other.whole) == (True, False)
        assert (one.holds, {v.message for v in one.violations}) == (other.holds, {v.message for v in other.violations})
        assert parts.confirm().verdict.violations == one.violations
        assert parts.state.verdict.whole


def test_a_step_in_a_long_document_reads_only_the_paragraph_it_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "LONG", 100)
    here = session("\n\n".join([NOTE.replace("52", str(n)) for n in range(40, 60)]))
    assert not here.state.verdict.whole
    read: list[str] = []
    analyze = sessions.analyze
    monkeypatch.setattr(sessions, "analyze", lambda document: read.append(document.text) or analyze(document))
    take(here, decision(here, "keep", "Kaposi"))
    assert len(read) == 1
    assert "Kaposi" in read[0]
    assert len(read[0]) < 1500
    here.steps = here.steps[:-1]
    assert here.state.verdict.holds
    assert len(read) == 1


def test_what_holds_of_a_whole_text_only_is_never_checked_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two terms that tell together, far apart: only a check of the whole text sees them."""
    monkeypatch.setattr(sessions, "LONG", 100)
    monkeypatch.setattr(sessions, "_PART", 100)
    apart = f"He reports fatigue. {'The table is here. ' * 20}He reports weight loss."
    parameters = {"protect": ["HIV"], "alpha": 1.5, "groups": 2, "support": 3, "action": "redact"}
    for context, is_whole in (("document", True), ("sentence", False)):
        model = CSanitized(context=context, **parameters)  # type: ignore[arg-type]
        here = Session(formats.read(apart.encode(), "note.txt"), model, tiny_knowledge())
        take(here, Decision.on(here.document, "keep", (11, 18)))
        take(here, Decision.on(here.document, "keep", (len(apart) - 12, len(apart) - 1)))
        assert here.state.applied.document.text == apart
        assert here.state.verdict.whole is is_whole
        assert here.state.verdict.holds is (context == "sentence") is check(apart, model, tiny_knowledge()).holds


@pytest.mark.parametrize(
    "model",
    [KAnonymous(["Tellman", "Hallman"], k=2), KSafe(protect=["AIDS"], k=1), TPlausible(protect=["AIDS"], t=2)],
    ids=lambda model: model.name,
)
def test_models_of_whole_texts_are_checked_whole(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    monkeypatch.setattr(sessions, "LONG", 100)
    assert session(models=MODEL).state.verdict.whole is False
    assert session(models=model).state.verdict.whole
