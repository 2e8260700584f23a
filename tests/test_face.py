"""The public names: what ``import taciturn`` offers, what it says of itself, what it never prints."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from doctest import DocTestParser
from importlib import import_module
from inspect import getmembers, isclass, isfunction
from pathlib import Path
from pkgutil import walk_packages

import pytest

import taciturn
from taciturn import errors, formats
from taciturn.errors import TaciturnError
from taciturn.language import analyze
from taciturn.models.base import Model
from taciturn.release import propose

ROOT = Path(__file__).parents[1]
SECRET = "The patient Zebulon Quark has AIDS."


def test_dir_lists_the_public_names_and_nothing_else() -> None:
    assert dir(taciturn) == sorted(taciturn.__all__)
    assert set(taciturn.__all__) == {"__version__", *taciturn._HOMES}
    for name in taciturn.__all__:
        assert getattr(taciturn, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'taciturn' has no attribute 'sanitise'"):
        taciturn.sanitise  # noqa: B018


def test_importing_the_face_imports_nothing_else() -> None:
    code = "import sys, taciturn; print([m for m in sys.modules if m.startswith(('taciturn.', 'numpy', 'pydantic'))])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_the_version_is_defined_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["tool"]["hatch"]["version"]["path"] == "src/taciturn/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", taciturn.__version__)
    told = subprocess.check_output([sys.executable, "-m", "taciturn", "--version"], text=True)
    assert told.strip() == f"taciturn, version {taciturn.__version__}"


PROTOCOL = {"name", "bind", "plan", "check"}
"""What every model can be asked: explained once, with an example, at ``taciturn.models.base.Model``."""


def members(public: object) -> dict[str, object]:
    """A public function or class, and the methods and properties that a public class defines itself."""
    found = {"": public}
    if isclass(public) and not issubclass(public, Exception):
        is_model = {"name", "plan", "check"} <= vars(public).keys()
        for name, value in vars(public).items():
            inner = getattr(value, "__func__", None) or getattr(value, "fget", None) or getattr(value, "func", None)
            if not name.startswith("_") and (inner or isfunction(value)) and not (is_model and name in PROTOCOL):
                found[name] = inner or value
    return found


@pytest.mark.parametrize("name", [*sorted(set(taciturn.__all__) - {"__version__"}), "Model"])
def test_every_public_name_and_its_methods_have_an_example_that_runs(name: str) -> None:
    # The examples themselves run with the suite (--doctest-modules).
    public = Model if name == "Model" else getattr(taciturn, name)
    lacking = [m for m, thing in members(public).items() if not DocTestParser().get_examples(thing.__doc__ or "")]
    assert [m for m in lacking if not (public is Model and m)] == []


def test_few_errors_are_exported_and_each_is_told_apart() -> None:
    exported = {n for n in taciturn.__all__ if n.endswith("Error")}
    assert exported == {*errors.__all__, "NotPlausibleError"}
    assert len(exported) <= 7


def test_every_error_of_ours_is_a_taciturn_error() -> None:
    found = 0
    for module in walk_packages(taciturn.__path__, "taciturn."):
        if module.name.startswith(("taciturn.solvers", "taciturn.adapters", "taciturn.spark", "taciturn.__main__")):
            continue  # solvers import nothing of ours; adapters and Spark need packages that may be absent
        for _, kind in getmembers(import_module(module.name), isclass):
            if issubclass(kind, Exception) and kind.__module__ == module.name:
                found += 1
                assert issubclass(kind, TaciturnError), f"{kind.__module__}.{kind.__name__}"
    assert found > 15


def test_a_preset_is_taken_by_its_name() -> None:
    text = "Call 617-555-0123 on Monday."
    by_name = taciturn.sanitize(text, "hipaa-safe-harbor")
    by_policy = taciturn.sanitize(text, taciturn.Policy.load("hipaa-safe-harbor"))
    assert by_name.text == by_policy.text != text
    assert taciturn.check(by_name.text, "hipaa-safe-harbor").holds
    assert not taciturn.check(text, "hipaa-safe-harbor").holds
    with pytest.raises(taciturn.PolicyError, match="'hipaa-safe' is no preset"):
        taciturn.check(text, "hipaa-safe")


def test_nothing_that_holds_the_original_prints_it() -> None:
    model = taciturn.CSanitized(protect=["HIV"])
    release = taciturn.sanitize(SECRET, model)
    proposal = propose(SECRET, model)
    file = formats.read(SECRET.encode(), "note.txt")
    assert "AIDS" not in release.text
    holders = [
        release,
        release.report,
        release.certificate,
        release.edits,
        release.applied,
        release.applied.plan,
        release.document,
        proposal,
        proposal.original.document,
        analyze(proposal.original.document),
        file,
        file.document,
        taciturn.check(SECRET, model),
    ]
    for holder in holders:
        assert "AIDS" not in repr(holder), type(holder)
    assert repr(release).startswith("Release('")
