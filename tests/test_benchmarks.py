"""Results of many ways to run one benchmark come together, and none is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import __main__ as runner
from benchmarks import batch, claims
from benchmarks.batch import ALONE, joined


def row(way: str, notes: int, clock: float) -> dict[str, Any]:
    return {"way": way, "notes": notes, "CPU s": clock, "critical s": clock, "clock s": clock, "speed-up": None}


def test_rows_of_other_sizes_and_ways_stay() -> None:
    earlier = [row(ALONE, 500, 30.0), row("pandas", 500, 40.0), {"pass": "first", "ms of each": 50.0}]
    found = joined(earlier, [row(ALONE, 500, 20.0), row("batch, 2 workers", 100_000, 9.0), row("Spark, x", 500, 10.0)])
    assert [(r.get("way", "a pass"), r.get("notes"), r.get("clock s")) for r in found] == [
        (ALONE, 500, 20.0),
        ("pandas", 500, 40.0),
        ("Spark, x", 500, 10.0),
        ("batch, 2 workers", 100_000, 9.0),
        ("a pass", None, None),
    ]
    # Speed-ups follow the one worker of the same size, also in rows that are old.
    assert [r["speed-up by the clock"] for r in found[:4]] == [1.0, 0.5, 2.0, None]
    found = joined(found, [row(ALONE, 100_000, 18.0)])
    assert [r["speed-up"] for r in found if r.get("notes") == 100_000] == [1.0, 2.0]
    found = joined(found, [{**row("pandas", 100_000, 18.0), "date": "another day"}])
    assert [r["speed-up"] for r in found if r.get("notes") == 100_000] == [1.0, 2.0, None]


def test_ways_one_after_another_and_side_by_side() -> None:
    every = [way.name for group in batch._groups([]) for way in group]
    assert every[:4] == ["a loop", ALONE, "batch, 2 workers", "pandas"]
    groups = batch._groups(["pandas+batch, 2", "batch"])
    assert [[way.name for way in group] for group in groups] == [
        ["pandas", "batch, 2 workers"],
        [ALONE],
        ["batch, 2 workers"],
    ]
    with pytest.raises(SystemExit, match="no way begins like 'spark'"):
        batch._groups(["spark"])


def test_a_row_is_stored_as_soon_as_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "page.md").write_text("takes 1.0 s <!-- figure: batch; notes=7; clock s -->")
    (tmp_path / "results.json").write_text(
        json.dumps({"z": {"title": "z", "rows": [{"k": 1}], "machine": "", "date": ""}})
    )
    monkeypatch.setattr(runner, "FOLDER", tmp_path)
    monkeypatch.setattr(runner, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(claims, "pages", lambda: [tmp_path / "page.md"])
    monkeypatch.setattr(claims, "charts", lambda results: {})
    runner.store("batch", [row(ALONE, 7, 3.0)])
    runner.store("batch", [row("pandas", 8, 5.0)])
    stored = json.loads((tmp_path / "results.json").read_text())
    assert [r["notes"] for r in stored["batch"]["rows"]] == [7, 8]
    assert list(stored) == ["batch", "z"]
    assert (tmp_path / "page.md").read_text().startswith("takes 3.0 s")
    assert "## z" in (tmp_path / "RESULTS.md").read_text()
