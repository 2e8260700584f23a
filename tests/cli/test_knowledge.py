"""``taciturn knowledge``: people can make a pack and look at what it knows."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from taciturn.cli.knowledge import command
from taciturn.knowledge import UnknownTermError
from tests.knowledge.packs import small_pack, write_texts


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(small_pack(tmp_path_factory.mktemp("pack")).path)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_build_then_count(tmp_path: Path) -> None:
    texts = write_texts(tmp_path / "texts.jsonl")
    made = str(tmp_path / "pack")
    arguments = ["build", str(texts), "-o", made, "--no-taxonomies", "--workers", "1", "--min-count", "1"]
    run(*arguments, "--min-phrase", "1", "--min-common", "1", "--shortest", "4", "--longest", "8", "--licence", "CC0")
    told = json.loads(run("count", "the cats", "garden", "--knowledge", made, "--json"))
    assert [row["keys"] for row in told["groups"]] == [["cat"], ["garden"], ["cat", "garden"]]
    assert 0 < told["groups"][2]["count"] <= told["groups"][0]["count"] < told["total"]
    assert json.loads(run("info", "--knowledge", made, "--json"))["sources"][0]["licence"] == "CC0"


def test_count_and_pmi_speak_to_people(pack: str) -> None:
    assert "never seen" in run("count", "aspirin", "HIV", "--knowledge", pack).splitlines()[-1]
    lines = run("pmi", "Drugs", "aspirin", "hiv", "--knowledge", pack).splitlines()
    assert lines[0].startswith("drug\tIC ")
    assert "1.00 of it" in lines[1]
    assert "never together" in lines[2]


def test_other_readings_are_told_on_standard_error() -> None:
    result = CliRunner().invoke(command, ["count", "aids"], catch_exceptions=False)
    assert result.stdout.startswith("AIDS\t")
    assert "may also be the noun 'aid'" in result.stderr


def test_generalize_shows_what_is_left(pack: str) -> None:
    told = json.loads(run("generalize", "zidovudine", "--knowledge", pack, "--json"))
    assert [row["label"] for row in told["generalizations"]] == ["drug", "thing"]
    assert told["generalizations"][0]["ic"] >= told["generalizations"][1]["ic"]


def test_info_names_sources_and_digest(pack: str) -> None:
    told = run("info", "--knowledge", pack)
    assert "counts: texts; none" in told
    assert "digest " in told


def test_verify_finds_damage(pack: str, tmp_path: Path) -> None:
    run("verify", "--knowledge", pack)
    postings = Path(pack) / "postings.bin"
    whole = postings.read_bytes()
    postings.write_bytes(bytes([whole[0] ^ 1]) + whole[1:])
    try:
        result = CliRunner().invoke(command, ["verify", "--knowledge", pack])
    finally:
        postings.write_bytes(whole)
    assert isinstance(result.exception, ValueError)
    assert "not as built" in str(result.exception)


@pytest.mark.parametrize("arguments", [["count", "xyzzy"], ["pmi", "xyzzy", "cat"], ["generalize", "xyzzy"]])
def test_unknown_terms_give_a_clear_error(pack: str, arguments: list[str]) -> None:
    result = CliRunner().invoke(command, [*arguments, "--knowledge", pack])
    assert isinstance(result.exception, UnknownTermError)
    assert "'xyzzy'" in str(result.exception)
