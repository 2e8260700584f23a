"""What can be said of all documents together: the weakest guarantee, and the dossier that is closest to telling."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tacit.release import Certificate

__all__ = ["closest_entity", "collection"]

_LARGEST, _ALLOWED = "largest share of entity ", "allowed share of entity "


def collection(
    promise: Certificate, entries: Iterable[Mapping[str, Any]], dossiers: Iterable[Mapping[str, Any]] | None
) -> dict[str, Any]:
    """The statement on a collection. Like a certificate it names no term, and protected entities only by number."""
    documents = failed = 0
    weakest: list[dict[str, Any] | None] = [None] * len(promise.guarantees)
    for entry in entries:
        documents += 1
        failed += "reason" in entry
        if "certificate" in entry:
            _weaken(weakest, entry["certificate"]["guarantees"], {"document": entry["document"]})
    said: dict[str, Any] = {
        "tacit": "collection/1",
        "documents": documents,
        "released": documents - failed,
        "failed": failed,
        "knowledge_sha256": promise.knowledge_digest,
        "limits": "Each document is guaranteed by itself, against a reader who knows what this knowledge knows; "
        "what several documents say together is checked for dossiers only.",
        "guarantees": [
            {"model": g.model, "statement": g.statement, "parameters": dict(g.parameters), "weakest": least}
            for g, least in zip(promise.guarantees, weakest, strict=True)
        ],
    }
    if dossiers is not None:
        said["dossiers"] = _of_dossiers(dossiers)
    return said


def _of_dossiers(dossiers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    checked = unsafe = only_together = unchecked = 0
    weakest: list[dict[str, Any] | None] = []
    for entry in dossiers:
        checked += 1
        unsafe += not entry["holds"]
        only_together += not entry["holds"] and entry.get("not safe alone") == 0
        unchecked += "reason" in entry
        guarantees = entry.get("guarantees", ())
        weakest = weakest or [None] * len(guarantees)
        _weaken(weakest, guarantees, {"dossier": entry["dossier"]})
    said = {"checked": checked, "unsafe": unsafe, "safe alone but not together": only_together}
    return {**said, "too large to check": unchecked, "weakest": weakest}


def _weaken(
    weakest: list[dict[str, Any] | None], guarantees: Iterable[Mapping[str, Any]], where: dict[str, Any]
) -> None:
    """Keep the smaller margin, model by model; of equals the first."""
    for i, g in enumerate(guarantees):
        before = weakest[i]
        if g["margin"] is not None and (before is None or g["margin"] < before["margin"]):
            said = {**where, "model": g["model"], "holds": g["holds"], "margin": g["margin"]}
            if (closest := closest_entity(g["figures"])) is not None:
                said["closest entity"] = closest
            weakest[i] = said


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
