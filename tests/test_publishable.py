"""The attack on public certificates: an adversary who has text, certificate, knowledge and program computes for one
concept after another what certificate would stand there if it were the protected one. Many must fit, not a few."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from taciturn import (
    CSanitized,
    Denied,
    Informative,
    InputError,
    Kinds,
    Knowledge,
    KSafe,
    PersonRelease,
    Related,
    TPlausible,
    certificate,
    sanitize,
)
from taciturn.batch.collect import collection
from taciturn.batch.tables import Columns
from taciturn.batch.work import shown as in_manifest
from taciturn.frames import release_cells
from taciturn.models.base import Model
from taciturn.policy import Policy
from taciturn.release import ModelsLike, certify, several_models

ENOUGH = 100
NOTE = (
    "The patient was admitted with fever and night sweats. He has AIDS and takes zidovudine. "
    "His brother Paul visited him on 3 May in Boston. He smokes and has a cough."
)
Make = Callable[[str], ModelsLike]

MODELS: dict[str, tuple[str, Make]] = {
    "c-sanitized": ("HIV", lambda name: CSanitized(protect=[name], alpha=1.5)),
    "c-sanitized, reveal": ("HIV", lambda name: CSanitized(protect=[name], reveal="virus")),
    "c-sanitized, two": ("HIV", lambda name: CSanitized(protect=[name, "syphilis"])),
    "denied": ("AIDS", lambda name: Denied(protect=[name])),
    "informative": ("HIV", lambda name: Informative(protect=[name])),
    "related": ("HIV", lambda name: Related(protect=[name])),
    "person-release": ("Paul", lambda name: PersonRelease(protect=[name])),
    "policy": ("HIV", lambda name: Policy.load("hipaa-safe-harbor", [name])),
}


@pytest.fixture(scope="module")
def concepts() -> list[str]:
    """All concepts that the counts know, in an order that has nothing to do with them."""
    every = list(Knowledge.default().counts.keys())
    random.Random(24).shuffle(every)
    return every


def fitting(
    shown: Any, released: Any, make: Make, names: list[str], row: Callable[[Any], Any]
) -> Iterator[tuple[int, str]]:
    """The concepts, each with its place among all, for which the same would be said of the released text."""
    for number, name in enumerate(names):
        try:
            found = certify(
                released.report.released, several_models(make(name)), Knowledge.default(), released.applied.spans
            )
        except (InputError, ValueError):
            continue
        if row(found) == shown:
            yield number, name


def public(found: certificate.Certificate) -> Any:
    said = found.to_json()
    whole = collection(found, [{"document": "note.txt", "certificate": in_manifest(found)}], None)
    return said["guarantees"], said["limits"], said["holds"], in_manifest(found), whole


@pytest.mark.parametrize("model", MODELS)
def test_many_concepts_fit_every_certificate(model: str, concepts: list[str]) -> None:
    name, make = MODELS[model]
    released = sanitize(NOTE, make(name))
    shown = public(released.certificate)
    assert name not in str(shown)
    fit = fitting(shown, released, make, concepts, public)
    assert len([next(fit) for _ in range(ENOUGH)]) == ENOUGH
    assert next(fitting(shown, released, make, [name], public), None), "the protected one is among those that fit"


@pytest.mark.slow
@pytest.mark.parametrize("base", sorted(Knowledge.default().entities))
def test_k_safety_does_not_tell_its_entity(base: str) -> None:
    knowledge = Knowledge.default()
    entities = sorted(knowledge.entities[base].contexts)
    name = next(e for e in entities[len(entities) // 2 :])

    def make(entity: str) -> Model:
        return KSafe(knowledge.entities[base], [entity])

    released = sanitize("He has a cough and a fever.", make(name))
    fit = fitting(public(released.certificate), released, make, entities, public)
    assert len([next(fit) for _ in range(ENOUGH)]) == ENOUGH


@pytest.mark.slow
def test_t_plausibility_publishes_the_same_for_all_that_its_text_leaves(concepts: list[str]) -> None:
    """The text itself says that the term is a kind of what is written; the certificate says no more than that."""
    released = sanitize("He has AIDS.", TPlausible(protect=["AIDS"], t=5))
    names = ["AIDS", "malaria", "syphilis", "influenza", "measles", "hepatitis", "tuberculosis", *concepts[:200]]
    made = [TPlausible(protect=[name], t=5) for name in names]
    said = [certify(released.report.released, [m], Knowledge.default(), released.applied.spans) for m in made]
    left = [public(found) for found in said if found.holds]
    assert left
    assert all(shown == public(released.certificate) for shown in left)


def test_the_column_of_frames_is_the_same_for_all_that_leave_the_same_text(concepts: list[str]) -> None:
    columns, knowledge = Columns(("note",)), Knowledge.default()
    text = sanitize(NOTE, CSanitized(protect=["HIV"])).text
    said = {}
    for name in ("HIV", *concepts[:30]):
        changed, told = release_cells({"note": text}, columns, [CSanitized(protect=[name])], knowledge)
        if not changed:
            said[name] = told
    assert said["HIV"]["released"]
    assert len(said) > 10
    assert all(told == said["HIV"] for told in said.values())


def test_kinds_publish_the_same_whoever_is_named() -> None:
    made = [sanitize(f"Mr. {name} came.", Kinds(hide=["person"])) for name in ("Paul Miller", "John Carter")]
    assert made[0].text == made[1].text
    assert public(made[0].certificate) == public(made[1].certificate)


@pytest.mark.slow
def test_the_private_figures_do_tell(concepts: list[str]) -> None:
    """The attack can succeed: on what certificates published before, it finds the entity among hundreds."""
    name, make = MODELS["c-sanitized"]
    released = sanitize(NOTE, make(name))
    fit = list(fitting(released.certificate.private(), released, make, [*concepts[:300], "HIV"], lambda c: c.private()))
    assert len(fit) <= 3


def test_no_parameter_comes_of_what_is_protected() -> None:
    for model in (CSanitized(protect=["HIV"], reveal="virus"), Informative(protect=["HIV"]), Related(protect=["HIV"])):
        rows = sanitize("He has AIDS.", model).certificate.to_json()["guarantees"]
        assert not {"beta", "tau", "alpha"} & rows[0]["parameters"].keys()
        assert "virus" not in str(rows)
