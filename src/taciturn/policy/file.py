"""The policy file: TOML, strictly validated. Every fault is one message with the file, the line, the value and a hint.

Loaded only when a policy is read: pydantic takes longer to import than all of Taciturn.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache, reduce
from operator import or_
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

from taciturn import registry
from taciturn.errors import PolicyError
from taciturn.generalize.writing import MarkStyle
from taciturn.models.declare import declarations, declared
from taciturn.models.excepting import Basis
from taciturn.models.kinds.levels import LEVELS
from taciturn.models.matching import Matcher
from taciturn.models.parameter import Action, Unknown
from taciturn.policy.protected import Protected
from taciturn.policy.schema import Kind, Said, hyphens, model_schema

if TYPE_CHECKING:
    from taciturn.policy.policy import Policy

__all__ = ["parse"]


class _Strict(BaseModel):
    """A table of the file: no key is passed over, no type is guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=hyphens)


def _searchable(field: str) -> Any:
    def valid(value: str) -> str:
        Matcher(**{field: [value]})
        return value

    return AfterValidator(valid)


class _Protect(_Strict):
    terms: list[Said] = []
    words: list[Annotated[str, _searchable("exact")]] = []
    branches: list[Said] = []
    lists: list[Said] = []
    patterns: list[Annotated[str, _searchable("pattern")]] = []
    flag: list[Annotated[str, _searchable("pattern")]] = []
    kinds: list[Kind] = []
    keep: dict[Kind, str] = {}
    basis: Said = ""
    code: Said = ""


def _reader(name: str) -> str:
    if not re.fullmatch(r"[^\W_][\w -]*", name):
        raise ValueError(f"{name!r} is no name of a reader; write letters, digits, spaces and hyphens")
    return name


class _Matches(_Strict):
    exact: list[Annotated[str, _searchable("exact")]] = []
    ignore_case: list[Annotated[str, _searchable("ignore_case")]] = []
    pattern: list[Annotated[str, _searchable("pattern")]] = []


class _Deny(_Matches):
    basis: Said = ""
    code: Said = ""


class _Replace(_Strict):
    style: Action | None = None
    mark: MarkStyle | None = None


class _Read(_Strict):
    columns: list[Said] | None = None
    declared: dict[Said, Literal["name", "date", "identifier", "text"]] = {}
    leave: list[Said] = []
    pictures: Literal["blank", "keep", "read", "refuse"] = "blank"
    unreadable: Literal["remove", "refuse", "rasterize"] = "remove"
    keep_layout: bool = True
    boxes: bool = True


class _Review(_Strict):
    second_person: bool = False


class _Limits(_Strict):
    seconds: Annotated[float, Field(gt=0)] = 600.0
    memory: Annotated[int, Field(ge=64)] = 4096


class _File(_Strict):
    title: Said
    description: Said = ""
    law: list[Said] = []
    unknown: Unknown | None = None
    protect: list[_Protect] = []
    readers: dict[Annotated[str, AfterValidator(_reader)], _Protect] = {}
    model: list[Any] = []
    replace: _Replace = _Replace()
    allow: _Matches = _Matches()
    deny: _Deny = _Deny()
    read: _Read = _Read()
    review: _Review = _Review()
    limits: _Limits = _Limits()


@cache
def _file(models: tuple[Any, ...]) -> type[_File]:
    """The schema of a file that may name these models."""
    any_model: Any = reduce(or_, [model_schema(model, _Strict) for model in models])
    listed: Any = list[Annotated[any_model, Field(discriminator="name")]]
    return create_model("policy", __base__=_File, model=(listed, []))


_NAMING = ("terms", "words", "branches", "lists", "patterns", "flag", "kinds", "keep")
_TABLES: dict[str, type[_Strict]] = {
    "protect": _Protect,
    "readers": _Protect,
    "replace": _Replace,
    "allow": _Matches,
    "deny": _Deny,
    "read": _Read,
    "review": _Review,
    "limits": _Limits,
}


