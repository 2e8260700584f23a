"""``taciturn sanitize --model k-safe``: from the command line's words to the model, on a hand-made base."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from taciturn.cli import check, releasing, sanitize
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, Knowledge

CSV = "entity,context\nHIV,HIV|thrush|fatigue\ngonorrhea,discharge|fever\nflu,fatigue|fever\ncold,fatigue|fever\n"
TAXONOMY = EdgeTaxonomy(
    "diseases", [("HIV", "sexually transmitted disease"), ("gonorrhea", "sexually transmitted disease")]
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "base.csv").write_text(CSV)
    (tmp_path / "note.txt").write_text("Fatigue, thrush and fever.\n")
    knowledge = Knowledge(ContextCounts([{"fatigue"}]), (TAXONOMY,))
    for module in (releasing, check):
        monkeypatch.setattr(module, "open_knowledge", lambda path: knowledge)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: object, *arguments: str) -> Result:
    return CliRunner().invoke(command, ["note.txt", "--model", "k-safe", *arguments])  # type: ignore[arg-type]


def test_a_branch_of_a_taxonomy_is_protected(folder: Path) -> None:
    done = run(
        sanitize.command, "--entities", "base.csv", "--protect-branch", "sexually transmitted disease", "-k", "2"
    )
    assert done.exit_code == 0, done.output
    assert done.stdout == "Fatigue, [REDACTED] and fever.\n"


def test_names_and_a_file_of_names(folder: Path) -> None:
    (folder / "names.txt").write_text("gonorrhea\n\nHIV\n")
    for given in (("--protect", "HIV", "--protect", "gonorrhea"), ("--protect-file", "names.txt")):
        done = run(sanitize.command, "--entities", "base.csv", *given, "--greedy", "--redact")
        assert done.stdout == "[REDACTED], [REDACTED] and [REDACTED].\n"  # no three others share any of them


def test_check_answers_for_the_text_as_it_stands(folder: Path) -> None:
    arguments = ["note.txt", "--model", "k-safe", "--entities", "base.csv", "--protect", "HIV", "-k", "1"]
    assert CliRunner().invoke(check.command, arguments, standalone_mode=False).return_value == 1
    (folder / "note.txt").write_text("Fatigue and fever.\n")
    assert CliRunner().invoke(check.command, arguments, standalone_mode=False).return_value == 0


def test_nothing_to_protect_is_said(folder: Path) -> None:
    done = run(sanitize.command, "--entities", "base.csv")
    assert done.exit_code == 2
    assert "--protect-branch" in done.output
