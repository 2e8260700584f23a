"""C-sanitized: no term, and no group of terms, reveals 1/alpha or more of a protected entity (Sánchez, Batet 2016).

A released text is (alpha, C)-sanitized iff for every protected entity c no term t and no group T of terms within one
context has PMI(c; t) >= IC(c)/alpha or PMI(c; T) >= IC(c)/alpha. Planning is here; the check is in
:mod:`taciturn.models.csanitized.check`, with a search of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from taciturn.models.csanitized.groups import RiskyGroup
from taciturn.models.csanitized.search import Search, contexts_of, decide, information_kept
from taciturn.models.csanitized.subjects import Decision, Subject, edits_of, subjects_of, suspects
from taciturn.models.declare import Dial, Either, declare, parameter, verify
from taciturn.models.parameter import ACTION, MARK, UNKNOWN, Action, Unknown
from taciturn.plan import Plan
from taciturn.reading import ROUNDING, Reading, figures_of, locate, read

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
    'He has an infection.'
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
        contexts = contexts_of(analysis, self.context, subjects) if self.groups > 1 else []
        asked: dict[tuple[Key, ...], int] = {}
        decisions, most = decide(self, knowledge, subjects, contexts, asked)
        if contexts and self.action == "generalize" and any(d.changed for d in decisions):
            # A replacement joins groups that a mark does not. Where that costs more than it keeps, marks are better.
            marked, _ = decide(replace(self, action="redact"), knowledge, subjects, contexts, asked)
            decisions = max(decisions, marked, key=information_kept)
        if contexts:
            search = Search(self, knowledge, self.thresholds(knowledge), subjects, asked)
            decisions = search.localized(decisions, analysis)
        less = most - information_kept(decisions)
        planned = "optimal" if less <= ROUNDING else f"{less:.3g} bits below a bound of {most:.5g}"
        edits = edits_of(decisions, analysis, self.mark, self.name, knowledge)
        return Plan(analysis.document, tuple(replace(e, figures={**e.figures, "planning": planned}) for e in edits))

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
        search = Search(self, knowledge, self.thresholds(knowledge), subjects)
        shown = [Decision(s, changed=s.risk is not None) for s in subjects]
        return search.risky_groups(shown, contexts_of(analysis, self.context, subjects)) if self.groups > 1 else []

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
