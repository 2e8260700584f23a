"""What to change in a document, and the change itself.

An :class:`Edit` replaces one span and carries the evidence for it; a :class:`Plan` is the edits of one document,
in order and without overlap. :func:`resolve` is the only place that decides between overlapping edits, and
:func:`apply` makes the new text in one pass and one join.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from taciturn.document import Document, Segment, Span, verify_span

__all__ = ["Applied", "Edit", "Figure", "Plan", "apply", "compose", "planning", "resolve", "share_changed"]

Figure = float | int | str
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Edit:
    """One span of the original, its replacement, and why.

    ``reason`` is a sentence for people, ``figures`` the numbers behind it (``pmi``, ``ic``, ``threshold`` ...),
    ``model`` the name of the model that asked for it. ``local``: the string is hidden for what it says in this place,
    and may stand elsewhere: a member of a group, a word that is a time only here. Its ``repr`` does not print the
    original.

    >>> Edit(7, 11, "AIDS", "a disease", model="c-sanitized")
    Edit(start=7, end=11, replacement='a disease', model='c-sanitized', kind='other')
    """

    start: int
    end: int
    original: str = field(repr=False)
    replacement: str
    reason: str = field(default="", repr=False)
    model: str = ""
    kind: str = "other"
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False, repr=False)
    local: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if self.end - self.start != len(self.original) or self.start < 0 or not self.original:
            raise ValueError(f"the edit of {self.original!r} does not fit the span from {self.start} to {self.end}")

    @property
    def span(self) -> Span:
        """Where the original stands: start and end.

        >>> Edit(7, 11, "AIDS", "a disease").span
        (7, 11)
        """
        return (self.start, self.end)


@dataclass(frozen=True, slots=True)
class Plan:
    """The edits of one document, in order of their start, without overlap, each inside one segment.

    >>> Plan(Document.of("He has AIDS."), (Edit(7, 11, "AIDS", "a disease"),)).edits[0].span
    (7, 11)
    """

    document: Document
    edits: tuple[Edit, ...] = ()

    def __post_init__(self) -> None:
        segments = self.document.segments
        starts = [s.start for s in segments]
        at = 0
        for edit in self.edits:
            if edit.start < at:
                raise ValueError(
                    f"the edit {edit.start}-{edit.end} overlaps the one before it, or comes out of order; "
                    "pass the edits through resolve() first"
                )
            at = edit.end
            verify_span(self.document.text, edit.start, edit.end, edit.original)
            i = bisect_right(starts, edit.start) - 1
            if i < 0 or edit.end > segments[i].end:
                raise ValueError(f"the edit {edit.start}-{edit.end} crosses the end of a segment")


@dataclass(frozen=True, slots=True)
class Applied:
    """A document after its plan, with offsets that map both ways.

    ``spans[i]`` is where ``plan.edits[i].replacement`` stands in the released text.
    """

    plan: Plan
    document: Document
    spans: tuple[Span, ...]

    def to_released(self, offset: int) -> int:
        """Where a place of the original stands in the released text; inside an edit, the replacement's start."""
        i = bisect_right([e.start for e in self.plan.edits], offset) - 1
        if i < 0:
            return offset
        edit, span = self.plan.edits[i], self.spans[i]
        return span[0] if offset < edit.end else span[1] + offset - edit.end

    def to_original(self, offset: int) -> int:
        """Where a place of the released text stood in the original; inside a replacement, the edit's start."""
        i = bisect_right([s[0] for s in self.spans], offset) - 1
        if i < 0:
            return offset
        edit, span = self.plan.edits[i], self.spans[i]
        return edit.start if offset < span[1] else edit.end + offset - span[1]


