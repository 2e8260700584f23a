"""What stands in the place of sensitive terms: as English has it, or so that nothing of a term shows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from taciturn.document import Span, Term
from taciturn.generalize.writing import Marks, Written, write_mark, write_phrase
from taciturn.language import Analysis, key
from taciturn.models.tplausible.solved import Solved
from taciturn.plan import Edit, Figure

__all__ = ["edits_of", "write_blindly"]

_POSSESSIVE = re.compile(r"['’]s?$")


def write_blindly(label: str, term: Term, text: str, sentence: Span, *, is_name: bool) -> Written:
    """The label as it is written whatever the term is: number and endings of the term would tell of it.

    It is written in the place of itself.
    """
    opening = not text[sentence[0] : term.start].strip()
    possessive = _POSSESSIVE.search(term.text)
    shown = (label[:1].upper() + label[1:] if opening else label) + (possessive.group() if possessive else "")
    longer = len(shown) - (term.end - term.start)
    inner = replace(term, end=term.end + longer, text=shown, key=key(label), kind="other")
    there = text[: term.start] + shown + text[term.end :]
    written = write_phrase(label, inner, there, (sentence[0], sentence[1] + longer), is_name=is_name)
    return replace(written, end=written.end - longer)


def edits_of(terms: Sequence[Term], solved: Solved, analysis: Analysis, model: str, *, blindly: bool) -> list[Edit]:
    """The edits that show each sensitive term as it was solved; ``blindly``: whatever the term is."""
    text, marks = analysis.document.text, Marks()
    starts = [s for s, _ in analysis.sentences]
    edits = []
    for term in terms:
        step = solved.shown.get(term.key)
        if step is None and term.key not in solved.redacted:
            continue
        sentence = analysis.sentences[max(bisect_right(starts, term.start) - 1, 0)]
        figures: dict[str, Figure]
        if step is None:
            written = write_mark(marks.mark(term), term, text)
            reason, figures = "no taxonomy knows this term, so it cannot be generalized", {"volume": 1}
        else:
            write = write_blindly if blindly else write_phrase
            written = write(step.label, term, text, sentence, is_name=step.is_name)
            reason = f"{step.volume} base terms generalize to {step.label!r}"
            figures = {"volume": step.volume, "bits": round(step.bits, 3), "taxonomy": step.source}
            if not blindly:
                above = f"at most {solved.above:.3g} above the best"
                figures["planning"] = "optimal" if solved.optimal and not solved.shared else above
        original = text[written.start : written.end]
        edits.append(Edit(written.start, written.end, original, written.text, reason, model, term.kind, figures))
    return edits
