"""The options that make a model, from the declarations of all registered models.

A command of the class :class:`ModelCommand` has an option for every parameter that can be written as text, and hands
its function what was given as one dictionary, ``asked``: the name of a model, if any, and parameters by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin

import click

from taciturn import registry
from taciturn.errors import InputError
from taciturn.models.base import Model
from taciturn.models.declare import DEFAULT, Declaration, declarations, declared
from taciturn.models.parameter import Parameter
from taciturn.policy import Policy

__all__ = [
    "Asked",
    "ModelCommand",
    "build_model",
    "build_model_or_policy",
    "model_asked",
    "parameters_asked",
    "read_lines",
]

Asked = dict[str, Any]
"""What the command line says of a model: its name under "model", parameters by name, as they were written."""

Users = dict[str, list[tuple[Declaration, Parameter]]]
"""The models that have a parameter of a name, each with its own declaration of it."""

_BEFORE = "model_"  # in the names of model options, so that no option of a command has the same
_SEVERAL = 3  # models that say the same of a parameter: it is listed once for all


class ModelCommand(click.Command):
    """A command with the options of all registered models, which plug-ins and decorators may add to at any time."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = super().get_params(ctx)
        added = _options(tuple(registry.models[name] for name in registry.models))
        taken = {opt for parameter in own for opt in parameter.opts}
        for option in added:
            if clash := taken.intersection(option.opts):
                name = (option.name or "").removeprefix(_BEFORE)
                owners = ", ".join(repr(told.name) for told, _ in _users()[name])
                raise InputError(
                    f"the parameter {name!r} of the model {owners} would be the option {min(clash)}, which this "
                    'command has already; give it another one: parameter(..., option="...")'
                )
        return [*own, *added]

    def invoke(self, ctx: click.Context) -> Any:
        ctx.params["asked"] = _taken_out(ctx.params)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [p for p in super().get_params(ctx) if isinstance(p, click.Option)]
        options = {option.name: option for option in _options(tuple(registry.models[n] for n in registry.models))}
        general = [options[f"{_BEFORE}{name}"] for name in ("protect", "protect_file", "model")]
        with formatter.section("Options"):
            formatter.write_dl([record for p in (*general, *own) if (record := p.get_help_record(ctx))])
        for title, parameters in _sections():
            with formatter.section(title):
                formatter.write_dl([row for p in parameters for row in _help_rows(p, options[_BEFORE + p.name], ctx)])


def build_model_or_policy(policy: str | None, asked: Asked, reader: str | None = None) -> Model | Policy:
    """The policy if one is named, for a reader of it, with what --protect adds; else the model that is asked for.

    Parameters of a model that the policy names may be given beside it: ``--policy person-release --style court``.
    """
    if policy is None:
        if reader is not None:
            raise click.UsageError("--reader names a reader of a policy; give --policy FILE as well")
        return build_model(asked)
    loaded = Policy.load(policy, _protected(asked))
    given = {name: value for name, value in asked.items() if name not in ("protect", "protect_file", "mark")}
    for name in given:
        if not any(name in declared(m["name"]) for m in loaded.models):
            raise click.UsageError(
                f"{_spelled(name)} belongs to a model; a policy says it in its file, see docs/policies.md"
            )
    loaded = loaded.for_reader(reader) if reader is not None else loaded
    loaded = replace(loaded, models=tuple({**m, **parameters_asked(declared(m["name"]), given)} for m in loaded.models))
    if "mark" in asked:
        loaded = replace(loaded, mark=declared("kinds")["mark"].read(asked["mark"]))
    loaded.build()  # what cannot be built is the user's fault, and shows before any file is read
    return loaded


def model_asked(asked: Asked) -> Declaration:
    """The model that is asked for, or the default one."""
    return declared(asked.get("model", DEFAULT))


