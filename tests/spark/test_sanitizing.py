"""Spark: the same releases as one process makes, failures as rows."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from tacit import CSanitized, sanitize
from tacit.knowledge import Knowledge
from tacit.knowledge.pack import PackError
from tacit.spark import sanitize_frame, ship_pack
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
    assert "UnknownEntityError" in row.certificate.reason


@pytest.mark.slow
def test_a_shipped_pack_is_opened_where_the_worker_has_it(spark: Any, pack: str, tmp_path: Path) -> None:
    frame = spark.createDataFrame([("HIV and a cat",)], "note string")
    [by_path] = sanitize_frame(frame, "note", MODEL, pack=pack).collect()
    shipped = ship_pack(spark, pack)
    assert str(tmp_path.parent) not in shipped
    assert ship_pack(spark, pack) == shipped
    [row] = sanitize_frame(frame, "note", MODEL, pack=shipped).collect()
    assert row == by_path
    assert row.certificate.knowledge_sha256 == Knowledge.open(pack).digest
    with pytest.raises(PackError, match="is not a pack"):
        ship_pack(spark, tmp_path)
