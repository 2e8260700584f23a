"""The original and the release as HTML, block by block: after a step only the blocks that changed are sent.

A block is a paragraph with the white space after it; blocks cut the text without a gap, so that the page can count
characters from a block's start to where a reader has marked something.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from taciturn.document import Span
from taciturn.models.matching import union
from taciturn.plan import Edit
from taciturn.review.choices import Choice
from taciturn.review.session import State

__all__ = ["Block", "Drawn", "changed", "describe", "draw", "flagged"]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph of the original and what the release makes of it, as HTML. ``place``: shown where it is new."""

    number: int
    start: int
    place: str
    original: str
    released: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The blocks of a state, and what each was drawn from: what is drawn from the same is not drawn again."""

    blocks: tuple[Block, ...]
    sources: tuple[object, ...]


def draw(state: State, before: Drawn | None = None) -> Drawn:
    """All blocks of a document as it stands; those of ``before`` that look the same are kept."""
    analysis = state.proposal.original
    text, segments = analysis.document.text, analysis.document.segments
    starts = sorted({0, *(s for s, _ in analysis.paragraphs), *(s.start for s in segments)})
    segment_starts = [s.start for s in segments]
    bad = flagged(state)
    fails = union([s for v in state.verdict.violations for s in v.spans])
    choices, edits, spans = state.standing.choices, state.applied.plan.edits, state.applied.spans
    made: list[Block] = []
    sources: list[object] = []
    c = e = at_released = 0
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        c_end, e_end = c, e
        while c_end < len(choices) and choices[c_end].core[0] < end:
            c_end += 1
        while e_end < len(edits) and edits[e_end].start < end:
            e_end += 1
        first = max(start, edits[e - 1].end if e else 0)  # an edit may reach over from the block before
        last = max(first, end)
        until = spans[e_end - 1][1] + max(last - edits[e_end - 1].end, 0) if e_end > e else at_released + last - first
        is_bad = tuple(x.id in bad for x in choices[c:c_end]) if bad else ()
        inside = tuple((s - at_released, t - at_released) for s, t in _inside(fails, at_released, until))
        source = (choices[c:c_end], edits[e:e_end], is_bad, inside, first)
        if before is not None and before.sources[number] == source:
            made.append(before.blocks[number])
        else:
            here = segments[max(bisect_right(segment_starts, start) - 1, 0)].place if segments else ""
            above = segments[max(bisect_right(segment_starts, start - 1) - 1, 0)].place if start and segments else ""
            original = _original(text, (start, end), choices[c:c_end], bad)
            released = _released(text, (first, last), edits[e:e_end], inside)
            made.append(Block(number, start, here if here != above else "", original, released))
        sources.append(source)
        # A choice that runs on into the next block is drawn there as well.
        c = c_end - 1 if c_end and choices[c_end - 1].core[1] > end else c_end
        e, at_released = e_end, until
    return Drawn(tuple(made), tuple(sources))


def _original(text: str, span: Span, choices: Sequence[Choice], bad: set[str]) -> str:
    pieces: list[str] = []
    at = span[0]
    for choice in choices:
        first, last = max(choice.core[0], span[0]), min(choice.core[1], span[1])
        pieces += (escape(text[at:first]), _term(choice, text[first:last], choice.id in bad))
        at = last
    pieces.append(escape(text[at : span[1]]))
    return "".join(pieces)


def _released(text: str, span: Span, edits: Sequence[Edit], fails: Sequence[Span]) -> str:
    """A block of the release; ``fails`` counts from its start."""
    pieces: list[str] = []
    at, shown = span[0], 0
    for edit in edits:
        plain = text[at : edit.start]
        pieces.append(_plain(plain, shown, fails))
        shown += len(plain)
        pieces.append(_shown(edit.replacement, (shown, shown + len(edit.replacement)), fails))
        shown += len(edit.replacement)
        at = edit.end
    if at < span[1]:
        pieces.append(_plain(text[at : span[1]], shown, fails))
    return "".join(pieces)


def changed(before: Drawn, after: Drawn) -> list[Block]:
    """The blocks that look different now; blocks keep their numbers, for they depend on the original alone."""
    return [b for a, b in zip(before.blocks, after.blocks, strict=True) if a is not b and a != b]


def flagged(state: State) -> set[str]:
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
    return {"open": "not changed", "accepted": "accepted as it is", "kept": "kept as in the original"}.get(
        choice.status, choice.status
    )


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
