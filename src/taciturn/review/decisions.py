"""What a reviewer decides: frozen values, in order, that can be written down and replayed on the next version.

A decision quotes the span that it speaks of and a little of the text around it, so that it finds its place again in a
document that has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from taciturn.document import Document, Span

__all__ = ["Action", "Decision", "Dial", "Step", "from_json", "relocate", "to_json", "verify_step"]

Action = Literal["accept", "keep", "redact", "replace", "mark"]

_AROUND = 40  # characters of context on each side; enough to tell mentions apart
_LONGEST = 200  # characters of a replacement that a person types


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one span of the original, or of every mention of what it speaks of.

    ``accept``: as proposed. ``keep``: as it stands in the original. ``redact``: a mark. ``replace``: ``label``, a more
    general phrase. ``mark``: a span that was missed, redacted. ``code`` and ``basis`` are the exemption, if one is
    named; ``at`` the time and ``by`` the person, for the record.
    """

    action: Action
    start: int
    end: int
    text: str
    everywhere: bool = False
    label: str = ""
    code: str = ""
    basis: str = ""
    at: str = ""
    before: str = ""
    after: str = ""
    by: str = ""

    @property
    def span(self) -> Span:
        return (self.start, self.end)

    @classmethod
    def on(cls, document: Document, action: Action, span: Span, **more: Any) -> Decision:
        """A decision on a span of a document, quoting it and what stands around it.

        >>> Decision.on(Document.of("He has AIDS."), "redact", (7, 11)).text
        'AIDS'
        """
        start, end = span
        text = document.text
        if not 0 <= start < end <= len(text):
            raise ValueError(f"the span {start}-{end} lies outside the document of {len(text)} characters")
        before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
        return verify_step(cls(action, start, end, text[start:end], before=before, after=after, **more))


@dataclass(frozen=True, slots=True)
class Dial:
    """A parameter of a model, turned: ``model`` is its number in the policy's order."""

    model: int
    parameter: str
    value: float
    at: str = ""
    by: str = ""


Step = Decision | Dial


def verify_step(step: Decision) -> Decision:
    """The decision, or ``ValueError`` if it cannot be one."""
    texts = (step.text, step.label, step.code, step.basis, step.at, step.before, step.after, step.by)
    if not all(isinstance(t, str) for t in texts) or not isinstance(step.everywhere, bool):
        raise ValueError("a decision's words are text, and `everywhere` is true or false")
    if not isinstance(step.start, int) or not isinstance(step.end, int) or step.end - step.start != len(step.text):
        raise ValueError(f"the span {step.start!r}-{step.end!r} does not fit the text that the decision quotes")
    if step.action not in get_args(Action):
        raise ValueError(f"unknown action {step.action!r}; it is one of {', '.join(get_args(Action))}")
    if step.action == "replace" and not step.label.strip():
        raise ValueError("a replacement needs words: pick a rung or type what should stand there")
    if len(step.label) > _LONGEST or re.search(r"[\x00-\x1f\x7f]", step.label):
        raise ValueError(f"a replacement is one line of at most {_LONGEST} characters")
    return step


def to_json(steps: Iterable[Step], document: Document) -> dict[str, Any]:
    """Decisions as plain data. Private: they quote the original."""
    rows = []
    for step in steps:
        row = {k: v for k, v in asdict(step).items() if v is not False and v != ""}
        rows.append({"kind": "dial" if isinstance(step, Dial) else "decision", **row})
    return {
        "taciturn": "decisions/1",
        "private": "Decisions quote the original text. Do not publish them.",
        "characters": len(document.text),
        "steps": rows,
    }


def from_json(data: Mapping[str, Any]) -> tuple[Step, ...]:
    """The decisions in plain data; ``ValueError`` says what cannot be one."""
    if (
        not isinstance(data, Mapping)
        or data.get("taciturn") != "decisions/1"
        or not isinstance(data.get("steps"), list)
    ):
        raise ValueError("these are no decisions of this version of Taciturn; export them from a review")
    steps: list[Step] = []
    for number, row in enumerate(data["steps"], 1):
        try:
            fields = {k: v for k, v in row.items() if k != "kind"}
            if row["kind"] == "dial":
                made = Dial(**fields)
                steps.append(replace(made, model=int(made.model), value=float(made.value)))
            else:
                steps.append(verify_step(Decision(**fields)))
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise ValueError(f"step {number} is no decision: {error}") from None
    return tuple(steps)


def relocate(steps: Iterable[Step], document: Document) -> tuple[tuple[Step, ...], tuple[Decision, ...]]:
    """The steps with their spans in another version of the document, and the decisions whose text is no longer there.

    Of several places that hold the same text, the one whose surroundings agree best is taken; among equals the one
    nearest to where it was.

    >>> old, new = Document.of("He has AIDS."), Document.of("Since May he has AIDS.")
    >>> relocate([Decision.on(old, "keep", (7, 11))], new)[0][0].span
    (17, 21)
    """
    found: list[Step] = []
    lost: list[Decision] = []
    places: dict[str, list[int]] = {}
    for step in steps:
        if isinstance(step, Dial):
            found.append(step)
            continue
        if step.text not in places:
            places[step.text] = [m.start() for m in re.finditer(re.escape(step.text), document.text)]
        if not (starts := places[step.text]):
            lost.append(step)
            continue
        best = _best(step, starts, document.text)
        found.append(Decision.on(document, step.action, (best, best + len(step.text)), **_rest(step)))
    return tuple(found), tuple(lost)


def _best(step: Decision, starts: Sequence[int], text: str) -> int:
    def rank(start: int) -> tuple[int, int]:
        end = start + len(step.text)
        before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
        return (-(_shared(before[::-1], step.before[::-1]) + _shared(after, step.after)), abs(start - step.start))

    return min(starts, key=rank)


def _shared(a: str, b: str) -> int:
    """How many characters two texts begin with in common."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _rest(step: Decision) -> dict[str, Any]:
    kept = ("everywhere", "label", "code", "basis", "at", "by")
    return {name: getattr(step, name) for name in kept}
