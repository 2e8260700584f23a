from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tacit", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SRC), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


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
def test_what_cannot_be_started_is_said_in_one_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    (tmp_path / "note.txt").write_text("He has AIDS.")
    (tmp_path / "other.json").write_text(json.dumps({"tacit": "certificate/1"}))
    done = run(tmp_path, *arguments, TACIT_TOKEN="") if arguments[0] == "review" else run(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
