"""``taciturn reproduce``, and t-plausibility on the command line."""

from __future__ import annotations

import inspect
import sys
import types
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn.cli import releasing, reproduce, sanitize
from taciturn.knowledge import Knowledge, TableCounts
from taciturn.knowledge.storage.pack import embedded_pack
from taciturn.knowledge.taxonomies import open_taxonomies


def test_the_page_of_the_paper_is_named_and_the_module_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The experiment itself takes a minute and has its own test; here only the way to it.
    called: list[Path] = []
    module = types.ModuleType("quick_experiment")
    module.run = called.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "quick_experiment", module)
    monkeypatch.setitem(reproduce.PAPERS, "t-plausibility", "quick_experiment")
    result = CliRunner().invoke(reproduce.command, ["t-plausibility", "-o", str(tmp_path / "out")])
    assert result.exit_code == 0
    assert called == [tmp_path / "out"]
    assert result.stdout == f"{tmp_path / 'out' / 't-plausibility.html'}\n"


def test_an_unknown_paper_and_a_file_for_a_folder_are_refused(tmp_path: Path) -> None:
    assert CliRunner().invoke(reproduce.command, ["nothing"]).exit_code == 2
    taken = tmp_path / "taken"
    taken.write_text("x")
    result = CliRunner().invoke(reproduce.command, ["t-plausibility", "-o", str(taken)])
    assert result.exit_code == 2
    assert "is a file" in result.output


@pytest.mark.parametrize("paper", sorted(reproduce.PAPERS))
def test_every_paper_has_an_experiment_to_run(paper: str) -> None:
    first = next(iter(inspect.signature(import_module(reproduce.PAPERS[paper]).run).parameters))
    assert first == "folder"


def test_t_plausibility_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taxonomies = open_taxonomies(embedded_pack())
    monkeypatch.setattr(releasing, "open_knowledge", lambda pack: Knowledge(TableCounts(1, {}), taxonomies))
    note = tmp_path / "note.txt"
    note.write_text("The patient takes metformin and has tuberculosis.\n")
    options = [str(note), "--model", "t-plausible", "-p", "metformin", "-p", "tuberculosis"]
    result = CliRunner().invoke(sanitize.command, [*options, "--t", "1000"])
    assert result.exit_code == 0, result.output
    assert "metformin" not in result.stdout
    assert "tuberculosis" not in result.stdout
    assert CliRunner().invoke(sanitize.command, options).exit_code == 2
