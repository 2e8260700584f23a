import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from taciturn.cli.entities import command


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(a) for a in arguments])


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "d.csv").write_text("entity,context,names\nHIV,fatigue|weight loss,AIDS virus\nflu,fatigue|cough,\n")
    done = run("import", tmp_path / "d.csv", "-o", tmp_path / "d.entities", "--name", "tiny")
    assert done.exit_code == 0, done.stderr
    assert "tiny: 2 entities" in done.stderr
    return tmp_path / "d.entities"


def test_import_show_and_fit(base: Path) -> None:
    assert run("show", "hiv", "-b", base).exit_code == 1
    assert run("show", "HIV", "-b", base).stdout.split("\n") == [
        "HIV",
        *("  " + k for k in ("AIDS virus", "HIV", "fatigue", "weight loss")),
        "",
    ]
    assert json.loads(run("show", "Flu", "-b", base, "--json").stdout) == {"flu": ["cough", "fatigue", "flu"]}
    assert run("fit", "Fatigue", "-b", base).stdout == "HIV\nflu\n"
    assert json.loads(run("fit", "fatigue", "coughs", "-b", base, "--json").stdout) == ["flu"]
    nothing = run("fit", "fatigue", "dragon", "-b", base)
    assert (nothing.stdout, nothing.stderr) == ("", "0 of 2 entities fit; no entity of the base goes with 'dragon'\n")


def test_bases_of_a_pack_are_found_by_name(base: Path) -> None:
    assert run("list", "--knowledge", base.parent).stdout == "tiny\t2 entities\n"
    assert run("fit", "cough", "--knowledge", base.parent, "-b", "tiny").stdout == "flu\n"
    missing = run("fit", "cough", "--knowledge", base.parent, "-b", "other")
    assert missing.exit_code == 1
    assert "'other' is neither a file nor a base of the pack; the pack has tiny" in missing.stderr


def test_the_embedded_base_of_rare_diseases() -> None:
    shown = run("show", "marfan syndrome", "--json")
    assert "aortic aneurysm" in json.loads(shown.stdout)["Marfan syndrome"]
    assert "Behcet disease" in run("fit", "fatigue", "weight loss", "headache", "seizure").stdout.splitlines()


def test_bad_use_is_explained(base: Path) -> None:
    assert "must end in .entities" in run("import", base.parent / "d.csv", "-o", base.parent / "x.txt").stderr
    absent = run("show", "fatigue", "-b", base)
    assert "no entity 'fatigue' in the base 'tiny'; its key is in the context of 'HIV', 'flu'" in absent.stderr
