"""Scores against counts made by hand, and datasets in every form that is read."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taciturn.lab.attack import Outsider
from taciturn.lab.evaluate import (
    Case,
    DatasetError,
    Mask,
    Masking,
    by_people,
    load_cases,
    load_masking,
    risk,
    run_model,
    score,
    told_by_kind,
    with_utility,
)
from taciturn.lab.evaluate.alignment import removed_spans
from taciturn.models import CSanitized
from tests.fixtures import tiny_knowledge

TEXT = "Mrs Ann Lee of Rome, born 1950, met Bob in Rome."


def _case() -> Case:
    masks = (
        Mask(0, 11, direct=True, entity="ann", kind="PERSON"),
        Mask(15, 19, entity="rome", kind="LOC"),
        Mask(26, 30, entity="born", kind="DATETIME"),
        Mask(43, 47, entity="rome", kind="LOC"),
    )
    return Case("a", TEXT, ("Ann Lee",), masks)


def test_scores_by_hand() -> None:
    # Words that count: Ann Lee Rome born 1950 met Bob Rome (8). Hidden: Ann Lee, the first Rome, met.
    found = score([_case()], Masking("x", {"a": [(4, 11), (15, 19), (32, 35)]}))
    assert found.recall == 3 / 5  # Ann, Lee and Rome of Ann, Lee, Rome, 1950, Rome; "Mrs" does not count
    assert found.recall_direct == 1
    assert found.recall_quasi == 1 / 3
    assert found.precision == 3 / 4
    assert found.f1 == pytest.approx(2 * 0.6 * 0.75 / 1.35)
    assert found.entity_recall == 1 / 3  # Rome is shown once
    assert found.by_kind == {"DATETIME": 0, "LOC": 0.5, "PERSON": 1}
    assert found.characters_kept == pytest.approx(1 - 14 / len(TEXT))


def test_a_word_hidden_in_part_is_shown() -> None:
    assert score([_case()], Masking("x", {"a": [(4, 6), (15, 18)]})).recall == 0


def test_nothing_hidden_has_no_precision() -> None:
    found = score([_case()], Masking("x", {"a": []}))
    assert (found.recall, found.precision, found.f1) == (0, None, None)


def test_forms_of_datasets(tmp_path: Path) -> None:
    mention = {"start_offset": 4, "end_offset": 11, "entity_id": "e", "entity_type": "PERSON"}
    kept = {**mention, "start_offset": 15, "end_offset": 19, "identifier_type": "NO_MASK"}
    tab = {
        "doc_id": "1",
        "text": TEXT,
        "protect": "Ann Lee",
        "mentions": [{**mention, "identifier_type": "DIRECT"}, kept],
    }
    published = {"doc_id": "2", "text": TEXT, "annotations": {"annotator1": {"entity_mentions": tab["mentions"]}}}
    plain = {"text": TEXT, "masks": [[4, 11]], "protect": ["Ann Lee", "A. Lee"]}
    lines = "\n".join(json.dumps(row) for row in (tab, published, plain)) + "\n"
    (tmp_path / "d.jsonl").write_text(lines)
    (tmp_path / "d.json").write_text(json.dumps([tab, published, plain]))
    (tmp_path / "d.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    cases = load_cases(tmp_path / "d.jsonl")
    assert cases == load_cases(tmp_path / "d.json") == load_cases(tmp_path / "d.jsonl.xz")
    assert [c.name for c in cases] == ["1", "2", "3"]
    assert [c.protect for c in cases] == [("Ann Lee",), (), ("Ann Lee", "A. Lee")]
    assert [[(m.start, m.end, m.direct) for m in c.masks] for c in cases] == [
        [(4, 11, True)],
        [(4, 11, True)],
        [(4, 11, False)],
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"masks": []}', "no 'text'"),
        ('{"text": "a", "masks": [[0, 2]]}', "0-2 lies outside"),
        ("nonsense", "neither a JSON list nor JSON lines"),
        ("", "no case"),
        ('{"doc_id": "x", "text": "a", "masks": []}\n{"doc_id": "x", "text": "b", "masks": []}', "'x' twice"),
    ],
)
def test_bad_datasets_say_what_is_wrong(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(content)
    with pytest.raises(DatasetError, match=said):
        load_cases(tmp_path / "d.jsonl")


def test_predictions_must_cover_every_case(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"a": [[4, 11]]}')
    assert load_masking(tmp_path / "p.json", [_case()]).spans == {"a": [(4, 11)]}
    (tmp_path / "p.json").write_text('{"b": []}')
    with pytest.raises(DatasetError, match="nothing of the case 'a'"):
        load_masking(tmp_path / "p.json", [_case()])


def test_a_model_is_scored_by_what_it_releases() -> None:
    text = "The patient has AIDS and takes aspirin."
    case = Case("1", text, ("HIV",), (Mask(16, 20),))
    masking = run_model("c", lambda c: CSanitized(protect=c.protect, alpha=1.5), [case], tiny_knowledge())
    found = score([case], masking)
    assert found.recall == 1
    assert found.refused == 0
    assert found.utility is not None
    assert 0 < found.utility < 1


def test_a_text_that_a_model_refuses_counts_as_hidden_whole() -> None:
    case = Case("1", "Ann Lee lives in Rome.", ("Ann Lee",), (Mask(0, 7),))
    masking = run_model("c", lambda c: CSanitized(protect=c.protect, alpha=1.5), [case], tiny_knowledge())
    assert masking.refused == 1
    assert score([case], masking).characters_kept == 0


def test_pairs_of_files_say_what_people_hid(tmp_path: Path) -> None:
    for side, text in (("before", TEXT), ("after", "Mrs [NAME] of Rome, born [DATE], met Bob in [PLACE].")):
        (tmp_path / "one" / side).mkdir(parents=True)
        (tmp_path / "one" / side / "a.txt").write_text(text)
        (tmp_path / "two").mkdir(exist_ok=True)
        (tmp_path / "two" / f"a.{side}.txt").write_text(text)
    one, two = load_cases(tmp_path / "one"), load_cases(tmp_path / "two")
    assert one == two
    assert [TEXT[m.start : m.end] for m in one[0].masks] == ["Ann Lee", "1950", "Rome"]
    (tmp_path / "one" / "after" / "a.txt").unlink()
    with pytest.raises(DatasetError, match=r"'a\.txt' .* no file for 'after'"):
        load_cases(tmp_path / "one")
    (tmp_path / "none").mkdir()
    with pytest.raises(DatasetError, match="no pairs"):
        load_cases(tmp_path / "none")


@given(st.lists(st.tuples(st.sampled_from("ab cd ef gh of".split()), st.booleans()), max_size=25))
def test_removed_words_are_found_where_marks_cannot_be_mistaken(words: list[tuple[str, bool]]) -> None:
    before = " ".join(word for word, _ in words)
    after = " ".join("[X]" if gone else word for word, gone in words)
    spans = removed_spans(before, after)
    assert spans == sorted(spans)
    hidden = sum(len(before[a:b].split()) for a, b in spans)
    # Which of two equal words went may be told wrongly; how many of them cannot be.
    assert hidden >= sum(gone for _, gone in words)
    assert removed_spans(before, before) == []


def test_released_texts_of_another_tool(tmp_path: Path) -> None:
    released = "Mrs X of Rome, born 1950, met Bob in Rome."
    (tmp_path / "p.jsonl").write_text(json.dumps({"doc_id": "a", "text": released}))
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "a.txt").write_text(released)
    for path in (tmp_path / "p.jsonl", tmp_path / "tool"):
        masking = load_masking(path, [_case()])
        assert masking.spans == {"a": [(4, 11)]}
        assert masking.released(_case()) == released
    (tmp_path / "p.jsonl").write_text('{"text": "x"}')
    with pytest.raises(DatasetError, match="line 1"):
        load_masking(tmp_path / "p.jsonl", [_case()])


def test_information_kept_by_spans_alone() -> None:
    case = Case("1", "The patient has AIDS and takes aspirin.", ("HIV",), (Mask(16, 20),))
    half = with_utility([case], by_people([case]), tiny_knowledge())
    assert half.released(case) == "The patient has [REDACTED] and takes aspirin."
    nothing = with_utility([case], Masking("none", {"1": []}), tiny_knowledge())
    assert nothing.utility == 1
    assert 0 < (half.utility or 0) < 1


def test_kinds_come_from_the_dataset_or_from_our_terms() -> None:
    plain = Case("1", "Mary Smith lives in Rome.", (), (Mask(0, 10), Mask(20, 24)))
    assert [m.kind for m in told_by_kind([plain])[0].masks] == ["person", "place"]
    assert told_by_kind([_case()]) == [_case()]


def test_the_person_of_a_published_case(tmp_path: Path) -> None:
    row = {
        "doc_id": "1",
        "text": TEXT,
        "annotations": {"a": {"entity_mentions": []}},
        "task": "Task: Annotate the document to anonymise the following person: Ann Lee",
    }
    (tmp_path / "d.json").write_text(json.dumps([row]))
    assert load_cases(tmp_path / "d.json")[0].protect == ("Ann Lee",)


def test_risk_by_what_is_released() -> None:
    cases = [
        Case("1", "He is the pope.", ("Rome",), (Mask(10, 14),)),
        Case("2", "She saw the tower.", ("Paris",), (Mask(12, 17),)),
        Case("3", "No one knows.", ("Atlantis",), ()),
    ]
    outsider = Outsider({"Rome": "The pope.", "Paris": "The tower."})
    shown = risk(cases, Masking("none", {"1": [], "2": [], "3": []}), lambda _: outsider)
    hidden = risk(cases, by_people(cases), lambda _: outsider)
    assert shown is not None
    assert hidden is not None
    assert (shown.texts, shown.found[0], shown.mean_rank, shown.chance) == (2, 1.0, 1.0, 1.5)
    assert hidden.mean_rank > 1
    row = score(cases, by_people(cases), [hidden]).row()
    assert row["mean rank, tf-idf"] == hidden.mean_rank
    assert risk(cases[2:], by_people(cases), lambda _: outsider) is None
