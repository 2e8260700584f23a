"""The figures behind a decision, and what would change it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from taciturn.document import Document
from taciturn.generalize.ladder import ladder
from taciturn.knowledge import Knowledge
from taciturn.knowledge.speaking import Testimony
from taciturn.language import Key, analyze, key
from taciturn.models.csanitized.groups import RiskyGroup
from taciturn.models.csanitized.model import CSanitized
from taciturn.models.csanitized.subjects import Subject, safe_rungs
from taciturn.reading import ROUNDING, Reading, figures_of, phrases
from taciturn.report.sentences import conclusion, sentences

__all__ = ["Explanation", "Row", "Step", "explain_document", "explain_term"]


@dataclass(frozen=True, slots=True)
class Row:
    """What a term says of one protected entity, and which witness says it: ``testimonies``, the strongest first."""

    entity: str
    key: str
    count_entity: int
    count_term: int
    count_both: int
    ic_entity: float
    ic_term: float
    pmi: float
    limit: float
    testimonies: tuple[Testimony, ...] = ()

    @property
    def risky(self) -> bool:
        return self.pmi >= self.limit - ROUNDING

    @property
    def share(self) -> float:
        """The share of the entity's information that the term reveals."""
        return max(self.pmi, 0.0) / self.ic_entity

    @property
    def kept_up_to(self) -> float:
        """The term is kept for every alpha below this."""
        return self.ic_entity / self.pmi if self.pmi > 0 else inf


