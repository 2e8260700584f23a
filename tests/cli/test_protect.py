"""``taciturn protect`` and the lines of ``taciturn sanitize``: people see what was understood."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from taciturn.cli.protect import command
from tests.cli.test_cli import taciturn


def test_protect_prints_the_concept_its_sources_its_numbers_and_other_meanings() -> None:
    done = CliRunner().invoke(command, ["aids", "frobnicated wug"], standalone_mode=False)
    said = " ".join(done.output.split())
    assert done.exception is None
    for part in ("aids: AIDS", "MONDO", "rests on", "codes", "B20", "the noun 'aid'", "its own words only"):
        assert part in said, part


def test_protect_prints_json_a_line() -> None:
    done = CliRunner().invoke(command, ["--json", "syphillis", "tb"], standalone_mode=False)
    thin, known = map(json.loads, done.output.splitlines())
    assert (thin["labels"], thin["better"][0]) == ([], "syphilis")
    assert known["labels"] == ["tuberculosis"]


def test_sanitize_says_once_what_it_understood_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("He has AIDS.", "utf-8")
    (tmp_path / "b.csv").write_text("note\nHe has AIDS.\n", "utf-8")
    (tmp_path / "out").mkdir()
    run = taciturn("sanitize", "a.txt", "b.csv", "-o", "out", "-p", "aids", "-p", "syphillis", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    lines = [line for line in run.stderr.decode().splitlines() if "is understood as" in line]
    assert [line.split(" is ")[0] for line in lines] == ["'aids'", "'syphillis'"]
    assert "the noun 'aid'" in lines[0]
    assert "did you mean 'syphilis'" in lines[1]


def test_the_report_of_a_table_shows_it_and_its_certificate_does_not(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("note\nHe has AIDS.\n", "utf-8")
    arguments = ("b.csv", "-p", "tb", "--json", "--report", "r.html", "--certificate", "c.json")
    run = taciturn("sanitize", *arguments, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["report"]["understood"][0]["labels"] == ["tuberculosis"]
    assert "tb: Tuberculosis (condition" in (tmp_path / "r.html").read_text("utf-8")
    assert "tuberculosis" not in (tmp_path / "c.json").read_text("utf-8")


def test_what_is_not_released_says_where_the_guarantee_fails(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("CONFIDENTIAL\nA dog.", "utf-8")
    run = taciturn("sanitize", "a.txt", "--policy", "foia", "-p", "tb", cwd=tmp_path)
    assert run.returncode == 1
    assert run.stdout == b""
    first, *places = run.stderr.decode().splitlines()
    assert first.startswith("Error: a.txt: ")
    assert any(place.startswith("  'CONFIDENTIAL' is for a person") for place in places), run.stderr
