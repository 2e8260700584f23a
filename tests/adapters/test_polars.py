"""polars: the same releases, the same types."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taciturn import CSanitized, Kinds, sanitize
from taciturn.frames import sanitize_polars
from taciturn.knowledge import Knowledge
from tests.adapters import pages
from tests.batch import collections as c

pytestmark = pytest.mark.slow
MODEL = CSanitized(protect=["HIV"], alpha=1.5)


def test_a_frame_is_released_as_sanitize_does_and_keeps_its_types(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    knowledge = Knowledge.open(c.make_pack(tmp_path))
    rows = [{**row, "age": i, "note": None if i == 5 else row["note"]} for i, row in enumerate(c.rows())]
    frame = pl.DataFrame(rows).with_columns(
        pl.col("age").cast(pl.Int8), pl.col("word").cast(pl.Enum(c.THINGS)), pl.col("patient").cast(pl.Categorical)
    )
    released = sanitize_polars(frame, "note", MODEL, knowledge)
    assert dict(released.schema) == {**frame.schema, "certificate": pl.String}
    changed = 0
    for before, after in zip(rows, released.to_dicts(), strict=True):
        if before["note"] is None:
            assert after["note"] is None
            continue
        release = sanitize(before["note"], MODEL, knowledge)
        assert after["note"] == release.text
        said = json.loads(after["certificate"])
        assert (said["released"], said["text_sha256"]) == (True, release.certificate.text_digest)
        # A word that was swept is no member of the column's type, and so nothing.
        gone = before["word"] in before["note"] and before["word"] not in release.text
        assert after["word"] == (None if gone else before["word"])
        changed += gone
    assert changed
    with pytest.raises(ValueError, match="no column 'text'"):
        sanitize_polars(frame, "text", MODEL, knowledge)
    lazy = frame.lazy().map_batches(
        lambda part: sanitize_polars(part, "note", MODEL, knowledge), schema={**frame.schema, "certificate": pl.String}
    )
    assert lazy.collect().equals(released)


def test_cells_of_any_kind(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    knowledge = Knowledge.open(c.make_pack(tmp_path))
    cells = {"list": ["HIV"], "lines": ["a\nHIV"], "struct": {"a": "HIV"}, "bytes": b"HIV"}
    plain = {"list": ["x"], "lines": ["x"], "struct": {"a": "x"}, "bytes": b"x"}
    frame = pl.DataFrame([{"note": "The HIV is near a cat.", **cells}, {"note": "A cat.", **plain}])
    # The first time is written as the note has it, and goes; the other one keeps its nanoseconds.
    stamps = pl.Series("at", [1_600_000_000_123_456_789, 1_600_000_000_123_456_789]).cast(pl.Datetime("ns"))
    frame = frame.with_columns(stamps, pl.Series("age", [4, 5]))
    released = sanitize_polars(frame, "note", MODEL, knowledge)
    assert dict(released.schema) == {**frame.schema, "certificate": pl.String}
    assert released.row(0)[1:5] == (None,) * 4
    assert released.row(1, named=True).items() >= plain.items()
    dated = frame.with_columns(pl.Series("note", ["Seen on 2020-09-13.", "A cat."]))
    swept = sanitize_polars(dated, "note", [MODEL, Kinds(hide=["date"])], knowledge)["at"]
    assert swept.to_physical().to_list() == [None, 1_600_000_000_123_456_789]
    broken = CSanitized(protect=["an entity that no corpus knows"])
    failed = sanitize_polars(frame, "note", broken, knowledge)
    assert failed.drop("at", "age", "certificate").rows() == [(None,) * 5] * 2
    assert failed["age"].to_list() == [4, 5]


def test_the_page_says_what_happens() -> None:
    pytest.importorskip("polars")
    assert pages.run("adapters.md", pages.blocks("adapters.md", having="polars")) == 0
