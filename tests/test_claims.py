"""Figures in README and docs are those of benchmarks/results.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.__main__ import RESULTS, as_page
from benchmarks.claims import charts, figure, pages, refresh

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


def test_documentation_has_marked_figures() -> None:
    assert sum(p.read_text("utf-8").count("<!-- figure:") + p.read_text("utf-8").count("<!-- table:") for p in pages())


def test_a_stale_figure_is_noticed_at_the_decimals_shown() -> None:
    text = "takes 4.3 ms <!-- figure: s; k=1; ms -->"
    assert refresh(text, SMALL) == text
    assert refresh(text.replace("4.3", "4.2"), SMALL) == text


def test_a_stale_table_is_noticed() -> None:
    old = "<!-- table: s; k; ms -->\n\n| k | ms |\n\n<!-- end -->"
    assert "| 1 | 4.26 |\n| 2 | 8 |" in refresh(old, SMALL)


@pytest.mark.parametrize("source", ["t; k=1; ms", "s; k=3; ms", "s; ms", "s; k=1; seconds"])
def test_a_source_that_names_no_single_figure_is_an_error(source: str) -> None:
    with pytest.raises(LookupError):
        figure(SMALL, source)
