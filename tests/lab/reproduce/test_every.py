"""C-sanitized, S1+S2 and the index of all papers, on small made-up data."""

from __future__ import annotations

import csv
import json
import lzma
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from taciturn.cli.reproduce import command
from taciturn.lab.reproduce import c_sanitized, every, s1_s2
from tests.fixtures import tiny_knowledge
from tests.lab.reproduce.test_erase import BASE

TEXT = "The patient has HIV and takes zidovudine after a blood transfusion. Influenza is a disease."
KNOWLEDGE = tiny_knowledge()
PAPER = (("HIV", "HIV", ((96.2, 97.2), (32.9, 66.6), (17.6, 61.2))),)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    (folder / "articles").mkdir(parents=True)
    (folder / "actors").mkdir()
    with lzma.open(folder / "articles" / "HIV.txt.xz", "wt", encoding="utf-8") as file:
        file.write(TEXT)
    row = {"name": "HIV", "text": TEXT, "masked_tokens": [[16, 19], [30, 40]]}
    with lzma.open(folder / "actors" / "actors-dev.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    monkeypatch.setattr(c_sanitized, "PAPER", PAPER)
    return folder


def test_table_2_has_the_papers_figures_beside_ours(data: Path, tmp_path: Path) -> None:
    measures, found = c_sanitized.run(tmp_path / "out", data, KNOWLEDGE)
    assert [(m.alpha, m.paper_redacted, m.paper_generalized) for m in measures] == [
        (1.0, 96.2, 97.2),
        (1.5, 32.9, 66.6),
        (2.0, 17.6, 61.2),
    ]
    kept = [m.redacted for m in measures]
    assert kept == sorted(kept, reverse=True)
    assert all(0 < m.redacted < 100 and m.generalized >= m.redacted for m in measures)
    ElementTree.parse(tmp_path / "out" / "c-sanitized-kept.svg")
    with (tmp_path / "out" / "c-sanitized.csv").open(encoding="utf-8") as file:
        assert [float(r["redacted"]) for r in csv.DictReader(file)] == kept
    assert [d.alpha for d in found] == [1.0, 1.5, 2.0]
    assert found[0].recall == 100.0  # "HIV" and "zidovudine", the only masks, say HIV and nothing else


def test_recall_over_w(data: Path, tmp_path: Path) -> None:
    measures, actors = s1_s2.run(tmp_path, data, KNOWLEDGE)
    recall = [m.recall for m in measures if m.model == "S1+S2"]
    assert len(recall) == len(s1_s2.WS)
    assert recall == sorted(recall, reverse=True)
    assert {a.actor for a in actors} == {"HIV"}
    assert [a.w for a in actors] == [0.0, *s1_s2.WS]
    assert {a.beta for a in actors} == {round(KNOWLEDGE.counts.ic("HIV"), 2)}
    for name in ("s1-s2-w.svg", "s1-s2-beta.svg", "s1-s2-actor-1.svg"):
        ElementTree.parse(tmp_path / name)


def test_the_index_has_a_line_a_claim(data: Path, tmp_path: Path) -> None:
    options = {
        "t-plausibility": {"sizes": (3, 4), "ts": (8, 16), "draws": 1},
        "erase": {"sizes": (3, 4), "ks": (1,), "documents": 2, "base": BASE},
        "k-anonymity": {"size": 300, "words": 5},
    }
    found = every.run(tmp_path / "out", data, knowledge=KNOWLEDGE, options=options)
    assert set(found) == {"c-sanitized", "s1-s2", "t-plausibility", "erase", "k-anonymity"}
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    for paper in found:
        assert f'<a href="{paper}.html">' in index
        assert (tmp_path / "out" / f"{paper}.html").is_file()
    with (tmp_path / "out" / "claims.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(map(len, found.values()))
    assert all(r["verdict"] for r in rows)
    without = every.run(tmp_path / "less", options=options)
    assert set(without) == {"t-plausibility", "erase", "k-anonymity"}
    assert "c-sanitized, s1-s2" in (tmp_path / "less" / "index.html").read_text("utf-8")


def test_a_claim_that_fails_says_so() -> None:
    worse = c_sanitized.Measure("HIV", 1.0, 1.0, 90.0, 96.2, 80.0, 97.2)
    rest = [c_sanitized.Measure("HIV", a, 1.0, 95.0, 94.0, 96.0, 97.2) for a in (1.5, 2.0)]
    verdicts = {c.what: c.verdict for c in every.c_sanitized_claims(([worse, *rest], []))}
    assert verdicts["generalizing keeps at least as much as redacting"] == "not the same: fails in 1 of 3"
    assert verdicts["a larger alpha keeps less, redacted"] == "not the same: fails in 1 of 1"
    assert verdicts["Table 2, mean information kept, redacted, alpha 1.5"] == "same within 5 points"
    assert verdicts["Table 1, detection"] == "no data at hand"


def test_claims_on_actors_say_what_fails() -> None:
    def of(model: str, w: float, *scores: float) -> s1_s2.OfActor:
        return s1_s2.OfActor("Ann", 9.0, model, w, *scores)

    actors = [of("S1", 0, 0.9, 0.5, 0.6), of("S1+S2", 0.5, 0.8, 0.7, 0.7), of("S1+S2", 1.0, 0.95, 0.4, 0.5)]
    measures = [
        s1_s2.Measure("S1", s1_s2.BETA, 0, 0.9, 0.5, 0.6),
        s1_s2.Measure("S1+S2", s1_s2.BETA, 0.5, 0.8, 0.7, 0.7),
    ]
    claims = [c for c in every.s1_s2_claims((measures, actors)) if c.what.startswith("Figures 4 to 9")]
    assert [c.ours for c in claims] == ["1 of 2", "1 of 2", "1 of 2", "0.5 (F1 0.700)"]
    assert claims[-1].verdict == "same"


def test_missing_data_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="--data"):
        c_sanitized.run(tmp_path / "out", tmp_path)
    with pytest.raises(FileNotFoundError, match="--data"):
        s1_s2.read_biographies(tmp_path)
    for arguments in (["c-sanitized"], ["s1-s2"], ["erase", "--data", str(tmp_path)]):
        assert CliRunner().invoke(command, arguments).exit_code == 2


def test_what_hides_nothing_has_no_precision_and_does_not_count_in_the_mean() -> None:
    found = [c_sanitized.Detection("a", 1.0, None, 0.0, 0.0), c_sanitized.Detection("b", 1.0, 90.0, 10.0, 18.0)]
    assert c_sanitized.mean_detection(found, "precision", 1.0) == 90.0
    assert c_sanitized.mean_detection(found, "recall", 1.0) == 5.0