def parameters_asked(told: Declaration, asked: Asked) -> dict[str, Any]:
    """The parameters of a model that were given, as the model takes them; what it does not take is left out.

    >>> parameters_asked(declared("k-safe"), {"protect": ("HIV",), "k": "5", "alpha": "2"})
    {'protect': ('HIV',), 'k': 5}
    """
    raw = {name: value for name, value in asked.items() if name in told}
    if "protect" in told and (protect := _protected(asked)):
        raw["protect"] = protect
    values: dict[str, Any] = {}
    for name in sorted(raw, key=lambda name: told[name].load is not None):  # files are read as the others say
        values[name] = _value(told[name], raw[name], values)
    return values


def build_model(asked: Asked) -> Model:
    """The model that the options ask for.

    >>> build_model({"model": "k-safe", "protect": ("HIV",), "k": "5"}).k
    5
    """
    told = model_asked(asked)
    raw = {name: value for name, value in asked.items() if name not in ("model", "protect_file")}
    if protect := _protected(asked):
        raw["protect"] = protect
    for name in raw:
        if name not in told:
            others = " and ".join(f"`{owner.name}`" for owner, _ in _users().get(name, ()))
            raise click.UsageError(f"{_spelled(name)} is for {others}; `{told.name}` does not take it")
    values = parameters_asked(told, asked)
    if told.needs and not any(values.get(name) not in (None, (), {}) for name in told.needs):
        raise click.UsageError(told.nothing(lambda p: _spelled(p.name)))
    for p in told.parameters:
        if p.is_required and p.name not in values:
            raise click.UsageError(f"`{told.name}` needs {_spelled(p.name)}: {p.says}")
    return told.make(values)


def read_lines(path: str) -> list[str]:
    """The lines of a list that are not empty, without the spaces around them."""
    from taciturn.knowledge.storage.files import read_text

    return [line.strip() for line in read_text(Path(path)).split("\n") if line.strip()]


def _protected(asked: Asked) -> tuple[str, ...]:
    listed = read_lines(asked["protect_file"]) if "protect_file" in asked else ()
    return (*asked.get("protect", ()), *listed)


def _value(p: Parameter, raw: Any, others: Mapping[str, Any]) -> Any:
    """A parameter's value, from how it was written; what is no text, from a certificate for example, is one already."""
    if p.load is not None and isinstance(raw, str):
        return p.load(raw, others)
    if p.is_flag and isinstance(raw, int):
        return bool(raw)
    if isinstance(raw, str):
        return p.read(raw)
    mapping = next((kind for kind in p.plain if get_origin(kind) is dict), None)
    if isinstance(raw, Sequence) and mapping is not None:
        if len(raw) == 1 and raw[0] in p.choices:
            return raw[0]
        return dict(_pair(p, text, get_args(mapping)[1]) for text in raw)
    return tuple(raw) if isinstance(raw, Sequence) else raw


def _pair(p: Parameter, text: str, kind: Callable[[str], Any]) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    try:
        if equals and name:
            return name, kind(value)
    except ValueError:
        pass
    raise click.UsageError(f"{_spelled(p.name)} is {text!r}, but must be NAME=VALUE")


def _taken_out(params: dict[str, Any]) -> Asked:
    """Take the options of models out of all parameters: those that were given, by the names that models use."""
    asked: Asked = {}
    shorthands: dict[str, tuple[str, str]] = {}
    for name, users in _users().items():
        for _, p in users:
            if p.shorthand:
                shorthands[p.shorthand[0]] = (name, p.shorthand[1])
    for key in [key for key in params if key.startswith(_BEFORE)]:
        name, value = key.removeprefix(_BEFORE), params.pop(key)
        if value in (None, ()):
            continue
        if name in shorthands:
            name, value = shorthands[name]
        if asked.setdefault(name, value) != value:
            raise click.UsageError(f"{_spelled(name)} is given twice: {asked[name]!r} and {value!r}; give one")
    return asked


