"""C-sanitized: no term, and no group of terms, reveals 1/alpha or more of a protected entity (Sánchez, Batet 2016).

A released text is (alpha, C)-sanitized iff for every protected entity c no term t and no group T of terms within one
context has PMI(c; t) >= IC(c)/alpha or PMI(c; T) >= IC(c)/alpha. Planning is here; the check is in
:mod:`taciturn.models.csanitized.check`, with a search of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import ClassVar, Literal

from taciturn.document import Span
from taciturn.generalize.writing import MarkStyle
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key
from taciturn.models.base import Guarantee
from taciturn.models.csanitized.check import recheck
from taciturn.models.csanitized.dossiers import as_one_context
from taciturn.models.csanitized.groups import RiskyGroup, minimal_risky_groups
from taciturn.models.csanitized.subjects import Decision, Rungs, Subject, edits_of, safe_rungs, subjects_of, suspects
from taciturn.models.declare import Dial, Either, declare, parameter, verify
from taciturn.models.parameter import ACTION, MARK, UNKNOWN, Action, Unknown
from taciturn.plan import Plan, resolve
from taciturn.reading import ROUNDING, Reading, figures_of, locate, read
from taciturn.solvers.hitting import minimum_hitting_set

__all__ = ["CSanitized"]

Context = Literal["sentence", "paragraph", "document"]


@declare(
    needs=("protect",),
    either=(Either(("alpha", "reveal"), "each sets how much may be revealed"),),
    dial=Dial(
        "alpha",
        (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0),
        "less than 1/alpha of an entity's information may be revealed",
    ),
    infers=True,
    local=True,
    together=as_one_context,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class CSanitized:
    """Hide entities from a reader who knows which terms go with them.

    >>> import taciturn
    >>> taciturn.sanitize("He has AIDS.", taciturn.CSanitized(protect=["HIV"])).text
    'He has a condition.'
    """

    name: ClassVar[str] = "c-sanitized"

    protect: str | Sequence[str] = field(
        metadata=parameter("The entities that a reader must not infer.", takes="terms", holds="concepts")
    )
    alpha: float | None = field(
        default=None,
        metadata=parameter(
            "Less than 1/alpha of an entity's information may be revealed; 1 forbids unequivocal disclosure only.",
            least=1,
            absent="the pack's",
        ),
    )
    reveal: str | None = field(
        default=None,
        metadata=parameter("Instead of alpha: at most what this more general term says may be revealed."),
    )
    groups: int = field(
        default=2,
        metadata=parameter("The largest group of terms that is looked at; 1: single terms only.", least=1, most=4),
    )
    context: Context = field(default="sentence", metadata=parameter("Within what the terms of a group stand together."))
    support: int = field(
        default=5,
        metadata=parameter(
            "A group is evidence when the corpus shows it with the entity at least this many times.", least=1
        ),
    )
    action: Action = field(default="generalize", metadata=ACTION)
    unknown: Unknown = field(default="keep", metadata=UNKNOWN)
    mark: MarkStyle = field(default="category", metadata=MARK)

    def __post_init__(self) -> None:
        verify(self)

    def thresholds(self, knowledge: Knowledge) -> dict[Key, float]:
        """For each protected entity, by its key, the bits of it that a reader must not learn.

        >>> knowledge = Knowledge.default()
        >>> limits = CSanitized(protect=["hiv"], alpha=2).thresholds(knowledge)
        >>> limits["HIV"] == knowledge.ic("HIV") / 2
        True
        """
        entities = [e for name in self.protect for e in knowledge.entities_named(name)]
        if self.reveal is not None:
            allowed = knowledge.witnesses.information(knowledge.find(self.reveal))
            # What the term itself says is allowed: a reader must not learn more than that.
            limits = dict.fromkeys(entities, allowed + 2 * ROUNDING if allowed else 0.0)
        else:
            alpha = self.alpha if self.alpha is not None else knowledge.calibrated("alpha")
            limits = {e: knowledge.witnesses.information(e) / alpha for e in entities}
        for entity, limit in limits.items():
            if not 0 < limit <= knowledge.witnesses.information(entity):
                raise ValueError(
                    f"reveal={self.reveal!r} says more than {entity!r} itself, or nothing at all; choose a term "
                    "that is more general than what you protect"
                )
        return limits

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits after which no single term and no group reveals too much, at the least loss of information."""
        subjects = (
            self.subjects(self.read(analysis, knowledge), knowledge)
            if self.groups > 1
            else self._risky(analysis, knowledge)
        )
        contexts = _contexts(analysis, self.context, subjects) if self.groups > 1 else []
        asked: dict[tuple[Key, ...], int] = {}
        decisions, most = _decide(self, knowledge, subjects, contexts, asked)
        if contexts and self.action == "generalize" and any(d.changed for d in decisions):
            # A replacement joins groups that a mark does not. Where that costs more than it keeps, marks are better.
            marked, _ = _decide(replace(self, action="redact"), knowledge, subjects, contexts, asked)
            decisions = max(decisions, marked, key=_kept)
        less = most - _kept(decisions)
        planned = "optimal" if less <= ROUNDING else f"{less:.3g} bits below a bound of {most:.5g}"
        edits = [
            replace(e, figures={**e.figures, "planning": planned})
            for e in edits_of(decisions, analysis, self.mark, self.name, knowledge)
        ]
        return Plan(analysis.document, resolve(edits, analysis.document))

    def read(self, analysis: Analysis, knowledge: Knowledge) -> list[Reading]:
        """What a reader may learn from in a text, as this model's guarantee defines it.

        >>> from taciturn.document import Document
        >>> from taciturn.language import analyze
        >>> found = CSanitized(protect=["HIV"]).read(analyze(Document.of("He takes zidovudine.")), Knowledge.default())
        >>> [reading.text for reading in found]
        ['zidovudine']
        """
        return read(analysis, knowledge, list(self.thresholds(knowledge)))

    def subjects(self, found: Sequence[Reading], knowledge: Knowledge) -> list[Subject]:
        """What a text speaks of, each with the risk it carries alone.

        >>> from taciturn.document import Document
        >>> from taciturn.language import analyze
        >>> model, knowledge = CSanitized(protect=["HIV"]), Knowledge.default()
        >>> found = model.read(analyze(Document.of("He takes zidovudine in winter.")), knowledge)
        >>> [(subject.readings[0].text, subject.risk is not None) for subject in model.subjects(found, knowledge)]
        [('zidovudine', True), ('winter', False)]
        """
        limits = self.thresholds(knowledge)
        figures = figures_of((k for r in found for k in r.keys), knowledge, list(limits))
        return subjects_of(found, figures, limits)

    def _risky(self, analysis: Analysis, knowledge: Knowledge) -> list[Subject]:
        """The same without most of the subjects that need not change: all that single terms ask for."""
        limits = self.thresholds(knowledge)
        found = read(analysis, knowledge, list(limits), located=False)
        figures = figures_of((k for r in found for k in r.keys), knowledge, list(limits))
        few = suspects(found, figures, limits, self.unknown == "redact")
        return subjects_of(locate(few, analysis), figures, limits)

    def risky_groups(self, analysis: Analysis, subjects: Sequence[Subject], knowledge: Knowledge) -> list[RiskyGroup]:
        """The minimal groups of a text, as it stands, that reveal too much without any member doing so alone.

        >>> from taciturn.document import Document
        >>> from taciturn.knowledge import ContextCounts
        >>> from taciturn.language import analyze
        >>> together, apart = {"HIV", "fever", "night sweat"}, [{"fever"}, {"night sweat"}, {"table"}]
        >>> knowledge = Knowledge(ContextCounts([together] * 10 + apart * 30))
        >>> model, analysis = CSanitized(protect=["HIV"], alpha=1.5), analyze(Document.of("A fever and night sweats."))
        >>> subjects = model.subjects(model.read(analysis, knowledge), knowledge)
        >>> [sorted(group.keys) for group in model.risky_groups(analysis, subjects, knowledge)]
        [['fever', 'night sweat']]
        """
        search = _Search(self, knowledge, self.thresholds(knowledge), subjects)
        shown = [Decision(s, changed=s.risk is not None) for s in subjects]
        return search.risky_groups(shown, _contexts(analysis, self.context, subjects)) if self.groups > 1 else []

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Re-derive the guarantee from a released text."""
        limits = self.thresholds(knowledge)
        alpha = self.alpha if self.alpha is not None else knowledge.calibrated("alpha")
        amount = "more than a term that may be revealed" if self.reveal is not None else f"1/{alpha:g} or more"
        # What follows from a term that may be revealed would tell of which entity it is said.
        parameters: dict[str, float | int | str] = {
            **({"alpha": alpha} if self.reveal is None else {}),
            "groups": self.groups,
            "context": self.context,
            "support": self.support,
            "unknown": self.unknown,
        }
        guarantee = recheck(
            analysis,
            knowledge,
            limits,
            groups=self.groups,
            context=self.context,
            support=self.support,
            unknown=self.unknown,
        )
        return replace(
            guarantee,
            model=self.name,
            statement=f"no term, and no group of up to {self.groups} terms of one {self.context}, reveals {amount} "
            "of a protected entity, by what the knowledge knows",
            parameters=parameters,
            protected=tuple(self.protect),
        )

    def tightest(self, analysis: Analysis, knowledge: Knowledge) -> float:
        """The largest alpha, but for rounding, that a released text satisfies; below 1 where it satisfies none.

        >>> from taciturn.document import Document
        >>> from taciturn.language import analyze
        >>> model, knowledge = CSanitized(protect=["HIV"]), Knowledge.default()
        >>> texts = ("He has AIDS.", "He has a disease.")
        >>> weak, strong = (model.tightest(analyze(Document.of(text)), knowledge) for text in texts)
        >>> weak < knowledge.calibrated("alpha") < strong
        True
        """
        worst = 1 - replace(self, alpha=1.0, reveal=None).check(analysis, knowledge).margin
        return inf if worst <= 0 else 1 / worst * (1 - 1e-8)


def _contexts(analysis: Analysis, context: Context, subjects: Sequence[Subject]) -> list[frozenset[int]]:
    """Which subjects (by their number) stand together in each context."""
    spans = {
        "sentence": analysis.sentences,
        "paragraph": analysis.paragraphs,
        "document": ((0, len(analysis.document.text)),),
    }[context]
    starts = [s for s, _ in spans]
    members: list[set[int]] = [set() for _ in spans]
    for i, subject in enumerate(subjects):
        if subject.is_term:
            for start in subject.starts:
                members[max(bisect_right(starts, start) - 1, 0)].add(i)
    return [frozenset(m) for m in members if len(m) > 1]


def _decide(
    model: CSanitized,
    knowledge: Knowledge,
    subjects: Sequence[Subject],
    contexts: Sequence[frozenset[int]],
    asked: dict[tuple[Key, ...], int],
) -> tuple[list[Decision], float]:
    """The decisions, and a bound on the information that any may keep: what single terms alone would leave of it."""
    search = _Search(model, knowledge, model.thresholds(knowledge), subjects, asked)
    singles = search.singles()
    return search.break_groups(list(singles), contexts), _kept(singles)


def _kept(decisions: Sequence[Decision]) -> float:
    """The information that decisions keep, over all mentions of terms."""
    return sum(d.ic * len(d.subject.starts) for d in decisions if d.subject.is_term)


@dataclass(frozen=True)
class _Search:
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

    def _cost(self, i: int, decision: Decision, ladders: Mapping[int, Rungs]) -> float:
        """The information lost by one more step, over all mentions; never nothing, so that fewer changes win."""
        following = decision.rungs[decision.chosen + 1 :] if decision.changed else ladders.get(i, ())
        kept = following[0].ic if following else 0.0
        return max(decision.ic - kept, 0.01) * len(decision.subject.starts) + 0.1

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
        new = [keys for keys in shown if keys not in self.found]
        for entity, limit in self.limits.items() if new else ():
            groups = minimal_risky_groups(
                new, entity, limit, self.knowledge.witnesses, self.model.groups, self.model.support, self.asked
            )
            for keys in new:
                self.found.setdefault(keys, []).extend(g for g in groups if g.keys <= keys)
        # The groups of a context depend on its keys alone, so that a step in one leaves those of the others.
        risky = dict.fromkeys(g for keys in shown for g in self.found[keys])
        place = {entity: number for number, entity in enumerate(self.limits)}
        return sorted(risky, key=lambda g: (place[g.entity], len(g.keys), sorted(g.keys)))

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
