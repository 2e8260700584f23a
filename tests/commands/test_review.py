from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit import cli


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["review"], "nothing to review"),
        (["review", "none.txt", "--protect", "HIV"], "cannot be read"),
        (["review", "note.txt"], "nothing to protect"),
        (["review", "note.txt", "--protect", "Qwxyzzy Blorp"], "Qwxyzzy"),
        (["review", "note.txt", "--protect", "HIV", "--replay", "note.txt"], "is not JSON"),
        (["review", "note.txt", "--protect", "HIV", "--replay", "other.json"], "are no decisions"),
        (["review", "note.txt", "note.txt", "--protect", "HIV", "--replay", "other.json"], "one document"),
        (["review", "note.txt", "--protect", "HIV", "--store", "note.txt"], "is no store of reviews"),
        (["serve", "--host", "0.0.0.0"], "clients need a token"),
        (["serve", "--token-file", "none"], "cannot be read"),
        (["serve", "--token-file", "note.txt"], "at least 16"),
    ],
)
def test_what_cannot_be_started_is_said_in_one_line(
    tmp_path: Path,
    arguments: list[str],
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "note.txt").write_text("He has AIDS.")
    (tmp_path / "other.json").write_text(json.dumps({"tacit": "certificate/1"}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TACIT_TOKEN", raising=False)
    monkeypatch.setattr("sys.argv", ["tacit", *arguments])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    said = capsys.readouterr()
    assert stopped.value.code == 2
    assert says in said.err.replace("\n", " ")
    assert "Traceback" not in said.err
    assert said.out == ""
