"""The two texts as HTML, block by block: after a step only the blocks that changed are sent.

A block is a paragraph with the white space after it; blocks cut the text without a gap, so that the page can count
characters from a block's start to where a reader has marked something.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tacit.document import Span
from tacit.models.matching import union
from tacit.review.session import State
from tacit.review.standing import Choice

__all__ = ["Block", "blocks", "changed"]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of the original and what the release makes of it, as HTML. ``place``: shown where it is new."""

    number: int
    start: int
    place: str
    original: str
    released: str


def blocks(state: State) -> list[Block]:
    """All blocks of a document as it stands."""
    analysis = state.proposal.original
    text, segments = analysis.document.text, analysis.document.segments
    starts = sorted({0, *(s for s, _ in analysis.paragraphs), *(s.start for s in segments)})
    segment_starts = [s.start for s in segments]
    bad = _flagged(state)
    fails = union([s for v in state.verdict.violations for s in v.spans])
    choices, edits = state.standing.choices, state.applied.plan.edits
    spans = state.applied.spans
    made, c, e, place = [], 0, 0, ""
    at_released = 0
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        original: list[str] = []
        at = start
        while c < len(choices) and choices[c].core[0] < end:
            choice = choices[c]
            first, last = max(choice.core[0], start), min(choice.core[1], end)
            original += (escape(text[at:first]), _term(choice, text[first:last], choice.id in bad))
            at = last
            if choice.core[1] > end:
                break
            c += 1
        original.append(escape(text[at:end]))
        released: list[str] = []
        at = max(start, edits[e - 1].end if e else 0)
        while e < len(edits) and edits[e].start < end:
            plain = text[at : edits[e].start]
            released += (_plain(plain, at_released, fails), _shown(edits[e].replacement, spans[e], fails))
            at, at_released = edits[e].end, spans[e][1]
            e += 1
        rest = text[at:end] if at < end else ""
        released.append(_plain(rest, at_released, fails))
        at_released += len(rest)
        i = bisect_right(segment_starts, start) - 1
        here = segments[i].place if i >= 0 else ""
        made.append(Block(number, start, here if here != place else "", "".join(original), "".join(released)))
        place = here
    return made


def changed(before: Sequence[Block], after: Sequence[Block]) -> list[Block]:
    """The blocks that look different now; blocks keep their numbers, for they depend on the original alone."""
    return [b for a, b in zip(before, after, strict=True) if (a.original, a.released) != (b.original, b.released)]


def _flagged(state: State) -> set[str]:
    """The choices at whose place the guarantee fails."""
    found: set[str] = set()
    for violation in state.verdict.violations:
        for start, end in violation.spans:
            first, last = state.applied.to_original(start), state.applied.to_original(max(start, end - 1)) + 1
            i = bisect_right(state.standing.choices, first, key=lambda c: c.core[1])
            while i < len(state.standing.choices) and state.standing.choices[i].core[0] < last:
                found.add(state.standing.choices[i].id)
                i += 1
    return found


def _term(choice: Choice, text: str, bad: bool) -> str:
    names = f"t {choice.status}" + (" bad" if bad else "")
    label = f"{choice.text}: {describe(choice)}" + (", the guarantee fails here" if bad else "")
    return (
        f'<span class="{names}" role="button" tabindex="-1" data-at="{choice.id}" aria-label="{escape(label)}">'
        f"{escape(text)}</span>"
    )


def describe(choice: Choice) -> str:
    """What becomes of a choice, in words."""
    if choice.edit:
        return f"{choice.status}, shown as {choice.edit.replacement}"
    return {"open": "not changed", "accepted": "accepted as it is", "kept": "kept"}.get(choice.status, choice.status)


def _shown(replacement: str, span: Span, fails: Sequence[Span]) -> str:
    return f'<ins class="{"bad" if any(_inside(fails, *span)) else "new"}">{escape(replacement)}</ins>'


def _plain(text: str, start: int, fails: Sequence[Span]) -> str:
    """Released text that nobody changed, with the places where the guarantee fails."""
    pieces: list[str] = []
    at = 0
    for first, last in _inside(fails, start, start + len(text)):
        pieces += (
            escape(text[at : first - start]),
            f'<mark class="bad">{escape(text[first - start : last - start])}</mark>',
        )
        at = last - start
    pieces.append(escape(text[at:]))
    return "".join(pieces)


def _inside(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    """The parts of disjoint spans, in order, that lie between two places."""
    for i in range(bisect_right(spans, start, key=lambda s: s[1]), len(spans)):
        if spans[i][0] >= end:
            break
        yield max(spans[i][0], start), min(spans[i][1], end)
