from __future__ import annotations

import json
import re
import socket
import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from taciturn import cli


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["review"], "nothing to review"),
        (["review", "none.txt", "--protect", "HIV"], "cannot be read"),
        (["review", "note.txt"], "nothing to protect"),
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
    (tmp_path / "other.json").write_text(json.dumps({"taciturn": "certificate/1"}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TACITURN_TOKEN", raising=False)
    monkeypatch.setattr("sys.argv", ["taciturn", *arguments])
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
    monkeypatch.setattr("sys.argv", ["taciturn", "review", "note.txt", "--protect", "HIV", "--no-browser"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 0
    assert came


def test_the_token_is_not_among_the_words_that_the_browser_is_started_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import uvicorn

    (tmp_path / "note.txt").write_text("He has AIDS.")
    script = tmp_path / "browser.sh"
    script.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\n')
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BROWSER", f"{script} %s")
    monkeypatch.setattr(webbrowser, "_tryorder", None)
    monkeypatch.setattr(webbrowser, "_browsers", {})
    seen: list[tuple[str, int]] = []

    def while_serving(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        path = Path(unquote(urlsplit((tmp_path / "words").read_text().strip()).path))
        seen.append((path.read_text(), path.stat().st_mode & 0o777))
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", while_serving)
    monkeypatch.setattr("sys.argv", ["taciturn", "review", "note.txt", "--protect", "HIV"])
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 0
    found = re.search(r"\?token=(\S+)", capsys.readouterr().err)
    assert found
    page, mode = seen[0]
    assert found[1] in page
    assert mode == 0o600
    assert found[1] not in (tmp_path / "words").read_text()
    assert not list(tmp_path.glob("*.html")), "it goes with the server"
