from __future__ import annotations

import io
from typing import Any

import pytest

from taciturn.formats import FormatError, Options, read
from tests.formats import nasty
from tests.formats.plans import release

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402


def parquet_file() -> bytes:
    """A table with the name in every kind of column, and in the schema."""
    name = nasty.NAME
    columns: dict[str, Any] = {
        "id": pa.array([1, 2, 3]),
        "name": pa.array([name, None, "Ann"]),
        "tags": pa.array([[name, "x"], [], None]),
        "deep": pa.array([{"who": name, "n": 1}, {"who": None, "n": 2}, None]),
        "category": pa.array([name, "y", name]).dictionary_encode(),
        "raw": pa.array([name.encode(), b"\xff\xfe", None], pa.binary()),
        "map": pa.array([[("k", name)], [], None], pa.map_(pa.string(), pa.string())),
        name: pa.array(["a", "b", "c"]),
    }
    table = pa.table(columns).replace_schema_metadata({"pandas": name, name: "x"})
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def test_every_string_is_hidden_and_the_rest_stays() -> None:
    file, data = release(parquet_file(), "a.parquet", nasty.HIDE)
    table = pq.read_table(io.BytesIO(data))
    assert table.to_pydict() == {
        "id": [1, 2, 3],
        "name": ["an actor", None, "Ann"],
        "tags": [["an actor", "x"], [], None],
        "deep": [{"who": "an actor", "n": 1}, {"who": None, "n": 2}, None],
        "category": ["an actor", "y", "an actor"],
        "raw": [b"an actor", None, None],
        "map": [[("k", "an actor")], [], None],
        "an actor": ["a", "b", "c"],
    }
    assert b"Banderas" not in data
    assert not table.schema.metadata
    assert {"schema metadata", "binary values of raw"} <= set(file.dropped)
    assert table.schema.field("id").type == pa.int64()


def test_columns_are_chosen_and_the_others_swept() -> None:
    file, data = release(parquet_file(), "", nasty.HIDE, Options(columns=("name",)))
    assert file.format == "parquet"
    assert [s.place for s in file.document.segments] == ["name: row 1", "name: row 3"]
    assert pq.read_table(io.BytesIO(data)).to_pydict()["tags"] == [["an actor", "x"], [], None]


def test_a_damaged_file_is_refused() -> None:
    with pytest.raises(FormatError, match="damaged"):
        read(b"PAR1" + b"x" * 100 + b"PAR1", "a.parquet")
