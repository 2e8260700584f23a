"""The command: several tools in one table, files written, errors that say what to do."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn.cli.attack import command as attack
from taciturn.cli.evaluate import command

CASE = {"doc_id": "1", "text": "Ann Lee lives in Rome.", "protect": "Ann Lee", "masks": [[0, 7], [17, 21]]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE))
    (tmp_path / "half.json").write_text('{"1": [[0, 7]]}')
    (tmp_path / "all.json").write_text('{"1": [[0, 22]]}')
    return tmp_path


def test_two_tools_in_one_table(folder: Path) -> None:
    arguments = [str(folder / "cases.jsonl"), "--predictions", str(folder / "half.json")]
    arguments += ["--predictions", str(folder / "all.json"), "--csv", str(folder / "t.csv")]
    arguments += ["--html", str(folder / "t.html"), "--json"]
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    *plain, half, every = json.loads(done.stdout)["results"]
    assert [r["model"] for r in plain] == ["the original", "names blacked out"]
    rows = [half, every]
    assert [(r["model"], r["recall"], r["precision"]) for r in rows] == [("half", 0.6667, 1.0), ("all", 1.0, 0.75)]
    with open(folder / "t.csv", newline="") as file:
        assert [r["recall"] for r in csv.DictReader(file)][-2:] == ["0.6667", "1.0"]
    page = (folder / "t.html").read_text()
    assert "<svg" in page
    assert "half" in page


def test_policies_curves_and_adversaries(folder: Path) -> None:
    rows = [CASE, {**CASE, "doc_id": "2", "text": "Bob Cox likes Paris.", "protect": "Paris", "masks": [[14, 19]]}]
    rows[0] = {**rows[0], "protect": "Rome"}
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "mine.toml").write_text('title = "Names"\n[[protect]]\nkinds = ["person"]\n')
    arguments = [
        str(folder / "cases.jsonl"),
        "-m",
        "c-sanitized:alpha=1/2,groups=1",
        "--policy",
        str(folder / "mine.toml"),
    ]
    arguments += [
        "-m",
        "person-release",
        "--policy",
        "person-release",
        "--people",
        "--attack",
        "pmi",
        "--attack",
        "bayes",
    ]
    arguments += ["--html", str(folder / "t.html"), "--json"]
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    found = {r["model"]: r for r in json.loads(done.stdout)["results"]}
    assert list(found) == [
        "the original",
        "names blacked out",
        "c-sanitized:alpha=1,groups=1",
        "c-sanitized:alpha=2,groups=1",
        "person-release",
        "mine",
        "policy person-release",
        "people",
    ]
    assert found["people"]["f1"] == 1
    assert found["mine"]["by_kind"] == {"person": 1.0, "place": 0.0}
    assert all("found at rank 1, pmi" in r and "mean rank, bayes" in r for r in found.values())
    assert found["mine"]["found at rank 1, pmi"] == 1  # the towns still stand there
    page = (folder / "t.html").read_text()
    for what in ("c-sanitized over alpha", "Re-identification", "Recall by kind", "Information kept against recall"):
        assert what in page


def test_an_outsider_needs_background_texts(folder: Path) -> None:
    rows = [
        {**CASE, "protect": "Rome"},
        {**CASE, "doc_id": "2", "text": "Bob saw the tower.", "protect": "Paris", "masks": []},
    ]
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "none.json").write_text('{"1": [], "2": []}')
    (folder / "texts.jsonl").write_text(
        '{"name": "Rome", "text": "Ann lives there."}\n{"name": "Paris", "text": "A tower."}'
    )
    arguments = [
        str(folder / "cases.jsonl"),
        "--predictions",
        str(folder / "none.json"),
        "--attack",
        "tf-idf",
        "--json",
    ]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 2
    assert "--background" in done.output
    done = CliRunner().invoke(
        command, [*arguments, "--background", str(folder / "texts.jsonl")], catch_exceptions=False
    )
    *_, row = json.loads(done.stdout)["results"]
    assert row["found at rank 1, tf-idf"] == 1


DISEASES = [
    {"doc_id": "1", "text": "He takes zidovudine for his HIV.", "protect": "HIV", "masks": [[28, 31]]},
    {"doc_id": "2", "text": "The aura of her migraine was bad.", "protect": "migraine", "masks": [[16, 24]]},
]


def attacked(folder: Path, *offered: str) -> dict[str, dict[str, float]]:
    """The figures of texts as they are (nothing hidden) and of texts hidden whole, by all adversaries asked for."""
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, DISEASES)))
    (folder / "nothing.json").write_text('{"1": [], "2": []}')
    (folder / "everything.json").write_text('{"1": [[0, 32]], "2": [[0, 33]]}')
    arguments = [str(folder / "cases.jsonl"), "--json"]
    for name in ("nothing", "everything"):
        arguments += ["--predictions", str(folder / f"{name}.json")]
    done = CliRunner().invoke(command, [*arguments, *offered], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return {row["model"]: row for row in json.loads(done.stdout)["results"]}


def test_a_branch_offers_the_candidates_of_taciturn_attack(folder: Path) -> None:
    """Case by case, as the candidates of a branch depend on the truth: the ranks are those of the other command."""
    found = attacked(folder, "--attack", "pmi", "--attack", "bayes", "--branch", "disease")
    assert found["nothing"]["found at rank 5, pmi"] == found["nothing"]["found at rank 1, bayes"] == 1
    assert found["everything"]["mean rank, pmi"] > 1000  # of some three thousand diseases, all alike
    for label in ("nothing", "everything"):
        ranks = []
        for case in DISEASES:
            (folder / "text.txt").write_text(str(case["text"]) if label == "nothing" else "[REDACTED]")
            arguments = [str(folder / "text.txt"), "--branch", "disease", "--true", str(case["protect"]), "--json"]
            done = CliRunner().invoke(attack, arguments, catch_exceptions=False)
            ranks.append(json.loads(done.stdout)["pmi"]["after"]["rank"])
        assert found[label]["mean rank, pmi"] == pytest.approx(sum(ranks) / 2)


def test_a_base_brings_its_own_candidates_and_names(folder: Path) -> None:
    (folder / "mine.csv").write_text("entity,term\nHIV,zidovudine\nMigraine,aura\nGout,allopurinol\n")
    for base in ("diseases", str(folder / "mine.csv")):
        found = attacked(folder, "--attack", "bayes", "--entities", base)
        assert found["nothing"]["found at rank 1, bayes"] == 1
        assert found["everything"]["found at rank 1, bayes"] == 0


def test_candidates_by_name_join_those_of_the_dataset(folder: Path) -> None:
    (folder / "more.txt").write_text("gout\nmeasles\n")
    found = attacked(folder, "--attack", "pmi", "--candidates", str(folder / "more.txt"), "-c", "cholera")
    assert found["everything"]["mean rank, pmi"] == 3  # five candidates, of whom nothing is said


def test_who_is_no_candidate_is_told(folder: Path) -> None:
    (folder / "mine.csv").write_text("entity,term\nHIV,zidovudine\nGout,allopurinol\n")
    (folder / "cases.jsonl").write_text("\n".join(map(json.dumps, DISEASES)))
    (folder / "nothing.json").write_text('{"1": [], "2": []}')
    arguments = [str(folder / "cases.jsonl"), "--predictions", str(folder / "nothing.json"), "--attack", "pmi"]
    done = CliRunner().invoke(command, [*arguments, "--entities", str(folder / "mine.csv")], catch_exceptions=False)
    assert "of 2 whom the cases protect, 1 are known" in done.stderr
    (folder / "mine.csv").write_text("entity,term\nGout,allopurinol\nMeasles,rash\n")
    done = CliRunner().invoke(command, [*arguments, "--entities", str(folder / "mine.csv")])
    assert done.exit_code == 2
    assert "knows nobody" in done.output


def test_pairs_and_names_from_the_command_line(folder: Path) -> None:
    for side, text in (("before", "Ann Lee lives in Rome."), ("after", "[X] lives in Rome.")):
        (folder / "pairs" / side).mkdir(parents=True)
        (folder / "pairs" / side / "a.txt").write_text(text)
    arguments = [str(folder / "pairs"), "-m", "person-release", "--protect", "Ann Lee", "--json"]
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    *_, row = json.loads(done.stdout)["results"]
    assert row["recall"] == 1


def test_the_table_is_for_narrow_terminals(folder: Path) -> None:
    arguments = [str(folder / "cases.jsonl"), "--predictions", str(folder / "half.json")]
    lines = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout.splitlines()
    assert any("recall" in line and "0.667" in line for line in lines)
    assert any("half" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_many_tools_have_a_row_each(folder: Path) -> None:
    arguments = [str(folder / "cases.jsonl")]
    for number in range(5):
        (folder / f"tool{number}.json").write_text('{"1": [[0, 7]]}')
        arguments += ["--predictions", str(folder / f"tool{number}.json")]
    lines = CliRunner().invoke(command, arguments, catch_exceptions=False).stdout.splitlines()
    assert sum("tool" in line and "0.667" in line for line in lines) == 5
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nothing to evaluate"),
        (["-m", "magic"], "unknown model 'magic'"),
        (["-m", "c-sanitized:beta=2"], "c-sanitized takes protect=..., alpha=..."),
        (["-m", "c-sanitized:alpha=two"], "'two'"),
        (["-m", "c-sanitized:alpha=1/two"], "'two'"),
        (["-m", "c-sanitized:alpha=1/2,groups=1/2"], "several values"),
        (["-m", "person-release", "--attack", "pmi"], "at least two candidates"),
        (["-m", "person-release", "--branch", "disease"], "--branch is for an adversary"),
        (["-m", "person-release", "--attack", "pmi", "--entities", "mine"], "no entity base 'mine'"),
        (["-m", "person-release", "--attack", "pmi", "--entities", "x", "-c", "y"], "brings its own candidates"),
    ],
)
def test_errors_say_what_to_do(folder: Path, arguments: list[str], said: str) -> None:
    done = CliRunner().invoke(command, [str(folder / "cases.jsonl"), *arguments])
    assert done.exit_code == 2
    assert said in done.output
