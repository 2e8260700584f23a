from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from taciturn.cli.policy import command
from taciturn.policy import preset_names, preset_text


def test_list_names_every_preset() -> None:
    result = CliRunner().invoke(command, ["list"])
    assert [line.split()[0] for line in result.output.splitlines()] == list(preset_names())
    rows = json.loads(CliRunner().invoke(command, ["list", "--json"]).output)
    assert [row["name"] for row in rows] == list(preset_names())


def test_show_gives_a_file_that_is_a_policy(tmp_path: Path) -> None:
    shown = CliRunner().invoke(command, ["show", "foia"]).output
    assert shown == preset_text("foia")
    assert CliRunner().invoke(command, ["show", "fioa"]).exception is not None


def test_check_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "x"\n[[protect]]\nkinds = ["emial"]\n')
    result = CliRunner().invoke(command, ["check", str(path)])
    assert "line 3" in str(result.exception)
    assert "did you mean 'email'" in str(result.exception)
