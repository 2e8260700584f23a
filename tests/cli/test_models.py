"""The options of the command line are the parameters that the registered models declare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, get_origin

import click
import pytest
from click.testing import CliRunner

from taciturn import CSanitized, InputError, KAnonymous, Kinds, KSafe, registry
from taciturn.cli.check import command as check
from taciturn.cli.models import ModelCommand, build_model, build_model_or_policy
from taciturn.cli.sanitize import command as sanitize
from taciturn.models.declare import Declaration, declarations, declare, parameter
from taciturn.models.parameter import Parameter
from tests.models.test_declare import LEAST, PARAMETERS


def asked_for(arguments: list[str]) -> dict[str, Any]:
    """What a command with these arguments hands on."""
    found: list[dict[str, Any]] = []

    @click.command(cls=ModelCommand)
    def command(asked: dict[str, Any]) -> None:
        found.append(asked)

    done = CliRunner().invoke(command, arguments)
    if done.exit_code:
        raise AssertionError(done.output) from done.exception
    return found[0]


def _spelled(p: Parameter) -> str:
    return f"--{p.option or p.name.replace('_', '-')}"


def arguments_for(told: Declaration, given: dict[str, Any], path: Path) -> Iterator[str]:
    """A command line that gives a model these parameters; a list that is read from a file is written to ``path``."""
    for name, value in given.items():
        p = told[name]
        if p.load is not None and not isinstance(value, str):
            path.write_text("\n".join(value))
            value = str(path)
        if isinstance(value, bool):
            yield _spelled(p) if value else f"--no-{_spelled(p)[2:]}"
        else:
            values = [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else value
            for each in values if isinstance(values, list) else [values]:
                yield from (_spelled(p), str(each))


def _other(p: Parameter) -> Any:
    """A value that is not the default."""
    if p.is_flag:
        return not p.default
    if p.choices:
        return next(c for c in p.choices if c != p.default)
    if int in p.plain or float in p.plain:
        least = p.least if p.least is not None else p.above or 0
        tried = (least + 0.25, least + 0.75) if float in p.plain else (int(least), int(least) + 1)
        return next(number for number in tried if number != p.default)
    return "email" if p.holds == "kinds" else "disease"


@pytest.mark.parametrize(("told", "p"), [q for q in PARAMETERS if q.values[1].is_plain])
def test_every_parameter_is_an_option(told: Declaration, p: Parameter, tmp_path: Path) -> None:
    if p.load is not None or p.name == "together" or any(get_origin(kind) is dict for kind in p.plain):
        return  # these have tests of their own
    least = {k: v for k, v in LEAST[told.name].items() if k not in told.rivals(p.name)}
    given = {**least, p.name: _other(p)}
    if (told.name, p.name) == ("t-plausible", "search"):
        given["search"] = "prune"
    arguments = arguments_for(told, given, tmp_path / "list")
    made: Any = build_model(asked_for(["--model", told.name, *arguments]))
    kept = getattr(made, p.name)
    assert kept == ((_other(p),) if list[str] in p.plain else given[p.name])
    assert kept != p.default
    assert _spelled(p) in CliRunner().invoke(sanitize, ["--help"]).output


def test_files_and_values_by_name(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("Smith\nSmyth\n")
    (tmp_path / "rows.csv").write_text("name,town\nAnn Lee,Leeds\nBob Lee,Leeds\n")
    names = build_model(asked_for(["--model", "k-anonymous", "--list", str(tmp_path / "names"), "-k", "2"]))
    assert isinstance(names, KAnonymous)
    assert names.mask("Smith").pattern == "Sm*th"
    rows = build_model(asked_for(["--model", "k-anonymous", "--together", "--list", str(tmp_path / "rows.csv")]))
    assert isinstance(rows, KAnonymous)
    assert rows.list == [("Ann Lee", "Leeds"), ("Bob Lee", "Leeds")]
    kinds = build_model(asked_for(["--model", "kinds", "--hide", "email", "--keep", "date=year", "--keep", "age=all"]))
    assert kinds == Kinds(hide=["email"], keep={"date": "year", "age": "all"})
    for given, weights in (("thrush=0.5", {"thrush": 0.5}), ("information", "information")):
        safe = build_model(asked_for(["--model", "k-safe", "-p", "HIV", "--weights", given]))
        assert isinstance(safe, KSafe)
        assert safe.weights == weights
    with pytest.raises(click.UsageError, match="--weights is 'thrush=much', but must be NAME=VALUE"):
        build_model(asked_for(["--model", "k-safe", "-p", "HIV", "--weights", "thrush=much"]))


def test_what_is_not_given_is_the_default_of_the_constructor() -> None:
    assert asked_for([]) == {}
    assert build_model(asked_for(["-p", "HIV"])) == CSanitized(protect=["HIV"])
    assert build_model(asked_for(["--model", "k-safe", "-p", "HIV"])) == KSafe(protect=["HIV"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "HIV", "--w", "0.5"], "--w is for `related`; `c-sanitized` does not take it"),
        (["--model", "k-safe"], "nothing to protect: the model 'k-safe' needs --protect or --protect-branch"),
        (["--model", "t-plausible", "-p", "HIV"], "`t-plausible` needs --t: At least this many base texts"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], message: str) -> None:
    with pytest.raises(click.UsageError, match=message):
        build_model(asked_for(arguments))


def test_a_short_form_and_its_option_agree() -> None:
    assert asked_for(["--redact", "--action", "redact"]) == {"action": "redact"}
    with pytest.raises(AssertionError, match="--action is given twice"):
        asked_for(["--redact", "--action", "generalize"])


def test_options_of_models_do_not_go_with_a_policy(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("HIV\n")
    loaded = build_model_or_policy("foia", asked_for(["--protect-file", str(tmp_path / "names")]))
    assert "c-sanitized" in [m.name for m in loaded.build()]  # type: ignore[union-attr]
    with pytest.raises(click.UsageError, match="--model belongs to a model; a policy says it"):
        build_model_or_policy("foia", asked_for(["--model", "c-sanitized"]))


def test_a_parameter_of_a_model_that_the_policy_names_can_be_given_beside_it() -> None:
    asked = asked_for(["--protect", "Mary Holt", "--style", "court"])
    (model,) = build_model_or_policy("person-release", asked).build()  # type: ignore[union-attr]
    assert model.model.style == "court"  # type: ignore[attr-defined]
    with pytest.raises(click.UsageError, match="--style belongs to a model"):
        build_model_or_policy("hipaa-safe-harbor", asked)


def test_a_certificate_says_with_what_to_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.txt").write_text("He has AIDS and takes zidovudine.")
    told = ["--model", "c-sanitized", "--protect", "HIV", "--alpha", "3", "--support", "9", "--certificate", "c.json"]
    assert CliRunner().invoke(sanitize, ["note.txt", *told, "-o", "out.txt"], standalone_mode=False).return_value == 0
    again = CliRunner().invoke(check, ["out.txt", "-p", "HIV", "--certificate", "c.json", "--json"])
    assert '"support": 9' in again.output
    assert '"alpha": 3' in again.output


def test_a_parameter_that_would_be_an_option_of_the_command_is_refused() -> None:
    @declare(needs=("output",))
    @dataclass(frozen=True)
    class Loud:
        name: ClassVar[str] = "loud"
        output: str = field(metadata=parameter("Where to shout."))

    registry.models.register("loud")(Loud)
    try:
        with pytest.raises(InputError, match="the parameter 'output' of the model 'loud' would be the option --output"):
            CliRunner().invoke(sanitize, ["--help"], catch_exceptions=False)
    finally:
        registry.models.unregister("loud")


def test_the_models_that_can_be_chosen_are_the_registered_ones() -> None:
    shown = CliRunner().invoke(sanitize, ["--help"]).output
    assert f"--model [{'|'.join(told.name for told in declarations())}]" in shown
    assert all(str(choice) in shown for told in declarations() for p in told.parameters for choice in p.choices)
