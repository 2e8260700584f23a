"""What is said of a whole collection: what is guaranteed, in public; which document reveals most, in private."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from taciturn.batch.work import PRIVATE
from taciturn.certificate import Certificate

__all__ = ["closest_entity", "collection", "weakest"]

_LARGEST, _ALLOWED = "largest share of entity ", "allowed share of entity "


def collection(
    promise: Certificate, entries: Iterable[Mapping[str, Any]], dossiers: Iterable[Mapping[str, Any]] | None
) -> dict[str, Any]:
    """The public statement on a collection. Like a certificate it says nothing that depends on what is protected."""
    documents = failed = 0
    for entry in entries:
        documents += 1
        failed += "reason" in entry
    said: dict[str, Any] = {
        "taciturn": "collection/2",
        "documents": documents,
        "released": documents - failed,
        "failed": failed,
        "knowledge_sha256": promise.knowledge_digest,
        "limits": "Each document is guaranteed by itself, against a reader who knows what this knowledge knows; "
        "what several documents say together is checked for dossiers only.",
        "guarantees": [
            {"model": g.model, "statement": g.statement, "parameters": dict(g.parameters)} for g in promise.guarantees
        ],
    }
    if dossiers is not None:
        judged = [(entry["holds"], "reason" in entry) for entry in dossiers]
        unsafe = sum(not holds for holds, _ in judged)
        said["dossiers"] = {"checked": len(judged), "unsafe": unsafe, "too large to check": sum(r for _, r in judged)}
    return said


def weakest(
    promise: Certificate, entries: Iterable[Mapping[str, Any]], dossiers: Iterable[Mapping[str, Any]] | None
) -> dict[str, Any]:
    """The private figures on a collection: the weakest document and dossier of each guarantee, with its margin and the
    number of the protected entity of which it tells most."""
    least: list[dict[str, Any] | None] = [None] * len(promise.guarantees)
    for entry in entries:
        if PRIVATE in entry:
            _weaken(least, entry[PRIVATE], {"document": entry["document"]})
    said: dict[str, Any] = {"documents": least}
    if dossiers is not None:
        said["dossiers"] = _of_dossiers(dossiers)
    return said


def _of_dossiers(dossiers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    only_together = 0
    least: list[dict[str, Any] | None] = []
    for entry in dossiers:
        private = entry.get(PRIVATE, {})
        only_together += private.get("not safe alone") == 0
        guarantees = private.get("guarantees", ())
        least = least or [None] * len(guarantees)
        _weaken(least, guarantees, {"dossier": entry["dossier"]})
    return {"safe alone but not together": only_together, "weakest": least}


def _weaken(least: list[dict[str, Any] | None], guarantees: Iterable[Mapping[str, Any]], where: dict[str, Any]) -> None:
    """Keep the smaller margin, model by model; of equals the first."""
    for i, g in enumerate(guarantees):
        before = least[i]
        if g["margin"] is not None and (before is None or g["margin"] < before["margin"]):
            said = {**where, "model": g["model"], "holds": g["holds"], "margin": g["margin"]}
            if (closest := closest_entity(g["figures"])) is not None:
                said["closest entity"] = closest
            least[i] = said


def closest_entity(figures: Mapping[str, Any]) -> int | None:
    """The number of the protected entity of which most is told, measured by what may be told of it.

    A model that has no shares may name it in its figures itself.

    >>> closest_entity({"largest share of entity 1": 0.2, "allowed share of entity 1": 0.5,
    ...                 "largest share of entity 2": 0.3, "allowed share of entity 2": 0.4})
    2
    """
    if "closest entity" in figures:
        return int(figures["closest entity"])
    shares = {
        int(name.removeprefix(_LARGEST)): share / figures[name.replace(_LARGEST, _ALLOWED)]
        for name, share in figures.items()
        if name.startswith(_LARGEST)
    }
    return max(shares, key=lambda n: (shares[n], -n), default=None)
