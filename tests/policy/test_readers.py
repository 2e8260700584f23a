"""A policy for several readers: what each may not infer, and a release for each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn import Policy, PolicyError, check, sanitize
from taciturn.cli.batch import command as batch_command
from taciturn.cli.check import command as check_command
from taciturn.cli.policy import command as policy_command
from taciturn.cli.sanitize import command as sanitize_command
from tests.fixtures import tiny_knowledge

TINY = tiny_knowledge()
NOTE = "Mr. John Smith takes zidovudine and drinks wine.\n"
WARD = """title = "Ward"
[[protect]]
words = ["wine"]
[readers.insurer]
terms = ["HIV"]
[readers.research desk]
kinds = ["person"]
"""


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    path = tmp_path / "ward.toml"
    path.write_text(WARD.replace("[readers.research desk]", '[readers."research desk"]'), "utf-8")
    (tmp_path / "note.txt").write_text(NOTE, "utf-8")
    return path


def test_each_reader_gets_a_release_without_what_that_reader_may_not_infer(ward: Path) -> None:
    policy = Policy.load(ward)
    texts = {name: sanitize(NOTE, policy.for_reader(name), TINY).text for name in policy.readers}
    assert list(texts) == ["insurer", "research desk"]
    assert "Smith" in texts["insurer"]
    assert "zidovudine" not in texts["insurer"]
    assert "zidovudine" in texts["research desk"]
    assert "Smith" not in texts["research desk"]
    assert all("wine" not in text for text in texts.values()), "what is protected from all is protected from each"
    assert not check(texts["research desk"], policy.for_reader("insurer"), TINY).holds, "not the other's release"


def test_a_policy_with_readers_is_of_no_use_until_one_is_named(ward: Path) -> None:
    with pytest.raises(PolicyError, match=r"release for each of its readers \(insurer, research desk\)"):
        sanitize(NOTE, Policy.load(ward), TINY)
    with pytest.raises(PolicyError, match="has no reader 'press'; it has insurer, research desk"):
        Policy.load(ward).for_reader("press")
    with pytest.raises(PolicyError, match="it has none"):
        Policy.load("foia").for_reader("press")


def test_the_command_line_writes_a_folder_for_each_reader(ward: Path, tmp_path: Path) -> None:
    note, out = str(tmp_path / "note.txt"), tmp_path / "out"
    run = CliRunner().invoke(sanitize_command, [note, "--policy", str(ward), "-o", str(out)], standalone_mode=False)
    assert run.return_value == 0, run.output
    released = {name: (out / name / "note.txt").read_text("utf-8") for name in ("insurer", "research desk")}
    assert "Smith" in released["insurer"]
    assert "Smith" not in released["research desk"]
    arguments = [str(out / "insurer" / "note.txt"), "--policy", str(ward)]
    for reader, code in (("insurer", 0), ("research desk", 1)):
        held = CliRunner().invoke(check_command, [*arguments, "--reader", reader], standalone_mode=False)
        assert held.return_value == code, held.output


def test_one_reader_gets_a_certificate_that_the_policy_derives_again(ward: Path, tmp_path: Path) -> None:
    asked = ["--policy", str(ward), "--reader", "insurer"]
    beside = ["-o", str(tmp_path / "r.txt"), "--certificate", str(tmp_path / "c.json")]
    run = CliRunner().invoke(sanitize_command, [str(tmp_path / "note.txt"), *asked, *beside], standalone_mode=False)
    assert run.return_value == 0, run.output
    assert "insurer" not in json.dumps(json.loads((tmp_path / "c.json").read_text("utf-8")))
    again = [str(tmp_path / "r.txt"), *asked, "--certificate", str(tmp_path / "c.json")]
    assert CliRunner().invoke(check_command, again, standalone_mode=False).return_value == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "WARD"], "give -o FOLDER"),
        (["--policy", "WARD", "-o", "OUT", "--certificate", "c.json"], "or --reader NAME for one"),
        (["--policy", "WARD", "--reader", "press"], "has no reader 'press'"),
        (["--protect", "HIV", "--reader", "press"], "--reader names a reader of a policy"),
    ],
)
def test_what_cannot_be_is_said(arguments: list[str], message: str, ward: Path, tmp_path: Path) -> None:
    given = [{"WARD": str(ward), "OUT": str(tmp_path / "out")}.get(a, a) for a in arguments]
    run = CliRunner().invoke(sanitize_command, [str(tmp_path / "note.txt"), *given], standalone_mode=False)
    assert message in str(run.exception)


def test_batch_and_policy_check_go_through_the_readers(ward: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [str(tmp_path / "note.txt"), "--policy", str(ward), "-o", str(out), "--workers", "1"]
    run = CliRunner().invoke(batch_command, arguments, standalone_mode=False)
    assert run.return_value == 0, run.output
    found = [next((out / name / "released").rglob("note.txt")) for name in ("insurer", "research desk")]
    assert ["Smith" in path.read_text("utf-8") for path in found] == [True, False]
    told = CliRunner().invoke(policy_command, ["check", str(ward)], standalone_mode=False)
    assert told.return_value == 0
    assert "from insurer by" in told.stderr
    assert "from research desk by" in told.stderr
