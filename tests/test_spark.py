"""Spark: the same releases as one process makes, failures as rows."""

from __future__ import annotations

import json
import lzma
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tacit import CSanitized, sanitize
from tacit.knowledge import Knowledge
from tacit.spark import sanitize_frame
from tests.batch import collections as c
from tests.shared_data import SHARED, needs_shared

SRC = Path(__file__).resolve().parents[1] / "src"
MODEL = CSanitized(protect=["HIV"], alpha=1.5)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return c.make_pack(tmp_path_factory.mktemp("knowledge"))


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = f"{SRC}:{SRC.parent}"
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = (
        builder.config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "512m")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "10")
        .getOrCreate()
    )
    yield session
    session.stop()


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
