"""A document under review: decisions in, edits and guarantee out.

``Session.view`` is a pure function of the steps in force: dials choose the models' parameters and so the proposal,
decisions stand over it, the edits are applied and the resulting text is checked. A usual document is checked whole at
every step, by the same code that checks a release. A long one is checked part by part, and only the parts that a step
changed are read again; :meth:`Session.certificate` is always the whole, independent check.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf
from threading import RLock
from time import perf_counter
from typing import Generic, TypeVar

from taciturn.certificate import Certificate
from taciturn.document import Document, Span
from taciturn.formats import File
from taciturn.generalize.writing import MarkStyle
from taciturn.knowledge import Knowledge
from taciturn.knowledge.understood import Understood
from taciturn.language import Analysis, analyze
from taciturn.models.base import Model, Violation
from taciturn.models.declare import find_declaration
from taciturn.models.names import understood_by
from taciturn.plan import Applied, Plan, apply
from taciturn.policy import Policy
from taciturn.reading import information, share_kept
from taciturn.release import ModelsLike, Proposal, Report, certify, propose, several_models
from taciturn.review.choices import Sheet, Standing
from taciturn.review.decisions import Decision, Dial, Step
from taciturn.review.dials import inner, turned

__all__ = ["Dials", "Session", "State", "Verdict"]

LONG = 6_000
"""Characters from which a document is checked part by part while it is reviewed."""

_PART = 800
"""Characters of such a part, at least: smaller ones cost more to start than to read."""

Dials = tuple[tuple[int, str, float], ...]
"""Where the dials stand, by model and parameter; those never turned are not in it."""
Asked = TypeVar("Asked", bound=Hashable)
Value = TypeVar("Value")
_Checked = tuple[str, tuple[Span, ...], Dials]


class _Kept(Generic[Asked, Value]):
    """The values that were used last, at most ``most`` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Asked, Value] = OrderedDict()

    def get(self, asked: Asked) -> Value | None:
        if asked in self._values:
            self._values.move_to_end(asked)
            return self._values[asked]
        return None

    def put(self, asked: Asked, value: Value) -> Value:
        self._values[asked] = value
        while len(self._values) > self._most:
            self._values.popitem(last=False)
        return value


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says of the text as it stands. ``whole``: of the text as a whole, not part by part.

    ``information`` is the sum of the terms' information content, in bits; ``seconds`` what the check took.
    """

    holds: bool
    margin: float
    violations: tuple[Violation, ...]
    information: float
    whole: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class State:
    """A document as the steps in force leave it."""

    proposal: Proposal
    standing: Standing
    applied: Applied
    verdict: Verdict
    dials: Dials = ()


class Session:
    """One document, its models and the steps decided so far. Not safe for two threads but for its ``lock``."""

    def __init__(self, file: File, models: ModelsLike, knowledge: Knowledge, steps: Sequence[Step] = ()) -> None:
        self.file = file
        self.knowledge = knowledge
        self.policy = models if isinstance(models, Policy) else None
        self.models = several_models(models)
        self.steps: tuple[Step, ...] = tuple(steps)
        self.lock = RLock()
        self._proposals: _Kept[Dials, Proposal] = _Kept(6)
        self._sheets: _Kept[Dials, Sheet] = _Kept(6)
        self._cuts: _Kept[Dials, list[int]] = _Kept(6)
        self._verdicts: _Kept[_Checked, Verdict] = _Kept(64)
        self._pieces: _Kept[_Checked, Verdict] = _Kept(20_000)
        self._views: _Kept[tuple[Step, ...], State] = _Kept(32)

    @property
    def document(self) -> Document:
        return self.file.document

    @property
    def mark(self) -> MarkStyle:
        """How a reviewer's redaction looks: as the policy's, or the first model's that has a style."""
        if self.policy and self.policy.mark:
            return self.policy.mark
        return next((m.mark for m in map(inner, self.models) if hasattr(m, "mark")), "redacted")

    @property
    def state(self) -> State:
        """The document as it stands now."""
        return self.view(self.steps)

    def verify(self, step: Step) -> Step:
        """The step, or ``ValueError`` if it cannot be taken in this document."""
        if isinstance(step, Dial):
            turned(self.models, [step], self.knowledge)
            return step
        if not any(s.start <= step.start and step.end <= s.end for s in self.document.segments):
            raise ValueError("the marked span runs over the end of a part of the file; mark each part by itself")
        if not step.text.strip():
            raise ValueError("the marked span is blank; there is nothing in it to hide")
        return step

    def view(self, steps: Sequence[Step]) -> State:
        """The document as these steps leave it. Pure: the same steps give the same state."""
        steps = tuple(steps)
        if (known := self._views.get(steps)) is not None:
            return known
        dials = _standing_of(steps)
        proposal = self.proposal(dials)
        sheet = self._sheets.get(dials) or self._sheets.put(dials, Sheet(proposal, self.mark, self.knowledge))
        standing = sheet.stand(s for s in steps if isinstance(s, Decision))
        applied = apply(Plan(self.document, standing.edits))
        verdict = self._verdict(dials, proposal, applied)
        return self._views.put(steps, State(proposal, standing, applied, verdict, dials))

    def proposal(self, dials: Dials = ()) -> Proposal:
        """What the models propose with their dials turned so."""
        if (known := self._proposals.get(dials)) is not None:
            return known
        models = turned(self.models, [Dial(*d) for d in dials], self.knowledge)
        return self._proposals.put(dials, propose(self.document, models, self.knowledge))

    @cached_property
    def original_information(self) -> float:
        """The information of the original, in bits."""
        return information(self.proposal().original, self.knowledge)

    @cached_property
    def understood(self) -> tuple[Understood, ...]:
        """What was understood by the protected terms."""
        return understood_by(self.models, self.knowledge)

    def utility(self, state: State) -> float:
        """The share of the original's information that stays."""
        before = self.original_information
        return share_kept(before, state.verdict.information)

    def kept(self, analysis: Analysis) -> float:
        """The share of the original's information that another text has."""
        before = self.original_information
        return share_kept(before, information(analysis, self.knowledge))

    def certificate(self, state: State) -> Certificate:
        """The whole, independent check of a state: the text is read anew, nothing of the review is used."""
        return self.report(state).certificate

    def report(self, state: State) -> Report:
        """The private report of a state, with its certificate."""
        released = analyze(state.applied.document)
        certificate = certify(released, state.proposal.models, self.knowledge, applied=state.applied)
        return Report(
            state.applied, certificate, state.proposal.original, released, self.knowledge, state.proposal.models
        )

    def confirm(self) -> State:
        """The state now, with the verdict of the whole check where only parts were checked so far."""
        state = self.state
        if state.verdict.whole:
            return state
        verdict = self._check(state.proposal, state.applied.document, state.applied.spans)
        self._verdicts.put((state.applied.document.text, state.applied.spans, state.dials), verdict)
        return self._views.put(self.steps, replace(state, verdict=verdict))

    def _verdict(self, dials: Dials, proposal: Proposal, applied: Applied) -> Verdict:
        document, spans = applied.document, applied.spans
        if (known := self._verdicts.get((document.text, spans, dials))) is not None:
            return known
        if len(document.text) >= LONG and all(_is_local(m) for m in proposal.models):
            verdict = self._by_parts(dials, proposal, applied)
        else:
            verdict = self._check(proposal, document, spans)
        return self._verdicts.put((document.text, spans, dials), verdict)

    def _check(self, proposal: Proposal, document: Document, replaced: tuple[Span, ...]) -> Verdict:
        begin = perf_counter()
        analysis = analyze(document)
        found = certify(analysis, proposal.models, self.knowledge, replaced)
        bits = information(analysis, self.knowledge)
        violations = tuple(_where_together(v, analysis) for v in found.violations)
        return Verdict(found.holds, found.margin, violations, bits, True, perf_counter() - begin)

    def _by_parts(self, dials: Dials, proposal: Proposal, applied: Applied) -> Verdict:
        begin = perf_counter()
        margin, bits = inf, 0.0
        violations: list[Violation] = []
        at = 0
        cuts = self._cuts.get(dials) or self._cuts.put(dials, _cuts(proposal))
        for start, end in pairwise([*_moved_cuts(cuts, applied), len(applied.document.text)]):
            inside: list[Span] = []
            while at < len(applied.spans) and applied.spans[at][0] < end:
                inside.append((applied.spans[at][0] - start, applied.spans[at][1] - start))
                at += 1
            part = Document.of(applied.document.text[start:end])
            name = (part.text, tuple(inside), dials)
            found = self._pieces.get(name) or self._pieces.put(name, self._check(proposal, part, tuple(inside)))
            margin, bits = min(margin, found.margin), bits + found.information
            violations += (_moved(v, start) for v in found.violations)
        return Verdict(not violations, margin, tuple(violations), bits, False, perf_counter() - begin)


