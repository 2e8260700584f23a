"""The table of the papers: every name of code in it exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs/papers.md"
NAMES = sorted(set(re.findall(r"`((?:taciturn|training)\.[a-z_.0-9]+(?::[A-Za-z_.]+)?)`", PAGE.read_text("utf-8"))))


@pytest.mark.parametrize("name", NAMES)
def test_the_code_that_the_table_names_exists(name: str) -> None:
    module, _, inside = name.partition(":")
    found: object = import_module(module)
    for part in filter(None, inside.split(".")):
        found = getattr(found, part)


def test_every_paper_has_a_table_and_every_row_names_code() -> None:
    page = PAGE.read_text("utf-8")
    assert page.count("| in the paper | code | what differs |") == 5
    rows = [
        line
        for line in page.splitlines()
        if line.startswith("| ") and "---" not in line and "in the paper | code" not in line
    ]
    assert len(rows) > 35
    assert all(re.search(r"\| `(taciturn|training)\.", row) for row in rows)
