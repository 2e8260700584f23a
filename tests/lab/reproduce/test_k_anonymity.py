"""The reproduction on a small list: both methods agree, and the page says where the list came from."""

from __future__ import annotations

import csv
from pathlib import Path

from taciturn.lab.reproduce.k_anonymity import run
from taciturn.lab.reproduce.titles import read_titles, synthetic_titles


def test_small_run_with_a_made_up_list(tmp_path: Path) -> None:
    found = run(tmp_path, size=3000, words=12)
    assert len(found) == 12
    assert all(m.agree for m in found)
    page = (tmp_path / "k-anonymity.html").read_text("utf-8")
    assert "made-up titles" in page
    assert page.count("<svg") == 3
    with (tmp_path / "k-anonymity.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 12


def test_given_list_is_used(tmp_path: Path) -> None:
    titles = tmp_path / "titles.txt"
    titles.write_text("\n".join(f"title {n}" for n in range(300)), encoding="utf-8")
    run(tmp_path / "out", titles, size=200, words=5)
    page = (tmp_path / "out" / "k-anonymity.html").read_text("utf-8")
    assert "200 titles of the list that was given" in page


def test_titles_are_drawn_alike_every_time(tmp_path: Path) -> None:
    path = tmp_path / "titles.txt"
    path.write_text("\n".join(f"t{n}" for n in range(100)) + "\n\n", encoding="utf-8")
    assert read_titles(path, 10) == read_titles(path, 10)
    assert len(set(read_titles(path, 10))) == 10
    assert len(read_titles(path)) == 100
    made = synthetic_titles(2000)
    assert len(set(made)) == 2000
    assert made == synthetic_titles(2000)
