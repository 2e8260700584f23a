"""Dossiers: released documents that a reader will see side by side, judged as one text.

What a model hides in each of two documents may be said by both together. So the releases of a dossier are read as one
text, and each model judges that in the way that its declaration says. That may ask more than the model asks of a single
document; the entry therefore also says how many of the documents fail that question by themselves. A dossier that is
too large to be judged is not called safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from taciturn.batch.work import PRIVATE, Job, bear, figures, knowledge_of, read_part, write_part
from taciturn.document import Document
from taciturn.formats import Options, read
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, analyze
from taciturn.models import Guarantee, Model
from taciturn.models.base import Bindable
from taciturn.models.declare import find_declaration
from taciturn.models.excepting import Excepting
from taciturn.processes import LostError, OverrunError, Worker

__all__ = ["Dossier", "do_dossier", "judge", "judged", "together"]

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


def do_dossier(job: Job, dossier: Dossier, worker: Worker) -> int:
    """Have one dossier judged and leave its part; returns 1 if its releases are not safe together."""
    try:
        found = bear(worker, dossier, (job.options or Options()).limits.seconds)
    except (OverrunError, LostError) as error:
        found = {"holds": False, "reason": f"it cannot be judged: {error}"}
    entry = {"dossier": dossier.name, "documents": dossier.documents, **found}
    write_part(job.part(dossier.number, "dossier"), [entry])
    return 0 if entry["holds"] else 1


def judged(job: Job, dossier: Dossier) -> dict[str, Any]:
    """Whether the releases of a dossier are safe together: what a worker process does with it."""
    models = [model for model in job.models if together(model)]
    return judge(_texts(job, dossier), models, knowledge_of(job.pack))


def _texts(job: Job, dossier: Dossier) -> list[str]:
    parts = {number: read_part(job.part(number)) for number in {part for part, _ in dossier.rows}}
    if dossier.rows:
        said = [parts[part][line]["changed"] for part, line in dossier.rows]
        return ["\n\n".join(cells[name] or "" for name in job.columns.text) for cells in said]
    return [read(job.released / name, name, job.options).document.text for name in dossier.names]


def together(model: Model) -> bool:
    """Can this model say whether several releases are safe side by side? Its declaration says how.

    A model whose check depends on what one original said has nothing to say about a union.
    """
    if isinstance(model, Excepting):
        return together(model.model)
    told = find_declaration(model)
    return told.together is not None if told is not None else not isinstance(model, Bindable)


def judge(texts: Sequence[str], models: Sequence[Model], knowledge: Knowledge) -> dict[str, Any]:
    """Do the guarantees hold for texts taken together? And if not, for how many of them do they fail alone?"""
    if sum(map(len, texts)) > _CHARACTERS:
        return {"holds": False, "reason": f"more than {_CHARACTERS:,} characters, too many to check together"}
    whole = analyze(Document.join((f"document {i}", text) for i, text in enumerate(texts, 1)))
    bounded = [_for_all(model, whole, knowledge) for model in models]
    asked = [model for model in bounded if model is not None]
    if len(asked) < len(models):
        return {"holds": False, "reason": "so many terms meet a protected entity that not even pairs can be checked"}
    guarantees = [model.check(whole, knowledge) for model in asked]
    holds = all(g.holds for g in guarantees)
    private: dict[str, Any] = {"guarantees": [_with_groups(g) for g in guarantees]}
    if not holds:
        private["not safe alone"] = sum(not _holds(text, asked, knowledge) for text in texts)
    return {"holds": holds, "guarantees": figures(guarantees), PRIVATE: private}


def _holds(text: str, models: Sequence[Model], knowledge: Knowledge) -> bool:
    analysis = analyze(Document.of(text))
    return all(model.check(analysis, knowledge).holds for model in models)


def _with_groups(guarantee: Guarantee) -> dict[str, Any]:
    """All figures of a guarantee; how large the groups were depends on how many terms meet the protected entity."""
    said = guarantee.told()
    size = guarantee.parameters.get("groups")
    return said if size is None else {**said, "groups": size}


def _for_all(model: Model, whole: Analysis, knowledge: Knowledge) -> Model | None:
    """The model that judges the releases read as one text; None if they are too large for it."""
    if isinstance(model, Excepting):
        inner = _for_all(model.model, whole, knowledge)
        return replace(model, model=inner) if inner is not None else None
    told = find_declaration(model)
    return told.together(model, whole, knowledge) if told is not None and told.together is not None else model
