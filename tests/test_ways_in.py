"""Three ways in, one answer: Python, the command line and the service give the same bytes for the same question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from docx import Document as Docx

from taciturn import Knowledge, Policy, formats, sanitize
from taciturn.cli.sanitize import command
from taciturn.models.declare import declarations, declared
from taciturn.policy import preset_names
from taciturn.release import ModelsLike, watch
from taciturn.service.requests import Protection
from taciturn.service.tasks import perform
from taciturn.signing import seal
from tests.cli.test_models import arguments_for
from tests.models.test_declare import LEAST

NOTE = (
    "Mary Holt, 47, was seen on 12 March 1984 in Dayton, Ohio. She has AIDS and takes zidovudine.",
    "Her mother Ann has hepatitis C and weight loss. Write to mary@example.org.",
)
GIVEN: dict[str, dict[str, Any]] = {
    **LEAST,
    "c-sanitized": {"protect": ["HIV"], "alpha": 2.0, "groups": 2, "support": 3},
    "denied": {"protect": ["AIDS"]},
    "k-safe": {"branches": ["sexually transmitted disease"], "k": 2},
    "kinds": {"hide": ["person", "email"], "keep": {"date": "year"}, "mark": "kind"},
    "related": {"beta": "AIDS", "protect": ["hepatitis C"], "w": 0.5},
    "t-plausible": {"protect": ["AIDS", "hepatitis C"], "t": 20, "uniform": False},
}


@pytest.fixture
def note(tmp_path: Path) -> Path:
    made = Docx()
    for paragraph in NOTE:
        made.add_paragraph(paragraph)
    made.save(str(tmp_path / "note.docx"))
    return tmp_path / "note.docx"


def in_python(note: Path, model: ModelsLike) -> tuple[bytes, Any]:
    options = model.options() if isinstance(model, Policy) else None
    file = formats.read(note.read_bytes(), note.name, options)
    release = sanitize(file.document, model, Knowledge.default())
    watched = watch(release.document, model, Knowledge.default())
    return formats.write(file, release.applied, watched), json.loads(json.dumps(release.certificate.to_json()))


def by_command(note: Path, *arguments: str) -> tuple[bytes, Any]:
    out, certificate = note.with_name("out.docx"), note.with_name("certificate.json")
    done = CliRunner().invoke(
        command, [str(note), *arguments, "-o", str(out), "--certificate", str(certificate)], standalone_mode=False
    )
    assert done.return_value == 0, (done.output, done.exception)
    told = json.loads(certificate.read_text())
    # What speaks of the file beside its text only the command line writes into a certificate.
    return out.read_bytes(), seal(
        {name: said for name, said in told.items() if name not in ("file", "released_sha256")}
    )


def by_service(note: Path, **asked: Any) -> tuple[bytes, Any]:
    payload = {"asked": Protection(**asked).model_dump(), "data": note.read_bytes(), "name": note.name}
    answer = perform("file", payload)
    return answer["data"], json.loads(json.dumps(answer["certificate"]))


QUICK = ("hipaa-safe-harbor", "us-state-medical")
PRESETS = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in preset_names()]


@pytest.mark.parametrize("name", PRESETS)
def test_a_policy_gives_the_same_bytes_and_certificate(name: str, note: Path) -> None:
    protect = "Mary Holt" if name == "person-release" else "HIV"
    here = in_python(note, Policy.load(name, [protect]))
    assert here[1]["holds"]
    assert by_command(note, "--policy", name, "--protect", protect) == here
    assert by_service(note, policy=name, protect=[protect]) == here


@pytest.mark.slow
@pytest.mark.parametrize("name", GIVEN)
def test_a_model_gives_the_same_bytes_and_certificate(name: str, note: Path) -> None:
    told = declared(name)
    here = in_python(note, told.model(**GIVEN[name]))
    assert here[1]["holds"]
    changed = formats.read(here[0], note.name).document.text
    assert changed != formats.read(note.read_bytes(), note.name).document.text
    assert by_command(note, "--model", name, *arguments_for(told, GIVEN[name], note.with_name("list.txt"))) == here
    assert by_service(note, model=name, **GIVEN[name]) == here


def test_every_model_is_asked() -> None:
    assert GIVEN.keys() == {told.name for told in declarations()}
