"""The dials, as the models declare them: the one parameter of each that says how much, and where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from taciturn.knowledge import Knowledge
from taciturn.models.base import Model
from taciturn.models.declare import find_declaration
from taciturn.models.excepting import Excepting
from taciturn.review.decisions import Dial

__all__ = ["Knob", "inner", "knobs", "turned"]


@dataclass(frozen=True, slots=True)
class Knob:
    """A parameter that a reviewer may turn: where it stands, and the positions that its curve shows."""

    model: int
    name: str
    parameter: str
    value: float
    positions: tuple[float, ...]
    whole: bool
    says: str


def inner(model: Model) -> Any:
    """The model itself, where a policy has wrapped it."""
    return model.model if isinstance(model, Excepting) else model


def knobs(models: Sequence[Model], knowledge: Knowledge) -> list[Knob]:
    """The dials of these models, as they stand.

    >>> from taciturn.models import KSafe
    >>> knob = knobs([KSafe(protect=["AIDS"], k=3)], None)[0]
    >>> knob.parameter, knob.value
    ('k', 3.0)
    """
    found = []
    for number, wrapped in enumerate(models):
        model = inner(wrapped)
        told = find_declaration(model)
        dial = told.dial if told is not None else None
        if told is None or dial is None:
            continue
        if any(getattr(model, rival) is not None for rival in told.rivals(dial.parameter)):
            continue
        value = getattr(model, dial.parameter)
        if value is None:
            value = knowledge.calibrated(dial.parameter)
        shown = tuple(sorted({*dial.positions, float(value)}))
        whole = float not in told[dial.parameter].plain
        found.append(Knob(number, told.name, dial.parameter, float(value), shown, whole, dial.says))
    return found


def turned(models: Sequence[Model], dials: Iterable[Dial], knowledge: Knowledge) -> tuple[Model, ...]:
    """The models with dials turned, the last turn of each counting; ``ValueError`` for a position that cannot be."""
    known = {(k.model, k.parameter): k for k in knobs(models, knowledge)}
    result = list(models)
    for dial in dials:
        if (dial.model, dial.parameter) not in known:
            raise ValueError(f"model {dial.model} of this review has no dial {dial.parameter!r}")
        knob = known[dial.model, dial.parameter]
        if knob.whole and dial.value != int(dial.value):
            raise ValueError(f"{dial.parameter} is a whole number, not {dial.value}")
        result[dial.model] = _with(result[dial.model], dial.parameter, int(dial.value) if knob.whole else dial.value)
    return tuple(result)


def _with(model: Model, parameter: str, value: float) -> Model:
    if isinstance(model, Excepting):
        return replace(model, model=_with(model.model, parameter, value))
    given = {f.name: getattr(model, f.name) for f in fields(model) if f.init}  # type: ignore[arg-type]
    return type(model)(**{**given, parameter: value})
