"""The policy file: TOML, strictly validated. Every fault is one message with the file, the line, the value and a hint.

Loaded only when a policy is read: pydantic takes longer to import than all of Tacit.
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from tacit.models.excepting import Basis
from tacit.models.kinds import ALL_KINDS
from tacit.models.levels import LEVELS
from tacit.models.matching import Matcher
from tacit.policy import Policy, PolicyError, Protected

__all__ = ["parse"]


def _hyphens(name: str) -> str:
    return name.replace("_", "-")


def _kind(value: str) -> str:
    if value not in ALL_KINDS:
        near = get_close_matches(value, ALL_KINDS, 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(ALL_KINDS)}"
        raise ValueError(f"{value!r} is no kind of term; {hint}")
    return value


def _said(value: str) -> str:
    if not value.strip():
        raise ValueError("an empty text says nothing; write something or leave it out")
    return value


def _searchable(field: str) -> Any:
    def valid(value: str) -> str:
        Matcher(**{field: [value]})
        return value

    return AfterValidator(valid)


Said = Annotated[str, AfterValidator(_said)]
Kind = Annotated[str, AfterValidator(_kind)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=_hyphens)


class _Protect(_Strict):
    terms: list[Said] = []
    words: list[Annotated[str, _searchable("exact")]] = []
    branches: list[Said] = []
    lists: list[Said] = []
    patterns: list[Annotated[str, _searchable("pattern")]] = []
    kinds: list[Kind] = []
    keep: dict[Kind, str] = {}
    basis: Said = ""
    code: Said = ""


class _CSanitized(_Strict):
    name: Literal["c-sanitized"]
    alpha: float | None = Field(None, ge=1, allow_inf_nan=False)
    reveal: Said | None = None
    groups: int = Field(2, ge=1, le=4)
    context: Literal["sentence", "paragraph", "document"] = "sentence"
    support: int = Field(5, ge=1)
    action: Literal["generalize", "redact"] | None = None


class _Informative(_Strict):
    name: Literal["informative"]
    beta: Annotated[float, Field(gt=0, allow_inf_nan=False)] | Said
    action: Literal["generalize", "redact"] | None = None


class _Related(_Strict):
    name: Literal["related"]
    beta: Annotated[float, Field(gt=0, allow_inf_nan=False)] | Said | None = None
    w: float | None = Field(None, ge=0, le=1)
    action: Literal["generalize", "redact"] | None = None


class _PersonRelease(_Strict):
    name: Literal["person-release"]
    style: Literal["auto", "court", "biography"] = "auto"
    recall: float = Field(0.5, gt=0, lt=1)


class _TPlausible(_Strict):
    name: Literal["t-plausible"]
    t: int = Field(ge=1)
    kinds: list[Kind] = []
    uniform: bool = True
    alpha: float = Field(0.5, ge=0, le=1)
    segment: Literal["document", "paragraph", "sentence"] = "document"
    base: Literal["leaves", "level"] = "leaves"
    paths: Literal["first", "best"] = "first"
    search: Literal["exact", "lub", "prune"] = "exact"
    time_limit: float | None = Field(None, gt=0)


class _KSafe(_Strict):
    name: Literal["k-safe"]
    entities: Said | None = None
    k: int = Field(1, ge=1)
    search: Literal["exact", "greedy"] = "exact"
    action: Literal["generalize", "redact"] | None = None
    time_limit: float = Field(10.0, gt=0)


class _KAnonymous(_Strict):
    name: Literal["k-anonymous"]
    k: int = Field(5, ge=2)
    collapse: bool = False
    exclude: list[Said] = []


class _Kinds(_Strict):
    name: Literal["kinds"]


_MODELS: dict[str, type[_Strict]] = {
    "c-sanitized": _CSanitized,
    "informative": _Informative,
    "related": _Related,
    "person-release": _PersonRelease,
    "t-plausible": _TPlausible,
    "k-safe": _KSafe,
    "k-anonymous": _KAnonymous,
    "kinds": _Kinds,
}
_AnyModel = Annotated[
    _CSanitized | _Informative | _Related | _PersonRelease | _TPlausible | _KSafe | _KAnonymous | _Kinds,
    Field(discriminator="name"),
]


class _Matches(_Strict):
    exact: list[Annotated[str, _searchable("exact")]] = []
    ignore_case: list[Annotated[str, _searchable("ignore_case")]] = []
    pattern: list[Annotated[str, _searchable("pattern")]] = []


class _Deny(_Matches):
    basis: Said = ""
    code: Said = ""


class _Replace(_Strict):
    style: Literal["generalize", "redact"] = "generalize"
    mark: Literal["redacted", "numbered", "kind", "block"] = "redacted"


class _Read(_Strict):
    columns: list[Said] | None = None
    leave: list[Said] = []
    pictures: Literal["blank", "keep", "refuse"] = "blank"
    unreadable: Literal["remove", "refuse", "rasterize"] = "remove"
    keep_layout: bool = True


class _File(_Strict):
    title: Said
    description: Said = ""
    law: list[Said] = []
    unknown: Literal["keep", "redact"] | None = None
    protect: list[_Protect] = []
    model: list[_AnyModel] = []
    replace: _Replace = _Replace()
    allow: _Matches = _Matches()
    deny: _Deny = _Deny()
    read: _Read = _Read()


_NAMING = ("terms", "words", "branches", "lists", "patterns", "kinds", "keep")
_TABLES: dict[str, type[_Strict]] = {
    "protect": _Protect,
    "replace": _Replace,
    "allow": _Matches,
    "deny": _Deny,
    "read": _Read,
}


def parse(text: str, name: str, folder: Path) -> Policy:
    """The policy that a text in TOML describes. ``folder`` is where the lists that it names are looked for.

    >>> parse('title = "Mine"\\n[[protect]]\\nkinds = ["emial"]', "mine.toml", Path())
    Traceback (most recent call last):
    tacit.policy.PolicyError: mine.toml, line 3: 'emial' is no kind of term; did you mean 'email'?
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        line = match.group(1) if (match := re.search(r"line (\d+)", place)) else str(text.count("\n") + 1)
        raise PolicyError(f"{name}, line {line}: this is not TOML: {message}") from None
    try:
        file = _File.model_validate(raw)
    except ValidationError as error:
        raise PolicyError(_message(error, raw, text, name)) from None
    policy = Policy(
        name=Path(name).stem,
        title=file.title,
        description=file.description.strip(),
        law=tuple(file.law),
        protect=tuple(_protected(entry, i, text, name, folder) for i, entry in enumerate(file.protect)),
        models=tuple(MappingProxyType(_parameters(m)) for m in file.model),
        style=file.replace.style,
        mark=file.replace.mark,
        unknown=file.unknown,
        allow=_matcher(file.allow),
        deny=_matcher(file.deny),
        deny_basis=Basis(file.deny.basis, file.deny.code),
        columns=None if file.read.columns is None else tuple(file.read.columns),
        leave=tuple(file.read.leave),
        pictures=file.read.pictures,
        unreadable=file.read.unreadable,
        keep_layout=file.read.keep_layout,
    )
    _refuse_contradictions(policy, text, name)
    return policy


