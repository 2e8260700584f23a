"""Subjects: the things that a document mentions, and the decision about each.

All mentions of a subject are replaced by the same phrase, so a model decides once for each subject.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taciturn.document import Term
from taciturn.generalize.categories import Called, called, differ
from taciturn.generalize.denial import is_denied
from taciturn.generalize.joining import CONCEPT, PHRASE, WHAT, joined
from taciturn.generalize.ladder import CATEGORY, KIND, Rung, is_known, ladder, looks_like_a_name
from taciturn.generalize.phrasebook import RESULT
from taciturn.generalize.writing import (
    Marks,
    MarkStyle,
    in_compound,
    is_result,
    is_shouted,
    is_valued,
    possession,
    stands_bare,
    write_mark,
    write_phrase,
)
from taciturn.knowledge import Knowledge
from taciturn.knowledge.speaking import PART_OF_NAME
from taciturn.knowledge.taxonomies.flags import GENERAL
from taciturn.knowledge.witnesses import Witnesses
from taciturn.language import Analysis, Key, key
from taciturn.language.lexicon import LEXICON
from taciturn.models.csanitized.groups import RiskyGroup
from taciturn.plan import Edit, Figure, resolve
from taciturn.reading import NAMES, ROUNDING, Figures, Reading, figures_of, is_empty, phrases, telling, whole

__all__ = ["Decision", "Risk", "Rungs", "Subject", "edits_of", "safe_rungs", "subjects_of", "suspects"]


_CLINICAL = frozenset(("condition", "finding", "symptom", "medication", "test", "procedure", "treatment"))
_COPULA = re.compile(rf"\b{LEXICON.any_of('models.copula')}[ \t]$", re.IGNORECASE)


class SafeRung(NamedTuple):
    """A phrase that may stand for a subject: the key that stands for it in groups, its information content, and what it
    reveals of each entity."""

    rung: Rung
    standing: Key
    ic: float
    pmi: Mapping[Key, float]


Rungs = tuple[SafeRung, ...]
"""What may stand for a subject, in order of preference: by tier, then the most informative first."""


@dataclass(frozen=True, slots=True)
class Risk:
    """How much a subject reveals of an entity: the key that reveals most, with its counts and bits."""

    key: Key
    entity: Key
    pmi: float
    limit: float
    full: float
    count: int

    @property
    def share(self) -> float:
        """The share of the entity's information that is revealed."""
        return max(self.pmi, 0.0) / self.full