def parse(text: str, name: str, folder: Path, make: Callable[..., Policy]) -> Policy:
    """The policy that a text in TOML describes. ``folder`` is where the lists that it names are looked for.

    ``make`` is the class of policies. It is given, not imported, because it loads its files by this function.

    >>> from taciturn.policy import Policy
    >>> parse('title = "Mine"\\n[[protect]]\\nkinds = ["emial"]', "mine.toml", Path(), Policy)
    Traceback (most recent call last):
    taciturn.errors.PolicyError: mine.toml, line 3: 'emial' is no kind of term; did you mean 'email'?
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        line = match.group(1) if (match := re.search(r"line (\d+)", place)) else str(text.count("\n") + 1)
        raise PolicyError(f"{name}, line {line}: this is not TOML: {message}") from None
    try:
        file = _file(tuple(told.model for told in declarations())).model_validate(raw)
    except ValidationError as error:
        raise PolicyError(_message(error, raw, text, name)) from None
    policy = make(
        name=Path(name).stem,
        title=file.title,
        description=file.description.strip(),
        law=tuple(file.law),
        protect=tuple(_protected(e, ("protect", i), text, name, folder) for i, e in enumerate(file.protect)),
        readers={who: _protected(e, ("readers", who), text, name, folder) for who, e in file.readers.items()},
        models=tuple(MappingProxyType(_parameters(m)) for m in file.model),
        style=file.replace.style,
        mark=file.replace.mark,
        unknown=file.unknown,
        allow=_matcher(file.allow),
        deny=_matcher(file.deny),
        deny_basis=Basis(file.deny.basis, file.deny.code),
        columns=None if file.read.columns is None else tuple(file.read.columns),
        declared=tuple(file.read.declared.items()),
        leave=tuple(file.read.leave),
        pictures=file.read.pictures,
        unreadable=file.read.unreadable,
        keep_layout=file.read.keep_layout,
        boxes=file.read.boxes,
        second_person=file.review.second_person,
        seconds=file.limits.seconds,
        memory=file.limits.memory,
    )
    _refuse_contradictions(policy, text, name)
    return policy


def _matcher(given: _Matches) -> Matcher:
    return Matcher(given.exact, given.ignore_case, given.pattern)


def _parameters(model: _Strict) -> dict[str, Any]:
    """What the file says of a model; what it leaves out is the model's own default."""
    return {k: v for k, v in model.model_dump(exclude_unset=True).items() if v is not None}


def _protected(entry: _Protect, at: tuple[Any, ...], text: str, name: str, folder: Path) -> Protected:
    """What an entry names; ``at`` is its place in the file."""
    if not any(getattr(entry, field) for field in _NAMING):
        table = "[[protect]]" if at[0] == "protect" else f"[{'.'.join(at)}]"
        raise PolicyError(f"{name}, line {_line(text, at)}: this {table} names nothing; give {', '.join(_NAMING)}")
    for kind, level in entry.keep.items():
        levels = LEVELS.get(kind, ("all",))
        if level not in levels:
            line = _line(text, (*at, "keep"), level)
            raise PolicyError(
                f"{name}, line {line}: {level!r} is no level of {kind!r}; choose {' or '.join(map(repr, levels))}"
            )
    lists = []
    for path in entry.lists:
        try:
            strings = tuple(
                dict.fromkeys(s for row in (folder / path).read_text("utf-8-sig").splitlines() if (s := row.strip()))
            )
            Matcher(exact=strings)
        except (OSError, ValueError) as error:
            why = f"cannot be read ({error.strerror})" if isinstance(error, OSError) else f"cannot be used: {error}"
            line = _line(text, (*at, "lists"), path)
            raise PolicyError(
                f"{name}, line {line}: the list {path!r} {why}; it is looked for beside the policy"
            ) from None
        if not strings:
            raise PolicyError(f"{name}, line {_line(text, (*at, 'lists'), path)}: {path!r} is empty")
        lists.append((Path(path).stem, strings))
    return Protected(
        tuple(entry.terms),
        tuple(entry.words),
        tuple(entry.branches),
        tuple(lists),
        tuple(entry.patterns),
        tuple(entry.flag),
        tuple(entry.kinds),
        MappingProxyType(dict(entry.keep)),
        Basis(entry.basis, entry.code),
    )