@dataclass(frozen=True, slots=True)
class Step:
    """One rung of the ladder with its verdict."""

    label: str
    source: str
    ic: float
    share: float
    safe: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a term is kept or changed: the worst row for each entity, the ladder, and the groups that it is part of.

    ``told`` says in plain English what the witnesses know of each entity.
    """

    text: str
    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    groups: tuple[RiskyGroup, ...] = ()
    mentions: int = 1
    told: tuple[str, ...] = ()

    @property
    def risky(self) -> bool:
        return any(r.risky for r in self.rows)

    @property
    def share(self) -> float:
        return max((r.share for r in self.rows), default=0.0)

    @property
    def verdict(self) -> str:
        """One sentence for people, with what would change it."""
        if not self.rows or not any(r.count_term or r.pmi > 0 for r in self.rows):
            return "unknown: the knowledge has never seen it, so it is neither evidence nor proof of safety"
        worst = max(self.rows, key=lambda r: r.pmi - r.limit)
        if worst.risky:
            rung = next((s for s in self.steps if s.safe), None)
            shown = f"shown as {rung.label!r}" if rung else "redacted, for no rung of its ladder is safe"
            if worst.kept_up_to <= 1 + 1e-9:
                return f"{shown}; it gives {worst.entity!r} away completely, whatever alpha"
            return f"{shown}; it would be kept for alpha below {worst.kept_up_to:.2f}"
        if self.groups:
            group = self.groups[0]
            others = " and ".join(repr(k) for k in sorted(group.keys) if k != worst.key)
            return f"kept if {others} goes: together they reveal {group.pmi:.2f} bits of {group.entity!r}"
        if worst.kept_up_to == inf:
            return "kept; it says nothing of what is protected"
        return f"kept; it would be hidden from alpha {worst.kept_up_to:.2f}"

    def to_json(self) -> dict[str, Any]:
        rows = [
            {
                "entity": r.entity,
                "key": r.key,
                "n_entity": r.count_entity,
                "n_term": r.count_term,
                "n_both": r.count_both,
                "ic_entity": r.ic_entity,
                "ic_term": _finite(r.ic_term),
                "pmi": _finite(r.pmi),
                "limit": r.limit,
                "share": r.share,
                "kept_below_alpha": _finite(r.kept_up_to),
                "risky": r.risky,
                "witnesses": [t._asdict() for t in r.testimonies],
            }
            for r in self.rows
        ]
        steps = [
            {"label": s.label, "source": s.source, "ic": _finite(s.ic), "share": s.share, "safe": s.safe}
            for s in self.steps
        ]
        groups = [{"keys": sorted(g.keys), "entity": g.entity, "pmi": g.pmi, "support": g.support} for g in self.groups]
        return {
            "term": self.text,
            "mentions": self.mentions,
            "risky": self.risky,
            "verdict": self.verdict,
            "told": list(self.told),
            "entities": rows,
            "ladder": steps,
            "groups": groups,
        }


def _finite(value: float) -> float | None:
    return value if abs(value) != inf else None


def explain_term(text: str, model: CSanitized, knowledge: Knowledge) -> Explanation:
    """The figures of one term, asked for by itself."""
    found = [r for r in model.read(analyze(Document.of(text)), knowledge) if r.text == text]
    name = key(text)
    reading = found[0] if found else Reading(text, (name, *phrases(text, name)), "other", 0, "term", (0,))
    return _explain(reading, reading.keys[0], model, knowledge)


def _explain(
    reading: Reading,
    known: Key | None,
    model: CSanitized,
    knowledge: Knowledge,
    groups: tuple[RiskyGroup, ...] = (),
    mentions: int = 1,
) -> Explanation:
    limits = model.thresholds(knowledge)
    counts = knowledge.counts
    own = reading.keys[0]
    shown = figures_of(reading.keys, knowledge, list(limits))
    rows = []
    for e, (entity, limit) in enumerate(limits.items()):
        worst = max(shown.index, key=lambda k: (shown.pmi[e, shown.index[k]], k == own))
        at = shown.index[worst]
        rows.append(
            Row(
                entity,
                worst,
                counts.count(entity),
                int(shown.count[at]),
                counts.count(entity, worst),
                float(shown.full[e]),
                float(shown.ic[at]),
                float(shown.pmi[e, at]),
                limit,
                knowledge.witnesses.testimonies(entity, worst),
            )
        )
    subject = Subject((reading,), known, shown.of(own) if shown.known(own) else inf, None)
    safe = {s.rung for s in safe_rungs([subject], knowledge, limits)[0]}
    rungs = ladder(reading, known, knowledge)
    figures = figures_of((r.key for r in rungs), knowledge, list(limits))
    rungs = tuple(sorted(rungs, key=lambda r: (r.tier, -figures.of(r.key) if figures.known(r.key) else 0.0)))
    steps = []
    for rung in rungs:
        share = float((figures.pmi[:, figures.index[rung.key]] / shown.full).max())
        label = f"[REDACTED] {rung.label}" if rung.is_relative else rung.label
        steps.append(Step(label, rung.source, figures.of(rung.key), max(share, 0.0), rung in safe))
    told = tuple(_told(row, knowledge) for row in rows)
    return Explanation(reading.text, tuple(rows), tuple(steps), groups, mentions, tuple(filter(None, told)))


def _told(row: Row, knowledge: Knowledge) -> str:
    """What the witnesses say of one entity, and what a reader would make of it."""
    told = sentences(row.key, row.entity, knowledge)
    return " ".join((*told, conclusion(row.share, row.limit / row.ic_entity))) if told else ""


def explain_document(
    document: Document, model: CSanitized, knowledge: Knowledge, most: int | None = None
) -> list[Explanation]:
    """What the terms of a document give away, the most revealing first; at most ``most`` of them."""
    analysis = analyze(document)
    subjects = [s for s in model.subjects(model.read(analysis, knowledge), knowledge) if s.closest is not None]
    risky = model.risky_groups(analysis, subjects, knowledge)
    in_groups = {k for g in risky for k in g.keys}

    def rank(subject: Subject) -> tuple[bool, bool, float]:
        assert subject.closest is not None
        return (subject.risk is None, subject.whole not in in_groups, -subject.closest.share)

    explained = []
    for subject in sorted(subjects, key=rank)[:most]:
        groups = tuple(g for g in risky if subject.whole in g.keys)
        first = subject.readings[0]
        explained.append(_explain(first, subject.whole, model, knowledge, groups, len(subject.starts)))
    return explained
