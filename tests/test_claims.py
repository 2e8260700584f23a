"""Figures in README and docs are those of benchmarks/results.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import __main__ as runner
from benchmarks.__main__ import RESULTS, as_page
from benchmarks.claims import charts, figure, pages, refresh
from benchmarks.unmarked import everywhere, unmarked

CURRENT: dict[str, Any] = json.loads(RESULTS.read_text("utf-8"))
SMALL = {"s": {"rows": [{"k": 1, "ms": 4.26, "paper": 7}, {"k": 2, "ms": 8.0, "paper": 9}]}}


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.name)
def test_marked_figures_are_the_measured_ones(path: Path) -> None:
    text = path.read_text("utf-8")
    assert refresh(text, CURRENT) == text, "write the figures anew with `python -m benchmarks.claims`"


def test_charts_are_drawn_from_the_results() -> None:
    for path, svg in charts(CURRENT).items():
        assert path.read_text("utf-8") == svg


def test_the_page_of_results_is_written_from_the_same_results() -> None:
    assert RESULTS.with_name("RESULTS.md").read_text("utf-8") == as_page(CURRENT)


def test_a_benchmark_that_fails_or_does_not_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "limit_of", lambda name: 60)
    assert runner.run_apart("no_such_benchmark")["skipped"] == "FAILED with exit code 1"
    monkeypatch.setattr(runner, "limit_of", lambda name: 0)
    assert runner.run_apart("no_such_benchmark")["skipped"] == "ended after 0 s by the clock"
    kept = {"title": "t", "machine": "m", "date": "d", "rows": [{"k": 1}]}
    page = as_page({"s": {**kept, "skipped": "FAILED with exit code 1"}})
    assert "SKIPPED: FAILED with exit code 1" in page
    assert "An earlier run: m; d." in page


def test_documentation_has_marked_figures() -> None:
    assert sum(p.read_text("utf-8").count("<!-- figure:") + p.read_text("utf-8").count("<!-- table:") for p in pages())


def test_what_looks_measured_says_where_it_comes_from() -> None:
    assert everywhere() == [], "figures without a comment; CONTRIBUTING says how to mark them"


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("It reads 9,000 words a second.", ["9,000 words a second"]),
        ("It reads 9 dense pages a second.", ["9 dense pages a second"]),
        ("F1 is .87 there.", ["F1 is .87"]),
        ("about 25 to 30 ms of it", ["25 to 30 ms"]),
        ("75.8 % are right", ["75.8 %"]),
        ("| way | ms |\n| --- | --- |\n| ours | 4 |", ["| ours | 4 |"]),
        ("| way | what |\n| --- | --- |\n| ours | takes 4 ms |", ["4 ms"]),
        ("<!-- not measured: the paper's -->\n\n| way | ms |\n| --- | --- |\n| ours | 4 |", []),
        ("It stops after 10 s. <!-- not measured: a limit -->", []),
        ("It stops after 10 s.\n\n<!-- not measured: another paragraph -->", ["10 s"]),
        ("takes 4.3 ms <!-- figure: s; k=1; ms -->", []),
        ("takes 4.3 ms <!-- figure: s; k=1; ms --> and 5 ms", ["5 ms"]),
        ("<!-- table: s; k; ms -->\n\n| k | ms |\n| --- | --- |\n| 1 | 4 |\n\n<!-- end -->", []),
        ("```console\n$ taciturn x\n82% kept in 3 ms\n```\n", []),
        ("a list\n\n    82% kept in 3 ms\n", []),
        ("`10 ms` is code, the 1980s a decade, 3 words no speed", []),
    ],
)
def test_what_looks_measured(page: str, found: list[str]) -> None:
    assert unmarked(page) == found


def test_a_stale_figure_is_noticed_at_the_decimals_shown() -> None:
    text = "takes 4.3 ms <!-- figure: s; k=1; ms -->"
    assert refresh(text, SMALL) == text
    assert refresh(text.replace("4.3", "4.2"), SMALL) == text


def test_a_stale_table_is_noticed() -> None:
    old = "<!-- table: s; k; ms -->\n\n| k | ms |\n\n<!-- end -->"
    assert "| 1 | 4.26 |\n| 2 | 8 |" in refresh(old, SMALL)


def test_rows_of_a_table_can_be_picked() -> None:
    assert "| 1 |" not in refresh("<!-- table: s; paper=9; k; ms -->\n<!-- end -->", SMALL)
    with pytest.raises(LookupError, match="paper=1"):
        refresh("<!-- table: s; paper=1; k; ms -->\n<!-- end -->", SMALL)


@pytest.mark.parametrize("source", ["t; k=1; ms", "s; k=3; ms", "s; ms", "s; k=1; seconds"])
def test_a_source_that_names_no_single_figure_is_an_error(source: str) -> None:
    with pytest.raises(LookupError):
        figure(SMALL, source)
