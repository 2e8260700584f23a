from __future__ import annotations

import json
import socket
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


def test_the_address_that_is_told_can_be_followed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    (tmp_path / "note.txt").write_text("He has AIDS.")
    monkeypatch.chdir(tmp_path)
    came = []

    def before_serving(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        with socket.create_connection(sockets[0].getsockname(), timeout=5):
            came.append(sockets[0].getsockname())
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", before_serving)
    monkeypatch.setattr("sys.argv", ["tacit", "review", "note.txt", "--protect", "HIV", "--no-browser"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 0
    assert came