def _users() -> Users:
    found: Users = {}
    for told in declarations():
        for p in told.parameters:
            if p.is_plain:
                found.setdefault(p.name, []).append((told, p))
    return found


def _spelled(name: str) -> str:
    users = _users().get(name)
    return f"--{(users[0][1].option if users else '') or name.replace('_', '-')}"


@cache
def _options(models: tuple[Any, ...]) -> tuple[click.Option, ...]:
    """The options of these models; a parameter that several have is one option, read as the chosen model reads it."""
    made = [
        click.Option(
            [f"{_BEFORE}model", "--model"], type=click.Choice([m.name for m in models]), help=f"[default: {DEFAULT}]"
        ),
        click.Option(
            [f"{_BEFORE}protect_file", "--protect-file"], metavar="FILE", help="What to protect, one a line of a file."
        ),
    ]
    for name, users in _users().items():
        shapes = {(p.is_flag, p.is_listed and p.load is None) for _, p in users}
        if len(shapes) > 1:
            owners = ", ".join(repr(told.name) for told, _ in users)
            raise InputError(f"the models {owners} have a parameter {name!r} each, of kinds that no option can be")
        made += _made(users[0][1], users)
    return tuple(made)


def _made(p: Parameter, users: Sequence[tuple[Declaration, Parameter]]) -> Iterator[click.Option]:
    option = f"--{p.option or p.name.replace('_', '-')}"
    letter = "p" if p.name == "protect" else p.letter
    names = [f"{_BEFORE}{p.name}", *([f"-{letter}"] if letter else [])]
    if p.is_flag:
        off = any(user.default is True for _, user in users)
        yield click.Option([*names, f"{option}/--no-{option[2:]}" if off else option], is_flag=True, default=None)
    elif p.is_listed and p.load is None:
        kind = "NAME=VALUE" if any(get_origin(t) is dict for t in p.plain) else "TERM"
        told = "What must stay unsaid; may be repeated." if p.name == "protect" else None
        yield click.Option([*names, option], multiple=True, metavar=kind, help=told)
    else:
        alike = {tuple(user.choices) for _, user in users}
        choice = click.Choice(p.choices) if len(alike) == 1 and p.choices and str not in p.plain else None
        yield click.Option([*names, option], type=choice, metavar=None if choice else _metavar(p))
    if p.shorthand:
        yield click.Option([f"{_BEFORE}{p.shorthand[0]}", f"--{p.shorthand[0]}"], is_flag=True, default=None)


def _metavar(p: Parameter) -> str:
    if p.load is not None:
        return "FILE" if str not in p.plain else "NAME|FILE"
    return p.name.upper().replace("_", "-") if int in p.plain or float in p.plain else "TEXT"


def _sections() -> Iterator[tuple[str, list[Parameter]]]:
    """The parameters as help lists them: those that several models have alike, then model by model."""
    alike: dict[tuple[str, str, str], list[Parameter]] = {}
    for users in _users().values():
        for _, p in users:
            alike.setdefault((p.name, p.says, p.standard), []).append(p)
    shared = {key: found for key, found in alike.items() if len(found) >= _SEVERAL}
    yield "Of several models", [found[0] for found in shared.values()]
    for told in declarations():
        own = [p for p in told.parameters if p.is_plain and (p.name, p.says, p.standard) not in shared]
        yield f"{told.name}: {told.says.rstrip('.')}", own


def _help_rows(p: Parameter, option: click.Option, ctx: click.Context) -> Iterator[tuple[str, str]]:
    record = option.get_help_record(ctx)
    if record is not None:
        standard = f" [default: {p.standard}]" if p.standard and not p.is_flag else ""
        yield record[0].replace("TEXT", f"[{'|'.join(p.choices)}]") if p.choices else record[0], p.says + standard
    if p.shorthand:
        yield f"--{p.shorthand[0]}", f"Short for {_spelled(p.name)} {p.shorthand[1]}."
