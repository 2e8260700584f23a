"""The dials: the one parameter of each model that says how much, and what each of its positions costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from tacit.knowledge import Knowledge
from tacit.models.base import Model
from tacit.models.excepting import Excepting
from tacit.review.decisions import Dial

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


_KNOBS: dict[str, tuple[str, tuple[float, ...], bool, str]] = {
    "c-sanitized": (
        "alpha",
        (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0),
        False,
        "less than 1/alpha of an entity's information may be revealed",
    ),
    "related": ("w", (0.2, 0.35, 0.5, 0.65, 0.8, 1.0), False, "the share of the threshold that a term may reveal"),
    "t-plausible": ("t", (2, 10, 100, 1000, 10_000, 100_000), True, "at least t base texts fit the release"),
    "k-safe": ("k", (1, 2, 3, 5, 8, 12), True, "at least K other entities fit what is left"),
    "k-anonymous": ("k", (2, 3, 5, 10, 20, 50), True, "at least k entries match a masked string"),
    "person-release": ("recall", (0.1, 0.3, 0.5, 0.7, 0.9), False, "above 0.5 more is hidden, below it less"),
}


def inner(model: Model) -> Any:
    """The model itself, where a policy has wrapped it."""
    return model.model if isinstance(model, Excepting) else model


def knobs(models: Sequence[Model], knowledge: Knowledge) -> list[Knob]:
    """The dials of these models, as they stand.

    >>> from tacit.models import KSafe
    >>> knob = knobs([KSafe(protected=["AIDS"], k=3)], None)[0]
    >>> knob.parameter, knob.value
    ('k', 3.0)
    """
    found = []
    for number, wrapped in enumerate(models):
        model = inner(wrapped)
        if model.name not in _KNOBS or getattr(model, "reveal", None) is not None:
            continue
        parameter, positions, whole, says = _KNOBS[model.name]
        value = getattr(model, parameter)
        if value is None:
            value = knowledge.calibrated(parameter)
        shown = tuple(sorted({*positions, float(value)}))
        found.append(Knob(number, model.name, parameter, float(value), shown, whole, says))
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
