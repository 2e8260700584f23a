"""The command line with policies, on the embedded knowledge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn.cli.check import command as check
from taciturn.cli.policy import command as policy
from taciturn.cli.sanitize import command as sanitize
from taciturn.policy import Policy, PolicyError, preset_names


def test_sanitize_and_check_take_a_policy(tmp_path: Path) -> None:
    note, released, certificate = tmp_path / "note.txt", tmp_path / "released.txt", tmp_path / "released.json"
    note.write_text("Mr. John Smith was seen on March 12, 2014. He has AIDS.\n", "utf-8")
    arguments = [str(note), "--policy", "hipaa-safe-harbor", "--protect", "HIV"]
    run = CliRunner().invoke(sanitize, [*arguments, "-o", str(released), "--certificate", str(certificate)])
    assert run.exit_code == 0, run.output
    text = released.read_text("utf-8")
    assert "2014" in text
    assert not any(gone in text for gone in ("Smith", "March", "AIDS"))
    stated = json.loads(certificate.read_text("utf-8"))
    assert [g["model"] for g in stated["guarantees"]] == ["kinds", "c-sanitized", "denied"]
    assert "Smith" not in certificate.read_text("utf-8")
    again = ["--policy", "hipaa-safe-harbor", "--protect", "HIV"]
    held = CliRunner().invoke(check, [str(released), *again, "--certificate", str(certificate)], standalone_mode=False)
    assert held.return_value == 0
    broken = CliRunner().invoke(check, [str(note), *again], standalone_mode=False)
    assert broken.return_value == 1


def test_the_policy_chooses_the_columns(tmp_path: Path) -> None:
    table, mine, out = tmp_path / "t.csv", tmp_path / "mine.toml", tmp_path / "out.csv"
    table.write_text("contact,note\nme@elsewhere.net,write to you@example.org\n", "utf-8")
    mine.write_text('title = "x"\n[[protect]]\nkinds = ["email"]\n[read]\ncolumns = ["note"]\n', "utf-8")
    run = CliRunner().invoke(sanitize, [str(table), "--policy", str(mine), "-o", str(out)])
    assert run.exit_code == 0, run.output
    assert out.read_text("utf-8") == "contact,note\n[REDACTED],write to [email address]\n"


def test_the_policy_says_how_files_are_read(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'title = "x"\n[[protect]]\nkinds = ["email"]\n[read]\npictures = "keep"\nunreadable = "rasterize"\n'
        "keep-layout = false\nboxes = false\n",
        "utf-8",
    )
    options = Policy.load(mine).options()
    assert (options.pictures, options.unreadable, options.keep_layout, options.boxes) == (
        "keep",
        "rasterize",
        False,
        False,
    )
    mine.write_text('title = "x"\n[read]\nunreadable = "rasterise"\n', "utf-8")
    with pytest.raises(PolicyError, match=r"line 3: unreadable is 'rasterise'; did you mean 'rasterize'"):
        Policy.load(mine)


def test_options_of_a_model_are_refused_beside_a_policy(tmp_path: Path) -> None:
    run = CliRunner().invoke(sanitize, ["x.txt", "--policy", "foia", "--alpha", "2"])
    assert run.exit_code == 2
    assert "--alpha belongs to a model" in run.output


@pytest.mark.parametrize("name", preset_names())
def test_the_embedded_knowledge_knows_all_that_a_preset_names(name: str) -> None:
    arguments = ["check", name, "--protect", "HIV"]  # a preset may leave it to the user what to protect
    assert CliRunner().invoke(policy, arguments, standalone_mode=False).return_value == 0
