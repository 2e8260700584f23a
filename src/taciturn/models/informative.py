"""S1 and S2: terms that say too much by themselves, and terms that say too much of those (Sánchez, Batet, Viejo).

S1 hides every term whose information content reaches beta, the information of the most general term to hide. S2 then
hides every other term t with PMI(i; t) >= w * beta for some hidden i.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Literal

from tacit.document import Span
from tacit.knowledge import Knowledge
from tacit.language import Analysis
from tacit.models.base import Guarantee, Violation
from tacit.models.hiding import Decision, Subject, edits_of, safe_rungs, subjects_of
from tacit.models.protected import protected_key
from tacit.models.reading import NAMES, ROUNDING, Reading, figures_of, readings
from tacit.plan import Plan, resolve
from tacit.replacement import MARK, MarkStyle

__all__ = ["Informative", "Related"]

Action = Literal["generalize", "redact"]
Unknown = Literal["keep", "redact"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Informative:
    """S1: no term of the release is as informative as ``beta``, a number of bits or the most general term to hide.

    A term of which the knowledge knows nothing has infinite information, so ``unknown`` is "redact" by default. A
    phrase that is unknown as a whole is judged by its head, a name is not: an unknown name is as informative as can be.
    """

    beta: float | str
    action: Action = "redact"
    unknown: Unknown = "redact"
    mark: MarkStyle = "redacted"

    def __post_init__(self) -> None:
        _verify(self.action, self.unknown)
        if not isinstance(self.beta, str) and not 0 < self.beta < inf:
            raise ValueError(f"beta is {self.beta}, but must be a positive number of bits, or a term")

    @property
    def name(self) -> str:
        return "informative"

    def bits(self, knowledge: Knowledge) -> float:
        """beta in bits."""
        if isinstance(self.beta, str):
            return knowledge.counts.ic(protected_key(self.beta, knowledge))
        return float(self.beta)

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that hide every term as informative as beta."""
        beta = self.bits(knowledge)
        subjects = _subjects(analysis, knowledge, {})
        hidden = [s for s in subjects if _too_informative(s, beta, self.unknown)]
        return _plan(hidden, analysis, knowledge, self.action, self.mark, self.name, {}, beta)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Ask anew for the information of every term of a released text."""
        beta = self.bits(knowledge)
        violations, largest, unknown = _recheck_information(analysis, knowledge, beta, self.unknown)
        return Guarantee(
            self.name,
            "no term is as informative as the most general term to hide, by what the knowledge knows",
            not violations,
            beta - largest,
            {"beta": round(beta, 6), "unknown": self.unknown},
            {"terms checked": len(analysis.terms), "terms unknown": unknown, "largest information": round(largest, 6)},
            (self.beta,) if isinstance(self.beta, str) else (),
            tuple(violations),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """S1, then S2: no term of the release is too informative, or says too much of what was hidden.

    ``beta`` as in :class:`Informative`; ``sensitive`` names terms that are hidden whatever they say (a person's, an
    entity recognizer's): with ``beta`` None, S2 works on these alone and beta is the information of the most general
    of them.
    ``w``: the share of beta that a term may reveal of a hidden one (None: the pack's calibrated default).
    """

    beta: float | str | None = None
    sensitive: Sequence[str] = ()
    w: float | None = None
    action: Action = "redact"
    unknown: Unknown = "redact"
    mark: MarkStyle = "redacted"

    def __post_init__(self) -> None:
        object.__setattr__(self, "sensitive", tuple(self.sensitive))
        _verify(self.action, self.unknown)
        if self.beta is None and not self.sensitive:
            raise ValueError("give beta (the most general term to hide, or bits), or sensitive terms, or both")
        if self.w is not None and not 0 <= self.w <= 1:
            raise ValueError(f"w is {self.w}, but must be from 0 (reveal nothing) to 1 (reveal all but everything)")

    @property
    def name(self) -> str:
        return "related"

    def limits(self, knowledge: Knowledge) -> tuple[float, float]:
        """beta and tau = w * beta, in bits."""
        if self.beta is not None:
            beta = Informative(beta=self.beta).bits(knowledge)
        else:
            beta = min(knowledge.counts.ic(protected_key(s, knowledge)) for s in self.sensitive)
        return beta, (self.w if self.w is not None else knowledge.calibrated("w")) * beta

    def bind(self, analysis: Analysis, knowledge: Knowledge) -> Related:
        """The model with the sensitive terms of this document: what S1 finds in it, and those given."""
        return replace(self, sensitive=tuple(self._hidden(analysis, knowledge)))

    def _hidden(self, analysis: Analysis, knowledge: Knowledge) -> dict[str, None]:
        """I: the keys of what S1 hides, and of the given terms, as far as the knowledge knows them."""
        hidden = {protected_key(s, knowledge): None for s in self.sensitive}
        if self.beta is not None:
            beta, _ = self.limits(knowledge)
            for s in _subjects(analysis, knowledge, {}):
                if s.whole is not None and s.most >= beta - ROUNDING:
                    hidden[s.whole] = None
        return hidden

    def plan(self, analysis: Analysis, knowledge: Knowledge) -> Plan:
        """The edits that hide what is too informative, what is sensitive, and what says too much of either."""
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
        return _plan(hidden, analysis, knowledge, self.action, self.mark, self.name, limits, ceiling)

    def check(self, analysis: Analysis, knowledge: Knowledge, replaced: tuple[Span, ...] = ()) -> Guarantee:
        """Ask anew for every term of a released text.

        What was hidden cannot be read off a released text: a release checks against the terms that :meth:`bind` found,
        a bare check against the given ones.
        """
        beta, tau = self.limits(knowledge)
        counts = knowledge.counts
        known = [protected_key(s, knowledge) for s in self.sensitive]
        if isinstance(self.beta, str):
            known.append(protected_key(self.beta, knowledge))
        violations: list[Violation] = []
        largest, unknown = 0.0, 0
        if self.beta is not None:
            violations, largest, unknown = _recheck_information(analysis, knowledge, beta, self.unknown)
        entities = list(dict.fromkeys(known))
        terms = {t.key: t for t in analysis.terms if not MARK.search(t.text)}
        closest = 0.0
        if entities and terms:
            table = counts.pmi_many(entities, [(k,) for k in terms])
            for column, term in enumerate(terms.values()):
                row = int(table[:, column].argmax())
                bits = float(table[row, column])
                closest = max(closest, bits)
                if bits >= tau - ROUNDING:
                    message = f"{term.text!r} reveals {bits:.2f} bits of {entities[row]!r}; the limit is {tau:.2f}"
                    violations.append(Violation(((term.start, term.end),), message, {"pmi": round(bits, 3)}))
        margins = [tau - closest, *([beta - largest] if self.beta is not None else [])]
        return Guarantee(
            self.name,
            "no term is as informative as the most general term to hide, and none says too much of a hidden one, "
            "by what the knowledge knows",
            not violations,
            min(margins),
            {"beta": round(beta, 6), "tau": round(tau, 6), "unknown": self.unknown},
            {
                "terms checked": len(analysis.terms),
                "terms unknown": unknown,
                "sensitive terms": len(entities),
                "largest information": round(largest, 6),
                "largest mutual information": round(closest, 6),
            },
            tuple(self.sensitive),
            tuple(violations),
        )


def _verify(action: str, unknown: str) -> None:
    if action not in ("generalize", "redact"):
        raise ValueError(f"action is {action!r}, but must be 'generalize' or 'redact'")
    if unknown not in ("keep", "redact"):
        raise ValueError(f"unknown is {unknown!r}, but must be 'keep' or 'redact'")


def _subjects(analysis: Analysis, knowledge: Knowledge, limits: Mapping[str, float]) -> list[Subject]:
    """The terms of a text as subjects. S1 and S2 look at noun phrases as they stand, by their own key or their head."""
    found = [r._replace(keys=_judged_by(r)) for r in readings(analysis) if r.is_term]
    figures = figures_of((k for r in found for k in r.keys), knowledge.counts, list(limits))
    first = [next((k for k in r.keys if figures.known(k)), r.keys[0]) for r in found]
    return subjects_of([r._replace(keys=(k,)) for r, k in zip(found, first, strict=True)], figures, limits)


def _judged_by(reading: Reading) -> tuple[str, ...]:
    """The keys that may stand for a term: its own, and but for names what is at its end."""
    own = reading.keys[0]
    words = own.split() if reading.kind not in NAMES else []
    return (own, *(" ".join(words[first:]) for first in range(1, len(words))))


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
    limits: Mapping[str, float],
    ceiling: float,
) -> Plan:
    rungs = safe_rungs(hidden, knowledge, limits, ceiling) if action == "generalize" else [()] * len(hidden)
    decisions = [Decision(s, changed=True, rungs=r) for s, r in zip(hidden, rungs, strict=True)]
    return Plan(analysis.document, resolve(edits_of(decisions, analysis, mark, name), analysis.document))


def _recheck_information(
    analysis: Analysis, knowledge: Knowledge, beta: float, unknown: str
) -> tuple[list[Violation], float, int]:
    """Each term's information, asked one by one: what reaches beta, the largest below it, how many are unknown."""
    violations: list[Violation] = []
    largest, nothing_known = 0.0, 0
    judged: dict[tuple[str, bool], float] = {}
    for term in analysis.terms:
        if MARK.search(term.text):
            continue
        asked = (term.key, term.kind in NAMES)
        if asked not in judged:
            words = term.key.split()
            tails = [" ".join(words[i:]) for i in range(1 if asked[1] else len(words))]
            judged[asked] = next((knowledge.counts.ic(t) for t in tails if knowledge.counts.count(t)), inf)
        bits = judged[asked]
        nothing_known += bits == inf
        if bits == inf and unknown == "keep":
            continue
        if bits >= beta - ROUNDING:
            message = f"{term.text!r} says {bits:.2f} bits; the limit is {beta:.2f}"
            violations.append(Violation(((term.start, term.end),), message, {"ic": bits}))
        largest = max(largest, bits)
    return violations, largest, nothing_known
