"""What each subject of a document is shown as: Algorithm 1 for single terms, then groups, each where it stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key
from taciturn.language.lexicon import LEXICON
from taciturn.models.csanitized.groups import RiskyGroup, minimal_risky_groups
from taciturn.models.csanitized.subjects import Decision, Rungs, Subject, safe_rungs
from taciturn.solvers.hitting import minimum_hitting_set

if TYPE_CHECKING:
    from taciturn.models.csanitized.model import CSanitized

__all__ = ["Search", "contexts_of", "decide", "information_kept"]

_PEOPLE = LEXICON.word_set("models.people")
_DEAR = 1000.0  # bits; more than any text has


def contexts_of(analysis: Analysis, context: str, subjects: Sequence[Subject]) -> list[frozenset[int]]:
    """Which subjects (by their number) stand together in each context."""
    return [c for c in _members(_starts(analysis, context), subjects) if len(c) > 1]


def _starts(analysis: Analysis, context: str) -> list[int]:
    """Where each context starts."""
    if context == "document":
        return [0]
    return [s for s, _ in (analysis.sentences if context == "sentence" else analysis.paragraphs)] or [0]


def _members(starts: Sequence[int], subjects: Sequence[Subject]) -> list[frozenset[int]]:
    members: list[set[int]] = [set() for _ in starts]
    for i, subject in enumerate(subjects):
        if subject.is_term:
            for start in subject.starts:
                members[max(bisect_right(starts, start) - 1, 0)].add(i)
    return [frozenset(m) for m in members]


def decide(
    model: CSanitized,
    knowledge: Knowledge,
    subjects: Sequence[Subject],
    contexts: Sequence[frozenset[int]],
    asked: dict[tuple[Key, ...], int],
) -> tuple[list[Decision], float]:
    """What each subject is shown as, so that neither a term nor a group of terms says too much.

    And a bound on the information that any decisions may keep: what single terms alone would leave of it.
    """
    search = Search(model, knowledge, model.thresholds(knowledge), subjects, asked)
    singles = search.singles()
    return search.break_groups(list(singles), contexts), information_kept(singles)


def information_kept(decisions: Sequence[Decision]) -> float:
    """The information that decisions keep, over all mentions of terms."""
    return sum(
        d.ic * (len(d.subject.starts) - len(d.kept)) + d.subject.ic * len(d.kept)
        for d in decisions
        if d.subject.is_term
    )


@dataclass(frozen=True)
class Search:
    """Algorithm 1 for single terms, then groups: what each subject of the document is shown as."""

    model: CSanitized
    knowledge: Knowledge
    limits: Mapping[Key, float]
    subjects: Sequence[Subject]
    asked: dict[tuple[Key, ...], int] = field(default_factory=dict)
    found: dict[frozenset[Key], list[RiskyGroup]] = field(default_factory=dict)

    def singles(self) -> list[Decision]:
        """Algorithm 1: each risky subject gets its most informative safe rung, or none."""
        hide_unknown = self.model.unknown == "redact"
        risky = [i for i, s in enumerate(self.subjects) if s.risk is not None or (s.unknown and hide_unknown)]
        rungs = dict(zip(risky, self._rungs([self.subjects[i] for i in risky]), strict=True))
        return [Decision(s, changed=i in rungs, rungs=rungs.get(i, ())) for i, s in enumerate(self.subjects)]

    def _rungs(self, subjects: Sequence[Subject]) -> list[Rungs]:
        if self.model.action == "redact":
            return [()] * len(subjects)
        return safe_rungs(subjects, self.knowledge, self.limits)

    def break_groups(self, decisions: list[Decision], contexts: Sequence[frozenset[int]]) -> list[Decision]:
        """Change the cheapest subjects until no context holds a risky group."""
        ladders: dict[int, Rungs] = {}
        while risky := self.risky_groups(decisions, contexts):
            sets, evidence = self._owners(risky, decisions, contexts)
            members = sorted({i for s in sets for i in s})
            todo = [i for i in members if not decisions[i].changed and i not in ladders]
            ladders.update(zip(todo, self._rungs([self.subjects[i] for i in todo]), strict=True))
            costs = [1.0] * len(decisions)
            for i in members:
                costs[i] = self._cost(i, decisions[i], ladders)
            for i in minimum_hitting_set(sets, costs, time_limit=2.0).chosen:
                around = [c for c in contexts if i in c]
                decisions[i] = self._step(i, decisions, around, ladders.get(i, ()), evidence[i])
        return decisions

    def localized(self, decisions: Sequence[Decision], analysis: Analysis) -> list[Decision]:
        """The decisions without what groups ask for in other contexts: a pair is broken where it stands together."""
        made = list(decisions)
        movable = [i for i, d in enumerate(made) if d.changed and d.group is not None and d.subject.risk is None]
        if not movable:
            return made
        starts = _starts(analysis, self.model.context)
        contexts = _members(starts, self.subjects)
        kept: dict[int, set[int]] = {i: set() for i in movable}
        # What tells most comes back first.
        for i in sorted(movable, key=lambda i: (-made[i].subject.ic, i)):
            for number, context in enumerate(contexts):
                if i in context:
                    others = (k for j in context if j != i for k in self._shown_in(j, number, made, kept))
                    keys = frozenset((*others, *made[i].subject.standing))
                    if not self._risky(keys):
                        kept[i].add(number)
        for i, numbers in kept.items():
            places = (s for s in made[i].subject.starts if max(bisect_right(starts, s) - 1, 0) in numbers)
            made[i] = replace(made[i], kept=frozenset(places))
        return made

    @staticmethod
    def _shown_in(i: int, number: int, decisions: Sequence[Decision], kept: Mapping[int, set[int]]) -> tuple[Key, ...]:
        """The keys that a subject shows in one context."""
        decision = decisions[i]
        return decision.subject.standing if number in kept.get(i, ()) else decision.keys

    def _risky(self, keys: frozenset[Key]) -> bool:
        """Do keys that stand together hold a risky group?"""
        if keys not in self.found:
            self._find([keys])
        return bool(self.found[keys])

    def _cost(self, i: int, decision: Decision, ladders: Mapping[int, Rungs]) -> float:
        """The information lost by one more step, over all mentions; never nothing, so that fewer changes win.

        A text is about its people: "patient" goes only where nothing else is left to go.
        """
        following = decision.rungs[decision.chosen + 1 :] if decision.changed else ladders.get(i, ())
        kept = following[0].ic if following else 0.0
        people = _DEAR if decision.subject.whole in _PEOPLE else 0.0
        return max(decision.ic - kept, 0.01) * len(decision.subject.starts) + 0.1 + people

    def _step(
        self,
        i: int,
        decisions: list[Decision],
        contexts: Sequence[frozenset[int]],
        rungs: Rungs,
        evidence: RiskyGroup,
    ) -> Decision:
        """The subject's most informative rung below what it shows now that joins no risky group, or none at all."""
        now = decisions[i]
        step = replace(now, changed=True, rungs=now.rungs if now.changed else rungs, group=now.group or evidence)
        start = now.chosen + 1 if now.changed else 0
        for chosen in range(start, len(step.rungs)):
            trial = replace(step, chosen=chosen)
            if trial.ic > now.ic or trial.keys == now.keys:
                continue
            around = [*decisions[:i], trial, *decisions[i + 1 :]]
            if not any(g.keys.intersection(trial.keys) for g in self.risky_groups(around, contexts)):
                return trial
        return replace(step, chosen=len(step.rungs))

    def risky_groups(self, decisions: Sequence[Decision], contexts: Sequence[frozenset[int]]) -> list[RiskyGroup]:
        shown = dict.fromkeys(frozenset(k for i in c for k in decisions[i].keys) for c in contexts)
        self._find([keys for keys in shown if keys not in self.found])
        # The groups of a context depend on its keys alone, so that a step in one leaves those of the others.
        risky = dict.fromkeys(g for keys in shown for g in self.found[keys])
        place = {entity: number for number, entity in enumerate(self.limits)}
        return sorted(risky, key=lambda g: (place[g.entity], len(g.keys), sorted(g.keys)))

    def _find(self, new: Sequence[frozenset[Key]]) -> None:
        """Look for the risky groups of keys that stand together."""
        for entity, limit in self.limits.items() if new else ():
            groups = minimal_risky_groups(
                new, entity, limit, self.knowledge.witnesses, self.model.groups, self.model.support, self.asked
            )
            for keys in new:
                self.found.setdefault(keys, []).extend(g for g in groups if g.keys <= keys)

    def _owners(
        self, groups: Sequence[RiskyGroup], decisions: Sequence[Decision], contexts: Sequence[frozenset[int]]
    ) -> tuple[list[frozenset[int]], dict[int, RiskyGroup]]:
        """The sets of subjects that show each risky group, context by context, and one group for each subject."""
        sets: dict[frozenset[int], None] = {}
        evidence: dict[int, RiskyGroup] = {}
        by_key: dict[Key, list[RiskyGroup]] = {}
        for group in groups:
            by_key.setdefault(min(group.keys), []).append(group)
        for context in contexts:
            shows: dict[Key, list[int]] = {}
            for i in sorted(context):
                for name in decisions[i].keys:
                    shows.setdefault(name, []).append(i)
            for group in (g for name in shows for g in by_key.get(name, ()) if g.keys <= shows.keys()):
                # Where one key is shown by several subjects, all of them must change: the least loaded key goes first.
                owners = min((shows[k] for k in sorted(group.keys)), key=len)
                alone = [shows[k][0] for k in sorted(group.keys) if len(shows[k]) == 1]
                members = frozenset(alone) if alone else frozenset(owners)
                sets[members] = None
                for i in members:
                    evidence.setdefault(i, group)
        return list(sets), evidence
