"""Scores against counts made by hand, and datasets in every form that is read."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from tacit.evaluate import Case, DatasetError, Mask, Masking, load_cases, load_masking, run_model, score
from tacit.models import CSanitized
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
        ('{"text": "a"}', "no masks"),
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
