"""Declarations: one for each model, true of its constructor, and refused where they cannot be."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import pytest

from taciturn import InputError, registry
from taciturn.models import CSanitized, Detecting, Kinds, KSafe
from taciturn.models.declare import (
    Declaration,
    Dial,
    Either,
    declaration_of,
    declarations,
    declare,
    declared,
    find_declaration,
    parameter,
    verify,
)
from taciturn.models.parameter import Parameter

LEAST: dict[str, dict[str, Any]] = {
    "c-sanitized": {"protect": ["HIV"]},
    "denied": {"protect": ["HIV"]},
    "indistinct": {"protect": ["HIV"]},
    "informative": {"beta": 5.0},
    "k-anonymous": {"list": ["Ann", "Anne"]},
    "k-safe": {"protect": ["HIV"]},
    "kinds": {"hide": ["email"]},
    "person-release": {"protect": ["Mary Holt"]},
    "related": {"protect": ["HIV"]},
    "t-plausible": {"protect": ["HIV"], "t": 2},
}
"""The least that each model must be given."""

INTERNAL = {
    "mentions",
    "ts",
    "_excluded",
    "_index",
    "_masks",
    "_own_stars",
    "book",
    "dossier",
    "hidden",
    "met",
    "names",
    "own",
    "solved",
}
EACH = [pytest.param(d, id=d.name) for d in declarations()]


PARAMETERS = [pytest.param(d, p, id=f"{d.name} {p.name}") for d in declarations() for p in d.parameters]


@pytest.mark.parametrize("told", EACH)
def test_every_field_is_declared_or_internal(told: Declaration) -> None:
    assert {f.name for f in fields(told.model)} - set(told.names) <= INTERNAL
    assert told.model.name == told.name
    assert told.says.endswith(".")


@pytest.mark.parametrize("told", EACH)
def test_a_model_made_with_the_least_has_the_declared_defaults(told: Declaration) -> None:
    model = told.make(LEAST[told.name])
    for p in told.parameters:
        if p.name not in LEAST[told.name]:
            assert getattr(model, p.name) == p.default


@pytest.mark.parametrize("told", EACH)
def test_without_what_it_hides_a_model_cannot_be(told: Declaration) -> None:
    given = {k: v for k, v in LEAST[told.name].items() if k not in told.needs}
    with pytest.raises(InputError, match="nothing to protect"):
        told.make(given)
    if not any(told[name].is_required for name in told.needs):
        with pytest.raises(ValueError, match="nothing to protect"):
            told.model(**given)


@pytest.mark.parametrize(("told", "p"), PARAMETERS)
def test_constructors_refuse_what_the_declaration_excludes(told: Declaration, p: Parameter) -> None:
    wrong: list[Any] = []
    wrong += [p.least - 1] if p.least is not None else []
    wrong += [p.most + 1] if p.most is not None else []
    wrong += [x for x in (p.above, p.below) if x is not None]
    wrong += [float("nan"), float("inf")] if float in p.plain else []
    wrong += [2.5, True] if int in p.plain and float not in p.plain else []
    wrong += ["no such choice", 7] if p.choices else []
    wrong += [7, "x"] if p.is_flag else []
    rivals = {k: v for k, v in LEAST[told.name].items() if k not in told.rivals(p.name)}
    for value in wrong:
        with pytest.raises(ValueError, match=rf"{p.name} is .*, but must be "):
            told.model(**{**rivals, p.name: value})


@pytest.mark.parametrize(("told", "p"), PARAMETERS)
def test_every_parameter_says_what_it_is(told: Declaration, p: Parameter) -> None:
    assert p.says.endswith(".")
    assert p.says[0].isupper()
    if p.default is None:
        assert p.absent or told.rivals(p.name)  # what stands in its place is said


def test_parameters_that_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="give alpha or reveal, not both: each sets how much may be revealed"):
        CSanitized(protect="HIV", alpha=2, reveal="virus")
    assert declaration_of(CSanitized).rivals("alpha") == {"reveal"}


def test_what_is_written_as_text_is_read_as_the_type_says() -> None:
    related, safe, plausible = (declared(name) for name in ("related", "k-safe", "t-plausible"))
    assert [related["beta"].read(t) for t in ("9.5", "disease")] == [9.5, "disease"]
    assert (safe["k"].read("4"), plausible["uniform"].read("no"), safe["protect"].read("HIV")) == (4, False, "HIV")
    for p, text in ((safe["k"], "many"), (safe["search"], "fast"), (plausible["uniform"], "maybe")):
        with pytest.raises(ValueError, match=f"{p.name} is '{text}'"):
            p.read(text)


def test_what_a_model_does_not_take_and_what_it_lacks() -> None:
    with pytest.raises(InputError, match="the model 'k-safe' takes no 'alpha'; it takes entities, protect"):
        declared("k-safe").make({"protect": ["HIV"], "alpha": 2})
    with pytest.raises(InputError, match="the model 't-plausible' needs 't': at least this many base texts"):
        declared("t-plausible").make({"protect": ["HIV"]})


def test_a_model_that_is_not_declared_is_found_out() -> None:
    detecting = Detecting(model=Kinds(hide=["person"]), detect=lambda text: [])
    assert find_declaration(detecting) is None
    with pytest.raises(InputError, match="is no declared model; put @declare"):
        declaration_of(detecting)
    registry.models.register("mine")(KSafe)
    try:
        with pytest.raises(InputError, match="'k-safe' is registered as 'mine'"):
            declared("mine")
    finally:
        registry.models.unregister("mine")


@pytest.mark.parametrize(
    "wrong",
    [
        {"needs": ("terms",)},
        {"dial": Dial("alpha", (1, 2), "how much")},
        {"either": (Either(("protect", "beta"), "each names what is hidden"),)},
    ],
)
def test_a_declaration_speaks_of_parameters_that_are_there(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="which is none of its parameters"):

        @declare(**wrong)
        @dataclass(frozen=True)
        class Mine:
            name: ClassVar[str] = "mine"
            protect: str = field(metadata=parameter("What to hide."))


def test_a_constructor_verifies_and_keeps_terms_as_a_tuple() -> None:
    model = KSafe(protect="May Rose", k=2)
    assert model.protect == ("May Rose",)
    object.__setattr__(model, "k", 0)
    with pytest.raises(ValueError, match="k is 0, but must be a whole number, 1 or more"):
        verify(model)