def _matcher(given: _Matches) -> Matcher:
    return Matcher(given.exact, given.ignore_case, given.pattern)


def _parameters(model: _Strict) -> dict[str, Any]:
    """What the file says of a model; what it leaves out is the model's own default."""
    return {k: v for k, v in model.model_dump(exclude_unset=True).items() if v is not None}


def _protected(entry: _Protect, number: int, text: str, name: str, folder: Path) -> Protected:
    if not any(getattr(entry, field) for field in _NAMING):
        line = _line(text, ("protect", number))
        raise PolicyError(f"{name}, line {line}: this [[protect]] names nothing; give {', '.join(_NAMING)}")
    for kind, level in entry.keep.items():
        levels = LEVELS.get(kind, ("all",))
        if level not in levels:
            line = _line(text, ("protect", number, "keep"), level)
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
            line = _line(text, ("protect", number, "lists"), path)
            raise PolicyError(
                f"{name}, line {line}: the list {path!r} {why}; it is looked for beside the policy"
            ) from None
        if not strings:
            raise PolicyError(f"{name}, line {_line(text, ('protect', number, 'lists'), path)}: {path!r} is empty")
        lists.append((Path(path).stem, strings))
    return Protected(
        tuple(entry.terms),
        tuple(entry.words),
        tuple(entry.branches),
        tuple(lists),
        tuple(entry.patterns),
        tuple(entry.kinds),
        MappingProxyType(dict(entry.keep)),
        Basis(entry.basis, entry.code),
    )


def _refuse_contradictions(policy: Policy, text: str, name: str) -> None:
    """What each part allows but all together cannot be."""
    levels: dict[str, str] = {}
    for number, entry in enumerate(policy.protect):
        for kind, level in (*((k, "hidden") for k in entry.kinds), *entry.keep.items()):
            if levels.setdefault(kind, level) != level:
                raise PolicyError(
                    f"{name}, line {_line(text, ('protect', number, 'keep'), kind)}: {kind!r} is to be "
                    f"{levels[kind]!r} in one place and {level!r} in another; remove one"
                )
    for how in ("exact", "ignore_case", "pattern"):
        if both := set(getattr(policy.allow, how)) & set(getattr(policy.deny, how)):
            value = min(both)
            line = _line(text, ("deny", _hyphens(how)), value)
            raise PolicyError(f"{name}, line {line}: {value!r} is allowed and denied; remove it from one of the two")
    for number, model in enumerate(policy.models):
        if "alpha" in model and "reveal" in model:
            line = _line(text, ("model", number, "reveal"))
            raise PolicyError(
                f"{name}, line {line}: give alpha or reveal, not both: each sets how much may be revealed"
            )
        if any(model["name"] == other["name"] for other in policy.models[:number]):
            line = _line(text, ("model", number, "name"))
            raise PolicyError(f"{name}, line {line}: the model {model['name']!r} is named twice; remove one")


def _message(error: ValidationError, raw: dict[str, Any], text: str, name: str) -> str:
    """One message for the first fault in the order of the file."""
    faults = []
    for fault in error.errors(include_url=False):
        loc = tuple(part for i, part in enumerate(fault["loc"]) if not (i == 2 and part in _MODELS))
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
            return f"name is {given!r}, which is no model; {_hint(str(given), list(_MODELS))}"
        case "union_tag_not_found":
            return f"this [[model]] has no name; add name = ..., one of {', '.join(_MODELS)}"
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
        schema = _MODELS[raw["model"][loc[1]]["name"]]
    else:
        schema = _TABLES[loc[0]]
    return [_hyphens(field) for field in schema.model_fields]


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
