"""Models are declared once, in their own module; everything else that has to know their parameters reads it here.

A model is a frozen dataclass with a class attribute ``name``, whose fields carry their explanations and limits
(:func:`~taciturn.models.parameter.parameter`), under the decorator :func:`declare`. From that follow the checks of its
constructor, the options of the command line, the schemas of policies and of the service, the dials of review, the
choices of ``evaluate`` and the tables of the documentation. Whoever registers such a class (:mod:`taciturn.registry`)
has a model that works in all of them.

>>> declared("k-safe")["k"].says
'At least this many other entities fit what is left of the text as well.'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from inspect import getdoc
from typing import Any, TypeVar, get_type_hints

from taciturn import registry
from taciturn.errors import InputError
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis
from taciturn.models.base import Bindable, Model
from taciturn.models.parameter import Parameter, parameter

__all__ = [
    "DEFAULT",
    "Declaration",
    "Dial",
    "Either",
    "declaration_of",
    "declarations",
    "declare",
    "declared",
    "find_declaration",
    "parameter",
    "verify",
]

DEFAULT = "c-sanitized"
"""The model where none is named."""

Together = Callable[[Any, Analysis, Knowledge], Model | None]
"""From a model, to the one that judges several releases read as one text; None if they are too large for it."""

C = TypeVar("C", bound=type)


@dataclass(frozen=True, slots=True)
class Dial:
    """The one parameter that says how much, as review turns it: the positions of its curve, and what it means."""

    parameter: str
    positions: tuple[float, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Either:
    """Parameters of which at most one may be given, and why."""

    names: tuple[str, ...]
    why: str

    @property
    def message(self) -> str:
        return f"give {' or '.join(self.names)}, not both: {self.why}"


@dataclass(frozen=True, slots=True)
class Declaration:
    """What there is to know of a model before any text is read.

    ``needs``: parameters of which at least one must be given, for they name what is hidden. ``either``: those that
    exclude each other. ``infers``: does it keep terms from being inferred? A policy whose models do not gets
    :data:`DEFAULT` as well. ``by_row``: is each record, a row of a table or a line of a text, judged by itself?
    ``local``: does the guarantee hold for a text just when it holds for each of its sentences (or contexts, where the
    model has a parameter ``context``)? Review then checks only the part that a decision changed. ``together``: how a
    dossier is judged; None if the model has nothing to say about several releases.
    """

    model: Any  # the class: a type that no checker could say more of
    name: str
    parameters: tuple[Parameter, ...]
    needs: tuple[str, ...] = ()
    either: tuple[Either, ...] = ()
    dial: Dial | None = None
    infers: bool = False
    by_row: bool = False
    local: bool = False
    together: Together | None = None

    @property
    def says(self) -> str:
        """What the model does, in a sentence."""
        return " ".join((getdoc(self.model) or "").split("\n\n")[0].split())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(p.name for p in self.parameters)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Parameter:
        return next(p for p in self.parameters if p.name == name)

    def rivals(self, name: str) -> frozenset[str]:
        """The parameters that a parameter excludes."""
        return frozenset(n for e in self.either if name in e.names for n in e.names) - {name}

    def make(self, given: Mapping[str, Any]) -> Model:
        """The model with these parameters; ``ValueError`` if they are not what it takes."""
        for name in given:
            if name not in self:
                raise InputError(f"the model {self.name!r} takes no {name!r}; it takes {', '.join(self.names)}")
        for p in self.parameters:
            if p.is_required and p.name not in given and p.name not in self.needs:
                raise InputError(f"the model {self.name!r} needs {p.name!r}: {p.says[:1].lower()}{p.says[1:]}")
        if self.needs and not any(given.get(name) not in (None, (), [], {}) for name in self.needs):
            raise InputError(self.nothing(lambda p: f"`{p.name}`"))
        model: Model = self.model(**given)
        return model

    def nothing(self, spelled: Callable[[Parameter], str]) -> str:
        """What to say where nothing is named that the model could hide; ``spelled`` is how parameters are called."""
        needed = " or ".join(spelled(self[name]) for name in self.needs)
        return f"nothing to protect: the model {self.name!r} needs {needed}"


def declare(
    *,
    needs: tuple[str, ...] = (),
    either: tuple[Either, ...] = (),
    dial: Dial | None = None,
    infers: bool = False,
    by_row: bool = False,
    local: bool = False,
    together: Together | None = None,
) -> Callable[[C], C]:
    """Declare the dataclass below to be a model; the arguments are those of :class:`Declaration`.

    A model that takes nothing from an original judges a dossier as one text, unless ``together`` says otherwise.
    """

    def put(model: C) -> C:
        hints = get_type_hints(model)
        found = (Parameter.of(field, hints[field.name]) for field in fields(model))
        parameters = tuple(p for p in found if p is not None)
        judge = together or (None if issubclass(model, Bindable) else _as_it_is)
        name = str(getattr(model, "name"))  # noqa: B009 (no type says that a class has a name)
        told = Declaration(model, name, parameters, needs, either, dial, infers, by_row, local, judge)
        for known in (*needs, *(n for e in either for n in e.names), *((dial.parameter,) if dial else ())):
            if known not in told:
                raise TypeError(f"{model.__name__} declares {known!r}, which is none of its parameters")
        model.__declaration__ = told  # type: ignore[attr-defined]
        return model

    return put


def _as_it_is(model: Any, whole: Analysis, knowledge: Knowledge) -> Model | None:
    asked: Model = model
    return asked


def find_declaration(model: object) -> Declaration | None:
    """The declaration of a model or of its class; None for one that only Python code made and knows."""
    found = getattr(model, "__declaration__", None)
    return found if isinstance(found, Declaration) else None


def declaration_of(model: object) -> Declaration:
    """The declaration of a model, or of its class."""
    found = find_declaration(model)
    if found is None:
        raise InputError(f"{model!r} is no declared model; put @declare from taciturn.models.declare above its class")
    return found


def declared(name: str) -> Declaration:
    """The declaration of the model that is registered under a name."""
    found = declaration_of(registry.models[name])
    if found.name != name:
        raise InputError(f"the model {found.name!r} is registered as {name!r}; register it under its own name")
    return found


def declarations() -> tuple[Declaration, ...]:
    """The declarations of all registered models, by name.

    >>> [d.name for d in declarations() if d.dial is None]
    ['denied', 'informative', 'kinds']
    """
    return tuple(declared(name) for name in registry.models)


def verify(model: object) -> None:
    """Check the parameters of a model against its declaration, and bring them into the form that it keeps.

    Models call it first in ``__post_init__``, so that a constructor refuses what every other way in refuses.
    """
    told = declaration_of(model)
    for p in told.parameters:
        value = getattr(model, p.name)
        kept = p.verified(value)
        if kept is not value:
            object.__setattr__(model, p.name, kept)
    given = {p.name for p in told.parameters if getattr(model, p.name) not in (None, ())}
    for e in told.either:
        if len(given.intersection(e.names)) > 1:
            raise ValueError(e.message)
    if told.needs and not given.intersection(n for n in told.needs if getattr(model, n) != {}):
        raise ValueError(told.nothing(lambda p: p.name))
