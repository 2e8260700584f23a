"""Dossiers: released documents that a reader will see side by side, judged as one context.

What one model hides within a sentence may be said by two documents together. So the releases of a dossier are read as
one text, and every group of terms that the model would look at within a context is looked at, whichever documents its
members come from. That asks more than the model asks of a single document; the entry therefore also says how many of
the documents fail that question by themselves.

The number of groups grows with a power of the number of terms, so it is bounded: a larger dossier is judged by smaller
groups, which its figures say, and one that is too large even for pairs is not called safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from tacit.batch.work import Job, figures, knowledge_of, read_part, write_part
from tacit.document import Document
from tacit.formats import read
from tacit.knowledge import Knowledge
from tacit.language import Analysis, analyze
from tacit.models import CSanitized, Guarantee, Model
from tacit.models.base import Bindable
from tacit.models.excepting import Excepting

__all__ = ["Dossier", "do_dossier", "judge", "together"]

_GROUPS = 2_000_000  # candidate groups of one dossier and entity: some ten seconds, some hundred megabytes
_CHARACTERS = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Dossier:
    """Documents that belong together: files by their names, rows also by the part and the line they are kept in."""

    number: int
    name: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, int], ...] = ()

    @property
    def documents(self) -> int:
        return len(self.names)


def do_dossier(job: Job, dossier: Dossier) -> int:
    """Judge one dossier and leave its part; returns 1 if its releases are not safe together."""
    texts = _texts(job, dossier)
    models = [one for model in job.models if (one := together(model)) is not None]
    entry = {"dossier": dossier.name, "documents": dossier.documents, **judge(texts, models, knowledge_of(job.pack))}
    write_part(job.part(dossier.number, "dossier"), [entry])
    return 0 if entry["holds"] else 1


def _texts(job: Job, dossier: Dossier) -> list[str]:
    parts = {number: read_part(job.part(number)) for number in {part for part, _ in dossier.rows}}
    if dossier.rows:
        said = [parts[part][line]["changed"] for part, line in dossier.rows]
        return ["\n\n".join(cells[name] or "" for name in job.columns.text) for cells in said]
    return [read(job.released / name, name, job.options).document.text for name in dossier.names]


def together(model: Model) -> Model | None:
    """The model that asks whether several releases are safe side by side: all of them are one context.

    None for a model whose check depends on what one original said: it has nothing to say about a union.
    """
    if isinstance(model, Excepting):
        inner = together(model.model)
        return replace(model, model=inner) if inner is not None else None
    if isinstance(model, CSanitized):
        return replace(model, context="document")
    return None if isinstance(model, Bindable) else model


def judge(texts: Sequence[str], models: Sequence[Model], knowledge: Knowledge) -> dict[str, Any]:
    """Do the guarantees hold for texts taken together? And if not, for how many of them do they fail alone?"""
    if sum(map(len, texts)) > _CHARACTERS:
        return {"holds": False, "reason": f"more than {_CHARACTERS:,} characters, too many to check together"}
    whole = analyze(Document.join((f"document {i}", text) for i, text in enumerate(texts, 1)))
    bounded = [_bounded(model, whole, knowledge) for model in models]
    asked = [model for model in bounded if model is not None]
    if len(asked) < len(models):
        return {"holds": False, "reason": "so many terms meet a protected entity that not even pairs can be checked"}
    guarantees = [model.check(whole, knowledge) for model in asked]
    said: dict[str, Any] = {"holds": all(g.holds for g in guarantees)}
    if not said["holds"]:
        said["not safe alone"] = sum(not _holds(text, asked, knowledge) for text in texts)
    return {**said, "guarantees": [_with_groups(g) for g in guarantees]}


def _holds(text: str, models: Sequence[Model], knowledge: Knowledge) -> bool:
    analysis = analyze(Document.of(text))
    return all(model.check(analysis, knowledge).holds for model in models)


def _with_groups(guarantee: Guarantee) -> dict[str, Any]:
    [said] = figures([guarantee])
    size = guarantee.parameters.get("groups")
    return said if size is None else {**said, "groups": size}


def _bounded(model: Model, analysis: Analysis, knowledge: Knowledge) -> Model | None:
    """The model with groups as large as can be enumerated; None if that is not even pairs."""
    if isinstance(model, Excepting):
        inner = _bounded(model.model, analysis, knowledge)
        return replace(model, model=inner) if inner is not None else None
    if not isinstance(model, CSanitized) or model.groups == 1:
        return model
    entities = list(model.thresholds(knowledge))
    keys = list(dict.fromkeys(k for r in model.read(analysis, knowledge) if r.is_term for k in r.keys))
    joint = knowledge.counts.table(entities, keys)[1:]
    alive = int((joint >= model.support).sum(axis=1).max(initial=0))
    sizes = [size for size in range(2, model.groups + 1) if comb(alive, size) <= _GROUPS]
    return replace(model, groups=max(sizes)) if sizes else None
