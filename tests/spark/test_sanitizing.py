"""Spark: the same releases as one process makes, failures as rows."""

from __future__ import annotations

import json
import lzma
import os
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from taciturn import CSanitized, Policy, sanitize
from taciturn.knowledge import Knowledge
from taciturn.knowledge.storage.pack import PackError
from taciturn.spark import sanitize_frame, ship_pack
from tests.batch import collections as c
from tests.shared_data import SHARED, needs_shared

MODEL = CSanitized(protect=["HIV"], alpha=1.5)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return c.make_pack(tmp_path_factory.mktemp("knowledge"))


@pytest.mark.slow
@needs_shared
def test_two_workers_on_real_notes(spark: Any, pack: str) -> None:
    with lzma.open(SHARED / "data" / "notes" / "clinical-notes.jsonl.xz", "rt") as file:
        notes = [json.loads(line)["text"] for line in file][:40]
    rows = [(i, note) for i, note in enumerate(notes)] + [(40, None)]
    frame = spark.createDataFrame(rows, "visit int, note string").repartition(2)
    released = sorted(sanitize_frame(frame, "note", MODEL, pack=pack).collect())
    knowledge = Knowledge.open(pack)
    for row, note in zip(released, notes, strict=False):
        release = sanitize(note, MODEL, knowledge)
        assert row.note == release.text
        assert row.certificate.released
        assert row.certificate.text_sha256 == release.certificate.text_digest
    assert [row.visit for row in released] == list(range(41))


@pytest.mark.slow
def test_a_row_that_fails_does_not_fail_the_job(spark: Any, tmp_path: Path) -> None:
    pack = c.make_pack(tmp_path)
    frame = spark.createDataFrame([("HIV and a cat", "HIV")], "note string, word string")
    with pytest.raises(ValueError, match="no column 'text'"):
        sanitize_frame(frame, "text", MODEL, pack=pack)
    broken = CSanitized(protect=["an entity that no corpus knows"])
    [row] = sanitize_frame(frame, "note", broken, pack=pack).collect()
    assert (row.note, row.word, row.certificate.released) == (None, None, False)
    assert "UnknownTermError" in row.certificate.reason


@pytest.mark.slow
def test_columns_of_all_sorts_and_names(spark: Any, pack: str) -> None:
    frame = spark.sql(
        "select 'HIV and a cat' note, 'HIV' Note, 'HIV' `a.b`, array('HIV') l, named_struct('a', array('HIV')) s, "
        "map('k', 'HIV') m, binary('HIV') b, parse_json('{\"a\": \"HIV\"}') v, date'2020-01-02' d, "
        "cast(1.5 as decimal(4, 2)) e, cast(253402318799 as timestamp) t, 3 n"
    )
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        for model in (MODEL, CSanitized(protect=["an entity that no corpus knows"])):
            released = sanitize_frame(frame, "note", model, pack=Path(pack))
            assert released.columns == [*frame.columns, "certificate"]
            [row] = released.withColumn("t", released.t.cast("string")).collect()
            note, other, dotted, *nested = row[:8]
            assert row.certificate.released == (model is MODEL)
            assert "HIV" not in str((note, other, dotted))
            assert nested == [None] * 5
            assert (row.d, row.e, row.n) == (date(2020, 1, 2), Decimal("1.50"), 3)
            if model is MODEL:
                assert row.t == "9999-12-31 23:59:59"
        assert sanitize_frame(frame.where("n < 0"), "note", MODEL, pack=pack).collect() == []
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)


@pytest.mark.slow
def test_what_cannot_be_is_said_before_any_work(spark: Any) -> None:
    for columns, models, words in (
        ("1 note", MODEL, "holds int, not text"),
        ("'a' note, 'b' note", MODEL, "two columns of one name"),
        ("'a' note, 'b' Certificate", MODEL, "rename it"),
        ("'a' note", (), "no model is given"),
        ("'a' note", Policy.load("person-release"), "nothing for it to protect"),
    ):
        with pytest.raises(ValueError, match=words):
            sanitize_frame(spark.sql(f"select {columns}"), "note", models)


@pytest.mark.slow
def test_a_shipped_pack_is_opened_where_the_worker_has_it(spark: Any, pack: str, tmp_path: Path) -> None:
    frame = spark.createDataFrame([("HIV and a cat",)], "note string")
    [by_path] = sanitize_frame(frame, "note", MODEL, pack=pack).collect()
    for file in Path(pack).rglob("*"):
        os.utime(file, (0, 0))  # as in the image of a container
    shipped = ship_pack(spark, pack)
    assert str(tmp_path.parent) not in shipped
    assert ship_pack(spark, pack) == shipped
    [row] = sanitize_frame(frame, "note", MODEL, pack=shipped).collect()
    assert row == by_path
    assert row.certificate.knowledge_sha256 == Knowledge.open(pack).digest
    with pytest.raises(PackError, match="is not a pack"):
        ship_pack(spark, tmp_path)
