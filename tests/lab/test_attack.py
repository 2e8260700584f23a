"""The adversary on hand-made contexts: evidence by formula, ranks, ties, before and after."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn.cli import attack as commands_attack
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, EntityBase, Knowledge, UnknownTermError
from taciturn.knowledge.storage.files import KnowledgeFileError
from taciturn.lab.attack import (
    Attack,
    BaseAdversary,
    Guess,
    Outsider,
    PackAdversary,
    attack,
    read_background,
    reidentified,
    under_branch,
)
from taciturn.models import CSanitized
from taciturn.release import sanitize
from tests.fixtures import tiny_knowledge

KNOWLEDGE = Knowledge(ContextCounts([{"rome", "pope"}] * 4 + [{"paris", "tower"}] * 4 + [{"tower"}, {"river"}]))


def test_evidence_follows_the_formula() -> None:
    found = attack("He saw the tower and the pope.", ["Rome", "Paris"], KNOWLEDGE, shrinkage=2.0)
    tower, pope = 5 / 10, 4 / 10
    rome = log2((0 + 2 * tower) / 6 / tower) + log2((4 + 2 * pope) / 6 / pope)
    paris = log2((4 + 2 * tower) / 6 / tower) + log2((0 + 2 * pope) / 6 / pope)
    bits = {g.name: g.bits for g in found.guesses}
    assert bits["Rome"] == pytest.approx(rome, abs=1e-5)
    assert bits["Paris"] == pytest.approx(paris, abs=1e-5)
    assert found.posterior("Rome") == pytest.approx(2**rome / (2**rome + 2**paris))


def test_naive_bayes_has_a_prior_and_a_mixture() -> None:
    contexts = [{"rome", "pope"}] * 4 + [{"paris", "tower"}] * 2 + [{"tower"}, {"river"}] * 2
    found = attack("He saw the tower.", ["Rome", "Paris"], Knowledge(ContextCounts(contexts)), way="bayes")
    share = 4 / 10
    rome = log2((0.5 * 0 + 0.5 * share) / share)
    paris = log2((0.5 * 1 + 0.5 * share) / share) + log2(2 / 4)
    assert {g.name: g.bits for g in found.guesses} == pytest.approx({"Rome": rome, "Paris": paris}, abs=1e-5)
    silent = attack("[REDACTED].", ["Rome", "Paris"], Knowledge(ContextCounts(contexts)), way="bayes")
    assert silent.posterior("Rome") == pytest.approx(2 / 3)  # the prior: four contexts against two


def test_a_base_is_read_as_one_context_an_entity() -> None:
    base = EntityBase(
        "b",
        {
            "flu": frozenset({"flu", "fever", "cough"}),
            "cold": frozenset({"cold", "cough"}),
            "gout": frozenset({"gout", "pain"}),
            "sprain": frozenset({"sprain", "pain"}),
        },
    )
    found = BaseAdversary(base, KNOWLEDGE, shrinkage=2.0)("A fever and a cough.")
    fever, cough = (log2((1 + 2 * p) / 3 / p) for p in (1 / 4, 2 / 4))
    lacks = log2(2 / 3)
    bits = {g.name: g.bits for g in found.guesses}
    expected = {"flu": fever + cough, "cold": lacks + cough, "gout": 2 * lacks, "sprain": 2 * lacks}
    assert bits == pytest.approx(expected, abs=1e-5)
    assert found.guesses[0].evidence == (("fever", round(fever, 2)), ("cough", round(cough, 2)))
    assert found.rank("gout") == 3.5
    assert BaseAdversary(base, KNOWLEDGE, "bayes")("Nothing.").posterior("flu") == 0.25


def test_the_outsider_takes_the_nearest_text() -> None:
    outsider = Outsider({"Rome": "The pope lives there.", "Paris": "The tower is tall.", "Oslo": "The cold snow."})
    found = outsider("A tall tower, snow and [REDACTED].")
    assert [g.name for g in found.guesses] == ["Paris", "Oslo", "Rome"]
    assert found.guesses[0].evidence[0][0] in ("tall", "tower")
    assert sum(g.posterior for g in found.guesses) == pytest.approx(1)
    assert outsider("Zzz.").rank("Oslo") == 2  # nothing in common with any: all alike
    with pytest.raises(ValueError, match="no background text"):
        Outsider({})


def test_background_texts_from_files(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "Mary_Holt.txt").write_text("A nurse.")
    assert read_background(tmp_path / "texts") == {"Mary Holt": "A nurse."}
    (tmp_path / "b.jsonl").write_text('{"name": "A", "text": "x"}\n\n{"title": "A", "text": "y"}\n')
    assert read_background(tmp_path / "b.jsonl") == {"A": "x\n\ny"}
    (tmp_path / "b.jsonl").write_text('{"name": "A"}\n')
    with pytest.raises(KnowledgeFileError, match="line 1"):
        read_background(tmp_path / "b.jsonl")
    (tmp_path / "none").mkdir()
    with pytest.raises(KnowledgeFileError, match=r"NAME\.txt"):
        read_background(tmp_path / "none")


def test_candidates_of_a_branch_do_not_include_each_other() -> None:
    links = [("HIV", "infection"), ("AIDS", "HIV"), ("flu", "infection"), ("infection", "disease"), ("gout", "disease")]
    taxonomy = EdgeTaxonomy("d", [*links, ("scurvy", "disease")])
    counts = ContextCounts([{"HIV"}, {"AIDS"}, {"flu"}, {"gout"}, {"infection"}], [taxonomy])
    knowledge = Knowledge(counts, (taxonomy,))
    assert under_branch("disease", knowledge) == ["AIDS", "flu", "gout"]  # scurvy never occurs
    assert under_branch("disease", knowledge, "HIV") == ["HIV", "flu", "gout"]
    assert under_branch("infection", knowledge, "gout") == ["AIDS", "flu", "gout"]
    with pytest.raises(UnknownTermError, match="'planet'"):
        under_branch("planet", knowledge)


def test_bad_parameters() -> None:
    with pytest.raises(ValueError, match="'magic'"):
        PackAdversary(["Rome"], KNOWLEDGE, "magic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shrinkage is 0"):
        attack("x", ["Rome"], KNOWLEDGE, shrinkage=0)


def test_little_is_concluded_from_few_contexts() -> None:
    once = Knowledge(ContextCounts([{"rare", "tower"}] + [{"paris", "tower"}] * 30 + [{"river"}] * 60))
    bits = {g.name: g.bits for g in attack("The tower.", ["rare", "Paris"], once).guesses}
    assert 0 < bits["rare"] < bits["Paris"]


def test_a_text_that_says_nothing_leaves_all_alike() -> None:
    found = attack("[REDACTED].", ["Rome", "Paris"], KNOWLEDGE)
    assert [g.posterior for g in found.guesses] == [0.5, 0.5]
    assert found.rank("Rome") == found.rank("Paris") == 1.5


def test_unknown_candidates_are_named() -> None:
    found = attack("The tower.", ["Rome", "Atlantis"], KNOWLEDGE)
    assert found.unknown == ("Atlantis",)
    assert found.rank("Atlantis") is None
    with pytest.raises(ValueError, match="none of the candidates"):
        attack("The tower.", ["Atlantis"], KNOWLEDGE)


def test_a_release_gives_the_adversary_less() -> None:
    knowledge = tiny_knowledge()
    text = "The patient has AIDS after a blood transfusion and takes zidovudine."
    released = sanitize(text, CSanitized(protect=["HIV"], alpha=1.5), knowledge).text
    candidates = ["HIV", "influenza", "cancer", "aspirin"]
    before, after = (attack(t, candidates, knowledge) for t in (text, released))
    assert before.rank("HIV") == 1
    assert (after.posterior("HIV") or 0) < (before.posterior("HIV") or 0)


def test_shares_at_ranks() -> None:
    def ranked(place: int) -> Attack:
        return Attack(tuple(Guess("x" if i == place else str(i), -i, 0, ()) for i in range(1, 21)), (), 1)

    attacks = [(ranked(p), "x") for p in (1, 1, 4, 12)]
    assert reidentified(attacks) == {1: 0.5, 5: 0.75, 10: 0.75}


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands_attack, "open_knowledge", lambda pack: KNOWLEDGE)
    (tmp_path / "after.txt").write_text("He saw the river.")
    (tmp_path / "before.txt").write_text("He saw the tower.")
    (tmp_path / "names.txt").write_text("Rome\n\nParis\n")
    arguments = [str(tmp_path / "after.txt"), "--candidates", str(tmp_path / "names.txt"), "--true", "Paris"]
    done = CliRunner().invoke(
        commands_attack.command,
        [*arguments, "--before", str(tmp_path / "before.txt"), "--json"],
        catch_exceptions=False,
    )
    shown = json.loads(done.stdout)
    assert set(shown) == {"reader", "pmi", "bayes"}
    assert shown["pmi"]["before"]["rank"] == 1
    assert shown["pmi"]["after"]["rank"] == 1.5
    assert CliRunner().invoke(commands_attack.command, [str(tmp_path / "after.txt"), "-c", "Rome"]).exit_code == 2


def test_command_with_background_and_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = EntityBase("towns", {"Rome": frozenset({"rome", "pope"}), "Paris": frozenset({"paris", "tower"})})
    known = Knowledge(KNOWLEDGE.counts, entities={"towns": base})
    monkeypatch.setattr(commands_attack, "open_knowledge", lambda pack: known)
    file = tmp_path / "after.txt"
    file.write_text("He saw the tower.")
    (tmp_path / "texts").mkdir()
    for name, text in (("Rome", "The pope."), ("Paris", "The tower.")):
        (tmp_path / "texts" / f"{name}.txt").write_text(text)

    def run(*arguments: str) -> dict[str, dict[str, dict[str, float]]]:
        done = CliRunner().invoke(
            commands_attack.command, [str(file), "--true", "paris", "--json", *arguments], catch_exceptions=False
        )
        shown: dict[str, dict[str, dict[str, float]]] = json.loads(done.stdout)
        return shown

    assert run("--entities", "towns")["bayes"]["after"]["rank"] == 1
    arguments = [str(file), "--background", str(tmp_path / "texts"), "--true", "Paris"]
    done = CliRunner().invoke(commands_attack.command, arguments, catch_exceptions=False)
    assert "tf-idf: 2 candidates" in done.stdout
    assert "Paris at rank 1 of 2" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--before", "x"], "--true"),
        (["--entities", "towns"], "no entity base 'towns'"),
        (["-c", "Rome", "-c", "Paris", "--adversary", "tf-idf"], "--background"),
    ],
)
def test_command_errors(arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands_attack, "open_knowledge", lambda pack: KNOWLEDGE)
    (tmp_path / "a.txt").write_text("A tower.")
    done = CliRunner().invoke(commands_attack.command, [str(tmp_path / "a.txt"), *arguments])
    assert done.exit_code == 2
    assert said in done.output
