from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import taciturn as taciturn_package

SOURCE = str(Path(taciturn_package.__file__).resolve().parents[1])
NOTE = "The patient suffers from AIDS. He had a cold and a sprained ankle.\n"


def taciturn(*arguments: str, cwd: Path, stdin: bytes = b"", seed: str = "0") -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": SOURCE}
    command = [sys.executable, "-m", "taciturn", *arguments]
    return subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, env=env, timeout=120, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "note.txt").write_text(NOTE, "utf-8")
    return tmp_path


def files(folder: Path) -> set[str]:
    return {p.name for p in folder.iterdir()}


def test_released_text_on_standard_output_and_a_summary_on_standard_error(folder: Path) -> None:
    run = taciturn("sanitize", "note.txt", "--protect", "HIV", cwd=folder)
    assert run.returncode == 0, run.stderr
    assert b"AIDS" not in run.stdout
    assert b"sprained ankle" in run.stdout
    assert b"the guarantee holds" in run.stderr
    assert files(folder) == {"note.txt"}


def test_release_certificate_and_report_go_to_files_and_check_again(folder: Path) -> None:
    arguments = ["sanitize", "note.txt", "-p", "HIV", "-o", "out.txt", "--certificate", "c.json", "--report", "r.html"]
    assert taciturn(*arguments, cwd=folder).returncode == 0
    certificate = json.loads((folder / "c.json").read_text())
    assert certificate["holds"] is True
    assert "AIDS" not in (folder / "c.json").read_text()
    assert "HIV" not in (folder / "c.json").read_text()
    assert "Private" in (folder / "r.html").read_text("utf-8")
    check = ["check", "out.txt", "-p", "HIV", "--certificate", "c.json"]
    assert taciturn(*check, cwd=folder).returncode == 0
    (folder / "out.txt").write_text("Another text about AIDS.")
    assert taciturn(*check, cwd=folder).returncode == 1


def test_check_tells_by_its_exit_code(folder: Path) -> None:
    assert taciturn("check", "note.txt", "-p", "HIV", cwd=folder).returncode == 1
    run = taciturn("check", "-", "-p", "HIV", "--json", cwd=folder, stdin=b"He sat at a table.")
    assert run.returncode == 0
    assert json.loads(run.stdout)["holds"] is True


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["sanitize", "absent.txt", "-p", "HIV"], b"", b"absent.txt"),
        (["sanitize", "note.txt"], b"", b"nothing to protect"),
        (["sanitize", "note.txt", "-p", "HIV", "--alpha", "0.5"], b"", b"alpha is 0.5"),
        (["sanitize", "-", "-p", "HIV"], b"", b"empty"),
        (["sanitize", "-", "-p", "HIV"], b"caf\xe9 at noon", b"UTF-8"),
        (["sanitize", "-", "-p", "HIV"], b"MZ\x00\x01\x02", b"NUL"),
        (["sanitize", "note.txt", "-p", "HIV", "-o", "note.txt"], b"", b"is the input"),
        (["sanitize", "note.txt", "-p", "HIV", "-o", "no/such/out.txt"], b"", b"folder does not exist"),
        (["sanitize", ".", "-p", "HIV"], b"", b"is a folder"),
        (["sanitize", "note.txt", "-p", "HIV", "--knowledge", "nowhere"], b"", b"nowhere"),
        (["sanitize", "note.txt", "-p", "HIV", "-o", "x", "--report", "x"], b"", b"paths of their own"),
        (["sanitise", "note.txt"], b"", b"No such command"),
    ],
)
def test_bad_input_gives_one_clear_line_and_writes_nothing(
    folder: Path, arguments: list[str], stdin: bytes, message: bytes
) -> None:
    run = taciturn(*arguments, cwd=folder, stdin=stdin)
    assert run.returncode == 2
    assert message in run.stderr
    assert b"Traceback" not in run.stderr
    assert run.stdout == b""
    assert files(folder) == {"note.txt"}
    assert (folder / "note.txt").read_text("utf-8") == NOTE


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(folder: Path) -> None:
    (folder / "note.txt").chmod(0)
    run = taciturn("sanitize", "note.txt", "-p", "HIV", cwd=folder)
    assert run.returncode == 2
    assert b"cannot be read" in run.stderr


def test_a_full_disc_is_one_line(folder: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "taciturn", "sanitize", "note.txt", "-p", "HIV"]
        env = {**os.environ, "PYTHONPATH": SOURCE}
        run = subprocess.run(
            command, cwd=folder, stdout=full, stderr=subprocess.PIPE, env=env, timeout=120, check=False
        )
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr


def test_the_same_bytes_in_two_processes(folder: Path) -> None:
    runs = [taciturn("sanitize", "note.txt", "-p", "HIV", "--json", cwd=folder, seed=s).stdout for s in ("1", "77")]
    assert runs[0] == runs[1] != b""


def test_explain_a_term_and_a_file(folder: Path) -> None:
    one = taciturn("explain", "AIDS", "-p", "HIV", "--json", cwd=folder)
    row = json.loads(one.stdout)
    assert row["risky"]
    assert row["entities"][0]["pmi"] >= row["entities"][0]["limit"]
    assert any(step["safe"] for step in row["ladder"])
    several = json.loads(taciturn("explain", "note.txt", "-p", "HIV", "--json", cwd=folder).stdout)
    assert several[0]["term"] == "AIDS"
    assert b"blood" in taciturn("explain", "blood transfusion", "-p", "HIV", cwd=folder).stdout


def test_terms(folder: Path) -> None:
    rows = [json.loads(line) for line in taciturn("terms", "note.txt", "--json", cwd=folder).stdout.splitlines()]
    assert {"patient", "AIDS"} <= {r["text"] for r in rows}
    assert all(NOTE[r["start"] : r["end"]] == r["text"] for r in rows)
    assert taciturn("terms", "note.txt", cwd=folder).returncode == 0


def test_help_has_examples_and_completion_prints_a_script(folder: Path) -> None:
    assert b"taciturn sanitize note.txt --protect HIV" in taciturn("--help", cwd=folder).stdout
    assert b"Examples" in taciturn("sanitize", "--help", cwd=folder).stdout
    for shell in ("bash", "zsh", "fish"):
        assert b"_TACITURN_COMPLETE" in taciturn("completion", shell, cwd=folder).stdout


@pytest.mark.parametrize("option", ["--certificate", "--report"])
def test_nothing_is_released_if_what_was_asked_for_with_it_cannot_be_written(folder: Path, option: str) -> None:
    (folder / "taken").mkdir()
    for place in ("taken", "no/such/folder.json"):
        run = taciturn("sanitize", "note.txt", "-p", "HIV", "-o", "out.txt", option, place, cwd=folder)
        assert run.returncode == 2
        assert b"was not written" in run.stderr
        assert files(folder) == {"note.txt", "taken"}


def test_a_file_beyond_the_limits_is_said_and_the_others_are_released(folder: Path) -> None:
    (folder / "long.txt").write_text(NOTE * 40_000)
    (folder / "out").mkdir()
    arguments = ["sanitize", "long.txt", "note.txt", "-p", "HIV", "-o", "out", "--max-seconds", "3"]
    run = taciturn(*arguments, cwd=folder)
    assert run.returncode == 2
    assert b"'long.txt' was not released: it took longer than the limit of 3 seconds" in run.stderr
    assert files(folder / "out") == {"note.txt"}
