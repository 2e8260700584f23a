"""What may become of each thing of a text, what that costs, and what is then said of the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taciturn.knowledge import Knowledge
from taciturn.language import Key
from taciturn.models.csanitized.subjects import Decision, Rungs, Subject, safe_rungs, subjects_of
from taciturn.models.indistinct.contest import Contest
from taciturn.models.indistinct.speaking import Spoken, repeated
from taciturn.reading import figures_of, phrases

__all__ = ["Option", "options_of"]

Floats = NDArray[np.float64]

_RUNGS = 5  # more general phrases that are tried for a thing
_MEMBERS = 6  # expressions of one thing that are changed one after the other
_KEPT = 0.5  # how much of a word's worth a phrase keeps that says as much; the words are others all the same


@dataclass(frozen=True)
class Option:
    """What becomes of a thing: a decision for each of its subjects, the cost in words, and for each contest what is
    then said of each candidate. ``names`` says that it still gives a protected entity away."""

    decisions: tuple[Decision, ...]
    cost: float
    bits: tuple[Floats, ...]
    names: bool


def options_of(said: Spoken, contests: Sequence[Contest], knowledge: Knowledge, *, redact: bool) -> list[list[Option]]:
    """For each thing its options; the first is to keep it. What speaks for no protected entity is kept."""
    speaks = [
        i for i, t in enumerate(said.things) if any(b[i, 0] > 0 for b in said.bits) or _names(t.keys, contests)
    ]  # fmt: skip
    figures = figures_of((k for i in speaks for k in said.things[i].keys), knowledge)
    subjects = {i: subjects_of(said.things[i].readings, figures, {}) for i in speaks}
    every = [s for i in speaks for s in subjects[i]]
    ladders = [()] * len(every) if redact or not every else safe_rungs(every, knowledge, {})
    rungs = {id(s): r for s, r in zip(every, ladders, strict=True)}
    asked = dict.fromkeys(k for s in every for k in _keys(s))
    asked |= dict.fromkeys(k for rs in ladders for r in rs[:_RUNGS] for k in _rung_keys(r.rung.label, r.rung.key))
    at = {k: n for n, k in enumerate(asked)}
    tables = [c.evidence(list(asked)) for c in contests]
    found: list[list[Option]] = []
    for i, thing in enumerate(said.things):
        kept = Option((), 0.0, tuple(b[i] for b in said.bits), _names(thing.keys, contests))
        if i not in subjects:
            found.append([Option((), 0.0, kept.bits, False)])
            continue
        ordered = sorted(
            subjects[i], key=lambda s: -max(float(t[[at[k] for k in _keys(s)], 0].max(initial=0.0)) for t in tables)
        )
        options = [kept]
        for decisions in _ways(ordered, [rungs[id(s)] for s in ordered]):
            shown = [_shown(d) for d in decisions]
            rows = [at[k] for keys in shown for k in keys]
            mentions = len({s for d, keys in zip(decisions, shown, strict=True) if keys for s in d.subject.starts})
            bits = tuple(
                _said(t[rows], mentions, before) for t, before in zip(tables, kept.bits, strict=True)
            )  # fmt: skip
            keys = [k for some in shown for k in some]
            options.append(Option(decisions, _cost(decisions), bits, bool(keys) and _names(keys, contests)))
        found.append(options)
    return found


def _said(rows: Floats, mentions: int, before: Floats) -> Floats:
    """What is said of each candidate by the expressions that are shown.

    Of the others no more than before: words are changed to hide the entity, not to speak for someone else.
    """
    if not len(rows):
        return np.zeros(len(before))
    bits: Floats = rows.max(axis=0) * repeated(mentions)
    bits[1:] = np.minimum(bits[1:], before[1:])
    return bits


def _names(keys: Sequence[Key], contests: Sequence[Contest]) -> bool:
    return any(c.gives_away(keys) for c in contests)


def _ways(subjects: Sequence[Subject], ladders: Sequence[Rungs]) -> list[tuple[Decision, ...]]:
    """The ways to change a thing: one subject to each of its rungs and to a mark; of several, the most telling ones."""
    if len(subjects) == 1:
        several = [(r,) for r in ladders[0][:_RUNGS]]
        return [(Decision(subjects[0], changed=True, rungs=rungs),) for rungs in (*several, ())]
    ways: list[tuple[Decision, ...]] = []
    for number in dict.fromkeys((*range(1, min(len(subjects), _MEMBERS) + 1), len(subjects))):
        unchanged = tuple(Decision(s) for s in subjects[number:])
        if any(ladders[:number]):
            wider = (Decision(s, changed=True, rungs=r[:1]) for s, r in zip(subjects, ladders[:number], strict=False))
            ways.append((*wider, *unchanged))
        ways.append((*(Decision(s, changed=True) for s in subjects[:number]), *unchanged))
    return ways


def _keys(subject: Subject) -> tuple[Key, ...]:
    return tuple(dict.fromkeys(k for r in subject.readings for k in r.keys))


def _rung_keys(label: str, name: Key) -> tuple[Key, ...]:
    return (name, *phrases(label, name))


def _shown(decision: Decision) -> tuple[Key, ...]:
    """The keys that a decision shows."""
    if not decision.changed:
        return _keys(decision.subject)
    return _rung_keys(decision.shown.rung.label, decision.shown.rung.key) if decision.shown else ()


def _cost(decisions: Sequence[Decision]) -> float:
    """The words that are changed, less what a more general phrase keeps of their worth."""
    total = 0.0
    for d in decisions:
        if d.changed:
            words = sum(len(r.text.split()) * len(r.starts) for r in d.subject.readings)
            kept = min(d.shown.ic / d.subject.ic, 1.0) if d.shown and d.subject.ic > 0 else float(d.shown is not None)
            total += words * (1 - _KEPT * kept)
    return total
