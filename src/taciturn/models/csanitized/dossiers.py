"""C-sanitized for a dossier, several releases about one case: all of them together are one context.

Two documents together may reveal what neither reveals alone. So groups may have terms from different documents. The
number of groups grows with a power of the number of terms and is bounded: a larger dossier is judged by smaller groups.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING

from taciturn.knowledge import Knowledge
from taciturn.language import Analysis

if TYPE_CHECKING:
    from taciturn.models.csanitized.model import CSanitized

__all__ = ["as_one_context"]

_GROUPS = 2_000_000  # candidate groups of one dossier and entity: some ten seconds, some hundred megabytes


def as_one_context(model: CSanitized, whole: Analysis, knowledge: Knowledge) -> CSanitized | None:
    """The model that judges a dossier read as one text, with groups as large as can be enumerated.

    None if that is not even pairs.
    """
    model = replace(model, context="document")
    if model.groups == 1:
        return model
    entities = list(model.thresholds(knowledge))
    keys = list(dict.fromkeys(k for r in model.read(whole, knowledge) if r.is_term for k in r.keys))
    joint = knowledge.counts.table(entities, keys)[1:]
    alive = int((joint >= model.support).sum(axis=1).max(initial=0))
    sizes = [size for size in range(2, model.groups + 1) if comb(alive, size) <= _GROUPS]
    return replace(model, groups=max(sizes)) if sizes else None
