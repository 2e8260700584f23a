"""Schemas of models, made from their declarations: what a policy file or a request may say of each.

Loaded only when a policy or a request is read: pydantic takes longer to import than all of Taciturn.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, create_model

from taciturn.models.declare import declaration_of
from taciturn.models.parameter import Parameter
from taciturn.recognizers import all_kinds

__all__ = ["Kind", "Said", "hyphens", "model_schema"]

S = TypeVar("S", bound=BaseModel)


def hyphens(name: str) -> str:
    """The name of a parameter as files spell it.

    >>> hyphens("time_limit")
    'time-limit'
    """
    return name.replace("_", "-")


def _known_kind(*others: str) -> AfterValidator:
    def valid(value: str) -> str:
        kinds = (*all_kinds(), *others)
        if value not in kinds:
            near = get_close_matches(value, kinds, 1, 0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(kinds)}"
            raise ValueError(f"{value!r} is no kind of term; {hint}")
        return value

    return AfterValidator(valid)


def _said(value: str) -> str:
    if not value.strip():
        raise ValueError("an empty text says nothing; write something or leave it out")
    return value


Said = Annotated[str, AfterValidator(_said)]
Kind = Annotated[str, _known_kind()]
_AnyKind = Annotated[str, _known_kind("other")]


@cache
def model_schema(model: Any, base: type[S], text: Any = Said, largest: int | None = None) -> type[S]:
    """The schema of a declared model: its name, and every parameter that can be written without Python.

    ``text`` is the type of texts, ``largest`` bounds whole numbers that have no limit of their own. A parameter that
    names what is protected may be left out: a policy has it elsewhere.

    >>> from taciturn.models import KSafe
    >>> model_schema(KSafe, BaseModel)(k=0)
    Traceback (most recent call last):
    pydantic_core._pydantic_core.ValidationError: 1 validation error for k-safe
    ...
    """
    told = declaration_of(model)
    fields: dict[str, Any] = {"name": (Literal[told.name], told.name)}
    for p in told.parameters:
        if p.is_plain:
            default = ... if p.is_required and not p.is_content else None
            fields[p.name] = (_type(p, text, largest), Field(default, description=_description(p)))
    made: type[S] = create_model(told.name, __base__=base, **fields)
    return made


def _type(p: Parameter, text: Any, largest: int | None) -> Any:
    limits: dict[str, Any] = {"ge": p.least, "le": p.most, "gt": p.above, "lt": p.below}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    each = _AnyKind if p.holds == "kinds" else text
    members: list[Any] = []
    for kind in p.plain:
        if kind is int:
            bounded = {"le": largest, **limits} if largest is not None else limits
            members.append(Annotated[int, Field(**bounded)])
        elif kind is float:
            members.append(Annotated[float, Field(allow_inf_nan=False, **limits)])
        elif kind is str and not p.is_listed:
            members.append(text)
        elif kind == list[str]:
            members.append(Annotated[list[each], BeforeValidator(_one_or_more)])  # type: ignore[valid-type]
        elif get_origin(kind) is dict:
            members.append(dict[each, get_args(kind)[1]])  # type: ignore[valid-type, misc]
        elif kind is bool or get_origin(kind) is Literal:
            members.append(kind)
    return reduce(or_, members)


def _one_or_more(value: Any) -> Any:
    """A text alone is one term."""
    return [value] if isinstance(value, str) else value


def _description(p: Parameter) -> str:
    return f"{p.says} Default: {p.standard}." if p.standard else p.says
