"""Tables in memory: the same releases as one document at a time."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

from taciturn import CSanitized, Policy, sanitize
from taciturn.frames import sanitize_batches, sanitize_pandas
from taciturn.knowledge import Knowledge
from tests.batch import collections as c

pa = pytest.importorskip("pyarrow")

MODEL = CSanitized(protect=["HIV"], alpha=1.5)
BROKEN = CSanitized(protect=["an entity that no corpus knows"])
NOTE = "The HIV is near a cat."
SAFE = "The [REDACTED] is near a cat."
NESTED = pa.schema(
    [
        ("note", pa.string()),
        ("list", pa.list_(pa.string())),
        ("lines", pa.list_(pa.string())),
        ("struct", pa.struct([("a", pa.string())])),
        ("map", pa.map_(pa.string(), pa.string())),
        ("bytes", pa.binary()),
        ("wide", pa.binary()),
        ("day", pa.date32()),
        ("age", pa.int64()),
    ]
)


def nested(word: str) -> dict[str, Any]:
    """A row that has a word in columns of all sorts."""
    texts = {"list": [word], "lines": [f"a line\n{word}"], "struct": {"a": word}, "map": [("k", word)]}
    binaries = {"bytes": word.encode(), "wide": word.encode("utf-16-le")}
    return {"note": NOTE, **texts, **binaries, "day": date(2020, 1, 2), "age": 4}


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
        [guarantee] = after["certificate"]["guarantees"]
        assert guarantee.keys() == {"model", "holds", "figures"}
        assert dict(guarantee["figures"]) == {k: str(v) for k, v in release.certificate.guarantees[0].published.items()}
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
    frame.attrs["patient"] = "Ann"
    before = frame.copy()
    knowledge = Knowledge.open(pack)
    released = sanitize_pandas(frame, "note", MODEL, knowledge)
    pd.testing.assert_frame_equal(frame, before)
    assert released.index.equals(frame.index)
    assert not released.attrs
    assert frame.attrs
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


@pytest.mark.parametrize("model", [MODEL, BROKEN])
def test_what_was_removed_is_found_in_lists_structures_and_bytes(pack: str, model: CSanitized) -> None:
    batch = pa.RecordBatch.from_pylist([nested("HIV"), nested("tea")], schema=NESTED)
    [released] = sanitize_batches([batch], "note", model, pack)
    first, second = released.to_pylist()
    assert [first[name] for name in NESTED.names[1:7]] == [None] * 6
    assert (first["note"], first["certificate"]["released"]) == ((SAFE, True) if model is MODEL else (None, False))
    assert (first["day"], first["age"]) == (date(2020, 1, 2), 4)
    for name in NESTED.names[1:7]:
        assert second[name] == (nested("tea")[name] if model is MODEL else None)
    assert released.schema.types[:-1] == NESTED.types


def test_texts_of_every_type_and_times_that_python_has_not(pack: str) -> None:
    for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        arrays = [pa.array([NOTE, None]).cast(kind), pa.array(["HIV", "x"]).cast(kind)]
        [released] = sanitize_batches([pa.RecordBatch.from_arrays(arrays, names=["note", "word"])], "note", MODEL, pack)
        assert released.schema.types[:2] == [kind, kind]
        assert [c.to_pylist() for c in released.columns[:2]] == [[SAFE, None], ["[REDACTED]", "x"]]
    # 9999-12-31 in New York, a usual "until further notice", is the year 10000 in Greenwich.
    late = pa.array([253402318799000000, 0], type=pa.timestamp("us", "America/New_York"))
    spans = pa.array([[], None], type=pa.list_(late.type))
    for times, first in ((late, SAFE), (pa.ListArray.from_arrays([0, 1, 1], late), None), (spans, SAFE)):
        batch = pa.RecordBatch.from_arrays([pa.array([NOTE, "cat"]), times], names=["note", "until"])
        [released] = sanitize_batches([batch], "note", MODEL, pack)
        assert released.column(0).to_pylist() == [first, "cat"]
        assert released.column(1).is_valid().to_pylist() == [first is not None, times[1].is_valid]
        if first:
            assert released.column(1).equals(times)


def test_a_dictionary_does_not_keep_texts_of_rows_that_are_gone(pack: str) -> None:
    pd = pytest.importorskip("pandas")
    batch = pa.RecordBatch.from_arrays([pa.array([NOTE, "cat"]).dictionary_encode()], names=["note"]).slice(1)
    [released] = sanitize_batches([batch], "note", MODEL, pack)
    assert released.column(0).dictionary.to_pylist() == ["cat"]
    codes = pa.array([b"HIV", b"x"]).dictionary_encode()
    batch = pa.RecordBatch.from_arrays([pa.array([NOTE, "cat"]), codes], ["note", "code"])
    [released] = sanitize_batches([batch], "note", MODEL, pack)
    assert (released.column(1).to_pylist(), released.column(1).dictionary.to_pylist()) == ([None, b"x"], [b"x"])
    frame = pd.DataFrame({"note": pd.Categorical([NOTE, "cat"])})[1:]
    assert sanitize_pandas(frame, "note", MODEL, Knowledge.open(pack))["note"].dtype == object


def test_pandas_cells_of_any_kind(pack: str) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(
        {
            "note": pd.array([NOTE, "cat", None], dtype="string"),
            "array": [np.array(["HIV", "x"]), np.array(["x", "y"]), None],
            "long": [np.array(["x"] * 2000 + ["HIV"] + ["x"] * 2000), None, None],
            "pairs": [{"a": {"HIV"}}, {"a": {"x"}}, None],
            "table": [pd.DataFrame({"x": ["HIV"]}), None, None],
            "words": pd.array(["HIV", "x", None], dtype="string"),
            "key": [2**60 + 1, 2**60 + 3, 7],
            "seen": pd.to_datetime(["2020-01-02", None, "2021-01-01"]),
        }
    )
    knowledge = Knowledge.open(pack)
    released = sanitize_pandas(frame, "note", MODEL, knowledge)
    assert released["note"].fillna("-").tolist() == [SAFE, "cat", "-"]
    assert released["words"].fillna("-").tolist() == ["[REDACTED]", "x", "-"]
    assert [released.loc[0, name] for name in ("array", "long", "pairs", "table")] == [None] * 4
    assert released.loc[1, "array"].tolist() == ["x", "y"]
    for name in ("note", "words", "key", "seen"):
        assert released[name].dtype == frame[name].dtype
    failed = sanitize_pandas(frame, "note", BROKEN, knowledge)
    assert failed[["note", "array", "long", "pairs", "table", "words"]].isna().all(axis=None)
    assert failed["key"].tolist() == frame["key"].tolist()
    assert failed["seen"].equals(frame["seen"])
    swept = sanitize_pandas(frame.assign(note=f"{NOTE} Call {2**60 + 1}."), "note", [MODEL, _numbers()], knowledge)
    assert swept["key"].tolist() == [None, 2**60 + 3, 7]
    assert sanitize_pandas(frame[:0], "note", MODEL, knowledge)["certificate"].dtype == object
    with pytest.raises(ValueError, match="no model is given"):
        sanitize_pandas(frame, "note", [], knowledge)


def _numbers() -> Any:
    from taciturn.models import Denied

    return Denied(protect=[str(2**60 + 1)])


def test_an_index_of_texts_is_swept_and_one_of_numbers_stays(pack: str) -> None:
    pd = pytest.importorskip("pandas")
    knowledge = Knowledge.open(pack)
    frame = pd.DataFrame({"note": [NOTE, "cat"]}, index=pd.Index(["HIV", "x"], name="who"))
    released = sanitize_pandas(frame, "note", MODEL, knowledge)
    assert (released.index.tolist(), released.index.name) == (["[REDACTED]", "x"], "who")
    assert sanitize_pandas(frame, "note", BROKEN, knowledge).index.isna().all()
    levels = pd.MultiIndex.from_tuples([("HIV", 1), ("x", 1)], names=["who", "visit"])
    released = sanitize_pandas(frame.set_index(levels), "note", MODEL, knowledge)
    assert released.index.tolist() == [("[REDACTED]", 1), ("x", 1)]
    assert released.index.names == ["who", "visit"]
    with pytest.raises(ValueError, match="two columns of one name"):
        sanitize_pandas(frame.assign(**{"#who": "HIV"}), "note", MODEL, knowledge)
    # The name of a level is released like the title of a column, and looked at like one.
    for index in (pd.Index(["y", "x"], name="HIV status"), pd.Index([1, 2], name="HIV status")):
        told = sanitize_pandas(frame.set_index(index), "note", MODEL, knowledge)["certificate"]
        assert [said["released"] for said in told] == [False, False]
    twice = sanitize_pandas(frame.set_index(pd.Index([3, 3])), "note", MODEL, knowledge)
    assert (twice.index.tolist(), twice["note"].tolist()) == ([3, 3], [SAFE, "cat"])
    days = frame.set_index(pd.DatetimeIndex([datetime(2020, 1, 2), datetime(2020, 1, 3)]))
    assert sanitize_pandas(days, "note", MODEL, knowledge).index.equals(days.index)


DECLARED = {"patient": "name", "born": "date", "mrn": "identifier", "remarks": "text"}
PATIENTS = [
    {
        "patient": "Grace Kim",
        "born": "1950-03-02",
        "mrn": "A-1234",
        "remarks": "Grace will call.",
        "note": "",
        "age": 7,
    },
    {
        "patient": "LONG, MAY",
        "born": "4/5/1961",
        "mrn": "88812",
        "remarks": "",
        "note": "Long is well. May came.",
        "age": 8,
    },
    {"patient": None, "born": None, "mrn": None, "remarks": None, "note": None, "age": 9},
]


def test_declared_columns_are_hidden_as_wholes_and_a_rows_names_go_everywhere_in_it() -> None:
    pd = pytest.importorskip("pandas")
    released = sanitize_pandas(pd.DataFrame(PATIENTS), "note", Policy.load("hipaa-safe-harbor"), declared=DECLARED)
    assert released["born"].tolist()[:2] == ["1950", "1961"]
    assert released["age"].tolist() == [7, 8, 9]
    assert released["certificate"].map(lambda said: said["released"]).all()
    told = released.drop(columns="certificate").to_string()
    assert not [word for word in ("Grace", "Kim", "LONG", "Long", "MAY", "May", "1234", "88812") if word in told]
    assert "is well" in told
    assert "came" in told
    [batch] = sanitize_batches(
        [pa.RecordBatch.from_pylist(PATIENTS)], "note", Policy.load("hipaa-safe-harbor"), None, DECLARED
    )
    assert batch.column("patient").to_pylist() == released["patient"].tolist()


def test_declared_cells_that_are_no_text_become_missing() -> None:
    rows = [{"born": date(1950, 3, 2), "mrn": 88812, "note": "Seen again for 88812."}]
    declared = {"born": "date", "mrn": "identifier"}
    [batch] = sanitize_batches(
        [pa.RecordBatch.from_pylist(rows)], "note", Policy.load("hipaa-safe-harbor"), None, declared
    )
    [after] = batch.to_pylist()
    assert after["born"] is None
    assert after["mrn"] is None
    assert "88812" not in after["note"]


@pytest.mark.parametrize(
    ("declared", "says"), [({"nmae": "name"}, "no column 'nmae'"), ({"born": "day"}, "choose from name")]
)
def test_what_cannot_be_declared_is_refused(declared: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        list(sanitize_batches([pa.RecordBatch.from_pylist(PATIENTS)], "note", MODEL, None, declared))
