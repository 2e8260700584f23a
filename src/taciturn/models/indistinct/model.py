"""Indistinct: at least k others fit the whole text as well as what is protected.

For a protected entity c and the others of its kind, s(e) is the sum over the things that a text speaks of, of how much
each says of e, in bits. A released text is k-indistinct for c iff at least k others e that it does not name have
s(e) >= s(c) - slack, and nothing in the text gives c away by itself. Where C-sanitized bounds each term and group, this
bounds their sum. The plan chooses what becomes of each thing so that this holds at the least cost in words
(:mod:`taciturn.solvers.indistinct`); the check is the definition, applied to the released text read anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from taciturn.document import Span
from taciturn.generalize.writing import MarkStyle
from taciturn.knowledge import EntityBase, Knowledge
from taciturn.language import Analysis, key
from taciturn.models.base import Guarantee
from taciturn.models.csanitized.subjects import Decision, edits_of
from taciturn.models.declare import Dial, declare, parameter, verify
from taciturn.models.indistinct.check import recheck
from taciturn.models.indistinct.contest import Contest, contests
from taciturn.models.indistinct.options import Option, options_of
from taciturn.models.indistinct.speaking import Spoken, fit_as_well, spoken
from taciturn.models.parameter import ACTION, MARK, Action
from taciturn.plan import Figure, Plan, resolve
from taciturn.solvers.indistinct import Choices, Task, fewest_changes, greedy_changes

__all__ = ["Indistinct"]

_QUOTED = 3  # others that an edit quotes


def _load(name: str, given: Mapping[str, Any]) -> Any:
    from taciturn.knowledge.entities.files import load_base

    return load_base(Path(name), key) if Path(name).suffix else name


@declare(
    needs=("protect", "branches"),
    dial=Dial("k", (1, 2, 3, 5, 8, 12), "at least k others fit the whole text as well"),
    infers=True,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Indistinct:
    """Hide an entity among others of its kind that fit the whole text as well.

    >>> import taciturn
    >>> release = taciturn.sanitize("He takes zidovudine for his thrush.", taciturn.Indistinct(protect=["HIV"]))
    >>> "zidovudine" in release.text
    False
    """

    name: ClassVar[str] = "indistinct"

    protect: str | Sequence[str] = field(
        default=(), metadata=parameter("The entities that must not stand out.", takes="terms", holds="concepts")
    )
    k: int = field(
        default=5,
        metadata=parameter("At least this many others of its kind fit the text as well.", least=1, letter="k"),
    )
    slack: float = field(
        default=0.0,
        metadata=parameter("Others fit that the text speaks for by so many bits less.", least=0),
    )
    among: EntityBase | str | Sequence[str] | None = field(
        default=None,
        hash=False,
        metadata=parameter(
            "Whom or what it is hidden among: all that a taxonomy has under a term, an entity base (by its name in "
            "the knowledge or a file), or a list of names.",
            absent="everything of its kind",
            load=_load,
        ),
    )
    branches: str | Sequence[str] = field(
        default=(),
        metadata=parameter(
            "Families, by terms of a taxonomy: no member may stand out among what does not belong to the family.",
            takes="branches",
            holds="concepts",
            option="protect-branch",
        ),
    )
    prior: Literal["none", "counts"] = field(
        default="none",
        metadata=parameter("What a reader expects beforehand: nothing, or each as often as texts speak of it."),
    )
    method: Literal["exact", "greedy"] = field(
        default="exact",
        metadata=parameter("Change the fewest words, or go the fast way.", shorthand=("greedy", "greedy")),
    )
    action: Action = field(default="generalize", metadata=ACTION)
    mark: MarkStyle = field(default="redacted", metadata=MARK)
    time_limit: float = field(
        default=2.0,
        metadata=parameter("Seconds of processor time; then the best choices found are taken, with a bound.", above=0),
    )

    def __post_init__(self) -> None:
        verify(self)

    def contests(self, knowledge: Knowledge) -> tuple[Contest, ...]:
        """Each protected entity with the others that it is hidden among.

        Raises :class:`~taciturn.knowledge.UnknownTermError` if nothing says of what kind an entity is.

        >>> [contest.entity for contest in Indistinct(protect="hiv").contests(Knowledge.default())]
        ['HIV']
        """
        return contests(self.protect, self.branches, self.among, knowledge)

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits after which no protected entity stands out, at the least cost in words."""
        every = self.contests(knowledge)
        said = spoken(analysis, every, knowledge)
        options = options_of(said, every, knowledge, redact=self.action == "redact")
        active = [n for n in range(len(every)) if not self._holds(said, n, every[n])]
        forced = any(o[0].names for o in options)
        if not active and not forced:
            return Plan(analysis.document)
        while True:
            found, shown = self._solve(options, every, active, said)
            # A family has many members: those that stand out only now are looked at next.
            bits = (
                np.array([o.bits[n] for o in shown]).reshape(len(shown), len(c.candidates)) for n, c in enumerate(every)
            )
            after = Spoken(said.things, tuple(bits), said.unsaid)
            late = [n for n in range(len(every)) if n not in active and not self._holds(after, n, every[n])]
            if not late:
                break
            active += late
        decisions = [d for option in shown for d in option.decisions]
        witnesses = [
            [every[n].candidates[1 + np.flatnonzero(said.unsaid[n])[w]] for w in ws]
            for n, ws in zip(active, found.witnesses, strict=True)
        ]
        evidence = _Evidence(said, [every[n] for n in active], active, witnesses, found, self.k)
        edits = edits_of(decisions, analysis, self.mark, self.name, knowledge, evidence)
        return Plan(analysis.document, resolve(edits, analysis.document))

    def _holds(self, said: Spoken, number: int, contest: Contest) -> bool:
        return len(fit_as_well(said, number, contest, self.slack, self.prior)) >= self.k

    def _solve(
        self, options: Sequence[Sequence[Option]], every: Sequence[Contest], active: Sequence[int], said: Spoken
    ) -> tuple[Choices, list[Option]]:
        """The choices, and the option of each thing that they mean; what gives an entity away is no choice."""
        choices: list[list[Option]] = []
        costs: list[Any] = []
        leads: list[list[Any]] = [[] for _ in active]
        for listed in options:
            usable = sorted((o for o in listed if not o.names), key=lambda o: o.cost) or [listed[-1]]
            choices.append(usable)
            costs.append(np.array([o.cost - usable[0].cost for o in usable]))
            for lead, number in zip(leads, active, strict=True):
                ahead = np.array([o.bits[number][1:] - o.bits[number][0] for o in usable])
                lead.append(ahead[:, said.unsaid[number]])
        for lead, number in zip(leads, active, strict=True):
            prior = every[number].prior * (self.prior == "counts")
            lead.append((prior[1:] - prior[0])[None, said.unsaid[number]])
        task = Task([*costs, np.zeros(1)], leads, self.k, self.slack)
        found = greedy_changes(task) if self.method == "greedy" else fewest_changes(task, self.time_limit)
        return found, [usable[c] for usable, c in zip(choices, found.chosen, strict=False)]

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Re-derive the guarantee from a released text, by the definition."""
        found = recheck(analysis, knowledge, self.contests(knowledge), self.k, self.slack, self.prior)
        within = f", within {self.slack:g} bits" if self.slack else ""
        return replace(
            found,
            model=self.name,
            statement=f"a reader who knows what the knowledge knows finds that at least {self.k} others of its kind "
            f"fit the whole text as well as a protected entity{within}, and nothing gives it away by itself",
            parameters={"k": self.k, "slack": self.slack, "prior": self.prior},
            protected=(*self.protect, *self.branches),
        )


class _Evidence:
    """Why a subject was changed: what it said of the entity that it spoke for most, and who fits as well now."""

    def __init__(
        self,
        said: Spoken,
        active: Sequence[Contest],
        numbers: Sequence[int],
        witnesses: Sequence[Sequence[str]],
        found: Choices,
        k: int,
    ) -> None:
        self._active, self._witnesses, self._found, self._k = active, witnesses, found, k
        self._bits = {
            r: [float(said.bits[n][i, 0]) for n in numbers] for i, t in enumerate(said.things) for r in t.readings
        }

    def __call__(self, decision: Decision) -> tuple[str, dict[str, Figure]]:
        figures: dict[str, Figure] = {
            "k": self._k,
            "cost": round(self._found.cost, 3),
            "least possible": round(self._found.bound, 3),
        }
        bits = self._bits.get(decision.subject.readings[0], [])
        if not bits:
            return "it gives a protected entity away", figures
        most = int(np.argmax(bits))
        entity, others = self._active[most].entity, self._witnesses[most][:_QUOTED]
        figures |= {"entity": entity, "bits": round(bits[most], 3), "witnesses": "; ".join(self._witnesses[most])}
        quoted = ", ".join(repr(o) for o in others)
        now = f"; now {quoted} and others fit as well" if quoted else ""
        return f"it speaks for {entity!r} by {bits[most]:.2f} bits{now}", figures
