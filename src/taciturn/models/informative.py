"""S1 and S2: terms that say too much by themselves, and terms that say too much of those (Sánchez, Batet, Viejo).

S1 hides every term whose information content reaches beta, the information of the most general term to hide. S2 then
hides every other term t with PMI(i; t) >= w * beta for some hidden i.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import ClassVar

from taciturn.document import Span, Term
from taciturn.generalize.writing import MarkStyle, outside_marks
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key
from taciturn.language.keys import tails
from taciturn.models.base import Guarantee, Violation
from taciturn.models.csanitized.subjects import Decision, Subject, edits_of, safe_rungs, subjects_of
from taciturn.models.declare import Dial, Either, declare, parameter, verify
from taciturn.models.parameter import ACTION, UNKNOWN, Action, Unknown
from taciturn.models.parameter import MARK as MARK_PARAMETER
from taciturn.plan import Figure, Plan
from taciturn.reading import NAMES, ROUNDING, Reading, figures_of, readings

__all__ = ["Informative", "Related"]


@declare(
    needs=("protect", "beta"),
    either=(Either(("protect", "beta"), "each sets how informative a term may be"),),
    local=True,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Informative:
    """S1: no term of the release is as informative as the most general term to hide.

    A term of which the knowledge knows nothing has infinite information, so ``unknown`` is "redact" by default. A
    phrase that is unknown as a whole is judged by its head, a name is not: an unknown name is as informative as can be.

    >>> import taciturn
    >>> taciturn.sanitize("The patient has AIDS.", taciturn.Informative(protect="disease", action="redact")).text
    'The [person] has [condition].'
    """

    name: ClassVar[str] = "informative"

    protect: str | Sequence[str] = field(
        default=(),
        metadata=parameter(
            "Every term at least as informative as the most general of these is hidden.",
            takes="terms",
            holds="concepts",
        ),
    )
    beta: float | None = field(
        default=None,
        metadata=parameter("Instead of protect: the information of the most general term to hide, in bits.", above=0),
    )
    action: Action = field(default="generalize", metadata=ACTION)
    unknown: Unknown = field(default="redact", metadata=UNKNOWN)
    mark: MarkStyle = field(default="category", metadata=MARK_PARAMETER)

    def __post_init__(self) -> None:
        verify(self)

    def bits(self, knowledge: Knowledge) -> float:
        """beta in bits.

        >>> knowledge = Knowledge.default()
        >>> Informative(protect=["HIV"]).bits(knowledge) == knowledge.ic("HIV")
        True
        """
        if self.beta is not None:
            return float(self.beta)
        return min(knowledge.counts.ic(knowledge.find(term)) for term in self.protect)

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that hide every term as informative as beta."""
        words, knowledge = knowledge, knowledge.of_counts
        beta = self.bits(knowledge)
        subjects = _subjects(analysis, knowledge, {})
        hidden = [s for s in subjects if _too_informative(s, beta, self.unknown)]
        return _plan(hidden, analysis, knowledge, self.action, self.mark, self.name, {}, beta, words)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Ask anew for the information of every term of a released text."""
        beta = self.bits(knowledge)
        violations, largest, unknown = _recheck_information(analysis, knowledge, beta, self.unknown)
        return Guarantee(
            self.name,
            "no term is as informative as the most general term to hide, by what the knowledge knows",
            not violations,
            beta - largest,
            {**_stated(self.beta), "unknown": self.unknown},
            {"terms checked": len(analysis.terms), "terms unknown": unknown, "largest information": round(largest, 6)},
            tuple(self.protect),
            tuple(violations),
            ("terms checked", "terms unknown"),
        )


@declare(
    needs=("beta", "protect"),
    dial=Dial("w", (0.2, 0.35, 0.5, 0.65, 0.8, 1.0), "the share of the threshold that a term may reveal"),
    infers=True,
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """S1, then S2: no term of the release is too informative, or says too much of what was hidden.

    Without ``beta``, S2 works alone, on the terms of ``protect`` (a person's, an entity recognizer's): beta is then the
    information of the most general of them.

    >>> import taciturn
    >>> taciturn.sanitize("The patient has AIDS.", taciturn.Related(beta="disease")).certificate.holds
    True
    """

    name: ClassVar[str] = "related"

    beta: float | str | None = field(
        default=None,
        metadata=parameter("The most general term to hide, or its information in bits.", above=0, absent="S2 alone"),
    )
    protect: str | Sequence[str] = field(
        default=(), metadata=parameter("Terms that are hidden whatever they say.", takes="terms", holds="concepts")
    )
    w: float | None = field(
        default=None,
        metadata=parameter(
            "The share of beta that a term may reveal of a hidden one: 0 nothing, 1 all but everything.",
            least=0,
            most=1,
            absent="the pack's",
        ),
    )
    action: Action = field(default="generalize", metadata=ACTION)
    unknown: Unknown = field(default="redact", metadata=UNKNOWN)
    mark: MarkStyle = field(default="category", metadata=MARK_PARAMETER)
    hidden: tuple[Key, ...] | None = None  # I of the document at hand, by bind; None: of no document

    def __post_init__(self) -> None:
        verify(self)

    def limits(self, knowledge: Knowledge) -> tuple[float, float]:
        """beta and tau = w * beta, in bits.

        >>> Related(protect=["HIV"], beta=10, w=0.5).limits(Knowledge.default())
        (10.0, 5.0)
        """
        if isinstance(self.beta, float | int):
            alone = Informative(beta=self.beta)
        else:
            alone = Informative(protect=self.protect if self.beta is None else self.beta)
        beta = alone.bits(knowledge)
        return beta, (self.w if self.w is not None else knowledge.calibrated("w")) * beta

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Related:
        """The model with the sensitive terms of this document: what S1 finds in it, and those given."""
        return replace(self, hidden=tuple(self._hidden(analysis, knowledge)))

    def _hidden(self, analysis: Analysis, knowledge: Knowledge) -> dict[Key, None]:
        """I: the keys of what S1 hides, and of the given terms, as far as the knowledge knows them."""
        hidden = dict.fromkeys((*(knowledge.find(s) for s in self.protect), *(self.hidden or ())))
        if self.beta is not None:
            beta, _ = self.limits(knowledge)
            for s in _subjects(analysis, knowledge, {}):
                if s.whole is not None and s.most >= beta - ROUNDING:
                    hidden[s.whole] = None
        return hidden

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that hide what is too informative, what is sensitive, and what says too much of either."""
        words, knowledge = knowledge, knowledge.of_counts
        beta, tau = self.limits(knowledge)
        limits = dict.fromkeys(self._hidden(analysis, knowledge), tau)
        subjects = _subjects(analysis, knowledge, limits)
        hidden = [
            s
            for s in subjects
            if s.risk is not None
            or s.whole in limits
            or (self.beta is not None and _too_informative(s, beta, self.unknown))
        ]
        ceiling = beta if self.beta is not None else inf
        return _plan(hidden, analysis, knowledge, self.action, self.mark, self.name, limits, ceiling, words)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Ask anew for every term of a released text.

        I, the set of what was hidden, cannot be read off a released text: a release checks against the terms that
        :meth:`bind` found in its original; a bare check against the given ones, and beta's own term for what S1 hides.
        """
        beta, tau = self.limits(knowledge)
        share = self.w if self.w is not None else knowledge.calibrated("w")
        entities = dict.fromkeys((*(knowledge.find(s) for s in self.protect), *(self.hidden or ())))
        if self.hidden is None and isinstance(self.beta, str):
            entities[knowledge.find(self.beta)] = None
        violations: list[Violation] = []
        largest, unknown = 0.0, 0
        if self.beta is not None:
            violations, largest, unknown = _recheck_information(analysis, knowledge, beta, self.unknown)
        revealing, closest = _recheck_relations(analysis, knowledge, list(entities), tau)
        violations += revealing
        margins = [tau - closest, *([beta - largest] if self.beta is not None else [])]
        return Guarantee(
            self.name,
            "no term is as informative as the most general term to hide, and none says too much of a hidden one, "
            "by what the knowledge knows",
            not violations,
            min(margins),
            {**_stated(self.beta), "w": share, "unknown": self.unknown},
            {
                "terms checked": len(analysis.terms),
                "terms unknown": unknown,
                "sensitive terms": len(entities),
                "largest information": round(largest, 6),
                "largest mutual information": round(closest, 6),
            },
            tuple(dict.fromkeys((*self.protect, *(self.hidden or ())))),
            tuple(violations),
            ("terms checked", "terms unknown"),
        )


def _stated(beta: float | str | None) -> dict[str, Figure]:
    """beta where it was given as a number; the information of a term would tell which term it is."""
    return {"beta": beta} if isinstance(beta, int | float) else {}


def _subjects(analysis: Analysis, knowledge: Knowledge, limits: Mapping[Key, float]) -> list[Subject]:
    """The terms of a text as subjects. S1 and S2 look at noun phrases as they stand, by their own key or their head."""
    found = [r._replace(keys=_judged_by(r)) for r in readings(analysis) if r.is_term]
    figures = figures_of((k for r in found for k in r.keys), knowledge, list(limits))
    first = [next((k for k in r.keys if figures.known(k)), r.keys[0]) for r in found]
    return subjects_of([r._replace(keys=(k,)) for r, k in zip(found, first, strict=True)], figures, limits)


def _judged_by(reading: Reading) -> tuple[Key, ...]:
    """The keys that may stand for a term: its own, and but for names what is at its end."""
    own = reading.keys[0]
    return (own,) if reading.kind in NAMES else tuple(tails(own))


def _too_informative(subject: Subject, beta: float, unknown: str) -> bool:
    """Is any mention of the subject too informative? The release shows each as it stands."""
    return subject.most >= beta - ROUNDING or (subject.partly_unknown and unknown == "redact")


def _plan(
    hidden: Sequence[Subject],
    analysis: Analysis,
    knowledge: Knowledge,
    action: Action,
    mark: MarkStyle,
    name: str,
    limits: Mapping[Key, float],
    ceiling: float,
    words: Knowledge,
) -> Plan:
    """Show the hidden subjects as something else; ``words`` says what things are called."""
    rungs = safe_rungs(hidden, knowledge, limits, ceiling, words) if action == "generalize" else [()] * len(hidden)
    decisions = [Decision(s, changed=True, rungs=r) for s, r in zip(hidden, rungs, strict=True)]
    return Plan(analysis.document, edits_of(decisions, analysis, mark, name, words))


def _stand_ins(analysis: Analysis, knowledge: Knowledge) -> list[tuple[Term, Key | None]]:
    """Each term of a released text with the key that it is judged by: its own, or but for names the longest phrase at
    its end that the counts know; None if they know nothing of it."""
    found: list[tuple[Term, Key | None]] = []
    judged: dict[tuple[Key, bool], Key | None] = {}
    for term in outside_marks(analysis.terms, analysis.document.text):
        asked = (term.key, term.kind in NAMES)
        if asked not in judged:
            parts = [term.key] if asked[1] else tails(term.key)
            judged[asked] = next((t for t in parts if knowledge.counts.count(t)), None)
        found.append((term, judged[asked]))
    return found


def _recheck_information(
    analysis: Analysis, knowledge: Knowledge, beta: float, unknown: str
) -> tuple[list[Violation], float, int]:
    """Each term's information, asked one by one: what reaches beta, the largest below it, how many are unknown."""
    violations: list[Violation] = []
    largest, nothing_known = 0.0, 0
    for term, name in _stand_ins(analysis, knowledge):
        bits = knowledge.counts.ic(name) if name is not None else inf
        nothing_known += bits == inf
        if bits == inf and unknown == "keep":
            continue
        if bits >= beta - ROUNDING:
            message = f"{term.text!r} says {bits:.2f} bits; the limit is {beta:.2f}"
            violations.append(Violation(((term.start, term.end),), message, {"ic": bits}))
        largest = max(largest, bits)
    return violations, largest, nothing_known


def _recheck_relations(
    analysis: Analysis, knowledge: Knowledge, hidden: Sequence[Key], tau: float
) -> tuple[list[Violation], float]:
    """What each term says of each hidden one, asked one by one: what reaches tau or is hidden itself; the largest."""
    terms = {name: term for term, name in _stand_ins(analysis, knowledge) if name is not None}
    violations: list[Violation] = []
    closest = 0.0
    if hidden and terms:
        table = knowledge.counts.pmi_many(hidden, [(name,) for name in terms])
        for column, (name, term) in enumerate(terms.items()):
            row = int(table[:, column].argmax())
            bits = float(table[row, column])
            closest = max(closest, bits)
            if bits >= tau - ROUNDING or name in hidden:
                message = f"{term.text!r} reveals {bits:.2f} bits of {hidden[row]!r}; the limit is {tau:.2f}"
                violations.append(Violation(((term.start, term.end),), message, {"pmi": round(bits, 3)}))
    return violations, closest
