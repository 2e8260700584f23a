"""Annotations of other tools, in the forms in which they write them; originals and black-outs as rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn import samples
from taciturn.errors import InputError
from taciturn.lab.evaluate import Case, DatasetError, Mask, blacked_out, load_cases, score, untouched

TEXT = "Ann Lee lives in Rome."


def _load(tmp_path: Path, rows: object) -> list[Case]:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(rows), "utf-8")
    return load_cases(path)


def test_label_studio_in_full_and_small(tmp_path: Path) -> None:
    value = {"start": 0, "end": 7, "text": "Ann Lee", "labels": ["PERSON"]}
    result = [{"type": "labels", "value": value}, {"type": "choices", "value": {"choices": ["x"]}}]
    full = {"id": 4, "data": {"text": TEXT, "protect": "Ann Lee"}, "annotations": [{"result": result}]}
    small = {"id": 5, "text": TEXT, "label": [value]}
    first, second = _load(tmp_path, [full, small])
    assert first == Case("4", TEXT, ("Ann Lee",), (Mask(0, 7, kind="PERSON"),))
    assert second.masks == first.masks
    (bare,) = _load(tmp_path, [{"id": 6, "data": {"text": TEXT}, "annotations": []}])
    assert (bare.masks, bare.annotated) == ((), False)


def test_presidio(tmp_path: Path) -> None:
    span = {"entity_type": "PERSON", "start_position": 0, "end_position": 7}
    (case,) = _load(tmp_path, [{"full_text": TEXT, "spans": [span]}])
    assert case.masks == (Mask(0, 7, kind="PERSON"),)


def test_what_gives_a_matter_away_is_meant_wherever_it_stands(tmp_path: Path) -> None:
    spans = [{"text": "CD4", "role": "test", "alone": True, "instead": "a test"}]
    (case,) = _load(tmp_path, [{"id": "n", "hide": "HIV", "text": "CD4 low. CD4 lower.", "spans": spans}])
    assert case.protect == ("HIV",)
    assert case.masks == (Mask(0, 3, True, "CD4", "test"), Mask(9, 12, True, "CD4", "test"))


def test_brat_with_line_ends_and_parts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Note\r\nAnn M. Lee came.")
    (tmp_path / "a.ann").write_text(
        "T1\tPERSON 6 9;13 16\tAnn Lee\nR1\tOf Arg1:T1 Arg2:T1\n#1\tAnnotatorNotes T1\tx\n", "utf-8"
    )
    (case,) = load_cases(tmp_path)
    assert [case.text[m.start : m.end] for m in case.masks] == ["Ann", "Lee"]
    (tmp_path / "a.txt").unlink()
    with pytest.raises(DatasetError, match=r"no text beside it; brat keeps it in 'a\.txt'"):
        load_cases(tmp_path)


def test_i2b2(tmp_path: Path) -> None:
    tags = '<NAME id="P0" start="0" end="7" text="Ann Lee" TYPE="PATIENT" comment=""/>'
    file = tmp_path / "110-01.xml"
    file.write_text(f"<deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT><TAGS>{tags}</TAGS></deIdi2b2>", "utf-8")
    assert load_cases(tmp_path) == [Case("110-01", TEXT, (), (Mask(0, 7, kind="PATIENT"),))]
    file.write_text('<!DOCTYPE x [<!ENTITY a "b">]><deIdi2b2/>', "utf-8")
    with pytest.raises(DatasetError, match="defines entities"):
        load_cases(tmp_path)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"masks": [[0, 1]]}, "has no 'text'"),
        ({"text": "ab", "masks": [[0, 3]]}, "the mask 0-3 lies outside its text"),
        ({"full_text": "ab", "spans": [{}]}, "looks like presidio, but is not"),
        ([], "is no JSON object"),
    ],
)
def test_what_is_no_case_is_said(tmp_path: Path, row: object, says: str) -> None:
    with pytest.raises(DatasetError, match=says):
        _load(tmp_path, [row])


def test_a_text_without_annotations_has_words_changed_and_no_precision() -> None:
    case = Case("1", "Known HIV infection.", ("HIV",), (), annotated=False)
    found = score([case], blacked_out([case]))
    assert (found.recall, found.precision) == (None, None)
    assert found.words_changed == pytest.approx(1 / 3)


def test_touched_means_every_place_of_what_tells_alone() -> None:
    masks = (Mask(0, 8, True, "a"), Mask(10, 13, True, "b"), Mask(15, 18, True, "b"), Mask(20, 23, False, "c"))
    case = Case("1", "new drug, CD4, CD4, old.", (), masks)
    assert score([case], untouched([case])).touched == 0
    spans = {"1": [(4, 8), (10, 13)]}
    assert score([case], blacked_out([case]).__class__("x", spans)).touched == 1 / 2


def test_samples_are_sound_and_named() -> None:
    for name in ("concealment", "identifiers"):
        assert all(c.masks for c in load_cases(f"sample:{name}"))
    with pytest.raises(InputError, match=r"there is no sample 'notes': choose concealment\.jsonl"):
        samples.path("sample:notes")


def test_the_original_and_plain_black_out_are_always_rows() -> None:
    from taciturn.cli.evaluate import command

    asked = ["sample:concealment", "--limit", "1", "-m", "c-sanitized", "--json"]
    shown = json.loads(CliRunner().invoke(command, asked, catch_exceptions=False).stdout)
    first, second, model = shown["results"]
    assert (first["model"], first["words_changed"]) == ("the original", 0)
    assert second["model"] == "names blacked out"
    assert model["touched"] > second["touched"] > 0
