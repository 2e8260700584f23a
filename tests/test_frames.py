"""Tables in memory: the same releases as one document at a time."""

from __future__ import annotations

import pytest

from tacit import CSanitized, sanitize
from tacit.frames import sanitize_batches, sanitize_pandas
from tacit.knowledge import Knowledge
from tests.batch import collections as c

pa = pytest.importorskip("pyarrow")

MODEL = CSanitized(protect=["HIV"], alpha=1.5)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return c.make_pack(tmp_path_factory.mktemp("knowledge"))


def test_batches_are_released_as_sanitize_does_and_failures_are_rows(pack: str) -> None:
    rows = [{"visit": i, "note": c.note(i), "word": c.THINGS[i % 8]} for i in range(8)]
    rows.append({"visit": 8, "note": None, "word": "HIV"})
    [batch] = sanitize_batches([pa.RecordBatch.from_pylist(rows)], "note", MODEL, pack)
    knowledge = Knowledge.open(pack)
    for before, after in zip(rows[:8], batch.to_pylist(), strict=False):
        release = sanitize(str(before["note"]), MODEL, knowledge)
        assert after["note"] == release.text
        assert after["certificate"]["text_sha256"] == release.certificate.text_digest
        assert after["certificate"]["guarantees"][0]["margin"] == pytest.approx(release.certificate.margin)
    assert batch.to_pylist()[8]["note"] is None
    assert any(a["word"] != b["word"] for a, b in zip(rows, batch.to_pylist(), strict=True))


def test_a_row_that_fails_shows_none_of_its_texts(pack: str) -> None:
    rows = [{"note": 5, "word": "HIV", "age": 4}]
    [batch] = sanitize_batches([pa.RecordBatch.from_pylist(rows)], "note", MODEL, pack)
    [row] = batch.to_pylist()
    assert (row["word"], row["age"], row["certificate"]["released"]) == (None, 4, False)
    assert "not text" in row["certificate"]["reason"]


def test_a_pandas_frame_keeps_its_index_and_types(pack: str) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(c.rows()).assign(age=range(12)).set_index(pd.Index(range(100, 112), name="row"))
    frame.loc[105, "note"] = None
    before = frame.copy()
    knowledge = Knowledge.open(pack)
    released = sanitize_pandas(frame, "note", MODEL, knowledge)
    pd.testing.assert_frame_equal(frame, before)
    assert released.index.equals(frame.index)
    assert released["age"].dtype == frame["age"].dtype
    for row in frame.index:
        if row != 105:
            assert released.loc[row, "note"] == sanitize(frame.loc[row, "note"], MODEL, knowledge).text
    assert released.loc[105, "note"] is None
    assert all(said["released"] for said in released["certificate"])
    assert (released["word"] != frame["word"]).any()
    with pytest.raises(ValueError, match="no column 'text'"):
        sanitize_pandas(frame, "text", MODEL, knowledge)
    failed = sanitize_pandas(frame.assign(note=5), "note", MODEL, knowledge)
    assert failed["note"].isna().all()
    assert failed["word"].isna().all()
    assert not any(said["released"] for said in failed["certificate"])