def resolve(edits: Iterable[Edit], document: Document, mark: str = "[REDACTED]") -> tuple[Edit, ...]:
    """Order edits and settle overlaps, so that nothing any of them hides is shown again.

    - The same span twice: the first one given wins.
    - One span inside another: the outer one wins, it replaces the inner text as well.
    - Spans that cross: their union is replaced by ``mark``, for no single replacement speaks for both.

    >>> d = Document.of("acute liver cancer")
    >>> inner = Edit(6, 18, "liver cancer", "cancer")
    >>> outer = Edit(0, 18, "acute liver cancer", "disease")
    >>> [e.replacement for e in resolve([inner, outer], d)]
    ['disease']
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
        elif edit.end > kept[-1].end:
            last = kept[-1]
            kept[-1] = Edit(
                last.start,
                edit.end,
                document.text[last.start : edit.end],
                mark,
                reason="; ".join(dict.fromkeys(r for r in (last.reason, edit.reason) if r)),
                model=last.model or edit.model,
                kind=last.kind,
                figures={**edit.figures, **last.figures},
                local=last.local or edit.local,
            )
    return tuple(kept)


def apply(plan: Plan) -> Applied:
    """The document with every edit made: one pass, one join.

    >>> d = Document.of("He has AIDS.")
    >>> apply(Plan(d, (Edit(7, 11, "AIDS", "a disease"),))).document.text
    'He has a disease.'
    """
    text = plan.document.text
    pieces: list[str] = []
    spans: list[Span] = []
    at = length = 0
    for edit in plan.edits:
        pieces += (text[at : edit.start], edit.replacement)
        length += edit.start - at
        spans.append((length, length + len(edit.replacement)))
        length += len(edit.replacement)
        at = edit.end
    pieces.append(text[at:])
    starts = [e.start for e in plan.edits]
    shifts = [s[1] - e.end for e, s in zip(plan.edits, spans, strict=True)]

    def moved(offset: int) -> int:
        # Segment ends never lie inside an edit, so the shift of the last edit that starts before them applies.
        i = bisect_left(starts, offset) - 1
        return offset + (shifts[i] if i >= 0 else 0)

    segments = tuple(Segment(moved(s.start), moved(s.end), s.place, s.kind) for s in plan.document.segments)
    return Applied(plan, Document("".join(pieces), segments), tuple(spans))


def compose(applied: Applied, edits: Iterable[Edit]) -> Applied:
    """More edits, made on a text that was edited already, as one plan on the original.

    An edit that touches earlier replacements takes their place: it grows to the whole of each, keeping the parts of
    them that it does not cover, and the reasons of both are kept.

    >>> first = apply(Plan(Document.of("He has AIDS now."), (Edit(7, 11, "AIDS", "a grave disease"),)))
    >>> both = compose(first, [Edit(9, 14, "grave", "serious")])
    >>> both.document.text, both.plan.edits[0].original
    ('He has a serious disease now.', 'AIDS')
    """
    text, original = applied.document.text, applied.plan.document.text
    earlier = [(span[0], span[1], edit, False) for edit, span in zip(applied.plan.edits, applied.spans, strict=True)]
    later = [(edit.start, edit.end, edit, True) for edit in resolve(edits, applied.document)]
    composed: list[Edit] = []
    for start, end, touching in _clusters(sorted([*earlier, *later], key=lambda row: (row[0], row[1]))):
        news = [edit for edit, is_new in touching if is_new]
        if not news:
            composed += [edit for edit, _ in touching]
            continue
        pieces: list[str] = []
        at = start
        for edit in news:
            pieces += (text[at : edit.start], edit.replacement)
            at = edit.end
        pieces.append(text[at:end])
        olds = [edit for edit, is_new in touching if not is_new]
        before = min([applied.to_original(start), *(e.start for e in olds)])
        after = max([applied.to_original(end), *(e.end for e in olds)])
        by_age = news + olds
        composed.append(
            Edit(
                before,
                after,
                original[before:after],
                "".join(pieces),
                reason="; ".join(dict.fromkeys(e.reason for e in by_age if e.reason)),
                model=news[0].model,
                kind=by_age[-1].kind,
                figures={k: v for e in by_age for k, v in e.figures.items()},
                local=any(e.local for e in by_age),
            )
        )
    return apply(Plan(applied.plan.document, tuple(composed)))


def share_changed(plan: Plan) -> float:
    """The share of a document's words that edits touch.

    >>> share_changed(Plan(Document.of("He has AIDS now."), (Edit(7, 11, "AIDS", "a disease"),)))
    0.25
    """
    words = [m.span() for m in _WORD.finditer(plan.document.text)]
    starts = [e.start for e in plan.edits]
    touched = sum(1 for a, b in words if (i := bisect_left(starts, b) - 1) >= 0 and plan.edits[i].end > a)
    return touched / len(words) if words else 0.0


def _clusters(rows: Iterable[tuple[int, int, Edit, bool]]) -> Iterable[tuple[int, int, list[tuple[Edit, bool]]]]:
    """Spans in order, those that overlap (or are empty and touch) taken together."""
    start = end = -1
    members: list[tuple[Edit, bool]] = []
    for s, e, edit, is_new in rows:
        if members and (s < end or (s == end and (s == e or start == end))):
            end = max(end, e)
        else:
            if members:
                yield start, end, members
            start, end, members = s, e, []
        members.append((edit, is_new))
    if members:
        yield start, end, members


def planning(applied: Applied) -> tuple[tuple[str, str], ...]:
    """For each model that says so: is what it planned proven to be the best? By the figure "planning" of its edits.

    >>> edit = Edit(7, 11, "AIDS", "a disease", model="k-safe", figures={"planning": "optimal"})
    >>> planning(apply(Plan(Document.of("He has AIDS."), (edit,))))
    (('k-safe', 'optimal'),)
    """
    said: dict[str, bool] = {}
    for edit in applied.plan.edits:
        if "planning" in edit.figures:
            said[edit.model] = said.get(edit.model, True) and edit.figures["planning"] == "optimal"
    return tuple((model, "optimal" if proven else "not proven optimal") for model, proven in said.items())
