"""The adversary on hand-made contexts: evidence by formula, ranks, ties, before and after."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacit.attack import Attack, Guess, attack, reidentified
from tacit.commands import attack as commands_attack
from tacit.knowledge import ContextCounts, Knowledge
from tacit.models import CSanitized
from tacit.release import sanitize
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
    assert shown["before"]["rank"] == 1
    assert shown["after"]["rank"] == 1.5
    assert CliRunner().invoke(commands_attack.command, [str(tmp_path / "after.txt"), "-c", "Rome"]).exit_code == 2