def _standing_of(steps: Sequence[Step]) -> Dials:
    last = {(s.model, s.parameter): s.value for s in steps if isinstance(s, Dial)}
    return tuple(sorted((m, p, v) for (m, p), v in last.items()))


def _is_local(model: Model) -> bool:
    told = find_declaration(inner(model))
    return told is not None and told.local and getattr(inner(model), "context", "") != "document"


def _cuts(proposal: Proposal) -> list[int]:
    """Where the original is cut for checking by parts: at sentences, or at paragraphs if a model's context is one.

    A group lies within one context, so no cut may go through a context of any model.
    """
    found = proposal.original
    by_paragraph = any(getattr(inner(m), "context", "sentence") == "paragraph" for m in proposal.models)
    cuts = [0]
    for start, _ in found.paragraphs if by_paragraph else found.sentences:
        if start - cuts[-1] >= _PART:
            cuts.append(start)
    return cuts


def _moved_cuts(cuts: Sequence[int], applied: Applied) -> Iterator[int]:
    """The cuts in the released text, but for those inside an edit."""
    edits, spans = applied.plan.edits, applied.spans
    at = shift = 0
    for cut in cuts:
        while at < len(edits) and edits[at].end <= cut:
            shift = spans[at][1] - edits[at].end
            at += 1
        if at == len(edits) or edits[at].start >= cut:
            yield cut + shift


def _where_together(violation: Violation, analysis: Analysis) -> Violation:
    """Of a group, only the places where its members stand together: the check names every mention of each of them."""
    text = analysis.document.text
    members = {text[s:e] for s, e in violation.spans}
    if len(members) < 2:
        return violation
    for contexts in (analysis.sentences, analysis.paragraphs):
        starts = [s for s, _ in contexts]
        inside: dict[int, list[Span]] = {}
        for span in violation.spans:
            inside.setdefault(bisect_right(starts, span[0]), []).append(span)
        together = [s for spans in inside.values() if {text[a:b] for a, b in spans} == members for s in spans]
        if together:
            return replace(violation, spans=tuple(sorted(together)))
    return violation


def _moved(violation: Violation, by: int) -> Violation:
    return replace(violation, spans=tuple((s + by, e + by) for s, e in violation.spans))
