"""What a third party adds works everywhere: in this process by the decorator, installed as a package of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from taciturn import (
    CSanitized,
    InputError,
    Kinds,
    Knowledge,
    KnowledgeError,
    KSafe,
    Policy,
    PolicyError,
    TPlausible,
    check,
    formats,
    registry,
    sanitize,
    terms,
)
from taciturn.cli.evaluate import model_of
from taciturn.cli.sanitize import command as sanitize_command
from taciturn.formats import FormatError, LeakError
from taciturn.formats.base import Content, Context
from taciturn.formats.plugins import Format
from taciturn.knowledge import ContextCounts, EdgeTaxonomy, KnowledgeSource
from taciturn.knowledge.taxonomies.flags import GENERAL
from taciturn.lab.evaluate import Case
from taciturn.models.declare import declarations
from taciturn.plan import Edit, Plan, apply
from taciturn.recognizers import Recognizer, family
from taciturn.review.decisions import Dial
from taciturn.review.dials import knobs
from taciturn.review.session import Session
from taciturn.service.requests import Sanitize
from taciturn.service.tasks import perform
from tests.extensions import EXAMPLES, WAYS, released

PLUGIN = Path(__file__).parents[1] / "examples" / "plugin"
FILE = b"owner = EMP-12345\ntown = Boston\n"
KNOWLEDGE = ("job-titles", "staff", "pins", "sales-reports")
JOB = "Ann Miller is a deal wizard in Ipswich."
POLICY = 'title = "Staff"\n[[protect]]\nkinds = ["employee-number"]\n'


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    spec = spec_from_file_location("taciturn_example", PLUGIN / "src" / "taciturn_example.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "taciturn_example", module)
    spec.loader.exec_module(module)
    registry.models.register("initials")(module.Initials)
    registry.recognizers.register("employee-number")(module.employee_number)
    registry.formats.register("settings")(module.settings)
    for name in KNOWLEDGE:
        registry.knowledge.register(name)(getattr(module, name.replace("-", "_")))
    yield module
    for name in KNOWLEDGE:
        registry.knowledge.unregister(name)
    registry.recognizers.unregister("employee-number")
    registry.formats.unregister("settings")
    registry.models.unregister("initials")


@pytest.mark.usefixtures("plugin")
def test_a_recognizer_makes_terms_of_its_kind_for_models_and_policies(tmp_path: Path) -> None:
    text = "Write to EMP-12345 on 12 March 1984."
    assert [(t.text, t.kind) for t in terms(text) if t.kind != "other"] == [
        ("EMP-12345", "employee-number"),
        ("12 March 1984", "date"),
    ]
    assert family("employee-number") == "code"
    for hide in ("employee-number", "code"):
        assert sanitize(text, Kinds(hide=[hide])).text == "Write to [code] on 12 March 1984."
    (tmp_path / "staff.toml").write_text(POLICY)
    policy = Policy.load(tmp_path / "staff.toml")
    assert sanitize(text, policy).text == "Write to [code] on 12 March 1984."
    assert not check(text, policy).holds


def test_a_kind_is_unknown_without_its_recognizer() -> None:
    with pytest.raises(ValueError, match="'employee-number' is no kind of term"):
        Kinds(hide=["employee-number"])
    assert "employee-number" not in {t.kind for t in terms("Write to EMP-12345.")}


@pytest.mark.parametrize("span", [(0, 0), (-1, 3), (0, 99), (5, 6)])
def test_a_recognizer_that_gives_no_span_of_its_text_is_refused(span: tuple[int, int]) -> None:
    registry.recognizers.register("bad")(Recognizer("code", lambda text: [span]))
    try:
        with pytest.raises(InputError, match="the recognizer 'bad' gave the span"):
            terms("Write to him.")
    finally:
        registry.recognizers.unregister("bad")


def test_a_recognizer_belongs_to_a_family() -> None:
    with pytest.raises(InputError, match="'staff' is no family of kinds; choose from person"):
        Recognizer("staff", lambda text: [])


@pytest.mark.usefixtures("plugin")
def test_the_longer_of_two_that_overlap_is_kept() -> None:
    registry.recognizers.register("short")(
        Recognizer("code", lambda text: [(text.index("EMP"), text.index("EMP") + 3)])
    )
    try:
        assert [t.kind for t in terms("Write to EMP-12345.") if "EMP" in t.text] == ["employee-number"]
    finally:
        registry.recognizers.unregister("short")


@pytest.mark.usefixtures("plugin")
def test_a_format_is_read_written_and_searched() -> None:
    file = formats.read(FILE, "a.settings")
    assert (file.format, [s.place for s in file.document.segments]) == ("settings", ["owner", "town"])
    release = sanitize(file.document, Kinds(hide=["employee-number"]))
    assert formats.write(file, release.applied) == b"owner = [code]\ntown = Boston\n"
    assert [leak.where for leak in formats.leaks(FILE, ["EMP-12345"], "a.settings")] == ["owner", "bytes"]
    assert formats.read(FILE, "a.txt").format == "text"


def test_a_format_whose_writer_forgets_an_edit_releases_nothing(plugin: ModuleType) -> None:
    def read(data: bytes, name: str, context: Context) -> Content:
        found = plugin.read(data, name, context)
        return Content("careless", found.passages, lambda rewrite: data)

    registry.formats.register("careless")(Format((".careless",), read, plugin.texts))
    try:
        file = formats.read(FILE, "a.careless")
        with pytest.raises(LeakError):
            formats.write(file, apply(Plan(file.document, (Edit(0, 9, "EMP-12345", "X"),))))
    finally:
        registry.formats.unregister("careless")


def test_what_a_parser_of_a_plug_in_trips_over_is_a_refusal(plugin: ModuleType) -> None:
    def read(data: bytes, name: str, context: Context) -> Content:
        raise KeyError("EMP-12345")

    registry.formats.register("broken")(Format((".broken",), read, plugin.texts, errors=(KeyError,)))
    try:
        with pytest.raises(FormatError, match="is damaged") as refused:
            formats.read(FILE, "a.broken")
        assert "EMP" not in str(refused.value)
    finally:
        registry.formats.unregister("broken")


@pytest.mark.usefixtures("plugin")
def test_a_taxonomy_is_asked_by_models_and_policies(tmp_path: Path) -> None:
    knowledge = Knowledge.default()
    assert [node.label for node in knowledge.generalizations("Deal Wrangler")] == ["salesperson", "employee"]
    flags = [GENERAL in taxonomy.flags for taxonomy in knowledge.taxonomies]
    assert [t.name for t in knowledge.taxonomies][flags.index(True) - 1] == "job titles"
    assert sanitize(JOB, TPlausible(protect=["deal wizard"], t=2)).text == JOB.replace("deal wizard", "salesperson")
    (tmp_path / "jobs.toml").write_text('title = "Jobs"\n[[protect]]\nbranches = ["salesperson"]\n')
    policy = Policy.load(tmp_path / "jobs.toml")
    assert sanitize(JOB, policy).text == JOB.replace("deal wizard", "[REDACTED]")
    assert not check(JOB, policy).holds


@pytest.mark.usefixtures("plugin")
def test_an_entity_base_is_found_by_its_name() -> None:
    released = sanitize(JOB.replace("wizard", "wrangler"), KSafe(protect=["Ann Miller"], entities="staff", k=1)).text
    assert released == "[REDACTED] is a salesperson in Ipswich."


@pytest.mark.usefixtures("plugin")
def test_counts_are_used_where_they_are_named() -> None:
    knowledge = Knowledge.open("sales-reports")
    assert (knowledge.counts.total, knowledge.count("deal wizard"), knowledge.calibrated("w")) == (5, 1, 0.6)
    assert Knowledge.default().counts.total > 5
    released = sanitize("He is a deal wizard.", CSanitized(protect=["deal wrangler"], alpha=1.5), knowledge)
    assert released.text == "He is a salesperson."
    with pytest.raises(InputError, match="'job-titles' is a registered taxonomy, which adds to every pack"):
        Knowledge.open("job-titles")


def test_certificates_tell_knowledge_with_a_plug_in_from_knowledge_without(plugin: ModuleType) -> None:
    extended = Knowledge.default()
    assert extended is Knowledge.default()
    for name in KNOWLEDGE:
        registry.knowledge.unregister(name)
    assert Knowledge.default().digest != extended.digest
    assert "job titles" not in {t.name for t in Knowledge.default().taxonomies}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (KnowledgeSource("taxonomy", lambda: ContextCounts([])), "the taxonomy 'bad' .* is a ContextCounts and no Tax"),
        (KnowledgeSource("taxonomy", lambda: 1 / 0), r"cannot be opened \(ZeroDivisionError: division by zero\)"),
        (KnowledgeSource("taxonomy", lambda: EdgeTaxonomy("drugs", [])), "'bad' has the name of one that the pack has"),
    ],
)
def test_a_source_that_is_none_opens_nothing(source: KnowledgeSource, message: str) -> None:
    registry.knowledge.register("bad")(source)
    try:
        with pytest.raises(KnowledgeError, match=message):
            Knowledge.default()
    finally:
        registry.knowledge.unregister("bad")


def test_a_source_has_a_kind() -> None:
    with pytest.raises(InputError, match="'list' is no kind of knowledge; choose from taxonomy"):
        KnowledgeSource("list", list)  # type: ignore[arg-type]


NAMES = "Ann Miller called. Miller waits."
INITIALS = 'title = "Names"\n[[model]]\nname = "initials"\nprotect = "Ann Miller"\nletters = 2\n'


def test_a_model_works_in_python_policies_command_line_service_and_review(plugin: ModuleType, tmp_path: Path) -> None:
    short, longer = "A. M. called. M. waits.", "An. Mi. called. Mi. waits."
    model = plugin.Initials(protect="Ann Miller", letters=2)
    assert sanitize(NAMES, plugin.Initials(protect="Ann Miller")).text == short
    assert sanitize(NAMES, model).text == longer
    assert not check(NAMES, model).holds
    with pytest.raises(ValueError, match="letters is 4, but must be a whole number, from 1 to 3"):
        plugin.Initials(protect="Ann Miller", letters=4)

    (tmp_path / "names.toml").write_text(INITIALS)
    assert sanitize(NAMES, Policy.load(tmp_path / "names.toml")).text == longer
    (tmp_path / "bad.toml").write_text(INITIALS.replace("letters = 2", "letters = 4"))
    with pytest.raises(PolicyError, match="line 5: letters is 4, but must be less than or equal to 3"):
        Policy.load(tmp_path / "bad.toml")

    (tmp_path / "note.txt").write_text(NAMES)
    asked = [str(tmp_path / "note.txt"), "--model", "initials", "--protect", "Ann Miller"]
    assert CliRunner().invoke(sanitize_command, asked).stdout == short
    assert CliRunner().invoke(sanitize_command, [*asked, "--letters", "2"]).stdout == longer
    assert "How many letters of each part" in CliRunner().invoke(sanitize_command, ["--help"]).output

    request = {"text": NAMES, "model": "initials", "protect": ["Ann Miller"]}
    assert perform("sanitize", request)["text"] == short
    assert perform("sanitize", {**request, "letters": 2})["text"] == longer
    with pytest.raises(ValueError, match="letters: Input should be less than or equal to 3"):
        Sanitize(**request, letters=4)

    session = Session(formats.read(NAMES.encode(), "note.txt"), model, Knowledge.default())
    assert session.state.applied.document.text == longer
    (knob,) = knobs(session.models, session.knowledge)
    assert (knob.parameter, knob.value, knob.positions) == ("letters", 2.0, (1, 2, 3))
    session.steps = (session.verify(Dial(0, "letters", 1.0)),)
    assert (session.state.applied.document.text, session.state.verdict.holds) == (short, True)

    case = Case("1", NAMES, ("Ann Miller",), ())
    assert model_of("initials:letters=2")(case) == model


def test_what_is_no_model_is_found_out() -> None:
    registry.models.register("nothing")(object)
    try:
        with pytest.raises(InputError, match="is no declared model; put @declare"):
            declarations()
    finally:
        registry.models.unregister("nothing")


@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_thing_works_in_python_command_line_policy_service_and_review(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    assert {way: released(example, way, tmp_path) for way in WAYS} == dict.fromkeys(WAYS, example.released)


@pytest.mark.slow
def test_the_example_works_when_it_is_installed(tmp_path: Path) -> None:
    target = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target), str(PLUGIN)]
    subprocess.run(install, check=True)
    source = Path(formats.__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{target}{os.pathsep}{PLUGIN.parents[1]}"}

    def run(*command: str) -> bytes:
        return subprocess.run(
            [sys.executable, *command], check=True, env=environment, cwd=tmp_path, stdout=subprocess.PIPE
        ).stdout

    found = json.loads(run("-m", "tests.extensions"))
    assert found == {name: dict.fromkeys(WAYS, example.released) for name, example in EXAMPLES.items()}
    (tmp_path / "a.settings").write_bytes(FILE)
    (tmp_path / "staff.toml").write_text(POLICY)
    assert run("-m", "taciturn", "sanitize", "a.settings", "--policy", "staff.toml") == FILE.replace(
        b"EMP-12345", b"[code]"
    )