@dataclass(frozen=True, slots=True)
class Subject:
    """The readings of a document that speak of one thing.

    ``whole`` is the key that stands for it in the knowledge, None if unknown; ``ic`` its information content, by the
    mention that says least; ``most`` by the one that says most. ``partly_unknown``: of some mention nothing is known.
    ``standing`` are the keys that stand for its terms in groups: mentions of one thing may have several.
    """

    readings: tuple[Reading, ...]
    whole: Key | None
    ic: float
    closest: Risk | None
    most: float = 0.0
    partly_unknown: bool = False
    standing: tuple[Key, ...] = ()

    @property
    def risk(self) -> Risk | None:
        """Why the subject must change, for what it reveals alone; None if it need not."""
        return self.closest if self.closest and self.closest.pmi >= self.closest.limit - ROUNDING else None

    @property
    def unknown(self) -> bool:
        return self.whole is None

    @property
    def is_term(self) -> bool:
        """Is it a term at least once, and not only a word outside terms?"""
        return any(r.is_term for r in self.readings)

    @property
    def starts(self) -> list[int]:
        return [s for r in self.readings for s in r.starts]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a subject is shown as: itself, ``rungs[chosen]``, or nothing when ``chosen`` is past the last rung.

    ``kept`` are the places where it stays as it is although it changes in others.
    """

    subject: Subject
    changed: bool = False
    rungs: Rungs = ()
    chosen: int = 0
    group: RiskyGroup | None = None
    kept: frozenset[int] = frozenset()

    @property
    def shown(self) -> SafeRung | None:
        """What stands in the subject's place; None if the subject itself does, or a mark."""
        return self.rungs[self.chosen] if self.changed and self.chosen < len(self.rungs) else None

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys that the release shows for this subject, as far as groups are concerned."""
        if not self.changed:
            return self.subject.standing
        return (self.shown.standing,) if self.shown else ()

    @property
    def ic(self) -> float:
        """The information that the release keeps of this subject, in bits a mention."""
        if not self.changed:
            return self.subject.ic
        return self.shown.ic if self.shown else 0.0


def subjects_of(found: Iterable[Reading], figures: Figures, limits: Mapping[Key, float]) -> list[Subject]:
    """Readings of the same thing, by mention number or else by key, with its closest disclosure, in order."""
    together: dict[object, list[Reading]] = {}
    for reading in found:
        if not reading.is_term and not any(figures.known(k) for k in reading.keys):
            continue  # an unknown word outside all terms is no term: there is nothing to say of it
        together.setdefault(reading.mention or reading.keys[0], []).append(reading)
    entities = list(limits)
    bounds = [limits[e] for e in entities]
    # For each key, the entity that it comes closest to disclosing, and by how much.
    over = figures.pmi - np.array(bounds)[:, None] if entities else np.empty((0, len(figures.index)))
    nearest = over.argmax(axis=0).tolist() if entities else []
    excess = over.max(axis=0).tolist() if entities else []
    full = figures.full.tolist()
    index = figures.index
    subjects = []
    for group in together.values():
        named = [whole(r.keys, figures) for r in group]
        names = [name for name in named if name]
        best = max(names, key=figures.of, default=None)
        told = [telling(r, figures) for r in group]
        closest = None
        if entities and (shown := [index[k] for keys in told for k in keys]):
            at = max(shown, key=excess.__getitem__)
            e = nearest[at]
            bits = float(figures.pmi[e, at])
            closest = Risk(figures.keys[at], entities[e], bits, bounds[e], full[e], int(figures.count[at]))
        ic = min(map(figures.of, names), default=0.0)  # no mention may be shown as something that says more
        most = figures.of(best) if best is not None else 0.0
        partly = not all(told)
        terms = (name for r, name in zip(group, named, strict=True) if r.is_term and name)
        standing = tuple(dict.fromkeys(name for name in terms if not is_empty(name)))
        subjects.append(Subject(tuple(group), best, ic, closest, most, partly, standing))
    return subjects


def suspects(found: Sequence[Reading], figures: Figures, limits: Mapping[Key, float], unknown: bool) -> list[Reading]:
    """The readings that may be risky alone; with ``unknown`` also those of which the knowledge may know nothing.

    A reading is suspect if any of its keys reaches a limit. This is computed for all readings at once, on arrays.
    :func:`subjects_of` then decides about the few that are suspect.
    """
    bounds = np.array(list(limits.values()))[:, None] - ROUNDING
    reached: NDArray[np.bool_] = np.logical_or.reduce(figures.pmi >= bounds, axis=0)
    sizes = np.fromiter(map(len, (r.keys for r in found)), dtype=np.int64, count=len(found))
    keys = chain.from_iterable(r.keys for r in found)
    at = np.fromiter(map(figures.index.__getitem__, keys), dtype=np.int64, count=int(sizes.sum()))
    # Every reading has a key of its own, so no run is empty.
    runs = np.cumsum(sizes) - sizes
    suspect = np.logical_or.reduceat(reached[at], runs) if len(runs) else np.zeros(0, dtype=np.bool_)
    if unknown:
        suspect |= figures.count[at[runs]] == 0  # what is not known by its own key may be by none
    subjects = {found[i].mention or found[i].keys[0] for i in np.flatnonzero(suspect).tolist()}
    return [r for r in found if (r.mention or r.keys[0]) in subjects] if subjects else []


def safe_rungs(
    subjects: Sequence[Subject],
    knowledge: Knowledge,
    limits: Mapping[Key, float],
    ceiling: float = inf,
    words: Knowledge | None = None,
) -> list[Rungs]:
    """For each subject the rungs of its ladder that are safe, in order of preference.

    Safe: known, less informative than ``ceiling`` and no more so than the subject, and neither the phrase nor anything
    inside it reaches the limit of any entity. ``words`` is what the ladders are taken from, if not from ``knowledge``.
    """
    ladders = [ladder(s.readings[0], s.whole, words or knowledge) for s in subjects]
    shown = {r: _shown(r) for rungs in ladders for r in rungs}
    figures = figures_of((k for keys in shown.values() for k in keys), knowledge, list(limits))
    bounds = np.array(list(limits.values())) - ROUNDING
    safe: dict[Rung, SafeRung] = {}
    for rung, keys in shown.items():
        standing = rung.key if figures.known(rung.key) else whole(keys, figures)
        if standing is None or figures.of(standing) >= ceiling - ROUNDING:
            continue
        reached = figures.pmi[:, [figures.index[k] for k in keys]].max(axis=1)
        if (reached < bounds).all():
            told = dict(zip(limits, reached.tolist(), strict=True))
            safe[rung] = SafeRung(rung, standing, figures.of(standing), told)
    chosen = []
    for subject, rungs in zip(subjects, ladders, strict=True):
        most = inf if subject.unknown else subject.ic
        fitting = [safe[r] for r in rungs if r in safe and safe[r].ic <= most]
        chosen.append(tuple(sorted(fitting, key=lambda s: (s.rung.tier, -s.ic))))
    return chosen


def _shown(rung: Rung) -> tuple[Key, ...]:
    """The keys that a rung shows: the one it is judged by, those of all phrases in it, and of the class it names."""
    if not rung.is_written:
        return rung.key, *phrases(rung.label, rung.key), *((rung.node,) if rung.node else ())
    whole_key = key(rung.label)
    return tuple(dict.fromkeys((rung.key, whole_key, *phrases(rung.label, whole_key))))


Evidence = Callable[["Decision"], tuple[str, dict[str, Figure]]]
"""Why a decision was made, in words and in figures."""


def edits_of(
    decisions: Sequence[Decision],
    analysis: Analysis,
    mark: MarkStyle,
    model: str,
    knowledge: Knowledge,
    evidence: Evidence | None = None,
) -> tuple[Edit, ...]:
    """The edits that show each changed subject as decided, with the evidence, in order and without overlap.

    Another model gives its own ``evidence``.

    ``knowledge`` says what things are.
    """
    text = analysis.document.text
    starts = [s for s, _ in analysis.sentences] or [0]
    marks = Marks(mark, text)
    professional: bool | None = None
    edits = []
    changed = [(term, r, d) for d in decisions if d.changed for r in d.subject.readings for term in r.terms]
    for term, reading, decision in sorted(changed, key=lambda row: row[0].start):
        if term.start in decision.kept:
            continue
        sentence = analysis.sentences[max(bisect_right(starts, term.start) - 1, 0)]
        everyday = called(term.key, knowledge).is_everyday
        if everyday and professional is None:
            entities = [d.subject.closest.entity for d in decisions if d.subject.closest is not None]
            professional = _is_professional([*entities, *(t.key for t in analysis.terms)], knowledge)
        shown, category, concept = _stamped(term, decision, text, knowledge, bool(professional) or not everyday)
        stamp = partial(marks.mark, shown, category, "" if concept is None else str(concept))
        written, phrase = None, ""
        rung = decision.shown.rung if decision.shown else None
        if rung is not None and (category or rung.source != CATEGORY) and _fits(rung, reading, term, text, knowledge):
            label = f"{stamp()} {rung.label}" if rung.is_relative else rung.label
            is_guess = rung.source == KIND
            written = write_phrase(label, term, text, sentence, is_name=rung.is_name, is_guess=is_guess)
            phrase = rung.label
            if rung.source in (CATEGORY, KIND) and (
                stands_bare(written, text)
                or is_denied(term, text, sentence)
                or (category == "test" and is_valued(term, text))
            ):
                written, phrase = None, ""
        if written is None:
            written = write_mark(stamp(), term, text)
        reason, figures = evidence(decision) if evidence else _evidence(decision, knowledge.witnesses)
        figures |= {WHAT: category, PHRASE: phrase} | ({} if concept is None else {CONCEPT: concept})
        original = text[written.start : written.end]
        local = decision.subject.risk is None and decision.group is not None
        edits.append(
            Edit(written.start, written.end, original, written.text, reason, model, term.kind, figures, local=local)
        )
    return joined(resolve(edits, analysis.document), analysis.document, partial(differ, knowledge=knowledge))


def _fits(rung: Rung, reading: Reading, term: Term, text: str, knowledge: Knowledge) -> bool:
    """Can a phrase take the place of a term here? Not in a compound or a heading, nor for an adjective."""
    if in_compound(term, text) or _is_adjective(reading, term, text, rung) or is_shouted(term.text):
        return False
    return rung.source != KIND or not is_known(key(possession(term, text)), knowledge)


def _is_professional(names: Iterable[Key], knowledge: Knowledge) -> bool:
    """Does a text use, or have to hide, a name that only professionals have? Then its everyday words may be theirs."""
    for name in dict.fromkeys(names):
        found = called(name, knowledge)
        if found.phrases and not found.is_everyday and found.mark in _CLINICAL and is_known(name, knowledge):
            return True
    return False


def _stamped(
    term: Term, decision: Decision, text: str, knowledge: Knowledge, is_professional: bool
) -> tuple[Term, str, int | None]:
    """A term as a mark shows it, with its category, and the concept where it is certain which one it is."""
    category = called(term.key, knowledge)
    if category.is_everyday and not is_professional:
        category = Called()  # a stroke of luck, the cold outside
    mark, concept = category.mark, category.concept
    if is_result(term, text):
        return term, RESULT, None
    if not mark and (owned := possession(term, text)) and (named := called(key(owned), knowledge)).mark:
        return term, named.mark, None  # "Kaposi's sarcoma" has the name of nobody
    risk = decision.subject.risk
    if not mark and risk is not None and risk.key == term.key:
        told = knowledge.witnesses.speaking(risk.entity).get(term.key)
        if told is not None and told.witness == "name" and told.says != PART_OF_NAME:
            mark = called(risk.entity, knowledge).mark  # another name of what is protected is what that is
    if not mark and not (looks_like_a_name(term.text) if term.kind in NAMES else any(map(str.isdigit, term.text))):
        term = replace(term, kind="other")  # a guess
    return term, mark, concept


def _is_adjective(reading: Reading, term: Term, text: str, rung: Rung) -> bool:
    """Is a word that stands in no noun phrase used as an adjective? No noun can take its place: "she is gay"."""
    if reading.role != "word" or term.text[:1].isupper():
        return False
    return GENERAL in rung.flags or _COPULA.search(text, max(0, term.start - 12), term.start) is not None


def _evidence(decision: Decision, witnesses: Witnesses) -> tuple[str, dict[str, Figure]]:
    subject, risk, group = decision.subject, decision.subject.risk, decision.group
    figures: dict[str, Figure] = {"ic": round(subject.ic, 3), "ic_kept": round(decision.ic, 3)}
    if decision.shown is not None:
        figures["rung"] = decision.shown.rung.source
    if risk is not None:
        figures |= {"entity": risk.entity, "key": risk.key, "pmi": round(risk.pmi, 3), "limit": round(risk.limit, 3)}
        figures |= {"count": risk.count, "pmi_kept": _kept(decision, risk.entity)}
        reason = f"{risk.key!r} reveals {risk.pmi:.2f} bits of {risk.entity!r}; the limit is {risk.limit:.2f}"
        if heard := witnesses.testimonies(risk.entity, risk.key):
            said = heard[0]
            figures |= {"witness": said.witness, "says": said.says, "sources": ", ".join(said.sources)}
            reason += f" ({said.witness}: {said.says}{': ' * bool(said.sources)}{', '.join(said.sources)})"
        return reason, figures
    if group is not None:
        members = ", ".join(sorted(group.keys))
        figures |= {"entity": group.entity, "group": members, "pmi": round(group.pmi, 3), "support": group.support}
        figures["pmi_kept"] = _kept(decision, group.entity)
        return f"together, {members} reveal {group.pmi:.2f} bits of {group.entity!r}", figures
    return "nothing is known of this term", figures


def _kept(decision: Decision, entity: Key) -> float:
    """The bits of an entity that a decision still reveals."""
    return round(max(decision.shown.pmi[entity], 0.0), 3) if decision.shown else 0.0
