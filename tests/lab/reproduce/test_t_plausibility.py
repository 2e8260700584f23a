"""The experiment at a small scale: files are whole, figures agree with each other, and runs draw the same words."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest

from taciturn.knowledge.taxonomies import PackedTaxonomy
from taciturn.lab.reproduce.leaf_words import leaf_words
from taciturn.lab.reproduce.t_plausibility import EP, LEAST, LUBS, UEP, UNIFORM, run, utility


@pytest.fixture(scope="module")
def wordnet() -> PackedTaxonomy:
    import taciturn

    return PackedTaxonomy.open(Path(str(taciturn.__file__)).parent / "packs" / "en" / "wordnet.taxonomy")


def test_leaf_words_are_leaves_of_the_height_asked_for(wordnet: PackedTaxonomy) -> None:
    words = leaf_words(wordnet, 50, seed=7)
    assert all(7 <= len(w.volumes) - 1 <= 9 for w in words)
    assert all(w.volumes[0] == 1 and list(w.volumes) == sorted(w.volumes) for w in words)
    assert {w.labels[-1] for w in words} == {"entity"}
    assert leaf_words(wordnet, 20, seed=7) == words[:20]
    assert leaf_words(wordnet, 20, seed=8) != words[:20]
    with pytest.raises(ValueError, match="only"):
        leaf_words(wordnet, 10**6, seed=7)


def test_a_small_run_writes_tables_and_figures_that_agree(tmp_path: Path, wordnet: PackedTaxonomy) -> None:
    measures = run(tmp_path, sizes=(5, 8), ts=(64, 256), draws=2, limit=20.0, taxonomy=wordnet)
    assert len(measures) == 2 * 2 * 2 * 5
    with (tmp_path / "t-plausibility.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(measures)
    for name in ("3a", "3b", "3c", "3d", "3e", "3f"):
        svg = (tmp_path / f"t-plausibility-{name}.svg").read_text("utf-8")
        ElementTree.fromstring(svg)
        assert svg in (tmp_path / "t-plausibility.html").read_text("utf-8")
    by = {(m.way, m.words, m.t, m.draw): m for m in measures}
    for words, t, draw in {(m.words, m.t, m.draw) for m in measures}:
        assert by[LEAST, words, t, draw].product == by[EP, words, t, draw].product >= t
        best = by[UNIFORM, words, t, draw]
        assert best.proven
        assert best.cost == pytest.approx(by[UEP, words, t, draw].cost)
        assert best.cost <= by[LUBS, words, t, draw].cost + 1e-12
        assert best.cost <= by[EP, words, t, draw].cost + 1e-12


def test_the_papers_example_of_utility() -> None:
    # "Diagnose", "TB" with TB shown as a term of two base values: 1/2 + 1/4; suppressed it would be 1/2.
    assert utility([1, 2]) == 0.75
