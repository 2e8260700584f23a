"""The reproduction of ERASE on a small made-up base: files, figures that agree, and the same documents every time."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from taciturn.knowledge import EntityBase
from taciturn.lab.reproduce.erase import case_document, draw_base, measure, run, signs, usual_document

RANDOM = Random(1)
SIGNS = [f"sign {i}" for i in range(30)]
BASE = EntityBase("made up", {f"e{i}": frozenset([f"e{i}", *RANDOM.sample(SIGNS, 6)]) for i in range(80)})


def test_it_writes_a_table_charts_and_a_page(tmp_path: Path) -> None:
    measures = run(tmp_path, sizes=(3, 6), ks=(1, 2), documents=3, limit=5.0, base=BASE)
    assert {(m.way, m.terms, m.k) for m in measures} == {
        (way, size, k) for way in ("exact", "greedy", "level-wise") for size in (3, 6) for k in (1, 2)
    }
    with (tmp_path / "erase.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(r["way"], r["removed"]) for r in rows] == [(m.way, str(m.removed)) for m in measures]
    for name in ("erase-time-k1.svg", "erase-removed-k2.svg"):
        ElementTree.parse(tmp_path / name)
    assert "ERASE, made again" in (tmp_path / "erase.html").read_text("utf-8")


def test_exact_and_level_wise_agree_and_greedy_is_no_better(tmp_path: Path) -> None:
    found = {(m.way, m.terms): m for m in run(tmp_path, sizes=(4, 8), ks=(1,), documents=5, limit=20.0, base=BASE)}
    for size in (4, 8):
        exact, greedy, level = (found[way, size] for way in ("exact", "greedy", "level-wise"))
        assert exact.proven == level.proven == exact.documents
        assert exact.removed == level.removed <= greedy.removed


def test_documents_are_the_same_every_time_and_of_the_size_asked() -> None:
    contexts, protected = draw_base(signs(BASE), 50, 10, Random(3))
    assert len(contexts) == 50
    assert len(protected) == 10
    for draw in (
        lambda r: usual_document(contexts, 12, r),
        lambda r: case_document(contexts, protected, 12, r),
    ):
        assert draw(Random(4)) == draw(Random(4))
        assert len(set(draw(Random(4)))) == 12


def test_signs_leave_out_names_and_merge_synonyms() -> None:
    contexts = {"a": frozenset({"a", "fever", "pyrexia"}), "b": frozenset({"b", "fever", "pyrexia"})}
    assert signs(EntityBase("t", contexts)) == {"a": frozenset({"fever"}), "b": frozenset({"fever"})}


def test_an_unknown_way_is_refused() -> None:
    with pytest.raises(ValueError, match="no way 'best'"):
        measure("best", {"a": frozenset("x")}, ["a"], [["x"]], 1, 1.0)
