"""``taciturn strings`` and ``taciturn sanitize --model k-anonymous``, through the real command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from taciturn.cli.check import command as check
from taciturn.cli.sanitize import command as sanitize
from taciturn.cli.strings import command as strings
from tests.knowledge.packs import small_pack


def call(*arguments: object, command: object = strings) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])  # type: ignore[arg-type]


@pytest.fixture
def names(tmp_path: Path) -> Path:
    path = tmp_path / "names.txt"
    path.write_text("crew\nbrew\ncrow\nclew\nSmith\nSmyth\n\n", encoding="utf-8")
    return path


@pytest.fixture
def index(names: Path, tmp_path: Path) -> Path:
    path = tmp_path / "names.index"
    result = call("build", names, "-o", path)
    assert result.exit_code == 0
    assert "6 strings" in result.stderr
    return path


def test_mask(index: Path, names: Path) -> None:
    result = call("mask", "crew", "Smith", "--k", 2, "--list", index)
    assert result.stdout.splitlines() == ["*rew", "Sm*th"]
    assert "1 masked, 2 strings match" in result.stderr
    assert call("mask", "crew", "--k", 2, "--list", names).stdout == "*rew\n"  # a plain list will do
    rows = json.loads(call("mask", "crew", "--k", 9, "--list", index, "--json").stdout)
    assert rows == [{"word": "crew", "pattern": "****", "k": 4, "masked": 4, "bound": None, "optimal": True}]
    assert "fewer than 9" in call("mask", "crew", "--k", 9, "--list", index).stderr


def test_dictionary(index: Path, tmp_path: Path) -> None:
    plot = tmp_path / "crew.svg"
    result = call("dictionary", "crew", "--list", index, "--rows", 3, "--plot", plot)
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["masked", "k", "pattern"],
        ["1", "2", "*rew"],
        ["1", "2", "c*ew"],
        ["1", "2", "cr*w"],
    ]
    assert "11 more patterns" in result.stderr
    assert plot.read_text("utf-8").startswith("<svg")
    rows = json.loads(call("dictionary", "crew", "--list", index, "--all", "--json").stdout)
    assert len(rows) == 14


def test_mistakes_are_told(index: Path, names: Path, tmp_path: Path) -> None:
    assert call("mask", "crew", "--k", 1, "--list", index).exit_code == 2
    assert call("mask", "crew", "--list", tmp_path / "none").exit_code == 2
    assert "the list itself" in call("build", names, "-o", names).stderr
    assert isinstance(call("dictionary", "x" * 30, "--list", index).exception, ValueError)
    (tmp_path / "latin").write_bytes(b"caf\xe9\n")
    assert "not UTF-8" in str(call("mask", "crew", "--list", tmp_path / "latin").exception)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knowledge")
    small_pack(folder)
    return folder / "pack"


def test_sanitize_and_check_with_a_list(index: Path, pack: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("Ask Smith about the crew.", encoding="utf-8")
    out = tmp_path / "out.txt"
    model = ["--model", "k-anonymous", "--list", index, "--k", 2, "--knowledge", pack]
    assert call(note, *model, "--exclude", "crew", "-o", out, command=sanitize).exit_code == 0
    assert out.read_text("utf-8") == "Ask Sm*th about the crew."
    runner = CliRunner()
    arguments = [str(a) for a in (out, *model)]
    assert runner.invoke(check, [*arguments, "--exclude", "crew"], standalone_mode=False).return_value == 0
    assert runner.invoke(check, arguments, standalone_mode=False).return_value == 1
    assert "needs --list" in call(note, "--model", "k-anonymous", command=sanitize).stderr


def test_rows_of_a_table_together(pack: Path, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("name,town\nSmith,Rome\nSmyth,Rome\nSmith,Oslo\nJones,Oslo\n", encoding="utf-8")
    table = tmp_path / "table.csv"
    table.write_text("id,name,town\n1,Smith,Rome\n2,Jones,Bari\n", encoding="utf-8")
    out = tmp_path / "out.csv"
    model = ["--model", "k-anonymous", "--list", people, "--k", 2, "--together", "--knowledge", pack]
    result = call(table, *model, "-o", out, command=sanitize)
    assert result.exit_code == 0, result.stderr
    assert out.read_text("utf-8") == "id,name,town\n1,Sm*th,Rome\n2,*****,Bari\n"