def _refuse_contradictions(policy: Policy, text: str, name: str) -> None:
    """What each part allows but all together cannot be."""
    for_all: list[tuple[tuple[Any, ...], Protected]] = [(("protect", i), e) for i, e in enumerate(policy.protect)]
    for several in (for_all, *([*for_all, (("readers", who), entry)] for who, entry in policy.readers.items())):
        levels: dict[str, str] = {}
        for at, entry in several:
            for kind, level in (*((k, "hidden") for k in entry.kinds), *entry.keep.items()):
                if levels.setdefault(kind, level) != level:
                    raise PolicyError(
                        f"{name}, line {_line(text, (*at, 'keep'), kind)}: {kind!r} is to be "
                        f"{levels[kind]!r} in one place and {level!r} in another; remove one"
                    )
    for how in ("exact", "ignore_case", "pattern"):
        if both := set(getattr(policy.allow, how)) & set(getattr(policy.deny, how)):
            value = min(both)
            line = _line(text, ("deny", hyphens(how)), value)
            raise PolicyError(f"{name}, line {line}: {value!r} is allowed and denied; remove it from one of the two")
    for number, model in enumerate(policy.models):
        for either in declared(model["name"]).either:
            if model.keys() >= set(either.names):
                line = _line(text, ("model", number, hyphens(either.names[-1])))
                raise PolicyError(f"{name}, line {line}: {either.message}")
        if any(model["name"] == other["name"] for other in policy.models[:number]):
            line = _line(text, ("model", number, "name"))
            raise PolicyError(f"{name}, line {line}: the model {model['name']!r} is named twice; remove one")


def _message(error: ValidationError, raw: dict[str, Any], text: str, name: str) -> str:
    """One message for the first fault in the order of the file."""
    faults = []
    for fault in error.errors(include_url=False):
        loc = fault["loc"]
        if loc[0] == "model" and len(loc) > 3:  # after the model's name, its parameter, then types it is none of
            loc = (*loc[:2], loc[3], *(part for part in loc[4:] if isinstance(part, int)))
        value = fault["input"]
        if fault["type"] == "union_tag_invalid":
            loc = (*loc, "name")
        faults.append((_line(text, loc, value if isinstance(value, str) else ""), loc, fault))
    line, loc, fault = min(faults, key=lambda f: f[0])
    return f"{name}, line {line}: {_explain(loc, fault, raw)}"


def _explain(loc: tuple[Any, ...], fault: Any, raw: dict[str, Any]) -> str:
    value, context = fault["input"], fault.get("ctx", {})
    key = next((part for part in reversed(loc) if isinstance(part, str)), "")
    match fault["type"]:
        case "extra_forbidden":
            known = _known_keys(loc, raw)
            return f"unknown key {key!r}; {_hint(key, known)}"
        case "missing":
            return f"{key!r} is missing; add {key} = ..."
        case "union_tag_invalid":
            given = value.get("name") if isinstance(value, dict) else value
            return f"name is {given!r}, which is no model; {_hint(str(given), list(registry.models))}"
        case "union_tag_not_found":
            return f"this [[model]] has no name; add name = ..., one of {', '.join(registry.models)}"
        case "literal_error":
            choices = re.findall(r"'([^']+)'", context["expected"])
            return f"{key} is {value!r}; {_hint(str(value), choices)}"
        case "value_error":
            return str(context["error"])
        case _:
            said = fault["msg"].removeprefix("Input should be ").replace("Input", "it")
            return f"{key} is {_short(value)}, but must be {said}"


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _hint(given: str, choices: list[str]) -> str:
    near = get_close_matches(given, choices, 1, 0.5)
    return f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(choices)}"


def _known_keys(loc: tuple[Any, ...], raw: dict[str, Any]) -> list[str]:
    if len(loc) == 1:
        schema: type[_Strict] = _File
    elif loc[0] == "model":
        schema = model_schema(registry.models[raw["model"][loc[1]]["name"]], _Strict)
    else:
        schema = _TABLES[loc[0]]
    return [hyphens(field) for field in schema.model_fields]


_TABLE = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\s\"-]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+|\"[^\"]*\")\s*(?:\.|=)")


def _line(text: str, loc: tuple[Any, ...], value: str = "") -> int:
    """The line of a place in a TOML file: of the value if it can be found, else of its key, else of its table."""
    places: dict[tuple[Any, ...], int] = {}
    counts: dict[str, int] = {}
    table: tuple[Any, ...] = ()
    lines = text.splitlines() or [""]
    for number, line in enumerate(lines, 1):
        if header := _TABLE.match(line):
            path = tuple(part.strip().strip('"') for part in header[2].split("."))
            if header[1] == "[[":
                counts[path[0]] = counts.get(path[0], -1) + 1
            table = (path[0], counts[path[0]], *path[1:]) if path[0] in counts else path
            places.setdefault(table, number)
        elif match := _KEY.match(line):
            places.setdefault((*table, match[1].strip('"')), number)
    at = next((places[loc[:n]] for n in range(len(loc), 0, -1) if loc[:n] in places), 1)
    if value:
        ahead = [n for n in range(at, min(len(lines), at + 200) + 1) if value in lines[n - 1]]
        at = ahead[0] if ahead else at
    return at
