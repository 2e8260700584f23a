"""Which terms of a text are sensitive: those a user names, those of given kinds, those another model would hide."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from taciturn.document import Span, Term
from taciturn.generalize.writing import is_mark
from taciturn.knowledge import Knowledge
from taciturn.language import Analysis, Key, key
from taciturn.models.base import Model

__all__ = ["named_terms", "sensitive_terms", "standing_keys"]

_LONGEST = 8  # words of a name
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")


def sensitive_terms(
    analysis: Analysis,
    knowledge: Knowledge,
    names: Sequence[str] = (),
    kinds: Sequence[str] = (),
    marked_by: Sequence[Model] = (),
    apart_from: Sequence[Span] = (),
) -> tuple[Term, ...]:
    """The sensitive terms in order, without overlap; of two that overlap the earlier, then the longer one stays.

    ``apart_from`` are spans in which nothing is looked for.
    """
    found = list(named_terms(analysis, names))
    found += [t for t in analysis.terms if t.kind in kinds and not is_mark(t.text)]
    starts = [t.start for t in analysis.terms]
    for model in marked_by:
        for edit in model.plan(analysis, knowledge).edits:
            near = analysis.terms[bisect_left(starts, edit.start) : bisect_left(starts, edit.end)]
            inside = [t for t in near if t.end <= edit.end]
            found += inside or [Term(edit.start, edit.end, edit.original, key(edit.original), edit.kind)]
    kept: list[Term] = []
    skipped = sorted(apart_from)
    for term in sorted(found, key=lambda t: (t.start, -t.end)):
        at = bisect_right(skipped, (term.end - 1, len(analysis.document.text))) - 1
        outside = at < 0 or skipped[at][1] <= term.start
        if outside and (not kept or term.start >= kept[-1].end):
            kept.append(term)
    return tuple(kept)


def named_terms(analysis: Analysis, names: Iterable[str]) -> tuple[Term, ...]:
    """Where the named phrases stand, in any form that has the same key, inside a term or outside all.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> text = analyze(Document.of("Severe Lumbar Pains, and no pain."))
    >>> [t.text for t in named_terms(text, ["lumbar pain"])]
    ['Lumbar Pains']
    """
    keys = {key(name) for name in names}
    lengths = sorted({len(k.split()) for k in keys if k}, reverse=True)
    if not lengths:
        return ()
    text = analysis.document.text
    found = [t for t in analysis.terms if t.key in keys]
    whole = {(t.start, t.end) for t in found}
    for sentence in analysis.sentences:
        words = [m.span() for m in _WORD.finditer(text, *sentence)]
        at = 0
        while at < len(words):
            for length in lengths:
                if at + length <= len(words):
                    start, end = words[at][0], words[at + length - 1][1]
                    # A key drops stop words at the edges; a window that has any is not the phrase itself.
                    if (name := key(text[start:end])) in keys and len(name.split()) == length:
                        if (start, end) not in whole:
                            found.append(Term(start, end, text[start:end], name))
                        at += length
                        break
            else:
                at += 1
    return tuple(sorted(found, key=lambda t: (t.start, -t.end)))


def standing_keys(analysis: Analysis, apart_from: Sequence[Span]) -> frozenset[Key]:
    """The keys of all phrases of a text that touch none of some spans.

    >>> from taciturn.document import Document
    >>> from taciturn.language import analyze
    >>> sorted(standing_keys(analyze(Document.of("Lumbar pain and flu.")), [(0, 6)]))
    ['and', 'flu', 'pain', 'pain and flu']
    """
    text, taken = analysis.document.text, sorted(apart_from)
    found: set[Key] = set()
    for sentence in analysis.sentences:
        words = [m.span() for m in _WORD.finditer(text, *sentence)]
        free = [not any(a < end and start < b for a, b in taken) for start, end in words]
        for first in range(len(words)):
            for last in range(first, min(first + _LONGEST, len(words))):
                if not free[last]:
                    break
                found.add(key(text[words[first][0] : words[last][1]]))
    return frozenset(k for k in found if k)
